"""TimeMIL: multivariate time series as bags of instances, and what a model of them has learned."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Threads that wait by spinning starve each other as soon as anything else runs: on two busy cores a series of 20,000
# points took 7 s instead of 1 s, an epoch 28 s instead of 0.7. OpenMP reads this once, when torch is first loaded; a
# value that is set stays.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# Imported when asked for: aeon and torch take seconds, and a command line's help needs neither.
_WHERE = {
    "SeriesSet": "timemil_core.data.series_set",
    "TimeMILClassifier": "timemil_core.estimator",
    "explore": "timemil_core.exploring",
    "own_model": "timemil_core.exploring",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHERE])
