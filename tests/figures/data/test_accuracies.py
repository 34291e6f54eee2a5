"""Published accuracies in one picture."""

from __future__ import annotations

from tests.figures.conftest import HOSTILE
from tests.figures.texts import unescaped_texts
from timemil_core.figures.data import MeasuredHere, accuracies_figure

PUBLISHED = [("TimeMIL", 0.487, "table 2"), ("TimeMIL", 0.482, "table 1"), ("Rocket", 0.588, "table 2")]


def test_a_row_a_method_the_best_at_the_top():
    fig = accuracies_figure(PUBLISHED)
    assert fig.layout.yaxis.ticktext == ("Rocket", "<b>TimeMIL</b>")
    points = fig.data[0]
    assert list(zip(points.x, points.y, strict=True)) == [(0.487, 1), (0.482, 1), (0.588, 0)]
    assert list(points.customdata[1]) == ["TimeMIL", "table 1"]
    assert points.marker.color[0] != points.marker.color[2]


def test_models_of_this_program_have_rows_and_a_shape_of_their_own():
    fig = accuracies_figure(PUBLISHED, measured=[MeasuredHere("Mine", 0.9)])
    assert fig.layout.yaxis.ticktext[0] == "TimeMIL here: Mine"
    assert (fig.data[1].x[0], fig.data[1].y[0]) == (0.9, 0)
    assert fig.data[1].marker.symbol == "diamond"


def test_what_needs_no_model_is_a_line_inside_the_axis():
    fig = accuracies_figure(PUBLISHED, largest_class=0.25)
    assert list(fig.data[2].x) == [0.25, 0.25]
    assert "0.250" in fig.data[2].name
    assert fig.layout.xaxis.range[0] < 0.25


def test_names_that_are_markup_are_drawn_letter_for_letter():
    fig = accuracies_figure([(HOSTILE, 0.5, HOSTILE)], measured=[MeasuredHere(HOSTILE, 0.5)])
    assert unescaped_texts(fig) == []


def test_nothing_known_says_so():
    fig = accuracies_figure([])
    assert len(fig.data) == 0
    assert fig.layout.annotations[0].text == "No accuracy is known."
