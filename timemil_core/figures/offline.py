"""Figures in a page that opens without a network: Plotly's code is in it once, packed, and unpacked by the browser.

Plotly's code is 4.8 MB as it is and 1.9 MB packed. Browsers unpack it since 2023 (``DecompressionStream``); an older
one is told so in words.
"""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from timemil_core.figures.style import CHART_CONFIG

TOO_OLD = "This browser is too old to draw the pictures of this page: it needs one of 2023 or later."

_DRAW = """<script type="module">
const places = [...document.querySelectorAll(".plotly-graph-div")];
try {
  const packed = atob(document.getElementById("plotly").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const library = document.createElement("script");
  library.textContent = await new Response(unpacked).text();
  document.head.append(library);
  for (const place of places) {
    const { data, layout, config } = JSON.parse(document.getElementById(`${place.id}-content`).textContent);
    await Plotly.newPlot(place, data, layout, config);
  }
} catch (error) {
  console.error(error);
  for (const place of places.filter((one) => !one.childElementCount)) place.textContent = "TOO_OLD";
}
</script>"""


def placed(figure: go.Figure, name: str) -> str:
    """Return the place of a figure in a page; ``name`` is its id, of letters, digits and hyphens."""
    # what is in a script element ends at the first "</"
    content = json.dumps(
        {**json.loads(figure.to_json()), "config": CHART_CONFIG}, ensure_ascii=True, separators=(",", ":")
    ).replace("<", "\\u003c")
    return (
        f'<div class="plotly-graph-div" id="{name}" style="height:{figure.layout.height or 450}px"></div>\n'
        f'<script type="application/json" id="{name}-content">{content}</script>'
    )


@cache
def drawing_code() -> str:
    """Return what goes once at the end of a page to draw all figures that were placed in it."""
    packed = base64.b64encode(gzip.compress(get_plotlyjs().encode(), mtime=0)).decode()
    draw = _DRAW.replace("TOO_OLD", TOO_OLD)
    return f'<script type="application/octet-stream" id="plotly">{packed}</script>\n{draw}'
