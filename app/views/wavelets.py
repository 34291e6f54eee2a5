"""Wavelets: the kernels of the positional encoding, what became of them, and what they add to a series."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app import context, results, span
from app.context import Context
from app.navigator import series_navigator
from app.parts import chart, empty_state, guarded, guide, heading, percent, picked_ids, plain, split, theme
from timemil_core.explain.wavelets import LayerWavelets, frequency_response, pass_band
from timemil_core.figures.wavelets import (
    encoding_figure,
    encoding_heat_figure,
    frequency_figure,
    kernel_figure,
    kernel_grid_figure,
    scale_shift_figure,
)

KERNELS_SHOWN = 12
LAYER_KEY, WAVELET_KEY, FEATURE_KEY = "wavelet_layer", "wavelet", "feature"


def page() -> None:
    """Draw the page."""
    heading("Wavelets", "The Mexican hat kernels that tell each time point its place, as the model has learned them.")
    chosen = context.load()
    layers = results.learned_wavelets(chosen.model) if chosen.model else ()
    if not layers:
        why = "has no wavelet encoding" if chosen.model else "has been trained on these data yet"
        subject = "This model" if chosen.model else "No model"
        empty_state(
            f"{subject} {why}. Train one with the wavelet encoding, or choose another in the sidebar.",
            page="views/train.py",
            label="Train a model",
            icon=":material/model_training:",
        )
        return
    layer = _choose_layer(layers)
    wavelet, feature = _pick(chosen, layer)
    with guarded("The kernel"):
        _kernel(chosen, layer, wavelet, feature)
    with guarded("The encoding of the series"):
        _added(chosen, layer, feature)
    with guarded("The kernels"):
        _grid(layer)
    _how_to_read()


def _choose_layer(layers: tuple[LayerWavelets, ...]) -> LayerWavelets:
    names = [f"Layer {layer.layer + 1}" for layer in layers]
    name = st.segmented_control("Layer", names, default=names[0], required=True, key=LAYER_KEY, bind="query-params")
    return layers[names.index(name or names[0])]


def _pick(chosen: Context, layer: LayerWavelets) -> tuple[int, int]:
    n_wavelets, n_features = layer.scales.shape
    scatter, choice = split([2.2, 1], "pick")
    with choice:
        st.subheader("One kernel")
        st.caption("Pick a point in the chart, or name it here.")
        wavelet_place, feature_place = st.container(), st.container()
    with scatter:
        st.subheader(f"Scale and shift of all {n_wavelets * n_features} kernels")
        current = (layer.layer, st.session_state.get(WAVELET_KEY, 1) - 1, st.session_state.get(FEATURE_KEY, 1) - 1)
        figure = scale_shift_figure(
            layer.scales, layer.shifts, layer.initial_scales, layer.initial_shifts,
            layer=layer.layer, selected=current, sampling_rate=chosen.series_set.sampling_rate, theme=theme(),
        )  # fmt: skip
        event = chart(figure, key=f"scatter_{layer.layer}", alt="Scale against shift of every kernel.", pick=True)
    _take_over(picked_ids(event))
    with wavelet_place:
        wavelet = int(st.number_input("Wavelet", 1, n_wavelets, key=WAVELET_KEY))
    with feature_place:
        feature = int(st.number_input("Feature", 1, n_features, key=FEATURE_KEY))
    with choice:
        st.caption(_moved(layer))
    return wavelet - 1, feature - 1


def _moved(layer: LayerWavelets) -> str:
    if layer.typical_move is None:
        return "How these wavelets began is not known: an imported checkpoint does not hold it."
    factor, shift = layer.typical_move
    return f"Training moved scales by a factor of {factor:.2f} and shifts by {shift:.2f} time points (medians)."


def _take_over(ids: list[tuple[object, ...]]) -> None:
    # Only a new pick moves the number fields; else typing a number would be undone by the old pick.
    if ids and ids[-1] != st.session_state.get("wavelet_pick"):
        st.session_state["wavelet_pick"] = ids[-1]
        _, wavelet, feature = (int(str(part)) for part in ids[-1][:3])
        st.session_state[WAVELET_KEY], st.session_state[FEATURE_KEY] = wavelet + 1, feature + 1


def _kernel(chosen: Context, layer: LayerWavelets, wavelet: int, feature: int) -> None:
    rate = chosen.series_set.sampling_rate
    kernel = layer.kernels[wavelet, feature]
    initial = None if layer.initial_kernels is None else layer.initial_kernels[wavelet, feature]
    shape, response = split(2, "kernel", "wide")
    with shape:
        st.markdown(f"**Kernel**: wavelet {wavelet + 1} of feature {feature + 1}, layer {layer.layer + 1}")
        figure = kernel_figure(layer.positions, kernel, initial, sampling_rate=rate, theme=theme())
        chart(figure, key="kernel", alt="The kernel over its taps, learned and initial.")
        scale, shift = layer.scales[wavelet, feature], layer.shifts[wavelet, feature]
        st.caption(f"Scale a = {scale:.2f}, shift b = {shift:+.2f} time points.")
    with response:
        st.markdown("**Frequency response**")
        frequencies, magnitude = frequency_response(kernel, rate)
        initial_magnitude = None if initial is None else frequency_response(initial, rate)[1]
        low, high = (float(edge) for edge in pass_band(kernel, rate))
        unit = "Hz" if rate else "cycles per time point"
        figure = frequency_figure(frequencies, magnitude, initial_magnitude, unit, (low, high), theme=theme())
        chart(figure, key="response", alt="Magnitude of the kernel's frequency response.")
        st.caption(f"Pass band at half power: {low:.3g} to {high:.3g} {unit}.")


def _added(chosen: Context, layer: LayerWavelets, feature: int) -> None:
    assert chosen.model is not None
    st.subheader("What the encoding adds to the chosen series")
    series_navigator(chosen)
    encoded = next(
        e for e in results.encoding_of_series(chosen.model, chosen.series_set, chosen.index) if e.layer == layer.layer
    )
    times, unit = chosen.series_set.times(chosen.index), chosen.series_set.time_unit
    span.controls(chosen.chosen_span, times, unit)
    heat, line = split(2, "encoding", "wide")
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
        figure = encoding_figure(times, before, added, unit, visible_span=chosen.span, theme=theme())
        alt = "The feature before the encoding, and what the encoding adds."
        span.zoomable(figure, chosen.chosen_span, times, key="encoding", alt=alt)
    st.caption(
        f"For series {plain(chosen.series_id)} the encoding adds {percent(encoded.relative_size)} of the size of the "
        "embeddings that enter the layer (root mean square)."
    )


def _grid(layer: LayerWavelets) -> None:
    moved = layer.moved
    st.subheader("The largest kernels" if moved is None else "Kernels that training moved most")
    sizes = np.abs(layer.kernels).sum(axis=-1) if moved is None else moved
    wavelets, features = np.divmod(np.argsort(-sizes.ravel())[:KERNELS_SHOWN], layer.scales.shape[1])
    figure = kernel_grid_figure(
        layer.positions,
        layer.kernels[wavelets, features],
        [f"wavelet {w + 1}, feature {f + 1}" for w, f in zip(wavelets, features, strict=True)],
        initial_kernels=None if layer.initial_kernels is None else layer.initial_kernels[wavelets, features],
        theme=theme(),
    )
    chart(figure, key="kernel_grid", alt="Small pictures of the kernels of this layer, the most notable first.")
    if moved is None:
        st.caption("Sorted by the summed absolute value of the taps.")
    else:
        st.caption(
            "Solid: learned; dashed: at the start of training. Sorted by the summed absolute change of the taps."
        )


def _how_to_read() -> None:
    guide(
        "Each feature of the embedding has its own wavelets in each layer (equations 10 and 11). A kernel with a large "
        "scale answers to slow changes, a small one to fast ones; the shift moves it before or after the time point. "
        "The sum of a feature's wavelets, correlated with it, is added to the embeddings before attention: a "
        "kernel with shift b answers at time t to what happens at t + b.",
        limits="Kernels act on learned features, not on the raw signal: a pass band in Hz tells how fast a *feature* "
        "changes over time. A kernel that moved in training is not thereby important, nor one that stayed unimportant. "
        "Kernels have 19 taps: scales above about 3 are cut off at both ends.",
    )


with guarded("The Wavelets page"):
    page()
