"""The layouts of tables that are understood: what each looks like, and a small set of real series to fill in."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app.common.parts import split
from timemil_core.data.tables import example_tables


@dataclass(frozen=True)
class Layout:
    """A layout: what a row is, how such a table begins, and the file that is a template of it."""

    title: str
    sketch: str
    template: str


LAYOUTS = (
    Layout(
        "**Long**: a row a time point",
        "id  time_s  x    y    label\na   0.0     0.1  2.4  walk\na   0.1     0.3  2.2  walk\n"
        "b   0.0     1.7  0.4  run",
        "example_long.csv",
    ),
    Layout(
        "**Wide**: a row a series",
        "id  label  t_0  t_1  t_2\na   walk   0.1  0.3  0.2\nb   run    1.7  1.5  1.8\nc   walk   0.2  0.1  0.4",
        "example_wide.csv",
    ),
    Layout(
        "**Melted**: a row a value",
        "id  time_s  channel  value  label\na   0.0     x        0.1    walk\na   0.0     y        2.4    walk\n"
        "b   0.0     x        1.7    run",
        "example_melted.csv",
    ),
    Layout(
        "**Wide, several channels**",
        "id  label  x_0  x_1  y_0  y_1\na   walk   0.1  0.3  2.4  2.2\nb   run    1.7  1.5  0.4  0.6",
        "example_wide_channels.csv",
    ),
    Layout(
        "**UCR**: the class first, no header",
        "1  0.1  0.3  0.2  0.4\n2  1.7  1.5  1.8  1.6\n1  0.2  0.1  0.4  0.3",
        "example_ucr.tsv",
    ),
    Layout(
        "**A file a series**, by class",
        "walk/a.csv\nwalk/c.csv\nrun/b.csv",
        "example_a_file_a_series.zip",
    ),
)


def pictured() -> None:
    """Show each layout, with its template."""
    st.subheader("Tables that are understood")
    st.caption("Names of columns and their order may be others. A template holds real series: put in yours, upload it.")
    places = [*split(3, "layouts"), *split(3, "layouts-more")]
    for place, layout in zip(places, LAYOUTS, strict=True):
        with place:
            st.markdown(layout.title)
            st.code(layout.sketch, language=None)
            _download(layout)


def popover() -> None:
    """Offer the templates behind a button."""
    with st.popover("Templates", icon=":material/download:", type="tertiary"):
        st.markdown("Each is a small set of real series: look at its columns, put in yours, upload it again.")
        for layout in LAYOUTS:
            _download(layout)


def _download(layout: Layout) -> None:
    name = layout.template
    content = _example_tables()[name]
    st.download_button(
        name, content, file_name=name, icon=":material/download:", on_click="ignore", key=name, type="tertiary"
    )


@st.cache_data(show_spinner=False)
def _example_tables() -> dict[str, bytes]:
    return example_tables()
