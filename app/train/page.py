"""Train: settings, a process of its own, live curves, stop and resume, and every run so far."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_args

import streamlit as st

from app import ask
from app.common import context, state
from app.common.parts import duration, guarded, guide, heading, plain, split
from app.train import run_view
from timemil_core.data.preparation import Normalisation
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted, shown
from timemil_core.errors import TimeMILError
from timemil_core.models.config import ENCODING_NAMES, POOLING_NAMES, PRESET_NAMES, ModelConfig, PresetName
from timemil_core.models.config import preset as preset_config
from timemil_core.naming import LONGEST_NAME
from timemil_core.training.config import ScheduleName, TrainingConfig, training_preset
from timemil_core.training.foretelling import seconds_per_epoch, whole_seconds
from timemil_core.training.process import launch
from timemil_core.training.run_folder import create_run

PRESET_HELP = (
    "*default* is ours: exact where it can be, so that the drawn attention is the one that was used. "
    "*faithful* has no class token: its logits are sums over time points, so what each adds is evidence. On sets "
    "with a known truth that finds the pattern with AUROC 0.99 or more in each seed tried, where *default*'s attention "
    "has 0.66 to 0.95 by seed; an epoch takes half as long. ERing and GunPoint were classified no worse; "
    "series of a thousand points have not been tried. "
    "*paper* follows the text of the paper (Nyström attention in both layers, "
    "256 landmarks, learning rate 0.001). *authors* has the sizes of their public code."
)


def page() -> None:
    """Draw the page."""
    heading(
        "Train",
        "Train TimeMIL on the chosen data set. Training runs in a process of its own: close the tab, come back later.",
    )
    series_set = context.load_data()
    settings, live = split([1, 1.9], "train")
    with settings, guarded("The settings"):
        _form(series_set)
    with live:
        run_view.show()
    _how_to_read()


def _form(series_set: SeriesSet) -> None:
    data = state.current(state.Selection()).data
    st.subheader("New run")
    st.markdown(
        f"**{plain(series_set.name)}**: {len(series_set.indices('train'))} training series, "
        f"{counted(series_set.n_classes, 'class')}, {counted(series_set.n_channels, 'channel')}"
    )
    title = st.text_input("Name", placeholder=series_set.name, max_chars=LONGEST_NAME, key=f"name_{data}").strip()
    preset = st.selectbox("Preset", PRESET_NAMES, help=PRESET_HELP, key="preset", persist_state="session")
    st.page_link("compare/page.py", label="Other networks to compare with", icon=":material/balance:")
    base = training_preset(preset)
    epochs = st.number_input("Epochs", 1, 5000, min(base.n_epochs, 100), help="Passes over the training series.")
    with st.expander("Advanced", icon=":material/tune:"):
        changes, model_settings = _advanced(base, preset_config(preset, n_channels=1, n_classes=2))
    with guarded("The settings"):
        training = training_preset(preset, n_epochs=int(epochs), **changes)
        seconds = _foretold(series_set, preset, training, model_settings)
        told = "" if seconds is None else f" (about {duration(seconds)})"
        if st.button(
            f"Train on {plain(shown(series_set.name, 24))}{told}", type="primary", icon=":material/play_arrow:",
            key="start_training",
        ):  # fmt: skip
            _start(data, preset, training, model_settings, title)


def _foretold(
    series_set: SeriesSet, preset_name: PresetName, training: TrainingConfig, model_settings: dict[str, Any]
) -> float | None:
    sizes = {"n_channels": series_set.n_channels, "n_classes": series_set.n_classes}
    config = preset_config(preset_name, **model_settings, **sizes)
    epoch = ask.prompt(
        "How long will a training take?",
        ("seconds an epoch", series_set.fingerprint, repr(config), repr(replace(training, n_epochs=1, seed=0))),
        lambda progress: seconds_per_epoch(series_set, config, training, progress),
        ask.PATIENCE_FOR_COSTS,
    )
    return None if epoch is None else whole_seconds(training, epoch)


def _advanced(base: TrainingConfig, network: ModelConfig) -> tuple[dict[str, Any], dict[str, Any]]:
    left, right = st.columns(2)
    changes: dict[str, Any] = {
        "batch_size": left.number_input("Batch size", 1, 1024, base.batch_size),
        "learning_rate": right.number_input("Learning rate", 1e-6, 1.0, base.learning_rate, format="%.5g"),
        "seed": left.number_input("Seed", 0, 2**31 - 1, base.seed, help="Same seed, same machine: same weights."),
        "validation_share": right.number_input(
            "Validation share", 0.0, 0.5, base.validation_share, help="Of the training series; chooses the epoch."
        ),
        "masking_share": left.number_input(
            "Windows masked", 0.0, 0.9, base.masking_share, step=0.1,
            help="Share of ten windows of time that noise replaces in training (paper: 0 or 0.5).",
        ),
        "warm_up_epochs": right.number_input("Warm-up epochs", 0, 1000, base.warm_up_epochs),
        "normalisation": left.selectbox("Normalisation", *_with_choice(get_args(Normalisation), base.normalisation)),
        "schedule": right.selectbox(
            "Rate schedule", *_with_choice(get_args(ScheduleName), base.schedule),
            help="Of the learning rate. One cycle: up in the first fifth of the steps, then down to nothing.",
        ),
        "circular_shift": st.checkbox(
            "Shift series in time", base.circular_shift,
            help="Each begins elsewhere in each epoch, and its beginning follows its end: for recordings whose ends "
            "mean nothing.",
        ),
        "with_supervised": st.checkbox(
            "Also train the fully supervised counterpart", base.with_supervised,
            help="The same backbone with average pooling: the left side of the Decision boundary page.",
        ),
    }  # fmt: skip
    model_settings = {
        "pooling": left.selectbox("Pooling", *_with_choice(POOLING_NAMES, network.pooling)),
        "positional_encoding": right.selectbox(
            "Positional encoding", *_with_choice(ENCODING_NAMES, network.positional_encoding)
        ),
    }
    changes["device"] = left.selectbox("Device", ["auto", "cpu", "cuda"], help="auto takes a GPU where there is one.")
    known = {field.name for field in fields(TrainingConfig)}
    return {name: value for name, value in changes.items() if name in known}, model_settings


def _with_choice(choices: tuple[str, ...], chosen: str) -> tuple[tuple[str, ...], int]:
    return choices, choices.index(chosen)  # what the preset says is what stands there


def _start(data: str, preset: str, training: TrainingConfig, model_settings: dict[str, Any], title: str) -> None:
    try:
        run = create_run(data, preset=preset, model_settings=model_settings, training=training, title=title or None)
        launch(run)
    except TimeMILError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    run_view.follow(run.reference)
    st.rerun()


def _how_to_read() -> None:
    guide(
        "Part of the training series is set aside as validation series; the epoch with the best validation accuracy "
        "is kept (warm-up epochs do not count, where there are others). The test series are scored once, at the end. "
        "In the warm-up the classifier is fed mostly the mean of all time points, so accuracy can drop when it ends.",
        limits="With few validation series the kept epoch is chosen on a handful of examples, and validation accuracy "
        "moves in coarse steps. Training accuracy is measured on masked series and may stay below validation accuracy.",
    )


with guarded("The Train page"):
    page()
