"""What is explained: the logit of a class, or by how much it exceeds another's ("why B and not A")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt
from torch import Tensor

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.contract import check_class
from timemil_core.explain.examination import Examination, examine
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


def ask_about(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None,
    against: int | None,
    examination: Examination | None,
) -> Question:
    """Return the question about a series; the class is by default the predicted one. Raises as ``ask`` does."""
    if target_class is None:
        target_class = (examination or examine(model, series)).predicted
    return ask(model, target_class, against)
