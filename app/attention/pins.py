"""The comparison pin: a second series, or a second model, held beside the chosen one; in the URL."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app.common import loading, state
from app.common.context import Context, spans
from app.common.parts import plain
from app.common.span import written
from timemil_core.errors import DataError, ModelError
from timemil_core.models.shelf import shelf
from timemil_core.models.sweep_notes import CELL_PREFIX, cell_title

LONGEST_NAME = 28


def bar(chosen: Context) -> None:
    """Draw the buttons that pin and unpin, and say what is held."""
    with st.container(horizontal=True, vertical_alignment="center", key="pins"):
        for what, parameter, pinned, own in (
            ("series", state.PIN_SERIES, chosen.pin_series, chosen.series_id),
            ("model", state.PIN_MODEL, chosen.pin_model, chosen.model_reference),
        ):
            _button(what, parameter, pinned, own)
        st.caption(_told(chosen), width="content")


def pinned(chosen: Context) -> Context | None:
    """Return what is compared with the chosen series and model; None where nothing else is pinned.

    What is not pinned is as chosen: with a model alone, the same series by the other model.

    Raises
    ------
    DataError, ModelError
        Where the pinned series is not in the set, or the pinned model cannot be opened or does not read the set.
    """
    series_id = chosen.pin_series or chosen.series_id
    reference = chosen.pin_model or chosen.model_reference
    if (series_id, reference) == (chosen.series_id, chosen.model_reference):
        return None
    series_set = chosen.series_set
    if series_id not in series_set.series_ids:
        raise DataError(
            f"the pinned series {series_id!r} is not in this set.", where=series_set.name, remedy="Unpin it."
        )
    model = chosen.model if reference == chosen.model_reference else loading.model(reference)
    if model is not None and chosen.model is not None:
        model.check_fits(series_set)
        if set(model.class_names) != set(chosen.model.class_names):
            raise ModelError(
                f"the pinned model tells {', '.join(model.class_names)} apart, the chosen one "
                f"{', '.join(chosen.model.class_names)}: their maps cannot be compared.",
                where=reference,
                remedy="Unpin it.",
            )
    index = series_set.series_ids.index(series_id)
    seen, marked = spans(written(chosen.chosen_span), series_set, index)
    return replace(
        chosen, model=model, model_reference=reference, index=index, span=seen, marked=marked, pin_series="",
        pin_model="",
    )  # fmt: skip


def model_title(reference: str) -> str:
    """Return what to call a model."""
    titles = {entry.reference: f"{entry.title} · {entry.origin}" for entry in shelf()}
    if reference.startswith(CELL_PREFIX):
        return cell_title(reference)
    return titles.get(reference, reference)


def _button(what: str, parameter: str, pinned: str, own: str) -> None:
    name = (model_title(pinned) if what == "model" else pinned) if pinned else ""
    short = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    st.button(
        f"Unpin {what} {plain(short)}" if pinned else f"Pin this {what}",
        icon=":material/close:" if pinned else ":material/push_pin:",
        key=f"pin_{what}",
        type="secondary" if pinned else "tertiary",
        on_click=lambda: state.choose(**{parameter: "" if pinned else own}),
        help=name if pinned else f"Holds this {what} beside those that you choose next.",
    )


def _told(chosen: Context) -> str:
    waiting = [
        what
        for what, pinned, own in (
            ("series", chosen.pin_series, chosen.series_id),
            ("model", chosen.pin_model, chosen.model_reference),
        )
        if pinned and pinned == own
    ]
    if waiting and not (chosen.pin_series and chosen.pin_model and len(waiting) < 2):
        return f"Pinned: choose another {' or '.join(waiting)} to see both side by side."
    return "" if chosen.pin_series or chosen.pin_model else "to see another beside it"
