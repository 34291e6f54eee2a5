"""Cutting, clustering and presence against values worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from timemil_core.explain.motifs.channels import channel_counts
from timemil_core.explain.motifs.clustering import clusters, distances, warped
from timemil_core.explain.motifs.cutting import cut, important_spans, with_margin
from timemil_core.explain.motifs.motif import Occurrence, Presence, Removal
from timemil_core.explain.motifs.presence import nearest_place, presence_sentence, random_distances, threshold_of
from timemil_core.explain.motifs.removal import removal_sentence


def bump(n_timepoints, middle):
    positions = np.arange(n_timepoints)
    return np.exp(-(((positions - middle) / 2) ** 2))[None].astype(np.float32)


def test_important_spans_do_not_overlap_and_have_to_matter():
    values = np.array([0, 0, 5, 5, 0, 0, 0, 4, 3, 0.0])
    assert important_spans(values, 2) == [(2, 4), (7, 9)]
    assert important_spans(values, 2, most=1) == [(2, 4)]
    assert important_spans(values * np.where(np.arange(10) < 5, 1, 0.4), 2) == [(2, 4)]
    assert important_spans(-np.ones(10), 2) == []
    assert important_spans(np.ones(3), 5) == [(0, 3)]


def test_a_margin_stays_in_the_series():
    assert with_margin((10, 18), 50) == (8, 20)
    assert with_margin((0, 8), 50) == (0, 12)
    assert with_margin((42, 50), 50) == (38, 50)
    assert with_margin((0, 8), 9) == (0, 9)


def test_a_cutting_is_interpolated():
    values = np.array([[0, 1, 2, 3, 4.0]], dtype=np.float32)
    assert cut(values, (1, 4), 3).tolist() == [[1, 2, 3]]
    assert cut(values, (1, 4), 5).tolist() == [[1, 1.5, 2, 2.5, 3]]


def test_distance_is_a_root_mean_square_and_forgives_a_small_shift():
    shapes = np.stack([bump(20, 9), bump(20, 10), bump(20, 9) + 3])
    between = distances(shapes)
    np.testing.assert_allclose(between, between.T)
    assert between[0, 1] < 0.05 < np.sqrt(np.mean((shapes[0] - shapes[1]) ** 2))
    # warping spares as much as two bumps of unlike height allow; the far larger part of 3 remains
    assert 1.5 < between[0, 2] <= 3
    assert distances(shapes[:1], shapes[:1]).tolist() == [[0.0]]


def test_clusters_are_as_many_as_there_are_and_have_their_medoid_first():
    places = np.array([0.0, 10.0, 0.1, 0.2, 10.1])
    found = clusters(np.abs(places[:, None] - places[None]))
    assert [sorted(group.tolist()) for group in found] == [[0, 2, 3], [1, 4]]
    assert found[0][0] == 2
    even = np.ones((4, 4)) - np.eye(4)
    assert len(clusters(even)) == 1
    assert [group.tolist() for group in clusters(np.zeros((1, 1)))] == [[0]]


def test_a_cutting_is_warped_onto_another_in_its_own_unit():
    shape, onto = bump(20, 11).astype(float), bump(20, 9).astype(float)
    raw = 100 + 5 * shape
    moved = warped(shape, onto, raw)
    assert moved.argmax() == 9 and moved.max() == pytest.approx(105)
    raw[0, 11] = np.nan
    assert np.isnan(warped(shape, onto, raw)[0, 9]) or warped(shape, onto, raw)[0, 9] < 105


def test_a_shape_is_found_again_where_it_is():
    shape = cut(bump(40, 30), (26, 35), 9)
    series = bump(60, 14) + bump(60, 44) * 0.3
    distance, (start, stop) = nearest_place(shape, 9, series)
    assert stop - start == 9 and abs((start + stop - 1) / 2 - 14) <= 2
    assert distance < 0.05
    assert nearest_place(shape, 9, np.zeros((1, 60), dtype=np.float32))[0] > distance
    assert nearest_place(shape, 9, bump(5, 2))[1] == (0, 5)


def test_what_nearly_any_span_passes_does_not_count_as_present():
    own = np.arange(11.0)  # 90 % within 9
    assert threshold_of(own, np.full(40, 30.0)) == (9, 0)
    threshold, by_chance = threshold_of(own, np.linspace(0, 20, 101))
    assert threshold == pytest.approx(1)  # the nearest 5 % of random spans
    assert by_chance == pytest.approx(46 / 101)
    sentence = presence_sentence("a", {"a": Presence(3, 3), "b": Presence(1, 3)}, by_chance)
    assert "46% are as near to it as its own spans are" in sentence
    assert "random spans" not in presence_sentence("a", {"a": Presence(3, 3), "b": Presence(1, 3)}, 0.04)


def test_random_spans_are_of_every_series_and_may_fill_a_short_one():
    shape = np.ones((1, 9))
    series = [np.ones((1, 60), dtype=np.float32), np.zeros((1, 4), dtype=np.float32)]
    np.testing.assert_allclose(random_distances(shape, 9, series, 0), [0, 0, 0, 0, 1, 1, 1, 1])


def test_a_motif_that_does_no_more_than_random_spans_is_called_so():
    random = np.tile(np.arange(20.0), (6, 1))
    strong, weak = Removal(np.full(6, 25.0), random), Removal(np.array([5.0, 25, 25, 5, 5, 5]), random)
    none = Removal(np.full(6, 5.0), random)
    assert [one.n_beaten for one in (strong, weak, none)] == [6, 2, 0]
    assert "the model uses it" in removal_sentence("a", strong, None)
    assert "do not read it" in removal_sentence("a", strong, none)
    assert "in 6 of the 6 series that it was cut from (chance" in removal_sentence("a", strong, None)
    assert "On average removing it changes the logit by -25, removing a random span by -9.5." in removal_sentence(
        "a", strong, None
    )


def test_fewer_than_five_series_tell_nothing():
    few = Removal(np.array([25.0]), np.tile(np.arange(20.0), (1, 1)))
    sentence = removal_sentence("a", few, None)
    assert "in 1 of the 1 series that it was cut from: too few to tell" in sentence
    assert "%" not in sentence.replace("95 % of random", "")


def test_one_large_fall_does_not_speak_for_the_other_series():
    removal = Removal(np.array([90.0, 1, 1, 1, 1]), np.tile(np.arange(20.0), (5, 1)))
    sentence = removal_sentence("a", removal, None)
    assert (
        "in 1 of the 5 series" in sentence
        and "do not read it" in sentence
        and "by -19, removing a random span by -9.5" in sentence
    )


class SecondChannelOnly:
    """Says what the second of three channels sums to."""

    channel_names = ("a", "b", "c")

    def predict(self, series):
        logits = np.array([[0.0, one[1].sum()] for one in series])
        return SimpleNamespace(logits=logits)


def test_the_channel_that_the_model_looks_at_counts_and_the_others_do_not():
    values = [np.zeros((3, 20), dtype=np.float32) for _ in range(6)]
    values[0][:, 5:9] = 3.0  # a burst on all channels, of which one counts
    series_set = SimpleNamespace(series=values)
    spans = [Occurrence(0, 5, 9)]
    others = np.arange(1, 6)
    np.testing.assert_allclose(channel_counts(SecondChannelOnly(), series_set, spans, 1, others, 0), [0, 3, 0])
    # the other class's logit never falls: all count alike
    np.testing.assert_allclose(channel_counts(SecondChannelOnly(), series_set, spans, 0, others, 0), [1, 1, 1])


def test_a_burst_on_one_channel_is_one_shape_whatever_the_other_channels_do():
    generator = np.random.default_rng(0)
    spans = np.zeros((20, 3, 15))
    spans[:, 0] = 4 * np.hanning(15)
    flipped = np.where(np.arange(20) < 10, 1.0, -1.0)  # two of the channels wave for or against it
    spans[:, 1:] = 5 * (flipped * np.sin(np.arange(15) * 0.6)[:, None]).T[:, None]
    spans += generator.normal(0, 0.1, size=spans.shape)
    assert [len(group) for group in clusters(distances(spans))] == [10, 10]
    counts = np.sqrt(np.array([3.0, 0.0, 0.0]))[:, None]
    assert [len(group) for group in clusters(distances(counts * spans))] == [20]


def test_a_motif_that_is_everywhere_sets_no_class_apart():
    everywhere = {"a": Presence(10, 10), "b": Presence(10, 10), "c": Presence(20, 20)}
    assert "10 of 10 series of class 'a' and in 30 of 30 of other" in presence_sentence("a", everywhere)
    assert "does not set the class apart" in presence_sentence("a", everywhere)
    assert "more frequent in its class" in presence_sentence("a", everywhere | {"b": Presence(0, 10)})
    # 3 of 3 beside 1 of 3 happens by chance in one of five cases
    assert "does not set" in presence_sentence("a", {"a": Presence(3, 3), "b": Presence(1, 3)})
    assert "nothing to compare with" in presence_sentence("a", {"a": Presence(3, 3)})
