"""Instance labels: whether the truth that pictures are compared with can be one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.report_line import ReportLine, note, warning


def instance_labels(measured: Measured) -> Iterator[ReportLine]:
    """Tell how much is marked, and for which classes."""
    series_set = measured.series_set
    if series_set.instance_labels is None:
        return
    shares = np.array([marks.mean() for marks in series_set.instance_labels])
    if not shares.any():
        yield warning(
            "There are instance labels, but no time point is marked.",
            remedy="Mark time points by 1, or by the name of their series' class.",
        )
        return
    by_class = {
        name: float(shares[series_set.labels == label].mean())
        for label, name in enumerate(series_set.class_names)
        if (series_set.labels == label).any()
    }
    told = ", ".join(f"{share:.1%} in {name!r}" for name, share in list(by_class.items())[:6])
    yield note(
        f"Instance labels mark {told}{' …' if len(by_class) > 6 else ''} of the time points. Pictures are compared "
        "with them; training never sees them."
    )
