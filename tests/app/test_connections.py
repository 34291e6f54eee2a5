"""What the server sends leaves at once."""

from __future__ import annotations

import asyncio
import logging
import socket
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from app import connections
from app.connections import listening, prompt_connections


def _is_prompt(one: socket.socket) -> bool:
    return bool(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))


def test_connections_to_a_listening_socket_are_prompt_from_the_servers_start_on() -> None:
    # as Streamlit opens it: without naming TCP, at which asyncio leaves Nagle's algorithm on
    with socket.socket(family=socket.AF_INET) as server:
        server.bind(("127.0.0.1", 0))
        assert server.fileno() not in listening()
        server.listen()
        assert server.fileno() in listening()
        assert not _is_prompt(server)

        async def start() -> None:
            async with prompt_connections(None):
                pass

        with ThreadPoolExecutor(1) as other:  # Playwright's browser tests leave a loop in this thread
            other.submit(lambda: asyncio.run(start())).result()
        with socket.create_connection(server.getsockname()):
            connection, _ = server.accept()
            with connection:
                assert _is_prompt(connection)


def test_a_machine_that_hides_its_sockets_starts_the_app_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: psutil.Process, kind: str) -> None:
        raise psutil.AccessDenied

    told: list[logging.LogRecord] = []
    own = logging.Logger("a logger of its own: other tests' libraries set up the process's logging")
    own.addFilter(lambda record: told.append(record) is None)
    monkeypatch.setattr(connections, "logger", own)
    monkeypatch.setattr(psutil.Process, "net_connections", refuse)
    assert listening() == []
    assert [record.levelname for record in told] == ["WARNING"]
    assert "not known" in told[0].getMessage()
