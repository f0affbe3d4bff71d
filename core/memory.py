"""Memory size of the machine, as the operating system reports it."""

from __future__ import annotations

import os
from pathlib import Path


def installed_bytes() -> int | None:
    """Returns the installed memory, or None if the system does not report it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def available_bytes() -> int | None:
    """Returns the memory for a new array: the available or else the installed memory, or None if the system reports neither."""
    try:
        lines: list[str] = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        lines = []
    free = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)
    return installed_bytes() if free is None else free
