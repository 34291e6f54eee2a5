"""WFDB records: header, signals and annotations that belong together, and headers that lie."""

import io
import sys
import zipfile

import numpy as np
import pytest

from tests.data.formats.reading import inspect, read, refused, told
from tests.data.formats.recordings.builders import wfdb_record

pytest.importorskip("wfdb")

RHYTHMS = {"sample": np.array([0, 100, 300]), "symbol": ["+"] * 3, "aux_note": ["(N", "(AFIB", "(N"]}
BEATS = {"sample": np.array([50, 100, 150, 200, 250]), "symbol": list("NVNNV")}


@pytest.mark.pitfall(1)
def test_rhythms_last_until_the_next():
    files = wfdb_record(annotations=RHYTHMS)
    made = read(files)
    assert (made.channel_names, made.sampling_rate, made.class_names) == (("I", "II"), 50.0, ("AFIB", "N"))
    assert [made.label_name(index) for index in range(3)] == ["N", "AFIB", "N"]
    assert made.lengths.tolist() == [100, 200, 200]
    times = np.arange(100, 300) / 50
    np.testing.assert_allclose(made.series[1], [np.sin(times), np.cos(times)], atol=1e-3)
    assert made.groups == ("rec",) * 3
    assert inspect(files).title == "a WFDB record"


def test_beats_are_moments():
    made = read(wfdb_record(annotations=BEATS), moment="0.5")
    assert made.lengths.tolist() == [25] * 5
    assert [made.label_name(index) for index in range(5)] == list("NVNNV")


def test_several_records_in_a_zip_with_a_table_of_labels():
    files = wfdb_record("A01") | wfdb_record("A02") | {"REFERENCE.csv": b"A01,N\nA02,A\n"}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, one in files.items():
            archive.writestr(f"training/{name}", one)
    made = read(content.getvalue(), name="challenge.zip", cut="whole")
    assert made.series_ids == ("A01", "A02")
    assert [made.label_name(index) for index in range(2)] == ["N", "A"]


def test_a_record_without_its_signals_says_what_is_missing():
    error = refused({"rec.hea": wfdb_record()["rec.hea"]})
    assert error.problem == "The signals of the record are missing: 'rec.dat'."


@pytest.mark.pitfall(25)
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"rec.dat", b"../../etc/passwd", "which is no plain file name"),
        (b"rec.dat", b"/etc/passwd", "which is no plain file name"),
        (b"rec.dat", b"http://x/y", "which is no plain file name"),
        (b"rec 2 50 500", b"rec 2 50 500000000000", "are read"),
        (b"rec 2 50 500", b"rec 2 0 500", "does not say how many signals"),
        (b"rec 2 50 500", b"rec/3 2 50 500", "consists of several segments"),
        (b"rec 2 50 500", b"rec 3 50 500", "does not say how many signals"),
    ],
)
def test_a_header_that_lies_is_refused(old, new, message):
    files = wfdb_record()
    files["rec.hea"] = files["rec.hea"].replace(old, new)
    assert message in refused(files).problem


@pytest.mark.pitfall(25)
def test_a_record_shorter_than_announced_is_refused():
    files = wfdb_record()
    files["rec.dat"] = files["rec.dat"][:100]
    assert "wfdb cannot read the record" in refused(files).problem


def test_without_annotations_windows_have_no_class():
    assert any("Nothing is annotated" in line.text for line in told(wfdb_record(), window="5"))


def test_without_wfdb_it_says_how_to_install_it(monkeypatch):
    files = wfdb_record()
    monkeypatch.setitem(sys.modules, "wfdb", None)
    assert refused(files).remedy == 'Install it with: pip install -e ".[wfdb]"'
