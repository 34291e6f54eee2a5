"""Lines in the order in which they are read."""

from timemil_core.data.report_line import condensed, note, repair, warning


def test_warnings_come_first_and_those_that_most_files_have_after_the_particular_ones():
    routine, particular = warning("No column holds the class.", choice="label_column"), warning("Two rows are alike.")
    assert condensed([note("a"), routine, repair("b"), particular]) == [particular, routine, note("a"), repair("b")]


def test_lines_that_say_the_same_of_forty_columns_are_one():
    lines = [warning(f"Column 'c{place}' holds {place} gaps.") for place in range(40)]
    assert [line.text for line in condensed(lines)] == [
        "Column 'c0' holds 0 gaps. 39 more lines say the same of others."
    ]
    assert condensed(lines[:3]) == lines[:3]
