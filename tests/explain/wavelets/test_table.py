"""The table of all kernels, and what is said of removals."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain.wavelets import (
    Removal,
    RemovalEffects,
    bands_of,
    every_kernel,
    kernel_table,
    kernels_sentence,
    learned_wavelets,
    part_sentence,
    removal_effects,
    series_to_measure,
    to_csv,
)


def test_a_row_a_kernel_and_one_a_sum() -> None:
    layers = learned_wavelets(build_model())
    rows = kernel_table(layers)
    assert len(rows) == 2 * (3 * 8 + 8)
    row = rows[32 + 8 + 3]  # layer 2, wavelet 2, feature 4
    assert (row["layer"], row["wavelet"], row["feature"]) == (2, 2, 4)
    assert row["scale (time points)"] == pytest.approx(layers[1].scales[1, 3])
    assert row["shift at the start"] == pytest.approx(layers[1].initial_shifts[1, 3])
    bands = bands_of(layers[1].kernels[1, 3], layers[1].positions)
    assert row["passes: peak (cycles per time point)"] == bands.peak
    assert row["looks at: extent (time points)"] == bands.last - bands.first + 1
    assert not any("Hz" in name or "(s)" in name or "removed" in name for name in row)
    total = rows[24 + 3]
    assert (total["layer"], total["wavelet"], total["feature"]) == (1, "sum", 4)
    whole = bands_of(layers[0].kernels[:, 3].sum(axis=0), layers[0].positions)
    assert total["passes: from (cycles per time point)"] == whole.low
    assert total["scale (time points)"] is None


@pytest.mark.parametrize(("rate", "frequency", "length"), [(50.0, "Hz", "s"), (1 / 86400, "cycles per day", "days")])
def test_with_a_sampling_rate_it_is_told_in_the_axis_s_unit_too(rate: float, frequency: str, length: str) -> None:
    per_unit = 50.0 if length == "s" else 1.0
    for row in kernel_table(learned_wavelets(build_model()), rate):
        assert row[f"passes: to ({frequency})"] == pytest.approx(per_unit * row["passes: to (cycles per time point)"])
        assert row[f"looks at: extent ({length})"] == pytest.approx(row["looks at: extent (time points)"] / per_unit)


def test_effects_stand_beside_their_kernels_and_csv_gives_them_back() -> None:
    model, layers = build_model(), learned_wavelets(build_model())
    effects = removal_effects(model, build_set(), [Removal(1, 2, 5), Removal(0)])
    rows = kernel_table(layers, None, [effects])
    name = "removed: mean absolute change of the logit"
    told = [row for row in rows if row[name] is not None]
    assert [(row["layer"], row["wavelet"], row["feature"]) for row in told] == [(2, 3, 6)]
    assert told[0][name] == effects.size[0]
    assert told[0]["random one of equal size: mean absolute change of the logit"] == effects.control_sizes[0, 0]
    read = list(csv.DictReader(io.StringIO(to_csv(rows))))
    assert len(read) == len(rows)
    assert float(next(row for row in read if row[name])[name]) == effects.size[0]


def made(own: list[float], controls: list[list[float]], predicted: list[int]) -> RemovalEffects:
    """Effects by hand: every series changes alike; two series, of class 0, both predicted."""
    changes = np.array([[size, *others] for size, others in zip(own, controls, strict=True)])
    labels = np.zeros((*changes.shape, 2), int)
    labels[:, 0, 0] = predicted
    return RemovalEffects(
        tuple(Removal(0, 0, place) for place in range(len(own))), np.repeat(changes[..., None], 2, axis=2),
        np.zeros((*changes.shape, 2)), labels, np.zeros(2, int), np.array([3.0, 5.0]), np.zeros(2, int),
        np.ones(len(own)),
    )  # fmt: skip


def test_a_part_that_beats_its_controls_and_one_that_does_not() -> None:
    effects = made([-2.0, 0.5], [[1.0] * 20, [1.0] * 20], [1, 0])
    strong, weak = part_sentence(effects, 0), part_sentence(effects, 1)
    assert "changes by 2 on average (it leads the next class by 4)" in strong
    assert "in 1 of 2 series; accuracy goes from 1.000 to 0.500" in strong
    assert "change the logit by 1 (median): the learned ones matter more" in strong
    assert "not that it is these" in weak


@pytest.mark.parametrize(
    ("n_more", "told"), [(59, "by chance: the form of single"), (61, "their form counts"), (39, "than by their size")]
)
def test_more_than_half_counts_from_two_deviations_on(n_more: int, told: str) -> None:
    # Of 100 fair coins the deviation is 5: 59 are less than two deviations above the half, 61 more.
    own = [2.0] * n_more + [0.5] * (100 - n_more)
    sentence = kernels_sentence(made(own, [[1.0]] * 100, [0] * 100))
    assert f"{n_more} of them ({n_more}%)" in sentence
    assert told in sentence


def test_which_series_it_is_measured_on() -> None:
    model, series_set = build_model(), build_set()
    test, part = series_to_measure(model, series_set)
    assert part == "test" and test.series_ids == tuple(f"s{index}" for index in range(6, 12))
    held_out, part = series_to_measure(model, series_set, "validation")
    assert part == "training" and len(held_out) == 6  # the model tells of no validation series
    alone = replace(series_set, split=np.full(12, "train"))
    assert series_to_measure(model, alone)[1] == "training"
    assert len(series_to_measure(model, series_set, n_series=2)[0]) == 2


def test_every_kernel_of_a_layer_is_in_its_table() -> None:
    layers = learned_wavelets(build_model())
    effects = removal_effects(build_model(), build_set(), every_kernel(layers, 0))
    rows = [row for row in kernel_table(layers, None, [effects]) if row["layer"] == 1 and row["wavelet"] != "sum"]
    sizes = [row["removed: mean absolute change of the logit"] for row in rows]
    np.testing.assert_array_equal(sizes, effects.size)
