"""Time and memory of reading one large CSV table, or a thousand small ones, against their size.

``python -m benchmarks.reading [--rows 10000000] [--channels 8] [--kind long] [--file PATH]`` writes a table of so many
rows (long: id, time, channels, label; wide: a row a series of 100 time points; melted: a row a value; files: a small
CSV file for each 100 rows, in a folder a class: ``--rows 100000`` makes a thousand) among the
system's temporary files unless it is there, and inspects and reads it in a process of its own, as ``train --data``
would do it: from the file, not from memory. Peak memory is the process's largest resident size less what it held after
imports. The times that progress was told are counted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report

ROWS_A_SERIES = 1_000
ROWS_A_FILE = 100
ROWS_A_CHUNK = 500_000
WIDE_LENGTH = 100
MEGABYTE = 1e6


def main() -> int:
    """Write the table, read it in another process, and print what that took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--channels", type=int, default=8)
    parser.add_argument("--kind", choices=["long", "wide", "melted", "files"], default="long")
    parser.add_argument("--file", type=Path, help="read this table instead, or keep it here")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.read:
        print(json.dumps(read(arguments.read)))
        return 0
    ending = "" if arguments.kind == "files" else ".csv"
    name = f"timemil-{arguments.kind}-{arguments.rows}-{arguments.channels}{ending}"
    path = arguments.file or Path(tempfile.gettempdir()) / name
    if not path.exists():
        write(path, arguments.rows, arguments.channels, arguments.kind)
    words = [sys.executable, "-m", "benchmarks.reading", "--read", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return 1
    found = json.loads(done.stdout.splitlines()[-1])
    size = sum(file.stat().st_size for file in path.rglob("*")) if path.is_dir() else path.stat().st_size
    row = {
        "kind": arguments.kind,
        "file, MB": size / MEGABYTE,
        **found,
        "peak over file": found["added peak, MB"] * MEGABYTE / size,
        "MB a second": size / MEGABYTE / (found["inspect, s"] + found["read, s"]),
    }
    print_report([row], what="reading tables")
    return 0


def write(path: Path, n_rows: int, n_channels: int, kind: str) -> None:
    """Write a table of random numbers of four decimals."""
    rng = np.random.default_rng(0)
    if kind == "files":
        for number in range(n_rows // ROWS_A_FILE):
            file = path / ("rest", "walk")[number % 2] / f"recording_{number:05}.csv"
            file.parent.mkdir(parents=True, exist_ok=True)
            columns = {f"c{place}": rng.normal(size=ROWS_A_FILE) for place in range(n_channels)}
            pd.DataFrame({"time": np.arange(ROWS_A_FILE), **columns}).to_csv(file, index=False, float_format="%.4f")
        return
    for start in range(0, n_rows, ROWS_A_CHUNK):
        rows = np.arange(start, min(start + ROWS_A_CHUNK, n_rows))
        frame = _frame(rows, n_channels, kind, rng)
        frame.to_csv(path, mode="w" if start == 0 else "a", header=start == 0, index=False, float_format="%.4f")


def _frame(rows: Any, n_channels: int, kind: str, rng: np.random.Generator) -> pd.DataFrame:
    if kind == "wide":
        values = rng.normal(size=(len(rows), WIDE_LENGTH))
        frame = pd.DataFrame(values, columns=[f"t_{place}" for place in range(WIDE_LENGTH)])
        frame.insert(0, "id", rows)
        frame["label"] = np.array(["rest", "walk"])[rows % 2]
        return frame
    points = rows // n_channels if kind == "melted" else rows
    series = points // ROWS_A_SERIES
    columns: dict[str, Any] = {"id": series, "time": points % ROWS_A_SERIES}
    if kind == "melted":
        columns |= {"channel": [f"c{place}" for place in rows % n_channels], "value": rng.normal(size=len(rows))}
    else:
        columns |= {f"c{place}": rng.normal(size=len(rows)) for place in range(n_channels)}
    return pd.DataFrame({**columns, "label": np.array(["rest", "walk"])[series % 2]})


def read(path: Path) -> dict[str, Any]:
    """Inspect and read a table, and return seconds and megabytes."""
    from timemil_core.data.files.source import from_paths
    from timemil_core.data.formats import inspect_files, read_files

    process = psutil.Process()
    before = process.memory_info().rss
    told: list[float] = []
    start, begun = time.perf_counter(), time.process_time()
    inspection = inspect_files(from_paths([path]))
    inspected = time.perf_counter()
    series_set = read_files(inspection, lambda share, _doing: told.append(share)).series_set
    done = time.perf_counter()
    peak = _peak() - before
    return {
        "series": len(series_set),
        "channels": series_set.n_channels,
        "values": int(series_set.lengths.sum()) * series_set.n_channels,
        "inspect, s": inspected - start,
        "read, s": done - inspected,
        "processor, s": time.process_time() - begun,
        "added peak, MB": peak / MEGABYTE,
        "times progress was told": len(told),
    }


def _peak() -> int:
    """Return the largest resident size of this process so far, in bytes."""
    import resource

    kilobyte = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kilobyte


if __name__ == "__main__":
    sys.exit(main())
