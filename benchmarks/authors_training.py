"""Train the authors' public code by its own main script, on a CPU.

``python -m benchmarks.authors_training CHECKOUT --dataset ERing --num_epochs 100 --seed 0`` runs ``main.py`` of a
checkout of ``xiwenc1/TimeMIL`` with its own settings. It is left as it is; changed is what is around it: ``.cuda()``
does nothing, data sets come from ``TIMEMIL_DATA_DIR``, the seed (which it takes, and does not use) is set before it
begins, its data are loaded in the one process, and of what it imports and never calls (torchvision, timm's AdamP) there
are empty modules. It needs einops. ``scores`` runs that and reads its log.
"""

from __future__ import annotations

import os
import random
import re
import runpy
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import aeon.datasets
import torch

EPOCH = re.compile(r"Epoch \[\d+/\d+\].*? accuracy: ([\d.]+)")
NEVER_CALLED = ("torchvision", "torchvision.transforms", "torchvision.transforms.functional", "timm", "timm.optim")


def scores(checkout: Path, name: str, seed: int, n_epochs: int) -> dict[str, float] | None:
    """Return test accuracy after the last epoch and after its best one, and seconds; None where it failed, told."""
    words = [sys.executable, "-m", "benchmarks.authors_training", str(checkout.resolve()), "--dataset", name]
    words += ["--num_epochs", str(n_epochs), "--seed", str(seed), "--num_workers", "0"]
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(Path.cwd()), *sys.path))}
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        logs = [log.read_text("utf-8") for log in Path(folder).rglob("Train_log.log")]
        accuracies = [float(found) for log in logs for found in EPOCH.findall(log)]
    if len(accuracies) < n_epochs:
        print(f"{name}, the authors' code, seed {seed} failed: {done.stderr[-600:]}", flush=True)
        return None
    found = {"honest": accuracies[-1], "best_test_epoch": max(accuracies), "seconds": time.perf_counter() - begun}
    print(f"{name}, the authors' code, seed {seed}: {found}", flush=True)
    return found


def main() -> None:
    """Run their main script in the working directory, where it writes what it writes."""
    checkout, *words = sys.argv[1:]
    for name in (*NEVER_CALLED, "timm.optim.adamp"):
        parent, _, last = name.rpartition(".")
        sys.modules[name] = ModuleType(name)
        if parent:
            setattr(sys.modules[parent], last, sys.modules[name])
    sys.modules["timm.optim.adamp"].AdamP = None  # type: ignore[attr-defined]
    torch.Tensor.cuda = lambda self, *_, **__: self  # type: ignore[method-assign]
    torch.nn.Module.cuda = lambda self, *_, **__: self  # type: ignore[method-assign]
    load = aeon.datasets.load_classification
    aeon.datasets.load_classification = partial(
        load, extract_path=os.environ["TIMEMIL_DATA_DIR"], load_equal_length=False, return_metadata=True
    )
    seed = int(words[words.index("--seed") + 1])
    random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    sys.path.insert(0, checkout)
    lookahead = import_module("lookhead").Lookahead  # does not call its base's constructor, as newer torch expects
    lookahead._optimizer_step_pre_hooks = lookahead._optimizer_step_post_hooks = {}
    script = str(Path(checkout) / "main.py")
    sys.argv = [script, *words]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
