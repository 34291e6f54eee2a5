"""Are the weights and contributions that a model itself uses true? Variants, sets, seeds: docs/faithful.md's table.

``python -m benchmarks.faithful`` trains each variant on each set with each seed (run folders, so that a rerun goes on)
and asks of the test part: accuracy; of the pooling's weights and of the contribution, for the true class, AUROC,
average precision, NDCG@n and the pointing game where the truth is known; accuracy with each series' attention made
flat; and the rank correlation of the contribution with that of the same network under random weights. No perturbation
and no gradient has a part in these maps. ``--levels`` adds what removal says of them (``rank_methods``, on validation
or training series, and on test series).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks import pieces as pieces_module
from benchmarks.localisation import COLUMNS, SCORES, TRAINING, by_method, scores
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from benchmarks.training import trained
from timemil_core.data import catalogue
from timemil_core.data.series_set import BoolArray, SeriesSet
from timemil_core.explain.baseline import untrained_copy
from timemil_core.explain.evaluation.held_out import spread_over_classes
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.explain.evaluation.ranking import FORMAT
from timemil_core.explain.importance import explain
from timemil_core.explain.labels import labels_for
from timemil_core.explain.sanity.checks import SEED
from timemil_core.explain.sanity.similarity import rank_similarity
from timemil_core.explain.sanity.uniform import uniform_attention_check
from timemil_core.models.config import EvidencePlace
from timemil_core.models.masking import masked_mean
from timemil_core.models.poolings.conjunctive import ConjunctivePooling
from timemil_core.models.trained import TrainedModel

Settings = Mapping[str, Any]
ADDITIVE: Settings = {"pooling": "conjunctive", "positional_encoding": "none"}
NARROW: Settings = {**ADDITIVE, "kernel_sizes": (3, 5, 9), "n_modules": 2}
ONE_CYCLE: Settings = {"schedule": "one-cycle", "learning_rate": 5e-3, "masking_share": 0.1}
DEEP: Settings = {  # sees 49 and 265 points; with WebTraffic's training it is the preset faithful-long
    **ADDITIVE,
    "kernel_sizes": (3, 5, 9),
    "n_modules": 6,
    "views": (1, 5),
    "embedding_width": 128,
    **ONE_CYCLE,
    "evidence": "sight",
}
VARIANTS: dict[str, Settings] = {
    "default": {},
    "conjunctive": {"pooling": "conjunctive"},
    "conjunctive-sees-235": ADDITIVE,
    "conjunctive-sees-17": NARROW,
    "conjunctive-sees-17, one cycle": {**NARROW, **ONE_CYCLE},
    "views-1-4": {**NARROW, "views": (1, 4)},
    "views-1-4-16": {**NARROW, "views": (1, 4, 16), "embedding_width": 96},
    "views-1-4, one cycle": {**NARROW, "views": (1, 4), **ONE_CYCLE},
    "views-1-4-16, one cycle": {**NARROW, "views": (1, 4, 16), "embedding_width": 96, **ONE_CYCLE},
    "faithful, whole series alone": {**NARROW, "views": (1, 4, 16), "embedding_width": 192, **ONE_CYCLE},
    "faithful": {
        **NARROW,
        "views": (1, 4, 16),
        "embedding_width": 192,
        **ONE_CYCLE,
        "evidence": "sight",
        "marked_alone": True,
    },
    "deep views": DEEP,
    "default, one cycle": ONE_CYCLE,
}
EPOCHS = {"synthetic-pulse": 20, "synthetic-distractor": 25}
OTHER_EPOCHS = 60
MAPS = {"weights": "pooling", "contribution": "contribution"}
SEEN = "contribution over what was seen"
OF_LEVELS = {"weights": "pooling", SEEN: "contribution", "occlusion": "occlusion"}
N_RANDOMISED, N_RANKED = 20, 12


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS), choices=list(VARIANTS), metavar="VARIANT")
    parser.add_argument("--sets", nargs="+", default=["synthetic-pulse", "synthetic-distractor"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument(
        "--series", type=int, default=450, help="at most so many test series of each set (default: 450)"
    )
    parser.add_argument("--levels", action="store_true", help="what removal says of the maps, too")
    parser.add_argument("--train-nothing", action="store_true", help="the table of what is there")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, 0 if arguments.train_nothing else arguments.minutes)
    rows: list[dict[str, Any]] = []
    for name in arguments.sets:
        for variant in arguments.variants:
            found = []
            for seed in arguments.seeds:
                try:
                    found.append(measure(pieces, variant, name, seed, arguments.series, arguments.levels))
                    print(json.dumps({"variant": variant, "set": name, **found[-1]}), flush=True)
                except OutOfTimeError:
                    print(f"{variant}, {name}, seed {seed}: the time is over; run again to go on.", flush=True)
            rows += table(variant, name, found) if found else []
    if rows:
        print_report(rows, what="weights and contributions that models use: mean over seeds (lowest seed)")


def settings_of(variant: str, name: str) -> dict[str, Any]:
    """Return what a variant is trained with on a set."""
    recipe = {key: value for key, value in TRAINING.get(name, {}).items() if key != "pooling"}
    return {**VARIANTS[variant], **recipe, "n_epochs": EPOCHS.get(name, OTHER_EPOCHS)}


def measure(pieces: Pieces, variant: str, name: str, seed: int, n_series: int, levels: bool = False) -> dict[str, Any]:
    """Return what one cell gave, as JSON values."""
    settings = settings_of(variant, name)
    told = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]

    def model() -> TrainedModel:
        return trained(
            pieces, name, seed, named=f"faithful-{variant.replace(', ', '-').replace(' ', '-')}-{told}", **settings
        )

    asked = {"settings": json.loads(json.dumps(settings)), "series": n_series, "measures": 3}
    cell = f"faithful/{name}-{variant}-seed-{seed}".replace(", ", "-").replace(" ", "-")
    found = pieces.kept(cell, asked, lambda: _measured(model(), name, n_series))
    if levels:
        ranked = pieces.kept(
            f"{cell}-levels", {**asked, "format": FORMAT, "ranked": N_RANKED}, lambda: _levels(model(), name)
        )
        found = {**found, "levels": ranked}
    return {"seed": seed, **found}


def _measured(model: TrainedModel, name: str, n_series: int) -> dict[str, Any]:
    test = catalogue.load(name).part("test")
    found: dict[str, Any] = {
        "accuracy": model.facts["scores"]["test_accuracy"],
        "seconds": model.facts["seconds"],
        "n_weights": sum(weight.numel() for weight in model.network.parameters()),
        "flat_accuracy": flat_accuracy(model, test),
        "randomised": kept_under_random_weights(told_of(model, "instance"), test),
        "maps": {},
    }
    truths = np.array([truth.any() and not truth.all() for truth in test.instance_labels or ()], dtype=np.bool_)
    if truths.any():
        scored = np.flatnonzero(truths)
        chosen = test.subset(spread_over_classes(scored, test.labels[scored], n_series))
        plain = told_of(model, "instance")
        found["maps"] = {label: scores(chosen, by_method(plain, chosen, method, {})) for label, method in MAPS.items()}
        if isinstance(model.timemil.pooling, ConjunctivePooling):
            found["maps"][SEEN] = scores(chosen, by_method(told_of(model, "sight"), chosen, "contribution", {}))
    return found


def told_of(model: TrainedModel, place: EvidencePlace) -> TrainedModel:
    """Return the same model, which tells what an instance adds of its time point, or of all that it saw.

    The logits are the same.
    """
    network = deepcopy(model.timemil)
    network.config = replace(network.config, evidence=place)
    if isinstance(network.pooling, ConjunctivePooling):
        network.pooling.config = network.config
    return replace(model, network=network)


def _levels(model: TrainedModel, name: str) -> dict[str, str]:
    """Of validation or training series, as the page asks them, and of test series, on which nothing was chosen."""
    series_set = catalogue.load(name)
    told: dict[str, str] = {}
    for part in ("own", "test"):
        asked = (
            series_set if part == "own" else replace(series_set, split=np.where(_is_test(series_set), "train", "test"))
        )
        ranking = rank_methods(told_of(model, "sight"), asked, methods=[*MAPS.values(), "occlusion"], n_series=N_RANKED)
        levels: dict[str, str] = {one.method: one.standing.level for one in ranking.methods}
        found = f"{ranking.attainable.level}, {'in one place' if ranking.places.in_one_place else 'spread'}"
        of_part = {**{label: levels[method] for label, method in OF_LEVELS.items()}, "greedy search": found}
        told |= {label if part == "own" else f"{label}, test": level for label, level in of_part.items()}
    return told


def _is_test(series_set: SeriesSet) -> BoolArray:
    return series_set.split == "test"


@torch.inference_mode()
def flat_accuracy(model: TrainedModel, test: SeriesSet) -> float | None:
    """Return accuracy with each series' attention replaced by its own mean: what *where* it looks is worth."""
    pooling = model.timemil.pooling
    if pooling.class_token_layers is not None:
        check = uniform_attention_check(model, test)
        return None if check is None else check.uniform_in_time
    if not isinstance(pooling, ConjunctivePooling):
        return None
    labels = labels_for(model, test)
    right = np.zeros(len(test), dtype=np.bool_)
    for indices, values, mask in model.batches(test.series):
        instances = model.timemil.backbone(values, mask)
        encoded = pooling.encoding(instances, mask)
        weights, evidence = pooling.by_view(encoded)
        logits = torch.zeros(len(indices), len(model.class_names))
        for gate, brought in zip(weights, evidence, strict=True):
            mean = masked_mean(gate[..., None], mask)
            logits += mean * masked_mean(brought / gate[..., None], mask)
        right[indices] = logits.argmax(dim=1).numpy() == labels[indices]
    return float(right.mean())


