"""How a table is written (``Written``), what its columns are (``TableLayout``), and what the user chose of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.source import Source
from timemil_core.data.files.tokens import DOUBTFUL_LABELS, NumberStyle
from timemil_core.data.formats.tables.clock import guess_unit
from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.report_line import ReportLine, note
from timemil_core.data.units import SECONDS
from timemil_core.errors import DataError

Kind = Literal["long", "wide", "melted"]
SameTime = Literal["refuse", "mean", "first", "last"]
ChangingLabel = Literal["refuse", "cut", "windows", "most"]
Unreadable = Literal["refuse", "missing"]
Restarts = Literal["new", "sort"]
DoubtfulLabels = Literal["class", "missing"]
DateOrder = Literal["ask", "day first", "month first"]


@dataclass(frozen=True)
class Written:
    """How a text table is written.

    Attributes
    ----------
    source
        The file.
    encoding, separator, style
        The separator ``" "`` stands for any run of blanks; the style is that of its numbers.
    has_header
        Whether the first row names the columns.
    n_preamble, n_beneath
        Rows before the header (comments) and between it and the data (units) that are passed over.
    n_lines
        Of the file.
    columns
        Every column's name; unnamed ones are ``column 1`` …
    line_end
        What ends each row behind its last cell.
    units
        What a row beneath the names tells of each column.
    sampling_rate
        In Hz, where the rows before the table tell it.
    """

    source: Source
    encoding: str
    separator: str
    style: NumberStyle
    has_header: bool
    n_preamble: int
    n_lines: int
    columns: tuple[str, ...]
    n_beneath: int = 0
    line_end: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    sampling_rate: float | None = None

    @property
    def first_row(self) -> int:
        """The spreadsheet's number of the first row of data."""
        return self.n_preamble + self.has_header + self.n_beneath + 1


@dataclass(frozen=True)
class TableLayout:
    """Which column is what: everything that the user can correct.

    Attributes
    ----------
    kind
        ``"long"``: a row a time point, a column a channel. ``"wide"``: a row a series, a column a time point.
        ``"melted"``: a row a value, a column that names the channel.
    id_column
        Which series a row belongs to. None: in a wide table rows are numbered, else the whole file is one series.
    time_column
        By which the rows of a series are sorted. None: in the order of the file.
    label_column
        The class; None where it is not known.
    channel_columns
        Long: one a channel. Wide: the values in time order, channel after channel where there are several. Melted:
        the column of values, alone.
    channel_column
        Melted: the column that names the channel.
    instance_label_column
        0/1, or a class name, at each time point.
    split_column
        ``train`` or ``test``.
    group_column
        The subject or recording that a series comes from.
    ids_within_groups
        Whether an id names a series only together with its group: trial 1 of each subject.
    sampling_rate
        In Hz; None: from the time column where it can tell.
    time_unit
        Of a time column of numbers, in seconds; None where it is not known.
    dates
        Whether 01/02/2024 is in January or February.
    same_time, changing_label, unreadable
        What becomes of two rows of one series and time, of a label that changes within a series, and of cells that
        are no numbers.
    doubtful_labels
        Whether words such as NA and None in the label column are classes or missing labels.
    date_column
        The day of each time, where the time column holds the clock alone.
    restarts
        Whether a series begins anew where its time does, or its rows are sorted.
    """

    kind: Kind
    id_column: str | None
    time_column: str | None
    label_column: str | None
    channel_columns: tuple[str, ...]
    channel_column: str | None = None
    instance_label_column: str | None = None
    split_column: str | None = None
    group_column: str | None = None
    ids_within_groups: bool = False
    sampling_rate: float | None = None
    time_unit: float | None = None
    dates: DateOrder = "ask"
    same_time: SameTime = "refuse"
    changing_label: ChangingLabel = "refuse"
    unreadable: Unreadable = "refuse"
    doubtful_labels: DoubtfulLabels = "class"
    date_column: str | None = None
    restarts: Restarts = "new"

    def roles(self) -> dict[str, str]:
        """Return the column of each role that is given, values left out."""
        given = {
            "id": self.id_column,
            "time": self.time_column,
            "date": self.date_column,
            "channel": self.channel_column,
            "label": self.label_column,
            "instance label": self.instance_label_column,
            "split": self.split_column,
            "group": self.group_column,
        }
        return {role: column for role, column in given.items() if column is not None}

    def check(self, columns: tuple[str, ...], filename: str) -> None:
        """Refuse a layout that the table cannot have.

        Raises
        ------
        DataError
            Where a column is absent, has two roles, is a channel and something else, or there is no channel.
        """
        roles = self.roles()
        used = [*roles.values(), *self.channel_columns]
        known, times = set(columns), Counter(used)
        if absent := [name for name in used if name not in known]:
            raise DataError(f"There is no column {absent[0]!r}.", where=filename, remedy="Choose one that there is.")
        if not self.channel_columns:
            raise DataError(
                "No column holds the series' values.", where=filename, remedy="Choose at least one column of numbers."
            )
        if twice := [name for name, count in times.items() if count > 1]:
            taken = [role for role, column in roles.items() if column == twice[0]]
            raise DataError(
                f"Column {twice[0]!r} is used twice ({', '.join([*taken, 'channel'][:2])}).",
                where=filename,
                remedy="A model would learn the answer from it: give each column one role.",
            )
        if self.kind == "melted" and (self.channel_column is None or len(self.channel_columns) != 1):
            raise DataError(
                "A table of a row a value has one column that names the channel and one that holds the values.",
                where=filename,
                remedy="Choose both, or another layout.",
            )


