"""How files were understood: loud doubts, a line for each guess, and a widget to change it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import streamlit as st

from app.common.parts import plain
from app.data import choices
from timemil_core.data.files.choices import Choice, Value
from timemil_core.data.files.contract import Inspection
from timemil_core.data.report_line import Kind, ReportLine

# what is seldom wrong is behind a click; all else is on the page
SECTIONS: dict[str, tuple[str, ...]] = {
    "How the file is written": ("encoding", "separator", "decimal", "thousands", "has_header", "dates"),
    "What becomes of rows and files that do not fit": ("same_time", "changing_label", "unreadable", "bad_files"),
}
MAIN = "What is what"
MOST_OPTIONS = 60  # of a choice of several: beyond, a list of them helps nobody
FEW_ROWS = 5
MOST_COLOURED = 120  # columns: each cell's colour is sent
LEFT_OUT = "left out"
FADED = "rgba(128, 128, 128, 0.25)"
# Okabe and Ito's palette, pale enough for text of either theme
COLOURS = {
    "value": "rgba(0, 114, 178, 0.14)",
    "id": "rgba(230, 159, 0, 0.24)",
    "time": "rgba(0, 158, 115, 0.22)",
    "label": "rgba(204, 121, 167, 0.34)",
    "instance label": "rgba(204, 121, 167, 0.2)",
    "channel": "rgba(86, 180, 233, 0.34)",
    "part": "rgba(240, 228, 66, 0.3)",
    "group": "rgba(213, 94, 0, 0.22)",
}
ICONS: dict[Kind, str] = {"repair": ":material/build:", "warning": ":material/warning:"}


def chosen(key: str) -> dict[str, Value]:
    """Return what was chosen: first what reshapes the rest, then the rest under that shape."""
    return {**choices.given(key), **choices.given(shape_key(key))}


def shape_key(key: str) -> str:
    """Return the key of choices that follow from others: a new one for each shape, so that none is out of date."""
    shape = hashlib.sha256(repr(sorted(choices.given(key).items(), key=str)).encode()).hexdigest()[:8]
    return f"{key}_shape_{shape}"


def understanding(inspection: Inspection, key: str, *, is_refused: bool = False) -> None:
    """Draw lines and choices, and the first rows where there are rows; every choice is open where it was refused."""
    _first_rows(inspection)
    found_lines(inspection.lines)
    to_correct(inspection.choices, key, is_refused=is_refused)


def to_correct(made: Sequence[Choice], key: str, *, is_refused: bool) -> None:
    """Draw the choices, where there are any; every one is open where the files were refused."""
    if not made:
        return
    with st.container(border=True):
        st.markdown("**Correct what is wrong** — everything beneath follows at once")
        for title, members in _grouped(made).items():
            if title == MAIN:
                _grid(members, key)
            else:
                with st.expander(title, icon=":material/tune:", expanded=is_refused or _is_changed(members, key)):
                    _grid(members, key)
        if chosen(key):
            st.button("Back to the first guess", icon=":material/undo:", on_click=choices.forget, args=(key,))


def _first_rows(inspection: Inspection) -> None:
    """Draw a few rows, each column in the colour of what it was taken for, which its heading says, too."""
    if inspection.head is None:
        return
    roles = inspection.roles()
    titles = {name: st.column_config.Column(f"{name} · {role or LEFT_OUT}") for name, role in roles.items()}
    rows = inspection.head.head(FEW_ROWS)
    colours = [COLOURS.get(role, COLOURS["value"]) if role else FADED for role in roles.values()]
    if len(colours) <= MOST_COLOURED:
        rows = rows.style.apply(lambda row: [f"background-color: {colour}" for colour in colours], axis=1)
    st.dataframe(rows, hide_index=True, column_config=titles, alt="The first rows, and what each column was taken for.")


def found_lines(lines: Iterable[ReportLine]) -> None:
    """Draw the lines of a report, warnings loudly, and before all else."""
    told = list(lines)
    for line in told:
        if line.kind == "warning":
            st.warning(_text(line), icon=ICONS["warning"])
    quiet = [line for line in told if line.kind != "warning"]
    if quiet:
        st.markdown("\n".join(f"- {ICONS.get(line.kind, '')} {_text(line)}" for line in quiet))


def _text(line: ReportLine) -> str:
    place = f"**{plain(line.where)}** — " if line.where else ""
    advice = f" *{plain(line.remedy)}*" if line.remedy else ""
    return f"{place}{plain(line.text)}{advice}"


def _grouped(made: Sequence[Choice]) -> dict[str, list[Choice]]:
    section = {name: title for title, names in SECTIONS.items() for name in names}
    groups: dict[str, list[Choice]] = {MAIN: []}
    for choice in made:
        groups.setdefault(section.get(choice.name, MAIN), []).append(choice)
    order = [MAIN, *SECTIONS]
    return {title: groups[title] for title in order if groups.get(title)}


def _grid(members: Sequence[Choice], key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for choice in members:
            _draw(choice, key)


def _is_changed(members: Sequence[Choice], key: str) -> bool:
    return any(choice.name in chosen(key) for choice in members)


def _draw(choice: Choice, key: str) -> None:
    if choice.kind == "some" and len(choice.options) > MOST_OPTIONS and isinstance(choice.value, tuple):
        first, last = choice.value[:1], choice.value[-1:]
        ends = f", {plain(first[0])} to {plain(last[0])}" if choice.value else ""
        st.caption(f"{choice.title}: {len(choice.value):,} of {len(choice.options):,}{ends}.", width=choices.TWO_FIELDS)
        return
    choices.draw_beside(choice, key if choice.reshapes else shape_key(key))
