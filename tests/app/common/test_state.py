"""The one selection: what the URL, the session and the default each decide."""

from __future__ import annotations

from app.common.state import Selection, changed, merged

DEFAULT = Selection(data="BasicMotions", model="basicmotions")
STORED = Selection(data="GunPoint", model="gunpoint", series="test 3")


def test_a_new_session_opens_on_the_default() -> None:
    assert merged(None, {}, {}, DEFAULT) == DEFAULT


def test_a_link_decides_in_a_new_session() -> None:
    url = {"data": "GunPoint", "series": "test 2"}
    assert merged(None, url, {}, DEFAULT) == Selection(data="GunPoint", series="test 2")


def test_the_session_keeps_its_choice_when_a_page_change_clears_the_url() -> None:
    assert merged(STORED, {}, STORED.to_query(), DEFAULT) == STORED


def test_the_sessions_own_url_is_no_link() -> None:
    newer = Selection(data="GunPoint", model="gunpoint", series="test 4")
    assert merged(newer, newer.to_query(), newer.to_query(), DEFAULT) == newer


def test_a_person_who_edits_the_url_decides() -> None:
    edited = {**STORED.to_query(), "series": "test 9"}
    assert merged(STORED, edited, STORED.to_query(), DEFAULT).series == "test 9"


def test_a_link_to_another_model_does_not_keep_the_former_data_set() -> None:
    assert merged(STORED, {"model": "basicmotions"}, STORED.to_query(), DEFAULT) == Selection(model="basicmotions")


def test_other_parameters_do_not_touch_the_selection() -> None:
    assert merged(STORED, {"view": "Catalogue"}, STORED.to_query(), DEFAULT) == STORED


SPANNED = Selection(data="GunPoint", model="gunpoint", series="test 3", span="10~20")


def test_a_link_names_a_span() -> None:
    assert merged(None, SPANNED.to_query(), {}, DEFAULT) == SPANNED


def test_a_span_alone_is_no_link() -> None:
    assert merged(STORED, {"span": "10~20"}, {}, DEFAULT) == STORED


def test_another_series_or_set_is_seen_whole_and_another_model_keeps_the_span() -> None:
    assert changed(SPANNED, series="test 4").span == ""
    assert changed(SPANNED, data="BasicMotions", model="") == Selection(data="BasicMotions")
    assert changed(SPANNED, model="other") == Selection("GunPoint", "other", "test 3", "10~20")
    assert changed(SPANNED, span="").span == ""
    assert changed(STORED, span="1~2") == Selection("GunPoint", "gunpoint", "test 3", "1~2")


PINNED = Selection(data="GunPoint", model="gunpoint", series="test 3", pin_series="test 9", pin_model="other")


def test_a_link_names_what_is_pinned_but_a_pin_alone_is_no_link() -> None:
    assert merged(None, PINNED.to_query(), {}, DEFAULT) == PINNED
    assert merged(STORED, {"pin_series": "test 9"}, {}, DEFAULT) == STORED


def test_what_is_pinned_stays_beside_other_series_and_models_of_its_set() -> None:
    stepped = changed(PINNED, series="test 4")
    assert (stepped.pin_series, stepped.pin_model) == ("test 9", "other")
    assert changed(PINNED, model="third").pin_series == "test 9"
    assert changed(PINNED, pin_series="").to_query() == {
        "data": "GunPoint", "model": "gunpoint", "series": "test 3", "pin_model": "other",
    }  # fmt: skip
    assert changed(PINNED, data="BasicMotions", model="") == Selection(data="BasicMotions")
