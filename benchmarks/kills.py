"""Fault injection: a training killed at every step that it takes on the disk, and resumed.

``python -m benchmarks.kills`` counts what a small training does to its run folder (each opening for writing, saving,
renaming, removing), then trains anew as often as asked and kills it (SIGKILL) right before one of these steps, each in
turn; every other save leaves half of its file. The run is resumed; one of three is killed once more meanwhile. At the
end its weights must equal those of a training that nobody killed, in every bit, and so must its curves.
``--out FILE`` keeps each kill, and goes on from there. On Linux and macOS: it forks.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from benchmarks.report import print_report
from timemil_core.atomic import read_json, write_json
from timemil_core.data import store
from timemil_core.data.synthetic import pulse_set
from timemil_core.models import storage, wavelet_path
from timemil_core.training import checkpoint
from timemil_core.training.config import TrainingConfig
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, create_run

KINDS = {"open": "write", "os.rename": "rename", "os.remove": "remove", "os.rmdir": "remove", "os.mkdir": "make folder"}
SAVE = "save"
SMALL = {"embedding_width": 16, "n_heads": 2, "head_size": 8}
WRITING = os.O_WRONLY | os.O_RDWR
TIMES = "seconds"  # of an epoch's record: no two trainings agree in them


def main() -> None:
    """Measure and print; ends with 1 where a single run came out otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="how many trainings are killed (default: 200)")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep what came of each kill, and go on from it")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # a forked process has no other threads
    kills = read_json(arguments.out) if arguments.out is not None and arguments.out.is_file() else []
    with tempfile.TemporaryDirectory(prefix="timemil-kills-") as home:
        os.environ["TIMEMIL_HOME"] = home
        data = store.keep(replace(pulse_set(12, 6, seed=0), instance_labels=None))
        whole = _new_run(data, arguments.epochs)
        steps = _steps(whole)
        for number in range(len(kills), arguments.kills):
            at = _spread(number, arguments.kills, len(steps))
            kills.append(_killed(_new_run(data, arguments.epochs), whole, at, steps[at], number))
            if arguments.out is not None:
                write_json(arguments.out, kills)
    print_report(_rows(kills), steps_of_a_training=len(steps), failures=[one for one in kills if one["problem"]])
    if any(one["problem"] for one in kills):
        sys.exit(1)


def _new_run(data: str, n_epochs: int) -> RunFolder:
    training = TrainingConfig(n_epochs=n_epochs, batch_size=4, device="cpu")
    return create_run(data, model_settings=SMALL, training=training)


def _spread(number: int, n_kills: int, n_steps: int) -> int:
    """Return which step the kill of this number is at: every one in turn, or as many as there are, evenly."""
    return number % n_steps if n_kills >= n_steps else number * n_steps // n_kills


def _steps(run: RunFolder) -> list[str]:
    """Train in a child, and return what it did to the run folder, in order."""
    told = run.folder.with_suffix(".steps")
    _in_child(lambda: told.write_text(json.dumps(_train(run, None))))
    steps: list[str] = json.loads(told.read_text())
    told.unlink()
    return steps


def _killed(run: RunFolder, whole: RunFolder, at: int, step: str, number: int) -> dict[str, Any]:
    n_killed, places = 0, [at, *([at // 2] if number % 3 == 0 else []), None]
    halved = number % 2 == 0
    problem = ""
    for place in places:
        signalled, failed = _in_child(lambda place=place: _train(run, place, halved))  # type: ignore[misc]
        n_killed += signalled
        if failed:
            problem = (run.folder / "log.txt").read_text("utf-8").strip().splitlines()[-1]
    return {"step": step, "at": at, "killed": n_killed, "problem": problem or _difference(run, whole)}


def _difference(run: RunFolder, whole: RunFolder) -> str:
    if run.status().state != "finished":
        return f"the run is {run.status().state}"
    for network in ("timemil", "supervised"):
        curves = [[{**line, TIMES: 0} for line in one.metrics(network)] for one in (run, whole)]
        if curves[0] != curves[1]:
            return f"the curves of {network} differ"
    weights = [(one.model_folder / "weights.safetensors").read_bytes() for one in (run, whole)]
    if weights[0] != weights[1]:
        return "the weights differ"
    left = [path.name for path in run.folder.rglob(".*")]
    return f"left behind: {', '.join(left)}" if left else ""


def _in_child(work: Callable[[], Any]) -> tuple[bool, bool]:
    """Work in a forked process; return whether it was killed, and whether it failed."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status), os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0


def _train(run: RunFolder, last: int | None, halved: bool = False) -> list[str]:
    """Train, and return the steps taken; the process ends before step ``last``."""
    if run.has_model and run.status().state == "finished":
        return []
    steps: list[str] = []
    inside = f"{run.folder}{os.sep}"

    def take(kind: str) -> None:
        if len(steps) == last:
            os.kill(os.getpid(), signal.SIGKILL)
        steps.append(kind)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in KINDS and str(arguments[0]).startswith(inside):
            if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & WRITING):
                return
            take(KINDS[event])

    def stepwise(save: Callable[..., None]) -> Callable[..., None]:
        def save_or_die(tensors: dict[str, Any], path: Path) -> None:
            if len(steps) == last and halved:
                save(tensors, path)
                os.truncate(path, path.stat().st_size // 2)
            take(SAVE)
            save(tensors, path)

        return save_or_die

    for module in (checkpoint, storage, wavelet_path):
        vars(module)["save_file"] = stepwise(vars(module)["save_file"])
    sys.addaudithook(watch)
    execute(run)
    return steps


def _rows(kills: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row a kind of step."""
    n, signals, failed = Counter[str](), Counter[str](), Counter[str]()
    for one in kills:
        n[one["step"]] += 1
        signals[one["step"]] += one["killed"]
        failed[one["step"]] += bool(one["problem"])
    rows = [
        {"killed before": step, "trainings": n[step], "kills": signals[step], "came out otherwise": failed[step]}
        for step in sorted(n)
    ]
    return [*rows, {"killed before": "all", "trainings": n.total(), "kills": signals.total(),
                    "came out otherwise": failed.total()}]  # fmt: skip


if __name__ == "__main__":
    main()
