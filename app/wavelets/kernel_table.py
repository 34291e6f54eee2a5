"""Every kernel of the model in numbers, to sort, and to take away as CSV."""

from __future__ import annotations

import streamlit as st

from app import ask
from app.common.context import Context
from timemil_core.data.export import file_stem
from timemil_core.explain.wavelets import LearnedWavelets, RemovalEffects, kernel_table, to_csv


def _named(effects: RemovalEffects | None) -> str:
    return "" if effects is None else repr((effects.removals[0], effects.n_series, float(effects.size.sum())))


def section(chosen: Context, layers: LearnedWavelets, effects: RemovalEffects | None) -> None:
    """Draw the table, folded away; with what removing each kernel of a layer does, where that was measured."""
    with st.expander("All kernels in numbers", icon=":material/table_chart:"):
        assert chosen.model is not None
        rate = chosen.series_set.sampling_rate
        rows = ask.at_once(
            "All kernels in numbers",
            ("kernel table", chosen.model.fingerprint, rate, _named(effects)),
            lambda progress: kernel_table(layers, rate, [] if effects is None else [effects]),
        )
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
