"""Readers of input files, with diagnostics."""

from __future__ import annotations

import errno
import os
import sys
from difflib import get_close_matches
from hashlib import file_digest
from pathlib import Path
from typing import NoReturn

from .diagnostics import Code, refuse

COR008 = Code("COR008", "file-unreadable", "a file cannot be read")

HEAD_BYTES = 2**16 + 8
"""Number of leading bytes that identify a format: they include the signature of an HDF5 file after a user block of up to 64 KiB."""
HDF5 = b"\x89HDF\r\n\x1a\n"
"""Signature of the HDF5 format: at the start, or after a user block of 512 bytes or a larger power of two.

Source: HDF5 File Format Specification 3.0, section II.A.
"""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of a full or limited output device."""


def read_bytes(path: str | Path) -> bytes:
    """Returns the bytes of a file, or of standard input for `-`.

    Errors: COR008 the file cannot be read.
    """
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as failure:  # ValueError: a null byte in the name
        unreadable(path, failure)


def hash_of_file(path: Path) -> str:
    """Returns the SHA-256 of a file, which is read in blocks. Errors: COR008 the file cannot be read."""
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as failure:
        unreadable(path, failure)


def read_head(path: str | Path, size: int = HEAD_BYTES) -> bytes:
    """Returns the first bytes of a file, which identify its format.

    Errors: COR008 the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except (OSError, ValueError) as failure:
        unreadable(path, failure)


def real_path(path: str | Path) -> Path:
    """Returns a path without links. Raises OSError for links that form a circle."""
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return real


def is_hdf5(head: bytes) -> bool:
    """Returns whether the first bytes of a file contain the signature of HDF5."""
    start = 0
    while start <= len(head) - len(HDF5):
        if head.startswith(HDF5, start):
            return True
        start = max(512, 2 * start)
    return False


def unreadable(path: str | Path, failure: Exception) -> NoReturn:
    """Refuses an input."""
    expected = "a file that can be read, or - for standard input"
    near = similar_files(Path(path)) if isinstance(failure, FileNotFoundError) else []
    refuse(
        COR008,
        "the file cannot be read",
        file=str(path),
        expected=expected,
        found=reason_of(failure),
        help=f"ls -l {Path(path).parent}",
        notes=[f"similar names: {', '.join(near)}"] if near else [],
    )


def similar_files(path: Path) -> list[str]:
    """Returns the files of a folder with names similar to a missing file, the most similar first."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return []
    return [str(path.parent / name) for name in get_close_matches(path.name, names, 3, 0.7)]


def is_full(failure: Exception) -> bool:
    """Returns whether an output failed because its device is full."""
    return isinstance(failure, OSError) and failure.errno in FULL


def reason_of(failure: Exception) -> str:
    return ((isinstance(failure, OSError) and failure.strerror) or str(failure)).lower()
