"""``EditedSeries``: a series with its lineage, the original and the edits done to it, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet
from timemil_core.data.time_axis import POINTS
from timemil_core.errors import DataError, SettingsError
from timemil_core.explain.edits.edit import Edit
from timemil_core.explain.edits.kinds import KINDS, apply
from timemil_core.explain.edits.place import Times

FORMAT = 1
MOST_EDITS = 1000
REMEDY = "Open the data set that it was made from."


@dataclass(frozen=True, eq=False)
class EditedSeries:
    """A changed copy of one series of a set.

    Attributes
    ----------
    series_set
        Where the original is, and the series that values were taken from. It never changes.
    index
        The original's place in the set.
    edits
        What was done, in order; none for the original itself.
    """

    series_set: SeriesSet
    index: int
    edits: tuple[Edit, ...] = ()

    @property
    def original_id(self) -> str:
        """The id of the series that it was made from."""
        return self.series_set.series_ids[self.index]

    @property
    def original(self) -> FloatArray:
        """The series as it was, ``(n_channels, n_timepoints)``, raw."""
        return self.series_set.series[self.index]

    @property
    def times(self) -> Times:
        """The time of each point, as ``SeriesSet.times`` gives it."""
        return self.series_set.times(self.index)

    @property
    def unit(self) -> str:
        """What a number of time is followed by: `` s``, `` days``, or nothing where time points are counted."""
        axis = self.series_set.axis
        return "" if axis is POINTS else f" {axis.length}"

    @cached_property
    def values(self) -> FloatArray:
        """The series with all edits done, ``(n_channels, n_timepoints)``, raw."""
        values = self.original
        for edit in self.edits:
            values = apply(edit, values, self.times, self._donor)
        return values

    @cached_property
    def changed(self) -> BoolArray:
        """Which values differ from the original's, ``(n_channels, n_timepoints)``."""
        same = (self.values == self.original) | (np.isnan(self.values) & np.isnan(self.original))
        return np.asarray(~same)

    @property
    def changed_share(self) -> float:
        """The share of time points × channels that differ from the original's, 0 to 1."""
        return float(self.changed.mean())

    @property
    def lineage(self) -> tuple[str, ...]:
        """Each edit in words."""
        return tuple(self.told(edit) for edit in self.edits)

    def told(self, edit: Edit) -> str:
        """Return an edit of this series in words."""
        place = edit.place.in_words(self.times, self.series_set.channel_names, self.unit)
        what = KINDS[edit.kind].told(edit, self.unit or " time points")
        return f"{place}: {what}"

    def with_edit(self, edit: Edit) -> EditedSeries:
        """Return the series with one more edit.

        Raises
        ------
        SettingsError
            Where the edit is not possible.
        """
        if len(self.edits) >= MOST_EDITS:
            raise SettingsError(f"a series takes at most {MOST_EDITS:,} edits.", remedy="Undo some.")
        changed = replace(self, edits=(*self.edits, edit))
        changed.__dict__["values"] = apply(edit, self.values, self.times, self._donor)
        return changed

    def undone(self) -> EditedSeries:
        """Return the series without its last edit; the original where there is none."""
        return replace(self, edits=self.edits[:-1])

    def as_set(self) -> SeriesSet:
        """Return it as a set of one series, with its lineage among what was done to the data.

        Instance labels and the class are left out: they were the original's.
        """
        one = self.series_set.subset([self.index])
        return replace(
            one,
            series=(self.values,),
            series_ids=(f"{self.original_id}, edited" if self.edits else self.original_id,),
            labels=np.full(1, -1, dtype=np.int64),
            instance_labels=None,
            provenance=(*one.provenance, *(f"Edited: {sentence}." for sentence in self.lineage)),
        )

    def to_json(self) -> dict[str, Any]:
        """Return original and edits as JSON values."""
        return {
            "format": FORMAT,
            "data": self.series_set.fingerprint,
            "series": self.original_id,
            "edits": [edit.to_json() for edit in self.edits],
        }

    @classmethod
    def from_json(cls, content: Any, series_set: SeriesSet) -> EditedSeries:
        """Do again what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where the content is no edited series, or an edit is not possible.
        DataError
            Where it was made from another set.
        """
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise SettingsError("this is no edited series.")
        if content.get("data") != series_set.fingerprint or content.get("series") not in series_set.series_ids:
            raise DataError("the edits are of another data set.", where=series_set.name, remedy=REMEDY)
        edits = content.get("edits")
        if not isinstance(edits, list) or len(edits) > MOST_EDITS:
            raise SettingsError("an edited series has a list of edits.")
        return cls(series_set, series_set.series_ids.index(content["series"])).with_edits(map(Edit.from_json, edits))

    def with_edits(self, edits: Iterable[Edit]) -> EditedSeries:
        """Return the series with further edits, in order. Raises as ``with_edit`` does."""
        changed = self
        for edit in edits:
            changed = changed.with_edit(edit)
        return changed

    def _donor(self, series_id: str) -> tuple[FloatArray, Times]:
        if series_id not in self.series_set.series_ids:
            raise SettingsError(f"there is no series {series_id!r}.", where=self.series_set.name)
        place = self.series_set.series_ids.index(series_id)
        return self.series_set.series[place], self.series_set.times(place)
