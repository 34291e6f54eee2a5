import os
from pathlib import Path

import pytest

from tests.data.builders import small_set, write_toy_ts
from timemil_core.data import archive, catalogue, store
from timemil_core.data.known_sets import COUNTED, KNOWN, UEA
from timemil_core.errors import DataError

SHARED = os.environ.get("TIMEMIL_DATA_DIR")
SMALL = (
    "AtrialFibrillation",
    "BasicMotions",
    "Chinatown",
    "Coffee",
    "ECG200",
    "ERing",
    "RacketSports",
    "StandWalkJump",
)


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TIMEMIL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("AEON_DATA", str(tmp_path / "aeon"))
    return tmp_path


def by_reference():
    return {entry.reference: entry for entry in catalogue.entries()}


def test_all_thirty_uea_sets_are_listed_once():
    references = [entry.reference for entry in catalogue.entries()]
    assert len(UEA) == 30
    assert set(UEA) <= set(references)
    assert len(references) == len(set(references))


def test_what_is_on_this_machine_comes_first():
    listed = catalogue.entries()
    available = [entry.available for entry in listed]
    assert available == sorted(available, reverse=True)
    kinds = by_reference()
    assert kinds["BasicMotions"].kind == "bundled"
    assert kinds["synthetic-pulse"].kind == "synthetic"
    assert (kinds["Cricket"].kind, kinds["Cricket"].available) == ("archive", False)


@pytest.mark.parametrize("reference", ["synthetic-pulse", "synthetic-distractor", "BasicMotions", "JapaneseVowels"])
def test_the_facts_of_an_entry_are_those_of_the_set(reference):
    entry, made = by_reference()[reference], catalogue.load(reference)
    shortest, longest = made.lengths.min(), made.lengths.max()
    assert (entry.n_train, entry.n_test) == (len(made.indices("train")), len(made.indices("test")))
    assert (entry.n_channels, entry.n_classes) == (made.n_channels, made.n_classes)
    assert entry.length == (str(longest) if shortest == longest else f"{shortest} to {longest}")


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


def test_a_failed_download_says_what_to_do_and_leaves_nothing(own_folders, monkeypatch):
    def fail(name, split, extract_path):
        (Path(extract_path) / name).mkdir()
        raise ValueError("Could not download") from OSError("no network")

    monkeypatch.setattr("aeon.datasets.load_classification", fail)
    with pytest.raises(DataError, match=r"no network.*Cricket.*TIMEMIL_DATA_DIR"):
        catalogue.load("Cricket")
    assert not (own_folders / "aeon").exists()


def test_a_download_is_kept_and_not_repeated(own_folders, monkeypatch):
    calls = []

    def download(name, split, extract_path):
        calls.append(name)
        train, test = write_toy_ts(Path(extract_path) / name, "1,2:3,4:up\n1,1:1,1:down\n", "1,2:3,4:up\n")
        train.rename(train.with_name(f"{name}_TRAIN.ts"))
        test.rename(test.with_name(f"{name}_TEST.ts"))

    monkeypatch.setattr("aeon.datasets.load_classification", download)
    assert len(catalogue.load("Cricket")) == 3
    assert len(catalogue.load("Cricket")) == 3
    assert calls == ["Cricket"]
    assert by_reference()["Cricket"].available
    assert [path.name for path in archive.cache_folder().iterdir()] == ["Cricket"]


def test_a_cache_that_cannot_be_written_is_told(own_folders, monkeypatch):
    (own_folders / "file").write_text("")
    monkeypatch.setenv("AEON_DATA", str(own_folders / "file" / "cache"))
    with pytest.raises(DataError, match="AEON_DATA"):
        archive.load_archive("Cricket")


@pytest.mark.skipif(SHARED is None, reason="TIMEMIL_DATA_DIR is not set")
@pytest.mark.parametrize("name", SMALL)
def test_a_set_of_the_archive_loads_with_the_facts_of_the_table(name, monkeypatch):
    monkeypatch.setenv("TIMEMIL_DATA_DIR", SHARED)
    made, known = catalogue.load(name), KNOWN[name]
    assert name in COUNTED
    assert (len(made.indices("train")), len(made.indices("test"))) == (known.n_train, known.n_test)
    assert (made.n_channels, made.n_classes) == (known.n_channels, known.n_classes)
    assert str(made.lengths.max()) == known.length
    assert made.sampling_rate == known.sampling_rate


@pytest.mark.skipif(SHARED is None, reason="TIMEMIL_DATA_DIR is not set")
def test_web_traffic_has_its_patterns_marked(monkeypatch):
    monkeypatch.setenv("TIMEMIL_DATA_DIR", SHARED)
    made = catalogue.load("WebTraffic")
    marked = [int(truth.sum()) for truth in made.instance_labels]
    has_pattern = made.labels != made.class_names.index("0")
    assert all((count > 0) == bool(has) for count, has in zip(marked, has_pattern, strict=True))
