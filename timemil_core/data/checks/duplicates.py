"""Series that occur twice, and windows that overlap: a test on what was trained on is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from timemil_core.data.checks.measured import Measured
from timemil_core.data.overlaps import find_overlaps, with_one_spelling
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.data.wording import counted

SHOWN = 3


def find_copies(series_set: SeriesSet) -> list[list[int]]:
    """Return the indices of series that are equal in every value, missing ones too, in lists of two and more."""
    alike: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for index, values in enumerate(series_set.series):
        alike[values.shape[1], with_one_spelling(values).tobytes()].append(index)
    return [indices for indices in alike.values() if len(indices) > 1]


def duplicates(measured: Measured) -> Iterator[ReportLine]:
    """Look for exact copies (pitfall 18)."""
    series_set = measured.series_set
    copies = find_copies(series_set)
    across = [group for group in copies if len({str(series_set.split[index]) for index in group}) > 1]
    if across:
        n_test = sum(str(series_set.split[index]) == "test" for group in across for index in group)
        n_all = len(series_set.indices("test"))
        yield warning(
            f"{n_test:,} of {n_all:,} test series are exact copies of training series ({_pairs(series_set, across)}): "
            "they are scored on what was learned by heart.",
            remedy="Leave the copies out of the test part.",
            choice="copies",
        )
    if within := [group for group in copies if group not in across]:
        n_copies = sum(len(group) - 1 for group in within)
        yield note(
            f"{counted(n_copies, 'exact copy').replace('copys', 'copies')} of other series in the same part "
            f"({_pairs(series_set, within)}). They count more than once.",
            remedy="Leave them out, unless they were meant.",
            choice="copies",
        )
    if torn := [group for group in copies if len({int(series_set.labels[i]) for i in group} - {UNKNOWN_LABEL}) > 1]:
        yield warning(
            f"Equal series of different classes: {_pairs(series_set, torn)}. At most one of the labels can be right.",
            remedy="Look at where the labels come from.",
        )


def _pairs(series_set: SeriesSet, groups: list[list[int]]) -> str:
    told = [" = ".join(repr(series_set.series_ids[index]) for index in group[:SHOWN]) for group in groups[:SHOWN]]
    return ", ".join(told) + (f" and {len(groups) - SHOWN:,} more" if len(groups) > SHOWN else "")


def overlapping_windows(measured: Measured) -> Iterator[ReportLine]:
    """Look for windows that share a stretch with one on the other side of the split (pitfall 17)."""
    series_set = measured.series_set
    found = find_overlaps(series_set)
    if found is None:
        yield note("Whether windows overlap was not looked into: the set is too large.")
        return
    across = [one for one in found if series_set.split[one.earlier] != series_set.split[one.later]]
    if across:
        first = across[0]
        concerned = {index for one in across for index in (one.earlier, one.later)}
        n_test = sum(str(series_set.split[index]) == "test" for index in concerned)
        yield warning(
            f"{n_test:,} test series overlap with training series: {series_set.series_ids[first.later]!r} begins at "
            f"time point {first.offset:,} of {series_set.series_ids[first.earlier]!r} and shares {first.length:,} time "
            "points with it.",
            remedy="Choose the recording as the group and split anew, so that its windows stay on one side.",
            choice="groups",
        )
    elif found and series_set.groups is None:
        yield warning(
            f"{counted(len(found), 'pair')} of series overlap, as windows of one recording do "
            f"({series_set.series_ids[found[0].earlier]!r} and {series_set.series_ids[found[0].later]!r} share "
            f"{found[0].length:,} time points), and no groups are known.",
            remedy="Choose the recording as the group, so that its windows stay on one side of every split.",
            choice="groups",
        )
