"""What the motif atlas holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.wording import counted

DoubleArray = npt.NDArray[np.float64]

FEWEST_TO_TELL = 5
"""Series on which a removal must have been tried before a motif is called used, or not."""


@dataclass(frozen=True)
class Occurrence:
    """A span of a series: its index in the set, first time point, and the one after the last."""

    series: int
    start: int
    stop: int


@dataclass(frozen=True)
class Presence:
    """In how many of ``of`` series of a class a motif is found."""

    found: int
    of: int


@dataclass(frozen=True, eq=False)
class Removal:
    """What removing spans does to the logit of the motif's class, against random spans of the same length.

    Attributes
    ----------
    falls
        ``(n_series,)``: by how much the logit falls when the motif's span is replaced.
    random
        ``(n_series, n_random)``: the same for random spans of the same series.
    """

    falls: DoubleArray
    random: DoubleArray

    @property
    def n_beaten(self) -> int:
        """In how many series removing the motif lowers the logit more than 95 % of random spans do."""
        return int(((self.falls[:, None] > self.random).mean(axis=1) >= 0.95).sum())

    @property
    def n_series(self) -> int:
        """In how many series it was tried."""
        return len(self.falls)


@dataclass(frozen=True, eq=False)
class Motif:
    """Spans of like shape that the model finds important for one class.

    Attributes
    ----------
    target
        Index of the class that the model gives the series they were cut from.
    place, n_places
        Which of how many motifs of that class, the most frequent first.
    members
        The spans behind it, with their margin left off, the most typical one (the medoid) first.
    times
        ``(n_points,)``: of the shape, in time steps from the medoid's cut, margin included.
    core
        Begin and end of the span within the margin, in the unit of ``times``.
    mean, low, high
        ``(n_channels, n_points)``: mean, 5 % and 95 % over the members in the data's own unit, each warped onto the
        medoid; NaN where nothing was observed.
    presence
        From class name to in how many series of that (true) class it is present.
    threshold
        The distance to the medoid within which it counts as present: see ``threshold_of``.
    matches
        Where it is present in series that it was not found in, the nearest first.
    channels
        ``(n_channels,)``: what each channel counts for when its shapes are compared; their mean is 1.
    removal
        In the series that it was cut from.
    held_out
        In series where it was found again by its shape alone; None where there are none.
    sentence
        What removing it does, in plain words.
    presence_sentence
        Whether it is more frequent in its class than in others, in plain words.
    """

    target: int
    place: int
    n_places: int
    members: tuple[Occurrence, ...]
    times: DoubleArray
    core: tuple[float, float]
    mean: DoubleArray
    low: DoubleArray
    high: DoubleArray
    presence: dict[str, Presence]
    threshold: float
    matches: tuple[Occurrence, ...]
    channels: DoubleArray
    removal: Removal
    held_out: Removal | None
    sentence: str
    presence_sentence: str

    @property
    def n_series(self) -> int:
        """Of how many series its members are."""
        return len({one.series for one in self.members})

    @property
    def tested(self) -> Removal:
        """What tells whether it is used: series where its shape was found again, else those it was cut from."""
        return self.held_out or self.removal

    @property
    def is_used(self) -> bool | None:
        """Whether removing it does more than removing random spans, in most series; None where too few were tried."""
        tested = self.tested
        return None if tested.n_series < FEWEST_TO_TELL else 2 * tested.n_beaten >= tested.n_series


@dataclass(frozen=True, eq=False)
class Atlas:
    """All motifs of a model on a set, by class.

    Attributes
    ----------
    motifs
        By class, the most frequent first.
    window
        Length of a span in time points.
    notes
        How it was made: method, sample, threshold, what was left out.
    """

    motifs: tuple[Motif, ...]
    window: int
    notes: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """How many of the motifs the model uses."""
        used = sum(motif.is_used is True for motif in self.motifs)
        few = sum(motif.is_used is None for motif in self.motifs)
        if not self.motifs:
            return "No two spans are alike: there is no motif."
        if few == len(self.motifs):
            found = counted(few, "motif")
            return f"{found}, of too few series each to tell whether the model uses what is alike in them."
        unknown = f" Of {few} more too few series are known." if few else ""
        does = "removing these does more" if used else "removing any of them does no more, in most series,"
        return (
            f"The model uses {used} of {counted(len(self.motifs) - few, 'motif')}: {does} than removing random spans."
            f"{unknown} "
            "Important spans of like shape are not yet what a model decides by."
        )
