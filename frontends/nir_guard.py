"""Reads the HDF5 format of a file that nobody vouches for, in a process of its own: whatever happens there, nopt goes on.

The process looks at links, types and sizes first and reads only what is data, in the file itself, and within the limits. It
hands over plain numbers and texts through a pipe. If it dies, as the HDF5 library does on some damaged files, or takes too long
or too much, the file is refused. Where no process can be forked, the same is read without that protection.

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
    cause="A `.nir` file is an HDF5 file. This one is not, was cut off, or uses something that the HDF5 library cannot read.",
    remedy="Export the network again, or copy the file again and compare its size.",
)
NIF027 = Code(
    "NIF027",
    "the file asks for more than the limits allow",
    cause="Sizes stand in a file before its data, and a damaged or malicious file may declare any. So they are held against limits "
    "before anything is read.",
    remedy="If the file is meant so, raise the limit that the message names.",
)
NIF028 = Code(
    "NIF028",
    "the file does not hold its data itself",
    cause="HDF5 can point to other files, to places elsewhere in the file, and to a group within itself. NIR uses none of these, and "
    "following them would read what the file's author chooses.",
    remedy="Export the network again with `nir.write`, which writes all data into the file.",
)
NIF029 = Code(
    "NIF029",
    "the HDF5 library cannot stand the file",
    cause="While it read the file, the library ended its process, or came to no end. That happens with damaged files.",
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
"""What h5py raises for files that it cannot read."""
UNALLOCATED = "memory allocation failed"
"""What the HDF5 library says where it gets no memory."""
SMALL = 2**16
"""Arrays up to so many bytes are read at once, larger ones after all sizes are known."""
SPARE_BYTES = 2**28
"""Memory that reading needs beside the arrays."""
PATIENCE = 2
"""How much longer reading may take than its processor time, on a machine that does other things, too."""


class Entry(NamedTuple):
    """A group, text or array of the file; arrays follow in the order of their entries, first all small ones."""

    parent: int
    name: str
    kind: str
    """group, text, texts, small, large or odd."""
    value: Any = None
    """The text, the texts with their shape, the number format and shape of an array, or words for what is odd."""


class Contents(NamedTuple):
    """The group `node` as nested dictionaries, None where there is none, and the version."""

    node: Any
    version: str | None


def contents(path: Path, limits: Limits) -> Contents:
    """What a file holds, read under limits in a process of its own.

    Errors: NIF001, NIF027 to NIF029.
    """
    library()  # the forked process finds it imported
    if not hasattr(os, "fork"):
        return unguarded(path, limits)
    ours, theirs = os.pipe()
    try:
        pid = forked()
    except OSError:  # no more processes for this user
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
    """The fork does nothing but read the file and exit, so that other threads of the caller do not matter to it."""
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
        "the HDF5 library comes to no end with the file" if late else "the HDF5 library breaks on the file",
        file=str(path),
        expected=f"an end within {limits.seconds} s" if late else "a `.nir` file as nir.write makes it",
        found=f"none ({name})" if late else f"its process ended ({name})",
        help=f"--limit seconds={10 * limits.seconds}, or export the network again"
        if late
        else "export the network again",
    )


# ---- our side


@define
class Pipe:
    """Reads what the other process writes, until a point in time; ends with EOFError."""

    number: int
    deadline: float

    def fill(self, buffer: Any) -> None:
        view = memoryview(buffer).cast("B")
        ready = select.poll()  # unlike select.select it takes any number of open files
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
    """What the other process found. Raises EOFError where it ended before."""
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
    """Nested dictionaries from entries, each of which stands behind the group that it is in."""
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


# ---- the other side


def child(path: Path, limits: Limits, pipe: int) -> NoReturn:
    """Reads the file, writes what it holds to the pipe, and ends the process."""
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
    """Takes from this process the terminal, core dumps, and more time and memory than the limits allow."""
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
    """Writes the header, the small arrays, and each large array behind a message that it could be read; or the refusal."""

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
    """The same within this process."""
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
        expected="a `.nir` file as nir.write makes it",
        # The library asks for as much as a damaged size says, and gets nothing beyond the limits of its process.
        found="the file needs more memory than its data" if UNALLOCATED in words else words,
        help="export the network again, or copy the file again",
    )


def refuse_limit(name: str, limits: Limits, found: int, what: str, at: str = "") -> NoReturn:
    refuse(
        NIF027,
        f"the file asks for more {name} than the limit allows",
        at=at,
        expected=f"at most {getattr(limits, name)} {name}",
        found=f"{found} {what}",
        # Other data sets can follow: a power of two leaves room for most of them.
        help=f"--limit {name}={1 << (found - 1).bit_length() if name == 'bytes' else found}",
    )


def refuse_link(at: str, found: str) -> NoReturn:
    refuse(
        NIF028,
        "the file does not hold its data itself",
        at=at,
        expected="groups and data sets in the file",
        found=found,
        help="write the network with nir.write(path, graph), which copies the data",
    )


def library() -> Any:
    """h5py, whose low-level names no type checker knows."""
    import h5py

    return cast(Any, h5py)


def opened(path: Path) -> Any:
    try:
        return library().File(path, "r")
    except UNREADABLE as error:
        unreadable(error)


@define
class Survey:
    """What was found in a file: all entries, the small arrays one after the other, and where the large ones are."""

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
        """The large arrays, each read when its turn comes."""
        for data in self.large:
            yield values_of(data)


def values_of(data: Any) -> Any:
    """All values of a data set."""
    h5s = library().h5s
    values: Any = np.empty(data.shape, data.dtype)
    try:
        data.read(h5s.ALL, h5s.ALL, values)
    except UNREADABLE as error:
        unreadable(error)
    except MemoryError:
        unreadable(MemoryError("a data set needs more memory than it holds"))
    return values


def surveyed(file: Any, limits: Limits) -> Survey:
    """Walks through the group `node`; refuses links, and what the limits do not allow."""
    found = Survey(limits)
    try:
        walk(file, found)
    except UNREADABLE as error:
        unreadable(error)
    except MemoryError:
        unreadable(MemoryError(UNALLOCATED))
    return found


class Place(NamedTuple):
    """A group that is still to be walked through."""

    group: Any
    entry: int
    """Its number among the entries."""
    path: str
    around: tuple[Any, ...]
    """Addresses of the groups that it is in."""
    role: str
    """graph, nodes, or other."""
    graphs: int
    """Graphs around it."""
    others: int
    """Groups around it that are neither graphs nor nodes."""


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
                refuse_link(path, "a group that holds itself")
            found.entries.append(Entry(place.entry, text, "group"))
            role = "graph" if place.role == "nodes" else "other"
            if place.role == "graph" and text == "nodes":
                role = "nodes"
            graphs, others = place.graphs + (role == "graph"), place.others + (role == "other")
            # What is nested deeper is left out, and whoever reads the entry around it says so.
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
    """One data set: texts and small arrays are read, large ones noted, all else is odd."""
    h5py = library()
    h5d, h5s = h5py.h5d, h5py.h5s
    if not isinstance(item, h5d.DatasetID):
        found.entries.append(Entry(parent, name, "odd", "a type and no data"))
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
    if not size and prod(length or 1 for length in shape) > found.limits.bytes:  # NumPy has no such empty array
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
    """Text behind a `t`, or bytes that are none as digits behind an `x`."""
    try:
        return "t" + value.decode()
    except UnicodeDecodeError:
        return "x" + value.hex()
