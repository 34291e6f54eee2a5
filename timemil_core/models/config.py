"""``ModelConfig``: every choice of the architecture, and the presets.

Where the paper and the authors' code differ, both are settings. ``paper`` follows the text, ``authors`` their
public code's sizes, ``default`` is ours: exact and masked, so that what is drawn is what was used
(docs/reference/model.md). ``faithful`` gives up the class token for logits that are sums over time points, each of
which has seen little: its own contributions are evidence (docs/faithful.md). ``faithful-long`` is deeper and sees
farther, for series of a thousand time points. ``inception-time`` is the fully supervised network by itself (Ismail
Fawaz et al. 2020).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal, get_args

from timemil_core.errors import SettingsError
from timemil_core.setting_checks import SHARE, YES_OR_NO, Check, check_settings, one_of, several, whole

PoolingName = Literal["time-aware", "conjunctive", "attention", "max", "mean"]
EncodingName = Literal["wavelet", "sinusoidal", "none"]
AttentionKind = Literal["auto", "exact", "nystrom"]
ClassifierName = Literal["two-layer", "linear"]
ValueConvolution = Literal["none", "instances", "all"]
EvidencePlace = Literal["instance", "sight"]
PresetName = Literal["default", "faithful", "faithful-long", "inception-time", "paper", "authors"]

POOLING_NAMES: tuple[PoolingName, ...] = get_args(PoolingName)
ENCODING_NAMES: tuple[EncodingName, ...] = get_args(EncodingName)
PRESET_NAMES: tuple[PresetName, ...] = get_args(PresetName)
LONGEST_KERNEL = 1_000


@dataclass(frozen=True)
class ModelConfig:
    """The architecture of one network.

    Attributes
    ----------
    n_channels, n_classes
        Given by the data.
    embedding_width
        ``L``: features of an instance, shared out over the views; each view's share is a multiple of one more than
        there are kernel sizes.
    kernel_sizes
        Taps of the backbone's convolutions that stand side by side in a module.
    n_modules
        Inception modules in a row, with a residual connection around every three. With the kernels they say how far
        an instance sees: the largest kernel less one, for each module, and its own time point (235 by default).
    views
        So many times wider than ``kernel_sizes`` are the kernels of each backbone; several stand side by side, and
        the conjunctive pooling gives each its own attention and instance logits, so that short and long patterns are
        each found by what just sees them.
    pooling, positional_encoding, classifier
        The interchangeable parts (paper, table 3).
    evidence
        Of which time points the conjunctive pooling says what an instance adds: of its own (``"instance"``), or of
        all that it saw (``"sight"``), in the shares in which flat kernels see them that are stacked as the backbone's.
        The logits are the same.
    n_layers
        Transformer layers of the time-aware pooling (Algorithm 1: 2).
    n_heads, head_size
        Of the self-attention.
    attention
        ``"auto"`` takes exact attention up to ``exact_up_to`` time points and Nyström's approximation beyond.
    n_landmarks, pseudo_inverse_iterations
        Of Nyström's approximation.
    class_token_row_only
        The last layer computes the class token's row alone, exactly, so that the drawn weights are the used ones;
        False computes the whole layer, as the paper does.
    value_convolution
        The depth-wise convolution of values, width 33, beside the attention: over ``"all"`` tokens (the authors'
        code), where the first 16 time points reach the class token past its attention; over ``"instances"`` only, in
        all layers but the last; or ``"none"``.
    n_wavelets, wavelet_size
        ``n_W`` (equation 10) and the taps of a kernel.
    wavelet_projection
        A linear map after the sum of wavelets (the authors' code; not in the paper).
    final_normalisation
        A LayerNorm before the classifier; without it logits saturate.
    dropout
        In attention output and classifier, a share in [0, 1).
    """

    n_channels: int
    n_classes: int
    embedding_width: int = 128
    kernel_sizes: tuple[int, ...] = (10, 20, 40)
    n_modules: int = 6
    views: tuple[int, ...] = (1,)
    pooling: PoolingName = "time-aware"
    positional_encoding: EncodingName = "wavelet"
    evidence: EvidencePlace = "instance"
    classifier: ClassifierName = "two-layer"
    n_layers: int = 2
    n_heads: int = 8
    head_size: int = 16
    attention: AttentionKind = "auto"
    exact_up_to: int = 640
    n_landmarks: int = 64
    pseudo_inverse_iterations: int = 6
    class_token_row_only: bool = True
    value_convolution: ValueConvolution = "instances"
    n_wavelets: int = 3
    wavelet_size: int = 19
    wavelet_projection: bool = False
    final_normalisation: bool = True
    dropout: float = 0.2

    masks_padding: ClassVar[bool] = True  # False: its network takes series of one length at a time

    def __post_init__(self) -> None:
        check_settings(self, _CHECKS)
        parts = len(self.views) * (len(self.kernel_sizes) + 1)
        if self.embedding_width % parts:
            raise SettingsError(
                f"embedding_width is {self.embedding_width}: {len(self.views)} views of {len(self.kernel_sizes)} "
                "kernels and a pooled branch cannot share it evenly.",
                remedy=f"Give a multiple of {parts}.",
            )
        if (widest := max(self.kernel_sizes) * max(self.views)) > LONGEST_KERNEL:
            raise SettingsError(
                f"the widest view has kernels of {widest:,} taps.", remedy=f"Stay below {LONGEST_KERNEL + 1:,}."
            )

    @property
    def sight(self) -> int:
        """How many time points an instance of the widest view sees, its own included."""
        return 1 + self.n_modules * (max(self.kernel_sizes) * max(self.views) - 1)

    def own_places(self, n_timepoints: int) -> slice:
        """Return which of the backbone's instances are a series' own time points: the first; padding follows."""
        return slice(0, n_timepoints)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> ModelConfig:
        """Read what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where a setting is unknown, missing, or has a value that cannot work.
        """
        return _read_settings(cls, content)


# The largest are ten times what anybody trains: no damaged or hostile description has memory filled by a network.
_CHECKS: dict[str, Check] = {
    "n_channels": whole(1, 100_000),
    "n_classes": whole(1, 100_000),
    "embedding_width": (
        lambda value: whole(4, 8_192)[0](value) and value % 4 == 0,
        "Give a multiple of 4, from 4 to 8,192.",
    ),
    "kernel_sizes": several(1, LONGEST_KERNEL, 16),
    "n_modules": whole(1, 100),
    "views": several(1, LONGEST_KERNEL, 16),
    "pooling": one_of(POOLING_NAMES),
    "positional_encoding": one_of(ENCODING_NAMES),
    "evidence": one_of(get_args(EvidencePlace)),
    "classifier": one_of(get_args(ClassifierName)),
    "n_layers": whole(1, 100),
    "n_heads": whole(1, 1_024),
    "head_size": whole(1, 4_096),
    "attention": one_of(get_args(AttentionKind)),
    "exact_up_to": whole(1, 10**9),
    "n_landmarks": whole(1, 100_000),
    "pseudo_inverse_iterations": whole(1, 1_000),
    "class_token_row_only": YES_OR_NO,
    "value_convolution": one_of(get_args(ValueConvolution)),
    "n_wavelets": whole(1, 1_000),
    "wavelet_size": (
        lambda value: whole(1, 100_001)[0](value) and value % 2 == 1,
        "Give an odd number, from 1 to 100,001.",
    ),
    "wavelet_projection": YES_OR_NO,
    "final_normalisation": YES_OR_NO,
    "dropout": SHARE,
}
GIVEN_BY_THE_DATA = ("n_channels", "n_classes", "n_timepoints")

_ADDITIVE: dict[str, Any] = {
    "pooling": "conjunctive",
    "positional_encoding": "none",
    "evidence": "sight",
    "kernel_sizes": (3, 5, 9),
}
_PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "faithful": {**_ADDITIVE, "n_modules": 2, "views": (1, 4, 16), "embedding_width": 192},
    "faithful-long": {**_ADDITIVE, "n_modules": 6, "views": (1, 5)},
    "inception-time": {
        "pooling": "mean",
        "positional_encoding": "none",
        "classifier": "linear",
        "final_normalisation": False,
    },
    "paper": {
        "head_size": 64,
        "attention": "nystrom",
        "n_landmarks": 256,
        "class_token_row_only": False,
        "value_convolution": "all",
        "final_normalisation": False,
    },
    "authors": {
        "attention": "nystrom",
        "class_token_row_only": False,
        "value_convolution": "all",
        "wavelet_projection": True,
        "final_normalisation": False,
    },
}


def _read_settings(cls: type[ModelConfig], content: dict[str, Any]) -> ModelConfig:
    known = {field.name for field in fields(cls)}
    if unknown := sorted(set(content) - known):
        raise SettingsError(f"unknown model setting {', '.join(unknown)}.", remedy="Was it written by a newer version?")
    try:
        values: dict[str, Any] = {name: _frozen(value) for name, value in content.items()}
        return cls(**values)
    except TypeError as error:
        raise SettingsError(f"model settings do not fit: {error}.") from error


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def check_changes(settings: Any) -> dict[str, Any]:
    """Return settings of a user's that ``preset`` takes.

    Raises
    ------
    SettingsError
        Where they are no dictionary, or hold what the data give.
    """
    if not isinstance(settings, dict) or not all(isinstance(name, str) for name in settings):
        raise SettingsError(f"model settings are {settings!r}.", remedy="Give a dictionary of names and values.")
    if given := [name for name in GIVEN_BY_THE_DATA if name in settings]:
        raise SettingsError(f"{given[0]} is no setting: the data give it.", remedy="Leave it out.")
    return settings


def preset(name: PresetName, *, n_channels: int, n_classes: int, **changes: Any) -> ModelConfig:
    """Return a named configuration for data of the given size, with single settings changed.

    Raises
    ------
    SettingsError
        Where the name or a setting is unknown, or a value cannot work.
    """
    if name not in _PRESETS:
        raise SettingsError(f"no preset {name!r}.", remedy=f"Choose one of {', '.join(_PRESETS)}.")
    if "arithmetic" in changes:
        raise SettingsError(
            "the arithmetic of an imported checkpoint is kept, not trained anew.",
            remedy="Train with the preset 'authors' for a network of the same sizes.",
        )
    return ModelConfig.from_json({"n_channels": n_channels, "n_classes": n_classes, **_PRESETS[name], **changes})


def fully_supervised(config: ModelConfig) -> ModelConfig:
    """Return the paper's counterpart: the same backbone, global average pooling, a linear classifier."""
    return ModelConfig.from_json({**config.to_json(), **_PRESETS["inception-time"]})
