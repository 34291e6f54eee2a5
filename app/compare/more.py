"""Train other networks on the chosen data, in the background, one after the other."""

from __future__ import annotations

import streamlit as st

from app.common.parts import plain
from timemil_core.errors import TimeMILError
from timemil_core.models.at_once import TRAINABLE, title_of
from timemil_core.training.config import training_preset
from timemil_core.training.process import launch
from timemil_core.training.run_folder import create_run, seen_runs

NETWORKS_KEY, SEEDS_KEY, MINUTES_KEY = "more_networks", "more_seeds", "more_minutes"
USUAL = ("minirocket", "multirocket-hydra", "dtw-1nn-d")


def networks(data: str) -> None:
    """Draw what can be trained, and begin it."""
    st.subheader("Train others to compare with")
    chosen = st.multiselect("Networks", TRAINABLE, USUAL, format_func=title_of, key=NETWORKS_KEY)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_seeds = st.number_input("Seeds each", 1, 10, 1, key=SEEDS_KEY, width=140)
        minutes = st.number_input(
            "Minutes each at most", 1, 600, 10, key=MINUTES_KEY, width=200,
            help="Of networks that are fitted at once; TimeMIL trains its epochs.",
        )  # fmt: skip
        if st.button("Train them", type="primary", icon=":material/play_arrow:", disabled=not chosen):
            _begin(data, chosen, int(n_seeds), float(minutes))
    active = [one for one in seen_runs() if (status := getattr(one, "status", None)) and status.is_active]
    if active:
        st.caption(f"{len(active)} in training or waiting; they appear here when they have ended.")
        st.page_link("train/page.py", label="See how far they are", icon=":material/model_training:")


def _begin(data: str, chosen: list[str], n_seeds: int, minutes: float) -> None:
    try:
        runs = [
            create_run(
                data,
                preset=name,
                training=training_preset(name, seed=seed, time_limit=minutes),
                title=title_of(name) + ("" if n_seeds == 1 else f", seed {seed}"),
            )
            for name in chosen
            for seed in range(n_seeds)
        ]
        launch(*runs)
    except TimeMILError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.rerun()
