"""The page list, and what all pages share: what ``main.py`` serves."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import sidebar, style
from app.memory import settle
from app.parts import guarded

# A file of our own: Streamlit fetches the icons that it has names for from a server of another firm.
ICON = Path(__file__).with_name("icon.png")

st.set_page_config(page_title="TimeMIL", page_icon=ICON, layout="wide")

# The folder is not called "pages": Streamlit would take it for its older kind of multipage app, and a link to a page
# that is the first request after the server's start would run that file alone, without what all pages share.
PAGES = [
    st.Page("views/start.py", title="Start", icon=":material/home:", default=True),
    st.Page("views/data.py", title="Data", icon=":material/table_chart:", url_path="data"),
    st.Page("views/train.py", title="Train", icon=":material/model_training:", url_path="train"),
    st.Page("views/attention.py", title="Attention", icon=":material/visibility:", url_path="attention"),
    st.Page("views/trust.py", title="Trust", icon=":material/verified:", url_path="trust"),
    st.Page("views/whatif.py", title="What if", icon=":material/edit_note:", url_path="whatif"),
    st.Page("views/motifs.py", title="Motifs", icon=":material/grid_view:", url_path="motifs"),
    st.Page("views/wavelets.py", title="Wavelets", icon=":material/ssid_chart:", url_path="wavelets"),
    st.Page("views/boundary.py", title="Decision boundary", icon=":material/scatter_plot:", url_path="boundary"),
]

page = st.navigation(PAGES)
style.apply()
with guarded("The selection in the sidebar"):
    sidebar.show()
page.run()
settle()
