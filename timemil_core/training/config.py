"""``TrainingConfig``: every choice of how a network is trained, and the presets."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from timemil_core.data.preparation import Normalisation
from timemil_core.errors import SettingsError
from timemil_core.models.at_once import TRAINABLE
from timemil_core.models.building import TRAINED_BY_EPOCHS
from timemil_core.models.comparators.classifiers import COMPARATORS
from timemil_core.setting_checks import POSITIVE, SHARE, YES_OR_NO, Check, check_settings, number, one_of, whole

SelectionName = Literal["validation", "last", "test"]
CheckpointingName = Literal["auto", "always", "never"]
PrecisionName = Literal["auto", "32", "bf16"]
CompilationName = Literal["off", "on", "cuda-graphs"]
ScheduleName = Literal["constant", "one-cycle"]


@dataclass(frozen=True)
class TrainingConfig:
    """How one network is trained.

    Attributes
    ----------
    n_epochs, batch_size
        Passes over the training series; series a step.
    learning_rate, weight_decay
        Of AdamW (paper, appendix: 1e-3 and 1e-4; the authors' code: 5e-3).
    schedule
        Of the learning rate: ``"constant"``, or ``"one-cycle"``: up to ``learning_rate`` over the first fifth of all
        steps, then down to nothing by half a cosine (Smith and Topin 2019).
    gradient_clip
        The largest norm of a step's gradient.
    lookahead_steps, lookahead_rate
        Every so many steps the slow weights go this share of the way to the fast ones (Zhang et al. 2019); after 0
        steps: never, which is AdamW alone.
    masking_share, masking_windows
        ``p`` and the number of windows of the paper's window-based random masking; a share of 0 masks nothing.
    marked_alone
        Whether each series is classified a second time by what the network marks in it alone, and the loss of that is
        added: the time points that add most to the class that it says, a share drawn for each series, the others taken
        away as missing (after Ismail et al. 2021, "Improving deep learning interpretability by saliency guided
        training", with the network's own sum instead of gradients). For networks whose logits are such a sum; others
        have no second time.
    circular_shift
        Whether each series begins at another of its time points in each epoch, and what stood before follows its end.
        For recordings whose beginning and end mean nothing: a pattern is then met everywhere in time.
    warm_up_epochs, warm_up_alpha
        For so many epochs the classifier is fed α · mean instance + (1 − α) · class token (paper, appendix).
    validation_share
        The share of the training series that chooses the epoch and is never trained on.
    selection
        Which epoch is kept: the best on the validation series; the last; or, as the authors' code does and for
        comparison with it only, the best **on the test set**.
    normalisation
        Of the values, fitted on the training series.
    with_supervised
        Whether the fully supervised counterpart is trained too.
    checkpointing
        Whether a pass computes again on its way back what it would else keep in memory: ``"auto"`` where memory
        demands it, and the log says so. The weights are the same.
    seed
        Of everything random: split, initial weights, order, masking, dropout.
    device
        ``"auto"`` (a GPU where there is one), ``"cpu"``, ``"cuda"``, ``"cuda:1"``, ``"mps"``.
    devices
        So many devices of this kind and machine share each batch; ``batch_size`` is that of all together.
    precision
        ``"32"``; ``"bf16"``, mixed with bfloat16; ``"auto"``: bf16 on a GPU that has it, else 32.
    compilation
        Of the training network by ``torch.compile``: ``"off"``, ``"on"``, or ``"cuda-graphs"``.
    time_limit
        Minutes after which a network that is fitted at once is given up; of one trained by epochs there is none.
    """

    n_epochs: int = 100
    batch_size: int = 16
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    schedule: ScheduleName = "constant"
    gradient_clip: float = 2.0
    lookahead_steps: int = 6
    lookahead_rate: float = 0.5
    masking_share: float = 0.5
    masking_windows: int = 10
    marked_alone: bool = False
    circular_shift: bool = False
    warm_up_epochs: int = 10
    warm_up_alpha: float = 0.99
    validation_share: float = 0.2
    selection: SelectionName = "validation"
    normalisation: Normalisation = "per-channel"
    with_supervised: bool = True
    checkpointing: CheckpointingName = "auto"
    seed: int = 0
    device: str = "auto"
    devices: int = 1
    precision: PrecisionName = "auto"
    compilation: CompilationName = "off"
    time_limit: float = 60.0

    def __post_init__(self) -> None:
        check_settings(self, _CHECKS)
        if self.n_masked_windows >= self.masking_windows:
            raise SettingsError(
                f"masking_share {self.masking_share} of {self.masking_windows} windows covers the whole series.",
                remedy="Give a smaller share.",
            )
        if self.devices > self.batch_size:
            raise SettingsError(
                f"{self.devices} devices cannot share batches of {self.batch_size} series.",
                remedy="Give a larger batch_size, or fewer devices.",
            )

    @property
    def n_masked_windows(self) -> int:
        """Windows covered in a series that is long enough to hold them all."""
        return round(self.masking_windows * self.masking_share)

    @property
    def effective_warm_up(self) -> int:
        """Warm-up epochs of this run: a third of it where the setting would leave less than half to the class token."""
        return self.warm_up_epochs if self.warm_up_epochs <= self.n_epochs // 2 else self.n_epochs // 3

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> TrainingConfig:
        """Read what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where a setting is unknown or has a value that cannot work.
        """
        if unknown := sorted(set(content) - {field.name for field in fields(cls)}):
            raise SettingsError(
                f"unknown training setting {', '.join(unknown)}.", remedy="Was it written by a newer version?"
            )
        return cls(**content)


LARGEST_SEED = 2**32 - 1  # what NumPy and scikit-learn take
_DEVICE = re.compile(r"auto|cpu|mps|cuda(:\d+)?")

_CHECKS: dict[str, Check] = {
    "n_epochs": whole(1),
    "batch_size": whole(1),
    "learning_rate": POSITIVE,
    "weight_decay": number(0, math.inf, "Give a number from 0 up."),
    "schedule": one_of(get_args(ScheduleName)),
    "gradient_clip": POSITIVE,
    "lookahead_steps": whole(0),
    "lookahead_rate": number(0, 1, "Give a share above 0, below 1.", low_open=True, high_open=True),
    "masking_share": SHARE,
    "masking_windows": whole(1),
    "marked_alone": YES_OR_NO,
    "circular_shift": YES_OR_NO,
    "warm_up_epochs": whole(0),
    "warm_up_alpha": number(0, 1, "Give a share from 0 to 1."),
    "validation_share": SHARE,
    "selection": one_of(get_args(SelectionName)),
    "normalisation": one_of(get_args(Normalisation)),
    "with_supervised": YES_OR_NO,
    "checkpointing": one_of(get_args(CheckpointingName)),
    "seed": whole(0, LARGEST_SEED),
    "device": (
        lambda value: isinstance(value, str) and _DEVICE.fullmatch(value) is not None,
        "Give auto, cpu, cuda, cuda:1 or mps.",
    ),
    "devices": whole(1),
    "precision": one_of(get_args(PrecisionName)),
    "compilation": one_of(get_args(CompilationName)),
    "time_limit": POSITIVE,
}

# No series is held out, and the last epoch is kept: with one cycle of the rate there is no best one to look for.
_ONE_CYCLE: dict[str, Any] = {
    "schedule": "one-cycle",
    "masking_share": 0.1,
    "validation_share": 0.0,
    "selection": "last",
}
# Other networks are trained by the same recipe; masking and warm-up are TimeMIL's alone.
_OTHERS = {**_ONE_CYCLE, "learning_rate": 2e-3, "masking_share": 0.0, "warm_up_epochs": 0, "with_supervised": False}
_PRESETS: dict[str, dict[str, Any]] = {
    "default": {**_ONE_CYCLE, "learning_rate": 2e-3},
    "faithful": {**_ONE_CYCLE, "learning_rate": 5e-3, "marked_alone": True, "with_supervised": False},
    "faithful-long": {
        **_ONE_CYCLE,
        "learning_rate": 3e-3,
        "batch_size": 8,
        "lookahead_steps": 0,
        "masking_share": 0.0,
        "circular_shift": True,
        "with_supervised": False,
    },
    "inception-time": _OTHERS,
    "accurate": {**_ONE_CYCLE, "learning_rate": 2e-3, "with_supervised": False},
    "ensemble": {**_ONE_CYCLE, "learning_rate": 5e-3, "marked_alone": True, "with_supervised": False},
    "paper": {"learning_rate": 1e-3, "n_epochs": 300},
    "authors": {"learning_rate": 5e-3, "n_epochs": 300, "batch_size": 64, "normalisation": "none"},
}

_AT_ONCE: dict[str, Any] = {
    "n_epochs": 1,
    "masking_share": 0.0,
    "warm_up_epochs": 0,
    "validation_share": 0.0,
    "selection": "last",
    "with_supervised": False,
}


def training_preset(name: str, **changes: Any) -> TrainingConfig:
    """Return the training that belongs to the preset or network of this name, with single settings changed.

    The authors' choice of the best epoch on the test set is in no preset: ``selection="test"`` asks for it.

    Raises
    ------
    SettingsError
        Where the name is unknown or a value cannot work.
    """
    if name not in TRAINABLE:
        raise SettingsError(f"no preset {name!r}.", remedy=f"Choose one of {', '.join(TRAINABLE)}.")
    usual = _PRESETS.get(name, _OTHERS if name in TRAINED_BY_EPOCHS else _AT_ONCE)
    if name in COMPARATORS:
        usual = {**usual, "normalisation": "none"}  # as their makers take series, and as published figures were made
    return TrainingConfig.from_json({**TrainingConfig().to_json(), **usual, **changes})
