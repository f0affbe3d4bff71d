"""Output files that are written completely or not at all; `core/files.py` reads files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NoReturn

from ..core.arrays.files import dump, has_array, path_of
from ..core.arrays.values import Array
from ..core.diagnostics import Code, refuse
from ..core.files import is_full, real_path, reason_of

API012 = Code("API012", "file-not-writable", "a file cannot be written")


@contextmanager
def writing(path: str | Path) -> Generator[None]:
    """Turns write errors of the system into a refusal, except for a pipe that its reader has closed. Errors: API012."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as failure:
        unwritable(path, failure)


@contextmanager
def whole(path: str | Path) -> Generator[IO[bytes]]:
    """Yields a file to write, which gets its name when it is complete; a file that is not regular is written directly.

    Errors: API012 it cannot be written.
    """
    target = Path(path)
    with writing(path):
        if target.is_symlink():
            target = real_path(target)
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:
                yield file
            return
        partial = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            with open(partial, "xb") as file:
                yield file
            if target.exists():
                os.chmod(partial, target.stat().st_mode & 0o7777)
            os.replace(partial, target)
        finally:
            with suppress(OSError):
                partial.unlink()


def unwritable(path: str | Path, failure: Exception) -> NoReturn:
    """Refuses an output.

    Errors: API012.
    """
    folder = shlex.quote(str(Path(path).parent))
    has_no_space = is_full(failure)
    refuse(
        API012,
        "the output cannot be written",
        file=str(path),
        expected="a device with free space" if has_no_space else "a file in an existing folder with write permission",
        found=reason_of(failure),
        help=f"df -h {folder}" if has_no_space else f"mkdir -p {folder}",
    )


def write_whole(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    """Writes a temporary file and renames it, so that the output is complete or absent. Data may be an iterable of parts.

    Errors: API012 it cannot be written.
    """
    with whole(path) as file:
        file.writelines([data] if isinstance(data, bytes) else data)


def write_arrays(folder: Path, arrays: Mapping[str, Array]) -> None:
    """Writes a `.npy` for each array, named by its key, into a folder, which is created if necessary. A file that contains its array
    is not written again.

    Errors: API012 it cannot be written; those of arrays whose bytes are missing.
    """
    if not arrays:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as failure:
        unwritable(folder, failure)
    for key, array in arrays.items():
        path = path_of(folder, key)
        if not array.is_linked_to(path) and not has_array(path, key, array.shape, array.stored_dtype):
            with whole(path) as file:
                dump(file, array.stored)
