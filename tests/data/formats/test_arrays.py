"""NumPy arrays: what each is taken for, by name and shape; nothing pickled, nothing larger than its file."""

import io
import pickle
import zipfile

import numpy as np
import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of, values

X = np.arange(24, dtype=np.float32).reshape(4, 2, 3)


def npy(array):
    content = io.BytesIO()
    np.save(content, array, allow_pickle=True)
    return content.getvalue()


def npz(**arrays):
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


@pytest.mark.pitfall(1)
def test_x_and_y():
    made = read(npz(X=X, y=np.array([1, 0, 1, 0])), name="mine.npz")
    assert (made.name, made.class_names, made.labels.tolist()) == ("mine", ("0", "1"), [1, 0, 1, 0])
    np.testing.assert_array_equal(np.stack(made.series), X)
    assert made.channel_names == ("channel 1", "channel 2")


@pytest.mark.pitfall(1)
def test_training_and_test_part():
    content = npz(X_train=X, y_train=list("abab"), X_test=X[:2] + 1, y_test=list("ba"))
    made = read(content, name="mine.npz")
    assert made.split.tolist() == ["train"] * 4 + ["test"] * 2
    assert [made.label_name(index) for index in range(6)] == list("ababba")
    assert made.series_ids[:2] + made.series_ids[4:] == ("train 1", "train 2", "test 1", "test 2")
    np.testing.assert_array_equal(np.stack(made.series), np.concatenate([X, X[:2] + 1]))


@pytest.mark.pitfall(1)
def test_several_files_that_are_named_for_what_they_hold():
    files = {
        "X_train.npy": npy(X),
        "y_train.npy": npy(np.array([1, 2, 1, 2])),
        "X_test.npy": npy(X),
        "y_test.npy": npy([1, 2, 1, 1]),
    }
    made = read(dict[str, str | bytes](files))
    assert made.split.tolist() == ["train"] * 4 + ["test"] * 4
    assert made.class_names == ("1", "2")


def test_the_documented_order_of_axes_is_kept_and_can_be_changed():
    content = npz(X=np.zeros((5, 128, 9), dtype=np.float32), y=np.arange(5) % 2)
    assert value_of(inspect(content, name="a.npz"), "axes") == "nct"
    assert any(line.kind == "warning" and line.choice == "axes" for line in told(content, name="a.npz"))
    assert (read(content, name="a.npz").n_channels, read(content, name="a.npz", axes="ntc").n_channels) == (128, 9)


def test_names_of_channels_decide_the_axes():
    content = npz(X=np.zeros((5, 9, 3), dtype=np.float32), y=np.arange(5) % 2, channel_names=list("abcdefghi"))
    assert read(content, name="a.npz").n_channels == 9
    assert not [line for line in told(content, name="a.npz") if line.choice == "axes" and line.kind == "warning"]


@pytest.mark.pitfall(1)
def test_a_single_array_with_the_label_first():
    array = np.array([[1, 0.5, 0.25], [2, 1.5, 1.25], [1, 2.5, 2.25], [2, 0.1, 0.2]])
    made = read(npy(array), name="mine.npy")
    assert made.class_names == ("1", "2")
    np.testing.assert_array_equal(made.series[0], np.array([[0.5, 0.25]], dtype=np.float32))
    assert read(npy(array), name="mine.npy", axes="nt").lengths.tolist() == [3] * 4
    assert len(read(npy(array), name="mine.npy", axes="tc")) == 1


def test_a_single_axis_is_one_series():
    assert values(read(npy(np.array([1.0, 2.0, 4.0])), name="a.npy")) == [[[1, 2, 4]]]


@pytest.mark.pitfall(10)
def test_nan_behind_the_end_is_padding_and_inside_is_missing():
    array = np.full((2, 1, 4), np.nan)
    array[0, 0, :2], array[1, 0, [0, 3]] = 1, 2
    made = read(npz(X=array, y=["a", "b"]), name="a.npz")
    np.testing.assert_array_equal(made.series[0], [[1, 1]])
    np.testing.assert_array_equal(made.series[1], [[2, np.nan, np.nan, 2]])


