"""Every set that lies on this machine loads through the catalogue and through the uploader to equal values."""

import os
from pathlib import Path

import numpy as np
import pytest

from timemil_core.data import catalogue
from timemil_core.data.files.source import from_bytes, from_paths
from timemil_core.data.formats import inspect_files, read_files

FOLDER = Path(os.environ.get("TIMEMIL_DATA_DIR", Path(__file__).resolve().parents[4] / "shared" / "data"))
NAMES = sorted(path.name for path in FOLDER.glob("*") if path.is_dir()) if FOLDER.is_dir() else []


@pytest.mark.skipif(not NAMES, reason="no sets on this machine (TIMEMIL_DATA_DIR)")
@pytest.mark.parametrize("name", NAMES)
def test_catalogue_and_uploader_agree(name, monkeypatch):
    monkeypatch.setenv("TIMEMIL_DATA_DIR", str(FOLDER))
    listed = catalogue.load(name)
    files = from_paths([FOLDER / name])
    uploaded = read_files(inspect_files([from_bytes(one.name, one.read()) for one in files])).series_set
    assert (uploaded.name, uploaded.class_names) == (listed.name, listed.class_names)
    assert (uploaded.series_ids, uploaded.channel_names) == (listed.series_ids, listed.channel_names)
    assert (uploaded.sampling_rate, uploaded.split.tolist()) == (listed.sampling_rate, listed.split.tolist())
    assert uploaded.labels.tolist() == listed.labels.tolist()
    for mine, yours in zip(listed.series, uploaded.series, strict=True):
        np.testing.assert_array_equal(mine, yours)
    assert uploaded.fingerprint == listed.fingerprint
