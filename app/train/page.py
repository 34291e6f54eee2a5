"""Train: settings, a process of its own, live curves, stop and resume, and every run so far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast, get_args

import streamlit as st

from app import ask
from app.common import context, state
from app.common.parts import duration, guarded, guide, heading, plain, split
from app.train import run_view
from timemil_core.data.preparation import Normalisation
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted, shown
from timemil_core.errors import TimeMILError
from timemil_core.models.at_once import TRAINABLE, FitConfig, asked_for, sizes_of, title_of
from timemil_core.models.building import FITTED_AT_ONCE, NETWORKS
from timemil_core.models.config import ENCODING_NAMES, POOLING_NAMES, PresetName
from timemil_core.models.config import preset as preset_config
from timemil_core.naming import LONGEST_NAME
from timemil_core.training.config import ScheduleName, TrainingConfig, training_preset
from timemil_core.training.foretelling import seconds_per_epoch, whole_seconds
from timemil_core.training.process import launch
from timemil_core.training.run_folder import create_run

NETWORK_HELP = (
    "*TimeMIL* has attention, wavelets and instances to look at. *Faithful* and *MiniRocket* tell exactly what each "
    "time point adds to the logit, and the *ensemble* is several of them as one. The others are there to compare "
    "with; every map that needs no more than predictions works with them too."
)
# What is to be known of a network before it is trained; of the others, where they come from.
ABOUT = {
    "default": "The attention that is drawn is the one that was used; often it is weak evidence (faithful trades some "
    "accuracy for maps that are evidence). Learning from a third of the training series of seven sets, it had 0.938 of "
    "the other two thirds right (MiniRocket: 0.908).",
    "faithful": "No class token: its logits are sums over time points, and it is trained to go by what they "
    "show: strong evidence in eleven trainings of eleven (GunPoint, ERing, BasicMotions). It costs accuracy: "
    "0.923 over seven sets for the default's 0.938, on GunPoint 0.88 for 0.99. For series of a thousand time points "
    "take faithful-long.",
    "faithful-long": "Faithful for recordings of a thousand time points that may begin at any moment: deeper, and each "
    "time point tells of the 49 and 265 around it. On WebTraffic 0.89 right, and what it adds up finds the planted "
    "patterns with NDCG@n 0.72 (MILLET, as published: 0.92 and 0.675); spikes of one point only nearly.",
    "ensemble": "Three faithful networks and a MiniRocket, which counts three quarters: what each time point adds is "
    "still an exact sum, and the page says how far the four agree.",
    "accurate": "Three networks of the default and a MiniRocket, averaged. One such network and a MiniRocket were "
    "right more often, and with better probabilities, than either alone in two cross-validations over six and seven "
    "sets. Its maps are by perturbation alone.",
    "minirocket": "Fitted in seconds; its map is exact. Often the most accurate here.",
    "inception-time": "The fully supervised network that TimeMIL is built on, without attention.",
    "paper": "As the paper's text has it: Nyström attention in both layers, 256 landmarks, learning rate 0.001.",
    "authors": "The sizes of their public code.",
}


def page() -> None:
    """Draw the page."""
    heading(
        "Train",
        "Train TimeMIL, or another network, on the chosen data set. Training runs in a process of its own: close the "
        "tab, come back later.",
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
    preset = st.selectbox(
        "Network", TRAINABLE, format_func=title_of, help=NETWORK_HELP, key="preset", persist_state="session"
    )
    st.caption(ABOUT.get(preset) or f"{NETWORKS[preset].reference}.")
    base = training_preset(preset)
    epochs, minutes = base.n_epochs, base.time_limit
    if preset in FITTED_AT_ONCE:
        minutes = st.number_input("Minutes at most", 1.0, 10_000.0, minutes, help="It is given up then.")
    else:
        epochs = st.number_input("Epochs", 1, 5000, min(epochs, 100), help="Passes over the training series.")
    with st.expander("Advanced", icon=":material/tune:"):
        changes, model_settings = _advanced(base, preset)
    with guarded("The settings"):
        training = training_preset(preset, n_epochs=int(epochs), time_limit=minutes, **changes)
        seconds = _foretold(series_set, preset, training, model_settings)
        told = "" if seconds is None else f" (about {duration(seconds)})"
        if st.button(
            f"Train on {plain(shown(series_set.name, 24))}{told}", type="primary", icon=":material/play_arrow:",
            key="start_training",
        ):  # fmt: skip
            _start(data, preset, training, model_settings, title)


def _foretold(
    series_set: SeriesSet, name: str, training: TrainingConfig, model_settings: dict[str, Any]
) -> float | None:
    config = asked_for(name, **model_settings, **sizes_of(series_set))
    if isinstance(config, FitConfig):
        return None
    epoch = ask.prompt(
        "How long will a training take?",
        ("seconds an epoch", series_set.fingerprint, repr(config), repr(replace(training, n_epochs=1, seed=0))),
        lambda progress: seconds_per_epoch(series_set, config, training, progress),
        ask.PATIENCE_FOR_COSTS,
    )
    return None if epoch is None else whole_seconds(training, epoch)


def _advanced(base: TrainingConfig, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    left, right = st.columns(2)
    changes: dict[str, Any] = {
        "seed": left.number_input("Seed", 0, 2**31 - 1, base.seed, help="Same seed, same machine: same weights."),
        "normalisation": right.selectbox("Normalisation", *_with_choice(get_args(Normalisation), base.normalisation)),
    }
    if name in FITTED_AT_ONCE:
        return changes, {}
    changes |= {
        "batch_size": left.number_input("Batch size", 1, 1024, base.batch_size),
        "learning_rate": right.number_input("Learning rate", 1e-6, 1.0, base.learning_rate, format="%.5g"),
        "schedule": left.selectbox(
            "Rate schedule", *_with_choice(get_args(ScheduleName), base.schedule),
            help="Of the learning rate. One cycle: up in the first fifth of the steps, then down to nothing.",
        ),
        "masking_share": right.number_input(
            "Windows masked", 0.0, 0.9, base.masking_share, step=0.1,
            help="Share of ten windows of time that noise replaces in training (paper: 0 or 0.5).",
        ),
        "validation_share": left.number_input(
            "Validation share", 0.0, 0.5, base.validation_share,
            help="Of the training series; 0 trains on all of them.",
        ),
        "selection": right.selectbox(
            "Epoch kept", *_with_choice(("last", "validation"), base.selection),
            help="The last, or the best on the validation series.",
        ),
        "circular_shift": st.checkbox(
            "Shift series in time", base.circular_shift,
            help="Each begins elsewhere in each epoch, and its beginning follows its end: for recordings whose ends "
            "mean nothing.",
        ),
    }  # fmt: skip
    model_settings: dict[str, Any] = {}
    if name in get_args(PresetName):
        network = preset_config(cast(PresetName, name), n_channels=1, n_classes=2)
        changes |= {
            "with_supervised": st.checkbox(
                "Also train the fully supervised counterpart", base.with_supervised,
                help="The same backbone with average pooling: the left side of the Decision boundary page.",
            ),
            "marked_alone": st.checkbox(
                "Train by what it marks alone, too", base.marked_alone,
                help="With conjunctive pooling: each series is classified a second time by the time points alone that "
                "add most, so that what the map leaves out is not gone by. Twice the time.",
            ),
            "warm_up_epochs": left.number_input("Warm-up epochs", 0, 1000, base.warm_up_epochs),
        }  # fmt: skip
        model_settings = {
            "pooling": left.selectbox("Pooling", *_with_choice(POOLING_NAMES, network.pooling)),
            "positional_encoding": right.selectbox(
                "Positional encoding", *_with_choice(ENCODING_NAMES, network.positional_encoding)
            ),
        }
    changes["device"] = left.selectbox("Device", ["auto", "cpu", "cuda"], help="auto takes a GPU where there is one.")
    return changes, model_settings


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
        "A network is trained on all training series, and its last epoch is kept; the test series are scored once, at "
        "the end. With a validation share, part of the training series is set aside, and the epoch with the best "
        "accuracy on it can be kept (warm-up epochs do not count, where there are others). In the warm-up the "
        "classifier is fed mostly the mean of all time points, so accuracy can drop when it ends.",
        limits="Without a test part nothing here says how good the model is: training accuracy does not. With few "
        "validation series the kept epoch is chosen on a handful of examples. Training accuracy is measured on masked "
        "series and may stay below that of others.",
    )


with guarded("The Train page"):
    page()
