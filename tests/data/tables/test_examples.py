"""Templates: what is downloaded can be uploaded unchanged."""

import pytest

from tests.data.formats.reading import inspect, read
from timemil_core.data.bundled import load_bundled
from timemil_core.data.tables import example_tables

EXAMPLES = example_tables()


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_template_is_read_back_as_the_series_that_it_holds(name):
    made = read(EXAMPLES[name], name=name)
    of_motions = any(word in name for word in ("long", "melted", "channels", "series"))
    source = load_bundled("BasicMotions" if of_motions else "GunPoint")
    assert (made.n_channels, made.n_classes) == (source.n_channels, source.n_classes)
    assert len(made) == 3 * source.n_classes
    for index, one in enumerate(made.series):
        label = made.label_name(index)
        alike = [
            values.tolist()
            for place, values in enumerate(source.series)
            if (source.label_name(place) or "") == label and values.shape == one.shape
        ]
        assert one.tolist() in alike


@pytest.mark.parametrize("name", ["example_long.csv", "example_wide.csv", "example_melted.csv"])
def test_a_template_raises_no_doubt(name):
    assert not [line for line in inspect(EXAMPLES[name], name=name).lines if line.kind == "warning"]


def test_templates_are_small():
    assert max(map(len, EXAMPLES.values())) < 400_000


def test_the_sampling_rate_is_in_the_long_ones():
    for name in ("example_long.csv", "example_melted.csv", "example_a_file_a_series.zip"):
        assert read(EXAMPLES[name], name=name).sampling_rate == 10.0
