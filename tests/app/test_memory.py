"""What the server keeps is set aside once."""

from __future__ import annotations

import gc

from app.memory import settle


def test_what_is_loaded_is_set_aside_once() -> None:
    settle.clear()
    gc.unfreeze()
    kept = ["a cycle that stays"]
    kept.append(kept)  # type: ignore[arg-type]
    try:
        settle()
        frozen = gc.get_freeze_count()
        assert frozen > 10_000
        assert all(one is not kept for one in gc.get_objects())
        settle()
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()
        settle.clear()
