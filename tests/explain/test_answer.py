import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from tests.explain.rankings import build_ranking
from timemil_core.explain.answering import answer, class_answer, method_for
from timemil_core.explain.contract import Importance

LENGTH = 50


@pytest.fixture(scope="module")
def model():
    return build_model()


def even_set(sampling_rate=10.0):
    """Six series of 50 time points, 5 s, in two channels; classes in turn."""
    small = build_set(6)
    series = tuple(np.tile(np.arange(LENGTH, dtype=np.float32), (2, 1)) + index for index in range(6))
    return dataclasses.replace(small, series=series, sampling_rate=sampling_rate)


def box_map(first, stop, channel=0, other=0.0):
    per_channel = np.zeros((2, LENGTH))
    per_channel[channel, first:stop] = 1.0
    per_channel[1 - channel, first:stop] = other
    return Importance(per_channel.sum(axis=0), "m", "r", True, "n", per_channel)


def told(model, maps, level="strong", in_one_place=True, series_set=None, method="channel-occlusion"):
    indices = np.arange(len(maps))
    return class_answer(model, series_set or even_set(), 0, indices, maps, method, level, in_one_place)


def test_the_same_time_in_one_channel(model):
    found = told(model, [box_map(12, 17, channel=1)] * 3)
    assert found.sentence == "class 0 is told by channel 1 at 1.20 to 1.60 s; evidence strong"
    assert found.shares == (0.0, 1.0)
    np.testing.assert_allclose(found.signal[0], np.arange(LENGTH) + 1)  # mean of series 0, 1 and 2
    assert found.axis == "own"
    assert found.importance[1, 14] == 1


def test_the_only_channel_is_named_where_it_has_a_name(model):
    found = dataclasses.replace(told(model, [box_map(12, 17, channel=1)] * 3), n_channels=1, shares=(1.0,))
    assert " told by channel 1 at " not in dataclasses.replace(found, channel="channel 1").sentence
    assert dataclasses.replace(found, channel="channel 1").finding == " is told by what happens at 1.20 to 1.60 s"
    assert dataclasses.replace(found, channel="lead II").finding == " is told by lead II at 1.20 to 1.60 s"


def test_without_a_rate_time_points_are_told(model):
    found = told(model, [box_map(12, 27)] * 3, "mixed", series_set=even_set(None))
    assert found.sentence == "class 0 is told by channel 0 at time points 12 to 26; evidence mixed"


def test_channels_alike_are_no_single_one(model):
    found = told(model, [box_map(12, 17, other=0.8)] * 3, None, None)
    assert found.channel is None
    assert found.sentence == "class 0 is told by several channels together at 1.20 to 1.60 s; not measured"


def test_where_evidence_is_spread_series_are_not_centred_on_a_stretch_that_is_not_told(model):
    found = told(model, [box_map(first, first + 4) for first in (4, 20, 38)], in_one_place=False)
    assert found.axis == "own"
    assert found.finding.startswith(" is told all over the series")


def test_the_result_is_counted_by_class(model):
    found = answer(model, build_set(), n_series=1)
    found = dataclasses.replace(found, indices=np.array([4, 5, 6, 7]), true=np.array([0, 1, -1, 1]),
                                predicted=np.array([0, 0, 2, 1]))  # fmt: skip
    assert found.n_known == 3
    assert found.wrong.tolist() == [5]
    assert found.confusion(3).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]


def test_each_series_counts_alike_where_channels_are_compared(model):
    loud = box_map(12, 17, channel=1)
    loud = dataclasses.replace(loud, values=9 * loud.values, per_channel=9 * loud.per_channel)
    found = told(model, [loud, box_map(12, 17), box_map(12, 17), box_map(12, 17)])
    assert found.shares == (0.75, 0.25)
    assert found.channel == "channel 0"


def test_a_map_that_knows_no_channels_names_none(model):
    values = box_map(12, 17).values
    found = told(model, [Importance(values, "m", "r", True, "n")] * 3, method="occlusion")
    assert found.sentence == "class 0 is told by what happens at 1.20 to 1.60 s; evidence strong"
    assert found.importance.shape == (1, LENGTH)


