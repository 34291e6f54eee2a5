"""The contract of every reader: look at files, say what they seem to be and what can be changed, read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pandas as pd

from timemil_core.data.files.choices import Choice, Choosing
from timemil_core.data.files.finishing import Cut
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source
from timemil_core.data.report_line import ReportLine
from timemil_core.data.series_set import SeriesSet

Progress = Callable[[float, str], None]  # a share from 0 to 1, and what is being done


ROLES = {  # of a column, by the choice that gives it
    "channel_columns": "value",
    "id_column": "id",
    "time_column": "time",
    "label_column": "label",
    "channel_column": "channel",
    "instance_label_column": "instance label",
    "split_column": "part",
    "group_column": "group",
}


def unheard(share: float, doing: str) -> None:
    """Tell nobody how far the reading is."""


@dataclass(eq=False)
class Understood:
    """What a reader makes of its files before it reads them.

    Attributes
    ----------
    title
        What they are, in words: ``"a long table, a row a time point"``.
    load
        Reads them as understood, and tells how far it is.
    lines
        What was taken for what, and why.
    head
        The first rows, where they are rows.
    cut
        How recordings become series.
    has_labels
        Whether the files themselves tell the class of each series.
    is_row_doubtful
        Whether a row was taken for a series, and neither names of columns nor a class of its own say so.
    alike
        Returns what reads another file in the same way, without looking at it anew, where its beginning is the same;
        a cell that does not fit is a ``DataError`` of its reading.
    together
        Reads several small files in the same way at once; None where they must be read one by one, which tells why.
    """

    title: str
    load: Callable[[Progress], Parts]
    lines: list[ReportLine] = field(default_factory=list)
    head: pd.DataFrame | None = None
    cut: Cut = field(default_factory=Cut)
    has_labels: bool = True
    is_row_doubtful: bool = False
    alike: Callable[[Source], Callable[[Progress], Parts] | None] | None = None
    together: Callable[[Sequence[Source]], list[Parts] | None] | None = None


def each_alone(own: Sequence[Source], _others: Sequence[Source]) -> list[list[Source]]:
    """Return a bundle for each file."""
    return [[source] for source in own]


@dataclass(frozen=True)
class Reader:
    """A format.

    Attributes
    ----------
    name
        Of the format, as a noun with its article: ``"an EDF recording"``.
    recognises
        Tells by a file's first bytes, and where these cannot tell by its name, whether it is of this format.
    understand
        Looks at one file of it, or at the files that make up one (a record of several files).
    bundles
        Puts the files of this format together with those, among the others, that belong to them and are no data of
        their own; by default each file stands alone.
    """

    name: str
    recognises: Callable[[Source, bytes], bool]
    understand: Callable[[Sequence[Source], Choosing], Understood]
    bundles: Callable[[Sequence[Source], Sequence[Source]], list[list[Source]]] = each_alone


@dataclass(frozen=True, eq=False)
class Inspection:
    """What files seem to hold; ``read_files`` reads them so.

    Attributes
    ----------
    name
        What the set will be called.
    title
        What the files are, in words.
    lines
        What was taken for what, and why.
    choices
        Every guess that can be changed, those that others follow from first.
    head
        The first rows of the (first) file, where it has rows.
    load
        Reads.
    """

    name: str
    title: str
    lines: tuple[ReportLine, ...]
    choices: tuple[Choice, ...]
    head: pd.DataFrame | None
    load: Callable[[Progress], Reading] = field(repr=False)

    def roles(self) -> dict[str, str]:
        """Return what each column of the first rows was taken for: a word to colour it by, "" where it is left out."""
        found = dict.fromkeys([] if self.head is None else map(str, self.head.columns), "")
        for choice in self.choices:
            if (role := ROLES.get(choice.name)) is not None:
                columns = choice.value if isinstance(choice.value, tuple) else (choice.value,)
                found |= {str(column): role for column in columns if column in found}
        return found


@dataclass(frozen=True, eq=False)
class Reading:
    """A set that was read, and what was found and done on the way beyond what the inspection told."""

    series_set: SeriesSet
    lines: tuple[ReportLine, ...]
