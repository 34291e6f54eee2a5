"""Files as people have them, held against the right reading of each: the cases' README has the same table in words.

Runs where ``TIMEMIL_CASES_DIR``, or ``../shared/cases`` beside the checkout, holds the files; else it is skipped, and
the literals of each kind in the other tests hold.
"""

import os
from pathlib import Path

import pytest

from timemil_core.data.files.source import from_paths
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.errors import DataError

BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "cases"
CASES = Path(os.environ.get("TIMEMIL_CASES_DIR", BESIDE))
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the case files are not on this machine")

TOY = (8, 2, {40}, 2)  # series, channels, lengths, classes
# file: series, channels, lengths, classes, and what must be told
READ = {
    "a11_units_row.csv": (*TOY, "nit"),
    "a02_units_row.xlsx": (*TOY, "nit"),
    "a05_two_sheets_notes_first.xlsx": (*TOY, "sheet"),
    "a06_train_test_sheets.xlsx": (None, None, None, None, "test"),
    "a09_sheet_a_series.xlsx": (None, None, None, None, "sheet"),
    "b03_actigraph.csv": (1, 3, {200}, 0, ""),
    "b07_e4_ACC.csv": (1, 3, {200}, 0, ""),
    "b12_wisdm_raw.txt": (6, 3, {120}, None, ""),
    "b19_kaggle_careercon.zip": (20, None, {40}, 2, "says nothing of 8 of 20 series"),
    "b22_one_col_files_class_folders.zip": (8, 1, {40}, 2, ""),
    "c18_npz_nct_T_lt_c.npz": (20, 40, {12}, 2, "usual one"),
    "d01_v5.mat": (30, 3, {50}, 3, ""),
    "d03.h5": (30, 3, {50}, 3, ""),
    "d04_lists.parquet": (30, 1, {50}, 3, ""),
    "d06.feather": (*TOY, ""),
    "d08_list_of_series.json": (*TOY, ""),
    "d13_comments.ts": (None, None, None, None, ""),
    "e05.tar": (*TOY, ""),
    "e06.tar.gz": (*TOY, ""),
    "e02.csv.bz2": (*TOY, ""),
    "f05_gbk.csv": (*TOY, "类别"),
    "g10_NA_class.csv": (8, 2, {40}, None, "NA"),
    "g12_longlabels.csv": (20, 1, {40}, 2, ""),
    "g17_age_sex_meta.csv": (None, 1, {40}, 2, "age"),
    "h16_empty_column.csv": (8, 2, {40}, 2, "is left out"),
    "h28_feature_table.csv": (None, None, None, None, "eature"),
    "i13_date_and_time.csv": (None, None, None, None, ""),
    "i16_monthly.csv": (None, None, None, None, ""),
    "i17_sample_col.csv": (1, 2, {40}, 0, ""),
    "i20_colon_millis.csv": (None, None, None, None, ""),
    "j18_mixed_types.zip": (*TOY, "'README.md', 'fig.png', 'run.py'"),
    "m01_nonascii_y_int.csv": (*TOY, ""),
    "n04_classes_y_n.csv": (20, 1, None, 2, ""),
    "n06_label_zero_pad.csv": (None, None, None, None, ""),
    "o07_ampm.csv": (None, None, None, None, ""),
    "labels_1.10_and_1.1.csv": (None, None, None, None, ""),
    "class_Na.csv": (None, None, None, 3, ""),
    "har_train": (12, 3, {16}, 3, "X_train.txt"),
    "../ts/classes_differ_in_case.ts": (24, 1, {12}, 4, ""),
    "../ts/no_class_line.ts": (None, 1, {12}, 2, "taken for the class"),
    "../ts/no_labels_no_tag.ts": (8, 1, {12}, 0, ""),
    "../ts/fewer_channels_than_told.ts": (None, 2, {12}, 2, "tells of 3 channels, the lines hold 2"),
}
REFUSED = {"e09.csv.zst": "Zstandard", "h14_lfs_pointer.csv": "Git LFS pointer"}
NAMES = {
    "f05_gbk.csv": ("加速度x", "加速度y"),
    "m01_nonascii_y_int.csv": None,
    "har_train": ("body_acc_x", "body_acc_y", "body_acc_z"),
}
RATES = {"b03_actigraph.csv": 30.0, "b07_e4_ACC.csv": 32.0, "b12_wisdm_raw.txt": 20.0}


def read(name):
    inspection = inspect_files(from_paths([CASES / "files" / name]))
    reading = read_files(inspection)
    return reading.series_set, " ".join(map(str, (*inspection.lines, *reading.lines)))


@pytest.mark.parametrize("name", READ)
def test_a_case_is_read_right(name):
    if name.endswith(".h5"):
        pytest.importorskip("h5py")
    n_series, n_channels, lengths, n_classes, said = READ[name]
    made, text = read(name)
    assert len(made) == (n_series or len(made))
    assert made.n_channels == (n_channels or made.n_channels)
    assert set(made.lengths.tolist()) == (lengths or set(made.lengths.tolist()))
    assert made.n_classes == (made.n_classes if n_classes is None else n_classes)
    assert said in text
    if NAMES.get(name):
        assert made.channel_names == NAMES[name]
    if name in RATES:
        assert made.sampling_rate == pytest.approx(RATES[name])
    assert len(text) < 20_000  # a label of 20,000 letters is shortened


@pytest.mark.parametrize("name", REFUSED)
def test_a_case_that_is_not_read_is_named(name):
    with pytest.raises(DataError, match=REFUSED[name]):
        read(name)


def test_every_case_is_tried():
    files = {path.name for path in (CASES / "files").iterdir()} | {f"../ts/{p.name}" for p in (CASES / "ts").iterdir()}
    assert files == set(READ) | set(REFUSED)