def test_another_time_in_each_series_is_centred_on_it(model):
    found = told(model, [box_map(first, first + 4) for first in (4, 20, 38)])
    assert found.sentence == (
        "class 0 is told by a stretch of about 0.40 s in channel 0, at a different time in each series; evidence strong"
    )
    assert found.axis == "around"
    np.testing.assert_allclose(found.times, np.arange(-8, 9) / 10)  # two stretches to either side
    np.testing.assert_allclose(found.importance[0][found.importance[0] > 0], 1.0)


@pytest.mark.parametrize(
    ("maps", "level", "in_one_place", "sentence"),
    [
        ([box_map(0, LENGTH)] * 3, "strong", True,
         "class 0 is told by a long part of each series, most of it in channel 0; evidence strong"),
        ([Importance(np.ones(LENGTH), "m", "r", True, "n")] * 3, "strong", True,
         "class 0 is told by a long part of each series; evidence strong"),
        ([Importance(np.ones(LENGTH), "m", "r", True, "n")] * 3, "strong", False,
         "class 0 is told all over the series, not at one place; evidence strong"),
        ([Importance(1 + 2 * box_map(12, 17).values, "m", "r", True, "n")] * 3, "strong", True,
         "class 0 is told all over the series, strongest at 1.20 to 1.60 s; evidence strong"),
        ([box_map(12, 17)] * 3, "none", False,
         "class 0: no map finds a place; what tells it is spread over the whole series, most of it in channel 0; "
         "no evidence"),
        ([box_map(12, 17)] * 3, "none", True,
         "class 0: removing what the map marks moves the model no more than removing other places does; no evidence"),
        ([box_map(12, 17)] * 3, "cannot be tested", True,
         "class 0: the model gives this class to an empty series as well, so nothing can be taken away from it; "
         "cannot be tested"),
    ],
)  # fmt: skip
def test_where_no_place_can_be_told(model, maps, level, in_one_place, sentence):
    assert told(model, maps, level, in_one_place).sentence == sentence


def test_lengths_that_differ_are_told_in_shares(model):
    series_set = build_set(4)  # 20, 21, 22 and 23 time points
    maps = []
    for series in series_set.series:
        values = np.zeros(series.shape[1])
        values[10:14] = 1.0
        maps.append(Importance(values, "m", "r", True, "n"))
    found = told(model, maps, series_set=series_set)
    assert found.axis == "relative"
    assert found.finding.endswith("% of its length")
    (first, stop) = found.where.spans[0]
    assert first == pytest.approx(10 / 21.5, abs=0.03)
    assert stop == pytest.approx(14 / 21.5, abs=0.03)


def test_examples_are_right_ones_and_a_wrong_one(model):
    found = told(model, [box_map(12, 17)] * 6)  # true classes in turn: two right, four wrong
    assert [one.is_right for one in found.examples] == [True, True, False]
    assert found.examples[2].true_class == "class 1"


def test_the_method_that_tells_channels_apart_where_it_is_as_good(model):
    ranking = build_ranking(("occlusion", "strong", 0.9), ("channel-occlusion", "strong", 0.5))
    assert method_for(model, ranking, "A") == ("channel-occlusion", "strong", True)
    ranking = build_ranking(("occlusion", "strong", 0.9), ("channel-occlusion", "mixed", 0.5))
    assert method_for(model, ranking, "A") == ("occlusion", "strong", True)
    assert method_for(model, None, "A") == ("channel-occlusion", None, None)


def test_classes_progress_and_cancelling(model):
    progress = []
    series_set = build_set()
    found = answer(model, series_set, n_series=2, progress=lambda done, of: progress.append(done / of))
    predicted = model.predict(list(series_set.part("test").series)).labels
    assert {one.label for one in found.classes} == set(predicted.tolist())
    assert progress == sorted(progress)
    assert progress[-1] == 1
    assert all(one.level is None and one.n_series <= 2 for one in found.classes)
    low, high = found.range_of("channel-occlusion")
    assert low == -high
    assert high == np.median([example.importance.max() for one in found.classes for example in one.examples])

    def cancel(done, of):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        answer(model, series_set, progress=cancel)
