"""Survey of an HDF5 file under limits: its groups, texts and arrays, before large data is read."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from attrs import Factory, define

from ...core.diagnostics import Code, refuse
from ..limits import NIF027, Limits, raised_limit
from ..nir_values import DEEPEST, is_text

NIF001 = Code("NIF001", "hdf5-file-unreadable", "the file cannot be read as HDF5")
NIF028 = Code("NIF028", "file-data-external", "the file does not contain its data")


UNREADABLE = (OSError, RuntimeError, KeyError, TypeError, ValueError, AttributeError, OverflowError)
"""Exceptions of h5py for unreadable files."""
UNALLOCATED = "memory allocation failed"
"""The message of the HDF5 library for a failed allocation."""
ROOTS = ("node", "layer")
"""The group of a `.nir` file, and that of a file of netx."""
SMALL = 2**16
"""Arrays up to this number of bytes are read immediately, larger ones after all sizes are known."""
ALIGNMENT = 16
"""Each array starts at a multiple of this number of bytes."""


def unreadable(error: BaseException) -> NoReturn:
    words = str(error).strip("'\"").split("\n")[0] or type(error).__name__
    refuse(
        NIF001,
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
        help=raised_limit(name, 1 << (found - 1).bit_length() if name == "bytes" else found),
    )


def refuse_link(at: str, found: str) -> NoReturn:
    refuse(
        NIF028,
        at=at,
        expected="groups and data sets in the file",
        found=found,
        help="write the network with nir.write(path, graph), which copies the data",
    )


def library() -> Any:
    """Imports and returns h5py as Any, because its low-level names have no type annotations."""
    import h5py

    return cast(Any, h5py)


def open_file(path: Path) -> Any:
    try:
        return library().File(path, "r")
    except UNREADABLE as error:
        unreadable(error)


@define
class Survey:
    """Survey of a file. A group is a dictionary of its items; every other item is a list that JSON can represent.

    | item | meaning |
    | --- | --- |
    | `["text", text]` | a text; bytes that are not UTF-8 are surrogates |
    | `["texts", shape, texts]` | an array of texts |
    | `["array", dtype, shape, offset]` | an array of numbers, and the place of its first byte in `arrays()` |
    | `["odd", words]` | the description of an unsupported value |
    """

    limits: Limits
    version: str | None = None
    group: str = ROOTS[0]
    """The group at the top of the file that is visited."""
    root: dict[str, Any] | None = None
    data: list[Any] = Factory(list[Any])
    """The bytes of each small array, and the data set of each large one."""
    size: int = 0
    """Bytes of all arrays, alignment included."""
    entries: int = 0
    nodes: int = 0
    total: int = 0
    """Bytes of all arrays and texts."""

    def add_bytes(self, count: int, at: str) -> None:
        self.total += count
        if self.total > self.limits.bytes:
            refuse_limit("bytes", self.limits, self.total, "up to this data set", at)

    def add_array(self, data: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> list[Any]:
        """Adds an array of numbers, and returns its item."""
        offset, count = self.size, prod(shape) * dtype.itemsize
        self.data.append(read_values(data) if count <= SMALL else data)
        self.size += -(-count // ALIGNMENT) * ALIGNMENT
        return ["array", dtype.str, shape, offset]

    def arrays(self) -> Iterator[memoryview | bytes]:
        """Yields the bytes of all arrays; a large array is read on demand."""
        for data in self.data:
            values: Any = cast(Any, data) if isinstance(data, np.ndarray) else read_values(data)
            yield memoryview(values.reshape(-1).view(np.uint8))
            yield bytes(-values.nbytes % ALIGNMENT)


def read_values(data: Any) -> Any:
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


def survey_file(file: Any, limits: Limits) -> Survey:
    """Visits all items of the group `node`, or of `layer`; refuses links, and contents that exceed the limits."""
    found = Survey(limits)
    try:
        walk(file, found)
    except UNREADABLE as error:
        unreadable(error)
    except MemoryError:
        unreadable(MemoryError(UNALLOCATED))
    return found


class UnvisitedGroup(NamedTuple):
    """A group that is not visited yet."""

    group: Any
    items: dict[str, Any]
    """Items of the group, which are added when it is visited."""
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
        match item_of(h5o.open(file.id, b"version"), "version", found):
            case ["text", text] if is_text(text):
                found.version = text
            case _:
                pass
    found.group = next((name for name in ROOTS if name in file), ROOTS[0])
    if found.group not in file or not hard_link(file.id, found.group.encode(), found.group):
        return
    root = h5o.open(file.id, found.group.encode())
    if not isinstance(root, h5g.GroupID):
        return
    found.root, found.entries = dict[str, Any](), 1
    role = "graph" if found.group == ROOTS[0] else "nodes"
    waiting = [UnvisitedGroup(root, found.root, found.group, (), role, 0, 0)]
    while waiting:
        place = waiting.pop()
        around = (*place.around, h5o.get_info(place.group).addr)
        count = place.group.get_num_objs()
        found.entries += count
        if found.entries > found.limits.entries:
            refuse_limit("entries", found.limits, found.entries, "groups and data sets", place.path)
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
                place.items[text] = item_of(item, path, found)
                continue
            if h5o.get_info(item).addr in around:
                refuse_link(path, "a group that contains itself")
            items = place.items[text] = dict[str, Any]()
            role = "graph" if place.role == "nodes" else "other"
            if place.role == "graph" and text == "nodes":
                role = "nodes"
            graphs, others = place.graphs + (role == "graph"), place.others + (role == "other")
            # Deeper groups are skipped; the reader of the enclosing entry reports them.
            if graphs <= found.limits.depth + (role != "nodes") and others <= DEEPEST + 2:
                waiting.append(UnvisitedGroup(item, items, path, around, role, graphs, others))


def hard_link(group: Any, name: bytes, path: str) -> bool:
    """Refuses a link to another place or file."""
    h5l = library().h5l
    kind = group.links.get_info(name).type
    if kind != h5l.TYPE_HARD:
        refuse_link(path, "a link to another file" if kind == h5l.TYPE_EXTERNAL else "a link to another place")
    return True


def item_of(item: Any, path: str, found: Survey) -> list[Any]:
    """Returns the item of one data set: texts and small arrays are read, large arrays recorded."""
    h5py = library()
    h5d, h5s = h5py.h5d, h5py.h5s
    if not isinstance(item, h5d.DatasetID):
        return ["odd", "a type without data"]
    data: Any = item
    plist = data.get_create_plist()
    if plist.get_external_count() or plist.get_layout() == h5d.VIRTUAL:
        refuse_link(path, "a data set whose values are in other files")
    dtype: Any = data.dtype
    if data.get_space().get_simple_extent_type() == h5s.NULL:
        return ["odd", f"Empty of {dtype}"]
    shape, size = tuple(map(int, data.shape)), prod(data.shape)
    # NumPy does not support such an empty array
    if not size and prod(length or 1 for length in shape) > found.limits.bytes:
        return ["odd", f"{dtype} {shape}"]
    found.add_bytes(size * dtype.itemsize, path)
    if plist.get_layout() == h5d.CHUNKED and prod(plist.get_chunk()) * dtype.itemsize > found.limits.bytes:
        refuse_limit("bytes", found.limits, prod(plist.get_chunk()) * dtype.itemsize, "in one chunk", path)
    if h5py.check_string_dtype(dtype) is not None and size <= found.limits.entries:
        values = read_values(data)
        texts = [value if isinstance(value, bytes) else bytes(value) for value in values.reshape(-1)]
        found.add_bytes(sum(map(len, texts)), path)
        written = [text.decode(errors="surrogateescape") for text in texts]
        return ["texts", shape, written] if shape else ["text", written[0]]
    if dtype.kind in "fiubc" and not dtype.hasobject:
        return found.add_array(data, dtype, shape)
    return ["odd", f"{dtype} {shape}"]
