"""What every importance method is given: the model, the series, and the question about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.scoring import Score, network_score, prepared_series
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.question import Question, ask
from timemil_core.models.abilities import Ability
from timemil_core.models.time_aware import TimeAwareLayers
from timemil_core.models.trained import TrainedModel


@dataclass(frozen=True, eq=False)
class Request:
    """One series, one model, one question; what several methods need of them is computed once, when asked for.

    Attributes
    ----------
    model
        Stays as it is.
    series
        ``(n_channels, n_timepoints)``, raw.
    target_class, against
        As given to ``explain``.
    progress
        Told (done, of) by methods that take long; raises to cancel.
    known
        The examination where it is at hand.
    """

    model: TrainedModel
    series: FloatArray
    target_class: int | None = None
    against: int | None = None
    progress: Progress = silent
    known: Examination | None = None

    @cached_property
    def examination(self) -> Examination:
        """One pass of the series, kept whole; of models with instances."""
        return self.known or examine(self.model, self.series)

    @cached_property
    def question(self) -> Question:
        """What is explained; the class is by default the predicted one.

        Raises
        ------
        SettingsError
            Where the model does not know a class, or both are the same.
        """
        target = self.target_class
        if target is None and Ability.INSTANCES in self.model.abilities:
            target = self.examination.predicted
        elif target is None:
            target = int(self.score(self.prepared[None])[0].argmax())
        return ask(self.model, target, self.against)

    @cached_property
    def prepared(self) -> FloatArray:
        """The series as the network sees it, ``(n_channels, n_timepoints)``."""
        return prepared_series(self.model, self.series)

    @cached_property
    def score(self) -> Score:
        """From changed copies of the prepared series to logits."""
        return network_score(self.model.network)

    @property
    def class_token_layers(self) -> TimeAwareLayers:
        """The layers through which the class token gathers the bag; of models with a class token."""
        layers = self.model.timemil.pooling.class_token_layers
        assert layers is not None
        return layers

    @property
    def pooled(self) -> Tensor:
        """All that is pooled, on the model's device, ``(1, n, L)``; of models with instances."""
        return torch.from_numpy(self.examination.pooled).to(self.model.device)[None]

    def importance(self, **about: Any) -> Importance:
        """Return a map that answers the question; ``about`` are the other attributes of ``Importance``."""
        return Importance(target_class=self.question.target, against_class=self.question.against, **about)
