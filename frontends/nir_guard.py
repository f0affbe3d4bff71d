"""Reader of untrusted HDF5 files in a child process, so that a crash of the HDF5 library does not end nopt.

The child process checks links, types and sizes first. It reads only data that is stored in the file itself and within the limits, and
sends numbers and texts through a pipe. The file is refused if the process crashes, as the HDF5 library does on some damaged files, or
exceeds the limits of time and memory. If no process can be forked, the file is read without that protection.

Source: HDF5 File Format Specification 3.0; h5py 3, low-level API.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from attrs import Factory, define

from ..core.diagnostics import Code, Finding, Refused, refuse
from .limits import Limits
from .nir_values import DEEPEST, Odd

NIF001 = Code(
    "NIF001",
    "the file cannot be read as HDF5",
    cause="A `.nir` file is an HDF5 file. This file is not one, is truncated, or uses a feature that the HDF5 library cannot read.",
    remedy="Export the network again, or copy the file again and compare its size.",
)
NIF027 = Code(
    "NIF027",
    "the contents of the file exceed a limit",
    cause="A file declares sizes before its data, and a damaged or malicious file may declare any size. They are checked against limits "
    "before data is read.",
    remedy="If the size is intended, raise the limit in the message.",
)
NIF028 = Code(
    "NIF028",
    "the file does not contain its data",
    cause="HDF5 links can refer to other files, to other places in the file, and to an enclosing group. NIR does not use them, and following "
    "them could read arbitrary files.",
    remedy="Export the network again with `nir.write`, which writes all data into the file.",
)
NIF029 = Code(
    "NIF029",
    "the HDF5 library crashed on the file, or took too long",
    cause="While it read the file, the library terminated its process or exceeded the time limit. Damaged files can cause this.",
    remedy="Export the network again, or copy the file again. A file that is only large needs `--limit seconds=N`.",
)

CODES = {code.name: code for code in (NIF001, NIF027, NIF028, NIF029)}
UNREADABLE = (
    OSError,
    RuntimeError,
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    NotImplementedError,
)
"""Exceptions of h5py for files that it cannot read."""
UNALLOCATED = "memory allocation failed"
"""The message of the HDF5 library for a failed allocation."""
SMALL = 2**16
"""Arrays up to this number of bytes are read immediately, larger ones after all sizes are known."""
SPARE_BYTES = 2**28
"""Memory in bytes that reading needs in addition to the arrays."""
PATIENCE = 2
"""Maximum ratio of elapsed time to processor time while reading, on a busy machine."""


class Entry(NamedTuple):
    """A group, text or array of the file. The data of arrays follows in the order of their entries, small arrays first."""

    parent: int
    name: str
    kind: str
    """group, text, texts, small, large or odd."""
    value: Any = None
    """The text, the texts with their shape, the number format and shape of an array, or the description of an unsupported value."""


class Contents(NamedTuple):
    """The group `node` as nested dictionaries, or None if it is missing, and the version."""

    node: Any
    version: str | None


def contents(path: Path, limits: Limits) -> Contents:
    """Reads the contents of a file under limits in a child process.

    Errors: NIF001, NIF027 to NIF029.
    """
    library()  # imported before the fork
    if not hasattr(os, "fork"):
        return unguarded(path, limits)
    ours, theirs = os.pipe()
    try:
        pid = forked()
    except OSError:  # the process limit of the user is reached
        os.close(ours)
        os.close(theirs)
        return unguarded(path, limits)
    if pid == 0:
        os.close(ours)
        child(path, limits, theirs)
    os.close(theirs)
    try:
        return received(Pipe(ours, monotonic() + PATIENCE * limits.seconds), path)
    except EOFError:
        os.kill(pid, signal.SIGKILL) if pid else None
        status, pid = os.waitpid(pid, 0)[1], 0
        refuse_death(path, limits, status)
    finally:
        os.close(ours)
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def forked() -> int:
    """Forks; the child only reads the file and exits, so that other threads of the caller do not affect it."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def refuse_death(path: Path, limits: Limits, status: int) -> NoReturn:
    code = os.waitstatus_to_exitcode(status)
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    late = code in (-signal.SIGKILL, -signal.SIGXCPU)
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


# ---- parent process


