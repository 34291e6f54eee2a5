"""Wavelets: the kernels of the positional encoding, what became of them, and what they add to a series."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from app import ask
from app.common import context, span, state
from app.common.context import Context
from app.common.navigator import series_navigator
from app.common.parts import chart, empty_state, guarded, guide, heading, percent, picked_ids, plain, split, theme
from app.wavelets import kernel_movement, kernel_removal, kernel_table, one_kernel
from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.explain.progress import Progress
from timemil_core.explain.wavelets import (
    Bands,
    EncodedLayer,
    LayerWavelets,
    LearnedWavelets,
    RemovalEffects,
    encoding_of_series,
    learned_wavelets,
    movement_of,
)
from timemil_core.explain.wavelets.hats import recognisable, strongest_answer
from timemil_core.figures.wavelets import (
    band_scatter_figure,
    encoding_figure,
    encoding_heat_figure,
    kernel_grid_figure,
    scale_shift_figure,
)
from timemil_core.models.config import PRESET_NAMES, preset
from timemil_core.models.shelf import shelf
from timemil_core.models.trained import TrainedModel

KERNELS_SHOWN = 12
ANY_SIZE = {"n_channels": 1, "n_classes": 2}
LAYER_KEY, WAVELET_KEY, FEATURE_KEY = "wavelet_layer", "wavelet", "feature"
AXES_KEY, PENDING_KEY, PICK_KEY = "kernel_axes", "kernel_pending", "wavelet_pick"
DATA_TERMS, PARAMETERS = "Frequency and time", "Scale and shift"


def page() -> None:
    """Draw the page."""
    heading("Wavelets", "Mexican hat kernels that tell each time point its place.")
    chosen = context.load()
    layers = _learned(chosen.model) if chosen.model else ()
    if not layers:
        why = "has no wavelet encoding" if chosen.model else "has been trained on these data yet"
        subject = "This model" if chosen.model else "No model"
        empty_state(
            f"{subject} {why}. Train one with the wavelet encoding, or choose another in the sidebar.",
            page="train/page.py",
            label="Train a model",
            icon=":material/model_training:",
        )
        _others(chosen)
        return
    assert chosen.model is not None
    layer = _choose_layer(layers)
    bands, before = one_kernel.layer_bands(chosen.model, layer)
    _open_on(chosen, layer, bands)
    movement = movement_of(chosen.model, layer.layer)
    if movement is not None:
        st.markdown(plain(movement.sentence))
    kernel_place, series_place = st.container(), st.container()
    wavelet, feature = _pick(chosen, layer, bands)
    with kernel_place, guarded("The kernel"):
        one_kernel.section(layer, bands, before, (wavelet, feature), chosen.series_set.sampling_rate)
    with series_place, guarded("The encoding of the series"):
        _added(chosen, layer, (wavelet, feature))
    effects = None
    with guarded("The removal of wavelets"):
        effects, picked = kernel_removal.section(chosen, layers, layer, (wavelet, feature))
        if picked is not None:
            st.session_state[PENDING_KEY] = picked
            st.rerun()  # the number fields above stand already: they take it up in the next run
    with st.expander("How they moved during training", icon=":material/moving:"), guarded("The movement"):
        kernel_movement.section(movement, layer, (wavelet, feature), chosen.series_set.sampling_rate)
    with guarded("The kernels"):
        _grid(layer, effects)
    with guarded("The table of all kernels"):
        kernel_table.section(chosen, layers, effects)
    _how_to_read()


def _learned(model: TrainedModel) -> LearnedWavelets:
    return ask.at_once("The kernels", ("kernels", model.fingerprint), lambda progress: learned_wavelets(model))


def _encoding(chosen: Context) -> tuple[EncodedLayer, ...] | None:
    """Return what the positional encoding adds to the chosen series, layer by layer."""
    what, key = "What the encoding adds to the series", ("encoding", *ask.about(chosen), chosen.index)

    def compute(progress: Progress) -> tuple[EncodedLayer, ...]:
        return encoding_of_series(ask.model_of(chosen), chosen.series)

    return ask.prompt(what, key, compute) if chosen.is_long else ask.at_once(what, key, compute)


def _others(chosen: Context) -> None:
    """Lead to the models of the same data that were trained with the encoding."""
    with_wavelets = {name for name in PRESET_NAMES if preset(name, **ANY_SIZE).positional_encoding == "wavelet"}
    for entry in shelf():
        if entry.data == chosen.data and entry.facts.get("preset") in with_wavelets:
            st.page_link(
                "wavelets/page.py",
                label=f"Open {plain(entry.title)} · {plain(entry.origin)}",
                icon=":material/ssid_chart:",
                query_params={state.DATA: chosen.data, state.MODEL: entry.reference},
            )


def _choose_layer(layers: tuple[LayerWavelets, ...]) -> LayerWavelets:
    names = [f"Layer {layer.layer + 1}" for layer in layers]
    name = st.segmented_control("Layer", names, default=names[0], required=True, key=LAYER_KEY, bind="query-params")
    return layers[names.index(name or names[0])]


def _open_on(chosen: Context, layer: LayerWavelets, bands: Bands) -> None:
    # Of hundreds of kernels the page opens on one in which a Mexican hat is seen.
    if WAVELET_KEY not in st.session_state:
        before = (
            None if chosen.is_long else next(one.before for one in _encoding(chosen) or () if one.layer == layer.layer)
        )
        wavelet, feature = recognisable(layer, bands, before)
        st.session_state[WAVELET_KEY], st.session_state[FEATURE_KEY] = wavelet + 1, feature + 1


def _pick(chosen: Context, layer: LayerWavelets, bands: Bands) -> tuple[int, int]:
    if PENDING_KEY in st.session_state:
        wavelet, feature = st.session_state.pop(PENDING_KEY)
        st.session_state[WAVELET_KEY], st.session_state[FEATURE_KEY] = wavelet + 1, feature + 1
    n_wavelets, n_features = layer.scales.shape
    scatter, choice = split([2.2, 1], "pick")
    with choice:
        st.subheader("One kernel")
        st.caption("Pick a point in the chart, or name it here.")
        wavelet_place, feature_place = st.container(), st.container()
    with scatter:
        st.subheader(f"All {n_wavelets * n_features} kernels of the layer")
        axes = st.segmented_control(
            "Axes", [DATA_TERMS, PARAMETERS], default=DATA_TERMS, required=True, key=AXES_KEY, persist_state="session",
            label_visibility="collapsed",
        )  # fmt: skip
        current = (layer.layer, st.session_state.get(WAVELET_KEY, 1) - 1, st.session_state.get(FEATURE_KEY, 1) - 1)
        event = _scatter(layer, bands, axes == PARAMETERS, current, chosen.series_set.sampling_rate)
    _take_over(picked_ids(event), str(axes))
    with wavelet_place:
        wavelet = int(st.number_input("Wavelet", 1, n_wavelets, key=WAVELET_KEY))
    with feature_place:
        feature = int(st.number_input("Feature", 1, n_features, key=FEATURE_KEY))
    with choice:
        st.caption(_layer_told(bands, chosen.series_set.sampling_rate))
    return wavelet - 1, feature - 1


def _scatter(
    layer: LayerWavelets, bands: Bands, parameters: bool, current: tuple[int, int, int], rate: float | None
) -> list[dict[str, Any]]:
    if parameters:
        figure = scale_shift_figure(
            layer.scales, layer.shifts, layer.initial_scales, layer.initial_shifts,
            layer=layer.layer, selected=current, sampling_rate=rate, theme=theme(),
        )  # fmt: skip
        return chart(figure, key=f"parameters_{layer.layer}", alt="Scale against shift of every kernel.", pick=True)
    figure = band_scatter_figure(
        bands.low, bands.peak, bands.high, bands.first, bands.last, layer.shifts,
        layer=layer.layer, selected=current, sampling_rate=rate, theme=theme(),
    )  # fmt: skip
    alt = "The frequency that every kernel passes best against where in time it looks."
    return chart(figure, key=f"scatter_{layer.layer}", alt=alt, pick=True)


def _layer_told(bands: Bands, rate: float | None) -> str:
    unit, per_unit = axis_unit(rate), axis_rate(rate)
    peak = np.quantile(bands.peak, [0.05, 0.5, 0.95]) * per_unit
    extent = np.quantile(bands.extent, [0.05, 0.5, 0.95])
    seconds = f" ({extent[1] / per_unit:.3g} {unit.length})" if rate else ""
    unlike = 0.0 if bands.unlike_hat is None else float(bands.unlike_hat.mean())
    return (
        f"The median kernel passes {peak[1]:.3g} {unit.frequency} best (nine in ten: {peak[0]:.3g} to {peak[2]:.3g}) "
        f"and looks at {extent[1]:.0f} time points{seconds}. {percent(unlike)} are sampled too coarsely, or cut off "
        "too early, to pass what a Mexican hat of their scale would; all numbers are of the taps as they are used."
    )


def _take_over(ids: list[tuple[object, ...]], axes: str) -> None:
    # Only a new pick moves the number fields; else typing a number would be undone by the old pick.
    if ids and ids[-1] != st.session_state.get(f"{PICK_KEY}_{axes}"):
        st.session_state[f"{PICK_KEY}_{axes}"] = ids[-1]
        _, wavelet, feature = (int(str(part)) for part in ids[-1][:3])
        st.session_state[WAVELET_KEY], st.session_state[FEATURE_KEY] = wavelet + 1, feature + 1


def _added(chosen: Context, layer: LayerWavelets, at: tuple[int, int]) -> None:
    assert chosen.model is not None
    feature = at[1]
    st.subheader("Where it answers most in the chosen series, and what the encoding adds")
    series_navigator(chosen)
    layers = _encoding(chosen)
    if layers is None:
        return
    encoded = next(one for one in layers if one.layer == layer.layer)
    times, unit = chosen.series_set.times(chosen.index), chosen.series_set.time_unit
    span.controls(chosen.chosen_span, times, chosen.series_set.axis)
    line, heat = split(2, "encoding", "wide")
    with heat:
        st.markdown("**All features** (added value)")
        chart(
            encoding_heat_figure(times, encoded.added, unit, visible_span=chosen.span, theme=theme()),
            key="encoding_heat",
            alt="Added value by feature and time.",
        )
    with line:
        st.markdown(f"**Feature {feature + 1}**: before, and what is added")
        before, added = encoded.before[:, feature], encoded.added[:, feature]
        answer = strongest_answer(before, layer, at)
        hat = np.interp(answer.positions, np.arange(len(times)), times), answer.values
        figure = encoding_figure(times, before, added, unit, hat=hat, visible_span=chosen.span, theme=theme())
        alt = "The feature before the encoding, and what the encoding adds."
        span.zoomable(figure, chosen.chosen_span, times, key="encoding", alt=alt)
    st.caption(
        f"For series {plain(chosen.series_id)} the encoding adds {percent(encoded.relative_size)} of the size of the "
        "embeddings that enter the layer (root mean square)."
    )


def _grid(layer: LayerWavelets, effects: RemovalEffects | None) -> None:
    if effects is not None:
        title, sizes = "Kernels whose removal changes most", effects.size.reshape(layer.scales.shape)
        order = "the change of the logit by their removal"
    elif layer.moved is not None:
        title, sizes, order = "Kernels that training moved most", layer.moved, "the summed absolute change of the taps"
    else:
        title, sizes = "The largest kernels", np.abs(layer.kernels).sum(axis=-1)
        order = "the summed absolute value of the taps"
    st.subheader(title)
    wavelets, features = np.divmod(np.argsort(-sizes.ravel())[:KERNELS_SHOWN], layer.scales.shape[1])
    figure = kernel_grid_figure(
        layer.positions,
        layer.kernels[wavelets, features],
        [f"wavelet {w + 1}, feature {f + 1}" for w, f in zip(wavelets, features, strict=True)],
        initial_kernels=None if layer.initial_kernels is None else layer.initial_kernels[wavelets, features],
        theme=theme(),
    )
    chart(figure, key="kernel_grid", alt="Small pictures of the kernels of this layer, the most notable first.")
    dashed = "" if layer.initial_kernels is None else "Solid: learned; dashed: at the start of training. "
    st.caption(f"{dashed}Sorted by {order}.")


def _how_to_read() -> None:
    guide(
        "Each feature of the embedding has its own wavelets in each layer (equations 10 and 11). A kernel with a large "
        "scale answers to slow changes, a small one to fast ones; the shift moves it before or after the time point. "
        "The sum of a feature's wavelets, correlated with it, is added to the embeddings before attention: a "
        "kernel with shift b answers at time t to what happens at t + b. The pass band is where the response of the "
        "taps has at least half of its highest power; a kernel looks at the fewest time points in a row that hold 95 % "
        "of its energy. Removing wavelets tells which of them the predictions rest on.",
        limits="Kernels act on learned features, not on the raw signal: a pass band in Hz tells how fast a *feature* "
        "changes over time, and each feature has seen many time points around it already. Kernels that moved are not "
        "thereby important, nor those that stayed unimportant. Kernels have few taps (19 by default): scales above "
        "about 3 are cut off at both ends, and below about 0.5 they are sampled too coarsely. A removal makes a model "
        "that nobody has trained; that single kernels change little does not mean that all together do nothing.",
    )


with guarded("The Wavelets page"):
    page()
