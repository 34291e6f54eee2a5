"""Loss and accuracy by epoch, as they come out of ``metrics.jsonl`` (see ``training.metrics.EpochRecord``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import decimate
from timemil_core.figures.style import THEMES, ThemeName, base_layout, empty_figure, faded

HEIGHT = 300
FEW_EPOCHS = 40

Metrics = Sequence[dict[str, Any]]


def loss_figure(
    metrics: Metrics, *, best_epoch: int | None = None, theme: ThemeName = "light", title: str | None = None
) -> go.Figure:
    """Draw the one-vs-rest cross-entropy of training and validation by epoch.

    Parameters
    ----------
    metrics
        A dictionary an epoch; missing values are left out.
    best_epoch
        The epoch to mark; by default see `best_so_far`.
    """
    fig = _figure(metrics, "loss", "loss (cross-entropy)", best_epoch, theme, title)
    return fig.update_yaxes(rangemode="tozero") if metrics else fig


def accuracy_figure(
    metrics: Metrics, *, best_epoch: int | None = None, theme: ThemeName = "light", title: str | None = None
) -> go.Figure:
    """Draw the accuracy of training and validation by epoch; parameters as in `loss_figure`."""
    fig = _figure(metrics, "accuracy", "accuracy (share of series)", best_epoch, theme, title)
    return fig.update_yaxes(range=[0, 1.03], tickformat=".0%") if metrics else fig


def best_so_far(metrics: Metrics) -> int | None:
    """Return the epoch with the highest validation accuracy, then the lowest loss, then the earliest.

    An epoch of the warm-up counts only where there is no other, as in ``training.trainer.is_better``. None without
    validation.
    """
    judged = [line for line in metrics if line.get("validation_accuracy") is not None]
    return int(max(judged, key=_merit)["epoch"]) if judged else None


def _merit(line: dict[str, Any]) -> tuple[bool, float, float]:
    loss = line.get("validation_loss")
    return not line.get("warm_up"), line["validation_accuracy"], -np.inf if loss is None else -loss


def _figure(
    metrics: Metrics, quantity: str, y_title: str, best_epoch: int | None, theme: ThemeName, title: str | None
) -> go.Figure:
    if not metrics:
        return empty_figure("The first epoch has not finished yet.", theme, title, height=HEIGHT)
    colours = THEMES[theme]
    judged_on = next((line["judged_on"] for line in metrics if line.get("judged_on")), "validation")
    names = {"train": "training (while weights change)", "validation": f"{judged_on} set"}
    looks = {"train": (colours.muted, "dot", 1.5), "validation": (colours.heat_line, "solid", 2.5)}
    fig = go.Figure([_curve(metrics, f"{part}_{quantity}", names[part], *looks[part]) for part in names])
    _mark_best(fig, metrics, f"validation_{quantity}", best_epoch or best_so_far(metrics), theme)
    _shade_warm_up(fig, metrics, theme)
    n_epochs = int(metrics[-1]["epoch"])
    fig.update_xaxes(
        title={"text": "epoch", "standoff": 8},
        range=[0.5, max(n_epochs, 2) + 0.5],
        dtick=1 if n_epochs <= 10 else None,
        nticks=10,
        tickformat="d",
        zeroline=False,
    )
    fig.update_yaxes(title={"text": y_title, "standoff": 8}, zeroline=False)
    fig.update_layout(hovermode="x")
    return base_layout(fig, theme, height=HEIGHT, title=title)


def _curve(metrics: Metrics, key: str, name: str, colour: str, dash: str, width: float) -> go.Scatter:
    told = [line for line in metrics if line.get(key) is not None]
    epochs, values = decimate(
        np.array([line["epoch"] for line in told]), np.array([line[key] for line in told], dtype=np.float64)
    )
    return go.Scatter(
        x=epochs,
        y=values,
        mode="lines+markers" if len(told) <= FEW_EPOCHS else "lines",
        marker={"size": 5},
        line={"color": colour, "dash": dash, "width": width},
        name=name,
        showlegend=bool(told),
        hovertemplate=f"<b>{name}</b>: %{{y:.4f}} (epoch %{{x}})<extra></extra>",
    )


def _mark_best(fig: go.Figure, metrics: Metrics, key: str, epoch: int | None, theme: ThemeName) -> None:
    value = next((line.get(key) for line in metrics if line["epoch"] == epoch), None)
    if value is None:
        return
    marker = {
        "symbol": "star",
        "size": 14,
        "color": THEMES[theme].selection,
        "line": {"color": THEMES[theme].page, "width": 1},
    }
    fig.add_trace(
        go.Scatter(
            x=[epoch],
            y=[value],
            mode="markers",
            marker=marker,
            name=f"best: epoch {epoch}",
            showlegend=True,
            hoverinfo="skip",
        )
    )


def _shade_warm_up(fig: go.Figure, metrics: Metrics, theme: ThemeName) -> None:
    epochs = [int(line["epoch"]) for line in metrics if line.get("warm_up")]
    if not epochs:
        return
    fig.add_shape(
        type="rect",
        x0=min(epochs) - 0.5,
        x1=max(epochs) + 0.5,
        y0=0,
        y1=1,
        yref="paper",
        line={"width": 0},
        fillcolor=faded(THEMES[theme].muted, 0.14),
        layer="below",
    )
    marker = {"symbol": "square", "size": 13, "color": faded(THEMES[theme].muted, 0.3)}
    name = f"warm-up: epochs {min(epochs)} to {max(epochs)}"
    fig.add_trace(go.Scatter(x=[None], y=[None], mode="markers", marker=marker, name=name, showlegend=True))