@define
class Pipe:
    """Reader of the child's messages until a deadline; raises EOFError at the end."""

    number: int
    deadline: float

    def fill(self, buffer: Any) -> None:
        view = memoryview(buffer).cast("B")
        ready = select.poll()  # unlike select.select it supports any number of open files
        ready.register(self.number, select.POLLIN)
        while len(view):
            if not ready.poll(max(0.0, 1000 * (self.deadline - monotonic()))):
                raise EOFError
            count = os.readv(self.number, [view])
            if not count:
                raise EOFError
            view = view[count:]

    def take(self, count: int) -> bytearray:
        buffer = bytearray(count)
        self.fill(buffer)
        return buffer

    def message(self) -> Any:
        return json.loads(self.take(int.from_bytes(self.take(8), "little")))

    def array(self, dtype: str, shape: list[int]) -> Any:
        found: Any = np.empty(shape, dtype)
        if found.size:
            self.fill(found.reshape(-1).view(np.uint8))
        return found


def received(pipe: Pipe, path: Path) -> Contents:
    """Receives the contents from the child process. Raises EOFError if the child ended early."""
    header = pipe.message()
    raise_refusal(header, path)
    blob = memoryview(pipe.take(header["small"]))

    def large(dtype: str, shape: list[int]) -> Any:
        raise_refusal(pipe.message(), path)
        return pipe.array(dtype, shape)

    return assembled([Entry(*entry) for entry in header["entries"]], header["version"], blob, large)


def raise_refusal(message: dict[str, Any], path: Path) -> None:
    if "refused" in message:
        code, text, parts = message["refused"]
        refuse(CODES[code], text, file=str(path), **parts)


def assembled(
    entries: list[Entry], version: str | None, blob: memoryview, large: Callable[[str, list[int]], Any]
) -> Contents:
    """Builds nested dictionaries from entries; each entry follows its group."""
    values: list[Any] = []
    offset = 0
    for entry in entries:
        match entry.kind:
            case "group":
                value: Any = {}
            case "texts":
                shape, texts = entry.value
                value = np.empty(len(texts), object)
                value[:] = [bytes.fromhex(text[1:]) if text[0] == "x" else text[1:] for text in texts]
                value = value.reshape(shape)
            case "text":
                value = bytes.fromhex(entry.value[1:]) if entry.value[0] == "x" else entry.value[1:]
            case "small":
                dtype, shape = entry.value
                count = prod(shape) * np.dtype(dtype).itemsize
                value = np.frombuffer(blob[offset : offset + count], dtype).reshape(shape).copy()
                value, offset = value if shape else value[()], offset + count
            case "large":
                value = large(*entry.value)
            case _:
                value = Odd(entry.value)
        values.append(value)
        if entry.parent >= 0:
            values[entry.parent][entry.name] = value
    return Contents(values[0] if values else None, version)


# ---- child process


def child(path: Path, limits: Limits, pipe: int) -> NoReturn:
    """Reads the file, writes its contents to the pipe, and exits the process."""
    import gc

    code = 1
    try:
        gc.disable()
        confine(limits)
        with open(pipe, "wb", buffering=2**20) as out:
            send(path, limits, out)
        code = 0
    finally:
        os._exit(code)


def confine(limits: Limits) -> None:
    """Disables the terminal and core dumps of this process, and limits its time and memory."""
    import faulthandler
    import resource

    faulthandler.disable()
    silence = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(silence, number)
    now = 0
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_AS, now + 2 * limits.bytes + SPARE_BYTES if now else resource.RLIM_INFINITY),
    ):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def send(path: Path, limits: Limits, out: Any) -> None:
    """Writes the header, the small arrays, and each large array after a message that it was read; or writes the refusal."""

    def message(value: Any) -> None:
        text = json.dumps(value).encode()
        out.write(len(text).to_bytes(8, "little") + text)

    try:
        with opened(path) as file:
            survey = surveyed(file, limits)
            entries = survey.entries
            message({"version": survey.version, "small": len(survey.small), "entries": entries})
            out.write(survey.small)
            for values in survey.arrays():
                message({})
                out.write(memoryview(values.reshape(-1).view(np.uint8)))
    except Refused as refusal:
        message({"refused": carried(refusal.findings[0])})


def carried(finding: Finding) -> tuple[str, str, dict[str, Any]]:
    parts = {name: getattr(finding, name) for name in ("at", "expected", "found", "help")}
    return finding.code.name, finding.message, parts


