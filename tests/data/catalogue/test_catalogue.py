import os
from pathlib import Path

import pytest

from tests.data.builders import small_set, write_toy_ts
from timemil_core.data import catalogue, store
from timemil_core.data.bundled import BUNDLED
from timemil_core.data.known_sets import KNOWN
from timemil_core.errors import DataError

SHARED = os.environ.get("TIMEMIL_DATA_DIR")
SHARED_SETS = sorted(path.name for path in Path(SHARED).iterdir() if path.is_dir()) if SHARED else []
LARGE = {"ArticularyWordRecognition", "FingerMovements", "LSST", "PenDigits", "WebTraffic", "UWaveGestureLibrary"}


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TIMEMIL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("AEON_DATA", str(tmp_path / "aeon"))
    return tmp_path


def by_reference():
    return {entry.reference: entry for entry in catalogue.entries()}


def test_every_set_is_listed_once():
    references = [entry.reference for entry in catalogue.entries()]
    assert set(KNOWN) <= set(references)
    assert len(references) == len(set(references))


def test_what_is_on_this_machine_comes_first():
    listed = catalogue.entries()
    available = [entry.available for entry in listed]
    assert available == sorted(available, reverse=True)
    kinds = by_reference()
    assert kinds["BasicMotions"].kind == "bundled"
    assert kinds["synthetic-pulse"].kind == "synthetic"
    assert (kinds["Cricket"].kind, kinds["Cricket"].available) == ("archive", False)


@pytest.mark.parametrize("reference", ["synthetic-pulse", "synthetic-distractor", *BUNDLED])
def test_the_facts_of_an_entry_are_those_of_the_set(reference):
    entry, made = by_reference()[reference], catalogue.load(reference)
    shortest, longest = made.lengths.min(), made.lengths.max()
    assert (entry.n_train, entry.n_test) == (len(made.indices("train")), len(made.indices("test")))
    assert (entry.n_channels, entry.n_classes) == (made.n_channels, made.n_classes)
    assert (entry.shortest, entry.longest) == (shortest, longest)


def test_a_local_folder_is_listed_and_loaded(own_folders):
    write_toy_ts(own_folders / "data" / "Toy", "1,2:3,4:up\n2,2:3,4:down\n", "1,2:3,4:up\n")
    entry = by_reference()["Toy"]
    assert (entry.kind, entry.n_train, entry.n_classes, entry.available) == ("local", None, 2, True)
    assert len(catalogue.load("Toy")) == 3


def test_a_half_made_folder_is_not_listed(own_folders):
    train, test = write_toy_ts(own_folders / "data" / "Toy", "1,2:3,4:up\n", "1,2:3,4:up\n")
    test.unlink()
    assert "Toy" not in by_reference()
    assert train.exists()


def test_an_uploaded_set_is_listed_and_loaded():
    reference = store.keep(small_set())
    entry = by_reference()[reference]
    assert (entry.kind, entry.title, entry.n_train, entry.n_test, entry.length) == ("uploaded", "small", 2, 1, "1 to 3")
    assert catalogue.load(reference).fingerprint == small_set().fingerprint


def test_an_uploaded_set_without_facts_is_still_listed(own_folders):
    reference = store.keep(small_set())
    (own_folders / "home" / "datasets" / reference / store.FACTS_FILE).write_text("[]")
    assert by_reference()[reference].title == reference


@pytest.mark.parametrize(("typed", "meant"), [("basicmotions", "BasicMotions"), ("GunPiont", "GunPoint")])
def test_an_unknown_name_is_refused_with_those_spelt_alike(typed, meant):
    with pytest.raises(DataError, match=f"Did you mean {meant}"):
        catalogue.load(typed)


@pytest.mark.parametrize("reference", ["../x", "upload-../../etc", "", "a/b", "x\0", ".hidden", "upload-00"])
def test_a_hostile_reference_is_refused(reference):
    with pytest.raises(DataError):
        catalogue.load(reference)


