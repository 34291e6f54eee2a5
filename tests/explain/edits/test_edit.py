import json

import pytest

from timemil_core.errors import SettingsError
from timemil_core.explain.edits.edit import Edit
from timemil_core.explain.edits.place import Place

PLACE = Place(1, 4, (0,))
EDITS = [
    Edit("mask", PLACE),
    Edit("flatten", PLACE, level="series mean"),
    Edit("smooth", PLACE, amount=0.25),
    Edit("shift", Place(0, 2), amount=-3),
    Edit("scale", PLACE, amount=-1.5, level="zero"),
    Edit("swap", PLACE, donor="a / b", donor_start=2),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.kind)
def test_comes_back_from_json(edit):
    assert Edit.from_json(json.loads(json.dumps(edit.to_json()))) == edit


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("melt", {}),
        ("mask", {"amount": 1.0}),
        ("flatten", {}),
        ("flatten", {"level": "zero"}),
        ("scale", {"level": "series mean", "amount": 1.0}),
        ("smooth", {"amount": 0.0}),
        ("smooth", {"amount": float("nan")}),
        ("shift", {"amount": 0.0}),
        ("shift", {"amount": 1e9}),
        ("swap", {"donor": "a"}),
    ],
)
def test_refuses_settings_that_it_does_not_take(kind, settings):
    with pytest.raises(SettingsError):
        Edit(kind, PLACE, **settings)


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        {},
        {"kind": "mask"},
        {"kind": 3, "place": PLACE.to_json()},
        {"kind": ["mask"], "place": PLACE.to_json()},
        {"kind": "mask", "place": PLACE.to_json(), "more": 1},
        {"kind": "scale", "place": PLACE.to_json(), "amount": "2", "level": "zero"},
        {"kind": "scale", "place": PLACE.to_json(), "amount": True, "level": "zero"},
        {"kind": "swap", "place": PLACE.to_json(), "donor": "a", "donor_start": 1.5},
    ],
)
def test_refuses_json_that_is_no_edit(content):
    with pytest.raises(SettingsError):
        Edit.from_json(content)
