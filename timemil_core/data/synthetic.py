"""Synthetic sets whose truth is known at every time point, so that an explanation can be measured."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray, IntArray, SeriesSet, default_channel_names
from timemil_core.errors import DataError

PULSE_SERIES_LENGTH = 120
PULSE_WIDTH = 21
PULSE_STARTS = (55, 65)
PULSE_MEAN = 5.0
PULSE_SPREAD = 0.5

SHAPE_WIDTH = 21
SHAPE_PEAK = 3.0
NOISE_DEVIATION = 0.5
BURSTS = (1, 4)  # distractors a positive series holds; a negative one holds one more, in the pattern's stead
GAP = 3  # time points left free between two shapes
LOUDNESS = (1.0, 1.5)  # a burst's amplitude in shares of the pattern's: never quieter


def pulse_set(
    n_train: int = 200,
    n_test: int = 100,
    seed: int = 0,
    noise: Literal["variance", "deviation"] = "variance",
) -> SeriesSet:
    """Return the paper's synthetic set (appendix "Synthetic Dataset").

    One channel of 120 time points. Negative: ``x_t ~ N(0, 0.5)``. Positive: ``x_t ~ N(5, 0.5)`` for t in
    ``[a, a + 20]`` (21 points), ``N(0, 0.5)`` elsewhere, with a uniform among the integers 55 to 65. The paper does
    not say whether 0.5 is a variance or a standard deviation: ``noise`` chooses. Classes alternate, so each part is
    balanced. Loudness alone finds this pulse, so the set cannot tell a good explanation from ``|x|``.
    """
    rng = np.random.default_rng(seed)
    n = n_train + n_test
    labels = np.arange(n, dtype=np.int64) % 2
    deviation = PULSE_SPREAD**0.5 if noise == "variance" else PULSE_SPREAD
    values = rng.normal(0.0, deviation, (n, PULSE_SERIES_LENGTH))
    starts = rng.integers(PULSE_STARTS[0], PULSE_STARTS[1], size=n, endpoint=True)
    times = np.arange(PULSE_SERIES_LENGTH)
    inside = (times >= starts[:, None]) & (times < starts[:, None] + PULSE_WIDTH) & (labels == 1)[:, None]
    values[inside] += PULSE_MEAN
    return SeriesSet(
        name="Synthetic pulse",
        series=tuple(values[:, None, :].astype(np.float32)),
        labels=labels,
        class_names=("no pulse", "pulse"),
        series_ids=_series_ids(n_train, n_test),
        channel_names=("signal",),
        split=_split(n_train, n_test),
        instance_labels=tuple(inside),
        provenance=(
            "Generated as in the TimeMIL paper's appendix: 120 time points of N(0, 0.5); in the class 'pulse', "
            "21 points of N(5, 0.5) that start at a time point from 55 to 65.",
            f"0.5 is read as the noise's {'variance' if noise == 'variance' else 'standard deviation'}; "
            f"seed {seed}; instance labels mark the pulse.",
        ),
    )


def distractor_set(
    n_train: int = 240,
    n_test: int = 120,
    seed: int = 0,
    n_channels: int = 3,
    min_length: int = 120,
    max_length: int = 200,
) -> SeriesSet:
    """Return a set in which loudness does not lead to the pattern.

    A series has a length uniform in ``[min_length, max_length]`` and white noise N(0, 0.5²) in every channel.
    Into it go shapes of 21 points, on all channels at once, at places drawn uniformly from those that keep three
    free points between shapes:

    - the *pattern*, a smooth bump ``3 sin(π (i + 1) / 22)``, i = 0 … 20, in the class "pattern" only, once, at any
      position. It is the only thing that differs between the classes, and the only thing that the instance labels
      mark. Its sign is drawn a channel, so neither a mean nor a sign gives it away;
    - *distractors*, the same bump with alternating sign ``(-1)^i``: equal energy point by point, times an amplitude
      of 1 to 1.5, so never quieter than the pattern; signs drawn a channel too. A positive series holds 1 to 4.
      A negative one holds one more, which takes the pattern's place and its amplitude, 1.

    Series come in pairs, a negative and a positive one of equal length, with shapes of equal amplitudes at equal
    places: but for the noise and the signs, only the pattern's shape differs. So energy and loudness tell nothing of
    the class, and ``|x|`` ranks distractors above
    the pattern: only a detector of shape (smooth against alternating) tells the classes and the time points apart.
    What cannot be hidden at equal energy is roughness: a negative series has one alternating burst more. Its mean
    absolute difference alone separates the classes with an AUROC near 0.66; the pattern separates them perfectly.

    Raises
    ------
    DataError
        Where ``min_length`` leaves no room for the shapes, or exceeds ``max_length``.
    """
    most_shapes = BURSTS[1] + 1
    shortest = most_shapes * (SHAPE_WIDTH + GAP) - GAP
    if not shortest <= min_length <= max_length:
        raise DataError(
            f"Lengths from {min_length} to {max_length} do not fit {most_shapes} shapes.",
            where="distractor set",
            remedy=f"Choose a shortest length of at least {shortest}.",
        )
    rng = np.random.default_rng(seed)
    n = n_train + n_test
    labels: IntArray = np.arange(n, dtype=np.int64) % 2
    plans = [_plan(rng, int(rng.integers(min_length, max_length, endpoint=True))) for _ in range((n + 1) // 2)]
    made = [_distractor_series(rng, n_channels, plans[index // 2], label == 1) for index, label in enumerate(labels)]
    return SeriesSet(
        name="Synthetic distractor",
        series=tuple(values for values, _ in made),
        labels=labels,
        class_names=("no pattern", "pattern"),
        series_ids=_series_ids(n_train, n_test),
        channel_names=default_channel_names(n_channels),
        split=_split(n_train, n_test),
        instance_labels=tuple(truth for _, truth in made),
        provenance=(
            f"Generated, seed {seed}: noise N(0, 0.5²) of {min_length} to {max_length} time points in {n_channels} "
            "channels; in the class 'pattern', one smooth bump of 21 points at any position.",
            "Both classes hold distractors at least as loud as the pattern: the same bump with alternating sign, "
            "1 to 4 in the class 'pattern' and one more in 'no pattern', so that energy tells nothing.",
            "Series come in pairs that differ in that one shape, in noise and in signs. Instance labels mark the "
            "smooth bump alone.",
        ),
    )


class _Plan(NamedTuple):
    """What a pair of series shares. The first place and amplitude are the pattern's, or its stand-in's."""

    length: int
    starts: IntArray
    amplitudes: npt.NDArray[np.float64]


def _plan(rng: np.random.Generator, length: int) -> _Plan:
    n_bursts = int(rng.integers(BURSTS[0], BURSTS[1], endpoint=True))
    starts = rng.permutation(_places(rng, n_bursts + 1, length))
    return _Plan(length, starts, np.append(1.0, rng.uniform(*LOUDNESS, n_bursts)))


def _distractor_series(
    rng: np.random.Generator, n_channels: int, plan: _Plan, positive: bool
) -> tuple[FloatArray, BoolArray]:
    """Return one series ``(n_channels, length)`` and its instance labels ``(length,)``."""
    values = rng.normal(0.0, NOISE_DEVIATION, (n_channels, plan.length))
    truth = np.zeros(plan.length, dtype=np.bool_)
    bump = SHAPE_PEAK * np.sin(np.pi * np.arange(1, SHAPE_WIDTH + 1) / (SHAPE_WIDTH + 1))
    alternating = bump * (-1.0) ** np.arange(SHAPE_WIDTH)
    for index, (start, amplitude) in enumerate(zip(plan.starts, plan.amplitudes, strict=True)):
        is_pattern = positive and index == 0
        signs = rng.choice([-1.0, 1.0], size=(n_channels, 1))
        here = slice(start, start + SHAPE_WIDTH)
        values[:, here] += signs * amplitude * (bump if is_pattern else alternating)
        truth[here] |= is_pattern
    return values.astype(np.float32), truth


def _places(rng: np.random.Generator, n_shapes: int, length: int) -> IntArray:
    """Return the starts of shapes, at least GAP apart, every such arrangement equally likely."""
    occupied = SHAPE_WIDTH + GAP
    free = length - n_shapes * occupied + GAP
    # n of (free + n) slots without replacement, then each shape's own width put back in
    slots = np.sort(rng.choice(free + n_shapes, size=n_shapes, replace=False))
    return slots + np.arange(n_shapes) * (occupied - 1)


def _series_ids(n_train: int, n_test: int) -> tuple[str, ...]:
    return (
        *(f"train {index + 1}" for index in range(n_train)),
        *(f"test {index + 1}" for index in range(n_test)),
    )


def _split(n_train: int, n_test: int) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    return np.repeat(np.array(["train", "test"]), [n_train, n_test])
