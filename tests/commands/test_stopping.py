"""A signal asks to stop, wherever it strikes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from timemil_core.commands.stopping import StopOnSignal

PRINTING = """
import sys
from timemil_core.commands.stopping import StopOnSignal

with StopOnSignal() as stop:
    for number in range(1000):
        print(number, "x" * 1000, flush=True)
sys.exit(stop.exit_code)
"""
FLOODED = """
import os, signal, subprocess, sys
from timemil_core.sweep import work

work.note_interrupts()
flood = "import os, sys; [os.kill(int(sys.argv[1]), 2) for _ in range(20_000)]"
sender = subprocess.Popen([sys.executable, "-c", flood, str(os.getpid())], start_new_session=True)
while sender.poll() is None:
    pass
"""


def test_a_first_signal_asks_to_stop_and_a_second_ends_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    asked = []
    before = signal.getsignal(signal.SIGTERM)
    with StopOnSignal(lambda: asked.append("once")) as stop:
        assert not stop.requested()
        assert stop.exit_code == 0
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.requested()
        assert asked == ["once"]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert asked == ["once"]
        assert stop.exit_code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == before
    assert "Stopping after this batch" in capfd.readouterr().err


def test_a_quiet_command_says_nothing_of_it(capfd: pytest.CaptureFixture[str]) -> None:
    with StopOnSignal(quiet=True) as stop:
        os.kill(os.getpid(), signal.SIGINT)
    assert stop.requested()
    assert capfd.readouterr() == ("", "")


def test_a_signal_may_strike_within_a_print() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PRINTING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert process.stdout is not None
    first = process.stdout.read(1)
    time.sleep(0.5)  # more than a pipe holds is on its way: it waits within a print
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT, said
    assert [int(line.split()[0]) for line in (first + out).splitlines()] == list(range(1000))
    assert said.startswith(b"Stopping after this batch")


def test_a_signal_may_strike_a_worker_within_the_handler_of_another() -> None:
    assert subprocess.run([sys.executable, "-c", FLOODED], timeout=60, check=False).returncode == 0