def test_a_link_does_not_start_a_download():
    with pytest.raises(DataError, match=r"Cricket is not on this machine\..*Data page"):
        catalogue.load("Cricket", may_download=False)
    assert catalogue.load("BasicMotions", may_download=False).name == "BasicMotions"


def test_a_downloaded_set_is_on_this_machine(own_folders):
    train, test = write_toy_ts(own_folders / "aeon" / "Cricket", "1,2:3,4:up\n1,1:1,1:down\n", "1,2:3,4:up\n")
    for path in (train, test):
        path.rename(path.with_name(path.name.replace("Toy", "Cricket")))
    assert by_reference()["Cricket"].available
    assert len(catalogue.load("Cricket", may_download=False)) == 3


def test_a_set_that_is_elsewhere_says_where(own_folders):
    assert (by_reference()["WebTraffic"].kind, by_reference()["WebTraffic"].available) == ("elsewhere", False)
    with pytest.raises(DataError) as caught:
        catalogue.load("WebTraffic")
    assert "github.com" in caught.value.remedy
    assert str(own_folders / "data" / "WebTraffic") in caught.value.remedy


def test_the_set_is_found_before_it_is_loaded():
    assert catalogue.find("synthetic-pulse")().name == catalogue.load("synthetic-pulse").name
    with pytest.raises(DataError, match="no data set"):
        catalogue.find("nothing-of-this-name")


def names(words):
    return {entry.reference for entry in catalogue.matching(catalogue.entries(), words)}


def test_every_word_must_occur_somewhere():
    assert names("ecg leads") == {"AtrialFibrillation"}
    assert names("SOUND multivariate") == {"DuckDuckGeese", "Heartbeat", "InsectWingbeat"}
    assert names("gunpoint") == {"GunPoint", "GunPointAgeSpan", "GunPointMaleVersusFemale", "GunPointOldVersusYoung"}
    assert names("uea") == {name for name, known in KNOWN.items() if known.archive == "UEA"}
    assert names("  ") == {entry.reference for entry in catalogue.entries()}
    assert names("no such thing") == set()


def test_an_uploaded_set_is_found_by_its_title():
    reference = store.keep(small_set(name="My ECG"))
    assert reference in names("my ecg")


def test_the_size_of_a_set_is_an_upper_bound():
    listed = by_reference()
    assert listed["BasicMotions"].n_values == 80 * 6 * 100
    assert listed["JapaneseVowels"].n_values == 640 * 12 * 29
    assert listed["PLAID"].n_values is None


@pytest.mark.skipif(SHARED is None, reason="TIMEMIL_DATA_DIR is not set")
@pytest.mark.parametrize("name", [name for name in SHARED_SETS if name not in LARGE])
def test_a_set_of_the_archive_loads_with_the_facts_of_the_table(name, monkeypatch):
    monkeypatch.setenv("TIMEMIL_DATA_DIR", SHARED)
    assert_facts(catalogue.load(name, may_download=False), name)


def assert_facts(made, name):
    known = KNOWN[name]
    assert known.sizes_from == "counted"
    assert (len(made.indices("train")), len(made.indices("test"))) == (known.n_train, known.n_test)
    assert (made.n_channels, made.n_classes) == (known.n_channels, known.n_classes)
    assert (made.lengths.min(), made.lengths.max()) == (known.shortest, known.longest)
    assert made.sampling_rate == known.sampling_rate


@pytest.mark.skipif(SHARED is None, reason="TIMEMIL_DATA_DIR is not set")
def test_web_traffic_has_its_patterns_marked(monkeypatch):
    monkeypatch.setenv("TIMEMIL_DATA_DIR", SHARED)
    made = catalogue.load("WebTraffic")
    assert_facts(made, "WebTraffic")
    marked = [int(truth.sum()) for truth in made.instance_labels]
    has_pattern = made.labels != made.class_names.index("0")
    assert all((count > 0) == bool(has) for count, has in zip(marked, has_pattern, strict=True))
