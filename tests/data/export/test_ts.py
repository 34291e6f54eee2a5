from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.bundled import BUNDLED, load_bundled
from timemil_core.data.export import lost_in_ts, write_ts
from timemil_core.data.export.ts import ts_class_names
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.synthetic import distractor_set
from timemil_core.data.ts_files import read_ts
from timemil_core.errors import DataError


def read_back(files: dict[str, bytes], folder: Path) -> SeriesSet:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    train, *test = (folder / name for name in files)
    return read_ts(train, test[0] if test else None)


def assert_equal_values(written: SeriesSet, back: SeriesSet) -> None:
    assert back.split.tolist() == written.split.tolist()
    assert [back.label_name(i) for i in range(len(back))] == [written.label_name(i) for i in range(len(written))]
    for mine, yours in zip(written.series, back.series, strict=True):
        np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("name", BUNDLED)
def test_real_sets_are_read_back_equal(name, tmp_path):
    written = load_bundled(name)
    some = written.subset([*written.indices("train")[:30], *written.indices("test")[:10]])
    files = write_ts(some)
    assert list(files) == [f"{name}_TRAIN.ts", f"{name}_TEST.ts"]
    spelled = replace(some, class_names=ts_class_names(some.class_names))  # a class of the format holds no blank
    assert_equal_values(spelled, read_back(files, tmp_path))


def test_unequal_lengths_gaps_and_one_part_are_read_back_equal(tmp_path):
    base = distractor_set(6, 2).part("train")
    holed = base.series[0].copy()
    holed[1, 3:6] = np.nan
    plain = replace(base, series=(holed, *base.series[1:]), class_names=("no_pattern", "pattern"))
    files = write_ts(plain)
    assert list(files) == ["Synthetic-distractor_TRAIN.ts"]
    assert_equal_values(plain, read_back(files, tmp_path))


def test_classes_that_the_format_cannot_hold_are_renamed_and_said_so():
    assert ts_class_names(("no pulse", "a:b,c", "?", "Up", "up", "UP")) == (
        "no_pulse", "a_b_c", "_", "Up", "up_2", "UP_3",
    )  # fmt: skip
    told = " ".join(lost_in_ts(small_set(class_names=("at rest", "walk"))))
    assert "'at rest' as 'at_rest'" in told
    assert "instance labels" in told
    assert "groups" not in told


def test_a_hostile_name_stays_in_its_folder():
    assert set(write_ts(small_set(name="../../evil", labels=np.array([0, 1, 1])))) == {"evil_TRAIN.ts", "evil_TEST.ts"}


def test_series_without_a_class_are_refused():
    with pytest.raises(DataError, match="1 series have none"):
        write_ts(small_set())
