"""What is known of public sets beyond their files: sizes, domain, sampling rate, channel names.

The facts lie in ``facts/sets.csv``. A sampling rate, a channel's or a class's name stands there only where the
archive's own description states it; ``sizes_from`` tells who counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from timemil_core.data.facts import table
from timemil_core.data.wording import length_range

ArchiveName = Literal["UEA", "UCR", "MILLET"]
SizesFrom = Literal["counted", "UEA", "UCR", "paper"]
SIZES_FROM: dict[SizesFrom, str] = {
    "counted": "Sizes counted in the archive's files.",
    "UEA": "Sizes as the UEA archive's summary states them.",
    "UCR": "Sizes as the UCR archive's summary states them.",
    "paper": "Sizes as the TimeMIL paper's table states them; the archive's files were not at hand to count.",
}


@dataclass(frozen=True)
class KnownSet:
    """Facts of one public set.

    Attributes
    ----------
    shortest, longest
        Lengths in time points; None where not known.
    sampling_rate
        In Hz.
    class_names
        What the archive's labels mean, by label; empty where they speak for themselves or are not described.
    sizes_from
        Who counted; in words in ``SIZES_FROM``.
    """

    name: str
    archive: ArchiveName
    n_train: int
    n_test: int
    n_channels: int
    shortest: int | None
    longest: int | None
    n_classes: int
    domain: str
    summary: str
    sampling_rate: float | None
    channel_names: tuple[str, ...]
    class_names: dict[str, str]
    sizes_from: SizesFrom

    @property
    def length(self) -> str:
        """The lengths in words: ``100``, ``7 to 29``, ``up to 93``, ``varies``."""
        return length_range(self.shortest, self.longest)


def _known_set(row: dict[str, str]) -> KnownSet:
    return KnownSet(
        name=row["name"],
        archive=cast(ArchiveName, row["archive"]),
        n_train=int(row["n_train"]),
        n_test=int(row["n_test"]),
        n_channels=int(row["n_channels"]),
        shortest=int(row["shortest"]) if row["shortest"] else None,
        longest=int(row["longest"]) if row["longest"] else None,
        n_classes=int(row["n_classes"]),
        domain=row["domain"],
        summary=row["summary"],
        sampling_rate=float(row["sampling_rate"]) if row["sampling_rate"] else None,
        channel_names=tuple(name for name in row["channel_names"].split(";") if name),
        class_names=dict(pair.split("=") for pair in row["class_names"].split(";") if pair),
        sizes_from=cast(SizesFrom, row["sizes_from"]),
    )


KNOWN: dict[str, KnownSet] = {row["name"]: _known_set(row) for row in table("sets")}


def named_labels(name: str, labels: Sequence[str | None]) -> list[str | None]:
    """Return labels of a public set as its archive calls them: as they are where not every one is described."""
    described = KNOWN[name].class_names if name in KNOWN else {}
    if not {label for label in labels if label is not None} <= described.keys():
        return list(labels)
    return [label if label is None else described[label] for label in labels]


def named_classes(name: str, class_names: Sequence[str]) -> tuple[str, ...]:
    """Return classes as ``named_labels`` does labels; there is none without a name."""
    return tuple(label for label in named_labels(name, class_names) if label is not None)
