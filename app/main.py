"""The server: Streamlit with this app's pages, started by ``streamlit run app/main.py``; they begin in shell.py."""

from __future__ import annotations

import sys
from pathlib import Path

# `streamlit run` puts app/ on the path, not the checkout that holds app and timemil_core.
ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

import streamlit as st  # noqa: E402

from app.admission import admission  # noqa: E402

app = st.App("shell.py", middleware=[admission()])
