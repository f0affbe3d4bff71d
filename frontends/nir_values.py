"""Conversion of the values of a `.nir` file to attributes: arrays of numbers with their format, sizes, metadata, text."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, TypeGuard, cast

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.ir import Attribute

from ..core.arrays.arrays import ArrayAttr, element_of
from ..core.diagnostics import Code, Diagnostics
from ..core.output import shortened

NIF005 = Code("NIF005", "nir-value-type-mismatch", "a value has the wrong type")
NIF013 = Code("NIF013", "nir-metadata-dropped", "metadata was dropped")

DEEPEST = 64
"""Maximum nesting depth of graphs, and of groups of metadata."""


@frozen
class Odd:
    """Description of a file's value that is neither a number nor a text."""

    words: str


# ---- in


def is_text(value: object) -> TypeGuard[str]:
    """Returns whether a value can be a name: text that UTF-8 can encode."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def group_of(value: Any) -> dict[Any, Any] | None:
    """Returns the value if it is a dictionary, else None."""
    return cast("dict[Any, Any]", value) if isinstance(value, dict) else None


def list_of(value: Any) -> list[Any] | None:
    """Returns the value as a list, or None if it is not one."""
    if isinstance(value, np.ndarray):
        value = cast(Any, value).tolist()
    return [*cast("list[Any]", value)] if isinstance(value, (list, tuple)) else None


def as_numpy(value: Any) -> Any:
    """Returns the value as a NumPy array; a value that is not regular becomes an array of objects."""
    try:
        return np.asarray(value)
    except (ValueError, TypeError):
        return np.empty(1, object)


def array_of(value: Any) -> ArrayAttr | None:
    """Converts an array of numbers, with its shape and number format; returns None for other values."""
    array = as_numpy(value)
    if array.dtype.kind not in "fiub" or element_of(array.dtype) is None:
        return None
    # A writable array is copied, since the caller may change it later; a read-only array is shared.
    return ArrayAttr.of(array.copy() if array.flags.writeable else array)


def sizes_of(value: Any) -> tuple[int, ...] | None:
    """Returns the value as a list of sizes, or None if it is not one."""
    array = as_numpy(value)
    if array.size == 0:
        return ()
    if array.ndim > 1 or array.dtype.kind not in "iu" or int(array.min()) < 0:
        return None
    return tuple(int(n) for n in array.reshape(-1))


# ---- metadata


def metadata_of(value: Any, depth: int = 0) -> Attribute | None:
    """Converts metadata to an attribute; returns None if no attribute can represent it."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            value = np.frombuffer(value, np.uint8)
    if isinstance(value, str):
        return StringAttr(value) if is_text(value) else None
    if depth > DEEPEST:
        return None
    if (group := group_of(value)) is not None:
        found = {name: metadata_of(item, depth + 1) for name, item in entries(group)}
        known = {name: item for name, item in found.items() if item is not None}
        return DictionaryAttr(known) if len(known) == len(group) else None
    if (array := array_of(value)) is not None:
        return array
    if (items := list_of(value)) is None:
        return None
    attributes = [item for item in (metadata_of(item, depth + 1) for item in items) if item is not None]
    return ListAttr(attributes) if len(attributes) == len(items) else None


def entries(metadata: dict[Any, Any]) -> list[tuple[str, Any]]:
    """Returns the entries of metadata whose keys are text, by key."""
    return sorted((key, value) for key, value in metadata.items() if is_text(key))


def kept_metadata(given: Any, at: str, diagnostics: Diagnostics) -> DictionaryAttr | None:
    """Returns the metadata of a node or graph, restricted to entries that an attribute can represent; None if it has no metadata."""
    kept: dict[str, Attribute] = {}
    group = group_of(given) or {}
    for name, value in entries(group):
        if (attribute := metadata_of(value)) is not None:
            kept[name] = attribute
    for name, value in group.items():
        if name not in kept:
            diagnostics.warning(
                NIF013,
                at=at,
                expected="text, numbers, arrays of these, or groups of these",
                found=f"{name!r}: {describe_value(value)}",
                help="write the entry as text or as an array",
            )
    return DictionaryAttr(kept) if kept else None


# ---- messages


def describe_value(value: Any) -> str:
    """Describes a value briefly."""
    if isinstance(value, Odd):
        return value.words
    if isinstance(value, np.ndarray | np.generic):
        array = cast(Any, value)
        return f"{array.dtype} {array.shape}"
    return f"{type(value).__name__} {value!r:.60}"


def short(text: str) -> str:
    return shortened(text, 80)


def suggestion(wrong: str, known: Sequence[str], otherwise: str) -> str:
    """Returns a help line with the known name that is most similar to the wrong one, else `otherwise`."""
    close = get_close_matches(wrong, known, 1)
    return f'did you mean "{close[0]}"?' if close else otherwise


def refuse_value(
    problems: Diagnostics, at: str, message: str, expected: str, found: Any, node: str | None = None
) -> None:
    problems.error(
        NIF005,
        message,
        at=at,
        node=node,
        expected=expected,
        found=describe_value(found),
        help="convert the value before the network is exported",
    )


def refuse_numbers(problems: Diagnostics, at: str, node: str, name: str, found: Any) -> None:
    expected = "f16, f32, f64, or integers of 8 to 64 bits"
    refuse_value(problems, at, f"{name} is not an array of numbers", expected, found, node)
