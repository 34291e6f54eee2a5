"""What a column is: what its name says, and what its first cells look like; which role each has been given."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby, pairwise
from typing import Literal

from timemil_core.data.files.tokens import NumberStyle, is_missing, is_number, is_stamp
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.units import SECONDS

CLOCK_TIME = re.compile(r"\d{1,4}:\d{2}")
BLOCK = 5  # rows at least in a stretch of one label, on average
FEWEST_TICKS = 5
CLOCKWORK, MOSTLY_RISING = 0.8, 0.95  # shares of a clock's steps that are near the median, and that go forwards
INDEX_NAMES = frozenset(
    """
    index idx row rows row_id row_number rownum no nr num number n count counter sample sample_id
    sample_no sample_number sample_index point obs observation record id packet lfd_nr line # № 序号
    """.split()  # noqa: SIM905
)
SPLIT_WORDS: dict[str, str] = {
    **dict.fromkeys(("train", "training", "tr", "val", "valid", "validation", "dev", "learn"), "train"),
    **dict.fromkeys(("test", "testing", "te", "eval", "evaluation", "holdout"), "test"),
}


@dataclass(frozen=True, eq=False)
class Column:
    """One column of the sample: position, name as in the table, whether the file named it, and its cells."""

    position: int
    name: str
    is_named: bool
    cells: Sequence[str]
    style: NumberStyle

    @cached_property
    def present(self) -> list[str]:
        """The cells that hold something."""
        return [cell for cell in self.cells if not is_missing(cell)]

    @cached_property
    def numbers(self) -> list[float] | None:
        """The cells as numbers, None where one that holds something is not a number, or none holds anything."""
        if not self.present or not all(self.style.is_number(cell) for cell in self.present):
            return None
        return [self.style.number(cell) for cell in self.present]

    @cached_property
    def is_text(self) -> bool:
        """Whether most of what the cells hold is not a number."""
        strange = sum(not self.style.is_number(cell) for cell in self.present)
        return strange > 0.5 * len(self.present)

    @cached_property
    def n_distinct(self) -> int:
        """How many different values there are."""
        return len(set(self.present if self.numbers is None else self.numbers))

    @property
    def repeats(self) -> bool:
        """Whether values come again."""
        return self.n_distinct < len(self.present)

    @cached_property
    def is_whole(self) -> bool:
        """Whether the column holds whole numbers only."""
        return self.numbers is not None and all(number.is_integer() for number in self.numbers)

    @cached_property
    def counts_rows(self) -> bool:
        """Whether the column merely numbers the rows: 0, 1, 2 … or 1, 2, 3 …"""
        numbers = self.numbers
        if not numbers or len(numbers) < 2 or len(numbers) < len(self.cells) or numbers[0] not in (0.0, 1.0):
            return False
        return all(b - a == 1 for a, b in pairwise(numbers))

    @cached_property
    def are_stamps(self) -> bool:
        """Whether all cells are dates or clock times."""
        return len(self.present) == len(self.cells) > 0 and all(is_stamp(cell.strip()) for cell in self.cells)

    @property
    def are_dates(self) -> bool:
        """Whether all cells are dates without a clock time."""
        return self.are_stamps and not any(":" in cell for cell in self.cells)

    @property
    def are_clock_times(self) -> bool:
        """Whether all cells are clock times without a date."""
        return self.are_stamps and all(CLOCK_TIME.match(cell.strip()) for cell in self.cells)

    @property
    def is_index(self) -> bool:
        """Whether the column numbers the rows, and is called so or not at all."""
        name = plain(self.name) or self.name.strip()
        return self.counts_rows and (not self.is_named or name in INDEX_NAMES or name.startswith("unnamed"))

    @cached_property
    def comes_in_blocks(self) -> bool:
        """Whether equal cells stand together in several stretches, as an activity does in a recording."""
        n_blocks = sum(1 for _ in groupby(self.cells))
        return n_blocks > 1 and len(self.cells) >= BLOCK * n_blocks and len(self.present) == len(self.cells)

    def ticks_within(self, groups: Sequence[Hashable]) -> bool:
        """Tell whether the numbers rise in nearly equal steps, as a clock does, within runs of equal groups."""
        if self.numbers is None or len(self.numbers) < len(self.cells):
            return False
        rows = list(zip(groups, self.numbers, strict=True))
        steps = sorted(b - a for (group, a), (other, b) in pairwise(rows) if group == other)
        if len(steps) < FEWEST_TICKS or steps[len(steps) // 2] <= 0:
            return False
        middle = steps[len(steps) // 2]
        n_near = sum(0.5 * middle <= step <= 1.5 * middle for step in steps)
        return n_near >= CLOCKWORK * len(steps) and sum(step > 0 for step in steps) >= MOSTLY_RISING * len(steps)

    @cached_property
    def is_split(self) -> bool:
        """Whether the column holds words such as train and test only."""
        return bool(self.present) and {cell.lower() for cell in self.present} <= set(SPLIT_WORDS)

    @property
    def few_values(self) -> bool:
        """Whether there are so few different values that they could be classes."""
        return 1 <= self.n_distinct <= max(2, min(len(self.present) // 2, 60))

    @property
    def could_be_label(self) -> bool:
        """Whether the values could be classes: few, and words or whole numbers."""
        return self.few_values and (self.is_text or self.is_whole)

    def is_constant_within(self, groups: Sequence[str]) -> bool:
        """Tell whether the column keeps one value in each group (cells of another column)."""
        seen: dict[str, str] = {}
        return all(seen.setdefault(group, cell) == cell for group, cell in zip(groups, self.cells, strict=True))

    def rises_within(self, groups: Sequence[str]) -> bool:
        """Tell whether the column's numbers rise from row to row within runs of equal groups."""
        if self.numbers is None or len(self.numbers) < len(self.cells):
            return False
        rows = zip(groups, self.numbers, strict=True)
        sections = [[number for _, number in run] for _, run in groupby(rows, key=lambda row: row[0])]
        return any(len(run) > 1 for run in sections) and all(a < b for run in sections for a, b in pairwise(run))


