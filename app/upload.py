"""Upload files of any format: how they were understood, correctable, and checked, before anything is accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import choices, loading, state
from app.overview import examples
from app.parts import guarded, plain
from app.report import report
from app.understanding import chosen, found_lines, understanding
from timemil_core.data import store
from timemil_core.data.files.contract import Inspection, Reading
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.formats.reporting import facts_of
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.tables import example_tables
from timemil_core.errors import DataError, TimeMILError

KEPT = "upload_kept"
LARGEST = 1024  # MB; the largest that Streamlit's own setting allows
ONE_BY_ONE, FOLDER = "Files", "A folder"
KINDS = (
    "CSV, TSV, text tables and .xlsx in long, wide and melted layouts; .ts, .arff, .npz, .npy, .parquet; EDF and WFDB "
    "recordings; several of them, or a .zip."
)


@dataclass(frozen=True, eq=False)
class Kept:
    """Uploaded files of this session: they would be gone after a change of the page."""

    digest: str
    sources: tuple[Source, ...]


def form() -> None:
    """Draw the uploader and, once there are files, their reading."""
    _templates()
    with st.container(horizontal=True, vertical_alignment="center"):
        what = st.segmented_control(
            "What to upload", [ONE_BY_ONE, FOLDER], default=ONE_BY_ONE, required=True, key="upload_what",
            label_visibility="collapsed",
        )  # fmt: skip
        st.caption(KINDS)
    files = st.file_uploader(
        "Series" if what == ONE_BY_ONE else "A folder of series",
        accept_multiple_files=True if what == ONE_BY_ONE else "directory",
        key=f"uploader_{what}",
        max_upload_size=LARGEST,
        help="Choose files that belong together (training and test part, a file a series, a table of labels) at once.",
    )
    if files:
        _keep_files([(file.name, file.getvalue()) for file in files])
    if KEPT in st.session_state:
        _read(st.session_state[KEPT])


def _templates() -> None:
    with st.popover("Templates to fill in", icon=":material/download:"):
        st.markdown("Each is a small set of real series: look at its columns, put in yours, upload it again.")
        for name, content in _example_tables().items():
            st.download_button(name, content, file_name=name, icon=":material/download:", on_click="ignore", key=name)


@st.cache_data(show_spinner=False)
def _example_tables() -> dict[str, bytes]:
    return example_tables()


def _keep_files(files: Sequence[tuple[str, bytes]]) -> None:
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    kept = st.session_state.get(KEPT)
    if kept is None or kept.digest != digest.hexdigest():
        sources = tuple(from_bytes(name, content) for name, content in files)
        st.session_state[KEPT] = Kept(digest.hexdigest(), sources)


def _read(kept: Kept) -> None:
    key = f"upload_{kept.digest[:12]}"
    inspection = _inspected(kept, key)
    if inspection is None:
        return
    what = kept.sources[0].name if len(kept.sources) == 1 else inspection.name
    st.subheader(f"How {plain(what)} was understood")
    st.markdown(f"It is {plain(inspection.title)}.")
    reading = _reading(kept, inspection, key)
    understanding(inspection, key, is_refused=reading is None)
    if reading is None:
        return
    found_lines(reading.lines)
    _facts(reading.series_set)
    report_key = f"{key}_report_{reading.series_set.fingerprint}"
    if not len(reading.series_set.indices("test")) and _can_be_split(reading.series_set):
        choices.given(report_key).setdefault("split", "by class")
    _accept(report(reading.series_set, key=report_key))


def _can_be_split(series_set: SeriesSet) -> bool:
    return len(series_set) > 1 and (series_set.groups is None or len(set(series_set.groups)) > 1)


def _inspected(kept: Kept, key: str) -> Inspection | None:
    try:
        with st.spinner("Looking at the files …"):
            return inspect_files(kept.sources, chosen(key))
    except TimeMILError as error:
        _refused(error)
        if chosen(key):
            st.button("Back to the first guess", icon=":material/undo:", on_click=choices.forget, args=(key,))
        return None


def _reading(kept: Kept, inspection: Inspection, key: str) -> Reading | None:
    """Read the files, or take the last reading where nothing was changed."""
    wanted = (kept.digest, repr(sorted(chosen(key).items(), key=str)))
    last = st.session_state.get("upload_reading")
    if last is not None and last[0] == wanted:
        return last[1]
    place = st.empty()

    def told(share: float, doing: str) -> None:
        place.progress(share, f"Reading: {plain(doing)}")

    try:
        reading = read_files(inspection, told)
    except TimeMILError as error:
        place.empty()
        _refused(error)
        return None
    place.empty()
    st.session_state["upload_reading"] = (wanted, reading)
    return reading


def _refused(error: TimeMILError) -> None:
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
    loading.data_set.clear(reference)
    for name in (KEPT, "upload_reading"):
        st.session_state.pop(name, None)
    st.session_state["view"] = "Catalogue"
    state.choose(data=reference, model="")