def unguarded(path: Path, limits: Limits) -> Contents:
    """Reads the contents of a file within this process."""
    try:
        with opened(path) as file:
            survey = surveyed(file, limits)
            arrays = survey.arrays()

            def large(dtype: str, shape: list[int]) -> Any:
                return next(arrays)

            return assembled(survey.entries, survey.version, memoryview(survey.small), large)
    except Refused as refusal:
        raise Refused(*(finding.located(file=str(path)) for finding in refusal.findings)) from None


def unreadable(error: BaseException) -> NoReturn:
    words = str(error).strip("'\"").split("\n")[0] or type(error).__name__
    refuse(
        NIF001,
        "the file cannot be read as HDF5",
        expected="a `.nir` file written by nir.write",
        # A damaged size makes the library allocate more than the limits of its process allow.
        found="the file needs more memory than the size of its data" if UNALLOCATED in words else words,
        help="export the network again, or copy the file again",
    )


def refuse_limit(name: str, limits: Limits, found: int, what: str, at: str = "") -> NoReturn:
    refuse(
        NIF027,
        f"the file exceeds the limit of {name}",
        at=at,
        expected=f"at most {getattr(limits, name)} {name}",
        found=f"{found} {what}",
        # Other data sets can follow: a power of two leaves room for most of them.
        help=f"--limit {name}={1 << (found - 1).bit_length() if name == 'bytes' else found}",
    )


def refuse_link(at: str, found: str) -> NoReturn:
    refuse(
        NIF028,
        "the file does not contain its data",
        at=at,
        expected="groups and data sets in the file",
        found=found,
        help="write the network with nir.write(path, graph), which copies the data",
    )


def library() -> Any:
    """Imports and returns h5py as Any, because its low-level names have no type annotations."""
    import h5py

    return cast(Any, h5py)


def opened(path: Path) -> Any:
    try:
        return library().File(path, "r")
    except UNREADABLE as error:
        unreadable(error)


@define
class Survey:
    """Survey of a file: all entries, the data of the small arrays, and the data sets of the large arrays."""

    limits: Limits
    version: str | None = None
    entries: list[Entry] = Factory(list[Entry])
    small: bytearray = Factory(bytearray)
    large: list[Any] = Factory(list[Any])
    nodes: int = 0
    total: int = 0
    """Bytes of all data."""

    def add_bytes(self, count: int, at: str) -> None:
        self.total += count
        if self.total > self.limits.bytes:
            refuse_limit("bytes", self.limits, self.total, "up to this data set", at)

    def arrays(self) -> Iterator[Any]:
        """Yields the large arrays; each is read on demand."""
        for data in self.large:
            yield values_of(data)


def values_of(data: Any) -> Any:
    """Reads all values of a data set."""
    h5s = library().h5s
    values: Any = np.empty(data.shape, data.dtype)
    try:
        data.read(h5s.ALL, h5s.ALL, values)
    except UNREADABLE as error:
        unreadable(error)
    except MemoryError:
        unreadable(MemoryError("a data set needs more memory than the size of its values"))
    return values


def surveyed(file: Any, limits: Limits) -> Survey:
    """Visits all items of the group `node`; refuses links, and contents that exceed the limits."""
    found = Survey(limits)
    try:
        walk(file, found)
    except UNREADABLE as error:
        unreadable(error)
    except MemoryError:
        unreadable(MemoryError(UNALLOCATED))
    return found


class Place(NamedTuple):
    """A group that is not visited yet."""

    group: Any
    entry: int
    """Its index in the list of entries."""
    path: str
    around: tuple[Any, ...]
    """Addresses of the enclosing groups."""
    role: str
    """graph, nodes, or other."""
    graphs: int
    """Number of enclosing graphs."""
    others: int
    """Number of enclosing groups that are neither graphs nor nodes."""


