"""Survey of an HDF5 file under limits: its groups, texts and arrays, before large data is read."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from attrs import Factory, define

from ..core.diagnostics import Code, refuse
from .limits import Limits
from .nir_values import DEEPEST

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


class Entry(NamedTuple):
    """A group, text or array of the file. The data of arrays follows in the order of their entries, small arrays first."""

    parent: int
    name: str
    kind: str
    """group, text, texts, small, large or odd."""
    value: Any = None
    """The text, the texts with their shape, the number format and shape of an array, or the description of an unsupported value."""


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
