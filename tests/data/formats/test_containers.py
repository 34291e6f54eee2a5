"""MATLAB, HDF5, JSON and lists of Parquet and Feather; nothing in them is run or followed."""

import io
import json
import struct
import zlib

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from scipy import io as scipy_io
from scipy import sparse
from scipy.io.matlab import MatReadError

from tests.data.formats.reading import inspect, read, refused, told, values

h5py = pytest.importorskip("h5py")
X = np.arange(24, dtype=np.float64).reshape(4, 2, 3)
Y = np.array(list("abab"))


def mat(**arrays):
    content = io.BytesIO()
    scipy_io.savemat(content, arrays, do_compression=True)
    return content.getvalue()


def h5(make):
    content = io.BytesIO()
    with h5py.File(content, "w") as book:
        make(book)
    return content.getvalue()


def cells(*pieces):
    made = np.empty((len(pieces), 1), dtype=object)
    for place, piece in enumerate(pieces):
        made[place, 0] = piece
    return made


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("turn", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_an_array_of_matlab_whichever_axis_is_that_of_series(turn):
    made = read(mat(X=X.transpose(turn), y=np.array([[1, 2, 1, 2]])), name="mine.mat")
    np.testing.assert_array_equal(np.stack(made.series), X)
    assert (made.class_names, made.labels.tolist()) == (("1", "2"), [0, 1, 0, 1])


def test_cells_and_structures_of_matlab():
    series = cells(np.ones((2, 3)), np.ones((2, 5)), np.ones((2, 4)))
    made = read(mat(data={"X": series, "labels": cells("walk", "run", "walk"), "fs": 50.0}), name="mine.mat")
    assert made.lengths.tolist() == [3, 5, 4]
    assert [made.label_name(index) for index in range(3)] == ["walk", "run", "walk"]
    assert (made.n_channels, made.sampling_rate) == (2, 50.0)


@pytest.mark.pitfall(25)
@pytest.mark.parametrize("compressed", [False, True])
def test_numbers_that_a_matlab_file_describes_and_does_not_hold_are_refused(compressed):
    # scipy would look for them behind its arrays, and end the process
    content = io.BytesIO()
    scipy_io.savemat(content, {"X": cells(np.ones((2, 3)), np.ones((2, 5)))})
    whole = content.getvalue()
    flags = whole.index(struct.pack("<II", 6, 8), 200) + 8  # of the first cell
    assert whole[flags] == 6
    lying = bytearray(whole)
    lying[flags + 1] |= 0x08  # there is an imaginary part, it says
    fewer = bytearray(whole)
    shape = whole.index(struct.pack("<II", 5, 8)) + 8
    fewer[shape : shape + 8] = struct.pack("<II", 200, 100)
    for made, why in ((lying, "numbers are not where"), (fewer, "not as many cells")):
        element = zlib.compress(bytes(made[128:]))
        packed = bytes(made[:128]) + struct.pack("<II", 15, len(element)) + element
        assert why in refused(packed if compressed else bytes(made), name="a.mat").problem


@pytest.mark.pitfall(25)
def test_letters_and_sparse_numbers_that_are_not_where_a_matlab_file_says_are_refused():
    content = io.BytesIO()
    scipy_io.savemat(content, {"t": "abcd", "S": sparse.csc_array(np.eye(4))})
    whole = content.getvalue()
    shape = whole.index(struct.pack("<4I", 5, 8, 1, 4)) + 12  # of the text
    columns = whole.index(struct.pack("<7I", 5, 20, 0, 1, 2, 3, 4)) + 24  # where the last column ends
    assert "not as many letters" in refused(whole[:shape] + b"\5" + whole[shape + 1 :], name="a.mat").problem
    lying = whole[:columns] + b"\0" + whole[columns + 1 :]
    assert "do not follow one another" in refused(lying, name="a.mat").problem


@pytest.mark.pitfall(25)
def test_a_matlab_file_that_lies_is_refused(monkeypatch):
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"
    deep = b""
    for _ in range(60):
        deep = struct.pack("<II", 14, len(deep)) + deep
    assert "deep in one another" in refused(header + deep, name="a.mat").problem
    assert "damaged" in refused(mat(X=X)[:-20], name="a.mat").problem
    assert "holds no array" in refused(mat(), name="a.mat").problem
    bomb = zlib.compress(b"\0" * 3_000_000)
    monkeypatch.setenv("TIMEMIL_MAX_ARCHIVE_BYTES", "1000000")
    assert "at most 1,000,000" in refused(header + struct.pack("<II", 15, len(bomb)) + bomb, name="a.mat").problem


@pytest.mark.pitfall(1)
def test_arrays_of_hdf5():
    def make(book):
        book["train/X"], book["train/y"] = X, Y.astype("S1")
        book.create_dataset("channels", data=["left", "right"], dtype=h5py.string_dtype())

    made = read(h5(lambda book: book.update({"X": X, "y": Y.astype("S1"), "fs": 20.0})), name="mine.h5")
    np.testing.assert_array_equal(np.stack(made.series), X)
    assert (made.class_names, made.sampling_rate) == (("a", "b"), 20.0)
    assert len(read(h5(make), name="mine.hdf5")) == 4


def test_series_that_are_ragged_or_a_group_each():
    def ragged(book):
        data = book.create_dataset("X", (2,), dtype=h5py.vlen_dtype(np.float64))
        data[0], data[1] = [1, 2, 3], [4, 5]
        book["y"] = [0, 1]

    assert values(read(h5(ragged), name="a.h5")) == [[[1, 2, 3]], [[4, 5]]]

    def groups(book):
        for name, label, n in (("s1", "walk", 3), ("s2", "run", 2), ("s3", "run", 4)):
            book[f"{name}/signal"] = np.ones((2, n))
            book[name].attrs["label"] = label

    made = read(h5(groups), name="a.h5")
    assert (made.series_ids, made.lengths.tolist()) == (("s1", "s2", "s3"), [3, 2, 4])
    assert [made.label_name(index) for index in range(3)] == ["walk", "run", "run"]


def test_matlab_7_3_is_hdf5_with_its_axes_in_reverse():
    def make(book):
        book["X"], book["y"] = X.T, np.array([[1.0], [2.0], [1.0], [2.0]])
        for name in "Xy":
            book[name].attrs["MATLAB_class"] = np.bytes_(b"double")

    content = b"MATLAB 7.3 MAT-file".ljust(512, b"\0") + h5(make)
    made = read(content, name="mine.mat")
    np.testing.assert_array_equal(np.stack(made.series), X)
    assert made.class_names == ("1", "2")


@pytest.mark.pitfall(25)
def test_links_out_of_an_hdf5_file_are_not_followed(tmp_path):
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as book:
        book["X"] = X

    def make(book):
        book["X"], book["loop"] = X[:2], h5py.SoftLink("/")
        book["stolen"] = h5py.ExternalLink(str(secret), "X")
        layout = h5py.VirtualLayout(shape=X.shape, dtype=X.dtype)
        layout[:] = h5py.VirtualSource(str(secret), "X", shape=X.shape)
        book.create_virtual_dataset("virtual", layout)
        book.create_dataset("raw", X.shape, external=[(str(tmp_path / "raw"), 0, h5py.h5f.UNLIMITED)])
        book["itself"] = book["/"]

    content = h5(make)
    assert len(read(content, name="a.h5", values="X")) == 2
    text = " ".join(str(line) for line in told(content, name="a.h5"))
    assert "left out: 'itself'" in text
    for name in ("stolen", "virtual", "raw", "loop"):
        assert f"'{name}'" in text


@pytest.mark.pitfall(1)
@pytest.mark.parametrize(
    "content",
    [
        [{"id": 1, "label": "w", "x": [1, 2, 3], "z": [0, 0, 0]}, {"id": 2, "label": "r", "x": [4, 5], "z": [0, 1]}],
        {
            "data": [
                {"id": 1, "label": "w", "x": [1, 2, 3], "z": [0] * 3},
                {"id": 2, "label": "r", "x": [4, 5], "z": [0, 1]},
            ]
        },
        {"1": {"label": "w", "x": [1, 2, 3], "z": [0, 0, 0]}, "2": {"label": "r", "x": [4, 5], "z": [0, 1]}},
        [
            {"id": "1", "label": "w", "points": [{"x": 1, "z": 0}, {"x": 2, "z": 0}, {"x": 3, "z": 0}]},
            {"id": "2", "label": "r", "points": [{"x": 4, "z": 0}, {"x": 5, "z": 1}]},
        ],
    ],
)
def test_json_of_a_record_a_series(content):
    lines = "\n".join(map(json.dumps, content)) if isinstance(content, list) else None
    for text in filter(None, (json.dumps(content, indent=1), lines)):
        made = read(text, name="mine.json")
        assert values(made) == [[[1, 2, 3], [0, 0, 0]], [[4, 5], [0, 1]]]
        assert (made.channel_names, made.series_ids, made.class_names) == (("x", "z"), ("1", "2"), ("r", "w"))


ROWS = [{"id": "ab"[row // 3], "time": row % 3, "x": row / 2, "label": "wr"[row // 3]} for row in range(6)]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


@pytest.mark.pitfall(1)
@pytest.mark.parametrize(
    "content",
    [
        ROWS,
        COLUMNS,
        {name: dict(enumerate(cells)) for name, cells in COLUMNS.items()},
        {"columns": list(COLUMNS), "index": list(range(6)), "data": [list(row.values()) for row in ROWS]},
    ],
)
def test_json_of_a_table(content):
    made = read(json.dumps(content), name="mine.json")
    assert values(made) == [[[0, 0.5, 1]], [[1.5, 2, 2.5]]]
    assert made.class_names == ("r", "w")
    assert inspect(json.dumps(content), name="mine.json").title.startswith("a JSON table, long")


def test_json_of_lists():
    assert values(read("[[1, 2, NaN, 4], [4, 5]]", name="a.json")) == [
        [[1, 2, pytest.approx(np.nan, nan_ok=True), 4]],
        [[4, 5]],
    ]
    made = read(json.dumps({"X": X.tolist(), "y": Y.tolist()}), name="a.json")
    np.testing.assert_array_equal(np.stack(made.series), X)
    assert made.class_names == ("a", "b")


@pytest.mark.pitfall(25)
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[" * 100_000, "too deep"),
        ('{"a": [1, ', "not JSON"),
        ("[]", "neither records nor series"),
        ('[{"x": [1, "two"]}, {"x": [1, 2]}]', "no list of numbers"),
        ('[{"x": [1], "z": [1, 2]}]', "empty or differ in length"),
        ("[" + "9" * 10_000 + "]", "cannot be read as JSON"),
    ],
)
def test_json_that_cannot_be_read_is_refused(text, what):
    assert what in str(refused(text, name="a.json"))


@pytest.mark.parametrize("write", [parquet.write_table, feather.write_feather])
def test_lists_in_columns_are_series(write):
    table = pa.table({"id": [7, 8], "x": [[1.0, 2.0, 3.0], [4.0]], "z": [[0, 0, 0], [1]], "label": ["w", "r"]})
    content = io.BytesIO()
    write(table, content)
    made = read(content.getvalue(), name="mine.bin")
    assert values(made) == [[[1, 2, 3], [0, 0, 0]], [[4], [1]]]
    assert (made.series_ids, made.class_names, made.channel_names) == (("7", "8"), ("r", "w"), ("x", "z"))


def test_a_feather_table_and_a_stream_of_arrow_are_tables():
    table = pa.table(COLUMNS)
    content, stream = io.BytesIO(), io.BytesIO()
    feather.write_feather(table, content)
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    for one in (content, stream):
        assert values(read(one.getvalue(), name="a.feather")) == [[[0, 0.5, 1]], [[1.5, 2, 2.5]]]
    assert "damaged" in refused(content.getvalue()[:-30], name="a.feather").problem


@pytest.mark.parametrize("fault", [MatReadError("Mat file appears to be truncated"), UnboundLocalError("arr")])
def test_whatever_scipy_stumbles_over_is_a_damaged_file(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbling(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(scipy_io, "loadmat", stumbling)
    assert "damaged" in refused(mat(X=X), name="a.mat").problem
