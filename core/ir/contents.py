"""Contents of ops as values that are compared and hashed, and the contents that have verified.

A network has few different updates, and most passes leave them as they are. Each of their contents is verified once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import HasAncestor, OpTrait, SymbolUserOpInterface

from ..diagnostics import Refused

OpContents = tuple[Any, ...]

MOST_KEPT = 4096
"""Contents that are kept."""
VERIFIED: dict[OpContents, None] = {}
"""Contents that have verified, oldest first."""


class VerifiesByContents(OpTrait):
    """Trait of an op that verifies in isolation: its verifier and the verifiers of its inner ops read nothing outside the op."""


def has_verified(contents: OpContents | None) -> bool:
    """Returns whether an op with the same contents has verified."""
    return contents is not None and contents in VERIFIED


def keep_verified(contents: OpContents | None) -> None:
    """Records that an op with these contents has verified."""
    if contents is not None:
        if len(VERIFIED) >= MOST_KEPT:
            del VERIFIED[next(iter(VERIFIED))]
        VERIFIED[contents] = None


def op_contents(op: Operation) -> OpContents | None:
    """Returns the contents of an op, which are equal for ops that differ only in their places in the text.

    Returns None if an op in it reads a value or a symbol that is defined outside or later, or an array that cannot be read.
    """
    contents = contents_within(op, {})
    try:
        hash(contents)
    except Refused:
        return None
    return contents


def contents_within(op: Operation, numbers: dict[SSAValue, int]) -> OpContents | None:
    """Returns the contents of an op with values as numbers: `numbers` has the values that the op reads, and receives its own."""
    kind, operands = type(op), tuple(numbers.get(value) for value in op.operands)
    if None in operands or op.successors or reads_outside(kind):
        return None
    for value in op.results:
        numbers[value] = len(numbers)
    regions: list[OpContents] = []
    for region in op.regions:
        blocks: list[OpContents] = []
        for block in region.blocks:
            for value in block.args:
                numbers[value] = len(numbers)
            ops = tuple(contents_within(inner, numbers) for inner in block.ops)
            if None in ops:
                return None
            blocks.append((block.arg_types, ops))
        regions.append(tuple(blocks))
    return kind, operands, op.result_types, entries(op.properties), entries(op.attributes), tuple(regions)


def entries(values: Mapping[str, Attribute]) -> OpContents:
    """Returns the entries of a dictionary in the order of their names."""
    return tuple(sorted(values.items(), key=itemgetter(0)) if len(values) > 1 else values.items())


@cache
def reads_outside(kind: type[Operation]) -> bool:
    """Returns whether the verifier of an op may read ops other than its operands, its parent and its inner ops."""
    return any(isinstance(trait, HasAncestor | SymbolUserOpInterface) for trait in kind.traits)
