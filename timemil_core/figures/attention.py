"""Attention beyond a single series: by class, by head; the prediction it led to, and what its removal does."""

from timemil_core.figures.class_means import class_mean_figure
from timemil_core.figures.heads import head_figure
from timemil_core.figures.prediction import probabilities_figure
from timemil_core.figures.removal import deletion_figure

__all__ = ["class_mean_figure", "deletion_figure", "head_figure", "probabilities_figure"]
