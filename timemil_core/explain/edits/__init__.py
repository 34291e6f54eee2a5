"""Asking the model: a series with some of it changed, beside the original, which never changes."""

from timemil_core.explain.edits.comparison import Comparison, Elsewhere, compare, elsewhere
from timemil_core.explain.edits.edit import Edit
from timemil_core.explain.edits.edited_series import EditedSeries
from timemil_core.explain.edits.kinds import KINDS
from timemil_core.explain.edits.place import Place, place_between

__all__ = [
    "KINDS",
    "Comparison",
    "Edit",
    "EditedSeries",
    "Elsewhere",
    "Place",
    "compare",
    "elsewhere",
    "place_between",
]
