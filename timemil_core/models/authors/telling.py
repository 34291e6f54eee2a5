"""What is to be told of an imported model wherever it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.authors.wavelets import SignedWaveletBank

PROTOCOL = "Their main.py keeps the epoch that was best on the test set: a test score of its checkpoint is optimistic."


def notes(network: AuthorsTimeMIL) -> Iterator[str]:
    """Yield what is known of the arithmetic that the weights come with, in plain sentences."""
    if network.config.scaling == "series":
        yield (
            "In their code a prediction depends on the series it is batched with; here each is predicted as their code "
            "predicts it alone."
        )
    else:
        yield "As in their code, a prediction depends on the series it is batched with: maps and tests waver with it."
    yield (
        "Their attention reads zeros in front of each series that nobody masked; each map says how much of the class "
        "token's attention falls on them."
    )
    if (length := network.config.front_padded_to) is not None:
        yield f"Series of fewer than {length} time points have zeros put before them, as their loader does."
    banks = [one for one in network.modules() if isinstance(one, SignedWaveletBank)]
    scales = [float(scale) for bank in banks for scale in bank.signed_scales.detach().flatten()]
    if n_negative := sum(scale < 0 for scale in scales):
        yield f"{n_negative} of {len(scales)} wavelet scales are negative; such a kernel is that of the scale's size."
    yield "How the wavelets began is not in a checkpoint, so what training did to them cannot be shown."
