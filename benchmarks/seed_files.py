"""Small valid files of every format, for reading and for tampering with."""

from __future__ import annotations

import io
import json
import tarfile
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from timemil_core.data.export import write_npz, write_ts
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.tables import write_long_table
from timemil_core.data.tables.melted import write_melted_table, write_series_files
from timemil_core.data.tables.wide import write_ucr_table, write_wide_table

Files = dict[str, bytes]
ARFF = b"""@relation Toy
@attribute rel relational
@attribute t0 numeric
@attribute t1 numeric
@end rel
@attribute class {Up,Down}
@data
'1.0,2.0\\n10,20',Up
'4.0,5.0\\n40,50',Down
"""


@cache
def seed_files() -> dict[str, Files]:
    """Return the files of each kind, by their names."""
    made = small_set()
    one_channel = replace(made, series=tuple(one[:1] for one in made.series), channel_names=("x",))
    long = write_long_table(made)
    return {
        "long CSV": {"a.csv": long},
        "long CSV, UTF-16, ;": {"a.csv": long.replace(b",", b";").replace(b".", b",").decode().encode("utf-16")},
        "melted CSV": {"a.csv": write_melted_table(made)},
        "wide CSV": {"a.csv": write_wide_table(made)},
        "UCR": {"a.tsv": write_ucr_table(one_channel)},
        "time stamps": {"a.csv": _stamps()},
        "files and labels": {
            "s1.csv": b"t,x\n0,1\n1,2\n",
            "s2.csv": b"t,x\n0,3\n",
            "l.csv": b"file,label\ns1,a\ns2,b\n",
        },
        ".zip of CSV": {"a.zip": write_series_files(made)},
        ".ts": {"a.ts": next(iter(write_ts(made).values()))},
        ".arff": {"a.arff": ARFF},
        ".npz": {"a.npz": write_npz(made)},
        ".npy": {"a.npy": _npy(np.stack([x[:, :3] for x in made.series]))},
        ".parquet": {"a.parquet": _parquet(long)},
        ".feather": {"a.feather": _feather(long)},
        ".xlsx": {"a.xlsx": _xlsx()},
        ".tar.gz of CSV": {"a.tar.gz": _tar(long)},
        "JSON records": {
            "a.json": json.dumps([{"id": k, "label": "ab"[k % 2], "x": [k, 1, 2]} for k in range(4)]).encode()
        },
        ".mat": {"a.mat": _mat()},
        "HDF5": {"a.h5": _hdf5()},
        "EDF": {"a.edf": _edf()},
        "WFDB": _wfdb(),
    }


def small_set() -> SeriesSet:
    """Return four series of two channels, of unequal lengths, in two classes."""
    rng = np.random.default_rng(0)
    return SeriesSet(
        name="Toy",
        series=tuple(rng.normal(size=(2, 4 + index)).astype(np.float32) for index in range(4)),
        labels=np.array([0, 1, 0, 1]),
        class_names=("rest", "walk"),
        series_ids=("a", "b", "c", "d"),
        channel_names=("left", "right"),
        split=np.array(["train", "train", "train", "train"]),
        sampling_rate=10.0,
    )


def _stamps() -> bytes:
    rows = [f"{'ab'[index // 6]},2024-01-31 12:00:{index % 6:02d}.5,{index},{'wr'[index // 6]}" for index in range(12)]
    return ("id,time,x,label\n" + "\n".join(rows) + "\n").encode()


def _npy(array: np.ndarray) -> bytes:
    content = io.BytesIO()
    np.save(content, array, allow_pickle=False)
    return content.getvalue()


def _feather(table: bytes) -> bytes:
    from pyarrow import csv, feather

    content = io.BytesIO()
    feather.write_feather(csv.read_csv(io.BytesIO(table)), content)
    return content.getvalue()


def _tar(table: bytes) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        member = tarfile.TarInfo("in/a.csv")
        member.size = len(table)
        archive.addfile(member, io.BytesIO(table))
    return content.getvalue()


def _mat() -> bytes:
    from scipy import io as scipy_io

    content = io.BytesIO()
    cells = np.empty((3, 1), dtype=object)
    cells[:, 0] = [np.ones((2, length)) for length in (3, 4, 5)]
    scipy_io.savemat(content, {"X": cells, "y": np.array([[1, 2, 1]])}, do_compression=False)
    return content.getvalue()


def _hdf5() -> bytes:
    import h5py

    content = io.BytesIO()
    with h5py.File(content, "w") as book:
        book["X"], book["y"] = np.arange(24.0).reshape(4, 2, 3), [0, 1, 0, 1]
    return content.getvalue()


def _parquet(table: bytes) -> bytes:
    from pyarrow import csv, parquet

    content = io.BytesIO()
    parquet.write_table(csv.read_csv(io.BytesIO(table)), content)
    return content.getvalue()


def _xlsx() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in [["id", "time", "x", "label"], ["a", 0, 1.5, "w"], ["a", 1, None, "w"], ["b", 0, 3, "r"]]:
        book.worksheets[0].append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _edf() -> bytes:
    import pyedflib

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "a.edf")
        writer = pyedflib.EdfWriter(path, 1, file_type=pyedflib.FILETYPE_EDFPLUS)
        writer.setSignalHeaders([pyedflib.highlevel.make_signal_header("Fp1", sample_frequency=20)])
        writer.writeSamples([np.sin(np.arange(80) / 20)])
        writer.writeAnnotation(0, 2, "rest")
        writer.writeAnnotation(2, 2, "move")
        writer.close()
        return Path(path).read_bytes()


def _wfdb() -> Files:
    import wfdb

    with tempfile.TemporaryDirectory() as folder:
        signals = np.stack([np.sin(np.arange(100) / 9), np.cos(np.arange(100) / 9)], axis=1)
        wfdb.wrsamp("r", 50, ["mV", "mV"], ["I", "II"], p_signal=signals, fmt=["16", "16"], write_dir=folder)
        wfdb.wrann("r", "atr", np.array([0, 50]), ["+", "+"], aux_note=["(N", "(AFIB"], write_dir=folder)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
