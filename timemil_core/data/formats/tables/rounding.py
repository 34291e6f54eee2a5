"""From a table's numbers to the float32 of a series, saying where that costs something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from timemil_core.data.report_line import ReportLine, repair, warning
from timemil_core.data.series_set import FloatArray

DoubleArray = npt.NDArray[np.float64]
NOTICEABLE = 0.01  # rounding error in shares of the channel's own standard deviation


class Rounding:
    """Rounds columns of numbers to float32, chunk after chunk, and keeps what it takes to tell what was lost."""

    def __init__(self, n_columns: int) -> None:
        self.n_too_large = 0
        self.counts = np.zeros(n_columns)
        self.firsts = np.full(n_columns, np.nan)
        self.errors = np.zeros(n_columns)
        self.sums = np.zeros(n_columns)  # of the differences to the first value: an epoch keeps its digits
        self.squares = np.zeros(n_columns)

    def round(self, values: DoubleArray) -> FloatArray:
        """Return ``(n_rows, n_columns)`` rounded; NaN where missing or too large for float32."""
        with np.errstate(over="ignore"):
            rounded = values.astype(np.float32)
        too_large = np.isinf(rounded)
        if too_large.any():
            self.n_too_large += int(too_large.sum())
            values = np.where(too_large, np.nan, values)
            rounded[too_large] = np.nan
        errors = np.abs(values - rounded)
        self._note_firsts(values)
        differences = values - self.firsts
        self.counts += np.isfinite(values).sum(axis=0)
        self.errors = np.fmax(self.errors, np.fmax.reduce(errors, axis=0, initial=0.0))
        self.sums += np.nansum(differences, axis=0)
        self.squares += np.nansum(np.square(differences), axis=0)
        return rounded

    def _note_firsts(self, values: DoubleArray) -> None:
        unknown = np.flatnonzero(np.isnan(self.firsts))
        if unknown.size and len(values):
            known = ~np.isnan(values[:, unknown])
            has_any = known.any(axis=0)
            self.firsts[unknown[has_any]] = values[known.argmax(axis=0)[has_any], unknown[has_any]]

    def lines(self, channels: Mapping[str, Sequence[int]]) -> Iterator[ReportLine]:
        """Tell what was lost; ``channels`` are the positions of each channel's columns."""
        if self.n_too_large:
            yield repair(f"Values too large for a network, treated as missing: {self.n_too_large:,}.")
        for name, positions in channels.items():
            columns = np.asarray(positions)
            error = float(self.errors[columns].max(initial=0.0))
            if error > 0 and error > NOTICEABLE * self._deviation(columns) > 0:
                first = self.firsts[columns][np.isfinite(self.firsts[columns])][0]
                yield warning(
                    f"{name!r} has values so large ({first:.6g}) that small differences between them are rounded away.",
                    remedy="Subtract a constant from it before uploading.",
                )

    def _deviation(self, columns: npt.NDArray[np.intp]) -> float:
        """Return the standard deviation over several columns, each summed up from its own first value."""
        known = columns[self.counts[columns] > 0]
        counts = self.counts[known]
        means = self.sums[known] / counts
        total = counts.sum()
        offsets = self.firsts[known] - self.firsts[known][0] + means
        mean = float((counts * offsets).sum() / total)
        within = self.squares[known] - counts * means**2
        return float(np.sqrt(max((within + counts * (offsets - mean) ** 2).sum() / total, 0.0)))
