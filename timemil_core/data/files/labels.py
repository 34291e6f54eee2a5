"""Class names from the texts of a label column: one spelling a class, missing ones told apart."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from timemil_core.data.files.tokens import MISSING_LABELS, is_number
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

FEWEST_CONTINUOUS = 10
TRUTH = ("true", "false")
LEADING_ZERO = re.compile(r"[+-]?0\d")
LONGEST_NUMBER = 40  # characters
LARGEST = Decimal(10) ** LONGEST_NUMBER
MOST_JOINED = 5


def canonical_labels(texts: Iterable[str], missing: frozenset[str] = MISSING_LABELS) -> dict[str, str | None]:
    """Return for each text the name of its class, None where it stands for a missing label.

    Blanks around a name do not count. Whole numbers of equal value are one class ("1" and "1.0": the shortest
    spelling), and so are truth values in upper and lower case. Leading zeros and fractions are names: "01" and "1",
    "1.10" and "1.1" stay apart.
    """
    stripped = {text: text.strip() for text in texts}
    spellings: dict[object, set[str]] = defaultdict(set)
    for name in stripped.values():
        if name not in missing:
            spellings[_identity(name)].add(name)
    chosen = {key: _spelling(key, names) for key, names in spellings.items()}
    if any(len(spellings[word]) > 1 for word in TRUTH if word in spellings):
        chosen.update({word: word for word in TRUTH})
    return {text: None if name in missing else chosen[_identity(name)] for text, name in stripped.items()}


def _spelling(key: object, names: set[str]) -> str:
    """Return the shortest spelling; "1" for a whole number that is only written as 1.0e+00, as old files do."""
    if isinstance(key, Decimal) and all("e" in name.lower() for name in names):
        return str(int(key))
    return min(names, key=lambda name: (len(name), name))


def _identity(name: str) -> object:
    """Return what two spellings of one class have in common."""
    if name.lower() in TRUTH:
        return name.lower()
    if len(name) > LONGEST_NUMBER or LEADING_ZERO.match(name) or not is_number(name):
        return name
    number = Decimal(name)
    is_whole = abs(number) < LARGEST and number == number.to_integral_value()
    return number if is_whole else name


def _number(name: str) -> float | None:
    try:
        number = float(name)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def check_classes(class_names: Sequence[str], n_series: int, where: str) -> None:
    """Refuse a number that varies continuously in the place of classes.

    Raises
    ------
    DataError
        Where the labels are many different fractions.
    """
    numbers = [_number(name) for name in class_names]
    fractions = [number for number in numbers if number is not None and not number.is_integer()]
    if fractions and len(fractions) > max(FEWEST_CONTINUOUS, n_series / 3):
        raise DataError(
            f"{len(class_names)} different numbers such as {class_names[0]} stand where classes were expected.",
            where=where,
            remedy="Sort them into classes (low, high …) first, or choose another label column.",
        )


def lines_on_labels(names: dict[str, str | None], class_names: Sequence[str]) -> Iterator[ReportLine]:
    """Tell which spellings were joined, and which may have been meant as one."""
    yield from joined_labels(names)
    by_case: dict[str, list[str]] = defaultdict(list)
    by_number: dict[float, list[str]] = defaultdict(list)
    for name in class_names:
        by_case[name.casefold()].append(name)
        if (number := _number(name)) is not None:
            by_number[number].append(name)
    for found, what in ((by_case, "differ in case only"), (by_number, "are equal as numbers")):
        for alike in [alike for alike in found.values() if len(alike) > 1]:
            yield warning(
                f"Classes that {what} are kept apart: {listed(alike)}.",
                remedy="Spell them alike in the file if they are one class.",
            )


def joined_labels(names: Mapping[str, str | None]) -> Iterator[ReportLine]:
    """Tell which spellings were joined."""
    joined: dict[str, list[str]] = defaultdict(list)
    for text, name in names.items():
        if name is not None and text.strip() != name and text.strip() not in joined[name]:
            joined[name].append(text.strip())
    spelled = {text.strip() for text in names}
    told = {name: texts for name, texts in joined.items() if len(texts) > 1 or name in spelled}
    if told:
        pairs = [f"{listed(texts)} with {listed([name])}" for name, texts in told.items()]
        yield repair(f"Labels of one class in several spellings were joined: {'; '.join(pairs[:MOST_JOINED])}.")
    if rewritten := [f"{listed(texts)} as {name!r}" for name, texts in joined.items() if name not in told]:
        yield note(f"Labels are whole numbers, and written so: {'; '.join(rewritten[:MOST_JOINED])}.")
