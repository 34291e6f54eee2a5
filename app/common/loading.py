"""What a page reads: data sets and models, once for all sessions; models are shared read-only, in eval mode."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
import torch

from timemil_core import workspace
from timemil_core.data import catalogue
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.store import UPLOAD_PREFIX
from timemil_core.explain.baseline import untrained_copy
from timemil_core.models import shelf
from timemil_core.models.trained import TrainedModel


def device() -> str:
    """Return where models run: the first GPU when there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def data_set(reference: str) -> SeriesSet:
    """Load a data set of this machine once; it is frozen, so sessions can share it."""
    return _data_set(reference, _whose(reference))


def reread(reference: str) -> None:
    """Read a data set anew when it is next asked for."""
    _data_set.clear(reference, _whose(reference))


@st.cache_resource(max_entries=6, show_spinner="Reading the data set …")
def _data_set(reference: str, whose: str) -> SeriesSet:
    return catalogue.load(reference, may_download=False)


def _whose(reference: str) -> str:
    return str(workspace.home()) if reference.startswith(UPLOAD_PREFIX) else ""  # others are everybody's


def model(reference: str) -> TrainedModel:
    """Load a model once for each version of its files."""
    return _model(str(shelf.locate(reference)), shelf.version(reference), device())


@st.cache_resource(max_entries=6, show_spinner="Loading the model …")
def _model(folder: str, version: tuple[tuple[str, int, int], ...], where: str) -> TrainedModel:
    from timemil_core.models.storage import load_model

    return load_model(Path(folder), where)


@st.cache_resource(max_entries=4, hash_funcs={TrainedModel: lambda trained: trained.fingerprint}, show_spinner=False)
def untrained(trained: TrainedModel) -> TrainedModel:
    """Return the same architecture with new random weights: the control beside every score."""
    return untrained_copy(trained, seed=0)
