import numpy as np

from timemil_core.data.formats.tables.read import Rounding


def test_a_chunk_without_a_row_changes_nothing() -> None:
    """The only row of a table may be left out, as one of an id that is missing."""
    rounding = Rounding(2)
    assert rounding.round(np.empty((0, 2))).shape == (0, 2)
    rounding.round(np.array([[1.0, np.nan], [2.0, 3.0]]))
    assert rounding.firsts.tolist() == [1.0, 3.0]
    assert rounding.counts.tolist() == [2.0, 1.0]
