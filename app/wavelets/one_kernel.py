"""One kernel in time and in frequency, and what all kernels of its layer let through."""

from __future__ import annotations

import streamlit as st

from app import ask
from app.common.parts import chart, plain, split, theme
from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.explain.wavelets import Bands, LayerWavelets, bands_of, frequency_response
from timemil_core.explain.wavelets.hats import hat_between_taps
from timemil_core.figures.kernel_bands import band_text
from timemil_core.figures.wavelets import coverage_figure, frequency_figure, kernel_figure
from timemil_core.jobs import Progress
from timemil_core.models.trained import TrainedModel


def layer_bands(model: TrainedModel, one: LayerWavelets) -> tuple[Bands, Bands | None]:
    """Return the pass bands of a layer's kernels, and of those it began with where they are known."""

    def compute(progress: Progress) -> tuple[Bands, Bands | None]:
        before = None if one.initial_kernels is None else bands_of(one.initial_kernels, one.positions)
        return bands_of(one.kernels, one.positions, one.scales), before

    return ask.at_once("What the kernels pass", ("bands", model.fingerprint, one.layer), compute)


def section(layer: LayerWavelets, bands: Bands, before: Bands | None, at: tuple[int, int], rate: float | None) -> None:
    """Draw it: ``at`` is (wavelet, feature), ``bands`` and ``before`` are the layer's, ``rate`` is in Hz or None."""
    wavelet, feature = at
    kernel = layer.kernels[at]
    initial = None if layer.initial_kernels is None else layer.initial_kernels[at]
    unit, per_unit = axis_unit(rate), axis_rate(rate)
    shape, response, coverage = split(3, "kernel")
    hat = hat_between_taps(layer, at)
    with shape:
        st.markdown(f"**Kernel**: wavelet {wavelet + 1} of feature {feature + 1}, layer {layer.layer + 1}")
        figure = kernel_figure(
            layer.positions, kernel, initial, hat=(hat.positions, hat.values), sampling_rate=rate, theme=theme()
        )
        chart(figure, key="kernel", alt="The kernel over its taps, learned and initial.")
        scale, shift = layer.scales[at], layer.shifts[at]
        told = f" ({scale / per_unit:.3g} and {shift / per_unit:+.3g} {unit.length})" if rate else ""
        st.caption(f"Scale a = {scale:.2f}, shift b = {shift:+.2f} time points{told}.")
    with response:
        st.markdown("**Frequency response**")
        frequencies, magnitude = frequency_response(kernel, per_unit)
        initial_magnitude = None if initial is None else frequency_response(initial, per_unit)[1]
        edges = float(bands.low[at] * per_unit), float(bands.high[at] * per_unit)
        figure = frequency_figure(frequencies, magnitude, initial_magnitude, unit.frequency, edges, theme=theme())
        chart(figure, key="response", alt="Magnitude of the kernel's frequency response.")
        st.caption(plain(_band_told(bands, at, rate)))
    with coverage:
        st.markdown("**What the layer passes**")
        figure = coverage_figure(
            bands.low, bands.high, None if before is None else before.low, None if before is None else before.high,
            sampling_rate=rate, theme=theme(),
        )  # fmt: skip
        chart(figure, key="coverage", alt="The share of the layer's kernels that pass each frequency.")
        st.caption("Counted over all kernels of the layer, by their pass bands at half power.")


def _band_told(bands: Bands, at: tuple[int, int], rate: float | None) -> str:
    columns = (bands.low, bands.peak, bands.high, bands.first, bands.last)
    said = band_text(*(float(one[at]) for one in columns), sampling_rate=rate).replace("<br>", "; ")
    unlike = (
        "" if bands.unlike_hat is None or not bands.unlike_hat[at] else " Unlike the uncut Mexican hat of its scale."
    )
    return f"At half power it {said}, with 95 % of its energy.{unlike}"
