from tests.pitfalls import GUIDE, PAGE, ROOT, TITLES, guide, page, rows


def test_every_pitfall_has_a_test_and_no_test_a_pitfall_that_is_none():
    assert {row.number for row in rows()} == set(TITLES) == set(range(1, 27))


def test_the_page_is_that_of_the_tests():
    assert PAGE.read_text("utf-8") == page(), "Run: python -m tests.pitfalls"


def test_the_readme_has_a_row_for_each():
    assert GUIDE.read_text("utf-8") == guide(), "Run: python -m tests.pitfalls"


def test_every_small_file_is_read_by_a_test():
    read = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    files = [path.name for path in (ROOT / "tests" / "data" / "pitfalls").iterdir()]
    assert files
    assert not [name for name in files if name not in read]
