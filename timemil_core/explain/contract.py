"""What an importance method gives, and what it must say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Importance:
    """How important each time point of one series is, and in what sense.

    Attributes
    ----------
    values
        ``(n_timepoints,)``, as computed: neither stretched nor renormalised.
    name
        What is drawn, for a title: method and settings.
    reference
        Where the method comes from.
    signed
        Whether a negative value speaks against the class. Where False, a negative value can only be an error of
        approximation, and ``note`` says so.
    note
        One or two sentences: what these values are, and what they are not.
    per_channel
        ``(n_channels, n_timepoints)`` where the method tells channels apart, else None.
    class_token_mass
        The weight that the class token kept for itself; None where there is no class token.
    target_class
        Index of the class that is explained; None for methods that know no class.
    against_class
        Index of the class that the target is contrasted with; None where the target's own logit is explained.
    parts
        Where the values are shares of a whole: what the whole holds besides, by name. ``values.sum()`` and the parts
        sum to ``total``.
    total
        The explained number itself (a logit, or a difference of two); None where the values are no shares of it.
    """

    values: npt.NDArray[np.float64]
    name: str
    reference: str
    signed: bool
    note: str
    per_channel: npt.NDArray[np.float64] | None = None
    class_token_mass: float | None = None
    target_class: int | None = None
    against_class: int | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    total: float | None = None

    @property
    def class_specific(self) -> bool:
        """Whether the values are about ``target_class``. Where False they are no evidence for any class."""
        return self.target_class is not None

    @property
    def are_weights(self) -> bool:
        """Whether these are a pooling's weights, of which a flat map has 1/T everywhere; Nyström's sum to about 1."""
        sums_to_one = not self.class_specific and bool(np.isclose(self.values.sum(), 1))
        return self.class_token_mass is not None or sums_to_one

    @property
    def unit(self) -> str:
        """Of the values, for an axis: what is signed are parts, or changes, of a logit."""
        return "weight" if self.are_weights else "logit" if self.signed else "importance"
