"""Where an edit is: a span of time points, of some channels or of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray
from timemil_core.data.wording import counted, listed
from timemil_core.errors import SettingsError

Times = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Place:
    """A span of a series.

    Attributes
    ----------
    start, stop
        The first time point's index, and the index after the last.
    channels
        Indices, rising; None for all channels.
    """

    start: int
    stop: int
    channels: tuple[int, ...] | None = None

    @property
    def length(self) -> int:
        """How many time points."""
        return self.stop - self.start

    def check(self, n_channels: int, n_timepoints: int) -> None:
        """Refuse a place that a series does not have.

        Raises
        ------
        SettingsError
            Where the span is empty or leaves the series, or there is no such channel.
        """
        if not 0 <= self.start < self.stop <= n_timepoints:
            raise SettingsError(
                f"the span from time point {self.start} to before {self.stop} does not lie in a series of "
                f"{counted(n_timepoints, 'time point')}.",
                remedy="Choose a span inside the series, of at least one time point.",
            )
        if self.channels is not None and (
            not self.channels
            or list(self.channels) != sorted(set(self.channels))
            or not 0 <= self.channels[0] <= self.channels[-1] < n_channels
        ):
            raise SettingsError(
                f"{list(self.channels)} are not channels of a series of {counted(n_channels, 'channel')}.",
                remedy=f"Choose at least one channel, by index from 0 to {n_channels - 1}, each once and in order.",
            )

    def rows(self, n_channels: int) -> list[int]:
        """Return the indices of its channels."""
        return list(range(n_channels)) if self.channels is None else list(self.channels)

    def cells(self, n_channels: int, n_timepoints: int) -> BoolArray:
        """Return what of a series it covers, ``(n_channels, n_timepoints)``."""
        covered = np.zeros((n_channels, n_timepoints), dtype=np.bool_)
        covered[self.rows(n_channels), self.start : self.stop] = True
        return covered

    def moved_to(self, start: int) -> Place:
        """Return the same span, beginning at another time point."""
        return replace(self, start=start, stop=start + self.length)

    def in_words(self, times: Times, channel_names: Sequence[str], unit: str) -> str:
        """Say which channels, from when to when: ``'x', 2 to 4.5 s``."""
        names = "all channels"
        if self.channels is not None and len(self.channels) < len(channel_names):
            names = listed([channel_names[channel] for channel in self.channels])
        elif len(channel_names) == 1:
            names = repr(channel_names[0])
        first, last = (f"{float(times[index]):.6g}" for index in (self.start, self.stop - 1))
        return f"{names}, {first} to {last}{unit}"

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON values."""
        channels = None if self.channels is None else list(self.channels)
        return {"start": self.start, "stop": self.stop, "channels": channels}

    @classmethod
    def from_json(cls, content: Any) -> Place:
        """Read what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where the content is no place.
        """
        given = content if isinstance(content, dict) else {}
        channels = given.get("channels")
        known = channels is None or (isinstance(channels, list) and all(type(one) is int for one in channels))
        if not known or type(given.get("start")) is not int or type(given.get("stop")) is not int:
            raise SettingsError("this is no span of a series.", remedy="It has start, stop and channels.")
        return cls(content["start"], content["stop"], None if channels is None else tuple(channels))


def place_between(
    times: Times, first: float, last: float, channels: Sequence[int] | None = None, *, n_channels: int | None = None
) -> Place:
    """Return the span of the time points from ``first`` to ``last``, both included.

    Parameters
    ----------
    times
        ``(n_timepoints,)``, rising, in the unit of ``first`` and ``last``.
    channels
        In any order; none or all of ``n_channels`` is all.

    Raises
    ------
    SettingsError
        Where no time point lies between.
    """
    low, high = min(first, last), max(first, last)
    start, stop = int(np.searchsorted(times, low)), int(np.searchsorted(times, high, side="right"))
    if start >= stop:
        raise SettingsError(
            f"no time point lies between {low:.6g} and {high:.6g}.",
            remedy=f"This series goes from {float(times[0]):.6g} to {float(times[-1]):.6g}.",
        )
    chosen = tuple(sorted(set(channels or ())))
    return Place(start, stop, None if not chosen or len(chosen) == n_channels else chosen)
