"""Canonical order of sums: by the structure of the network, never by names or by the order of a file.

Floating-point sums depend on their order, so the operands of every `ntensor.sum` are sorted by a key that describes the
neighbourhood of each operand: the kind of its op, the parameters, the operands and the readers. Keys are refined round
by round, as in the colour refinement of graphs, until the partition is stable. Where operands differ only in the network inputs
that they depend on, the position of the inputs decides. Operands that are still equal carry the same numbers.

Source: B. Weisfeiler and A. Leman, The reduction of a graph to canonical form (1968).
"""

from __future__ import annotations

from hashlib import blake2b

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from ..core.arrays.arrays import ArrayAttr
from ..dialects import ntensor

ORDER_ROUNDS = 100
"""Most rounds of refinement: how far apart two operands may first differ."""

NAMES = frozenset({"node", "part_of", "family"})
"""Properties that only name something."""


def digest(*parts: bytes) -> bytes:
    content = blake2b(digest_size=16)
    for part in parts:
        content.update(len(part).to_bytes(4, "little"))
        content.update(part)
    return content.digest()


def attribute_key(attribute: Attribute) -> bytes:
    """Returns the content of an attribute, for a key."""
    match attribute:
        case ArrayAttr():
            return attribute.data.digest.encode()
        case DictionaryAttr():
            return digest(
                *(
                    told_entry
                    for name in sorted(attribute.data)
                    for told_entry in (name.encode(), attribute_key(attribute.data[name]))
                )
            )
        case ListAttr():
            entries: ListAttr[Attribute] = attribute
            return digest(*(attribute_key(entry) for entry in entries))
        case _:
            return str(attribute).encode()


def told_op(op: Operation) -> bytes:
    """Returns the key of an op by itself, without its names and operands."""
    parts = [op.name.encode(), *(str(result.type).encode() for result in op.results)]
    for name in sorted(op.properties.keys() - NAMES):
        parts += [name.encode(), attribute_key(op.properties[name])]
    return digest(*parts)


def order_sums(block: Block) -> None:
    """Sorts the operands of every sum of a network by structure, and by the position of inputs where that leaves a choice."""
    sums = [op for op in block.ops if isinstance(op, ntensor.SumOp) and len(op.xs) > 1]
    if not sums:
        return
    own = {op: told_op(op) for op in block.ops}
    keys = refined(block, own, {arg: digest(b"input", str(arg.type).encode()) for arg in block.args})
    if all(len({keys[x] for x in op.xs}) == len(set(op.xs)) for op in sums):
        places = keys
    else:  # inputs of equal roles differ in what they carry
        places = refined(block, own, {arg: digest(b"input", str(arg.index).encode()) for arg in block.args})
    for op in sums:
        op.operands = sorted(op.operands, key=lambda value: (keys[value], places[value]))


def refined(block: Block, own: dict[Operation, bytes], start: dict[SSAValue, bytes]) -> dict[SSAValue, bytes]:
    """Returns a key of every value, refined from `start` and `own` by the ops that produce and read it."""
    keys = start | {result: own[op] for op in block.ops for result in op.results}
    for _ in range(ORDER_ROUNDS):
        reading = {op: read_key(op, keys, own[op]) for op in block.ops}
        following: dict[SSAValue, bytes] = {}
        for value, key in keys.items():
            base = reading[value.op] if isinstance(value, OpResult) else key
            users = sorted(use_key(use.operation, use.index, keys, own) for use in value.uses)
            following[value] = digest(base, *users)
        is_stable = len(set(following.values())) == len(set(keys.values()))
        keys = following
        if is_stable:
            break
    return keys


def read_key(op: Operation, keys: dict[SSAValue, bytes], own: bytes) -> bytes:
    read = [keys[value] for value in op.operands]
    return digest(own, *(sorted(read) if isinstance(op, ntensor.SumOp) else read))


def use_key(op: Operation, index: int, keys: dict[SSAValue, bytes], own: dict[Operation, bytes]) -> bytes:
    """Returns the key of a reader of a value: its position only where positions differ."""
    place = b"" if isinstance(op, ntensor.SumOp | ntensor.OutputOp) else str(index).encode()
    return digest(own[op], place, *(keys[result] for result in op.results))
