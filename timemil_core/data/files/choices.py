"""What was guessed of a file and can be changed: every guess is a ``Choice``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from timemil_core.data.wording import listed
from timemil_core.errors import DataError

Value = str | float | bool | tuple[str, ...] | None
ChoiceKind = Literal["one", "some", "number", "flag"]
TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
NOTHING = ("", "none", "—")


@dataclass(frozen=True)
class Choice:
    """One guess that can be changed.

    Attributes
    ----------
    name
        By which it is given (``--choose name=value``) and by which report lines point to it.
    title
        What it is called on the page.
    kind
        ``"one"`` of the options, ``"some"`` of them in an order, a ``"number"``, or a ``"flag"``.
    value
        What holds now.
    options
        Value to title, for ``"one"`` and ``"some"``.
    optional
        Whether None is a value, too.
    help
        A sentence on what it decides.
    reshapes
        Whether other choices and their options follow from it.
    """

    name: str
    title: str
    kind: ChoiceKind
    value: Value
    options: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False
    help: str = ""
    reshapes: bool = False


class Choosing:
    """Hands readers their choices, what was given before what was guessed, and remembers them for the page."""

    def __init__(self, given: Mapping[str, Value], where: str) -> None:
        self.given = given
        self.where = where
        self.made: dict[str, Choice] = {}

    def is_given(self, name: str) -> bool:
        """Tell whether the user has decided this."""
        return name in self.given

    def one(
        self,
        name: str,
        title: str,
        options: Mapping[str, str] | Sequence[str],
        guess: str,
        *,
        help: str = "",  # noqa: A002  the page's own word for it
        reshapes: bool = False,
    ) -> str:
        """Return one of the options."""
        choice = Choice(name, title, "one", guess, _titles(options), help=help, reshapes=reshapes)
        return cast(str, self._one(choice))

    def one_or_none(
        self,
        name: str,
        title: str,
        options: Mapping[str, str] | Sequence[str],
        guess: str | None,
        *,
        help: str = "",  # noqa: A002
        reshapes: bool = False,
    ) -> str | None:
        """Return one of the options, or None."""
        choice = Choice(name, title, "one", guess, _titles(options), optional=True, help=help, reshapes=reshapes)
        return self._one(choice)

    def some(
        self,
        name: str,
        title: str,
        options: Mapping[str, str] | Sequence[str],
        guess: Sequence[str],
        *,
        help: str = "",  # noqa: A002
        reshapes: bool = False,
    ) -> tuple[str, ...]:
        """Return some of the options, in the order given."""
        titles = _titles(options)
        value = self.given.get(name, tuple(guess))
        if isinstance(value, str):
            value = (value,) if value in titles else tuple(part.strip() for part in value.split(","))
        if not isinstance(value, tuple):
            raise self._refused(name, title, value, titles)
        if unknown := [one for one in value if one not in titles]:
            raise self._refused(name, title, unknown[0], titles)
        self.made[name] = Choice(name, title, "some", value, titles, help=help, reshapes=reshapes)
        return value

    def number(
        self,
        name: str,
        title: str,
        guess: float | None,
        *,
        help: str = "",  # noqa: A002
    ) -> float | None:
        """Return a finite positive number, or None; 0 stands for None."""
        value = self.given.get(name, guess)
        if isinstance(value, str):
            value = None if value.lower() in NOTHING else _as_number(value)
        if isinstance(value, bool | tuple) or (value is not None and not 0 <= value < math.inf):
            raise DataError(f"{title}: {self.given.get(name)!r} is not a positive number.", where=self.where)
        chosen = float(value) if value else None
        self.made[name] = Choice(name, title, "number", chosen, optional=True, help=help)
        return chosen

    def flag(
        self,
        name: str,
        title: str,
        guess: bool,
        *,
        help: str = "",  # noqa: A002
        reshapes: bool = False,
    ) -> bool:
        """Return yes or no."""
        value = self.given.get(name, guess)
        if isinstance(value, str):
            value = TRUTH.get(value.lower())
        if not isinstance(value, bool):
            raise DataError(f"{title}: {self.given.get(name)!r} is neither yes nor no.", where=self.where)
        self.made[name] = Choice(name, title, "flag", value, help=help, reshapes=reshapes)
        return value

    def refuse_unknown(self) -> None:
        """Refuse what was given under a name that no choice has.

        Raises
        ------
        DataError
            Names the choices that there are.
        """
        if unknown := [name for name in self.given if name not in self.made]:
            raise DataError(
                f"There is no choice {unknown[0]!r} for this file.",
                where=self.where,
                remedy=f"There are: {', '.join(self.made)}.",
            )

    def _one(self, choice: Choice) -> str | None:
        value = self.given.get(choice.name, choice.value)
        if choice.optional and isinstance(value, str) and value not in choice.options and value.lower() in NOTHING:
            value = None
        if not (value is None and choice.optional) and (not isinstance(value, str) or value not in choice.options):
            raise self._refused(choice.name, choice.title, value, choice.options)
        self.made[choice.name] = replace(choice, value=value)
        return value

    def _refused(self, name: str, title: str, value: object, titles: Mapping[str, str]) -> DataError:
        told = f"There is no {value!r} to choose." if isinstance(value, str) else f"{value!r} cannot be chosen."
        return DataError(
            f"{title} ({name}): {told}",
            where=self.where,
            remedy=f"Choose one that there is: {listed(list(titles), 12)}.",
        )


def _titles(options: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    return options if isinstance(options, Mapping) else {option: option for option in options}


def _as_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
