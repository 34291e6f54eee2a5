"""Whether a set's channels are those that a model was trained on."""

from __future__ import annotations

from collections.abc import Sequence

from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import SeriesSet, default_channel_names
from timemil_core.data.wording import listed

RATE_TOLERANCE = 1e-3


def fit_to_model(
    series_set: SeriesSet, channel_names: Sequence[str], sampling_rate: float | None = None
) -> list[ReportLine]:
    """Compare a set with the channels and the sampling rate of a model's training data (pitfall 21)."""
    ours, theirs = series_set.channel_names, tuple(channel_names)
    lines = []
    if len(ours) != len(theirs):
        lines.append(
            warning(
                f"The model reads {len(theirs):,} channels ({listed(theirs)}), the set has {len(ours):,} "
                f"({listed(ours)}).",
                remedy="Leave channels out, or choose a model that was trained on data like these.",
                choice="channels",
            )
        )
    elif default_channel_names(len(ours)) in (ours, theirs):
        if ours != theirs:
            lines.append(
                note("Only one of model and set names its channels: that they come in the same order is assumed.")
            )
    elif set(ours) == set(theirs) and ours != theirs:
        lines.append(
            warning(
                f"The set has the model's channels in another order: the model reads {', '.join(theirs)}.",
                remedy="Put them into the model's order.",
                choice="channels",
            )
        )
    elif ours != theirs:
        lines.append(
            warning(
                f"The model reads the channels {listed(theirs)}; the set has {listed(ours)}.",
                remedy="Name the channels as the model does, or choose a model trained on data like these.",
            )
        )
    rate = series_set.sampling_rate
    if rate and sampling_rate and abs(rate - sampling_rate) > RATE_TOLERANCE * sampling_rate:
        lines.append(
            warning(
                f"The model was trained at {sampling_rate:g} Hz, the set has {rate:g} Hz: patterns look "
                f"{'slower' if rate > sampling_rate else 'faster'} to it than they are.",
                remedy=f"Resample the set to {sampling_rate:g} Hz.",
                choice="rate",
            )
        )
    return lines
