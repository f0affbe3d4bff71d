"""Arrays in a folder: one `.npy` each, named by its content key. A file is located when a text refers to it, and opened at the first read.

    arrays/hf9837cf0b1c2d3e4f5061728394a5b6c.npy

A name determines the bytes, so files are never changed in place, equal arrays share a file, and a changed file is detected. The text does not
contain the path of the folder: see docs/rationale/arrays.md.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format
from numpy.typing import NDArray

from ..diagnostics import Code, refuse
from .numpy_files import Header, Pickled, Unreadable, read_header

COR003 = Code("COR003", "array-file-missing", "the file of an array is not in the folder")
COR004 = Code("COR004", "array-file-mismatches-name", "the content of an array file does not match its name")

FOLDER = "arrays"
"""Default folder for the arrays of a text, next to the text."""
MAPPED = 2**20
"""Minimum size in bytes of a memory-mapped array; smaller ones are read, because the system limits the number of maps to some ten thousand."""
CHUNK_BYTES = 2**20
"""Bytes that are hashed at a time."""


def digest_start(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Returns the hash state of a content key before the bytes of the array."""
    return sha256(f"{dtype.str}{shape}".encode())


def key_of(content: Any) -> str:
    """Returns the content key: `h` and 32 hexadecimal digits of SHA-256 over dtype, shape and bytes."""
    return f"h{content.hexdigest()[:32]}"


def path_of(folder: Path, key: str) -> Path:
    return folder / f"{key}.npy"


def folder_of(text: str | Path, named: Path | None) -> Path | None:
    """Returns the folder of the arrays of a text: the named one, else the one next to its file; None if there is none."""
    beside = Path(text).parent / FOLDER
    return beside if named is None and beside.is_dir() else named


def find_array(folder: Path, key: str) -> Path:
    """Returns the file of an array in a folder. Errors: COR003 the file is missing."""
    path = path_of(folder, key)
    if not os.path.isfile(path):
        found = "no such file" if os.path.isdir(folder) else f"no folder {folder}"
        help = "name the folder that was written with the file: --arrays DIR"
        refuse(COR003, file=str(path), expected=f"an array {key}", found=found, help=help)
    return path


def load_array(path: Path, key: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Returns the array in a file, mapped if it is large, after a comparison of its bytes with the key.

    Errors: COR003 the file is missing; COR004 it does not match the key.
    """
    found = find_array(path.parent, key)
    try:
        with open(found, "rb") as file:
            offset, problem = check_header(file, key, shape, dtype)
            size = prod(shape) * dtype.itemsize
            if not problem and size < MAPPED:
                file.seek(offset)
                return np.frombuffer(file.read(size), dtype).reshape(shape)
            if not problem:
                return np.memmap(file, dtype, "r", offset, shape).view(np.ndarray)
    except OSError as failure:
        problem = (failure.strerror or str(failure)).lower()
    help = "write the folder again from the source of the text: nopt FILE -o OUT --arrays DIR"
    refuse(COR004, file=str(found), expected=f"{dtype.name} {shape} whose hash is {key}", found=problem, help=help)


def check_header(file: IO[bytes], key: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, str]:
    """Returns the offset of the bytes of a `.npy`, and a description of its defect or an empty text; the array is not loaded."""
    try:
        header = read_header(file)
    except (Unreadable, Pickled) as failure:
        return 0, str(failure)
    if header != Header(shape, False, dtype):
        return 0, f"{header.dtype.name} {header.shape}" + (" in Fortran order" if header.is_fortran else "")
    offset = file.tell()
    content, size = digest_start(shape, dtype), 0
    while piece := file.read(CHUNK_BYTES):
        content.update(piece)
        size += len(piece)
    if size != prod(shape) * dtype.itemsize:
        return 0, f"{size} bytes instead of {prod(shape) * dtype.itemsize}"
    found = key_of(content)
    return offset, "" if found == key else f"bytes whose hash is {found}"


def has_array(path: Path, key: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
    """Returns whether a file already contains the array of this key."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with open(path, "rb") as file:
            return not check_header(file, key, shape, dtype)[1]
    except OSError:
        return False


def pieces(values: NDArray[Any]) -> Iterator[Any]:
    """Yields the bytes of an array in C order, without a copy of the whole array."""
    if not values.size:
        return
    if values.flags.c_contiguous:
        yield values.reshape(-1).view(np.uint8).data
        return
    blocks: Any = np.nditer(values, ["external_loop", "buffered"], order="C", buffersize=CHUNK_BYTES // values.itemsize)
    for block in blocks:
        yield np.ascontiguousarray(block).data.cast("B")


def dump(file: IO[bytes], values: NDArray[Any]) -> None:
    """Writes an array as `.npy`."""
    header: Any = {"descr": values.dtype.str, "fortran_order": False, "shape": values.shape}
    format.write_array_header_1_0(file, header)
    for piece in pieces(values):
        file.write(piece)
