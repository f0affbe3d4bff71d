"""Files out: outputs that are complete or not there. What is read stands in `core/files.py`."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NoReturn

from ..core.arrays.files import dump, is_whole, path_of
from ..core.arrays.values import Array
from ..core.diagnostics import Code, refuse
from ..core.files import reason_of

FIL002 = Code(
    "FIL002",
    "a file cannot be written",
    cause="The folder of the output is not there, or the output may not be written. Nothing was changed.",
    remedy="Make the folder, or name another output with `-o`.",
)


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


def write_whole(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    """Writes beside and renames, so that the output is complete or not there. Data may come piece by piece.

    Errors: FIL002 it cannot be written.
    """
    with whole(path) as file:
        file.writelines([data] if isinstance(data, bytes) else data)


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
