"""One line of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from timemil_core.data.known_sets import KNOWN, KnownSet
from timemil_core.data.wording import length_range

Kind = Literal["synthetic", "bundled", "uploaded", "local", "archive", "elsewhere"]


@dataclass(frozen=True)
class Entry:
    """One set of the catalogue; a fact that is not known without reading the set is None or empty.

    Attributes
    ----------
    reference
        By which a URL, a run or a command names it.
    kind
        Where it comes from: ``archive`` can be downloaded, ``elsewhere`` must be brought by hand.
    shortest, longest
        Lengths in time points.
    available
        Whether it is on this machine.
    """

    reference: str
    title: str
    kind: Kind
    summary: str
    n_train: int | None
    n_test: int | None
    n_channels: int | None
    shortest: int | None
    longest: int | None
    n_classes: int | None
    available: bool
    domain: str = ""

    @property
    def known(self) -> KnownSet | None:
        """What is known of the set where it is a public one."""
        return None if self.kind == "uploaded" else KNOWN.get(self.reference)

    @property
    def length(self) -> str:
        """The lengths in words, empty where they are not known."""
        if self.longest is None and self.known is None:
            return ""
        return length_range(self.shortest, self.longest)

    @property
    def n_values(self) -> int | None:
        """How many numbers the set holds at most; None where its sizes are not known."""
        sizes = (self.n_train, self.n_test, self.n_channels, self.longest)
        if any(size is None for size in sizes):
            return None
        n_train, n_test, n_channels, longest = (size or 0 for size in sizes)
        return (n_train + n_test) * n_channels * longest


def known_entry(name: str, kind: Kind, *, available: bool) -> Entry:
    """Return the entry of a public set."""
    known = KNOWN[name]
    return Entry(
        reference=name,
        title=name,
        kind=kind,
        summary=known.summary,
        n_train=known.n_train,
        n_test=known.n_test,
        n_channels=known.n_channels,
        shortest=known.shortest,
        longest=known.longest,
        n_classes=known.n_classes,
        available=available,
        domain=known.domain,
    )
