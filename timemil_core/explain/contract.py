"""The contract of an importance method: what it is given, what it gives, and what it must say of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.errors import SettingsError
from timemil_core.models.trained import TrainedModel


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


@dataclass(frozen=True)
class Method:
    """An entry of the registry of importance methods.

    Attributes
    ----------
    key
        The name in the URL and in ``explain``.
    title
        The name for people.
    signed, class_specific
        As in ``Importance``, known before anything is computed.
    per_channel
        Whether it tells channels apart.
    explain
        ``(model, series, target_class, *, examination=None, **settings) -> Importance``; a class-specific one also
        takes ``against`` and ``progress``, as ``explain.importance.explain`` does.
    settings
        The names of the settings that ``explain`` takes.
    needs
        A sentence on which models it applies to.
    applies_to
        Whether it applies to a model.
    """

    key: str
    title: str
    signed: bool
    class_specific: bool
    per_channel: bool
    explain: Callable[..., Importance]
    settings: tuple[str, ...]
    needs: str
    applies_to: Callable[[TrainedModel], bool]

    def check_settings(self, settings: dict[str, Any]) -> None:
        """Refuse settings that this method does not know.

        Raises
        ------
        SettingsError
            Naming the unknown ones and those that exist.
        """
        if unknown := sorted(set(settings) - set(self.settings)):
            raise SettingsError(
                f"{self.title} has no setting {', '.join(unknown)}.",
                remedy=f"It takes {', '.join(self.settings)}." if self.settings else "It takes none.",
            )


def check_class(model: TrainedModel, target_class: int) -> int:
    """Return the class if the model knows it.

    Raises
    ------
    SettingsError
        Where there is no such class.
    """
    n_classes = len(model.class_names)
    if not 0 <= target_class < n_classes:
        raise SettingsError(f"there is no class {target_class}.", remedy=f"Give an index from 0 to {n_classes - 1}.")
    return int(target_class)
