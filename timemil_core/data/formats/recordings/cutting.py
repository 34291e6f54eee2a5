"""How recordings become series: by what is annotated in them, or in windows; chosen alike for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.finishing import Cut, CutKind
from timemil_core.data.files.parts import Span
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.wording import counted

CUTS = {
    "spans": "into the stretches that are annotated",
    "windows": "into windows of equal length",
    "whole": "not at all",
}
WINDOW = 10.0  # seconds
SHOWN = 8
LONGEST_NAME = 40


@dataclass(frozen=True)
class Annotation:
    """What is written at a time of a recording: begin and duration in seconds (None: a moment), and the text."""

    begin: float
    duration: float | None
    text: str


def choose_cut(
    choose: Choosing, annotations: Sequence[Annotation], duration: float
) -> tuple[Cut, float | None, list[ReportLine]]:
    """Return how to cut, how many seconds an annotated moment lasts (None where none counts), and what to tell."""
    counts = Counter(one.text for one in annotations)
    lasting = any(one.duration for one in annotations)
    guess: CutKind = "spans" if annotations else "windows"
    options = CUTS if annotations else {key: title for key, title in CUTS.items() if key != "spans"}
    kind = choose.one("cut", "Cut the recording", options, guess, reshapes=True)
    chosen: tuple[str, ...] = tuple(counts)
    if annotations and kind != "whole":
        titles = {text: f"{text[:LONGEST_NAME]} ({count:,})" for text, count in counts.most_common()}
        chosen = choose.some("annotations", "Annotations that are classes", titles, tuple(titles))
    moment = None
    if annotations and kind != "whole" and not all(one.duration for one in annotations):
        moment = choose.number(
            "moment",
            "An annotated moment lasts (s)",
            None if lasting else _usual_gap(annotations),
            help="From the moment on. Empty: moments without a duration are left out.",
        )
    length = step = None
    if kind == "windows":
        length = choose.number("window", "Window (s)", min(WINDOW, max(duration, 0.0)) or None)
        step = choose.number("window_step", "A window begins every (s)", None, help="Empty: without overlap.")
    cut = Cut(_kind(kind), length, step, in_seconds=True, annotations=frozenset(chosen))
    lines = _told(counts, kind)
    momentary = sum(not one.duration for one in annotations)
    if momentary and moment is None and kind != "whole":
        lines.append(
            repair(
                f"{counted(momentary, 'annotated moment')} without a duration left out.",
                remedy="Say how long one lasts, if it is to be a series.",
                choice="moment",
            )
        )
    return cut, moment, lines


def _kind(kind: str) -> CutKind:
    return "spans" if kind == "spans" else "windows" if kind == "windows" else "whole"


def _usual_gap(annotations: Sequence[Annotation]) -> float:
    """Return the shortest of the usual times between annotated moments, at most a window."""
    begins = sorted(one.begin for one in annotations)
    gaps = sorted(later - earlier for earlier, later in pairwise(begins) if later > earlier)
    return float(f"{min(WINDOW, gaps[len(gaps) // 10]):.3g}") if gaps else WINDOW


def _told(counts: Counter[str], kind: str) -> list[ReportLine]:
    if not counts:
        return [
            warning(
                "Nothing is annotated: the windows have no class.",
                remedy="Take the class from names of files or folders, or from a table among the files.",
                choice="cut",
            )
        ]
    shown = ", ".join(f"{text[:LONGEST_NAME]!r} ({count:,})" for text, count in counts.most_common(SHOWN))
    more = f" and {len(counts) - SHOWN:,} more" if len(counts) > SHOWN else ""
    what = "The recording stays whole" if kind == "whole" else f"It is cut {CUTS[kind]}"
    texts = counted(sum(counts.values()), "annotation")
    return [note(f"It holds {texts}: {shown}{more}. {what}.", choice="cut")]


def spans_of(annotations: Sequence[Annotation], moment: float | None, rate: float, n_timepoints: int) -> list[Span]:
    """Return annotations in time points, those outside the recording left out."""
    spans = []
    for one in annotations:
        duration = one.duration or moment
        if duration is None:
            continue
        start, stop = round(one.begin * rate), round((one.begin + duration) * rate)
        start, stop = max(start, 0), min(max(stop, start + 1), n_timepoints)
        if start < stop:
            spans.append(Span(start, stop, one.text))
    return spans
