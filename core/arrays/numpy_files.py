"""Reader of untrusted NumPy files, `.npy` and `.npz`: sizes in a header are compared with the file before memory is allocated.

A header is read with a regular expression and never evaluated. Pickled objects are never loaded. A member of an archive is read up to its
declared size.
"""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from io import BufferedIOBase
from math import prod
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..memory import available_bytes
from .allowance import Allowance, Oversized

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 10_000
"""Most bytes of a header, the limit of NumPy."""
LARGEST_RANK = 32
LARGEST_SIZE = 2**62
"""Maximum number of bytes that a system can address."""
DESCR = re.compile(
    r"""'descr':\s*(?:'([<>|=]?[?a-zA-Z]\d{0,4}(?:\[\w{1,8}\])?)'|(\[.*?\])\s*,\s*'(?:fortran_order|shape)')""",
    re.DOTALL,
)
FORTRAN = re.compile(r"'fortran_order':\s*(True|False)")
SHAPE = re.compile(r"'shape':\s*\(((?:\s*\d{1,19}L?\s*,)*(?:\s*\d{1,19}L?)?)\s*\)")

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
ENCRYPTED = 1
"""Flag bit of an encrypted member."""
DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError, ValueError)
"""Exceptions of the archive reader on damaged bytes; ValueError is an invalid name or position."""


class Unreadable(ValueError):
    """The bytes are not a valid array; the message is the reason."""


class Pickled(ValueError):
    """The bytes are Python objects."""


@frozen
class Header:
    """Header of a `.npy`."""

    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """Returns the size of the numbers in bytes."""
        return prod(self.shape) * self.dtype.itemsize


def read_header(file: IO[bytes]) -> Header:
    """Reads the header of a `.npy`. Errors: Unreadable, Pickled."""
    head = file.read(8)
    if len(head) < 8 or not head.startswith(MAGIC) or head[6] not in (1, 2, 3):
        raise Unreadable("not a .npy file")
    width = 2 if head[6] == 1 else 4
    length = int.from_bytes(file.read(width), "little")
    if length > LONGEST_HEADER:
        raise Unreadable(f"a header of {length} bytes")
    data = file.read(length)
    text = data.decode("utf-8" if head[6] == 3 else "latin1", "replace")
    descr, fortran, shape = DESCR.search(text), FORTRAN.search(text), SHAPE.search(text)
    if len(data) < length or descr is None or fortran is None or shape is None:
        raise Unreadable("a header that cannot be read")
    if descr[2] is not None:
        raise Unreadable("records of several fields")
    sizes = tuple(int(n.rstrip("L")) for n in shape[1].replace(" ", "").split(",") if n)
    try:
        dtype = np.dtype(descr[1])
    except (TypeError, ValueError):
        raise Unreadable(f"numbers of the type {descr[1]}, which NumPy does not have") from None
    if dtype.hasobject:
        raise Pickled("an array of objects")
    header = Header(sizes, fortran[1] == "True", dtype)
    if len(sizes) > LARGEST_RANK or prod(max(1, n) for n in sizes) * max(1, dtype.itemsize) > LARGEST_SIZE:
        raise Unreadable(f"an array of shape {shape[1].strip()[:80]}, which is larger than any memory")
    return header


def read_npy(file: IO[bytes], bytes_left: int, allowance: Allowance | None = None, name: str = "") -> NDArray[Any]:
    """Reads a `.npy` of at most `bytes_left` bytes of a file. Errors: Unreadable, Pickled, Oversized."""
    header = read_header(file)
    most = available_bytes()
    if header.size > bytes_left:
        raise Unreadable(f"an array of {header.size} bytes in a file of {bytes_left}")
    if allowance is not None:
        allowance.take(header.size, name)
    if most is not None and header.size > most:
        raise Unreadable(f"an array of {header.size} bytes, more than the {most} bytes of memory that are available")
    values = np.empty(prod(header.shape), header.dtype)
    if header.size:
        filled: Any = values.view(np.uint8)
        room = memoryview(filled)
        done, reader = 0, cast("BufferedIOBase", file)  # of `open` or `zipfile`
        while done < header.size:
            piece = reader.readinto(room[done:])
            if not piece:
                raise Unreadable(f"{done} bytes of {header.size}")
            done += piece
    return values.reshape(header.shape, order="F" if header.is_fortran else "C")


def load_npy(path: Path) -> NDArray[Any]:
    """Reads the array of a file. Errors: Unreadable, Pickled, Oversized; OSError the file cannot be read."""
    with open(path, "rb") as file:
        return read_npy(file, path.stat().st_size, Allowance(path))


def load_npz(path: Path) -> tuple[dict[str, NDArray[Any]], bytes]:
    """Reads the arrays of an archive by name, and its comment. Errors: Unreadable and Pickled, each with the member as its second argument."""
    arrays: dict[str, NDArray[Any]] = {}
    name = ""
    try:
        allowance = Allowance(path)
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                name = member.filename.removesuffix(".npy")
                if name in arrays:
                    raise Unreadable("two members of this name")
                if member.flag_bits & ENCRYPTED:
                    raise Unreadable("an encrypted member")
                if member.compress_type not in METHODS:
                    raise Unreadable(f"a member that is compressed by an unknown method, {member.compress_type}")
                with archive.open(member) as file:
                    arrays[name] = read_npy(file, member.file_size, allowance, name)
                    if file.read(1):  # also compares the check sum
                        raise Unreadable("bytes after the array")
            return arrays, archive.comment
    except Oversized:
        raise
    except (Unreadable, Pickled) as failure:
        raise type(failure)(str(failure), name) from None
    except DAMAGE as failure:
        raise Unreadable(f"damaged bytes: {str(failure) or type(failure).__name__}", name) from failure
