"""``app``: open the pages in the browser."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from timemil_core.errors import RunError

NAME = "app"
SUMMARY = "open the app in the browser"
ENTRY = Path(__file__).resolve().parents[2] / "app" / "main.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--port", type=int, default=8501, metavar="N", help="where it listens (default: 8501)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def execute(arguments: argparse.Namespace) -> int:
    """Become Streamlit; returns only where that fails.

    Raises
    ------
    RunError
        Where the app is not beside the package.
    """
    if not ENTRY.is_file():
        raise RunError("the app is not installed.", where=str(ENTRY), remedy="Install timemil-core again.")
    headless = str(arguments.no_browser).lower()
    settings = ["--server.port", str(arguments.port), "--server.headless", headless]
    words = [sys.executable, "-m", "streamlit", "run", str(ENTRY), *settings]
    os.execv(sys.executable, words)  # noqa: S606 - our own interpreter, no shell
