"""Files in and out: bytes that are there or refused by name, and outputs that are complete or not there."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NoReturn

from ..core.array_files import dump, is_whole, path_of
from ..core.array_values import Array
from ..core.diagnostics import Code, refuse

FIL001 = Code(
    "FIL001",
    "a file cannot be read",
    cause="The file that the command names is not there, is a directory, or may not be read.",
    remedy="Correct the path. A file whose name is a verb is written `./check`; standard input is `-`.",
)
FIL002 = Code(
    "FIL002",
    "a file cannot be written",
    cause="The folder of the output is not there, or the output may not be written. Nothing was changed.",
    remedy="Make the folder, or name another output with `-o`.",
)


def read_bytes(path: str | Path) -> bytes:
    """All of a file, or of standard input for `-`.

    Errors: FIL001 it cannot be read.
    """
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as failure:  # ValueError: a null byte in the name
        unreadable(path, failure)


def read_head(path: str | Path, size: int = 4096) -> bytes:
    """The first bytes of a file, by which formats are recognised.

    Errors: FIL001 it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except (OSError, ValueError) as failure:
        unreadable(path, failure)


def unreadable(path: str | Path, failure: Exception) -> NoReturn:
    """Refuses an input.

    Errors: FIL001.
    """
    refuse(
        FIL001,
        "the file cannot be read",
        file=str(path),
        expected="a file that can be read, or - for standard input",
        found=reason_of(failure),
        help=f"ls -l {Path(path).parent}",
    )


def reason_of(failure: Exception) -> str:
    return ((isinstance(failure, OSError) and failure.strerror) or str(failure)).lower()


@contextmanager
def whole(path: str | Path) -> Generator[IO[bytes]]:
    """A file to write to, which takes its name when all is written; what is no regular file is written directly.

    Errors: FIL002 it cannot be written.
    """
    target = Path(path)
    try:
        if target.is_symlink():
            target = target.resolve()
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:
                yield file
            return
        beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            with open(beside, "xb") as file:
                yield file
            if target.exists():
                os.chmod(beside, target.stat().st_mode & 0o7777)
            os.replace(beside, target)
        finally:
            with suppress(OSError):
                beside.unlink()
    except BrokenPipeError:
        raise
    except OSError as failure:
        unwritable(path, failure)


def unwritable(path: str | Path, failure: Exception) -> NoReturn:
    """Refuses an output.

    Errors: FIL002.
    """
    refuse(
        FIL002,
        "the output cannot be written",
        file=str(path),
        expected="a file in a folder that is there and may be written",
        found=reason_of(failure),
        help=f"mkdir -p {Path(path).parent}",
    )


def write_whole(path: str | Path, data: bytes) -> None:
    """Writes beside and renames, so that the output is complete or not there.

    Errors: FIL002 it cannot be written.
    """
    with whole(path) as file:
        file.write(data)


def write_arrays(folder: Path, arrays: Mapping[str, Array]) -> None:
    """One `.npy` for each array, by its key, in a folder that is made if it is not there. Files that hold their array stay as
    they are; each of the others is complete or not there.

    Errors: FIL002 it cannot be written; those of arrays whose bytes are missing.
    """
    if not arrays:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as failure:
        unwritable(folder, failure)
    for key, array in arrays.items():
        path = path_of(folder, key)
        if not array.is_linked_to(path) and not is_whole(path, key, array.shape, array.dtype):
            with whole(path) as file:
                dump(file, array.values)
