"""Set series aside for testing or validation: in the classes' proportions, and never one group on both sides."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.errors import DataError, SettingsError


def with_split(
    series_set: SeriesSet,
    test_share: float = 0.3,
    seed: int = 0,
    groups: Sequence[str] | None = None,
    *,
    in_order: bool = False,
) -> SeriesSet:
    """Return the set with a test part of about ``test_share``.

    Parameters
    ----------
    groups
        ``(n_series,)``, what each series comes from (a subject, a recording); by default the set's own. A group lies
        on one side only.
    in_order
        False: drawn in the classes' proportions; a class with one member, or in one group, stays in the training
        part. True: the last series (the groups that begin last) are for testing, so that the future is predicted
        from the past.

    Raises
    ------
    DataError
        Where no series can be set aside: each class must be left for training, or there is one group only.
    """
    groups = series_set.groups if groups is None else groups
    if in_order:
        test = last_indices(len(series_set), test_share, groups)
    else:
        test = validation_indices(series_set.labels, test_share, seed, groups)[1]
    if not test.size:
        raise _too_few(series_set, groups)
    split = np.full(len(series_set), "train", dtype="<U5")
    split[test] = "test"
    how = "the last ones in the set's order" if in_order else f"by class, seed {seed}"
    return replace(series_set, split=split, provenance=(*series_set.provenance, *_told(series_set, test, how, groups)))


def _too_few(series_set: SeriesSet, groups: Sequence[str] | None) -> DataError:
    if groups is not None and len(set(groups)) < 2:
        return DataError(
            f"All series come from one group, {groups[0]!r}: none can be set aside for testing.",
            where=series_set.name,
            remedy="Add series of another subject or recording, or cut the recording and name its parts apart.",
        )
    return DataError(
        "There are too few series to set some aside for testing and keep every class for training.",
        where=series_set.name,
        remedy="Add series, choose a larger share, or fewer classes." + (" Groups must differ." if groups else ""),
    )


def _told(series_set: SeriesSet, test: IntArray, how: str, groups: Sequence[str] | None) -> list[str]:
    whole = f"whole groups ({len({groups[index] for index in test}):,} of {len(set(groups)):,}), " if groups else ""
    sentences = [f"{len(test):,} of {len(series_set):,} series were set aside for testing, {whole}{how}."]
    if not groups:
        sentences.append("Series of one subject or recording may lie on both sides; a split by group rules that out.")
    if untested := classes_without(series_set.labels, test, series_set.class_names):
        sentences.append(f"No series of {', '.join(map(repr, untested))} could be set aside: too few.")
    return sentences


def last_indices(n_series: int, share: float, groups: Sequence[str] | None = None) -> IntArray:
    """Return the sorted indices of about ``share`` of the series: the last, or those of the groups that begin last.

    At least one series (group) is left on either side; empty where there is one only, or the share is 0.
    """
    of_series = list(range(n_series)) if groups is None else _numbered(groups)
    sizes = np.bincount(of_series)
    if len(sizes) < 2 or share <= 0:
        return np.array([], dtype=np.int64)
    held_out = np.cumsum(sizes[::-1])[:-1]  # by the last 1, 2 … groups
    n_groups = int(np.argmin(np.abs(held_out - share * n_series))) + 1
    return np.flatnonzero(np.asarray(of_series) >= len(sizes) - n_groups).astype(np.int64)


def _numbered(groups: Sequence[str]) -> list[int]:
    """Return for each series the place of its group in the order in which groups begin."""
    place: dict[str, int] = {}
    return [place.setdefault(group, len(place)) for group in groups]


def classes_without(labels: IntArray, chosen: IntArray, class_names: Sequence[str]) -> tuple[str, ...]:
    """Return the classes that occur, but not among the chosen series."""
    absent = np.setdiff1d(labels, labels[chosen])
    return tuple(class_names[label] for label in absent if label != UNKNOWN_LABEL)


def validation_report(
    labels: IntArray, validation: IntArray, class_names: Sequence[str], *, by_group: bool = False
) -> str:
    """Say in a sentence how many series were held out, and which classes are not among them."""
    if not validation.size:
        few = "series or groups" if by_group else "series"
        return f"Too few {few} to hold some out for validation: the last epoch is kept instead of the best."
    whole = ", in whole groups" if by_group else ""
    sentence = f"{len(validation):,} of {len(labels):,} training series were held out for validation{whole}"
    absent = classes_without(labels, validation, class_names)
    return f"{sentence}; none of {', '.join(map(repr, absent))} (too few)." if absent else f"{sentence}."


def validation_indices(
    labels: IntArray, share: float, seed: int, groups: Sequence[str] | None = None
) -> tuple[IntArray, IntArray]:
    """Divide series into those to fit and those to hold out, about ``share`` of them, stratified by class.

    Every class stays among those to fit. Where that leaves nothing to hold out, the second part is empty.

    Parameters
    ----------
    labels
        ``(n_series,)``.
    share
        In [0, 1).
    seed
        Same seed, same parts.
    groups
        ``(n_series,)``; a group is never divided.

    Returns
    -------
    tuple
        Sorted indices to fit, and to hold out.

    Raises
    ------
    SettingsError
        Where the share is not in [0, 1).
    """
    if not 0 <= share < 1:
        raise SettingsError(f"A share of {share} cannot be held out.", remedy="Choose one from 0 to below 1.")
    if groups is not None and len(groups) != len(labels):
        raise DataError(f"{len(labels)} series, but {len(groups)} groups.")
    labels = np.asarray(labels)
    held_out = _stratified(labels, share, seed) if groups is None else _grouped(labels, share, seed, groups)
    held_out = np.sort(held_out).astype(np.int64)
    return np.setdiff1d(np.arange(len(labels)), held_out), held_out


def _stratified(labels: IntArray, share: float, seed: int) -> IntArray:
    from sklearn.model_selection import train_test_split

    classes, members = np.unique(labels, return_counts=True)
    divisible = np.flatnonzero(np.isin(labels, classes[members > 1]))  # a lone series stays in the fit part
    n_classes = int((members > 1).sum())
    n_held_out = round(share * len(labels))
    if not n_classes or share * len(labels) < 0.5 * n_classes:
        return np.array([], dtype=np.int64)
    # at least one a class on either side
    n_held_out = min(max(n_held_out, n_classes), len(divisible) - n_classes)
    _, held_out = train_test_split(
        divisible, test_size=n_held_out, random_state=seed, stratify=labels[divisible], shuffle=True
    )
    return _without_last_members(labels, held_out)


def _without_last_members(labels: IntArray, held_out: IntArray) -> IntArray:
    """Give a class back one series where all of its were held out: rounding may do that to a small class."""
    lost = np.setdiff1d(labels[held_out], np.delete(labels, held_out))
    returned = [np.flatnonzero(labels[held_out] == label)[0] for label in lost]
    return np.delete(held_out, returned)


def _grouped(labels: IntArray, share: float, seed: int, groups: Sequence[str]) -> IntArray:
    from sklearn.model_selection import StratifiedGroupKFold

    nothing = np.array([], dtype=np.int64)
    most_members = int(np.unique(labels, return_counts=True)[1].max())
    n_wanted = round(share * len(labels))
    n_folds = min(max(2, round(len(labels) / max(n_wanted, 1))), len(set(groups)), most_members)
    if n_wanted == 0 or n_folds < 2:
        return nothing
    folds = StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        parts = [held_out for _, held_out in folds.split(labels, labels, np.asarray(groups, dtype=object).astype(str))]
    keeping = [part for part in parts if part.size and set(labels) == set(np.delete(labels, part))]
    return min(keeping, key=lambda part: abs(len(part) - share * len(labels)), default=nothing)
