"""Upload: files understood, a wrong guess corrected on the page, accepted; and what is refused changes nothing."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import ask
from app.common.state import ACCEPTED
from app.data import upload
from app.data.upload import KEPT
from benchmarks.seed_files import seed_files
from tests.app.test_pages import opened as opened_page
from timemil_core.data import store
from timemil_core.data.files.contract import Inspection, Progress, Reading

PATIENCE = 120
LONG = "id,time,x,kind,label\n" + "".join(
    f"s{index},{time},{index + time},{'ab'[index % 2]},{'wr'[index % 2]}\n" for index in range(8) for time in range(3)
)


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    monkeypatch.setattr(ask, "PATIENCE_FOR_FILES", 120.0)  # what is quick is waited for, however busy the machine is


def page(files: dict[str, bytes]) -> None:
    import io

    import streamlit as st

    from app.data import upload

    def named(name: str, content: bytes) -> io.BytesIO:
        file = io.BytesIO(content)
        file.name = name  # type: ignore[attr-defined]
        return file

    if "given" not in st.session_state:
        upload._keep_files([named(name, content) for name, content in files.items()])
        st.session_state["given"] = True
    upload.form()


def opened(**files: str | bytes) -> AppTest:
    named = {
        name.replace("__", "."): content if isinstance(content, bytes) else content.encode()
        for name, content in files.items()
    }
    return AppTest.from_function(page, default_timeout=PATIENCE, args=(named,)).run()


@pytest.mark.parametrize("kind", ["long CSV", "UCR", ".ts", ".arff", ".npz", ".xlsx", "EDF"])
def test_a_file_of_each_format_is_understood(kind: str) -> None:
    app = opened(**seed_files()[kind])
    assert not app.exception
    assert any(one.label == "Accept this data set" for one in app.button)


def said(elements: object) -> str:
    return "\n".join(element.value for element in elements).replace("\\", "")  # type: ignore[attr-defined]


def box(app: AppTest, label: str) -> object:
    return next(one for one in app.selectbox if one.label == label)


def test_a_wrong_guess_is_corrected_and_the_set_accepted() -> None:
    app = opened(mine__csv=LONG)
    assert not app.exception
    assert "**A table, long: a row a time point.**" in said(app.markdown)
    assert "classes: **r (4), w (4)**" in said(app.success)
    box(app, "Class label").select("kind").run()  # type: ignore[attr-defined]
    assert "classes: **a (4), b (4)**" in said(app.success)
    next(one for one in app.button if one.label == "Accept this data set").click().run()
    assert not app.exception
    (reference,) = store.kept()
    kept = store.read_kept(reference)
    assert (kept.name, kept.class_names, kept.n_channels) == ("mine", ("a", "b"), 1)
    assert len(kept.indices("test")) == 2


def test_a_column_that_becomes_the_label_is_shown_as_a_channel_no_more() -> None:
    app = opened(mine__csv=LONG.replace("kind,label", "kind,rank").replace(",w\n", ",1\n").replace(",r\n", ",2\n"))
    (channels,) = (one for one in app.multiselect if one.label == "Channels")
    assert channels.value == ["x", "rank"]
    box(app, "Class label").select("rank").run()  # type: ignore[attr-defined]
    (channels,) = (one for one in app.multiselect if one.label == "Channels")
    assert channels.value == ["x"]


def test_what_was_suggested_is_told_and_not_unfolded_as_if_it_had_been_chosen() -> None:
    app = opened(mine__csv=LONG)
    (prepared,) = (one for one in app.expander if one.label == "Change how the set is prepared")
    assert not prepared.proto.expanded
    assert "8 series, 6 for training and 2 for testing." in said(app.caption)
    box(app, "Training and test part").select("given").run()  # type: ignore[attr-defined]
    (prepared,) = (one for one in app.expander if one.label == "Change how the set is prepared")
    assert prepared.proto.expanded
    assert "8 series, 8 for training and 0 for testing." in said(app.caption)


def test_where_there_is_nothing_to_choose_there_is_no_box_for_it() -> None:
    rows = "".join(" ".join(f"{(row * place) % 7}.5" for place in range(30)) + "\n" for row in range(4))
    files = {f"{channel}_{part}.txt": rows.encode() for channel in "xz" for part in ("train", "test")}
    files |= {f"y_{part}.txt": b"1\n2\n1\n2\n" for part in ("train", "test")}
    app = opened(**{name.replace(".", "__"): content for name, content in files.items()})
    assert not app.exception
    assert "**4 files, each a channel whose rows are series.**" in said(app.markdown)
    assert "Correct what is wrong" not in said(app.markdown)


def test_an_accepted_set_tells_the_next_step_and_can_be_renamed() -> None:
    app = opened(mine__csv=LONG)
    next(one for one in app.button if one.label == "Accept this data set").click().run()
    (reference,) = store.kept()
    assert app.session_state[ACCEPTED] == reference
    app = opened_page("data", data=reference)
    app.session_state[ACCEPTED] = reference
    app.run()
    assert not app.exception
    assert "mine is stored: 8 series of 2 classes. Next: train a model on it." in said(app.success).replace("**", "")
    app.text_input(key=f"rename_{reference}").set_value("Pump 3").run()
    assert not app.exception
    assert "Pump 3" in [one.value for one in app.header]
    assert store.read_kept(reference).name == "Pump 3"
    app.text_input(key=f"rename_{reference}").set_value(" ").run()
    assert not app.exception
    assert store.read_kept(reference).name == "Pump 3"
    app.button(key="train_on_it").click().run()
    assert app.title[0].value == "Train"


def test_a_choice_that_reshapes_the_rest_starts_the_rest_anew() -> None:
    app = opened(mine__csv=LONG)
    box(app, "Class label").select("kind").run()  # type: ignore[attr-defined]
    box(app, "Layout").select("wide").run()  # type: ignore[attr-defined]
    assert not app.exception
    assert box(app, "Class label").value == "label"  # type: ignore[attr-defined]
    next(one for one in app.button if one.label == "Back to the first guess").click().run()
    assert box(app, "Layout").value == "long"  # type: ignore[attr-defined]
    assert "classes: **r (4), w (4)**" in said(app.success)


def test_what_is_refused_says_where_and_a_choice_mends_it() -> None:
    app = opened(broken__csv=LONG.replace("s0,1,1,", "s0,1,twelve,"))
    assert "broken.csv, row 3, column 'x': 'twelve' is not a number" in said(app.error)
    assert "Nothing was changed" in said(app.caption)
    box(app, "Cells that are no numbers").select("missing").run()  # type: ignore[attr-defined]
    assert not app.error
    assert "1 cell that are no numbers were read as missing values" in said(app.markdown)
    assert store.kept() == []


def test_where_looking_at_a_file_fails_its_choices_are_offered_all_the_same() -> None:
    app = opened(head__csv="id,time,x,label\n")
    assert "no row of data" in said(app.error)
    assert {"Encoding", "Cells are separated by"} <= {one.label for one in app.selectbox}
    assert "The table begins in row" in {one.label for one in app.number_input}
    box(app, "Cells are separated by").select("|").run()  # type: ignore[attr-defined]
    assert not app.exception
    assert "Back to the first guess" in [one.label for one in app.button]


def test_the_first_rows_are_drawn_in_the_colours_of_their_roles() -> None:
    app = opened(mine__csv=LONG)
    [rows] = [table for table in app.dataframe if "kind" in table.value.columns]
    assert len(rows.value) == 5
    drawn = rows.proto.arrow_data.styler.styles
    assert drawn.count("background-color") >= 3  # id, time, value and label differ
    assert "rgba(230, 159, 0" in drawn


@pytest.mark.pitfall(25)
def test_hostile_names_are_escaped() -> None:
    app = opened(mine__csv=LONG.replace(",kind,", ",<img src=x onerror=alert(1)>,").replace("label", "**label**"))
    assert not app.exception
    raw = "\n".join(element.value for element in (*app.markdown, *app.warning, *app.success))
    assert "<img" not in raw.replace("\\<img", "")
    assert "**label**" not in raw


def test_several_files_are_one_set() -> None:
    rows = "time_s,x\n0,{0}\n0.5,2\n1,{0}\n"
    app = opened(
        walk_1__csv=rows.format(1), run_2__csv=rows.format(2), walk_3__csv=rows.format(3), run_4__csv=rows.format(4)
    )
    assert not app.exception
    assert "4 files, each a table, long" in said(app.markdown)
    assert "classes: **run (2), walk (2)**" in said(app.success)


def test_a_recording_of_one_subject_is_not_split_by_force() -> None:
    pytest.importorskip("pyedflib")
    from tests.data.formats.recordings.builders import edf

    app = opened(ann__edf=edf([(0, 2, "rest"), (2, 3, "move")]))
    assert not app.exception
    assert not app.error
    assert "There is no test part" in said(app.warning)


def test_bytes_that_are_nothing_are_refused_in_words() -> None:
    app = opened(a__bin=b"\x00\x01\x02" * 50)
    assert "neither text nor of a format that can be read" in said(app.error)


def button(app: AppTest, label: str, tries: int = 200) -> object:
    """Wait as a person does until a button is there."""
    for _ in range(tries):
        if found := [one for one in app.button if one.label == label]:
            return found[0]
        app.run()
    pytest.fail(f"no button {label!r}")


@pytest.mark.pitfall(23)
def test_a_long_reading_shows_what_was_understood_and_is_stopped_and_begun_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_go_on, read_files = threading.Event(), upload.read_files

    def slow(inspection: Inspection, progress: Progress) -> Reading:
        while not may_go_on.wait(0.01):
            progress(0.5, "half")
        return read_files(inspection, progress)

    monkeypatch.setattr(upload, "read_files", slow)
    monkeypatch.setattr(ask, "PATIENCE_FOR_FILES", 0.3)
    app = opened(mine__csv=LONG)
    button(app, "Cancel")
    assert "'label' is taken for the label" in said(app.markdown)
    assert not app.success
    button(app, "Cancel").click().run()  # type: ignore[attr-defined]
    button(app, "Go on")
    assert "Stopped. Nothing was kept of it." in said(app.markdown)
    may_go_on.set()
    button(app, "Go on").click().run()  # type: ignore[attr-defined]
    button(app, "Accept this data set")
    assert "classes: **r (4), w (4)**" in said(app.success)


def test_other_files_can_be_chosen_and_nothing_of_the_former_stays() -> None:
    app = opened(mine__csv=LONG)
    kept = app.session_state[KEPT].sources[0].path
    assert kept.is_file()
    button(app, "Other files").click().run()  # type: ignore[attr-defined]
    assert not app.exception
    assert "Tables that are understood" in said(app.subheader)
    assert "was understood" not in said(app.subheader)
    assert KEPT not in app.session_state
