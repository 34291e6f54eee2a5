import pytest

from timemil_core.data.export import file_stem


@pytest.mark.parametrize(
    ("parts", "stem"),
    [
        (("../../etc", "a/b c", "é=1"), "etc-a-b-c-1"),
        (("Synthetic pulse",), "Synthetic-pulse"),
        (("<b>",), "b"),
        (("日本",), "series"),
        (("x" * 300,), "x" * 100),
    ],
)
def test_file_names_hold_nothing_that_a_file_system_minds(parts, stem):
    assert file_stem(*parts) == stem