@pytest.mark.pitfall(15)
@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (np.array([1.0, 2.0, 1.0, np.nan]), ("1", "2", "1", None)),
        (np.array([True, False, True, True]), ("true", "false", "true", "true")),
        (np.array([[0, 1], [1, 0], [0, 1], [1, 0]]), ("1", "0", "1", "0")),  # one-hot
        (np.array([["a"], ["b"], ["a"], [""]]), ("a", "b", "a", None)),
        (np.array([b"a", b"b", b"a", b"b"]), ("a", "b", "a", "b")),
    ],
)
def test_kinds_of_labels(labels, names):
    made = read(npz(X=X, y=labels), name="a.npz")
    assert tuple(made.label_name(index) for index in range(4)) == names


def test_numbers_that_point_to_class_names():
    made = read(npz(X=X, y=np.array([0, 1, 1, 0]), class_names=["walk", "run"]), name="a.npz")
    assert [made.label_name(index) for index in range(4)] == ["walk", "run", "run", "walk"]


def test_groups_rate_and_ids_by_their_names():
    content = npz(X=X, y=list("abab"), subjects=[1, 1, 2, 2], fs=128, ids=list("pqrs"))
    made = read(content, name="a.npz")
    assert (made.groups, made.sampling_rate, made.series_ids) == (("1", "1", "2", "2"), 128.0, tuple("pqrs"))


def test_an_array_of_labels_of_any_name_can_be_chosen():
    content = npz(X=X, kind=list("abab"))
    assert any(line.kind == "warning" and line.choice == "labels" for line in told(content, name="a.npz"))
    assert read(content, name="a.npz", labels="kind").class_names == ("a", "b")


@pytest.mark.pitfall(25)
@pytest.mark.parametrize("inside", [True, False])
def test_pickled_arrays_are_refused_and_never_run(inside, tmp_path):
    ran = tmp_path / "ran"

    class Harm:
        def __reduce__(self):
            return open, (str(ran), "w")

    array = np.array([Harm(), Harm()], dtype=object)
    error = refused(npz(X=array) if inside else npy(array), name="a.npz" if inside else "a.npy")
    assert "The array holds Python objects, which are pickled" in error.problem
    assert "pickled: reading it could run foreign code" in refused(pickle.dumps([1, 2]), name="a.pkl").problem
    assert not ran.exists()


@pytest.mark.pitfall(25)
@pytest.mark.parametrize("shape", ["(1000000000000,)", "(-1, 5)", "(2, 3", "('a',)", "(3,) + (4,)", "(" * 500])
def test_a_header_that_lies_is_refused_before_memory_is_spent(shape):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (118 - len(header) % 64) + b"\n"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0" * 16
    refused(content, name="a.npy")


def test_what_is_no_series_is_refused():
    assert "has 4 axes" in refused(npy(np.zeros((2, 2, 2, 2))), name="a.npy").problem
    assert "No array holds numbers" in refused(npz(y=list("ab")), name="a.npz").problem
    assert "cut off or too long" in refused(npy(X)[:-4], name="a.npy").problem
    assert "Arrays of complex128 cannot be read" in refused(npy(X.astype(complex)), name="a.npy").problem
    assert "4 series, but labels of shape (5,)" in refused(npz(X=X, y=[1, 2, 3, 4, 5]), name="a.npz").problem
    assert "The array is empty" in refused(npy(np.zeros((0, 3))), name="a.npy").problem


@pytest.mark.pitfall(23)
def test_more_values_than_allowed_are_refused(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_VALUES", "10")
    assert "has 24 values; at most 10 are read" in refused(npy(X), name="a.npy").problem


def test_a_zip_of_nothing_but_arrays_is_read_as_them():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("X.npy", npy(X))
        archive.writestr("y.npy", npy(np.array(list("abab"))))
    assert read(content.getvalue(), name="mine.zip").class_names == ("a", "b")
