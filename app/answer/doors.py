"""Beneath the answer: lessons, your own series, and every trained model, each of which opens its own answer."""

from __future__ import annotations

import streamlit as st

from app import ask
from app.common import state
from app.common.context import Context
from app.common.parts import plain, split
from timemil_core.explain.evaluation.wording import of_itself_in_short
from timemil_core.explain.importance import METHODS
from timemil_core.explain.lessons import Lesson, ranking_of
from timemil_core.explain.lessons import lessons as lessons_of
from timemil_core.models.shelf import ShelfEntry, shelf, unreadable

_TOP = st.components.v2.component(
    "timemil.top",
    js="""
let before;
export default function ({ data }) {
  if (before !== undefined && before !== data) document.querySelector("[data-testid=stMain]").scrollTo(0, 0);
  before = data;
}
""",
    isolate_styles=False,
)


def lessons() -> None:
    """Draw a card a lesson, and the way to one's own series."""
    entries = shelf()
    found: tuple[Lesson, ...] = ask.at_once(
        "The lessons",
        ("lessons", tuple((one.reference, str(one.facts.get("fingerprint"))) for one in entries)),
        lambda progress: lessons_of(entries),
    )
    st.subheader("See for yourself")
    columns = split(len(found) + 1, "lessons", "narrow")
    for column, lesson in zip(columns, found, strict=False):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{lesson.title}**")
            st.caption(plain(f"{lesson.entry.title}. {lesson.sentence}"))
            _open(lesson.entry, "lesson")
    with columns[-1], st.container(border=True, height="stretch"):
        st.markdown("**Your own series**")
        st.caption("Upload a table, check how it was read, train, and get the same answer for it.")
        st.page_link("data/page.py", label="Upload", icon=":material/upload:", query_params={state.VIEW: state.UPLOAD})


def models() -> None:
    """List every trained model."""
    st.subheader("Trained models")
    entries = shelf()
    if not entries:
        st.markdown("None yet: train one on the Train page.")
        return
    for reference, problem in unreadable().items():
        st.warning(f"{plain(reference)} cannot be opened: {plain(problem)}", icon=":material/warning:")
    for start in range(0, len(entries), 3):
        for column, entry in zip(split(3, f"models-{start}", "narrow"), entries[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**{plain(entry.title)}** · {plain(entry.origin)}")
                accuracy = entry.facts.get("scores", {}).get("test_accuracy")
                if accuracy is not None:
                    st.caption(
                        f"test accuracy {accuracy:.3f} on {entry.facts.get('n_test', '?')} series{_worth(entry)}"
                    )
                _open(entry, "open")


def _worth(entry: ShelfEntry) -> str:
    ranking = ranking_of(entry)
    told = "" if ranking is None else of_itself_in_short(ranking)
    return f" · {told}" if told else ""


def _open(entry: ShelfEntry, key: str) -> None:
    opened = {
        "data": entry.data,
        "model": entry.reference,
        "series": str(entry.facts.get("opening_series") or ""),
    }
    st.button(
        "Open", key=f"{key}_{entry.reference}", icon=":material/arrow_upward:", on_click=state.choose, kwargs=opened
    )


def series_link(chosen: Context, series_id: str, label: str, *, is_wrong: bool, by: str | None = None) -> None:
    """Lead to a series on the Attention page, to the map of a method where one is given; ``label`` is escaped."""
    st.page_link(
        "attention/page.py",
        label=label,
        icon=":material/close:" if is_wrong else ":material/arrow_outward:",
        query_params={
            state.DATA: chosen.data,
            state.MODEL: chosen.model_reference,
            state.SERIES: series_id,
            **({} if by is None else {"map": METHODS[by].title}),
        },
        width="content",
    )


def to_top(shown: str) -> None:
    """Scroll to the top where another model is shown than before: what opens one is at the foot of the page."""
    _TOP(key="top", data=shown)
