"""Whoever watches a pass is told after each stage, in his own thread alone."""

from __future__ import annotations

import threading

import torch

from timemil_core.models.config import preset
from timemil_core.models.timemil import TimeMIL
from timemil_core.watching import watched

SMALL = {"embedding_width": 8, "n_heads": 2, "head_size": 4, "n_landmarks": 4}


def network() -> TimeMIL:
    torch.manual_seed(0)
    return TimeMIL(preset("default", n_channels=2, n_classes=2, **SMALL)).eval()


def test_all_who_watch_are_told_of_each_stage() -> None:
    one, inner, outer = network(), [], []
    with torch.inference_mode(), watched(lambda: outer.append(1)):
        one(torch.zeros(1, 2, 20))
        with watched(lambda: inner.append(1)):
            one(torch.zeros(1, 2, 20))
        one(torch.zeros(1, 2, 20))
    one(torch.zeros(1, 2, 20))
    assert (len(inner), len(outer)) == (one.n_stages, 3 * one.n_stages)


def test_a_pass_in_another_thread_is_not_watched() -> None:
    one, told = network(), []
    with watched(lambda: told.append(1)):
        thread = threading.Thread(target=one, args=(torch.zeros(1, 2, 20),))
        thread.start()
        thread.join()
    assert told == []


def test_training_is_watched_too_with_checkpoints_or_without() -> None:
    from timemil_core.models.fast.checkpointing import gradient_checkpointing

    one, told = network(), []
    with watched(lambda: told.append(1)), gradient_checkpointing(True):
        loss = one(torch.zeros(1, 2, 20)).sum()
    assert len(told) == one.n_stages
    loss.backward()
