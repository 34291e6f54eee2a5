"""A classifier that stays in its caller's process and answers another one: the app's.

The two meet at a socket in a folder of mode 0700, and each has to know the key that lies in it. Arrays go over as
safetensors: nothing that comes in can be anything but numbers, in either direction.
"""

from __future__ import annotations

import os
import secrets
import threading
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from timemil_core import workspace
from timemil_core.errors import ModelError
from timemil_core.models.own.network import Decide, OwnConfig, OwnNetwork, Probabilities, Series

SOCKET, KEY = "socket", "key"
MOST_BYTES = 2**30  # of one question or answer
SERIES, PROBABILITIES, PROBLEM = "series", "probabilities", "problem"


class Server:
    """Answers in a thread of its own until it is closed.

    Parameters
    ----------
    decide
        Asked by one thread at a time.
    folder
        Made for it, with mode 0700; only whoever may read it can ask.
    """

    def __init__(self, decide: Decide, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True)
        key = secrets.token_bytes(32)
        descriptor = os.open(folder / KEY, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
        self._decide, self._lock = decide, threading.Lock()
        self._listener = Listener(str(folder / SOCKET), family="AF_UNIX", authkey=key)
        self._open = True
        threading.Thread(target=self._accept, daemon=True, name="own classifier").start()

    def close(self) -> None:
        """Answer no more."""
        self._open = False
        self._listener.close()

    def _accept(self) -> None:
        while self._open:
            try:
                connection = self._listener.accept()
            except (AuthenticationError, EOFError, ConnectionError):
                continue  # a stranger, or one who left
            except OSError:
                return  # closed
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: Connection) -> None:
        with connection, suppress(EOFError, ConnectionError):
            while True:
                connection.send_bytes(self._answered(connection.recv_bytes(MOST_BYTES)))

    def _answered(self, asked: bytes) -> bytes:
        try:
            series = load(asked)[SERIES]
            with self._lock:
                return save({PROBABILITIES: np.ascontiguousarray(self._decide(series), dtype=np.float64)})
        except Exception as error:  # the caller's own code: what it says belongs to whoever asked
            text = f"{type(error).__name__}: {error}".encode()
            return save({PROBLEM: np.frombuffer(text, dtype=np.uint8)})


def served_network(config: OwnConfig) -> OwnNetwork:
    """Return a network that asks the process which serves a classifier of this name in this workspace."""
    return OwnNetwork(config, _Asking(workspace.child(workspace.served_folder(), config.name)))


class _Asking:
    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()
        self._connection: Connection | None = None

    def __call__(self, series: Series) -> Probabilities:
        with self._lock:
            try:
                answer = self._exchanged(save({SERIES: np.ascontiguousarray(series)}))
            except (OSError, EOFError, AuthenticationError) as error:
                self._connection = None
                raise ModelError(
                    "the process that holds this classifier does not answer any more.",
                    remedy="Leave the script or the notebook that opened it running, or open it again.",
                ) from error
        try:
            found = load(answer)
        except SafetensorError as error:
            raise ModelError(f"what the classifier's process answered cannot be read: {error}.") from error
        if PROBLEM in found:
            text = found[PROBLEM].tobytes().decode("utf-8", "replace")
            raise ModelError(f"the classifier failed: {text}.", remedy="Mend its predict_proba, and open it again.")
        return found[PROBABILITIES]

    def _exchanged(self, question: bytes) -> bytes:
        if self._connection is None:
            key = (self._folder / KEY).read_bytes()
            self._connection = Client(str(self._folder / SOCKET), family="AF_UNIX", authkey=key)
        self._connection.send_bytes(question)
        return self._connection.recv_bytes(MOST_BYTES)
