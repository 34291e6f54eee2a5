"""What is made of Plotly's code before a browser gets it."""

from __future__ import annotations

import re
from pathlib import Path

import plotly.graph_objects as go
import pytest

from app.plotting import element, script

ROOT = Path(__file__).resolve().parents[2]


def test_the_script_is_the_library_without_its_wrapper_and_runs_when_it_is_called() -> None:
    text, file = script.script(), script.FILE.read_bytes()
    assert text.startswith(b"/**\n* plotly.js v")
    assert b"\nglobalThis.timemilPlotly = (() => {\n" in text[:300]
    assert b"window.Plotly = Plotly;\n\nreturn Plotly;\n});" in text[-1000:]
    assert 0 < len(file) - len(text) < 1000


def test_the_kinds_that_are_drawn_are_set_up_and_no_others() -> None:
    def kinds(code: bytes) -> list[str | None]:
        found = script.REGISTERED.search(code)
        assert found is not None
        return [script._kind(code, call[:-2]) for call in found[1].split(b",")]

    assert len(kinds(script.FILE.read_bytes())) > 40
    # the library brings scatter by itself
    assert sorted(map(str, kinds(script.script()))) == sorted(script.KINDS - {"scatter"})


def test_what_is_not_known_stays() -> None:
    assert script.with_kinds(b"var a=1;") == b"var a=1;"
    listed = b'var p=W((e,t)=>{t.exports={moduleType:"trace",name:"pie"}});var x=W((e,t)=>{r.register([p(),q()]);'
    listed += b"r.exports=r});"
    assert script.with_kinds(listed) == listed.replace(b"[p(),q()]", b"[q()]")


def test_all_kinds_of_our_figures_are_among_them() -> None:
    sources = [
        path.read_text(encoding="utf-8") for folder in ("timemil_core", "app") for path in (ROOT / folder).rglob("*.py")
    ]
    used = {name for source in sources for name in re.findall(r"\bgo\.([A-Z]\w+)\(", source)} - {"Figure"}
    assert used
    assert {getattr(go, name)().type for name in used if hasattr(getattr(go, name)(), "type")} <= script.KINDS


def test_another_kind_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="does not draw pie"):
        element.draw(go.Figure(go.Pie(values=[1, 2])), key="pie", alt="a pie")


def test_a_library_in_another_wrapper_is_served_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "plotly.min.js"
    file.write_bytes(b"export default 1;")
    monkeypatch.setattr(script, "FILE", file)
    script.script.cache_clear()
    try:
        assert script.script() == b"export default 1;"
    finally:
        script.script.cache_clear()
