"""What the server keeps for as long as it runs is not searched for what it could let go of."""

from __future__ import annotations

import gc

import streamlit as st


@st.cache_resource
def settle() -> None:
    """Set aside, once, everything that is loaded by the end of the first page.

    Streamlit searches all of Python's objects for cycles after each run of a page, which keeps the server from
    answering meanwhile. Most of them are the code of torch and other libraries, which never goes.
    """
    gc.collect()
    gc.freeze()
