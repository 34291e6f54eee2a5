"""Upload files of any format: how they were understood, correctable, and checked, before anything is accepted."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app import ask
from app.common import loading, state
from app.common.parts import guarded, plain
from app.data import choices, kept_files, templates
from app.data.kept_files import KeptFiles, Uploaded
from app.data.overview import examples
from app.data.report import report
from app.data.understanding import chosen, found_lines, to_correct, understanding
from timemil_core.data import store
from timemil_core.data.files.contract import Inspection, Reading
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.formats.reporting import facts_of
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted, listed
from timemil_core.errors import DataError
from timemil_core.explain.progress import Progress
from timemil_core.jobs import Job

KEPT, ADDING, TURN = "upload_kept", "upload_adding", "upload_turn"
LOOKING, READING = "upload_looking", "upload_reading"
LARGEST = 1024  # MB; the largest that Streamlit's own setting allows
ONE_BY_ONE, FOLDER = "Files", "A folder"
FINE = 1000  # steps of a bar
KINDS = (
    "CSV, TSV, text tables and .xlsx in long, wide and melted layouts; .ts, .arff, .npz, .npy, .mat, HDF5, JSON, "
    ".parquet, Feather; EDF and WFDB recordings; several of them, or a .zip or .tar.gz."
)


def form() -> None:
    """Draw the uploader or, once there are files, their reading."""
    kept: KeptFiles | None = st.session_state.get(KEPT)
    if kept is None:
        _uploader()
        templates.pictured()
        return
    _what_is_here(kept)
    if st.session_state.get(ADDING):
        _uploader(kept)
    _read(kept)


def _uploader(kept: KeptFiles | None = None) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        what = st.segmented_control(
            "What to upload", [ONE_BY_ONE, FOLDER], default=ONE_BY_ONE, required=True, key="upload_what",
            label_visibility="collapsed",
        )  # fmt: skip
        st.caption(KINDS)
    files = st.file_uploader(
        "Series" if what == ONE_BY_ONE else "A folder of series",
        accept_multiple_files=True if what == ONE_BY_ONE else "directory",
        key=f"uploader_{what}_{st.session_state.get(TURN, 0)}",
        max_upload_size=LARGEST,
        help="Choose files that belong together (training and test part, a file a series, a table of labels) at once.",
    )
    if files:
        with guarded("The upload"), st.spinner("Keeping the files …"):
            _keep_files(files, kept)
            _free(files)
            st.rerun()


def _keep_files(files: Sequence[Uploaded], before: KeptFiles | None = None) -> None:
    st.session_state[KEPT] = kept_files.keep(files, before)
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
    st.session_state.pop(ADDING, None)


def _free(files: Sequence[Uploaded]) -> None:
    """Let go of what Streamlit holds in memory of files that are on disk."""
    context = get_script_run_ctx()
    remove = getattr(getattr(context, "uploaded_file_mgr", None), "remove_file", None)  # of its manager in memory
    if context is None or remove is None:
        return
    for file in files:
        remove(context.session_id, getattr(file, "file_id", ""))


def _what_is_here(kept: KeptFiles) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        names = "" if len(kept.sources) == 1 else f": {listed([source.name for source in kept.sources], 3)}"
        st.markdown(plain(f"{kept.title}{names} · {_size(kept.size)}"), width="stretch")
        st.button("Add files", icon=":material/add:", type="tertiary", on_click=_add)
        st.button("Other files", icon=":material/swap_horiz:", type="tertiary", on_click=_let_go)
        templates.popover()


def _size(n_bytes: int) -> str:
    if n_bytes < 1_000:
        return counted(n_bytes, "byte")
    return f"{n_bytes / 1e6:,.1f} MB" if n_bytes >= 100_000 else f"{n_bytes / 1e3:,.1f} kB"


def _add() -> None:
    st.session_state[ADDING] = not st.session_state.get(ADDING)


def _let_go() -> None:
    for name in (KEPT, ADDING):
        st.session_state.pop(name, None)
    for slot in (LOOKING, READING):
        ask.forget(slot)


def _read(kept: KeptFiles) -> None:
    key = f"upload_{kept.token}"
    inspection = _inspected(kept, key)
    if inspection is None:
        return
    what = kept.sources[0].name if len(kept.sources) == 1 else inspection.name
    st.subheader(f"How {plain(what)} was understood")
    with st.container(key="understood_as"):
        st.markdown(f"**{plain(inspection.title[0].upper() + inspection.title[1:])}.**")
    above = st.container()  # a reading is awaited beneath what it follows from; why it failed stands above that
    ended = _reading(kept, inspection, key)
    with above:
        if ended is not None and ended.result is None:
            _told(ended, READING)
        understanding(inspection, key, is_refused=ended is not None and ended.error is not None)
    if ended is None or not isinstance(ended.result, Reading):
        return
    reading = ended.result
    found_lines(reading.lines)
    _facts(reading.series_set)
    report_key = f"{key}_report_{reading.series_set.fingerprint}"
    needs_split = not len(reading.series_set.indices("test")) and _can_be_split(reading.series_set)
    ready = report(reading.series_set, key=report_key, suggested={"split": "by class"} if needs_split else {})
    if ready is not None:
        _accept(ready)


def _can_be_split(series_set: SeriesSet) -> bool:
    return len(series_set) > 1 and (series_set.groups is None or len(set(series_set.groups)) > 1)


def _inspected(kept: KeptFiles, key: str) -> Inspection | None:
    given = chosen(key)

    def look(progress: Progress) -> Inspection:
        with kept_files.watched(progress):
            return inspect_files(kept.sources, given)

    ended = ask.awaited(LOOKING, _wanted(kept, key), f"Looking at {plain(kept.title)}", look)
    if ended is None:
        return None
    if isinstance(ended.result, Inspection):
        return ended.result
    _told(ended, LOOKING)
    made = ended.error.choices if isinstance(ended.error, DataError) else ()
    if made:
        to_correct(made, key, is_refused=True)
    elif given:
        st.button("Back to the first guess", icon=":material/undo:", on_click=choices.forget, args=(key,))
    return None


def _reading(kept: KeptFiles, inspection: Inspection, key: str) -> Job | None:
    """Read the files as understood, or take the last reading where nothing was changed."""

    def read(progress: Progress) -> Reading:
        at = [0, FINE]

        def told(share: float, _doing: str) -> None:
            at[:] = round(share * FINE), FINE
            progress(*at)

        def looked(_position: int, _size: int) -> None:
            progress(*at)  # it raises where the reading is no longer wanted

        with kept_files.watched(looked):
            return read_files(inspection, told)

    return ask.awaited(READING, _wanted(kept, key), f"Reading {plain(kept.title)}", read)


def _wanted(kept: KeptFiles, key: str) -> tuple[str, str]:
    return kept.token, repr(sorted(chosen(key).items(), key=str))


def _told(ended: Job, slot: str) -> None:
    """Say why there is no result."""
    if ended.error is not None:
        _refused(ended.error)
    else:
        ask.stopped(slot)


def _refused(error: Exception) -> None:
    st.error(plain(str(error)), icon=":material/error:")
    kept = state.current(state.Selection())
    st.caption(f"Nothing was changed: the data set {plain(kept.data)} is still chosen.")


def _facts(series_set: SeriesSet) -> None:
    told = ", ".join(f"{plain(name)}: **{plain(fact)}**" for name, fact in facts_of(series_set))
    st.success(f"Read — {told}.", icon=":material/check:")


def _accept(ready: SeriesSet) -> None:
    n_train, n_test = len(ready.indices("train")), len(ready.indices("test"))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Accept this data set", type="primary", icon=":material/check:", on_click=_keep, args=(ready,))
        st.caption(f"{len(ready):,} series, {n_train:,} for training and {n_test:,} for testing.")
    with guarded("The preview"):
        examples(ready, key="upload_preview")


def _keep(series_set: SeriesSet) -> None:
    try:
        reference = store.keep(series_set)
    except OSError as error:
        st.error(plain(str(DataError(f"The set could not be stored ({error.strerror}).", remedy="Make room."))))
        return
    loading.reread(reference)
    _let_go()
    st.session_state[state.VIEW] = state.CATALOGUE
    st.session_state[state.ACCEPTED] = reference
    state.choose(data=reference, model="")
