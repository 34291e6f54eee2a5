"""``Edit``: one change of one series, as data: it can be told in words, written as JSON, and done again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from timemil_core.errors import SettingsError
from timemil_core.explain.edits.place import Place

EditKind = Literal["mask", "flatten", "smooth", "shift", "scale", "swap"]
MOST = 1e6  # of an amount: beyond, a number is a slip of the pen


@dataclass(frozen=True)
class Edit:
    """A change of a span.

    Attributes
    ----------
    kind
        What is done; ``kinds.KINDS`` says which of the settings below each takes. The others are None.
    place
        Where.
    amount
        Of smoothing, the width in the series' unit of time; of a shift, how much later in that unit; of scaling, the
        factor.
    level
        What flattening holds the span at (``"span mean"``, ``"series mean"``), or what scaling scales around
        (``"span mean"``, ``"zero"``).
    donor, donor_start
        The id of the series whose values are put there, and the time point from which on they are taken.
    """

    kind: EditKind
    place: Place
    amount: float | None = None
    level: str | None = None
    donor: str | None = None
    donor_start: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(EditKind):
            raise SettingsError(
                f"there is no edit {self.kind!r}.", remedy=f"Choose one of {', '.join(get_args(EditKind))}."
            )
        needed, given = SETTINGS[self.kind], {name for name in SETTING_NAMES if getattr(self, name) is not None}
        if given != set(needed):
            raise SettingsError(
                f"the edit {self.kind!r} takes {', '.join(needed) or 'no settings'}, not {', '.join(sorted(given))}."
            )
        if self.amount is not None and not (math.isfinite(self.amount) and abs(self.amount) <= MOST):
            raise SettingsError(f"{self.amount} is no amount that can be applied.")
        if self.kind == "smooth" and (self.amount or 0) <= 0:
            raise SettingsError("smoothing needs a width above 0.")
        if self.kind == "shift" and self.amount == 0:
            raise SettingsError("a shift by 0 changes nothing.")
        if needed.get("level") and self.level not in needed["level"]:
            raise SettingsError(
                f"there is no level {self.level!r} for {self.kind!r}.", remedy=f"Choose {' or '.join(needed['level'])}."
            )

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON values; what is None is left out."""
        settings = {name: getattr(self, name) for name in SETTING_NAMES if getattr(self, name) is not None}
        return {"kind": self.kind, "place": self.place.to_json(), **settings}

    @classmethod
    def from_json(cls, content: Any) -> Edit:
        """Read what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where the content is no edit.
        """
        if not isinstance(content, dict) or content.keys() - {one.name for one in fields(cls)}:
            raise SettingsError("this is no edit of a series.")
        for name, types in SETTING_NAMES.items():
            if name in content and (not isinstance(content[name], types) or isinstance(content[name], bool)):
                raise SettingsError(f"the {name} of an edit cannot be {content[name]!r}.")
        settings = {name: content[name] for name in SETTING_NAMES if name in content}
        return cls(content.get("kind", ""), Place.from_json(content.get("place")), **settings)


SETTING_NAMES: Mapping[str, Any] = {"amount": int | float, "level": str, "donor": str, "donor_start": int}
SETTINGS: Mapping[EditKind, Mapping[str, tuple[str, ...]]] = {
    "mask": {},
    "flatten": {"level": ("span mean", "series mean")},
    "smooth": {"amount": ()},
    "shift": {"amount": ()},
    "scale": {"amount": (), "level": ("span mean", "zero")},
    "swap": {"donor": (), "donor_start": ()},
}
"""The settings that each kind takes, and the values they may have where not every one is possible."""
