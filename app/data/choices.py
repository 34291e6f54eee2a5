"""A widget for each choice of a file or a set; what was chosen is kept until the set changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Literal

import streamlit as st

from timemil_core.data.files.choices import Choice, Value

NONE = "— none —"
Width = int | Literal["stretch"]
A_FIELD = 224  # pixels: what most options need; a row wraps where the page is narrow
TWO_FIELDS = 2 * A_FIELD + 16


def given(key: str) -> dict[str, Value]:
    """Return what was chosen under this key, by the choices' names; what still holds by itself is not in it."""
    kept: dict[str, Value] = st.session_state.setdefault(f"{key}_given", {})
    return kept


def forget(key: str) -> None:
    """Go back to what holds without a choice."""
    for name in list(st.session_state):
        if str(name).startswith(f"{key}_"):
            del st.session_state[name]


def draw(choices: Iterable[Choice], key: str) -> None:
    """Draw the widgets one below the other; a change is in ``given(key)`` from the run on that it causes."""
    for choice in choices:
        _WIDGETS[choice.kind](choice, _widget(choice, key), key, "stretch")


def draw_beside(choice: Choice, key: str) -> None:
    """Draw one widget as wide as it needs to be, for a row of several that wraps."""
    width = TWO_FIELDS if choice.kind == "some" else A_FIELD
    _WIDGETS[choice.kind](choice, _widget(choice, key), key, width)


def _widget(choice: Choice, key: str) -> str:
    """Return a widget's name: another for each guess, or it would go on showing the one that it was drawn with."""
    guesses: dict[str, Value] = st.session_state.setdefault(f"{key}_guesses", {})
    if choice.name not in given(key):
        guesses[choice.name] = choice.value
    mark = hashlib.sha256(repr(guesses.get(choice.name)).encode()).hexdigest()[:8]
    return f"{key}_widget_{choice.name}_{mark}"


def _remember(name: str, widget: str, key: str) -> None:
    value = st.session_state[widget]
    given(key)[name] = None if value == NONE else tuple(value) if isinstance(value, list) else value


def _one(choice: Choice, widget: str, key: str, width: Width) -> None:
    options = [*([NONE] if choice.optional else []), *choice.options]
    titles: Mapping[str, str] = {NONE: NONE, **choice.options}
    st.selectbox(
        choice.title,
        options,
        index=options.index(choice.value) if isinstance(choice.value, str) and choice.value in options else 0,
        format_func=titles.__getitem__,
        key=widget,
        help=choice.help or None,
        width=width,
        on_change=_remember,
        args=(choice.name, widget, key),
    )


def _some(choice: Choice, widget: str, key: str, width: Width) -> None:
    st.multiselect(
        choice.title,
        list(choice.options),
        default=list(choice.value) if isinstance(choice.value, tuple) else [],
        format_func=choice.options.__getitem__,
        key=widget,
        help=choice.help or None,
        width=width,
        on_change=_remember,
        args=(choice.name, widget, key),
    )


def _number(choice: Choice, widget: str, key: str, width: Width) -> None:
    st.number_input(
        choice.title,
        min_value=0.0,
        value=float(choice.value) if isinstance(choice.value, int | float) else None,
        format="%.6g",
        key=widget,
        help=choice.help or None,
        width=width,
        placeholder="—",
        on_change=_remember,
        args=(choice.name, widget, key),
    )


def _flag(choice: Choice, widget: str, key: str, width: Width) -> None:
    st.checkbox(
        choice.title,
        value=bool(choice.value),
        key=widget,
        help=choice.help or None,
        width=width,
        on_change=_remember,
        args=(choice.name, widget, key),
    )


_WIDGETS = {"one": _one, "some": _some, "number": _number, "flag": _flag}