def walk(file: Any, found: Survey) -> None:
    h5g, h5o = library().h5g, library().h5o
    if "version" in file and hard_link(file.id, b"version", "version"):
        take(h5o.open(file.id, b"version"), -1, "version", "version", found)
        entry = found.entries.pop()
        found.version = entry.value[1:] if entry.kind == "text" and entry.value[0] == "t" else None
        found.small.clear()
        found.large.clear()
    if "node" not in file or not hard_link(file.id, b"node", "node"):
        return
    root = h5o.open(file.id, b"node")
    if not isinstance(root, h5g.GroupID):
        return
    found.entries.append(Entry(-1, "node", "group"))
    waiting = [Place(root, 0, "node", (), "graph", 0, 0)]
    while waiting:
        place = waiting.pop()
        around = (*place.around, h5o.get_info(place.group).addr)
        count = place.group.get_num_objs()
        if len(found.entries) + count > found.limits.entries:
            refuse_limit("entries", found.limits, len(found.entries) + count, "groups and data sets", place.path)
        if place.role == "nodes":
            found.nodes += count
            if found.nodes > found.limits.nodes:
                refuse_limit("nodes", found.limits, found.nodes, "nodes", place.path)
        for name in sorted(place.group):
            text = name.decode(errors="surrogateescape")
            path = f"{place.path}/{name.decode(errors='replace')}"[:200]
            hard_link(place.group, name, path)
            item = h5o.open(place.group, name)
            if not isinstance(item, h5g.GroupID):
                take(item, place.entry, text, path, found)
                continue
            if h5o.get_info(item).addr in around:
                refuse_link(path, "a group that contains itself")
            found.entries.append(Entry(place.entry, text, "group"))
            role = "graph" if place.role == "nodes" else "other"
            if place.role == "graph" and text == "nodes":
                role = "nodes"
            graphs, others = place.graphs + (role == "graph"), place.others + (role == "other")
            # Deeper groups are skipped; the reader of the enclosing entry reports them.
            if graphs <= found.limits.depth + (role != "nodes") and others <= DEEPEST + 2:
                waiting.append(Place(item, len(found.entries) - 1, path, around, role, graphs, others))


def hard_link(group: Any, name: bytes, path: str) -> bool:
    """Refuses a link to another place or file."""
    h5l = library().h5l
    kind = group.links.get_info(name).type
    if kind != h5l.TYPE_HARD:
        refuse_link(path, "a link to another file" if kind == h5l.TYPE_EXTERNAL else "a link to another place")
    return True


def take(item: Any, parent: int, name: str, path: str, found: Survey) -> None:
    """Adds one data set to the survey: texts and small arrays are read, large arrays recorded, other values marked as odd."""
    h5py = library()
    h5d, h5s = h5py.h5d, h5py.h5s
    if not isinstance(item, h5d.DatasetID):
        found.entries.append(Entry(parent, name, "odd", "a type without data"))
        return
    data: Any = item
    plist = data.get_create_plist()
    if plist.get_external_count() or plist.get_layout() == h5d.VIRTUAL:
        refuse_link(path, "a data set whose values are in other files")
    dtype: Any = data.dtype
    if data.get_space().get_simple_extent_type() == h5s.NULL:
        found.entries.append(Entry(parent, name, "odd", f"Empty of {dtype}"))
        return
    shape, size = tuple(map(int, data.shape)), prod(data.shape)
    if (
        not size and prod(length or 1 for length in shape) > found.limits.bytes
    ):  # NumPy does not support such an empty array
        found.entries.append(Entry(parent, name, "odd", f"{dtype} {shape}"))
        return
    found.add_bytes(size * dtype.itemsize, path)
    if plist.get_layout() == h5d.CHUNKED and prod(plist.get_chunk()) * dtype.itemsize > found.limits.bytes:
        refuse_limit("bytes", found.limits, prod(plist.get_chunk()) * dtype.itemsize, "in one chunk", path)
    is_text = h5py.check_string_dtype(dtype) is not None
    if is_text and size <= found.limits.entries:
        values = values_of(data)
        texts = [value if isinstance(value, bytes) else bytes(value) for value in values.reshape(-1)]
        found.add_bytes(sum(map(len, texts)), path)
        written = list(map(text_of, texts))
        found.entries.append(
            Entry(parent, name, "texts", (shape, written)) if shape else Entry(parent, name, "text", written[0])
        )
    elif dtype.kind in "fiubc" and not dtype.hasobject:
        is_small = size * dtype.itemsize <= SMALL
        found.entries.append(Entry(parent, name, "small" if is_small else "large", (dtype.str, shape)))
        if is_small:
            found.small += values_of(data).tobytes()
        else:
            found.large.append(data)
    else:
        found.entries.append(Entry(parent, name, "odd", f"{dtype} {shape}"))


def text_of(value: bytes) -> str:
    """Encodes text with the prefix `t`, and bytes that are not UTF-8 as hexadecimal digits with the prefix `x`."""
    try:
        return "t" + value.decode()
    except UnicodeDecodeError:
        return "x" + value.hex()
