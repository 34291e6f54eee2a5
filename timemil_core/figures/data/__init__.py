"""What a data set holds: a picture a file."""

from timemil_core.figures.data.accuracies import MeasuredHere, accuracies_figure
from timemil_core.figures.data.class_counts import class_counts_figure
from timemil_core.figures.data.class_curves import class_curves_figure
from timemil_core.figures.data.examples import examples_figure
from timemil_core.figures.data.lengths import length_histogram
from timemil_core.figures.data.missing import missing_by_channel_figure, missing_map_figure
from timemil_core.figures.data.scales import channel_scales_figure

__all__ = [
    "MeasuredHere",
    "accuracies_figure",
    "channel_scales_figure",
    "class_counts_figure",
    "class_curves_figure",
    "examples_figure",
    "length_histogram",
    "missing_by_channel_figure",
    "missing_map_figure",
]
