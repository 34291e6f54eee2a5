"""The reading report of a set: loud warnings first, choices on the spot, the set so prepared to keep or download."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from app import ask
from app.common import loading, state
from app.common.parts import guarded, plain, split
from app.common.state import Selection
from app.data import choices
from timemil_core.data import checks, store
from timemil_core.data.export import file_stem, lost_in_ts, write_long_table, write_npz, write_ts
from timemil_core.data.files.choices import Choice, Choosing, Value
from timemil_core.data.report_line import ReportLine
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.data.shaping import follow
from timemil_core.data.wording import counted
from timemil_core.errors import DataError, TimeMILError
from timemil_core.explain.progress import Progress
from timemil_core.models.shelf import locate
from timemil_core.models.storage import read_description

# a row in brackets; choices that belong together stand side by side
SECTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Time": (("time_unit",), ("step", "step_unit"), ("rate",), ("window", "window_step"), ("lengths",)),
    "Values": (("channels",), ("sentinels",), ("trim_ends",), ("copies",)),
    "Training and test": (("groups",), ("split",), ("test_share", "split_seed")),
}
MOST_LOUD = 5
AT_ONCE = 5_000_000  # values of a set that is checked while the page waits
CHECKING = "report_checking"
_Given = tuple[tuple[str, Value], ...]


def reading_report(series_set: SeriesSet) -> None:
    """Draw the report of the chosen set; a changed set can be kept as one of its own, and is chosen then."""
    with guarded("The reading report"):
        prepared = report(series_set, key=f"report_{series_set.fingerprint}", model=state.current(Selection()).model)
        if prepared is None:
            return
        if prepared is not series_set:
            _offer_to_keep(prepared)
        downloads(prepared)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """The set that choices make (None: as it was), all choices, and why they could not be followed, if so."""

    series_set: SeriesSet | None
    choices: Mapping[str, Choice]
    problem: DataError | None = None


def report(
    series_set: SeriesSet, *, key: str, model: str = "", suggested: Mapping[str, Value] | None = None
) -> SeriesSet | None:
    """Draw warnings, choices and notes under a key of one's own; return the set that the choices make.

    With the reference of a model, whether it can read the set is told first. What is suggested holds where nothing else
    was chosen. None while a large set is being checked, or after that was stopped.
    """
    st.subheader("What decides whether a result can be believed")
    found = _worked_out(series_set, tuple(sorted({**(suggested or {}), **choices.given(key)}.items())))
    if found is None:
        return None
    made, found_lines = found
    prepared = series_set if made.series_set is None else made.series_set
    lines = [*_of_model(prepared, model), *found_lines]
    _warnings([line for line in lines if line.kind == "warning"], made.choices)
    _choices(made, key)
    _notes([line for line in lines if line.kind != "warning"])
    return prepared


def _worked_out(series_set: SeriesSet, given: _Given) -> tuple[_Prepared, list[ReportLine]] | None:
    """Return the prepared set and what the checks found: at once, of a large set in the background."""

    def compute(progress: Progress) -> tuple[_Prepared, list[ReportLine]]:
        progress(0, 1)
        made = _followed(series_set, given)
        return made, checks.report(series_set if made.series_set is None else made.series_set, progress)

    what = f"Checking {plain(series_set.name)}"
    if int(series_set.lengths.sum()) * series_set.n_channels <= AT_ONCE:
        return ask.at_once(what, ("checks", series_set.fingerprint, given), compute)
    wanted = (series_set.fingerprint, repr(given))
    ended = ask.awaited(CHECKING, wanted, what, compute)
    if ended is None:
        return None
    if ended.error is not None:
        raise ended.error
    if ended.state == "cancelled":
        ask.stopped(CHECKING)
        return None
    found: tuple[_Prepared, list[ReportLine]] = ended.result
    return found


def _followed(series_set: SeriesSet, given: _Given) -> _Prepared:
    choosing = Choosing(dict(given), series_set.name)
    try:
        prepared = follow(series_set, choosing)
    except DataError as error:
        return _Prepared(None, choosing.made, error)
    return _Prepared(None if prepared is series_set else prepared, choosing.made)


def _of_model(series_set: SeriesSet, reference: str) -> list[ReportLine]:
    """Compare with the chosen model; a model that cannot be opened says so on its own pages."""
    if not reference:
        return []
    try:
        model = read_description(locate(reference))
    except TimeMILError:
        return []
    return checks.fit_to_model(series_set, model["channel_names"], model.get("sampling_rate"))


def _warnings(lines: Sequence[ReportLine], made: Mapping[str, Choice]) -> None:
    if not lines:
        st.success("None of the checks raised a warning.", icon=":material/check:")
    for line in lines[:MOST_LOUD]:
        st.warning(_text(line, made), icon=":material/warning:")
    if rest := lines[MOST_LOUD:]:
        with st.expander(f"{counted(len(rest), 'warning')} more", icon=":material/warning:"):
            st.markdown("\n".join(f"- {_text(line, made)}" for line in rest))


def _text(line: ReportLine, made: Mapping[str, Choice] | None = None) -> str:
    place = f"**{plain(line.where)}** — " if line.where else ""
    advice = f" *{plain(line.remedy)}*" if line.remedy else ""
    choice = (made or {}).get(line.choice)
    where = f" Change it beneath: **{plain(choice.title)}**." if choice else ""
    return f"{place}{plain(line.text)}{advice}{where}"


def _choices(made: _Prepared, key: str) -> None:
    is_open = bool(choices.given(key)) or made.problem is not None
    with st.expander("Change how the set is prepared", icon=":material/tune:", expanded=is_open):
        if made.problem is not None:
            st.error(plain(str(made.problem)), icon=":material/error:")
        for column, (title, rows) in zip(split(len(SECTIONS), key), SECTIONS.items(), strict=True):
            with column:
                st.markdown(f"**{title}**")
                for row in rows:
                    _row([made.choices[name] for name in row if name in made.choices], key)
        if choices.given(key):
            st.button("Back to how it was read", icon=":material/undo:", on_click=choices.forget, args=(key,))


def _row(some: Sequence[Choice], key: str) -> None:
    if not some:
        return
    for place, choice in zip(st.columns(len(some), vertical_alignment="bottom"), some, strict=True):
        with place:
            choices.draw([choice], key)


def _notes(lines: Sequence[ReportLine]) -> None:
    if lines:
        with st.expander(f"{len(lines)} more: what else was found", icon=":material/notes:"):
            st.markdown("\n".join(f"- {_text(line)}" for line in lines))


def _offer_to_keep(prepared: SeriesSet) -> None:
    parts = f"{len(prepared.indices('train')):,} for training and {len(prepared.indices('test')):,} for testing"
    st.info(
        f"With these choices: {len(prepared):,} series of {counted(prepared.n_channels, 'channel')}, {parts}.",
        icon=":material/tune:",
    )
    st.button("Keep as a set of its own", type="primary", icon=":material/check:", on_click=_keep, args=(prepared,))


def _keep(prepared: SeriesSet) -> None:
    reference = store.keep(prepared)
    loading.reread(reference)
    state.choose(data=reference, model="")


def downloads(series_set: SeriesSet) -> None:
    """Offer the set as long CSV, .npz and .ts; files are made when asked for."""
    stem = file_stem(series_set.name)
    without_class = int((series_set.labels == UNKNOWN_LABEL).sum())
    lost = " ".join(lost_in_ts(series_set))
    st.markdown("**Take it along** — each of these is read back here to the same values.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "CSV", lambda: write_long_table(series_set), f"{stem}.csv", "text/csv", key="set_csv",
            icon=":material/download:", on_click="ignore", help="A row a time point, with everything that is known.",
        )  # fmt: skip
        st.download_button(
            "NPZ", lambda: write_npz(series_set), f"{stem}.npz", "application/octet-stream", key="set_npz",
            icon=":material/download:", on_click="ignore", help="NumPy arrays, with everything that is known.",
        )  # fmt: skip
        st.download_button(
            "TS", lambda: _zipped(write_ts(series_set)), f"{stem}.zip", "application/zip", key="set_ts",
            icon=":material/download:", on_click="ignore", disabled=without_class > 0,
            help=f"The archive's format. {plain(lost)}" if not without_class
            else f"The format needs a class for each series; {without_class:,} have none.",
        )  # fmt: skip


def _zipped(files: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, one in files.items():
            archive.writestr(name, one)
    return content.getvalue()
