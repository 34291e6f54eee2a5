"""What is explained: the logit of a class, or by how much it exceeds another's ("why B and not A")."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import overload

import numpy as np
import numpy.typing as npt
from torch import Tensor

from timemil_core.errors import SettingsError
from timemil_core.models.trained import TrainedModel

LogitArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """The number that a class-specific method explains; linear in the logits.

    Attributes
    ----------
    target
        Index of the class.
    against
        Index of the class whose logit is subtracted; None where the target's own logit is explained.
    target_name, against_name
        Their names.
    """

    target: int
    against: int | None
    target_name: str
    against_name: str | None

    @overload
    def of(self, logits: LogitArray) -> LogitArray: ...
    @overload
    def of(self, logits: Tensor) -> Tensor: ...
    def of(self, logits: LogitArray | Tensor) -> LogitArray | Tensor:
        """Return the number for logits ``(..., n_classes)``, an array or a tensor: ``(...)``."""
        if self.against is None:
            return logits[..., self.target]
        return logits[..., self.target] - logits[..., self.against]

    @property
    def quantity(self) -> str:
        """What the number is, for an axis or a sentence."""
        if self.against is None:
            return f"logit of class {self.target_name!r}"
        return f"logit of class {self.target_name!r} less that of {self.against_name!r}"

    @property
    def title(self) -> str:
        """What is explained, for a map's name."""
        if self.against is None:
            return f"class {self.target_name!r}"
        return f"{self.target_name!r} and not {self.against_name!r}"


def ask(model: TrainedModel, target_class: int, against: int | None = None) -> Question:
    """Return the question about a class, or about two.

    Raises
    ------
    SettingsError
        Where the model does not know a class, or both are the same.
    """
    target = check_class(model, target_class)
    if against is None:
        return Question(target, None, model.class_names[target], None)
    if check_class(model, against) == target:
        raise SettingsError("a class cannot be contrasted with itself.", remedy="Choose two different classes.")
    return Question(target, against, model.class_names[target], model.class_names[against])


def is_whole(value: object) -> bool:
    """Tell whether this is a whole number, NumPy's included; true and false are none."""
    return isinstance(value, Integral) and not isinstance(value, bool | np.bool_)


def check_class(model: TrainedModel, target_class: int) -> int:
    """Return the class if the model knows it.

    Raises
    ------
    SettingsError
        Where there is no such class.
    """
    n_classes = len(model.class_names)
    if not is_whole(target_class) or not 0 <= target_class < n_classes:
        raise SettingsError(f"there is no class {target_class!r}.", remedy=f"Give an index from 0 to {n_classes - 1}.")
    return int(target_class)
