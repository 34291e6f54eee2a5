"""The reading report of a set: what is loud, what can be changed on the spot, what can be taken along."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from timemil_core.data import store

PATIENCE = 120


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))


def page(filename: str) -> None:
    from app.data.report import reading_report
    from tests.data.checks.builders import read

    reading_report(read(filename))


def opened(filename: str) -> AppTest:
    return AppTest.from_function(page, default_timeout=PATIENCE, args=(filename,)).run()


def said(elements: object) -> str:
    return "\n".join(element.value for element in elements).replace("\\", "")  # type: ignore[attr-defined]


@pytest.mark.pitfall(19)
def test_a_warning_is_loud_and_its_choice_mends_it() -> None:
    app = opened("19_label_left_in.csv")
    assert "it looks like the label" in said(app.warning)
    assert "Change it beneath: **Channels, in their order**" in said(app.warning)
    (channels,) = (one for one in app.multiselect if one.label == "Channels, in their order")
    channels.set_value(["speed"]).run()
    assert "it looks like the label" not in said(app.warning)
    assert "With these choices: 6 series of 1 channel" in said(app.info)


@pytest.mark.pitfall(17)
def test_a_split_by_group_is_kept_as_a_set_of_its_own() -> None:
    app = opened("17_subject_on_both_sides.csv")
    by_label = {one.label: one for one in app.selectbox}
    by_label["What must stay on one side of a split"].select_index(1).run()
    by_label = {one.label: one for one in app.selectbox}
    by_label["Training and test part"].select("by class").run()
    assert "on both sides of the split" not in said(app.warning)
    next(one for one in app.button if one.label == "Keep as a set of its own").click().run()
    assert not app.exception
    (reference,) = store.kept()
    kept = store.read_kept(reference)
    assert kept.groups == ("ann",) * 3 + ("bob",) * 3 + ("cy",) * 2
    sides = [{kept.groups[index] for index in kept.indices(part)} for part in ("train", "test")]
    assert not sides[0] & sides[1]


def test_a_large_set_is_prepared_and_checked_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.data.report.AT_ONCE", 0)
    app = opened("19_label_left_in.csv")
    for _ in range(100):
        if app.warning:
            break
        app.run()
    assert "it looks like the label" in said(app.warning)
    (channels,) = (one for one in app.multiselect if one.label == "Channels, in their order")
    channels.set_value(["speed"]).run()
    for _ in range(100):
        if app.info:
            break
        app.run()
    assert "it looks like the label" not in said(app.warning)
    assert "With these choices: 6 series of 1 channel" in said(app.info)


def test_a_choice_that_cannot_be_followed_says_so_and_can_be_taken_back() -> None:
    app = opened("00_nothing_wrong.csv")
    (split,) = (one for one in app.selectbox if one.label == "Training and test part")
    split.select("by class").run()
    (share,) = (one for one in app.number_input if one.label == "Test share (%)")
    share.set_value(100.0).run()
    assert "less than 100" in said(app.error)
    next(one for one in app.button if one.label == "Back to how it was read").click().run()
    assert not app.error
    assert "None of the checks raised a warning." in said(app.success)


@pytest.mark.pitfall(21)
def test_channels_that_the_chosen_model_does_not_read_are_told() -> None:
    def with_model() -> None:
        from dataclasses import replace

        from app.common import state
        from app.data.report import reading_report
        from timemil_core.data.bundled import load_bundled

        state.store(state.Selection(data="BasicMotions", model="basicmotions"))
        motions = load_bundled("BasicMotions")
        reading_report(replace(motions, channel_names=motions.channel_names[::-1]))

    app = AppTest.from_function(with_model, default_timeout=PATIENCE).run()
    assert "in another order: the model reads accelerometer x, accelerometer y" in said(app.warning)


def test_names_from_a_file_are_shown_letter_for_letter() -> None:
    def hostile() -> None:
        from dataclasses import replace

        from app.data.report import reading_report
        from tests.data.checks.builders import read

        reading_report(replace(read("13_constant_channel.csv"), channel_names=("speed", "<b>*x*</b>")))

    app = AppTest.from_function(hostile, default_timeout=PATIENCE).run()
    warned = "\n".join(one.value for one in app.warning)
    assert r"\<b\>\*x\*\</b\>" in warned


def test_the_set_can_be_taken_along() -> None:
    app = opened("00_nothing_wrong.csv")
    assert [one.proto.label for one in app.get("download_button")] == ["CSV", "NPZ", "TS"]


def test_both_ts_files_come_in_one_archive() -> None:
    from app.data.report import _zipped

    with zipfile.ZipFile(io.BytesIO(_zipped({"a_TRAIN.ts": b"1", "a_TEST.ts": b"2"}))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"a_TRAIN.ts": b"1", "a_TEST.ts": b"2"}
