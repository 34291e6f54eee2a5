"""One training run, live: progress, time left, curves, stop and resume; and the list of all runs."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app.common import state
from app.common.parts import chart, duration, guarded, plain, split, theme
from timemil_core.data.wording import counted
from timemil_core.errors import TimeMILError
from timemil_core.figures.training import accuracy_figure, best_so_far, loss_figure
from timemil_core.models.at_once import TRAINABLE, FitConfig, title_of
from timemil_core.models.shelf import shelf
from timemil_core.models.storage import read_description
from timemil_core.naming import LONGEST_NAME, give_name, when_told
from timemil_core.training.metrics import NetworkName, unlearned
from timemil_core.training.outcome import STAGES
from timemil_core.training.process import launch
from timemil_core.training.run_folder import RunFolder, SeenRun, UnreadableRun, look, open_run, seen_runs
from timemil_core.training.status import FITTING_STAGE, NO_ROOM, RunStatus

RUN_KEY = "run"
SECONDS_BETWEEN_LOOKS = 2.0  # each draws two to four curves anew
MOST_LISTED = 100
WORDS = {"auroc": "AUROC", "macro_f1": "macro F1", "n": "series"}
PARTS = {"test_": "test", "validation_": "validation", "supervised_test_": "fully supervised, test"}  # of scores
BADGES = {
    "waiting": ":gray-badge[:material/hourglass_empty: starting]",
    "running": ":blue-badge[:material/autorenew: running]",
    "stopping": ":orange-badge[:material/stop_circle: stopping]",
    "stopped": ":gray-badge[:material/pause: stopped]",
    "stopped: no room": ":red-badge[:material/hard_drive: stopped: no room]",
    "finished": ":green-badge[:material/check: finished]",
    "failed": ":red-badge[:material/error: failed]",
    "interrupted": ":orange-badge[:material/power_off: interrupted]",
}


def follow(reference: str) -> None:
    """Show this run from now on; its name is in the URL, so that a closed tab can come back to it."""
    st.query_params[RUN_KEY] = reference


def show() -> None:
    """Draw the followed run (by default the newest) and the list of runs."""
    runs = seen_runs()
    if not runs:
        st.subheader("No runs yet")
        st.markdown("Loss and accuracy appear here while one trains.")
        return
    followed = _followed(runs)
    if isinstance(followed, SeenRun) and followed.status.is_active:
        _live(followed.run.reference)
        return
    with guarded("The run"):
        _panel(followed)
    _list(runs)


def _followed(runs: list[SeenRun | UnreadableRun]) -> SeenRun | UnreadableRun:
    reference = st.query_params.get(RUN_KEY)
    if reference is None:
        return runs[0]
    listed = {_reference(one): one for one in runs}
    if reference in listed:
        return listed[reference]
    try:
        return look(open_run(reference).folder)
    except TimeMILError:
        st.caption(f"The run {plain(reference)} is not on this machine; this is the newest one.")
        return runs[0]


def _reference(seen: SeenRun | UnreadableRun) -> str:
    return seen.run.reference if isinstance(seen, SeenRun) else seen.reference


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def _live(reference: str) -> None:
    with guarded("The run"):
        seen = look(open_run(reference).folder)
        if isinstance(seen, UnreadableRun) or not seen.status.is_active:
            st.rerun()  # the run has ended: draw the page with what can be done now
        _panel(seen)
        _list(seen_runs())


def _panel(seen: SeenRun | UnreadableRun) -> None:
    if isinstance(seen, UnreadableRun):
        _unreadable(seen)
        return
    run, status = seen.run, seen.status
    st.subheader(plain(run.title))
    told = [plain(run.data_name), when_told(run.created), plain(status.device)]
    st.markdown(f"{BADGES[status.state]} {' · '.join(part for part in told if part)}")
    if status.state == "finished":
        st.markdown(_finished_told(run))
    else:
        _progress(status)
        if status.message:
            (st.error if status.state in ("failed", NO_ROOM) else st.caption)(plain(status.message))
    _buttons(run, status)
    _scores(run)
    if isinstance(run.model_config, FitConfig):
        return
    preset = str(run.config.get("preset"))
    for network, stage in STAGES.items():
        named = network == "timemil" and preset in TRAINABLE
        _curves(run, network, title_of(preset) if named else stage)


def _curves(run: RunFolder, network: NetworkName, stage: str) -> None:
    metrics = run.metrics(network)
    if network == "supervised" and not metrics:
        return
    name = f"{network}_{run.reference}"
    losses, accuracies = split(2, f"curves-{name}")
    with losses:
        st.markdown(f"**{stage[0].upper()}{stage[1:]}**: loss (one-vs-rest cross-entropy)")
        chart(loss_figure(metrics, theme=theme()), key=f"loss_{name}", alt=f"Loss of {stage} by epoch.")
    with accuracies:
        st.markdown("Accuracy")
        chart(accuracy_figure(metrics, theme=theme()), key=f"accuracy_{name}", alt=f"Accuracy of {stage} by epoch.")


def _finished_told(run: RunFolder) -> str:
    if isinstance(run.model_config, FitConfig):
        facts = read_description(run.model_folder)["facts"] if run.has_model else {}
        return f"Fitted in {duration(float(facts.get('seconds') or 0))}."
    metrics = run.metrics()
    took = sum(float(line["seconds"]) for network in STAGES for line in run.metrics(network))
    kept = best_so_far(metrics)
    told = "" if kept is None else f"; the model is that of epoch {kept}"
    return f"Trained for {counted(len(metrics), 'epoch')} in {duration(took)}{told}. {unlearned(metrics)}"


def _unreadable(seen: UnreadableRun) -> None:
    st.subheader(plain(seen.reference))
    st.markdown(":red-badge[:material/broken_image: unreadable]")
    st.error(plain(seen.why))
    if seen.can_resume:
        st.button(
            "Resume", icon=":material/play_arrow:", on_click=_resume, args=(RunFolder(seen.folder),),
            key=f"resume_{seen.reference}",
        )  # fmt: skip


def _progress(status: RunStatus) -> None:
    if status.stage.startswith(FITTING_STAGE):  # at once: there are no epochs
        st.progress(status.share_done, text=plain(f"{status.stage[:1].upper()}{status.stage[1:]}"))
        return
    left = "" if status.seconds_left is None else f" — about {duration(status.seconds_left)} left"
    st.progress(status.share_done, text=f"{plain(status.stage)}: epoch {status.epoch} of {status.n_epochs}{left}")


def _buttons(run: RunFolder, status: RunStatus) -> None:
    with st.container(horizontal=True):
        if status.is_active and status.state != "stopping":
            st.button("Stop", icon=":material/stop:", on_click=_stop, args=(run,), key=f"stop_{run.reference}")
        if status.can_resume:
            st.button(
                "Resume", icon=":material/play_arrow:", on_click=_resume, args=(run,), key=f"resume_{run.reference}"
            )
        if run.has_model and st.button(
            "See what it learned", type="primary", icon=":material/visibility:", key=f"open_{run.reference}"
        ):
            st.switch_page("answer/page.py", query_params=_link(run))
        with st.popover("Rename", icon=":material/edit:"):
            st.text_input(
                "Name", run.title, max_chars=LONGEST_NAME, key=f"rename_{run.reference}", on_change=_rename, args=(run,)
            )


def _link(run: RunFolder) -> dict[str, str]:
    return {state.DATA: run.data, state.MODEL: run.reference}


def _rename(run: RunFolder) -> None:
    try:
        give_name(run.folder, st.session_state[f"rename_{run.reference}"])
    except TimeMILError as error:
        st.toast(plain(str(error)), icon=":material/error:")


def _stop(run: RunFolder) -> None:
    try:
        run.request_stop()
    except TimeMILError as error:
        st.toast(plain(str(error)), icon=":material/error:")


def _resume(run: RunFolder) -> None:
    try:
        launch(run)
    except TimeMILError as error:
        st.toast(plain(str(error)), icon=":material/error:")


def _scores(run: RunFolder) -> None:
    entry = next((entry for entry in shelf() if entry.reference == run.reference), None)
    if entry is None:
        return
    facts, scores = entry.facts, entry.facts.get("scores", {})
    if (accuracy := scores.get("test_accuracy")) is not None and (n_test := facts.get("n_test")):
        told = f"**{round(accuracy * n_test):,} of {counted(n_test, 'test series')} are right.**"
        if (other := scores.get("supervised_test_accuracy")) is not None:
            told += f" Fully supervised, the same features without attention: {round(other * n_test):,}."
        st.markdown(told)
    table = _score_table(scores)
    if not table.empty:
        st.table(table)
    st.caption(plain(str(facts.get("protocol", ""))))


def _score_table(scores: dict[str, float | None]) -> pd.DataFrame:
    """Return a row a score, a column a part of the data, and one for the fully supervised counterpart."""
    rows: dict[str, dict[str, str]] = {}
    for name, value in scores.items():
        part = max((one for one in PARTS if name.startswith(one)), key=len, default=None)
        if part is not None and value is not None:
            score = name.removeprefix(part)
            told = f"{value:,.0f}" if score == "n" else f"{value:.3f}"
            rows.setdefault(WORDS.get(score, score.replace("_", " ")), {})[PARTS[part]] = told
    found = [title for title in PARTS.values() if any(title in row for row in rows.values())]
    return pd.DataFrame(rows).T.reindex(columns=found).fillna("")


def _row(seen: SeenRun | UnreadableRun) -> dict[str, str]:
    if isinstance(seen, UnreadableRun):
        return {"name": seen.reference, "data": "", "state": "unreadable", "epochs": "", "begun": "", "why": seen.why}
    run, status = seen.run, seen.status
    epochs = f"{status.epoch} of {status.n_epochs}"
    row = {"name": run.title, "data": run.data_name, "state": status.state, "epochs": epochs}
    return row | {"begun": when_told(run.created), "why": ""}


def _list(runs: list[SeenRun | UnreadableRun]) -> None:
    st.subheader("All runs")
    readable = [one for one in runs if isinstance(one, SeenRun)]
    unreadable = [one for one in runs if isinstance(one, UnreadableRun)]
    listed: list[SeenRun | UnreadableRun] = [*readable[:MOST_LISTED], *unreadable[:MOST_LISTED]]
    rows = [_row(one) for one in listed]
    if not unreadable:
        rows = [{key: value for key, value in row.items() if key != "why"} for row in rows]
    event = st.dataframe(
        rows, hide_index=True, on_select="rerun", selection_mode="single-row", key="runs", alt="All runs."
    )
    if chosen := event["selection"]["rows"]:
        reference = _reference(listed[chosen[0]])
        if st.query_params.get(RUN_KEY) != reference:
            follow(reference)
            st.rerun()
