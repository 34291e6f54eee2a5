"""A process a replica, and the one process that watches over them.

The watching process holds the run, speaks for it and trains nothing, so that it notices a replica's death in whatever
call the others wait, on a CPU or a GPU, and ends them.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import torch
from torch import distributed
from torch.multiprocessing.spawn import ProcessContext, ProcessException, ProcessExitedException, spawn

from timemil_core.errors import RunError, TimeMILError
from timemil_core.training.device import pick_devices
from timemil_core.training.loop import ShouldStop
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.replicas import Replicas
from timemil_core.training.reporter import Speaker
from timemil_core.training.run_folder import RunFolder, open_run

SECONDS_BETWEEN_LOOKS = 0.2
SECONDS_TO_END = 2.0  # for the other replicas, once one has ended before its time
LOCAL = (socket.AF_INET, "127.0.0.1")
BACKENDS = {"cpu": "gloo", "cuda": "cpu:gloo,cuda:nccl"}

Train = Callable[[RunFolder, Speaker, ShouldStop, Replicas], None]


def train_in_replicas(train: Train, run: RunFolder, speaker: Speaker, should_stop: ShouldStop) -> None:
    """Call ``train`` once a replica, each in a process of its own, and wait for all.

    Parameters
    ----------
    train
        A function of a module; it is given a speaker that reaches ``speaker`` in the replica that writes, and a silent
        one in the others.
    run
        With ``devices`` above 1.
    speaker
        Of this process.
    should_stop
        Asked here, several times a second.

    Raises
    ------
    TimeMILError
        What ``train`` raised.
    RunError
        Where a replica's process was ended from outside; the others are ended too.
    RuntimeError
        Where ``train`` raised anything else, with its traceback.
    """
    size = run.training.devices
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    stop = context.Event()
    n_threads = max(1, torch.get_num_threads() // size)
    with TemporaryDirectory() as meeting_place, receiver:
        arguments = (size, n_threads, train, run.folder, Path(meeting_place) / "store", sender, stop)
        with _signals_held_back():
            replicas = spawn(_replica, args=arguments, nprocs=size, join=False)
        sender.close()  # so that only the replicas hold it, and its end is told
        try:
            _wait(replicas, receiver, speaker, should_stop, stop)
        finally:
            for process in replicas.processes:
                process.kill()
                process.join()


@contextmanager
def _signals_held_back() -> Iterator[None]:
    # Processes that are started inside never hear Ctrl-C or a request to end: the watching process decides for all.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(
    replicas: ProcessContext, receiver: Connection, speaker: Speaker, should_stop: ShouldStop, stop: Event
) -> None:
    while True:
        connection.wait([receiver, *replicas.sentinels], timeout=SECONDS_BETWEEN_LOOKS)
        _repeat(receiver, speaker)
        if should_stop():
            stop.set()
        ended = _exit_codes(replicas)
        try:
            if replicas.join(timeout=0, grace_period=0):
                _repeat(receiver, speaker)
                return
        except ProcessException as error:
            if isinstance(error, ProcessExitedException):
                ended[error.error_index] = error.exit_code
            _repeat(receiver, speaker)  # raises what a replica told before it ended
            raise _death(ended) or RuntimeError(error.msg.strip().splitlines()[-1]) from error


def _exit_codes(replicas: ProcessContext) -> list[int | None]:
    # Before anyone is ended from here: where one has failed, how the others end by themselves tells whose fault it was.
    if any(process.exitcode for process in replicas.processes):
        for process in replicas.processes:
            process.join(SECONDS_TO_END)
    return [process.exitcode for process in replicas.processes]


def _repeat(receiver: Connection, speaker: Speaker) -> None:
    try:
        while receiver.poll():
            said, arguments, named = receiver.recv()
            if said == "raise":
                raise arguments[0]
            getattr(speaker, said)(*arguments, **named)
    except EOFError:  # all replicas have ended
        return


def _death(exit_codes: list[int | None]) -> RunError | None:
    for rank, code in enumerate(exit_codes):
        if code is not None and code < 0:
            return RunError(
                f"process {rank + 1} of the {len(exit_codes)} that train this run was ended by "
                f"{signal.Signals(-code).name}; the others were ended too.",
                remedy="Resume the run; it goes on after the last finished epoch.",
            )
    return None


class _Distant:
    """Speaks through the watching process; in a replica that does not write, says nothing."""

    def __init__(self, sender: Connection | None) -> None:
        self._sender = sender

    def update(self, **changes: Any) -> None:
        self._say("update", **changes)

    def on_batch(self, done: int, of: int) -> None:
        self._say("on_batch", done, of)

    def on_epoch(self, stage: str, record: EpochRecord) -> None:
        self._say("on_epoch", stage, record)

    def line(self, text: str) -> None:
        self._say("line", text)

    def fail(self, error: TimeMILError) -> None:
        self._say("raise", error)

    def _say(self, said: str, *arguments: Any, **named: Any) -> None:
        if self._sender is not None:
            self._sender.send((said, arguments, named))


def _replica(
    rank: int, size: int, n_threads: int, train: Train, folder: Path, store: Path, sender: Connection, stop: Event
) -> None:
    _end_with_parent()
    torch.set_num_threads(n_threads)
    run = open_run(folder)
    device = pick_devices(run.training.device, size)[rank]
    if device.type == "cuda":
        torch.cuda.set_device(device)
    os.environ.setdefault("GLOO_SOCKET_IFNAME", _loopback())
    distributed.init_process_group(BACKENDS[device.type], f"file://{store}", rank=rank, world_size=size)
    speaker = _Distant(sender if rank == 0 else None)
    try:
        train(run, speaker, stop.is_set, Replicas(rank, size))
    except TimeMILError as error:
        speaker.fail(error)
        raise SystemExit(1) from error
    distributed.destroy_process_group()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="end-with-parent").start()


def _loopback() -> str:
    # Replicas are on one machine: nothing of theirs needs to be reached from outside.
    addresses = psutil.net_if_addrs().items()
    return next(name for name, known in addresses for one in known if (one.family, one.address) == LOCAL)
