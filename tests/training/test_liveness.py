import dataclasses
import subprocess
import sys
import time

from timemil_core.training.liveness import ProcessMark, is_alive, mark_of


def test_this_process_lives() -> None:
    now = time.time()
    assert is_alive(mark_of(), now, now)
    assert ProcessMark.from_json(mark_of().to_json()) == mark_of()


def test_a_finished_child_that_nobody_waited_for_is_dead() -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    mark = mark_of(child.pid)
    now = time.time()
    assert is_alive(mark, now, now)
    child.kill()
    deadline = time.monotonic() + 10
    while is_alive(mark, now, now) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(mark, now, now)  # a zombie by now
    child.wait()
    assert not is_alive(mark, now, now)  # gone


def test_a_later_process_of_the_same_number_is_another_one() -> None:
    now = time.time()
    assert not is_alive(dataclasses.replace(mark_of(), started=mark_of().started - 60), now, now)


def test_another_machines_process_lives_while_it_gives_signs() -> None:
    elsewhere = ProcessMark(1, 0.0, "another-host")
    assert is_alive(elsewhere, heartbeat=1000.0, now=1100.0)
    assert not is_alive(elsewhere, heartbeat=1000.0, now=2000.0)
