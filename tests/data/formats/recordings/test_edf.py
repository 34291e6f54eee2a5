"""EDF and EDF+ recordings, cut by their annotations or into windows."""

import sys

import numpy as np
import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of
from tests.data.formats.recordings.builders import RATE, edf

pytest.importorskip("pyedflib")

STAGES = [(0, 2, "rest"), (2, 3, "move"), (5, 1, "rest")]


def texts(*arguments, **choices):
    return " ".join(str(line) for line in told(*arguments, **choices))


@pytest.mark.pitfall(1)
def test_annotated_stretches_become_series_of_their_recording():
    content = edf(STAGES)
    made = read(content, name="ann.edf")
    assert (made.name, made.channel_names, made.sampling_rate) == ("ann", ("Fp1", "Fp2"), 100.0)
    assert [made.label_name(index) for index in range(3)] == ["rest", "move", "rest"]
    assert made.lengths.tolist() == [200, 300, 100]
    assert made.groups == ("ann",) * 3
    step = 200 / 65535  # of the file's 16 bits
    expected = 50 * np.sin(np.arange(200, 500) / RATE)
    np.testing.assert_allclose(made.series[1], [expected, -expected], atol=step)
    assert inspect(content, name="ann.edf").title == "an EDF recording"


@pytest.mark.pitfall(2, 17)
def test_windows_take_the_annotation_of_most_of_their_points():
    made = read(edf(STAGES), name="ann.edf", cut="windows", window="1.5")
    assert made.lengths.tolist() == [150] * 4
    assert [made.label_name(index) for index in range(4)] == ["rest", "move", "move", "rest"]
    assert made.instance_labels[1].sum() == 100
    assert set(made.groups) == {"ann"}


def test_annotations_can_be_left_out_and_classes_follow():
    made = read(edf([*STAGES, (1, 1, "Lights off")]), name="a.edf", annotations="rest,move")
    assert (made.class_names, len(made)) == (("move", "rest"), 3)


def test_moments_last_as_long_as_is_chosen():
    content = edf([(0.5, -1, "left"), (2.5, -1, "right"), (4.5, -1, "left")])
    assert value_of(inspect(content, name="a.edf"), "moment") == 2.0
    made = read(content, name="a.edf", moment="1")
    assert (made.lengths.tolist(), made.class_names) == ([100] * 3, ("left", "right"))
    np.testing.assert_allclose(made.series[0][0, 0], 50 * np.sin(0.5), atol=0.01)
    mixed = edf([(0, 2, "rest"), (3, -1, "beep")])
    assert read(mixed, name="a.edf").class_names == ("rest",)
    assert "1 annotated moment without a duration left out" in texts(mixed, name="a.edf")


def test_without_annotations_it_is_cut_into_windows_without_a_class():
    content = edf()
    made = read(content, name="a.edf", window="2")
    assert (made.labels.tolist(), made.lengths.tolist()) == ([-1] * 3, [200] * 3)
    assert "Nothing is annotated: the windows have no class" in texts(content, name="a.edf")


@pytest.mark.pitfall(2)
def test_the_class_of_several_recordings_is_their_folder():
    files = {f"set/{label}/s0{index}.edf": edf() for index, label in enumerate(("sick", "well", "sick", "well"))}
    made = read(files, window="3")
    assert made.class_names == ("sick", "well")
    assert [made.label_name(index) for index in range(8)] == ["sick", "sick", "well", "well"] * 2
    assert made.groups == ("s00", "s00", "s01", "s01", "s02", "s02", "s03", "s03")


def test_annotations_in_a_file_of_their_own_belong_to_the_recording_named_alike():
    files = {"SC4001E0-PSG.edf": edf(), "SC4001EC-Hypnogram.edf": edf(STAGES, signals={})}
    assert "Annotations are also from 'SC4001EC-Hypnogram.edf'" in texts(files)
    assert read(files).class_names == ("move", "rest")


@pytest.mark.pitfall(9)
def test_slower_channels_are_interpolated_and_told():
    times = np.arange(60) / 10
    content = edf(signals={"fast": (RATE, np.zeros(600)), "slow": (10, 10 * times)})
    made = read(content, name="a.edf", cut="whole")
    np.testing.assert_allclose(made.series[0][1, :590:10], 10 * times[:59], atol=0.01)
    np.testing.assert_allclose(made.series[0][1, 5], 0.5, atol=0.01)
    assert "'slow' are interpolated linearly to the highest, 100 Hz" in texts(content, name="a.edf")
    assert read(content, name="a.edf", cut="whole", channels="slow").sampling_rate == 10.0


def test_channels_of_one_name_are_told_apart():
    content = bytearray(edf())
    place = content.index(b"Fp2")
    content[place : place + 3] = b"Fp1"
    assert read(bytes(content), name="a.edf", cut="whole").channel_names == ("Fp1", "Fp1 (2)")


@pytest.mark.pitfall(25)
@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        (236, b"99999999", "do not fit into the file"),
        (236, b"-1      ", "do not fit into the file"),
        (236, b"many    ", "number of data records is 'many'"),
        (244, b"0       ", "lasts 0 s"),
        (244, b"nan     ", "duration of a data record"),
        (252, b"9999", "9999 signals are announced"),
        (192, b"EDF+D", "The recording has gaps"),
    ],
)
def test_a_header_that_lies_is_refused_before_the_library_sees_it(place, text, message):
    content = bytearray(edf(STAGES))
    content[place : place + len(text)] = text
    error = refused(bytes(content), name="a.edf")
    assert message in error.problem
    assert error.where == "a.edf"


@pytest.mark.pitfall(23)
def test_too_long_recordings_are_refused(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_VALUES", "100")
    assert "at most 100 are read" in refused(edf(), name="a.edf").problem


def test_without_pyedflib_it_says_how_to_install_it(monkeypatch):
    content = edf()
    monkeypatch.setitem(sys.modules, "pyedflib", None)
    error = refused(content, name="a.edf")
    assert "needs the package 'pyedflib', which is not installed" in error.problem
    assert error.remedy == 'Install it with: pip install -e ".[edf]"'