def kept_under_random_weights(model: TrainedModel, test: SeriesSet, n_series: int = N_RANDOMISED) -> float:
    """Return the mean rank correlation of the contribution with that of the same network, all weights random."""
    chosen = test.subset(spread_over_classes(np.arange(len(test)), test.labels, n_series))
    destroyed = untrained_copy(model, SEED)
    labels = labels_for(model, chosen)
    kept = []
    for index, series in enumerate(chosen.series):
        of = partial(explain, series=series, method=MAPS["contribution"], target_class=int(labels[index]))
        kept.append(rank_similarity([of(model).values, of(destroyed).values])[0, 1])
    return float(np.nanmean(kept))


def table(variant: str, name: str, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row a map, or one where no truth is known: means over seeds, with the lowest seed's."""
    about = {
        "set": name,
        "variant": variant,
        "seeds": len(found),
        "accuracy": _spread([one["accuracy"] for one in found]),
    }
    last = {
        "flat attention": _spread([one["flat_accuracy"] for one in found]),
        "random weights": _spread([one["randomised"] for one in found], highest=True),
        "seconds": float(np.mean([one["seconds"] for one in found])),
        "greedy search": " / ".join(one["levels"]["greedy search"] for one in found if "levels" in one) or "–",
    }
    rows = []
    told_apart = any(one["maps"] or "levels" in one for one in found)
    has_levels = any("levels" in one for one in found)
    for label in [*MAPS, SEEN, *(["occlusion"] if has_levels else [])] if told_apart else [SEEN]:
        scored = [one["maps"][label] for one in found if label in one["maps"]]
        told = {COLUMNS[score]: _spread([one[score] for one in scored]) for score in SCORES}
        ranked = [one["levels"] for one in found if "levels" in one]
        own, test = (" / ".join(one.get(f"{label}{part}", "–") for one in ranked) or "–" for part in ("", ", test"))
        rows.append({**about, "map": label, **told, **last, "levels": own, "levels on test series": test})
    return rows


def _spread(values: Sequence[float | None], highest: bool = False) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    return f"{np.mean(known):.3f} ({max(known) if highest else min(known):.3f})"


if __name__ == "__main__":
    main()
