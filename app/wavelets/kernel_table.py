"""Every kernel of the model in numbers, to sort, and to take away as CSV."""

from __future__ import annotations

import streamlit as st

from app.common.context import Context
from app.common.loading import HASHES
from timemil_core.data.export import file_stem
from timemil_core.explain.wavelets import LearnedWavelets, RemovalEffects, kernel_table, to_csv
from timemil_core.explain.wavelets.table import Row
from timemil_core.models.trained import TrainedModel


@st.cache_data(max_entries=8, hash_funcs=HASHES, show_spinner=False)
def _rows(
    model: TrainedModel,
    sampling_rate: float | None,
    effects_name: str,
    _layers: LearnedWavelets,
    _effects: RemovalEffects | None,
) -> list[Row]:
    return kernel_table(_layers, sampling_rate, [] if _effects is None else [_effects])


def _named(effects: RemovalEffects | None) -> str:
    return "" if effects is None else repr((effects.removals[0], effects.n_series, float(effects.size.sum())))


def section(chosen: Context, layers: LearnedWavelets, effects: RemovalEffects | None) -> None:
    """Draw the table, folded away; with what removing each kernel of a layer does, where that was measured."""
    with st.expander("All kernels in numbers", icon=":material/table_chart:"):
        assert chosen.model is not None
        rows = _rows(chosen.model, chosen.series_set.sampling_rate, _named(effects), layers, effects)
        st.dataframe(
            [row | {"wavelet": str(row["wavelet"])} for row in rows],
            hide_index=True,
            height=360,
            alt="Pass band, extent, scale and shift of every kernel.",
        )
        st.caption("The sum of a feature's wavelets, with which the model convolves it, has rows of its own.")
        st.download_button(
            "CSV",
            data=lambda: to_csv(rows).encode(),
            file_name=f"{file_stem(chosen.series_set.name, 'wavelets')}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="kernels_csv",
        )
