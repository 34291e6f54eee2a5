"""The tables of docs/evidence on what maps are worth, from what the other benchmarks of maps and ``card`` wrote.

``python -m benchmarks.map_tables --folder FOLDER`` prints those of ``localisation.json`` and ``verdicts.json``
in that folder, and of the cards of shipped models, as Markdown; nothing is measured here.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.pieces import DEFAULT_FOLDER
from timemil_core.atomic import read_json
from timemil_core.commands.card import markdown_table
from timemil_core.explain.evaluation.ranking import FACT, Ranked, Ranking, told_by_itself
from timemil_core.explain.importance import METHODS
from timemil_core.models.shelf import open_model, shelf

Rows = Sequence[dict[str, Any]]

OPENS_ON = "opens on"
NDCG_SETS = ("WebTraffic",)  # compared with a published NDCG@n; the others are judged by AUROC
TITLES = {
    "attention": "Class token's attention, layer 2",
    "attention layer 1": "Class token's attention, layer 1",
    OPENS_ON: "**the map that the app opens on**",
    "size of the signal": "*the signal's size*",
    "random": "*random*",
}


def main() -> None:
    """Print what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help=f"of pieces (default: {DEFAULT_FOLDER})")
    folder = parser.parse_args().folder
    tables = {"localisation": localisation_table, "verdicts": verdicts_table}
    for name, table in tables.items():
        if (folder / f"{name}.json").is_file():
            print("\n".join(table(read_json(folder / f"{name}.json"))) + "\n")
    models = {entry.reference: open_model(entry.reference) for entry in shelf() if entry.kind == "pretrained"}
    rankings = {
        name: replace(Ranking.from_json(model.facts[FACT]), own=told_by_itself(model))
        for name, model in models.items()
        if FACT in model.facts
    }
    scores = {name: models[name].facts["scores"]["test_accuracy"] for name in rankings}
    print("\n".join(models_table(rankings, scores)) + "\n")
    for is_additive in (False, True):  # those built to tell where their logits come from apart
        some = {name: one for name, one in rankings.items() if (one.own is not None) == is_additive}
        print("\n".join(rankings_table(some)) + "\n")


def localisation_table(rows: Rows) -> list[str]:
    """Return a row a map, best first on the last of the AUROC sets; of each set the mean, lowest seed, untrained."""
    sets = list(dict.fromkeys(row["set"] for row in rows))
    found = {(row["set"], row["map"].partition(":")[0]): row for row in rows}
    heads = []
    for name in sets:
        about = next(row for row in rows if row["set"] == name)
        heads += [f"{name} ({about['seeds']} seeds, accuracy {about['accuracy']:.2f}): {_score(name)}", "untrained"]
    labels = list(dict.fromkeys(label for _, label in found))
    controls = [label for label in ("size of the signal", "random") if label in labels]
    judge = next((name for name in reversed(sets) if name not in NDCG_SETS), sets[-1])
    others = [label for label in labels if label not in (OPENS_ON, *controls)]
    others.sort(key=lambda label: -found[judge, label][_score(judge)] if (judge, label) in found else 0)
    lines: list[tuple[str, ...]] = []
    for label in [*([OPENS_ON] if OPENS_ON in labels else []), *others, *controls]:
        cells = [cell for name in sets for cell in _localised(found.get((name, label)), _score(name))]
        lines.append((_title(label), *cells))
    return markdown_table(("map", *heads), lines)


def verdicts_table(rows: Rows) -> list[str]:
    """Return a row a map, best first: of each model its level, mean rank, and shares by the former rule and alone."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    labels = list(dict.fromkeys(row["map"] for row in rows))
    labels.sort(key=lambda label: -_over(rows, label, "mean rank"))
    found = {(row["map"], row["model"]): row for row in rows}
    lines = [(_title(label), *(_judged(found.get((label, name))) for name in models)) for label in labels]
    heads = [f"{name} ({next(row['series'] for row in rows if row['model'] == name)} series)" for name in models]
    return markdown_table(("map", *heads), lines)


def models_table(rankings: Mapping[str, Ranking], accuracies: Mapping[str, float]) -> list[str]:
    """Return a row a model: how often it is right, what its own arithmetic is worth, and what the app opens on."""
    lines: list[tuple[str, ...]] = []
    for name, ranking in rankings.items():
        used, opening = ranking.of_itself, ranking.opening
        own = "–" if used is None else f"{_of_itself(used)}: {_ranked(used, is_opening=False)}"
        opens = f"{opening.title}: {_ranked(opening, is_opening=False)}"
        lines.append((name, f"{accuracies[name]:.3f}", own, opens, str(ranking.n_series)))
    return markdown_table(("model", "test accuracy", "what it uses itself", "what the app opens on", "series"), lines)


def _of_itself(used: Ranked) -> str:
    return "attention" if used.method == "attention" else "its sum"


def rankings_table(rankings: Mapping[str, Ranking]) -> list[str]:
    """Return a row a method, the best on average first: of each model its level, and its share of the attainable."""
    found = {name: {one.method: one for one in ranking.methods} for name, ranking in rankings.items()}
    labels = list(dict.fromkeys(label for of_model in found.values() for label in of_model))
    known = {label: [one[label].standing.of_attainable for one in found.values() if label in one] for label in labels}
    labels.sort(key=lambda label: -float(np.mean(known[label])))
    lines: list[tuple[str, ...]] = []
    for label in labels:
        cells = [
            _ranked(of_model[label], is_opening=rankings[name].opening.method == label) if label in of_model else "–"
            for name, of_model in found.items()
        ]
        lines.append((METHODS[label].title, *cells))
    columns = ("map", *(f"{name} ({ranking.n_series} series)" for name, ranking in rankings.items()))
    return markdown_table(columns, lines)


def _ranked(one: Ranked, *, is_opening: bool) -> str:
    told = f"{one.standing.level} ({one.standing.of_attainable:+.0%})"
    return f"**{told}**" if is_opening else told


def _score(name: str) -> str:
    return "NDCG@n" if name in NDCG_SETS else "AUROC"


def _localised(row: dict[str, Any] | None, score: str) -> tuple[str, str]:
    if row is None:
        return "–", "–"
    control = row[f"{score} untrained"]
    return f"{row[score]:.3f} ({row[f'lowest {score}']:.3f})", control if isinstance(control, str) else f"{control:.2f}"


def _judged(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    return f"{row['level']}, rank {row['mean rank']:.2f} (former {row['former']:.0%}, single {row['single']:.0%})"


def _over(rows: Rows, label: str, column: str) -> float:
    return float(np.mean([row[column] for row in rows if row["map"] == label]))


def _title(label: str) -> str:
    return TITLES.get(label) or (METHODS[label].title if label in METHODS else label)


if __name__ == "__main__":
    main()
