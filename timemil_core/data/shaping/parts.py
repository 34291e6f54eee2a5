"""Choices of what is trained and tested on: copies, groups, the split."""

from __future__ import annotations

from timemil_core.data.checks.duplicates import find_copies
from timemil_core.data.files.choices import Choosing
from timemil_core.data.grouping import OWN, group_candidates, with_groups
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.splitting import with_split
from timemil_core.data.wording import counted
from timemil_core.errors import DataError

COPIES = {
    "keep": "keep all",
    "test": "leave copies of training series out of the test part",
    "all": "keep one of each",
}
TEST_SHARE = 30.0


def choose_groups(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Ask what must stay on one side of a split."""
    candidates = group_candidates(series_set)
    if not candidates and series_set.groups is None:
        return series_set
    own = None if series_set.groups is None else OWN
    named = candidates if series_set.groups is None else {OWN: series_set.groups, **candidates}
    options = {
        source: f"{source}: {counted(len(set(groups)), 'group')}, such as {groups[0]!r}"
        for source, groups in named.items()
    }
    chosen = choosing.one_or_none(
        "groups",
        "What must stay on one side of a split",
        options,
        own,
        help="Series of one subject or recording resemble each other: a test on the same subject is too easy.",
        reshapes=True,
    )
    if chosen == own:
        return series_set
    return with_groups(series_set, None if chosen is None else candidates[chosen], chosen or "")


def choose_copies(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Offer to leave exact copies out where there are some."""
    copies = find_copies(series_set)
    if not copies:
        return series_set
    how = choosing.one("copies", "Exact copies of series", COPIES, "keep")
    return series_set if how == "keep" else without_copies(series_set, copies, in_test_only=how == "test")


def without_copies(series_set: SeriesSet, copies: list[list[int]], *, in_test_only: bool) -> SeriesSet:
    """Return the set with one of each list of copies, a training series where there is one.

    With ``in_test_only``, only test series that are copies of training series go.
    """
    gone: set[int] = set()
    for indices in copies:
        train = [index for index in indices if series_set.split[index] == "train"]
        test = [index for index in indices if series_set.split[index] == "test"]
        gone.update(test if in_test_only and train else [] if in_test_only else [*train, *test][1:])
    kept = [index for index in range(len(series_set)) if index not in gone]
    return (
        series_set.subset(kept, note=f"Exact copies of other series were left out: {len(gone):,}.")
        if gone
        else series_set
    )


def choose_split(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Ask how training and test part are divided."""
    whole = ", whole groups" if series_set.groups is not None else ""
    has_test = len(series_set.indices("test")) > 0
    options = {
        "given": "as given" if has_test else "no test part",
        "by class": f"drawn anew, by class{whole}",
        "in order": f"the last ones of the set's order for testing{whole}",
    }
    how = choosing.one("split", "Training and test part", options, "given", reshapes=True)
    if how == "given":
        return series_set
    share = choosing.number("test_share", "Test share (%)", TEST_SHARE) or 0.0
    seed = round(choosing.number("split_seed", "Seed", 0.0) or 0)
    if not 0 < share < 100:
        raise DataError(f"{share:g} % cannot be set aside for testing.", remedy="Choose more than 0 and less than 100.")
    return with_split(series_set, share / 100, seed, in_order=how == "in order")
