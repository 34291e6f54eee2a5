"""Libraries that are installed on demand."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from timemil_core.errors import DataError


def required(module: str, extra: str, what: str, where: str) -> Any:
    """Return a module.

    Raises
    ------
    DataError
        Where it is not installed: says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise DataError(
            f"Reading {what} needs the package {module!r}, which is not installed.",
            where=where,
            remedy=f'Install it with: pip install -e ".[{extra}]"',
        ) from error
