"""Files that were tampered with, and bytes that never were files: each reads, or is refused by our own error.

``python -m benchmarks.fuzz_readers [--cases 10000] [--seed 0]`` mutates valid files of every format (bits flipped,
pieces cut out, doubled, swapped, spliced from other files, numbers made huge) and makes random bytes under random
names, inspects and reads them, and counts what became of them, a row a format. Cases run in processes of their own, so
that a crash of a C library or a case that takes longer than ``--patience`` seconds is seen and counted. The exit code
is 1 where anything but a set or a ``DataError`` came out.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from types import FrameType
from typing import Any

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from benchmarks.seed_files import Files, seed_files

BLOCK = 500  # cases a process
SHOWN = 10
NAMES = (
    "a.csv",
    "a.tsv",
    "a.txt",
    "a.xlsx",
    "a.zip",
    "a.npz",
    "a.npy",
    "a.ts",
    "a.arff",
    "a.parquet",
    "a.edf",
    "a.hea",
)
HUGE = (b"9" * 30, b"-1", b"1e999", b"nan", b"\x00", b"\xff\xff\xff\xff", b"../../", b"\r", b'"', b"'")


class TakesTooLongError(Exception):
    """A case ran longer than it may."""


def main() -> int:
    """Run the cases and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=int, default=30, help="seconds that a case may take")
    parser.add_argument("--block", type=int, nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.block:
        for number in range(*arguments.block):
            print(json.dumps(one_case(number, arguments.seed, arguments.patience)), flush=True)
        return 0
    results = [
        result
        for start in range(0, arguments.cases, BLOCK)
        for result in block(start, min(start + BLOCK, arguments.cases), arguments)
    ]
    rows = [row(kind, [one for one in results if one["kind"] == kind]) for kind in sorted({r["kind"] for r in results})]
    rows.append(row("all", results))
    wrong = [result for result in results if result["outcome"] not in ("read", "refused")]
    for result in wrong[:SHOWN]:
        print(f"case {result['number']} ({result['kind']}): {result['outcome']} {result['told']}")
    print_report(rows, what="outcomes of tampered and random files", seed=arguments.seed, wrong=wrong[:SHOWN])
    return 1 if wrong else 0


def row(kind: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return one line of the table."""
    counts = Counter(result["outcome"] for result in results)
    return {
        "files": kind,
        "cases": len(results),
        "read": counts["read"],
        "refused": counts["refused"],
        "other exception": counts["exception"],
        "too long": counts["too long"],
        "crashed": counts["crashed"],
        "slowest, s": max((result["seconds"] for result in results), default=0.0),
    }


def block(start: int, stop: int, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Run cases in a process of their own; where it dies, note the case and go on behind it."""
    results: list[dict[str, Any]] = []
    while start < stop:
        words = [sys.executable, "-m", "benchmarks.fuzz_readers", "--block", str(start), str(stop)]
        words += ["--seed", str(arguments.seed), "--patience", str(arguments.patience)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        results.extend(found)
        start = found[-1]["number"] + 1 if found else start
        if start < stop:
            told = f"exit code {done.returncode} {done.stderr[-200:]}"
            results.append({"number": start, "kind": "?", "outcome": "crashed", "told": told, "seconds": 0.0})
            start += 1
    return results


def one_case(number: int, seed: int, patience: int) -> dict[str, Any]:
    """Make one set of files, read it, and say what became of it."""
    from timemil_core.data.files.source import from_bytes
    from timemil_core.data.formats import inspect_files, read_files
    from timemil_core.errors import DataError

    chance = random.Random(f"{seed} {number}")  # noqa: S311  reproducible, not secret
    kind, files = make(chance)
    start = time.perf_counter()
    signal.signal(signal.SIGALRM, _ring)
    signal.alarm(patience)
    try:
        sources = [from_bytes(name, content) for name, content in files.items()]
        series_set = read_files(inspect_files(sources)).series_set
        outcome, told = "read", series_set.fingerprint
    except DataError as error:
        outcome, told = "refused", str(error)[:200]
    except TakesTooLongError:
        outcome, told = "too long", ""
    except Exception as error:  # anything else is what is looked for
        outcome, told = "exception", f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.alarm(0)
    return {
        "number": number,
        "kind": kind,
        "outcome": outcome,
        "told": told,
        "seconds": time.perf_counter() - start,
    }


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TakesTooLongError


def make(chance: random.Random) -> tuple[str, Files]:
    """Return the kind of a case and its files: a tampered file of a format, or random bytes."""
    seeds = seed_files()
    if chance.random() < 0.1:
        content = chance.randbytes(chance.randrange(400))
        beginning = chance.choice([b"", *(next(iter(files.values()))[:64] for files in seeds.values())])
        return "random bytes", {chance.choice(NAMES): beginning + content}
    kind = chance.choice(list(seeds))
    files = dict(seeds[kind])
    victim = chance.choice(list(files))
    for _ in range(chance.choice([1, 1, 1, 2, 4, 8])):
        files[victim] = tampered(files[victim], chance, seeds)
    if chance.random() < 0.05:
        files[chance.choice(NAMES)] = files.pop(victim)
    return kind, files


def tampered(content: bytes, chance: random.Random, seeds: dict[str, Files]) -> bytes:
    """Return the content with one harm done to it."""
    size = max(len(content), 1)
    # the beginning holds what decides: headers
    place = chance.randrange(min(size, 300)) if chance.random() < 0.6 else chance.randrange(size)
    length = chance.choice([1, 1, 2, 4, 16, 64, 256])
    piece = content[place : place + length]
    other = chance.choice([one for files in seeds.values() for one in files.values()])
    start = chance.randrange(max(len(other), 1))
    harms: tuple[bytes, ...] = (
        bytes([byte ^ (1 << chance.randrange(8)) for byte in piece]),
        b"",
        piece * chance.choice([2, 3, 50]),
        chance.randbytes(length),
        other[start : start + length],
        chance.choice(HUGE),
        piece[::-1],
    )
    if chance.random() < 0.05:
        return content[:place]
    return content[:place] + chance.choice(harms) + content[place + length :]


if __name__ == "__main__":
    sys.exit(main())
