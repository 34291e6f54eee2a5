import numpy as np
import pytest

from tests.data.builders import assert_equal_sets, small_set
from tests.disk import fill, small_disk
from timemil_core.atomic import read_json, write_json
from timemil_core.data import store
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError, SettingsError, StorageError

__all__ = ["small_disk"]


def test_a_set_comes_back_equal(tmp_path):
    written = small_set()
    store.write_series_set(written, tmp_path / "set")
    read = store.read_series_set(tmp_path / "set")
    assert_equal_sets(written, read)
    assert read.fingerprint == written.fingerprint
    assert (read.name, read.provenance) == (written.name, written.provenance)


def test_a_set_without_truth_rate_or_classes_comes_back_equal(tmp_path):
    written = small_set(
        instance_labels=None, sampling_rate=None, class_names=(), labels=np.array([-1, -1, -1]), provenance=()
    )
    store.write_series_set(written, tmp_path / "set")
    assert_equal_sets(written, store.read_series_set(tmp_path / "set"))


def test_groups_and_times_come_back_equal(tmp_path):
    times = Timestamps((np.array([0.0, 0.1, 7.0]), np.array([2.5]), np.array([1.0, 4.0])), unit=60.0)
    written = small_set(groups=("ann", "bob", "ann"), timestamps=times, sampling_rate=None)
    store.write_series_set(written, tmp_path / "set")
    assert_equal_sets(written, store.read_series_set(tmp_path / "set"))


def test_a_set_stored_before_groups_were_known_is_still_read(tmp_path):
    store.write_series_set(small_set(), tmp_path / "set")
    names = read_json(tmp_path / "set" / store.NAMES_FILE)
    del names["groups"], names["timestamp_unit"]
    write_json(tmp_path / "set" / store.NAMES_FILE, names)
    assert_equal_sets(small_set(), store.read_series_set(tmp_path / "set"))


def test_writing_again_replaces_and_leaves_nothing_beside(tmp_path):
    store.write_series_set(small_set(), tmp_path / "set")
    store.write_series_set(small_set(name="other"), tmp_path / "set")
    assert store.read_series_set(tmp_path / "set").name == "other"
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


@pytest.mark.parametrize("name", [store.ARRAYS_FILE, store.NAMES_FILE])
@pytest.mark.parametrize("damage", [b"", b"{}", b"\x00" * 40, None])
def test_a_damaged_folder_is_refused_with_a_remedy(tmp_path, name, damage):
    store.write_series_set(small_set(), tmp_path / "set")
    if damage is None:
        (tmp_path / "set" / name).unlink()
    else:
        (tmp_path / "set" / name).write_bytes(damage)
    with pytest.raises(DataError, match="Upload the file again") as caught:
        store.read_series_set(tmp_path / "set")
    assert caught.value.where == "set"


def test_a_changed_value_is_noticed(tmp_path):
    store.write_series_set(small_set(), tmp_path / "set")
    arrays = tmp_path / "set" / store.ARRAYS_FILE
    content = bytearray(arrays.read_bytes())
    content[-1] ^= 1
    arrays.write_bytes(content)
    with pytest.raises(DataError, match="damaged"):
        store.read_series_set(tmp_path / "set")


def test_an_absent_folder_is_told(tmp_path):
    with pytest.raises(DataError, match="no stored data set"):
        store.read_series_set(tmp_path / "nowhere")


def test_keeping_the_same_content_twice_gives_one_reference(tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    assert store.kept() == []
    reference = store.keep(small_set())
    assert reference == f"upload-{small_set().fingerprint}"
    assert store.keep(small_set(name="renamed")) == reference
    assert store.kept() == [reference]
    assert store.read_kept(reference).name == "renamed"
    facts = store.kept_facts(reference)
    assert (facts["n_train"], facts["n_test"], facts["length"], facts["n_classes"]) == (2, 1, "1 to 3", 2)


def test_the_latest_upload_is_listed_first(tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    first = store.keep(small_set())
    second = store.keep(small_set(sampling_rate=None))
    assert store.kept() == [second, first]


def test_a_reference_from_outside_cannot_leave_the_workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    with pytest.raises(SettingsError):
        store.read_kept("upload-/../../etc")


def test_a_full_disk_keeps_what_was_there_and_leaves_no_half_set(small_disk, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(small_disk))
    first = store.keep(small_set())
    ballast = fill(small_disk)
    with pytest.raises(StorageError, match="no room left on the disk"):
        store.keep(small_set(name="another", sampling_rate=7.0))
    assert store.kept() == [first]
    assert_equal_sets(store.read_kept(first), small_set())
    assert [path.name for path in (small_disk / "datasets").iterdir()] == [first]
    ballast.unlink()
    second = store.keep(small_set(name="another", sampling_rate=7.0))
    assert set(store.kept()) == {first, second}
