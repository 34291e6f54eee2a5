"""A benchmark's lines: what is finished is found again, other settings are another line, two writers lose nothing."""

from __future__ import annotations

from pathlib import Path

from benchmarks.lines import Lines, digest

ASKED, FOUND = ("set", "seed", "recipe"), ("accuracy", "seconds")
ONE = {"set": "ERing", "seed": 0, "recipe": digest({"rate": 0.1})}


def opened(folder: Path) -> Lines:
    return Lines(folder / "results.csv", ASKED, FOUND)


def test_what_is_finished_is_found_by_another_process_and_not_computed_again(tmp_path: Path) -> None:
    assert opened(tmp_path).kept(ONE, lambda: {"accuracy": 0.5, "seconds": None}) == {"accuracy": 0.5}
    assert opened(tmp_path).kept(ONE, lambda: {"accuracy": 0.9}) == {"accuracy": 0.5}
    assert opened(tmp_path).get(ONE | {"recipe": digest({"rate": 0.2})}) is None
    assert (tmp_path / "results.csv").read_text().splitlines()[0] == "set,seed,recipe,accuracy,seconds"


def test_a_line_of_several_seeds_stands_for_each(tmp_path: Path) -> None:
    opened(tmp_path).kept(ONE | {"seed": "0 1"}, lambda: {"accuracy": 0.75})
    assert [opened(tmp_path).get(ONE | {"seed": seed}) for seed in (0, 1, "0 1", 2)] == [{"accuracy": 0.75}] * 3 + [
        None
    ]


def test_nothing_found_is_not_kept(tmp_path: Path) -> None:
    assert opened(tmp_path).kept(ONE, lambda: None) is None
    assert not (tmp_path / "results.csv").exists()


def test_two_writers_lose_nothing_and_lines_are_in_order(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    one.kept(ONE | {"seed": 1}, lambda: {"accuracy": 1.0})
    other.kept(ONE, lambda: {"accuracy": 0.0})
    assert [line.split(",")[1] for line in (tmp_path / "results.csv").read_text().splitlines()] == ["seed", "0", "1"]
