"""The code of the drawing library as the app serves it: only the kinds of traces that are drawn, and run when it suits.

Running Plotly's code keeps a browser's main thread from anything else longer than anything else of a first picture: it
sets up some fifty kinds of traces, maps of the world and scenes in space among them. Here it sets up those in
``KINDS``, and waits until the page has asked the server for its content, so that both work at once.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import plotly

FILE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
KINDS = frozenset({"scatter", "scattergl", "heatmap", "contour", "bar"})
"""What ``element.draw`` takes."""

# The library lies in a function that loaders of modules call. A browser reads such a function three times: skimmed,
# compiled, and skimmed again when it runs, all but the first on the main thread.
BEGIN, END = b'"use strict";var Plotly=', b"return Plotly;\n}));"
REGISTERED = re.compile(rb"\.register\(\[((?:[\w$]+\(\),)*[\w$]+\(\))\]\);[\w$]+\.exports=")
KIND = re.compile(rb'moduleType:"\w+",name:"(\w+)"')
CALLED = re.compile(rb"=([\w$]+)\(\)")
MOST_STEPS = 4  # from what is registered to the module that tells its kind

# In brackets, so that a browser compiles what is within at once, in the background.
HELD = b"globalThis.timemilPlotly = (() => {\n%s\nreturn Plotly;\n});\n"
# Streamlit asks for its settings and then opens its connection; 30 ms later the page's content has been asked for.
RUN = b"""
new PerformanceObserver((list, observer) => {
  const asked = ({ name, responseStatus }) => name.endsWith("/_stcore/host-config") && responseStatus === 200;
  if (!list.getEntries().some(asked)) return;
  observer.disconnect();
  setTimeout(() => globalThis.Plotly ?? globalThis.timemilPlotly(), 30);
}).observe({ type: "resource", buffered: true });
"""


@cache
def script() -> bytes:
    """Return the library as a script of its own; as Plotly ships it, where that is not the known way.

    ``timemilPlotly`` is a name of the page then, which runs the library and returns it; after that ``Plotly`` is one.
    """
    text = FILE.read_bytes()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        return text
    licence = text[: text.index(b"*/") + 2]
    code = with_kinds(text[text.index(BEGIN) : text.index(END)])
    return licence + b"\n" + HELD % code + RUN


def with_kinds(code: bytes) -> bytes:
    """Return the library's code with fewer kinds of traces in its list; whose kind is not found, stays."""
    found = REGISTERED.search(code)
    if found is None:
        return code
    wanted = [call for call in found[1].split(b",") if _kind(code, call[:-2]) in {None, *KINDS}]
    return code[: found.start(1)] + b",".join(wanted) + code[found.end(1) :]


def _kind(code: bytes, module: bytes) -> str | None:
    """Return the kind of traces that a module is about; it may be what another module gives."""
    for _ in range(MOST_STEPS):
        begin = code.find(b"var " + module + b"=")
        end = code.find(b";var ", code.find(b"exports=", begin)) if begin >= 0 else -1
        if end < 0:
            return None
        text = code[begin:end]
        if told := KIND.search(text):
            return told[1].decode()
        called = CALLED.search(text)
        if called is None:
            return None
        module = called[1]
    return None
