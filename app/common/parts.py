"""Layout parts that several pages use: headings, guides, empty states, and the guard against tracebacks."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from app.common.chart import draw
from timemil_core.errors import AbsentDataError, TimeMILError

logger = logging.getLogger("timemil.app")
JOINER = "\u2060"
_ADDRESS = re.compile(r"(www|[a-z]\\:|(?=@))(\.|//|@)", re.IGNORECASE)  # after the escaping: "http\\://"
Theme = Literal["light", "dark"]


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Show a problem in words, never as a traceback. What is ours to mend goes to the log under a number."""
    try:
        yield
    except AbsentDataError as error:
        st.info(plain(str(error)), icon=":material/cloud_download:")
        st.page_link(
            "data/page.py",
            label=f"Download {plain(error.reference)}",
            icon=":material/download:",
            query_params={"data": error.reference},
        )
    except TimeMILError as error:
        st.error(plain(str(error)), icon=":material/error:")
    except Exception:
        number = secrets.token_hex(3)
        logger.exception("fault %s in %s", number, what)
        st.error(
            f"{what} could not be shown: a fault of this program, not of your data. Nothing was lost. The server's "
            f"log tells more under number {number}.",
            icon=":material/bug_report:",
        )


def plain(text: str) -> str:
    """Escape what Markdown would take for markup in texts that hold names from files, and what it would link.

    Addresses (``www.``, ``http://``, of mail) become links where they stand in plain text, whatever is escaped: an
    invisible joiner in them keeps them text.
    """
    for character in "\\`*_{}[]<>()#+!|$~:":
        text = text.replace(character, "\\" + character)
    return _ADDRESS.sub(lambda found: f"{found[1]}{JOINER}{found[2]}", text)


def theme() -> Theme:
    """Return the theme that the browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"


def heading(title: str, lead: str) -> None:
    """Write a page's title and the one sentence that says what it shows."""
    st.title(title)
    st.markdown(lead)


def guide(text: str, *, limits: str) -> None:
    """Write the page's paragraph on how to read it, and what it cannot tell."""
    with st.expander("How to read this, and its limits", icon=":material/menu_book:"):
        st.markdown(f"{text}\n\n**Limits.** {limits}")


def empty_state(
    text: str,
    *,
    page: str = "train/page.py",
    label: str = "Train a model on these data",
    icon: str = ":material/model_training:",
) -> None:
    """Say why there is nothing to see and offer the way on, by default to the Train page."""
    with st.container(border=True):
        st.markdown(text)
        st.page_link(page, label=label, icon=icon)


def split(
    spec: int | Sequence[float], key: str, minimum: Literal["narrow", "medium", "wide"] = "medium"
) -> Sequence[st.delta_generator.DeltaGenerator]:
    """Return columns that wrap onto the next line before they become too narrow for what they hold."""
    prefix = "split-" if minimum == "medium" else f"split-{minimum}-"
    with st.container(key=f"{prefix}{key}"):
        return st.columns(spec, gap="medium")


def chart(figure: go.Figure, *, key: str, alt: str, pick: bool = False) -> list[dict[str, Any]]:
    """Draw a figure; with ``pick``, points can be picked and come back."""
    if pick:
        figure.update_layout(dragmode="select", clickmode="event+select")
    return draw(figure, key=key, alt=alt, pick=pick)


def picked_ids(points: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the ``customdata`` of each picked point, without repeats, in the order picked."""
    ids = [tuple(point["customdata"]) for point in points if point.get("customdata") is not None]
    return list(dict.fromkeys(ids))


def duration(seconds: float) -> str:
    """Write a time to wait in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def percent(share: float, digits: int = 0) -> str:
    """Write a share as a percentage."""
    return f"{100 * share:.{digits}f} %"
