"""A model's ranking measured once and kept: in its folder, on this machine, and piece by piece until it is whole."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from timemil_core import workspace
from timemil_core.atomic import read_json, write_json
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.explain.evaluation.ranking import FACT, Ranking, keep_ranking, known_ranking
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.storage import DESCRIPTION, read_description
from timemil_core.models.trained import TrainedModel

PROGRESS = "progress.json"
SECONDS_BETWEEN_NOTES = 1.0
ABANDONED_AFTER = 120.0
"""Seconds without a note after which nobody is measuring any more: a map of a long series may take a minute."""


def rank_and_keep(
    model: TrainedModel, series_set: SeriesSet, folder: Path | None = None, progress: Progress = silent
) -> Ranking:
    """Return what is known of a model's methods, else measure it, going on where it was broken off, and keep it.

    Parameters
    ----------
    model, series_set
        As for ``rank_methods``.
    folder
        The model's own; the ranking is written into its description as well.
    progress
        Told (done, of); raises to cancel, and what was measured is kept.
    """
    ranking = known_ranking(model, series_set)
    if ranking is None:
        pieces = _pieces(model, series_set)
        ranking = rank_methods(model, series_set, pieces=pieces, progress=_noting(pieces / PROGRESS, progress))
        keep_ranking(ranking)
        shutil.rmtree(pieces, ignore_errors=True)
    if folder is not None:
        description = read_description(folder)
        facts = {**description["facts"], FACT: ranking.to_json()}
        write_json(folder / DESCRIPTION, {**description, "facts": facts})
    return ranking


def share_measured(model: TrainedModel, series_set: SeriesSet) -> float | None:
    """Return how much of a model's ranking another process has measured; None where none is at work on it."""
    try:
        content = read_json(_pieces(model, series_set) / PROGRESS)
        share, at = float(content["share"]), float(content["at"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return share if time.time() - at < ABANDONED_AFTER else None


def _noting(path: Path, progress: Progress) -> Progress:
    last = -SECONDS_BETWEEN_NOTES

    def tell(done: int, of: int) -> None:
        nonlocal last
        progress(done, of)
        if time.monotonic() - last >= SECONDS_BETWEEN_NOTES:
            last = time.monotonic()
            write_json(path, {"share": done / of, "at": time.time()})

    return tell


def _pieces(model: TrainedModel, series_set: SeriesSet) -> Path:
    return workspace.choices_folder() / f"{model.fingerprint}-{series_set.fingerprint}-pieces"
