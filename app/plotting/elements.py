"""The parts of Streamlit's own code that the pictures' pages are made of, named in the page so that they come early.

Streamlit's browser code fetches the code of each kind of element when the first of the kind is to be drawn, and then
what that imports in turn: half a second of a first picture.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit

FOLDER = Path(streamlit.__file__).parent / "static" / "static" / "js"
ELEMENTS = ("BidiComponent", "Selectbox", "Button", "DownloadButton", "Html")
IMPORT = re.compile(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")


@cache
def modules() -> tuple[str, ...]:
    """Return the file names of the elements' code and of what it imports; none where Streamlit names it otherwise."""
    waiting = [path.name for element in ELEMENTS for path in FOLDER.glob(f"{element}.*.js")]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name not in found and (FOLDER / name).is_file():
            found[name] = None
            waiting += IMPORT.findall((FOLDER / name).read_text(encoding="utf-8"))
    return tuple(found)


def tags(page: bytes) -> bytes:
    """Return what names, in the head of Streamlit's page, the modules that it does not name itself."""
    unnamed = [name for name in modules() if name.encode() not in page]
    return "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{name}">' for name in unnamed).encode()
