"""What a set holds, in numbers that a person can look at: means of classes, scales of channels, missing values.

Every function takes sets of any size: long series are binned, and of very many series a fixed part is taken evenly.
"""

from timemil_core.data.overview.class_means import ClassMeans, class_means
from timemil_core.data.overview.missing import MissingValues, missing_values
from timemil_core.data.overview.scales import ChannelScale, channel_scales

__all__ = [
    "ChannelScale",
    "ClassMeans",
    "MissingValues",
    "channel_scales",
    "class_means",
    "missing_values",
]
