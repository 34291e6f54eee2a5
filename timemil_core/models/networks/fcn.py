"""The fully convolutional network (Wang, Yan and Oates 2017): three convolutions, a mean over time, a linear map."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.models.masking import MaskedBatchNorm
from timemil_core.models.networks.base import MeanHead, OtherNetwork
from timemil_core.models.networks.config import OtherConfig

LAYERS = ((128, 8), (256, 5), (128, 3))  # filters and taps, as in the paper's figure 1


class FullyConvolutionalNetwork(OtherNetwork):
    """B series, C channels, T time points, K classes. Beyond a series' ends stands zero, as in the paper."""

    def __init__(self, config: OtherConfig) -> None:
        super().__init__(config)
        widths = [config.n_channels, *(width for width, _ in LAYERS)]
        self.convolutions = nn.ModuleList(
            nn.Conv1d(n_in, width, taps) for n_in, (width, taps) in zip(widths[:-1], LAYERS, strict=True)
        )
        self.normalisations = nn.ModuleList(MaskedBatchNorm(width) for width, _ in LAYERS)
        self.head = MeanHead(widths[-1], config.n_classes)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``."""
        features = values
        for convolution, normalisation, (_, taps) in zip(self.convolutions, self.normalisations, LAYERS, strict=True):
            if mask is not None:
                features = features * mask[:, None, :]  # (B, width, T): what is padded is as what lies beyond
            features = pad(features, ((taps - 1) // 2, taps // 2))  # (B, width, T + taps - 1)
            features = normalisation(convolution(features), mask).relu()  # (B, width, T)
        return self.head(features.transpose(1, 2), mask)  # (B, K)
