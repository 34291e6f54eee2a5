"""How the wavelets moved during training: all of a layer in numbers, and the way of the chosen kernel."""

from __future__ import annotations

import streamlit as st

from app.common.parts import chart, split, theme
from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.explain.wavelets import LayerWavelets, Movement
from timemil_core.figures.wavelets import kernel_way_figure, movement_figure

UNKNOWN = "How these wavelets began is not known: an imported checkpoint does not hold it."


def section(
    movement: Movement | None, layer: LayerWavelets, kernel: tuple[int, int], sampling_rate: float | None
) -> None:
    """Draw the section."""
    if movement is None:
        st.info(UNKNOWN, icon=":material/info:")
        return
    if not movement.recorded:
        st.caption(
            "Start and end are known; the way between was not recorded when this model was trained. New runs record it."
        )
    n_epochs = len(movement.epochs)
    factors, distances = movement.factors.reshape(n_epochs, -1), movement.distances.reshape(n_epochs, -1)
    unit, per_unit = axis_unit(sampling_rate), axis_rate(sampling_rate)
    scale, shift, way = split(3, "movement")
    with scale:
        st.markdown("**Scales**, change since the start")
        figure = movement_figure(
            movement.epochs, 100 * (factors - 1), "change of the scale (%)", movement.kept, theme=theme()
        )
        chart(figure, key="scales_moved", alt="Change of the scales by epoch, median and nine in ten kernels.")
    with shift:
        st.markdown("**Shifts**, distance from the start")
        name = f"distance ({unit.length})"
        figure = movement_figure(movement.epochs, distances / per_unit, name, movement.kept, theme=theme())
        chart(figure, key="shifts_moved", alt="Distance of the shifts by epoch, median and nine in ten kernels.")
    with way:
        st.markdown(f"**One kernel**: wavelet {kernel[0] + 1}, feature {kernel[1] + 1}")
        figure = kernel_way_figure(
            movement.epochs, movement.scales[:, *kernel], movement.shifts[:, *kernel], movement.kept,
            layer.scales.ravel(), layer.shifts.ravel(), sampling_rate=sampling_rate, theme=theme(),
        )  # fmt: skip
        chart(figure, key="kernel_way", alt="The chosen kernel's scale against its shift, epoch by epoch.")
