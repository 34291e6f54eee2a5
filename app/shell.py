"""The page list, and what all pages share: what ``main.py`` serves."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.common import login, sidebar, style
from app.common.parts import guarded

# A file of our own: Streamlit fetches the icons that it has names for from a server of another firm.
ICON = Path(__file__).with_name("icon.png")

st.set_page_config(page_title="TimeMIL", page_icon=ICON, layout="wide")

style.apply()
login.require()

# The folder is not called "pages": Streamlit would take it for its older kind of multipage app, and a link to a page
# that is the first request after the server's start would run that file alone, without what all pages share.
PAGES = [
    st.Page("answer/page.py", title="Answer", icon=":material/home:", default=True),
    st.Page("data/page.py", title="Data", icon=":material/table_chart:", url_path="data"),
    st.Page("train/page.py", title="Train", icon=":material/model_training:", url_path="train"),
    st.Page("attention/page.py", title="Attention", icon=":material/visibility:", url_path="attention"),
    st.Page("workbench/page.py", title="Series", icon=":material/list:", url_path="series"),
    st.Page("compare/page.py", title="Compare", icon=":material/balance:", url_path="compare"),
    st.Page("trust/page.py", title="Trust", icon=":material/verified:", url_path="trust"),
    st.Page("whatif/page.py", title="What if", icon=":material/edit_note:", url_path="whatif"),
    st.Page("motifs/page.py", title="Motifs", icon=":material/grid_view:", url_path="motifs"),
    st.Page("wavelets/page.py", title="Wavelets", icon=":material/ssid_chart:", url_path="wavelets"),
    st.Page("boundary/page.py", title="Decision boundary", icon=":material/scatter_plot:", url_path="boundary"),
    st.Page("glossary/page.py", title="Glossary", icon=":material/dictionary:", url_path="glossary"),
]

page = st.navigation(PAGES)
with guarded("The selection in the sidebar"):
    sidebar.show()
page.run()
