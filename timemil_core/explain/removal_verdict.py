"""What removal says of a map, whatever stands in place of what was removed: two tests, and one verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.deletion import N_RANDOM
from timemil_core.explain.evaluation.fillers import DEFAULT_FILLER, FillerName, second_filler
from timemil_core.explain.faithfulness import DeletionTest, deletion_test
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.verdicts import Level, level_of_both, second_sentence
from timemil_core.models.trained import TrainedModel


@dataclass(frozen=True, eq=False)
class RemovalVerdict:
    """A deletion test, the same with another filler, and what both together mean.

    One filler alone flatters the maps that were made by it (measured: README, "What maps are worth,
    measured"), so a verdict is strong only where both tests are, and weak where one of them is or both are weak.

    Attributes
    ----------
    test
        With the filler that was asked for: its curve and numbers are what is drawn.
    second
        With ``fillers.second_filler``.
    level
        "strong", "weak" or "none".
    sentence
        The first test's, and what the second adds, in plain words.
    """

    test: DeletionTest
    second: DeletionTest
    level: Level
    sentence: str


def removal_verdict(
    model: TrainedModel,
    series: FloatArray,
    values: npt.NDArray[np.floating],
    target_class: int,
    *,
    against: int | None = None,
    filler: FillerName = DEFAULT_FILLER,
    n_random: int = N_RANDOM,
    n_steps: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> RemovalVerdict:
    """Test a map of one series against itself at random places, by removal with two fillers.

    Parameters and errors are those of ``deletion_test``.
    """
    first, second = (
        deletion_test(
            model,
            series,
            values,
            target_class,
            against=against,
            filler=name,
            n_random=n_random,
            n_steps=n_steps,
            seed=seed,
            progress=share_of(progress, place, 2),
        )
        for place, name in enumerate((filler, second_filler(model, filler)))
    )
    beats = f"it beats {second.n_beaten} of {len(second.random_areas)}"
    outcome = beats if second.area > 0 else f"the {second.quantity} does not fall"
    added = second_sentence(first.level, second.level, (first.filler, second.filler), outcome)
    return RemovalVerdict(first, second, level_of_both(first.level, second.level), f"{first.sentence} {added}")
