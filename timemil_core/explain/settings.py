"""The settings of importance methods: what each may be, told in one sentence where it is something else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.fillers import FILLERS
from timemil_core.explain.question import is_whole
from timemil_core.explain.reference_inputs import BASELINES
from timemil_core.explain.request import Request

Bound = Callable[[Request], int]


@dataclass(frozen=True)
class Setting:
    """One setting of a method.

    Attributes
    ----------
    name
        As it is given to ``explain``.
    fits
        Whether a value can be meant, for a given model and series.
    allowed
        What can be meant, as a sentence.
    optional
        Whether None stands for the method's own choice.
    """

    name: str
    fits: Callable[[Any, Request], bool]
    allowed: Callable[[Request], str]
    optional: bool = False

    def check(self, value: Any, request: Request) -> None:
        """Refuse a value that cannot be meant.

        Raises
        ------
        SettingsError
            Saying what is allowed.
        """
        if not (self.optional and value is None) and not self.fits(value, request):
            raise SettingsError(f"{self.name} is {value!r}.", remedy=self.allowed(request))


def whole(name: str, least: int | Bound, most: int | Bound | None = None, *, optional: bool = False) -> Setting:
    """Return a setting that takes a whole number within bounds, which may depend on the model and the series."""

    def bounds(request: Request) -> tuple[int, int | None]:
        low, high = (bound(request) if callable(bound) else bound for bound in (least, most))
        assert low is not None
        return low, high

    def fits(value: Any, request: Request) -> bool:
        low, high = bounds(request)
        return is_whole(value) and low <= value and (high is None or value <= high)

    def allowed(request: Request) -> str:
        low, high = bounds(request)
        return f"Give a whole number from {low} {'up' if high is None else f'to {high}'}."

    return Setting(name, fits, allowed, optional)


def one_of(name: str, choices: Sequence[str]) -> Setting:
    """Return a setting that takes one of some words."""
    return Setting(
        name,
        lambda value, request: isinstance(value, str) and value in choices,
        lambda request: f"Choose one of {', '.join(choices)}.",
    )


def _n_timepoints(request: Request) -> int:
    return request.series.shape[1]


def _n_layers(request: Request) -> int:
    return len(request.class_token_layers.layers)


def _n_heads(request: Request) -> int:
    return request.class_token_layers.config.n_heads


LAYER = whole("layer", lambda request: -_n_layers(request), lambda request: _n_layers(request) - 1, optional=True)
HEAD = whole("head", lambda request: -_n_heads(request), lambda request: _n_heads(request) - 1, optional=True)
WINDOW = whole("window", 1, _n_timepoints, optional=True)
SMOOTHING = Setting(
    "smoothing",
    lambda value, request: is_whole(value) and 1 <= value <= _n_timepoints(request) and value % 2 == 1,
    lambda request: f"Give an odd number from 1 to {_n_timepoints(request)}; 1 does not smooth.",
    optional=True,
)
FILLER = one_of("filler", tuple(FILLERS))
BASELINE = one_of("baseline", tuple(BASELINES))
SEED = whole("seed", 0)
N_STEPS = whole("n_steps", 1, 1_000, optional=True)
N_MASKS = whole("n_masks", 2, 10_000)
