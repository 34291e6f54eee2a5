"""The table of public sets agrees with the paper's, except where the archive itself differs."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path

import pytest

from timemil_core.data.bundled import load_bundled
from timemil_core.data.known_sets import KNOWN, SIZES_FROM, named_classes

PAPER = Path(os.environ.get("TIMEMIL_DATA_DIR", "nowhere")).parent / "paper" / "datasets.csv"
DIFFERS = {"ERing": "the archive has 270 test series", "HandMovementDirection": "the archive has 160 and 74 series"}
RENAMED = {"Phoneme": "PhonemeSpectra"}


def test_both_archives_are_complete() -> None:
    archives = [known.archive for known in KNOWN.values()]
    assert (archives.count("UEA"), archives.count("UCR")) == (30, 128)


def test_every_row_makes_sense() -> None:
    for name, known in KNOWN.items():
        assert name == known.name
        assert min(known.n_train, known.n_test, known.n_channels) >= 1
        assert known.n_classes >= 2
        assert (known.shortest or 1) <= (known.longest or 10**9)
        assert known.sizes_from in SIZES_FROM
        assert (known.n_channels == 1) == (known.archive != "UEA")
        assert known.domain
        assert known.summary == "" or re.fullmatch(r"[A-Z0-9].*[.?]", known.summary)
        assert len(known.channel_names) in (0, known.n_channels)


def test_lengths_in_words() -> None:
    assert KNOWN["BasicMotions"].length == "100"
    assert KNOWN["EigenWorms"].length == "17,984"
    assert KNOWN["JapaneseVowels"].length == "7 to 29"
    assert KNOWN["SpokenArabicDigits"].length == "up to 93"
    assert KNOWN["PLAID"].length == "varies"


@pytest.mark.skipif(not PAPER.is_file(), reason="the paper's tables are not here")
def test_the_papers_sizes_hold_where_the_archive_does_not_differ() -> None:
    with PAPER.open(encoding="utf-8") as file:
        rows = {RENAMED.get(row["dataset"], row["dataset"]): row for row in csv.DictReader(file)}
    assert set(rows) == {name for name, known in KNOWN.items() if known.archive == "UEA"}
    for name, row in rows.items():
        known = KNOWN[name]
        agrees = (known.n_train, known.n_test) == (int(row["train_size"]), int(row["test_size"]))
        assert agrees == (name not in DIFFERS), name
        assert (known.n_channels, known.n_classes) == (int(row["dimensions"]), int(row["classes"]))
        assert known.longest == int(row["length"].split()[0])


def test_labels_that_the_archive_describes_are_called_what_it_says() -> None:
    assert load_bundled("GunPoint").class_names == ("Gun", "Point")


@pytest.mark.parametrize(
    ("name", "labels"), [("GunPoint", ("1", "2", "3")), ("BasicMotions", ("1",)), ("mine", ("1",))]
)
def test_other_labels_stay_as_they_are(name: str, labels: tuple[str, ...]) -> None:
    assert named_classes(name, labels) == labels


def test_every_class_of_a_set_is_named_or_none() -> None:
    assert all(len(known.class_names) in (0, known.n_classes) for known in KNOWN.values())
    assert all(len(set(known.class_names.values())) == len(known.class_names) for known in KNOWN.values())
