"""Small recordings, written by the libraries that read them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

RATE = 100


def edf(
    annotations: Sequence[tuple[float, float, str]] = (), signals: dict[str, tuple[int, np.ndarray]] | None = None
) -> bytes:
    """An EDF+ file of signals (rate, samples) by their names; by default six seconds of two sines."""
    import pyedflib

    times = np.arange(6 * RATE) / RATE
    signals = (
        signals if signals is not None else {"Fp1": (RATE, 50 * np.sin(times)), "Fp2": (RATE, -50 * np.sin(times))}
    )
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "a.edf")
        writer = pyedflib.EdfWriter(path, len(signals), file_type=pyedflib.FILETYPE_EDFPLUS)
        writer.setSignalHeaders(
            [
                {
                    "label": name,
                    "dimension": "uV",
                    "sample_frequency": rate,
                    "prefilter": "",
                    "transducer": "",
                    "physical_max": 100,
                    "physical_min": -100,
                    "digital_max": 32767,
                    "digital_min": -32768,
                }
                for name, (rate, _) in signals.items()
            ]
        )
        if signals:
            writer.writeSamples([samples for _, samples in signals.values()])
        for begin, duration, text in annotations:
            writer.writeAnnotation(begin, duration, text)
        writer.close()
        return Path(path).read_bytes()


def wfdb_record(name: str = "rec", annotations: dict[str, Sequence] | None = None) -> dict[str, bytes]:
    """The files of a WFDB record of ten seconds at 50 Hz, with annotations (arguments of ``wrann``) if given."""
    import wfdb

    times = np.arange(500) / 50
    with tempfile.TemporaryDirectory() as folder:
        wfdb.wrsamp(
            name, fs=50, units=["mV", "mV"], sig_name=["I", "II"], fmt=["16", "16"],
            p_signal=np.stack([np.sin(times), np.cos(times)], axis=1), write_dir=folder,
        )  # fmt: skip
        if annotations is not None:
            wfdb.wrann(name, "atr", write_dir=folder, **annotations)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
