import pytest

from timemil_core.data.wording import counted


@pytest.mark.parametrize(
    ("number", "thing", "text"),
    [
        (1, "channel", "1 channel"),
        (2, "channel", "2 channels"),
        (1, "class", "1 class"),
        (3, "class", "3 classes"),
        (3, "series", "3 series"),
        (2_000, "row", "2,000 rows"),
        (2, "training series", "2 training series"),
    ],
)
def test_numbers_of_things(number: int, thing: str, text: str) -> None:
    assert counted(number, thing) == text
