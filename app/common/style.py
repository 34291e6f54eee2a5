"""The few rules that Streamlit's own settings do not reach: columns that wrap before their charts are squeezed."""

from __future__ import annotations

import streamlit as st

# Keys of containers become classes `st-key-…`; only our own keys are used as hooks.
RULES = """
<style>
[class*="st-key-split-"] > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"],
[class*="st-key-split-"] > [data-testid="stHorizontalBlock"] { flex-wrap: wrap; }
[class*="st-key-split-"] > * > [data-testid="stColumn"],
[class*="st-key-split-"] > * > * > [data-testid="stColumn"] { min-width: min(100%, 18rem); }
[class*="st-key-split-wide-"] > * > [data-testid="stColumn"],
[class*="st-key-split-wide-"] > * > * > [data-testid="stColumn"] { min-width: min(100%, 27rem); }
[class*="st-key-split-narrow-"] > * > [data-testid="stColumn"],
[class*="st-key-split-narrow-"] > * > * > [data-testid="stColumn"] { min-width: min(100%, 8.5rem); }
.st-key-top > [data-testid="stLayoutWrapper"]:last-child, .st-key-result > :first-child { min-width: min(100%, 20rem); }
.st-key-top h1 { padding-block: 0.25rem; }
.timemil-chart:not(:fullscreen) .modebar-container { top: -22px !important; }  /* above the legend, not upon it */
/* In the theme's primary colour, a chosen segment is read at 3.6 to 1 on dark. */
[data-testid="stButtonGroup"] [aria-checked="true"] { color: inherit !important; font-weight: 600; }
[data-testid="stMainBlockContainer"] { padding-inline: clamp(1rem, 4vw, 4.5rem); }
</style>
"""


def apply() -> None:
    """Put the rules into the page."""
    st.html(RULES)
