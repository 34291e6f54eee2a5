"""Training and test part: whether the test is one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.grouping import OVERLAPS, group_candidates
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.splitting import validation_indices
from timemil_core.data.wording import counted, listed

SMALL_TEST = 30
SERIES_A_GROUP = 2.0  # in the mean, for parts of ids to be taken for subjects
VALIDATION_SHARE = 0.2


def parts(measured: Measured) -> Iterator[ReportLine]:
    """Look at the split and at what lies on both of its sides (pitfalls 17 and 24)."""
    series_set = measured.series_set
    train, test = series_set.indices("train"), series_set.indices("test")
    if not len(test):
        yield warning(
            "There is no test part: a model cannot be scored on series that it has not seen.",
            remedy="Split the set: by group where series share a subject or a recording, else by class.",
            choice="split",
        )
    elif not len(train):
        yield warning("There is no training part: nothing can be learned.", remedy="Split anew.", choice="split")
    elif len(test) < SMALL_TEST:
        yield note(
            f"The test part has {len(test):,} series: one more or less that is right changes the accuracy by "
            f"{100 / len(test):.1f} points."
        )
    yield from _groups(series_set)
    yield from _validation(series_set)


def _groups(series_set: SeriesSet) -> Iterator[ReportLine]:
    if series_set.groups is not None:
        if shared := _on_both_sides(series_set, series_set.groups):
            yield warning(
                f"{counted(len(shared), 'group')} on both sides of the split ({listed(shared, 3)}): test series of a "
                "subject or recording that was trained on score too well.",
                remedy="Split anew: whole groups stay on one side.",
                choice="split",
            )
        else:
            n_groups = len(set(series_set.groups))
            yield note(f"Series belong to {counted(n_groups, 'group')}; splits keep a group on one side.")
        return
    for source, groups in group_candidates(series_set).items():
        if source == OVERLAPS or len(series_set) / len(set(groups)) < SERIES_A_GROUP:
            continue  # overlaps are told by their own check
        shared = _on_both_sides(series_set, groups)
        if shared or not len(series_set.indices("test")):
            yield warning(
                f"{counted(len(set(groups)), 'group')}, such as {groups[0]!r}, can be told by: {source}. If these are "
                "subjects or recordings, "
                + (f"{len(shared):,} of them lie on both sides of the split." if shared else "a split must heed them."),
                remedy="Choose them as groups, and split anew.",
                choice="groups",
            )
            return
    if len(series_set.indices("test")):
        yield note(
            "Which subject or recording a series comes from is not known: whether one lies on both sides of the split "
            "cannot be checked."
        )


def _on_both_sides(series_set: SeriesSet, groups: tuple[str, ...]) -> list[str]:
    sides = ({groups[index] for index in series_set.indices(part)} for part in ("train", "test"))
    return sorted(set.intersection(*sides))


def _validation(series_set: SeriesSet) -> Iterator[ReportLine]:
    train = series_set.indices("train")
    labels = series_set.labels[train]
    if len(np.unique(labels[labels >= 0])) < 2:
        return
    groups = None if series_set.groups is None else [series_set.groups[index] for index in train]
    if not validation_indices(labels, VALIDATION_SHARE, 0, groups)[1].size:
        yield note(
            "Too few training series (or groups) to hold some out: the last epoch is kept instead of the best.",
        )
