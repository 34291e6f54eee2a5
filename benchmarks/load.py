"""Many people at once: faults, wrong series, time of a step, the server's CPU and memory.

``python -m benchmarks.load`` starts the app on a workspace of its own and a training beside it, and opens 5, 12 and 20
sessions over Streamlit's own WebSocket protocol. Each steps from series to series of the Attention page, thinking
between steps; what is answered is looked through for faults, and for the name of any series but the one asked for.
``--out FILE`` keeps what was measured, and goes on from there.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import os
import re
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks.pages import serving
from benchmarks.report import print_report
from timemil_core.atomic import read_json, write_json
from timemil_core.data import store
from timemil_core.data.synthetic import pulse_set
from timemil_core.training.config import TrainingConfig
from timemil_core.training.process import launch
from timemil_core.training.run_folder import create_run

MODEL = "synthetic-pulse"
PAGE = "attention"
N_SERIES = 200
NAME = re.compile(rb"person-\d{4}")
LISTS = ("selectbox", "arrow_data_frame")  # they name every series
PATIENCE = 300.0  # seconds for one step


@dataclass
class Seen:
    """What the sessions met."""

    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    n_wrong: int = 0
    n_runs: int = 0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="+", default=[5, 12, 20])
    parser.add_argument("--steps", type=int, default=10, help="of each session")
    parser.add_argument("--think", type=float, default=2.0, metavar="SECONDS", help="between two steps")
    parser.add_argument("--rest", type=float, default=300.0, metavar="SECONDS", help="until memory is looked at again")
    parser.add_argument("--without-training", action="store_true")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep what was measured here, and go on from it")
    arguments = parser.parse_args()
    rows = read_json(arguments.out) if arguments.out is not None and arguments.out.is_file() else []
    for n_sessions in arguments.sessions:
        if any(row["sessions"] == n_sessions and row["steps"] == arguments.steps for row in rows):
            continue
        rows.append(_measure(n_sessions, arguments))
        if arguments.out is not None:
            write_json(arguments.out, rows)
    print_report(rows, seconds_between_steps=arguments.think, training_beside=not arguments.without_training)


def _measure(n_sessions: int, arguments: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="timemil-load-", ignore_cleanup_errors=True) as workspace:
        os.environ["TIMEMIL_HOME"] = workspace
        whole = pulse_set(N_SERIES // 2, N_SERIES // 2, seed=0)
        names = tuple(f"person-{index:04}" for index in range(len(whole)))
        data = store.keep(dataclasses.replace(whole, series_ids=names, name="Persons"))
        run = None
        if not arguments.without_training:
            run = create_run(data, training=TrainingConfig(n_epochs=100_000, device="cpu"))
            launch(run)
        served = serving()
        with served as url:
            server = psutil.Process(served.server.pid)
            asyncio.run(_sessions(url, data, 1, 2, 0.0))  # what is imported and read once
            before, cpu = _memory(server), _cpu(server)
            seen = asyncio.run(_sessions(url, data, n_sessions, arguments.steps, arguments.think))
            cpu, after = _cpu(server) - cpu, _memory(server)
            time.sleep(arguments.rest)
            rested = _memory(server)
        if run is not None:
            run.request_stop()
            while run.status().is_active:
                time.sleep(0.5)
    for fault in seen.faults[:5]:
        print(f"fault: {fault}")
    return {
        "sessions": n_sessions,
        "steps": arguments.steps,
        "faults": len(seen.faults),
        "wrong series": seen.n_wrong,
        "p50 (s)": float(np.percentile(seen.seconds, 50)),
        "p95 (s)": float(np.percentile(seen.seconds, 95)),
        "CPU s a run": cpu / max(seen.n_runs, 1),
        "MB before": before,
        "MB at the end": after,
        "seconds of rest": arguments.rest,
        "MB then": rested,
    }


def _memory(server: psutil.Process) -> float:
    return server.memory_info().rss / 2**20


def _cpu(server: psutil.Process) -> float:
    times = server.cpu_times()
    return times.user + times.system


async def _sessions(url: str, data: str, n_sessions: int, n_steps: int, think: float) -> Seen:
    seen = Seen()
    await asyncio.gather(*(_session(url, data, number, n_steps, think, seen) for number in range(n_sessions)))
    return seen


async def _session(url: str, data: str, number: int, n_steps: int, think: float, seen: Seen) -> None:
    draw = np.random.default_rng(number)
    await asyncio.sleep(draw.uniform(0, think))  # people do not arrive at once
    address = f"{url.replace('http', 'ws')}/_stcore/stream"
    async with connect(address, subprotocols=[Subprotocol("streamlit")], origin=Origin(url), max_size=None) as socket:
        page = ""
        for _ in range(n_steps):
            name = f"person-{draw.integers(N_SERIES):04}"
            start = time.perf_counter()
            page = await _step(socket, f"data={data}&model={MODEL}&series={name}", page, name, seen)
            seen.seconds.append(time.perf_counter() - start)
            await asyncio.sleep(draw.exponential(think) if think else 0)


async def _step(socket: ClientConnection, query: str, page: str, name: str, seen: Seen) -> str:
    """Ask for a series and take in all that comes; return the hash of the page, which the first answer tells."""
    asked = BackMsg()
    asked.rerun_script.query_string = query
    asked.rerun_script.page_script_hash = page
    await socket.send(asked.SerializeToString())
    while True:
        message = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(decode=False), PATIENCE))
        kind = message.WhichOneof("type")
        if kind == "navigation":
            pages = {one.url_pathname: one.page_script_hash for one in message.navigation.app_pages}
            if not page and PAGE in pages:
                page = pages[PAGE]
                await _finish(socket)
                return await _step(socket, query, page, name, seen)
        elif kind == "delta":
            _look(message, name, seen)
        elif kind == "script_finished":
            seen.n_runs += 1
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return page


async def _finish(socket: ClientConnection) -> None:
    while True:
        message = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(decode=False), PATIENCE))
        if message.WhichOneof("type") == "script_finished":
            return


def _look(message: ForwardMsg, name: str, seen: Seen) -> None:
    element = message.delta.new_element
    kind = element.WhichOneof("type")
    if kind == "exception":
        seen.faults.append(element.exception.message)
    elif kind == "alert" and "fault of this program" in element.alert.body:
        seen.faults.append(element.alert.body)
    elif kind == "selectbox" and element.selectbox.label == "Series":
        seen.n_wrong += not element.selectbox.raw_value.startswith(name)
    elif kind not in LISTS:
        seen.n_wrong += any(found != name.encode() for found in NAME.findall(message.SerializeToString()))


if __name__ == "__main__":
    main()
