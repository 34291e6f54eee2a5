"""What pages ask the model about the chosen series before anything else: at once, or in the background.

A pass over 100,000 time points takes seconds: the page is drawn meanwhile, with how far it is and a button that ends
it. `jobs.py` keeps what came of it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from app.common import jobs, results
from app.common.context import Context
from timemil_core.errors import DataError
from timemil_core.explain import wavelets
from timemil_core.explain.cost import PROBE_TIMEPOINTS, Timed, timed_pass
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.progress import Progress
from timemil_core.models.trained import TrainedModel


def examined(chosen: Context) -> Examination | None:
    """Return what the model computes of the chosen series; None while it does, which is shown then.

    Until then no other of these may be asked for; afterwards it is at hand as often as it is asked for.
    """
    series = chosen.series_set.series[chosen.index]
    if series.shape[1] <= PROBE_TIMEPOINTS:
        return results.examine(model_of(chosen), chosen.series_set, chosen.index)
    return jobs.prompt("The model reads the series", _examination(chosen), partial(_examine, chosen, chosen.index))


def examine_ahead(chosen: Context, index: int | None) -> None:
    """Examine the series that may be chosen next while the chosen one is looked at, where nothing else runs."""
    if index is None:
        return
    if chosen.series_set.lengths[index] <= PROBE_TIMEPOINTS:
        with suppress(DataError):  # told where it is chosen
            results.examine(model_of(chosen), chosen.series_set, index)
    else:
        jobs.ahead(_examination(replace(chosen, index=index)), partial(_examine, chosen, index))


def encoding(chosen: Context) -> tuple[wavelets.EncodedLayer, ...] | None:
    """Return what the positional encoding adds to the chosen series, layer by layer."""
    model, series_set, index = model_of(chosen), chosen.series_set, chosen.index
    if series_set.lengths[index] <= PROBE_TIMEPOINTS:
        return results.encoding_of_series(model, series_set, index)
    return jobs.prompt(
        "What the encoding adds to the series",
        ("encoding", *about(chosen), index),
        lambda progress: wavelets.encoding_of_series(model, series_set.series[index]),
    )


def _examination(chosen: Context) -> tuple[Any, ...]:
    return "examination", *about(chosen), chosen.index


def _examine(chosen: Context, index: int, progress: Progress) -> Examination:
    series_set = chosen.series_set
    return examine(model_of(chosen), series_set.series[index], progress, name=series_set.series_ids[index])


def at_hand(chosen: Context) -> Examination | None:
    """Return the chosen long series' examination, where the model has read it; of short ones None."""
    job = jobs.jobs().find(_examination(chosen))
    examination: Examination | None = None if job is None else job.result
    return examination


def timed(chosen: Context) -> Timed:
    """Return how long a pass of the chosen series takes on this machine, by which others are foretold."""
    return timed_pass(model_of(chosen), chosen.series_set.series[chosen.index], at_hand(chosen))


def about(chosen: Context) -> tuple[str, str]:
    """Return what names the chosen model and data in keys of computations."""
    return model_of(chosen).fingerprint, chosen.series_set.fingerprint


def model_of(chosen: Context) -> TrainedModel:
    """Return the chosen model, on pages that have made sure that there is one."""
    assert chosen.model is not None
    return chosen.model
