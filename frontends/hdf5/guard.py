"""Reader of untrusted HDF5 files in a child process, so that a crash of the HDF5 library does not end nopt.

The child process checks links, types and sizes first. It reads only data that is stored in the file itself and within the limits, and
sends numbers and texts through a pipe: the bytes of all arrays, a JSON text with the groups, texts and places of the arrays, and the
length of that text. The file is refused if the process crashes, as the HDF5 library does on some damaged files, or exceeds the limits of
time and memory. If no process can be forked, the file is read without that protection. The bytes that a process sends for a small file are
kept, so that the same contents are read once.

Source: HDF5 File Format Specification 3.0; h5py 3, low-level API.
"""

from __future__ import annotations

import json
from functools import lru_cache, partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from attrs import define

from ...core.child_process import is_late, name_exit, run_in_child
from ...core.diagnostics import Code, Refused, refuse
from ..limits import NIF027, Limits
from ..nir_values import Odd, is_text
from .survey import NIF001, NIF028, library, open_file, survey_file

NIF029 = Code("NIF029", "hdf5-library-crashed", "the HDF5 library crashed on the file, or took too long")

CODES = {code.id: code for code in (NIF001, NIF027, NIF028, NIF029)}
SPARE_BYTES = 2**28
"""Memory in bytes that reading needs in addition to the arrays."""
SMALL_BYTES, KEPT_FILES = 2**20, 32
"""Limits of the cache: the size of a file and of its process output in bytes, and the number of files."""


class Contents(NamedTuple):
    """A group of a file as nested dictionaries, or None if it is missing, the version, and the name of the group: `node` or `layer`."""

    node: Any
    version: str | None
    group: str


@define
class Slot:
    """Place of the contents of a file in the cache."""

    data: bytes | bytearray | None = None
    """The bytes that the child process sent; None before it ended."""


@lru_cache(KEPT_FILES)
def kept_contents(digest: bytes, limits: Limits) -> Slot:
    """Returns the cache entry for file contents with a digest, read under limits."""
    del digest, limits
    return Slot()


def digest_of(path: Path) -> bytes | None:
    """Returns the digest of a small file; None if it is large, or cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(SMALL_BYTES + 1)
    except OSError:
        return None
    return sha256(data).digest() if len(data) <= SMALL_BYTES else None


def read_contents(path: Path, limits: Limits) -> Contents:
    """Returns the contents of a file from the cache, or reads it under limits in a child process."""
    library()  # imported before the fork
    digest = digest_of(path) if path.is_file() else None
    slot = Slot() if digest is None else kept_contents(digest, limits)
    if slot.data is not None:
        return contents_from(slot.data, path)
    data = read_guarded(path, limits)
    if data is None:
        return read_unguarded(path, limits)
    if len(data) <= SMALL_BYTES and digest is not None and digest == digest_of(path):  # it is the file that was read
        slot.data = data
    return contents_from(data, path)


def read_guarded(path: Path, limits: Limits) -> bytearray | None:
    """Reads a file in a child process and returns the output of the process; None if no process can be forked. Errors: NIF029."""
    data = run_in_child(partial(send, path, limits), limits.seconds, 2 * limits.bytes + SPARE_BYTES)
    if not isinstance(data, int):
        return data
    late, name = is_late(data), name_exit(data)
    refuse(
        NIF029,
        "the HDF5 library does not finish reading the file" if late else "the HDF5 library crashes on the file",
        file=str(path),
        expected=f"an end within {limits.seconds} s" if late else "a `.nir` file written by nir.write",
        found=f"none ({name})" if late else f"its process ended ({name})",
        help=f"--limit seconds={10 * limits.seconds}, or export the network again"
        if late
        else "export the network again",
    )


def read_unguarded(path: Path, limits: Limits) -> Contents:
    """Reads the contents of a file within this process."""
    with BytesIO() as out:
        send(path, limits, out)
        return contents_from(out.getvalue(), path)


# ---- parent process


def contents_from(data: bytes | bytearray, path: Path) -> Contents:
    """Decodes the contents from the bytes of a child process; the arrays are read-only views of these bytes."""
    view = memoryview(data).toreadonly()
    length = int.from_bytes(view[-8:], "little")
    message = json.loads(bytes(view[-8 - length : -8]))
    if "refused" in message:
        code, text, parts = message["refused"]
        refuse(CODES[code], text, file=str(path), **parts)
    return Contents(value_of(message["node"], view), message["version"], message["group"])


def value_of(item: Any, data: memoryview) -> Any:
    """Returns the value of an item of `Survey`: a dictionary, an array or number, text (bytes if it is not UTF-8), or `Odd`."""
    match item:
        case ["array", dtype, shape, offset]:
            array: Any = np.ndarray(tuple(shape), dtype, data, offset)
            return array if shape else array[()]
        case ["texts", shape, texts]:
            values: Any = np.empty(len(texts), object)
            values[:] = [text_or_bytes(text) for text in texts]
            return values.reshape(shape)
        case ["text", text]:
            return text_or_bytes(text)
        case ["odd", words]:
            return Odd(words)
        case None:
            return None
        case _:
            return {name: value_of(inner, data) for name, inner in cast("dict[str, Any]", item).items()}


def text_or_bytes(text: str) -> str | bytes:
    return text if is_text(text) else text.encode(errors="surrogateescape")


# ---- child process


def send(path: Path, limits: Limits, out: Any) -> None:
    """Writes the arrays, and the survey or the refusal."""
    try:
        with open_file(path) as file:
            survey = survey_file(file, limits)
            for values in survey.arrays():
                out.write(values)
            message: dict[str, Any] = {"version": survey.version, "group": survey.group, "node": survey.root}
    except Refused as refusal:
        (finding,) = refusal.findings
        parts = {name: getattr(finding, name) for name in ("at", "expected", "found", "help")}
        message = {"refused": (finding.code.id, finding.message, parts)}
    text = json.dumps(message).encode()
    out.write(text + len(text).to_bytes(8, "little"))
