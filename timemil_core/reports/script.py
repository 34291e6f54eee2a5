"""The Python script that makes a report again, and checks that it is of the same model and data."""

from __future__ import annotations

from timemil_core.data.series_set import SeriesSet
from timemil_core.figures.style import ThemeName
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Asked

SCRIPT = '''"""Makes a TimeMIL report again, report.html, and its map, map.csv{writes}."""

from pathlib import Path

import numpy as np

from timemil_core.commands.predict import open_named_model
from timemil_core.data import catalogue
{imports}from timemil_core.reports.findings import Asked, find
from timemil_core.reports.page import report

asked = {asked}
model = open_named_model(asked.model)
series_set = catalogue.load(asked.data)
assert model.fingerprint == {model!r}, "this is another model than the report's"
assert series_set.fingerprint == {data!r}, "these are other data than the report's"

found = find(model, series_set, asked)
print("predicted:", model.class_names[found.examination.predicted])
{edited}print(found.importance.name, "-", found.importance.note)
print(found.sentence)
np.savetxt("map.csv", found.importance.values, header=found.importance.name, comments="")
Path("report.html").write_bytes(report(model, series_set, found, {theme!r}))
'''

EDITED = """print(found.comparison.sentence)
np.savetxt("edited.csv", found.edited.values.T, delimiter=",", header=",".join(series_set.channel_names), comments="")
"""


def script(model: TrainedModel, series_set: SeriesSet, asked: Asked, theme: ThemeName = "light") -> str:
    """Return the script; every name of a user's stands in it as a Python literal."""
    return SCRIPT.format(
        asked=repr(asked),
        model=model.fingerprint,
        data=series_set.fingerprint,
        theme=theme,
        imports="from timemil_core.explain.edits import Edit, Place\n" if asked.edits else "",
        edited=EDITED if asked.edits else "",
        writes=" and the edited series, edited.csv" if asked.edits else "",
    )
