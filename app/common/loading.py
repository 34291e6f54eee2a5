"""Everything a page reads, cached: data sets and models once for all sessions, results by what they came from.

Models are shared read-only, in eval mode. Results are keyed by the fingerprints of model and data, so a retrained
model or a changed file is never answered from an old result.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
import torch

from timemil_core.data import catalogue
from timemil_core.data.series_set import SeriesSet
from timemil_core.models import shelf
from timemil_core.models.trained import TrainedModel


def device() -> str:
    """Return where models run: the first GPU when there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


@st.cache_resource(max_entries=6, show_spinner="Reading the data set …")
def data_set(reference: str) -> SeriesSet:
    """Load a data set of this machine once; it is frozen, so sessions can share it."""
    return catalogue.load(reference, may_download=False)


def model(reference: str) -> TrainedModel:
    """Load a model once for each version of its files."""
    return _model(str(shelf.locate(reference)), shelf.version(reference), device())


@st.cache_resource(max_entries=6, show_spinner="Loading the model …")
def _model(folder: str, version: tuple[tuple[str, int, int], ...], where: str) -> TrainedModel:
    from timemil_core.models.storage import load_model

    return load_model(Path(folder), where)


def hash_set(series_set: SeriesSet) -> str:
    """Name a data set for the result caches."""
    return series_set.fingerprint


def hash_model(trained: TrainedModel) -> str:
    """Name a model for the result caches."""
    return trained.fingerprint


HASHES: dict[str | type, Any] = {SeriesSet: hash_set, TrainedModel: hash_model}
