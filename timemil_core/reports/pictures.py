"""The pictures of a report, each with its heading: those of the pages, drawn of the same numbers."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.evaluation.curves import Cell
from timemil_core.explain.evaluation.verdict import SeriesVerdict
from timemil_core.figures.attention import deletion_figure, probabilities_figure
from timemil_core.figures.edited import before_after_figure, edited_figure
from timemil_core.figures.series import series_figure
from timemil_core.figures.style import ThemeName
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Findings

Pictures = list[tuple[str, go.Figure]]


def pictures(model: TrainedModel, series_set: SeriesSet, found: Findings, theme: ThemeName) -> Pictures:
    """Return heading and figure: the series with its map, what the model says, what removing and restoring do."""
    about = _edited if found.comparison is not None else _as_it_is
    return [
        *about(model, series_set, found, theme),
        *((cell_heading(cell), curves_figure(found.verdict, cell, theme)) for cell in found.verdict.curves.cells),
    ]


def _as_it_is(model: TrainedModel, series_set: SeriesSet, found: Findings, theme: ThemeName) -> Pictures:
    importance, index = found.importance, found.index
    truth = None if series_set.instance_labels is None else series_set.instance_labels[index]
    series = series_figure(
        series_set.times(index),
        series_set.series[index],
        series_set.channel_names,
        series_set.time_unit,
        attention=importance.values,
        attention_title=importance.name,
        attention_unit=found.importance.unit,
        channel_attention=importance.per_channel,
        truth=truth if truth is not None and truth.any() else None,
        flat_reference=importance.are_weights,
        signed=importance.signed,
        theme=theme,
    )
    answer = probabilities_figure(
        found.examination.probabilities,
        model.class_names,
        series_set.label_name(index),
        found.examination.predicted,
        theme=theme,
    )
    return [("The series and the map", series), ("What the model says", answer)]


def _edited(model: TrainedModel, series_set: SeriesSet, found: Findings, theme: ThemeName) -> Pictures:
    comparison, original = found.comparison, found.original_importance
    assert comparison is not None and original is not None
    places = [edit.place for edit in found.edited.edits]
    times = found.edited.times
    span = (float(times[places[0].start]), float(times[places[0].stop - 1])) if len(places) == 1 else None
    series = edited_figure(
        times,
        found.edited.original,
        found.edited.values,
        series_set.channel_names,
        series_set.time_unit,
        maps=(original.values, np.asarray(found.importance.values)),
        map_title=found.importance.name,
        map_unit=found.importance.unit,
        selected_span=span,
        theme=theme,
    )
    answer = before_after_figure(
        comparison.before.probabilities, comparison.after.probabilities, model.class_names, theme=theme
    )
    return [("The series and its map, before and after", series), ("What the model says, before and after", answer)]


def cell_heading(cell: Cell) -> str:
    """Say what a curve asks."""
    asked = {
        "deletion": "Does removing what the map marks change the answer?",
        "insertion": "Does restoring it bring the answer back?",
    }[cell.direction]
    return f"{asked} Removed points: {cell.filler}"


def curves_figure(verdict: SeriesVerdict, cell: Cell, theme: ThemeName, height: int = 340) -> go.Figure:
    """Return the curve of a map in one cell, against the same map at other places; the height is in pixels."""
    curves = verdict.curves
    numbers = curves.numbers[curves.cells.index(cell)]
    own, places = numbers[0], numbers[1:]
    low, high = np.percentile(places, [5, 95], axis=0)
    return deletion_figure(
        curves.shares,
        own,
        places.mean(axis=0),
        low,
        high,
        verdict.question.quantity,
        cell.filler,
        random_name="other places",
        mode=cell.direction,
        height=height,
        theme=theme,
    )
