"""Which wavelets matter: removed on request, in the background, part by part or kernel by kernel."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import streamlit as st

from app import ask
from app.common.context import Context
from app.common.parts import chart, percent, picked_ids, plain, split, theme
from timemil_core.explain.progress import Progress
from timemil_core.explain.wavelets import (
    LayerWavelets,
    LearnedWavelets,
    Removal,
    RemovalEffects,
    every_kernel,
    every_part,
    kernels_sentence,
    part_sentence,
    removal_effects,
    series_to_measure,
)
from timemil_core.explain.wavelets.effects import MeasuredPart
from timemil_core.explain.wavelets.verdicts import STRONG
from timemil_core.figures.text import number
from timemil_core.figures.wavelets import kernel_effects_figure, part_effects_figure

PART_KEY, PICK_KEY = "removal_part", "effects_pick"
PARTS: dict[str, MeasuredPart] = {"test series": "test", "validation series": "validation"}
N_CONTROLS = 20


def section(
    chosen: Context, layers: LearnedWavelets, layer: LayerWavelets, kernel: tuple[int, int]
) -> tuple[RemovalEffects | None, tuple[int, int] | None]:
    """Draw the section.

    Returns what removing each kernel of the layer does, where that is known, and the kernel (wavelet, feature) that
    was picked in its chart, where one was picked just now.
    """
    st.subheader("Which wavelets matter")
    st.caption(
        "Wavelets are taken out of the model and its predictions compared with before. In the control, random Mexican "
        "hats are taken out of the same features instead, scaled so that as much is missing."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = PARTS[
            st.segmented_control(
                "Measured on", list(PARTS), default="test series", required=True, key=PART_KEY, persist_state="session"
            )
            or "test series"
        ]
        parts_key = _key(chosen, part, "parts")
        kernels_key = _key(chosen, part, layer.layer)
        _button("parts", "Remove each part", parts_key, chosen, part, every_part(layers), N_CONTROLS)
        label = f"Remove each kernel of layer {layer.layer + 1}"
        _button("kernels", label, kernels_key, chosen, part, every_kernel(layers, layer.layer), 1)
    parts: RemovalEffects | None = ask.begun("All wavelets, each layer and each wavelet removed in turn", parts_key)
    kernels: RemovalEffects | None = ask.begun("Each kernel removed in turn", kernels_key)
    picked = None
    if parts is not None:
        _parts(parts)
    if kernels is not None:
        picked = _kernels(kernels, layer, kernel)
    return kernels, picked


def _button(
    name: str,
    label: str,
    key: Hashable,
    chosen: Context,
    part: MeasuredPart,
    removals: list[Removal],
    n_controls: int,
) -> None:
    model, series_set = chosen.model, chosen.series_set
    assert model is not None

    def compute(progress: Progress) -> RemovalEffects:
        some, _ = series_to_measure(model, series_set, part)
        return removal_effects(model, some, removals, n_controls=n_controls, progress=progress)

    st.button(
        label,
        icon=":material/content_cut:",
        key=f"remove_{name}",
        disabled=ask.is_known(key),
        on_click=ask.begin,
        args=(key, compute),
    )


def _key(chosen: Context, part: str, what: str | int) -> Hashable:
    assert chosen.model is not None
    return "wavelet removal", chosen.model.fingerprint, chosen.series_set.fingerprint, part, what


def _parts(effects: RemovalEffects) -> None:
    st.markdown("**Removed part by part**")
    titles = [removal.title for removal in effects.removals]
    figure = part_effects_figure(
        titles, effects.size, effects.control_sizes, [_note(effects, place) for place in range(len(titles))],
        theme=theme(),
    )  # fmt: skip
    chart(figure, key="part_effects", alt="Change of the logit by removing each part, and by random wavelets instead.")
    _verdict(part_sentence(effects, 0), strong=bool(effects.beats[0] >= STRONG))
    n_strong = int((effects.beats >= STRONG).sum())
    st.caption(
        f"Over {effects.n_series} series; {N_CONTROLS} random controls a row. {n_strong} of {len(titles)} parts change "
        f"the logit more than {STRONG:.0%} of their controls. The three wavelets of a layer start alike and have no "
        "order: what sets wavelet 1 apart from 2 is chance and training."
    )


def _note(effects: RemovalEffects, place: int) -> str:
    if effects.accuracy is None:
        return f"{percent(float(effects.changed[place, 0]))} change class"
    controls = float(np.median(effects.accuracy[place, 1:]))
    return f"accuracy {effects.accuracy[place, 0]:.2f} (random: {controls:.2f})"


def _kernels(effects: RemovalEffects, layer: LayerWavelets, kernel: tuple[int, int]) -> tuple[int, int] | None:
    st.markdown(f"**Removed kernel by kernel**: layer {layer.layer + 1}")
    shape = layer.scales.shape
    own, control = effects.size.reshape(shape), effects.control_sizes[:, 0].reshape(shape)
    picture, told = split([2.2, 1], "kernel_effects")
    with picture:
        figure = kernel_effects_figure(
            effects.energy.reshape(shape), own, control, layer=layer.layer,
            selected=(layer.layer, *kernel), theme=theme(),
        )  # fmt: skip
        points = chart(
            figure, key=f"effects_{layer.layer}", alt="Change of the logit by removing each kernel, against its size.",
            pick=True,
        )  # fmt: skip
    with told:
        rank = int((own > own[kernel]).sum()) + 1
        st.metric(
            f"Wavelet {kernel[0] + 1}, feature {kernel[1] + 1}",
            f"rank {rank} of {own.size}",
            help="By the mean absolute change of the predicted class's logit when it is removed: 1 changes most.",
        )
        st.caption(
            f"Removed, it changes the logit by {number(own[kernel])} on average; a random kernel that takes away as "
            f"much, by {number(control[kernel])}."
        )
        st.markdown(plain(kernels_sentence(effects)))
    return _new_pick(picked_ids(points), f"{PICK_KEY}_{layer.layer}")


def _new_pick(ids: list[tuple[object, ...]], key: str) -> tuple[int, int] | None:
    if not ids or ids[-1] == st.session_state.get(key):
        return None
    st.session_state[key] = ids[-1]
    _, wavelet, feature = (int(str(part)) for part in ids[-1][:3])
    return wavelet, feature


def _verdict(sentence: str, *, strong: bool) -> None:
    if strong:
        st.success(plain(sentence), icon=":material/check_circle:")
    else:
        st.warning(plain(sentence), icon=":material/warning:")
