"""Parts of source locations: the nodes and the lines that a location names. `core/locations.py` defines their forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.ir import Attribute


def file_location(file: str) -> LocationAttr:
    """Returns the location of a file without lines. Its name may contain bytes that are not text."""
    return FileLineColLoc(StringAttr(file.encode(errors="replace").decode()), IntAttr(0), IntAttr(0))


def node_location(node: str, location: LocationAttr = UNKNOWN_LOC) -> LocationAttr:
    """Returns the location of a node in a file or a text."""
    return NameLoc(StringAttr(node), NoneAttr() if isinstance(location, UnknownLoc) else location)


def is_known(location: LocationAttr) -> bool:
    return not isinstance(location, UnknownLoc)


def location_parts(location: Attribute) -> Iterator[tuple[str | None, FileLineColLoc | None]]:
    """Yields the node and the file of each part of a location."""
    match location:
        case FileLineColLoc():
            yield None, location
        case NameLoc():
            yield location.desc.data, line_of(location.location)
        case CallSiteLoc():
            yield from location_parts(location.callee)
        case FusedLoc():
            for part in fused_parts(location):
                yield from location_parts(part)
        case _:
            pass


def fused_parts(location: FusedLoc) -> Iterable[Attribute]:
    """Returns the locations that a location combines."""
    parts: Attribute = location.locations
    return cast("ListAttr[Attribute]", parts) if isinstance(parts, ListAttr) else ()


def line_of(location: Attribute) -> FileLineColLoc | None:
    """Returns the first file, with its line, of a location."""
    return next((line for _, line in location_parts(location) if line is not None), None)


def file_of(location: LocationAttr) -> str | None:
    """Returns the file of a location, where that is known."""
    line = line_of(location)
    return None if line is None else line.filename.data


def nodes_of(location: LocationAttr) -> list[str]:
    """Returns the nodes of a location, without duplicates."""
    return list(dict.fromkeys(node for node, _ in location_parts(location) if node is not None))


def fuse(locations: Iterable[LocationAttr]) -> LocationAttr:
    """Returns the location of an op that serves several nodes."""
    parts: dict[Attribute, None] = {}
    for location in locations:
        known: Iterable[Attribute] = (location,) if is_known(location) else ()
        if isinstance(location, FusedLoc):
            known = fused_parts(location)
        parts.update(dict.fromkeys(known))
    only = next(iter(parts), UNKNOWN_LOC)
    return FusedLoc(list(parts), NoneAttr()) if len(parts) > 1 else only  # pyrefly: ignore[bad-return]
