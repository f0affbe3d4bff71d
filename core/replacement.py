"""Replacement of a folder in one step, so that a killed process leaves the old folder or the new one.

Linux and macOS can exchange two paths atomically. Where a file system cannot, the old folder is renamed first; the next process restores it
if this one was killed in between. Folders of killed processes are removed.

Source: renameat2(2), RENAME_EXCHANGE, of Linux 3.15; renamex_np(2), RENAME_SWAP, of macOS 10.12.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
from pathlib import Path

AT_FDCWD, RENAME_EXCHANGE, RENAME_SWAP = -100, 2, 2
LEFT = re.compile(r"\.(?P<name>.+)\.(?P<process>[0-9]+)\.(?P<kind>tmp|old)")


def temporary(target: Path, kind: str) -> Path:
    """Returns a path next to a folder that is unique to this process. `kind` is `tmp` for a folder being filled, `old` for one being replaced."""
    return target.parent / f".{target.name}.{os.getpid()}.{kind}"  # the root has no name


def replace_folder(new: Path, target: Path) -> None:
    """Moves a complete folder to the path `target`; an existing folder at that path is removed."""
    if not target.exists():
        os.rename(new, target)
        return
    if exchange(new, target):
        shutil.rmtree(new)
        return
    old = temporary(target, "old")
    os.rename(target, old)
    try:
        os.rename(new, target)
    except OSError:
        os.rename(old, target)
        raise
    shutil.rmtree(old)


def exchange(one: Path, other: Path) -> bool:
    """Exchanges two paths; returns False where the system or the file system cannot."""
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        return library.renamex_np(first, second, RENAME_SWAP) == 0
    if sys.platform == "linux" and hasattr(library, "renameat2"):
        return library.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0
    return False


def remove_left(target: Path) -> None:
    """Removes temporary folders that killed processes left next to a folder. Restores the folder if a process was killed while replacing it."""
    for path in sorted(target.parent.glob(f".{target.name}.*")):
        match = LEFT.fullmatch(path.name)
        if match is None or match["name"] != target.name or is_running(int(match["process"])):
            continue
        if match["kind"] == "old" and not target.exists():
            os.rename(path, target)
        else:
            shutil.rmtree(path, ignore_errors=True)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # a process of another user
    return True
