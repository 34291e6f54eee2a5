"""The Series page: all series with what the model says of them, filtered."""

from __future__ import annotations

import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.test_pages import PATIENCE, opened, texts, workspace
from timemil_core.data import catalogue
from timemil_core.explain.workbench import classified
from timemil_core.models.shelf import open_model

__all__ = ["workspace"]

ITALY = {"data": "ItalyPowerDemand", "model": "italypowerdemand"}


def opened_whole(**query: str) -> AppTest:
    app = opened("workbench", **query)
    for _ in range(PATIENCE):  # all are classified in the background where it takes longer than a page may wait
        if app.dataframe:
            return app
        time.sleep(1)
        app.run()
    pytest.fail("the series were not classified")


def table(app: AppTest) -> list[str]:
    [shown] = [one.value for one in app.dataframe if "predicted" in one.value]
    return list(shown["series"])


def test_all_series_stand_in_the_table_the_wrong_ones_first() -> None:
    series_set = catalogue.load("ItalyPowerDemand")
    wrong = classified(open_model("italypowerdemand"), series_set).wrong
    app = opened_whole(**ITALY)
    assert not app.exception and not app.error
    shown = table(app)
    assert sorted(shown) == sorted(series_set.series_ids)
    assert set(shown[: int(wrong.sum())]) == {series_set.series_ids[index] for index in np.flatnonzero(wrong)}
    [confusion] = [one.value for one in app.dataframe if "predicted" not in one.value]
    assert int(confusion.to_numpy().sum() - np.trace(confusion.to_numpy())) == int(wrong.sum())
    by_part = [(part, series_set.indices(part)) for part in ("test", "train")]
    right = [f"{int((~wrong[places]).sum())} of {len(places)} {part}" for part, places in by_part]
    assert f"Right: {right[0]} series, {right[1]}ing series." in texts(app)


def test_filters_hold_together() -> None:
    series_set = catalogue.load("ItalyPowerDemand")
    told = classified(open_model("italypowerdemand"), series_set)
    app = opened_whole(**ITALY)
    app = app.get("button_group")[0].set_value(["wrong", "test part"]).run()
    wanted = told.wrong & (series_set.split == "test")
    assert sorted(table(app)) == sorted(series_set.series_ids[index] for index in np.flatnonzero(wanted))
    app = app.selectbox(key="true_class").set_value("warm months").run()
    assert len(table(app)) == int((wanted & (told.true == 1)).sum())
