"""How much memory there is, as the system says it."""

from __future__ import annotations

import os
from pathlib import Path


def installed_bytes() -> int | None:
    """Memory of the machine, or None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def available_bytes() -> int | None:
    """Memory that a new array can have: what is available now, else all that is installed, or None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        lines = []
    free = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)
    return installed_bytes() if free is None else free