def profile(
    names: Sequence[str], is_named: Sequence[bool], rows: Sequence[Sequence[str]], style: NumberStyle
) -> list[Column]:
    """Return the columns of a sample; short rows are filled with empty cells."""
    columns = []
    for position, name in enumerate(names):
        cells = [row[position] if position < len(row) else "" for row in rows]
        columns.append(Column(position, name, is_named[position], cells, style))
    return columns


Role = Literal["id", "group", "time", "date", "channel", "label", "instance label", "split"]

NAMES: dict[Role, str] = {
    "id": """
        id series series_id seriesid sample sample_id sampleid case case_id caseid trial trial_id recording
        recording_id record record_id file filename file_name name uid uuid window window_id segment segment_id
        episode episode_id epoch sequence sequence_id ts_id unit unit_id unique_id key instance instance_id
        编号 序列 样本 様本 サンプル 시계열 probe номер образец muestra échantillon
    """,
    "group": """
        group group_id subject subject_id subjectid patient patient_id participant participant_id person person_id
        user user_id volunteer session session_id
        受试者 被试 患者 被験者 대상자 proband patientin пациент испытуемый sujet sujeto paciente
    """,
    "time": """
        t time timestamp timestamps time_stamp datetime date_time date seconds second secs sec s ms millis
        step timestep time_step time_index time_point timepoint frame tick
        epoch_s epoch_ms minutes hours reading_id 时间 時間 时间戳 時刻 日期 日時 시간 zeit zeitstempel datum
        время дата temps horodatage tiempo fecha tempo
    """,
    "channel": """
        channel channel_name channel_id dim dim_id dimension variable sensor signal kind feature metric lead
        electrode parameter measure axis
    """,
    "label": """
        label labels class classes class_label classlabel target y category activity outcome diagnosis
        ground_truth species gesture condition 类别 类 标签 分类 類別 標籤 ラベル クラス 라벨 클래스
        klasse etikett класс метка classe étiquette clase etiqueta
    """,
    "instance label": """
        instance_label instance_labels instancelabel point_label time_point_label annotation instance_class
    """,
    "split": "split part partition subset set train_test fold",
}
_BY_NAME: dict[str, Role] = {name: role for role, names in NAMES.items() for name in names.split()}
LONGEST = 200  # characters of a name that is looked at: a longer one tells nothing
VALUE_NAMES = ("value", "values", "val", "reading", "measurement", "series_value", "y")

