"""The layouts that the upload page pictures are read as what it says."""

from __future__ import annotations

import io
import zipfile

import pytest

from app.data.templates import LAYOUTS
from timemil_core.data.files.source import from_bytes
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.tables import example_tables

TITLES = {
    "example_long.csv": "a table, long: a row a time point",
    "example_wide.csv": "a table, wide: a row is a series of",
    "example_melted.csv": "a table, melted: a row a value, with its channel",
    "example_wide_channels.csv": "a table, wide: a row is a series of",
    "example_ucr.tsv": "a table, wide: a row is a series of",
}


def test_each_template_is_pictured() -> None:
    assert {layout.template for layout in LAYOUTS} == set(example_tables())


@pytest.mark.parametrize("template", TITLES)
def test_a_sketch_is_read_as_the_layout_that_it_shows(template: str) -> None:
    (layout,) = (layout for layout in LAYOUTS if layout.template == template)
    inspection = inspect_files([from_bytes("sketch.txt", layout.sketch.encode())])
    assert inspection.title.startswith(TITLES[template])
    series_set = read_files(inspection).series_set
    assert len(series_set.class_names) == 2
    assert series_set.n_channels == (1 if template in ("example_wide.csv", "example_ucr.tsv") else 2)
    assert series_set.series[0][0, 0] == pytest.approx(0.1)


def test_the_sketch_of_folders_names_the_classes() -> None:
    (layout,) = (layout for layout in LAYOUTS if layout.template.endswith(".zip"))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in layout.sketch.splitlines():
            archive.writestr(name, "time_s,x\n0,1\n1,2\n")
    series_set = read_files(inspect_files([from_bytes("set.zip", content.getvalue())])).series_set
    assert series_set.class_names == ("run", "walk")
