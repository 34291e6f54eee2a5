"""The parts of the Trust page that ask whether a score holds: for every class, and for every seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app import ask
from app.common import state
from app.common.context import Context
from app.common.parts import chart, duration, plain, theme
from app.trust import questions
from timemil_core.data.wording import counted
from timemil_core.errors import TimeMILError
from timemil_core.explain.sanity.seeds import SeedSpread
from timemil_core.explain.sanity.siblings import (
    N_SEEDS_TO_ASK_FOR,
    Sibling,
    create_siblings,
    sweep_command,
    unfinished_siblings,
)
from timemil_core.figures.trust_seeds import spread_figure
from timemil_core.training.process import launch

EFFECT = "change of the logit beyond other places, as a share of it"


def seeds(chosen: Context) -> None:
    """Draw how far other seeds of the same training agree, or say how to train some."""
    st.subheader("Would another training draw the same picture?")
    is_training = _in_training(chosen)
    others = questions.other_seeds(chosen)
    if not others:
        if not is_training:
            _how_to_get_some(chosen)
        return
    found = questions.spread(chosen, others)
    if found is None:
        return
    st.markdown(plain(found.sentence))
    names = [f"seed {seed}" for seed in found.seeds]
    order = np.argsort(-np.nan_to_num(found.mean_agreement, nan=-2))
    methods = [found.methods[place] for place in order]
    figure = spread_figure(
        methods, found.agreement[order], [f"seeds {one} and {other}" for one, other in found.pairs],
        quantity="rank correlation of two seeds' maps (0: unrelated, 1: the same order)", chance=0, limits=(0, 1),
        marked=None, theme=theme(),
    )  # fmt: skip
    chart(figure, key="seed_agreement", alt=f"Agreement of the seeds' maps by method. {found.sentence}")
    st.caption(
        f"A point a pair of seeds, mean over {found.n_series} series that this model was not trained on where there "
        "are some (other seeds may have been); every map explains the class that the chosen model predicts."
    )
    _by_seed(found, names, methods, order)
    _table(others, found)


def _by_seed(found: SeedSpread, names: Sequence[str], methods: Sequence[str], order: np.ndarray) -> None:
    st.markdown("**What each seed's maps are worth**")
    figure = spread_figure(
        methods, found.effect[order], names, quantity=f"{EFFECT} (0: chance)", chance=0, theme=theme()
    )
    chart(figure, key="seed_effect", alt="Effect of each method for each seed.")
    st.caption("The same series for every seed. A method whose points straddle 0 is not to be "
               "relied on, whatever it shows for one of them.")  # fmt: skip
    if np.isfinite(found.auroc).any():
        st.markdown("**Against the known truth**")
        figure = spread_figure(
            methods, found.auroc[order], names, quantity="AUROC against the instance labels (0.5: chance)", chance=0.5,
            limits=(0, 1), theme=theme(),
        )  # fmt: skip
        chart(figure, key="seed_auroc", alt="AUROC of each method for each seed.")
        st.caption("Where the points of one method lie far apart at equal accuracy, the picture that one training "
                   "draws says nothing of the next.")  # fmt: skip


def _table(others: Sequence[Sibling], found: SeedSpread) -> None:
    st.markdown("**Hold one of them beside this model** on the Attention page:")
    with st.container(horizontal=True, vertical_alignment="center"):
        for one, accuracy in zip(others, found.accuracy[1:], strict=True):
            told = "" if np.isnan(accuracy) else f", test accuracy {accuracy:.3f}"
            st.button(
                f"Pin seed {one.seed}{told}", icon=":material/push_pin:", key=f"pin_seed_{one.seed}",
                on_click=state.choose, kwargs={state.PIN_MODEL: one.reference},
            )  # fmt: skip
        st.page_link("attention/page.py", label="Compare on Attention", icon=":material/visibility:")


def _how_to_get_some(chosen: Context) -> None:
    model = ask.model_of(chosen)
    command = sweep_command(model, chosen.data)
    with st.container(border=True):
        if not command:
            st.markdown(
                "How this model was trained is not told in its card, so other seeds of the same training cannot be "
                "recognised. Train a model here to measure how much of its maps the next seed repeats."
            )
            return
        st.markdown(
            "Not known yet: this model was trained once. Train it again from other random weights, and see which maps "
            "come back: those that do not belong to this one training."
        )
        seconds = N_SEEDS_TO_ASK_FOR * float(model.facts.get("seconds") or 0.0)
        told = f", about {duration(seconds)} in the background" if seconds else ""
        st.button(
            f"Train {N_SEEDS_TO_ASK_FOR} more{told}", icon=":material/model_training:", key="train_seeds",
            on_click=_train, args=(chosen,),
        )  # fmt: skip
        with st.popover("From a shell instead", type="tertiary"):
            st.code(command, language="bash", wrap_lines=True)


def _train(chosen: Context) -> None:
    try:
        first, *others = create_siblings(ask.model_of(chosen), chosen.data)
        launch(first, *others)
    except TimeMILError as error:
        st.toast(plain(str(error)), icon=":material/error:")


def _in_training(chosen: Context) -> bool:
    # Runs of the same recipe that have no model yet: how far they are, and where to stop them.
    waiting = unfinished_siblings(ask.model_of(chosen))
    if not waiting:
        return False
    done = sum(seen.status.share_done for seen in waiting) / len(waiting)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.progress(done, text=f"{counted(len(waiting), 'more seed')} in training; what they show appears here.")
        st.page_link("train/page.py", label="See them train", icon=":material/model_training:")
    return True