SECONDS_PER_UNIT: dict[str, float] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒"), 1.0),
    **dict.fromkeys(("ms", "millis", "millisecond", "milliseconds", "msec", "毫秒"), 1e-3),
    **dict.fromkeys(("us", "μs", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanoseconds"), 1e-9),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}


def plain(name: str) -> str:
    """Return a name in lower case with anything between words as one underscore: ``Time [s]`` is ``time_s``."""
    return re.sub(r"[\W_]+", "_", unicodedata.normalize("NFKC", name[:LONGEST]).casefold()).strip("_")


def role_of_name(name: str) -> Role | None:
    """Return the role that a column's name stands for, None where it stands for none; a unit behind it is no matter."""
    words = plain(name)
    head, _, unit = words.rpartition("_")
    return _BY_NAME.get(words) or ("time" if unit in SECONDS_PER_UNIT and _BY_NAME.get(head) == "time" else None)


def seconds_per_unit(name: str) -> float | None:
    """Return how long the unit is that a time column's name tells, in seconds: the last word of ``time_ms``."""
    return SECONDS_PER_UNIT.get(plain(name).rpartition("_")[2])


TIME_FIRST = re.compile(r"t(?P<number>\d{1,9})[\s_.\-]+(?P<stem>.*[^\d].*)")
LAST = re.compile(r"(?P<stem>.*?)[\s_.\-]*\[?\(?(?P<number>\d{1,9})\)?\]?")
FIRST = re.compile(r"(?P<number>\d{1,9})[\s_.\-]+(?P<stem>.*[^\d].*)")
TIME_STEMS = ("", "t", "time", "step", "timestep", "time_step", "point", "obs", "v", "val", "value")


def number_of(name: str) -> tuple[str, int] | None:
    """Return a name's stem and the number it counts by; None where it has none."""
    if len(name) > LONGEST or (is_number(name) and not name.strip().isdigit()):
        return None  # 0.1, 0.2 … are times, not channels that count
    for pattern in (TIME_FIRST, LAST, FIRST):
        if match := pattern.fullmatch(name.strip()):
            return match["stem"].strip(" _.-"), int(match["number"])
    return None


def channel_groups(columns: Sequence[str]) -> dict[str, tuple[str, ...]] | None:
    """Group value columns into channels, each in time order.

    Returns
    -------
    dict
        A channel's stem to its columns, sorted by number. None where a column does not count, a channel counts a
        number twice, or the channels count different numbers.
    """
    groups: dict[str, dict[int, str]] = {}
    for column in columns:
        counted = number_of(column)
        if counted is None or counted[1] in groups.setdefault(counted[0], {}):
            return None
        groups[counted[0]][counted[1]] = column
    if len({frozenset(group) for group in groups.values()}) != 1:
        return None
    return {stem: tuple(group[number] for number in sorted(group)) for stem, group in groups.items()}


def channel_name(stem: str, n_channels: int) -> str:
    """Return what a wide table's channel is called: its stem, unless that merely says 'time' or 'value'."""
    return "value" if n_channels == 1 and stem.lower() in TIME_STEMS else (stem or "value")


UNIT_NAMES = {seconds: name for name, seconds in SECONDS.items()}
EPOCH_UNITS = ("seconds", "milliseconds", "microseconds", "nanoseconds")
EPOCHS = (946_684_800.0, 2_208_988_800.0)  # the years 2000 and 2040, in seconds since 1970
SERIALS = (25_569.0, 60_000.0)  # spreadsheets' days of 1970 and 2064
DATE_WORDS = ("date", "datetime", "timestamp", "stamp", "day")


def guess_unit(column: Column, told: str = "") -> tuple[str | None, str]:
    """Return the unit, None where neither a row of units nor anything else tells it, and the reason as a sentence."""
    by_name = seconds_per_unit(told or column.name) if column.is_named else None
    if by_name is not None:
        return UNIT_NAMES[by_name], ""
    numbers = column.numbers or []
    if not numbers:
        return None, ""
    for unit in EPOCH_UNITS:
        seconds = [number * SECONDS[unit] for number in (min(numbers), max(numbers))]
        if EPOCHS[0] <= seconds[0] <= seconds[1] <= EPOCHS[1]:
            began = datetime.fromtimestamp(seconds[0], UTC)
            return unit, (
                f"The numbers of {column.name!r} look like {unit} since 1970: the first is of {began:%Y-%m-%d %H:%M}."
            )
    steps = sorted(b - a for a, b in pairwise(numbers))
    if steps and column.is_whole and max(numbers) >= 1e11 and 1e6 <= steps[len(steps) // 2] <= 1e9:
        return "nanoseconds", f"The numbers of {column.name!r} look like nanoseconds, by how far they are apart."
    is_date = any(word in plain(column.name).split("_") for word in DATE_WORDS)
    if is_date and SERIALS[0] <= min(numbers) <= max(numbers) <= SERIALS[1]:
        return "days", f"The numbers of {column.name!r} look like a spreadsheet's days since 1900."
    return None, ""


CHOICES: dict[Role, str] = {
    "id": "id_column",
    "group": "group_column",
    "time": "time_column",
    "date": "date_column",
    "channel": "channel_column",
    "label": "label_column",
    "instance label": "instance_label_column",
    "split": "split_column",
}


@dataclass
class Guess:
    """Which column is what so far; each column has a line that says so."""

    left: list[Column]
    roles: dict[Role, Column] = field(default_factory=dict)
    lines: dict[int, ReportLine] = field(default_factory=dict)
    warnings: list[ReportLine] = field(default_factory=list)

    def take(self, role: Role, column: Column, reason: str) -> None:
        """Give a column a role, once."""
        self.roles[role] = column
        self.left.remove(column)
        self.explain(column, role, reason)

    def give_back(self, role: Role) -> None:
        """Take a role away again."""
        column = self.roles.pop(role)
        self.left.insert(0, column)

    def explain(self, column: Column, role: Role, reason: str) -> None:
        """Say why a column has its role."""
        self.say(column, f"{column.name!r} is taken for the {role}: {reason}.", CHOICES[role])

    def say(self, column: Column, sentence: str, choice: str) -> None:
        """Say what a column is."""
        self.lines[column.position] = note(sentence, choice=choice)

    def drop(self, column: Column, line: ReportLine) -> None:
        """Leave a column out of the values, saying why."""
        self.left.remove(column)
        self.lines[column.position] = line

    def warn(self, sentence: str, remedy: str, choice: str) -> None:
        """Say something loudly."""
        self.warnings.append(warning(sentence, remedy=remedy, choice=choice))

    def name_of(self, role: Role) -> str | None:
        """Return the name of the column that has a role."""
        column = self.roles.get(role)
        return None if column is None else column.name

    def told(self) -> list[ReportLine]:
        """Return the lines in the table's order, then the warnings."""
        return [*(self.lines[position] for position in sorted(self.lines)), *self.warnings]
