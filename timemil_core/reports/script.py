"""The Python script that makes a report's numbers again, and checks that they come from the same model and data."""

from __future__ import annotations

from timemil_core.data.series_set import SeriesSet
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Asked

SCRIPT = '''"""Makes the numbers of a TimeMIL report again; writes the map to map.csv."""

import numpy as np

from timemil_core.data import catalogue
from timemil_core.commands.predict import open_named_model
from timemil_core.reports.findings import Asked, find

asked = {asked}
model = open_named_model(asked.model)
series_set = catalogue.load(asked.data)
assert model.fingerprint == {model!r}, "this is another model than the report's"
assert series_set.fingerprint == {data!r}, "these are other data than the report's"

found = find(model, series_set, asked)
print("predicted:", model.class_names[found.examination.predicted])
print(found.importance.name, "-", found.importance.note)
print(found.removal.sentence)
np.savetxt("map.csv", found.importance.values, header=found.importance.name, comments="")
'''


def script(model: TrainedModel, series_set: SeriesSet, asked: Asked) -> str:
    """Return the script; every name of a user's stands in it as a Python literal."""
    return SCRIPT.format(asked=repr(asked), model=model.fingerprint, data=series_set.fingerprint)
