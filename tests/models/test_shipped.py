"""Every shipped model opens, is small, and says what it said when it was shipped."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.shipped import NAMES
from timemil_core.models.shelf import open_model
from timemil_core.workspace import pretrained_folder

STORED = Path(__file__).with_name("shipped_logits.json")
LARGEST, ALL_TOGETHER = 2_500_000, 40_000_000  # bytes


def logits_of(name: str) -> list[list[float]]:
    """Of two series of noise that are drawn alike everywhere: 50 and 23 time points of it."""
    model = open_model(name)
    noise = np.random.default_rng(0).normal(size=(2, len(model.channel_names), 50))
    return model.predict([noise[0], noise[1, :, :23]]).logits.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_said(name: str) -> None:
    np.testing.assert_allclose(logits_of(name), json.loads(STORED.read_text())[name], rtol=1e-3, atol=1e-3)


def test_all_are_stored_and_small() -> None:
    assert sorted(json.loads(STORED.read_text())) == NAMES
    sizes = [sum(path.stat().st_size for path in (pretrained_folder() / name).iterdir()) for name in NAMES]
    assert max(sizes) < LARGEST
    assert sum(sizes) < ALL_TOGETHER


if __name__ == "__main__":  # after models were trained anew: python -m tests.models.test_shipped
    STORED.write_text(json.dumps({name: logits_of(name) for name in NAMES}, indent=1) + "\n")
