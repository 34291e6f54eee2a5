"""Upload a table: what each column was taken for, correctable, with a preview, before anything is accepted."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import streamlit as st

from app import loading, state
from app.overview import examples
from app.parts import counted, guarded, plain
from timemil_core.data import splitting, store, tables
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.tables import TableGuess, TableLayout
from timemil_core.errors import TimeMILError

NONE = "— none —"
KEPT_BYTES, KEPT_NAME = "upload_bytes", "upload_name"
KIND_TITLES = {"long": "long: a row a time point", "wide": "wide: a row a series"}


def form() -> None:
    """Draw the uploader and, once there is a file, its reading."""
    _examples()
    file = st.file_uploader(
        "A table of series", type=["csv", "tsv", "txt"], key="uploader", max_upload_size=1024,
        help="Long: a row a time point, with columns for series id, time, each channel, and label. "
        "Wide: a row a series, with one column a time point.",
    )  # fmt: skip
    if file is not None:
        # Uploads are gone after a page change; the bytes are kept for this session.
        st.session_state[KEPT_BYTES], st.session_state[KEPT_NAME] = file.getvalue(), file.name
    if KEPT_BYTES in st.session_state:
        _read(st.session_state[KEPT_BYTES], st.session_state[KEPT_NAME])


def _examples() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("New here? Download an example, look at its columns, upload it again unchanged:")
        for name, content in _example_tables().items():
            st.download_button(name, content, file_name=name, icon=":material/download:", on_click="ignore")


@st.cache_data(show_spinner=False)
def _example_tables() -> dict[str, bytes]:
    return tables.example_tables()


@st.cache_data(max_entries=4, show_spinner="Looking at the file …")
def _inspect(digest: str, _content: bytes, filename: str) -> TableGuess:
    return tables.inspect_table(_content, filename)


@st.cache_resource(max_entries=4, show_spinner="Reading the series …")
def _read_table(digest: str, _content: bytes, filename: str, _guess: TableGuess, layout: TableLayout) -> SeriesSet:
    return tables.read_table(_content, filename, _guess, layout)


def _read(content: bytes, filename: str) -> None:
    digest = hashlib.sha256(content).hexdigest()
    try:
        guess = _inspect(digest, content, filename)
    except TimeMILError as error:
        _refused(error)
        return
    st.subheader(f"How {plain(filename)} was understood")
    layout = _layout(guess, digest)
    st.markdown("\n".join(f"- {plain(reason)}" for reason in (*guess.reasons, *guess.warnings)))
    with st.expander("The first rows of the file", icon=":material/table_rows:"):
        st.dataframe(guess.head, hide_index=True)
    try:
        series_set = _read_table(digest, content, filename, guess, layout)
    except TimeMILError as error:
        _refused(error)
        return
    _accept(series_set)


def _refused(error: TimeMILError) -> None:
    st.error(plain(str(error)), icon=":material/error:")
    kept = state.current(state.Selection())
    st.caption(f"Nothing was changed: the data set {plain(kept.data)} is still chosen.")


def _layout(guess: TableGuess, digest: str) -> TableLayout:
    found = guess.layout
    columns = list(guess.columns)
    with st.container(border=True):
        st.markdown("**What each column is** — correct what is wrong")
        kind, series, time, label = st.columns(4)
        key = digest[:8]
        chosen_kind = kind.selectbox(
            "Layout", list(KIND_TITLES), index=list(KIND_TITLES).index(found.kind),
            format_func=KIND_TITLES.__getitem__, key=f"kind_{key}",
        )  # fmt: skip
        id_column = _column(series, "Series id", columns, found.id_column, f"id_{key}")
        time_column = _column(time, "Time", columns, found.time_column, f"time_{key}")
        label_column = _column(label, "Class label", columns, found.label_column, f"label_{key}")
        truth, split, rate = st.columns([1, 1, 1])
        truth_column = _column(truth, "Instance label (0/1)", columns, found.instance_label_column, f"truth_{key}")
        split_column = _column(split, "Train / test", columns, found.split_column, f"split_{key}")
        sampling_rate = rate.number_input(
            "Sampling rate (Hz)", min_value=0.0, value=found.sampling_rate, format="%.6g", key=f"rate_{key}",
            placeholder="not known: the axis counts time points",
        )  # fmt: skip
        taken = {id_column, time_column, label_column, truth_column, split_column}
        channels = [name for name in columns if name not in taken]
        if chosen_kind == "long" or len(columns) <= 40:
            default = [name for name in found.channel_columns if name in channels] or channels
            title = "Channels" if chosen_kind == "long" else "Value columns, in time order"
            channels = st.multiselect(title, channels, default=default, key=f"channels_{key}_{sorted(map(str, taken))}")
        else:
            channels = [name for name in found.channel_columns if name in channels]
            st.caption(f"{len(channels)} value columns, {plain(channels[0])} to {plain(channels[-1])}, in time order.")
    return replace(
        found,
        kind="long" if chosen_kind == "long" else "wide",
        id_column=id_column,
        time_column=time_column,
        label_column=label_column,
        channel_columns=tuple(channels),
        instance_label_column=truth_column,
        split_column=split_column,
        sampling_rate=sampling_rate or None,
    )


def _column(
    place: st.delta_generator.DeltaGenerator, title: str, columns: list[str], found: str | None, key: str
) -> str | None:
    options = [NONE, *columns]
    choice = place.selectbox(title, options, index=options.index(found) if found in columns else 0, key=key)
    return None if choice in (None, NONE) else choice


def _accept(series_set: SeriesSet) -> None:
    ready = series_set
    if not len(series_set.indices("test")):
        share = st.slider(
            "Test series, held back from training", 0, 50, 30, step=5, format="%d %%",
            help="Drawn with the same share of each class; scored once, at the end.",
        )  # fmt: skip
        if share:
            ready = splitting.with_split(series_set, test_share=share / 100, seed=0)
    st.success(
        f"{len(ready)} series, {counted(ready.n_channels, 'channel')}, {counted(ready.n_classes, 'class')}, "
        f"{len(ready.indices('train'))} for training and {len(ready.indices('test'))} for testing.",
        icon=":material/check:",
    )
    st.button("Accept this data set", type="primary", icon=":material/check:", on_click=_keep, args=(ready,))
    with guarded("The preview"):
        examples(ready, key="upload_preview")
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in ready.provenance))


def _keep(series_set: SeriesSet) -> None:
    reference = store.keep(series_set)
    loading.data_set.clear(reference)
    for key in (KEPT_BYTES, KEPT_NAME):
        st.session_state.pop(key, None)
    st.session_state["view"] = "The chosen set"
    state.choose(data=reference, model="")
