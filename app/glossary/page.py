"""The glossary, as it stands in ``glossary.md``."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.common.parts import guarded

TEXT = Path(__file__).with_name("glossary.md")


with guarded("The glossary"):
    st.title("Glossary")
    st.markdown(TEXT.read_text("utf-8"))
