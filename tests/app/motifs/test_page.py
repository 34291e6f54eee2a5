"""The Motifs page: nothing is computed before it is asked for; then cards, each with what removing it does."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import computed as computed_meanwhile
from tests.app.test_pages import opened, texts, workspace  # noqa: F401  the fixture keeps the user's workspace out


def said_of(app: AppTest) -> str:
    """What the coloured sentences of the cards say."""
    return "\n".join(one.value for one in (*app.success, *app.warning, *app.info))


def test_an_atlas_is_made_on_request_and_links_to_its_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timemil_core.explain.motifs.atlas.MOST_SERIES", 8)
    app = opened("motifs", data="ItalyPowerDemand", model="italypowerdemand")
    assert app.title[0].value == "Motifs"
    assert not app.exception and not app.error
    assert "Removing it" in said_of(app)  # shipped with its motifs
    assert not any(one.key == "motif_make" for one in app.button)
    app = app.selectbox(key="motif_method").set_value("attention").run()
    assert "in the background" in texts(app) and "Removing it" not in said_of(app)
    app = next(one for one in app.button if one.key == "motif_make").click().run()
    for _ in range(1200):
        if not any((one.key or "").startswith("cancel_") for one in app.button):
            break
        computed_meanwhile()
        app.run()
    assert not app.exception and not app.error
    said = texts(app).replace("\\", "")
    assert "8 of 67 training series" in said and "motif 1 of" in said
    assert "Removing it" in said_of(app)
    link = next(one for one in app.button if "_member_" in (one.key or ""))
    series = link.label.replace("\\", "").split(" · ")[0]
    app = link.click().run()
    assert app.title[0].value == "Attention"
    assert app.query_params["series"] in (series, [series])
