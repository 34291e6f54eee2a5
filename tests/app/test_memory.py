"""What the server keeps is set aside once."""

from __future__ import annotations

import gc

from app.memory import settle


def _cycle() -> list[object]:
    kept: list[object] = []
    kept.append(kept)
    return kept


def _is_searched(sought: list[object]) -> bool:
    return any(one is sought for one in gc.get_objects())


def test_what_is_loaded_is_set_aside_once() -> None:
    settle.clear()
    gc.unfreeze()
    before = _cycle()
    try:
        settle()
        assert gc.get_freeze_count() > 10_000
        assert not _is_searched(before)
        after = _cycle()  # counting what is set aside would not do: other threads let go of some of it
        settle()
        assert _is_searched(after)
    finally:
        gc.unfreeze()
        settle.clear()
