"""The atlas of a model that sees one thing, and of the shipped model of BasicMotions."""

import numpy as np
import pytest

from timemil_core.data.bundled import load_bundled
from timemil_core.explain.motifs import motif_atlas, occurrence_table, summary_table
from timemil_core.models.shelf import open_model


@pytest.fixture(scope="module")
def series_set():
    return load_bundled("BasicMotions")


@pytest.fixture(scope="module")
def model():
    return open_model("basicmotions")


@pytest.fixture(scope="module")
def atlas(model, series_set):
    told = []
    made = motif_atlas(model, series_set, "attention", n_series=12, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (100, 100) and told == sorted(told)
    return made


def test_motifs_are_cut_from_training_and_counted_in_test_series(atlas, series_set, model):
    assert atlas.window == 10 and atlas.motifs
    train, test = series_set.indices("train"), series_set.indices("test")
    for motif in atlas.motifs:
        assert all(one.series in train and one.stop - one.start == 10 for one in motif.members)
        assert all(one.series in test and 0 <= one.start < one.stop <= 100 for one in motif.matches)
        assert len(motif.members) >= 2
        assert sum(one.of for one in motif.presence.values()) == 12
        assert sum(one.found for one in motif.presence.values()) == len(motif.matches)
        said = model.predict([series_set.series[one.series] for one in motif.members]).labels
        assert (said == motif.target).all()


def test_shapes_are_in_the_datas_own_unit(atlas, series_set):
    for motif in atlas.motifs:
        assert motif.mean.shape == (6, len(motif.times)) == motif.low.shape
        assert (motif.low <= motif.mean + 1e-9).all() and (motif.mean <= motif.high + 1e-9).all()
        spans = [series_set.series[one.series] for one in motif.members]
        assert (
            min(one.min() for one in spans) <= motif.mean.min() <= motif.mean.max() <= max(one.max() for one in spans)
        )
        assert 0 <= motif.core[0] < motif.core[1] <= motif.times[-1]


def test_the_atlas_says_how_it_was_made(atlas):
    text = " ".join(atlas.notes)
    assert "10 time points" in text and "12 of 40 training series" in text and "12 of 40 test series" in text


def test_the_same_seed_gives_the_same_atlas(atlas, model, series_set):
    again = motif_atlas(model, series_set, "attention", n_series=12)
    assert [motif.members for motif in again.motifs] == [motif.members for motif in atlas.motifs]
    for one, other in zip(again.motifs, atlas.motifs, strict=True):
        np.testing.assert_array_equal(one.removal.falls, other.removal.falls)
        np.testing.assert_array_equal(one.removal.random, other.removal.random)


def test_the_overview_counts_what_the_cards_tell(atlas, model, series_set):
    table = summary_table(atlas, model.class_names)
    said = [motif.is_used for motif in atlas.motifs]
    assert table["used"] == [{True: "yes", False: "no", None: "too few series"}[one] for one in said]
    n_told = len(said) - said.count(None)
    assert not n_told or f"uses {said.count(True)} of {n_told} motif" in atlas.sentence
    first = atlas.motifs[0]
    own = first.presence[model.class_names[first.target]]
    assert table["in its class"][0] == f"{own.found} of {own.of}"
    assert table["spans"] == [len(motif.members) for motif in atlas.motifs]
    assert all(motif.presence_sentence.startswith("Present in ") for motif in atlas.motifs)
    for motif in atlas.motifs:
        assert (motif.is_used is None) == (motif.tested.n_series < 5)
        assert motif.channels.mean() == pytest.approx(1) and (motif.channels >= 0).all()


def test_every_span_of_the_atlas_can_be_taken_away(atlas, model, series_set):
    table = occurrence_table(atlas, model.class_names, series_set)
    assert len(table["series"]) == sum(len(motif.members) + len(motif.matches) for motif in atlas.motifs)
    place = series_set.series_ids.index(table["series"][0])
    assert table["from, s"][0] == series_set.times(place)[table["first time point"][0]]
    assert set(table["how"]) == {"cut", "found again"}
