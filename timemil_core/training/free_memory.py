"""How much memory is left to this process: of the machine, of its container or batch job, or of the GPU."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import torch

CONTROL_GROUPS = Path("/sys/fs/cgroup")
OWN_GROUP = Path("/proc/self/cgroup")


def available_bytes(device: torch.device) -> int:
    """Return the bytes that can still be taken on a device."""
    if device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        held_in_reserve = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return free + held_in_reserve
    return min([int(psutil.virtual_memory().available), *_left_in_groups(CONTROL_GROUPS, OWN_GROUP)])


def _left_in_groups(root: Path, own: Path) -> Iterator[int]:
    # Linux, control groups version 2: what Docker and SLURM bound memory with, and what the machine's free memory
    # knows nothing of. The group of this process and all above it count.
    try:
        path = next(line[3:] for line in own.read_text("utf-8").splitlines() if line.startswith("0::"))
    except (OSError, StopIteration):
        return
    group = root / path.strip("/")
    for folder in (group, *group.parents):
        if not folder.is_relative_to(root):
            return
        if (left := _left_in(folder)) is not None:
            yield left


def _left_in(folder: Path) -> int | None:
    try:
        limit = (folder / "memory.max").read_text("utf-8").strip()
        used = int((folder / "memory.current").read_text("utf-8"))
        facts = dict(line.split() for line in (folder / "memory.stat").read_text("utf-8").splitlines())
    except (OSError, ValueError):
        return None
    if limit == "max":
        return None
    # File pages that nobody uses are given back when memory is asked for.
    return max(int(limit) - used + int(facts.get("inactive_file", 0)), 0)
