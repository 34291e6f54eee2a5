"""A comparison as a table: for people, as CSV with exact numbers, and as LaTeX; with what others have published."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from timemil_core.compare.comparison import SCORES, Comparison, Row
from timemil_core.compare.contenders import Contender
from timemil_core.data.known_sets import KNOWN
from timemil_core.data.published import published

WORDS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "macro_f1": "macro F1",
    "precision": "precision",
    "recall": "recall",
    "auroc": "AUROC",
}
NOT_MEASURED = "not measured"
CHOSEN_ON_TEST = "epoch chosen on the test set"


def exact_table(comparison: Comparison) -> pd.DataFrame:
    """Return a row an experiment with every number as it is."""
    return pd.DataFrame([_exact(row) for row in comparison.rows])


def shown_table(comparison: Comparison) -> pd.DataFrame:
    """Return a row an experiment for people: scores with their spread over seeds, times, evidence."""
    return pd.DataFrame([_shown(row) for row in comparison.rows])


def card_table(chosen: Sequence[Contender]) -> pd.DataFrame:
    """Return what cards tell: of each model its test accuracy and the seconds of its training."""
    rows = []
    for one in chosen:
        accuracy, seconds = one.facts.get("scores", {}).get("test_accuracy"), one.facts.get("seconds")
        rows.append(
            {
                "network": one.network + (" *" if one.chosen_on_test else ""),
                "seed": "" if one.seed is None else str(one.seed),
                "accuracy": "" if accuracy is None else f"{accuracy:.3f}",
                "to fit, s": "" if seconds is None else f"{seconds:.3g}",
            }
        )
    return pd.DataFrame(rows)


def published_table(data: str) -> pd.DataFrame:
    """Return what others have published of a set, a row a method and source, best first; empty where nothing is."""
    rows = [(one.method, f"{one.accuracy:.3f}", one.source.title) for one in published(data)]
    return pd.DataFrame(rows, columns=["method", "accuracy", "source"])


def published_protocols(data: str) -> list[str]:
    """Return what to know of how those figures were obtained, a sentence a source."""
    notes = {one.source.title: one.source.note for one in published(data)}
    told = [f"{title}: {note}" for title, note in notes.items()]
    guessed = 1 / KNOWN[data].n_classes if data in KNOWN else 0.0
    if any(one.accuracy < guessed for one in published(data)):
        told.append(
            f"Figures below {guessed:.3f} are below guessing among {KNOWN[data].n_classes} classes: as printed, "
            "but likely an error of their source. Train the method here to know."
        )
    return told


def latex(comparison: Comparison) -> str:
    """Return the table for a paper: best accuracy in bold, spreads behind ±."""
    best = max(row.means["accuracy"] for row in comparison.rows)
    lines = [r"\begin{tabular}{l" + "r" * len(WORDS) + "}", r"\toprule"]
    lines += ["network & " + " & ".join(WORDS.values()) + r" \\", r"\midrule"]
    for row in comparison.rows:
        cells = [_spread(row, name, r" $\pm$ ") for name in SCORES]
        if row.means["accuracy"] == best:
            cells[0] = rf"\textbf{{{cells[0]}}}"
        lines.append(f"{_escaped(row.network)} & " + " & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _exact(row: Row) -> dict[str, object]:
    found: dict[str, object] = {"network": row.network, "seeds": " ".join(str(one) for one in row.seeds)}
    for name in SCORES:
        found[name] = row.means[name]
        found[f"{name} deviation"] = row.deviations[name]
    return found | {
        "seconds to fit": row.seconds,
        "milliseconds a series": row.milliseconds,
        "stored numbers": row.n_numbers,
        "evidence": row.level or NOT_MEASURED,
        "by": row.method or "",
        "note": CHOSEN_ON_TEST if row.chosen_on_test else "",
    }


def _shown(row: Row) -> dict[str, object]:
    evidence = NOT_MEASURED if row.level is None else f"{row.level} ({row.method})"
    found: dict[str, object] = {"network": row.network + (" *" if row.chosen_on_test else "")}
    found |= {WORDS[name]: _spread(row, name, " ± ") for name in SCORES}
    return found | {
        "evidence of its maps": evidence,
        "seeds": len(row.seeds),
        "to fit, s": "" if row.seconds is None else f"{row.seconds:.3g}",
        "a series, ms": f"{row.milliseconds:.2g}",
        "stored numbers": f"{row.n_numbers:,}",
    }


def _spread(row: Row, name: str, sign: str) -> str:
    deviation = row.deviations[name]
    return f"{row.means[name]:.3f}" + ("" if deviation is None else f"{sign}{deviation:.3f}")


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "&%$#_{}" else letter for letter in text)