KINDS = {
    "long": "long: a row a time point",
    "wide": "wide: a row a series",
    "melted": "melted: a row a value, with its channel",
}
SAME_TIME = {
    "refuse": "refuse the file",
    "mean": "take their mean",
    "first": "keep the first",
    "last": "keep the last",
}
CHANGING = {
    "refuse": "refuse the file",
    "cut": "cut the series where it changes",
    "windows": "cut the series into windows",
    "most": "take the most frequent label",
}
TRUTH_HELP = "0/1 or a class name at each time point: the truth of the pictures."
GROUP_HELP = "Series of one subject or recording stay on one side of a split."
DOUBTFUL = {"class": "are classes", "missing": "stand for no label"}
RESTARTS = {"new": "a new series begins", "sort": "rows are sorted by time"}
UNREADABLE = {"refuse": "refuse the file", "missing": "read as missing values"}
DATES = {"ask": "as the dates tell", "day first": "day first: 31/01", "month first": "month first: 01/31"}


def chosen_layout(
    guess: TableLayout, columns: Sequence[Column], written: Written, choose: Choosing
) -> tuple[TableLayout, list[ReportLine]]:
    """Return the layout and what to tell of the choices that were guessed from the cells."""
    names = list(written.columns)
    layout = _columns(guess, names, choose)
    layout = _policies(layout, choose) if layout.kind != "wide" else layout
    layout = replace(
        layout,
        unreadable=cast(Unreadable, choose.one("unreadable", "Cells that are no numbers", UNREADABLE, "refuse")),
        sampling_rate=choose.number(
            "sampling_rate", "Sampling rate (Hz)", written.sampling_rate, help="Empty: as the time column tells."
        ),
    )
    if layout.label_column is not None and (
        choose.is_given("doubtful_labels")
        or any(cell in DOUBTFUL_LABELS for cell in columns[names.index(layout.label_column)].cells)
    ):
        doubtful = choose.one("doubtful_labels", "Labels such as NA and None", DOUBTFUL, "class")
        layout = replace(layout, doubtful_labels=cast(DoubtfulLabels, doubtful))
    if layout.time_column is None or layout.kind == "wide":
        return layout, []
    return _time(layout, columns[names.index(layout.time_column)], written, choose)


def chosen_kind(choose: Choosing, guess: Kind) -> Kind:
    """Return the layout's kind."""
    return cast(Kind, choose.one("layout", "Layout", KINDS, guess, reshapes=True))


def _columns(guess: TableLayout, names: list[str], choose: Choosing) -> TableLayout:
    def asked(name: str, title: str, told: str = "") -> str | None:
        return choose.one_or_none(name, title, names, getattr(guess, name), help=told)

    id_column, time_column = asked("id_column", "Series id"), asked("time_column", "Time")
    has_date = time_column is not None and (guess.date_column or choose.is_given("date_column"))
    layout = replace(
        guess,
        id_column=id_column,
        time_column=time_column,
        date_column=asked("date_column", "Date, beside the time") if has_date else None,
        label_column=asked("label_column", "Class label"),
        channel_column=asked("channel_column", "Channel name") if guess.kind == "melted" else guess.channel_column,
        instance_label_column=asked("instance_label_column", "Instance label", TRUTH_HELP)
        if guess.kind != "wide"
        else guess.instance_label_column,
        split_column=asked("split_column", "Train / test"),
        group_column=asked("group_column", "Subject or recording", GROUP_HELP),
    )
    taken = set(layout.roles().values())
    titles = {"long": "Channels", "wide": "Value columns, in time order", "melted": "Value"}
    channels = choose.some(
        "channel_columns",
        titles[guess.kind],
        names,
        [name for name in guess.channel_columns if name not in taken],
    )
    layout = replace(layout, channel_columns=channels)
    if layout.group_column is None or id_column is None:
        return replace(layout, ids_within_groups=False)
    within = choose.flag("ids_within_groups", "Ids start anew in each group", guess.ids_within_groups)
    return replace(layout, ids_within_groups=within)


def _policies(layout: TableLayout, choose: Choosing) -> TableLayout:
    if layout.time_column is not None and layout.kind == "long":
        same_time = choose.one("same_time", "Rows of one series with the same time", SAME_TIME, "refuse")
        restarts = choose.one("restarts", "Where time begins anew", RESTARTS, "new")
        layout = replace(layout, same_time=cast(SameTime, same_time), restarts=cast(Restarts, restarts))
    if layout.label_column is not None:
        changing = choose.one("changing_label", "A label that changes within a series", CHANGING, layout.changing_label)
        layout = replace(layout, changing_label=cast(ChangingLabel, changing))
    return layout


def _time(
    layout: TableLayout, time: Column, written: Written, choose: Choosing
) -> tuple[TableLayout, list[ReportLine]]:
    if time.numbers is None:
        dates = choose.one("dates", "Dates such as 01/02/2024", DATES, "ask")
        return replace(layout, dates=cast(DateOrder, dates)), []
    guess, reason = guess_unit(time, written.units.get(time.name, ""))
    unit = choose.one_or_none("time_unit", "Time unit", list(SECONDS), guess, help="Empty: not known.")
    told = [note(reason, choice="time_unit")] if reason and unit == guess else []
    return replace(layout, time_unit=None if unit is None else SECONDS[unit]), told
