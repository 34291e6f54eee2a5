"""A report's section on the model as a whole: what tells each class, how often it is right, what its maps are worth."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted
from timemil_core.errors import TimeMILError
from timemil_core.explain.answer import Answer
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking
from timemil_core.explain.evaluation.wording import CHIP, measured_on, opening_sentence
from timemil_core.explain.kept_answer import known_answer
from timemil_core.models.shelf import locate
from timemil_core.models.trained import TrainedModel

MOST_CLASSES = 12  # of a confusion matrix that a page can hold


def whole_model(model: TrainedModel, series_set: SeriesSet, reference: str) -> list[str]:
    """Return the section's parts in HTML, by what has been measured of the model before; empty where nothing has.

    ``reference`` is the model's, as ``shelf.open_model`` takes it.
    """
    answer, ranking = known_answer(model, series_set, _folder(reference)), known_ranking(model, series_set)
    parts = [
        *([] if answer is None else _answer(answer)),
        *_right(model, answer),
        *([] if ranking is None else _worth(ranking)),
    ]
    return ["<h2>The model as a whole</h2>", *parts] if parts else []


def _folder(reference: str) -> Path | None:
    try:
        return locate(reference)
    except TimeMILError:  # a model of no list: what is kept of it lies on this machine
        return None


def _answer(answer: Answer) -> list[str]:
    rows = "".join(f"<li>{html.escape(one.sentence)}</li>" for one in answer.classes)
    return [f"<p>What tells each class:</p><ul>{rows}</ul>"]


def _right(model: TrainedModel, answer: Answer | None) -> list[str]:
    scores = model.facts.get("scores")
    accuracy = scores.get("test_accuracy") if isinstance(scores, dict) else None
    n_test = model.facts.get("n_test")
    told = []
    if isinstance(accuracy, float) and isinstance(n_test, int) and n_test > 0:
        right = round(accuracy * n_test)
        told.append(f"<p>{right:,} of {counted(n_test, 'test series')} right (accuracy {accuracy:.3f}).</p>")
    if answer is not None and answer.n_known and len(model.class_names) <= MOST_CLASSES:
        told.append(_confusion(model.class_names, answer))
    return told


def _confusion(names: Sequence[str], answer: Answer) -> str:
    series = "test series" if answer.part == "test" else "series"
    counts = answer.confusion(len(names))
    rows = [[name, *(str(count) for count in row)] for name, row in zip(names, counts, strict=True)]
    of = counted(answer.n_known, series)
    return f"<p>Of {of}, by true class (rows) and predicted class (columns):</p>" + _grid(["", *names], rows)


def _worth(ranking: Ranking) -> list[str]:
    columns = ["method", "evidence", "mean rank", "of what can be found"]
    rows = [
        [one.title, CHIP[one.standing.level], f"{one.standing.mean_rank:.2f}", f"{one.standing.of_attainable:+.0%}"]
        for one in ranking.methods
    ]
    return [
        f"<p>{html.escape(opening_sentence(ranking))}</p>",
        _grid(columns, rows),
        f"<p>Measured on {html.escape(measured_on(ranking))}. Mean rank: among the same map at other places, 0.5 is "
        "chance and 1 always the best.</p>",
    ]


def _grid(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in columns)
    body = "".join(
        f'<tr><th scope="row">{html.escape(first)}</th>'
        + "".join(f'<td class="number">{html.escape(cell)}</td>' for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
