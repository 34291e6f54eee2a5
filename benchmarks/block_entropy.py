"""Does the order of time points tell something? The paper's Proposition 2, in numbers.

The paper argues that permuting a series raises its entropy, and draws it for a text. ``python -m
benchmarks.block_entropy`` does for time series: each channel's values become one of four symbols (by
the quartiles of the training series), and the block entropy of n symbols in a row is taken over all blocks of all test
series (Shannon 1951; the paper's appendix): H_n = - sum of p(block) log2 p(block). A share of each series' time points
is dealt out anew among themselves, the same for all its channels. Beside it the accuracy of the shipped model on the
same series: what the order is worth to it.

H_1 cannot change, and n symbols of which none follows from another have n times as much. Entropies of longer blocks
are estimated too low where there are few of each that is possible, ``values`` over ``4^n``.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.report import print_report
from timemil_core.data import catalogue
from timemil_core.explain.labels import labels_for
from timemil_core.models.shelf import open_model

MODELS = ("basicmotions", "gunpoint", "italypowerdemand", "japanesevowels", "synthetic-pulse")
LENGTHS = (1, 2, 3, 4)
SHARES = (0.0, 0.25, 0.5, 1.0)
N_SYMBOLS = 4


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rows = [row for model in arguments.models for row in measured(model, arguments.seed)]
    print_report(rows, what="block entropy in bits of n symbols in a row, and the shipped model's test accuracy")


def measured(reference: str, seed: int) -> list[dict[str, Any]]:
    """Return a row a share of shuffled time points."""
    model = open_model(reference)
    series_set = catalogue.load(str(model.facts["data"]))
    train, test = series_set.part("train"), series_set.part("test")
    borders = np.nanquantile(np.concatenate(train.series, axis=1), [0.25, 0.5, 0.75], axis=1)  # (3, n_channels)
    labels, rows = labels_for(model, test), []
    for share in SHARES:
        draw = np.random.default_rng(seed)
        shuffled = [values[:, partly_shuffled(values.shape[1], share, draw)] for values in test.series]
        symbols = [symbols_of(values, borders) for values in shuffled]
        row: dict[str, Any] = {"set": test.name, "shuffled": share}
        row |= {f"H{n}": round(block_entropy(symbols, n), 3) for n in LENGTHS}
        row["values"] = sum(one.size for one in symbols)
        row["accuracy"] = round(float((model.predict(shuffled).labels == labels).mean()), 3)
        rows.append(row)
    return rows


def partly_shuffled(n_timepoints: int, share: float, draw: np.random.Generator) -> npt.NDArray[np.intp]:
    """Return an order ``(n_timepoints,)`` in which this share of the places, drawn, is dealt out anew among itself."""
    order = np.arange(n_timepoints)
    moved = draw.choice(n_timepoints, round(share * n_timepoints), replace=False)
    order[moved] = draw.permutation(moved)
    return order


def symbols_of(values: npt.NDArray[np.floating], borders: npt.NDArray[np.floating]) -> npt.NDArray[np.intp]:
    """Return in which quarter each value ``(n_channels, n_timepoints)`` lies, 0 to 3."""
    return (values[None] > borders[:, :, None]).sum(axis=0)


def block_entropy(symbols: list[npt.NDArray[np.intp]], n: int) -> float:
    """Return the entropy in bits of blocks of ``n`` in a row, over all channels of all series."""
    codes = [
        sum(one[:, place : one.shape[1] - n + 1 + place] * N_SYMBOLS**place for place in range(n)).ravel()
        for one in symbols
        if one.shape[1] >= n
    ]
    counts = np.bincount(np.concatenate(codes)).astype(float)
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


if __name__ == "__main__":
    main()
