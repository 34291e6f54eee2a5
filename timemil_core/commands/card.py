"""``card``: measure what a model's maps are worth, and write it down beside the model."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from timemil_core.atomic import replacing_file, write_json
from timemil_core.commands.reading import DATA_HELP, add_reading, set_of
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.errors import ModelError
from timemil_core.explain.answer import Answer
from timemil_core.explain.answering import answer
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.explain.evaluation.ranking import FACT, Ranked, Ranking, known_ranking, opening_method, told_by_itself
from timemil_core.explain.evaluation.wording import CHIP, fillers_told, measured_on, opening_sentence, place_sentence
from timemil_core.explain.evaluation.worth import MapWorth, map_worth, worth_sentence
from timemil_core.explain.importance import METHODS
from timemil_core.explain.kept_answer import keep_answer
from timemil_core.explain.labels import labels_for
from timemil_core.explain.motifs import motif_atlas
from timemil_core.explain.motifs.kept import keep_atlas
from timemil_core.models.shelf import AUTHORS
from timemil_core.models.storage import DESCRIPTION, load_model, read_description, rounded, save_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.scores import scores

NAME = "card"
SUMMARY = "measure what a model's maps are worth and what tells its classes, and write card.md into its folder"
MAPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("attention", {"layer": 0}),
    ("attention", {"layer": 1}),
    ("rollout", {}),
    ("occlusion", {}),
)
MAP_FACTS = tuple(field.name for field in fields(MapWorth))
MEASURED = ("scores", "maps")
RANKING_COLUMNS = (
    "method",
    "level",
    "mean rank",
    "p",
    "p, swapped",
    "of the logit",
    "of the attainable",
    "seconds a map",
)
COLUMNS = ("map", "flatness", "AUROC", "AUROC, untrained", "AUROC, |signal|")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("folder", type=Path, help="a model's folder, as in pretrained/")
    parser.add_argument("--data", metavar="NAME", help=f"{DATA_HELP} (default: what the model was trained on)")
    add_reading(parser)
    parser.add_argument("--series", type=int, default=30, help="measure on at most so many test series (default: 30)")
    parser.add_argument(
        "--half-precision", action="store_true", help="round the weights to 16 bits first; all is measured on these"
    )
    parser.add_argument(
        "--rank-on", type=int, metavar="N", help="rank the methods on at most so many series (default: four a class)"
    )
    parser.add_argument(
        "--ranking-only", action="store_true", help="rank the methods, and leave what else the card says"
    )
    parser.add_argument(
        "--answer-only", action="store_true", help="find what tells each class by the ranking there is, and leave that"
    )
    parser.add_argument("--motifs-only", action="store_true", help="find the motifs anew, and leave all that is there")
    parser.add_argument("--pieces", type=Path, metavar="FOLDER", help="keep the ranking's pieces here, to go on later")
    parser.add_argument("--opening-series", metavar="ID", help="the series that the app opens on with this model")


def execute(arguments: argparse.Namespace) -> int:
    """Measure, print the card, and write it.

    Raises
    ------
    TimeMILError
        Where the model or its data cannot be opened.
    """
    model = load_model(arguments.folder)
    if arguments.half_precision:
        model = rounded(model)
    series_set = set_of(arguments, arguments.data or _data_of(model, arguments.folder))
    if arguments.motifs_only:
        print(_motifs(model, series_set, arguments.folder))
        return 0
    measured = (
        _measured_before(model, arguments.folder)
        if arguments.ranking_only or arguments.answer_only
        else _measured(model, series_set, arguments.series)
    )
    ranking = (
        _ranked_before(model, series_set, arguments.folder)
        if arguments.answer_only
        else rank_methods(model, series_set, n_series=arguments.rank_on, pieces=arguments.pieces)
    )
    facts = {**model.facts, **measured, FACT: ranking.to_json()}
    facts.pop("choice", None)  # what former versions kept there
    worths = [MapWorth(**{name: one.get(name) for name in MAP_FACTS}) for one in facts["maps"]]
    facts["maps"] = [worth.to_json() for worth in worths]
    facts["attention_worth"] = _worth_told(model, series_set, worths, ranking)
    if arguments.opening_series:
        facts["opening_series"] = arguments.opening_series
    model = replace(model, facts=facts)
    found = answer(model, series_set, ranking=ranking)
    card = card_text(model, series_set, worths, facts["attention_worth"], ranking, found)
    if arguments.half_precision:
        save_model(model, arguments.folder, half_precision=True)
    else:  # the weights stay as they are, to the byte
        write_json(arguments.folder / DESCRIPTION, {**read_description(arguments.folder), "facts": facts})
    keep_answer(found, model, series_set, arguments.folder)
    if not arguments.answer_only:
        _motifs(model, series_set, arguments.folder)
    with replacing_file(arguments.folder / "card.md") as beside:
        beside.write_text(card, "utf-8")
    print(card)
    return 0


def maps_of(model: TrainedModel) -> list[tuple[str, dict[str, Any]]]:
    """Return the maps to hold against the truth: those of ``MAPS`` that apply, and what a model tells by itself."""
    own = told_by_itself(model)
    told = [] if own is None else [(own, dict[str, Any]())]
    return [*told, *(one for one in MAPS if METHODS[one[0]].applies_to(model))]


def _worth_told(model: TrainedModel, series_set: SeriesSet, worths: list[MapWorth], ranking: Ranking) -> str:
    maps = maps_of(model)
    last_layer = ("attention", {"layer": 1})
    place = maps.index(last_layer) if last_layer in maps else 0
    return worth_sentence(model, _test_part(series_set), maps[place][0], worths[place], ranking)


def _measured(model: TrainedModel, series_set: SeriesSet, n_series: int) -> dict[str, Any]:
    test = _test_part(series_set)
    worths = [map_worth(model, test, method, n_series=n_series, **settings) for method, settings in maps_of(model)]
    return {
        "scores": scores_of(model, test),
        "maps": [worth.to_json() for worth in worths],
    }


def _motifs(model: TrainedModel, series_set: SeriesSet, folder: Path) -> str:
    method = opening_method(model, series_set)
    atlas = motif_atlas(model, series_set, method)
    keep_atlas(atlas, model, series_set, method, folder)
    return atlas.sentence


def _test_part(series_set: SeriesSet) -> SeriesSet:
    return series_set.part("test") if len(series_set.indices("test")) else series_set


def _measured_before(model: TrainedModel, folder: Path) -> dict[str, Any]:
    if missing := [name for name in MEASURED if name not in model.facts]:
        raise ModelError(
            f"its description holds no {missing[0]}: nothing has been measured yet that could be left as it is.",
            where=str(folder),
            remedy="Leave out --ranking-only.",
        )
    return {name: model.facts[name] for name in MEASURED}


def _ranked_before(model: TrainedModel, series_set: SeriesSet, folder: Path) -> Ranking:
    ranking = known_ranking(model, series_set)
    if ranking is None:
        raise ModelError(
            "its methods have not been ranked on these data.", where=str(folder), remedy="Leave out --answer-only."
        )
    return ranking


def _data_of(model: TrainedModel, folder: Path) -> str:
    if not model.facts.get("data"):
        raise ModelError(
            "the model does not say which data it was trained on, so nothing can be measured.",
            where=str(folder),
            remedy="Train it from a data set of the list, or import it with --data.",
        )
    return str(model.facts["data"])


def scores_of(model: TrainedModel, test: SeriesSet) -> dict[str, Any]:
    """Return a model's scores on test series, measured again on the weights as they are stored."""
    # What validation chose stays as training told it.
    labels = labels_for(model, test)
    known = labels != UNKNOWN_LABEL
    kept = {
        name: value for name, value in model.facts["scores"].items() if not name.startswith(("test_", "supervised_"))
    }
    for prefix, network in (("test", model.network), ("supervised_test", model.supervised)):
        if network is not None and known.any():
            logits = replace(model, network=network).predict(test.series).logits
            kept |= {f"{prefix}_{name}": value for name, value in scores(labels[known], logits[known]).items()}
    return kept


