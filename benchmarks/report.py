"""How every benchmark prints: a table for people, then one line of JSON for programs."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from typing import Any

import torch


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    return {
        "processor": platform.processor() or platform.machine(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name(0) if torch.cuda.is_available() else "cpu",
    }


def print_report(rows: Sequence[dict[str, Any]], **about: Any) -> None:
    """Print rows of equal keys as a Markdown table, then everything as JSON."""
    columns = list(rows[0])
    cells = [[_text(row[column]) for column in columns] for row in rows]
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in cells:
        print("| " + " | ".join(row) + " |")
    print(json.dumps({"machine": machine(), **about, "rows": list(rows)}))


def _text(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
