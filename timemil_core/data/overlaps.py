"""Find series that begin in the middle of another one, as overlapping windows of one recording do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray, SeriesSet

CodeArray = npt.NDArray[np.uint64]
BLOCK = 8  # time points by which a beginning is recognised
FEWEST_VALUES = 4  # different time points in it: flat stretches are alike everywhere
FEWEST_SHARED = 0.1  # of the shorter series
MOST_VALUES = 50_000_000
MOST_PAIRS = 200_000
MOST_TRIES = 20  # series that begin alike
FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Overlap:
    """Series ``later`` begins at time point ``offset`` of series ``earlier``; ``length`` time points are equal."""

    earlier: int
    later: int
    offset: int
    length: int


# the report, the choices and the groups ask alike; a set never changes
_known: WeakKeyDictionary[SeriesSet, list[Overlap] | None] = WeakKeyDictionary()


def find_overlaps(series_set: SeriesSet) -> list[Overlap] | None:
    """Return all overlaps of at least 8 time points and a tenth of the shorter series.

    None where the set, or the number of overlaps, is so large that looking would take long.
    """
    if series_set not in _known:
        _known[series_set] = _find(series_set)
    return _known[series_set]


def overlapping_groups(series_set: SeriesSet) -> tuple[str, ...] | None:
    """Return for each series the id of the first one that it hangs together with by overlaps; None for no overlap."""
    found = find_overlaps(series_set)
    if not found:
        return None
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, columns = ([getattr(one, end) for one in found] for end in ("earlier", "later"))
    pairs = coo_array((np.ones(len(found)), (rows, columns)), shape=(len(series_set), len(series_set)))
    _, components = connected_components(pairs, directed=False)
    first = {component: index for index, component in reversed(list(enumerate(components.tolist())))}
    return tuple(series_set.series_ids[first[component]] for component in components.tolist())


def _find(series_set: SeriesSet) -> list[Overlap] | None:
    if sum(values.size for values in series_set.series) > MOST_VALUES:
        return None
    beginnings: dict[int, list[int]] = {}
    coded = [_block_codes(values) for values in series_set.series]
    for index, codes in enumerate(coded):
        if codes.size and _is_varied(series_set.series[index]):
            beginnings.setdefault(int(codes[0]), []).append(index)
    known = np.sort(np.fromiter(beginnings, dtype=np.uint64, count=len(beginnings)))
    found: list[Overlap] = []
    for earlier, codes in enumerate(coded):
        for overlap in _begins_within(series_set, earlier, codes, known, beginnings):
            found.append(overlap)
            if len(found) > MOST_PAIRS:
                return None
    return found


def _begins_within(
    series_set: SeriesSet, earlier: int, codes: CodeArray, known: CodeArray, beginnings: dict[int, list[int]]
) -> Iterator[Overlap]:
    if not known.size or codes.size < 2:
        return
    places = np.searchsorted(known, codes[1:]).clip(max=len(known) - 1)
    for offset in (np.flatnonzero(known[places] == codes[1:]) + 1).tolist():
        for later in beginnings[int(codes[offset])][:MOST_TRIES]:
            one, other = series_set.series[earlier][:, offset:], series_set.series[later]
            length = min(one.shape[1], other.shape[1])
            shared = length >= FEWEST_SHARED * min(series_set.lengths[earlier], series_set.lengths[later])
            if later != earlier and shared and np.array_equal(one[:, :length], other[:, :length], equal_nan=True):
                yield Overlap(earlier, later, offset, length)


def _block_codes(values: FloatArray) -> CodeArray:
    """Return a number for each block of eight neighbouring time points, ``(n_timepoints - 7,)``: equal for equals."""
    if values.shape[1] < BLOCK:
        return np.array([], dtype=np.uint64)
    bits = with_one_spelling(values).view(np.uint32).astype(np.uint64)
    points = np.zeros(values.shape[1], dtype=np.uint64)
    for channel in bits:  # arithmetic modulo 2⁶⁴
        points = (points ^ channel) * FACTOR
        points ^= points >> np.uint64(29)
    codes = np.zeros(values.shape[1] - BLOCK + 1, dtype=np.uint64)
    for place in range(BLOCK):
        codes = codes * FACTOR + points[place : place + len(codes)]
    return codes


def with_one_spelling(values: FloatArray) -> FloatArray:
    """Return the values with one bit pattern for NaN and one for zero, so that equal bits mean equal series."""
    return np.where(np.isnan(values), np.float32(np.nan), values + np.float32(0.0)).astype(np.float32)


def _is_varied(values: FloatArray) -> bool:
    return len(np.unique(values[:, :BLOCK], axis=1).T) >= FEWEST_VALUES
