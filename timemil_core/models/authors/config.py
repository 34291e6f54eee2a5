"""What is to be known of a network that keeps the authors' arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, cast, get_args

from timemil_core.errors import SettingsError
from timemil_core.models.config import ModelConfig, preset

Scaling = Literal["series", "batch"]

N_HEADS = 8
SHORTEST = 21  # time points; their feature extractor puts zeros on both sides of a shorter series
LONGEST_PADDING = 100_000
LOADER_LENGTHS = {"JapaneseVowels": 29, "SpokenArabicDigits": 93, "CharacterTrajectories": 182, "InsectWingbeat": 78}
"""To which their loader fills series up, by the set: zeros in front."""


@dataclass(frozen=True)
class AuthorsConfig(ModelConfig):
    """The architecture of one network of the authors' public code; build it by ``authors_config``.

    Attributes
    ----------
    arithmetic
        What a saved description is known by.
    scaling
        The scale from which the pseudo-inverse starts: ``"series"`` takes the largest sums of each series, as their
        code does for a series alone; ``"batch"`` those of all series of a call, as their code does for a batch, where
        a prediction depends on its batch mates.
    front_padded_to
        Their loader of unequal sets puts zeros before a series that is shorter than this; None where there are none.
    """

    arithmetic: Literal["authors"] = field(default="authors", kw_only=True)
    scaling: Scaling = field(default="series", kw_only=True)
    front_padded_to: int | None = field(default=None, kw_only=True)

    masks_padding: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = _sizes(self.embedding_width)
        theirs = preset("authors", n_channels=self.n_channels, n_classes=self.n_classes, dropout=self.dropout, **sizes)
        for name in theirs.to_json():
            if (value := getattr(theirs, name)) != getattr(self, name):
                raise SettingsError(f"{name} is {getattr(self, name)!r}; in the authors' code it is {value!r}.")
        if self.scaling not in get_args(Scaling):
            raise SettingsError(f"scaling is {self.scaling!r}.", remedy=f"Choose {' or '.join(get_args(Scaling))}.")
        length = self.front_padded_to
        if length is not None and not (isinstance(length, int) and 1 <= length <= LONGEST_PADDING):
            raise SettingsError(
                f"front_padded_to is {length!r}.", remedy=f"Give a number of time points up to {LONGEST_PADDING:,}."
            )

    def zeros_around(self, n_timepoints: int) -> tuple[int, int]:
        """Return how many zeros stand before and behind a series: their loader's, then their feature extractor's."""
        in_front = max(0, (self.front_padded_to or 0) - n_timepoints)
        missing = max(0, SHORTEST - in_front - n_timepoints)
        return in_front + missing // 2, missing - missing // 2

    def own_places(self, n_timepoints: int) -> slice:
        """Return which of the backbone's instances are the series' own time points."""
        before, _ = self.zeros_around(n_timepoints)
        return slice(before, before + n_timepoints)


def authors_config(
    *,
    n_channels: int,
    n_classes: int,
    embedding_width: int = 128,
    scaling: Scaling = "series",
    front_padded_to: int | None = None,
) -> AuthorsConfig:
    """Return the configuration of their network: 8 heads, half as many landmarks as features.

    Raises
    ------
    SettingsError
        Where the width is no multiple of 8, or a value cannot work.
    """
    if embedding_width < N_HEADS or embedding_width % N_HEADS:
        raise SettingsError(f"embedding_width is {embedding_width}.", remedy=f"Give a multiple of {N_HEADS}.")
    sizes = _sizes(embedding_width)
    plain = preset("authors", n_channels=n_channels, n_classes=n_classes, **sizes)
    content: dict[str, Any] = {**plain.to_json(), "scaling": scaling, "front_padded_to": front_padded_to}
    return cast(AuthorsConfig, AuthorsConfig.from_json(content))


def _sizes(embedding_width: int) -> dict[str, int]:
    head_size = max(1, embedding_width // N_HEADS)
    return {
        "embedding_width": embedding_width,
        "n_heads": N_HEADS,
        "head_size": head_size,
        "n_landmarks": max(1, embedding_width // 2),
    }
