"""Layouts of sets that are described publicly: read right with at most two choices."""

from __future__ import annotations

import numpy as np
import pytest

from tests.data.formats.reading import reading
from tests.data.public_layouts import LAYOUTS
from timemil_core.data.splitting import with_split
from timemil_core.errors import DataError


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_public_layout_is_read_as_its_makers_mean_it(name: str) -> None:
    layout = LAYOUTS[name]
    made = reading(layout.build(np.random.default_rng(0)), **layout.choices).series_set
    assert len(layout.choices) <= 2
    assert (len(made), made.n_channels) == (layout.n_series, layout.n_channels)
    assert made.series[0].shape[1] == layout.length
    assert made.class_names == layout.classes
    assert len(made.indices("test")) == layout.test
    assert made.sampling_rate == (None if layout.rate is None else pytest.approx(layout.rate))
    if made.groups is not None and len(set(made.groups)) == 1:
        with pytest.raises(DataError, match="another subject or recording"):
            with_split(made, 0.3)
        return
    ready = made if layout.test else with_split(made, 0.3)
    assert len(ready.indices("train")) >= 2
    assert len(ready.indices("test")) >= 2


def test_a_column_that_is_called_as_an_id_and_counts_again_and_again_is_the_time() -> None:
    rows = "".join(f"{fault},{sample},{sample * fault}\n" for fault in (1, 2, 3) for sample in range(1, 41))
    made = reading(f"label,sample,x\n{rows}").series_set
    assert [series.shape for series in made.series] == [(1, 40)] * 3
    assert made.class_names == ("1", "2", "3")
    ids = "".join(f"{place},{number},{place * number}\n" for number in (1, 2, 3) for place in range(12))
    made = reading(f"time,sample,x\n{ids}").series_set
    assert len(made) == 3  # with a time of its own, it stays the id


def test_folders_that_are_named_as_subjects_are_no_classes_where_others_could_be() -> None:
    files = {
        f"{kind}/p{person}/{trial}.csv": "x,z\n1,2\n3,4\n" for kind in "uv" for person in (1, 2) for trial in (1, 2)
    }
    made = reading(files).series_set
    assert made.class_names == ("u", "v")
    assert set(made.groups or ()) == {"p1", "p2"}
