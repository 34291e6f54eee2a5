"""Columns that mark rows: which part of the split, and which time points carry a class's pattern."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from timemil_core.data.files.labels import canonical_labels
from timemil_core.data.formats.tables.profile import SPLIT_WORDS
from timemil_core.data.formats.tables.table import Coded, Table
from timemil_core.data.series_set import IntArray
from timemil_core.errors import DataError

FALSE_WORDS = frozenset({"", "0", "0.0", "false", "no", "n", "nan", "na", "-", "?"})
TRUE_WORDS = frozenset({"1", "1.0", "true", "yes"})
BACKGROUND_WORDS = FALSE_WORDS | {"none", "background"}
ALWAYS, NEVER = -3, -2


def split_codes(table: Table, column: str) -> IntArray:
    """Return 0 (train) or 1 (test) a row, -1 where the cell is empty.

    Raises
    ------
    DataError
        Where a cell holds another word.
    """
    coded = table.coded[column]
    words = [text.strip().lower() for text in coded.texts]
    for position, word in enumerate(words):
        if word and word not in SPLIT_WORDS:
            raise DataError(
                f"{coded.texts[position][:80]!r} is neither train nor test.",
                where=table.where(_first_row(coded, position), column),
                remedy="Write train or test, or leave the split column out.",
            )
    meaning = [-1 if not word else int(SPLIT_WORDS[word] == "test") for word in words]
    return np.array(meaning, dtype=np.int64)[coded.codes]


def instance_classes(table: Table, column: str, class_names: Sequence[str]) -> IntArray:
    """Return the class that each row speaks for: its index, ``ALWAYS`` for a mark of 1, ``NEVER`` for none.

    Raises
    ------
    DataError
        Where a cell is neither 0 or 1 nor a class.
    """
    coded = table.coded[column]
    words = [text.strip() for text in coded.texts]
    if all(word.lower() in FALSE_WORDS | TRUE_WORDS for word in words):
        return np.array([ALWAYS if word.lower() in TRUE_WORDS else NEVER for word in words], dtype=np.int64)[
            coded.codes
        ]
    names = canonical_labels([*words, *class_names])
    place = {names[name]: index for index, name in enumerate(class_names)}
    meaning = [place.get(names[word], NEVER) for word in words]
    for position, word in enumerate(words):
        if meaning[position] == NEVER and word.lower() not in BACKGROUND_WORDS:
            raise DataError(
                f"{word[:80]!r} is neither 0 or 1 nor a class of the label column.",
                where=table.where(_first_row(coded, position), column),
                remedy="Mark time points by 0 and 1, or by names of classes; if the column tells the class of each "
                "time point, choose it as the label and cut the series where it changes.",
            )
    return np.array(meaning, dtype=np.int64)[coded.codes]


def _first_row(coded: Coded, position: int) -> int:
    return int(np.flatnonzero(coded.codes == position)[0])