def card_text(
    model: TrainedModel, series_set: SeriesSet, worths: list[MapWorth], sentence: str, ranking: Ranking, found: Answer
) -> str:
    """Return a model's card as Markdown: data, command, seed, what tells each class, scores, its maps' worth."""
    facts = model.facts
    told = {name.replace("_", " "): value for name, value in facts["scores"].items() if isinstance(value, float)}
    lines = [
        f"# {facts['data_name']}",
        "",
        f"- **Data**: {facts['data']} (fingerprint `{facts['fingerprint']}`). {' '.join(series_set.provenance)}",
        f"- **Command**: `{facts['command']}`",
        *_origin(facts),
        "",
        "## What tells each class",
        "",
        *(f"- {one.sentence}. ({METHODS[one.method].title}, {one.n_series} series)" for one in found.classes),
        "",
        "## Scores",
        "",
        *markdown_table(("score", "value"), [(name, f"{value:.4f}") for name, value in told.items()]),
        "",
        "## What its maps are worth",
        "",
        sentence,
        "",
        *markdown_table(COLUMNS, [_row(worth) for worth in worths]),
        "",
        f"Measured on {worths[0].n_series} test series by `python -m timemil_core card`. AUROC: against the instance "
        "labels, where any are known.",
        "",
        "## How its methods rank",
        "",
        opening_sentence(ranking),
        "",
        place_sentence(ranking.places),
        "",
        *markdown_table(RANKING_COLUMNS, [_ranked_row(one) for one in ranking.methods]),
        "",
        f"On {measured_on(ranking)}; removed points were {fillers_told(ranking.fillers)}. *Mean rank* of each map "
        "among itself at other places; *p*: how often maps that mean nothing reach it; *swapped*: how often other "
        "series' maps do as well. The effect is the change of the logit beyond other places, as a share of the "
        "logit and of what a greedy search for the most harmful removal finds.",
        "",
    ]
    return "\n".join(lines)


