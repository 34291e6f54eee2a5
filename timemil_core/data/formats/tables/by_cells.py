"""What the cells tell where no name does: times, series, classes."""

from __future__ import annotations

from collections.abc import Sequence

from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.counting import counting_columns, number_of, time_columns
from timemil_core.data.formats.tables.roles import Guess


def take_times_by_cells(guess: Guess) -> None:
    """Take a column of stamps for the time, whatever its name; a date beside clock times for the day of each."""
    time = guess.roles.get("time")
    if time is not None and time.are_dates:
        clock = next((column for column in guess.left if column.are_clock_times), None)
        if clock is not None:
            guess.change("time", "date", "clock times stand in another column")
            guess.take("time", clock, "its cells are clock times")
    elif time is None and not time_columns(guess.left):
        stamps = [column for column in guess.left if column.are_stamps and column.is_text and column.n_distinct > 1]
        clock = next((column for column in stamps if column.are_clock_times), None)
        date = next((column for column in guess.left if column.are_dates and column.is_text), None)
        if (stamps and len(guess.left) > 1 and "label" not in guess.roles) or (clock and date):
            guess.take("time", clock or stamps[0], "its cells are times")
    if "date" not in guess.roles and (time := guess.roles.get("time")) is not None and time.are_clock_times:
        date = next((column for column in guess.left if column.are_dates and column.is_text), None)
        if date is not None and len(guess.left) > 1:
            guess.take("date", date, "it holds the days of the clock times")


def take_id_by_cells(guess: Guess) -> None:
    """Where no name says which series a row belongs to, but time starts anew: find the column that changes then."""
    time = guess.roles.get("time")
    if "id" in guess.roles or time is None or time.numbers is None or time.rises_within([""] * len(time.cells)):
        return
    for column in guess.left:
        if column.could_be_label and time.rises_within(column.cells) and len(guess.left) > 1:
            guess.take("id", column, "time starts anew whenever it changes")
            return


def take_label_by_cells(guess: Guess, candidates: Sequence[Column]) -> None:
    """Take the first candidate that could be classes, where no name has said which column is; words before numbers."""
    if "label" in guess.roles or len(guess.left) < 2:
        return
    fitting = [
        column
        for column in candidates
        if column.could_be_label and column.n_distinct > 1 and not _is_one_of_many(column, guess)
    ]
    fitting.sort(key=lambda column: not column.is_text)
    if fitting:
        what = "words" if fitting[0].is_text else "whole numbers"
        guess.take_for_label(fitting[0], f"it holds {fitting[0].n_distinct} different {what}")


def _is_one_of_many(column: Column, guess: Guess) -> bool:
    """Whole numbers among nothing but whole numbers, or under a counting name, are values rather than classes."""
    if column.is_text:
        return False
    if column.is_named:
        counted = number_of(column.name)
        return counted is not None and counting_columns(guess.left)
    others = [other for other in guess.left if other is not column]
    return all(other.is_whole for other in others[:20])
