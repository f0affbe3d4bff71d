"""Keys of the cache of counts: equal for chains and slicings with equal counts, and without an array."""

from __future__ import annotations

from collections.abc import Hashable

from attrs import frozen
from xdsl.ir import Attribute, Operation

from ...core.arrays.arrays import ArrayAttr
from ..ntensor import QuantizedAttr

UNCOUNTED = ("node", "part_of", "bias", "exponent")
"""Properties of ops without an effect on counts."""


@frozen(cache_hash=True)
class Content:
    """A key of the cache, which is hashed once."""

    value: Hashable


def content_of(op: Operation) -> Hashable:
    """Returns a key that is equal for ops with equal counts, and holds no array."""
    properties = tuple(
        (name, content_of_property(given)) for name, given in op.properties.items() if name not in UNCOUNTED
    )
    return type(op), op.operands[0].type, op.results[0].type, properties


def content_of_property(given: Attribute) -> Hashable:
    match given:
        case ArrayAttr():
            return given.data.digest
        case QuantizedAttr():
            return given.bits, given.zero.data.digest
        case _:
            return given