def _origin(facts: dict[str, Any]) -> list[str]:
    protocol = f"- **Protocol**: {facts['protocol']}"
    if facts.get("origin") == AUTHORS:
        return [protocol, *(f"- **Imported**: {note}" for note in facts["notes"])]
    return [
        f"- **Seed** {facts['seed']}; {_epochs_told(facts)}"
        f"{facts['n_train']} training, {facts['n_validation']} validation, {facts['n_test']} test series.",
        protocol,
        f"- **Trained on** {facts['trained_on']} in {facts['seconds']:.0f} s, torch {facts['versions']['torch']}.",
    ]


def _epochs_told(facts: dict[str, Any]) -> str:
    return f"{facts['epochs']} epochs, epoch {facts['best_epoch']} kept; " if "epochs" in facts else ""


def markdown_table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Return a Markdown table, a line an item."""
    bar = "|" + "---|" * len(columns)
    return [f"| {' | '.join(columns)} |", bar, *(f"| {' | '.join(row)} |" for row in rows)]


def _ranked_row(ranked: Ranked) -> tuple[str, ...]:
    one = ranked.standing
    return (
        ranked.title,
        CHIP[one.level],
        f"{one.mean_rank:.2f}",
        f"{one.chance:.3f}",
        f"{one.swap_chance:.3f}",
        f"{one.of_logit:+.0%}",
        f"{one.of_attainable:+.0%}",
        f"{ranked.seconds:.2f}",
    )


def _row(worth: MapWorth) -> tuple[str, ...]:
    numbers = (worth.flatness, worth.auroc, worth.untrained_auroc, worth.signal_auroc)
    return (worth.method, *("–" if number is None else f"{number:.2f}" for number in numbers))
