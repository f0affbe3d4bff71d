"""Equivalence of two networks in ticks, op by op and number by number, independent of the order of the ops.

Ops are matched by their names, updates by their function. Records of approximation, attributes with a dot and the metadata
`quantized` are ignored: no model reads them. Two things may look different and are the same:

1. A sum is a tree of additions of two, each of which may be turned round: `(a + b) + c` is `c + (b + a)`, never `a + (b + c)`.
2. A reshape to the same shape, which only one network has, forwards its operand.

Errors: NRM009 the first op that differs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import define, field, frozen
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, Finding, describe_op, finding_about
from ...core.help_text import OutputFormat, Phrase
from ...core.ir.graph_region import schedule
from ...dialects import ntensor

NRM009 = Code("NRM009", "raised-network-differs", "the network of NIR would be another one")

ASIDE = frozenset({"quantized", "node", "update"})
"""Properties that are compared in another way, or not at all."""


@frozen
class Difference:
    """Where two networks part."""

    op: Operation
    expected: str
    found: str
    is_sum: bool = False
    """Whether the same things are added in another order."""
    at: str = ""
    """Its place, where that is not the op."""

    def finding(self) -> Finding:
        found, help = f"{self.found} when it is converted again", Phrase(OutputFormat("mlir"))
        return finding_about(self.op, NRM009, at=self.at, expected=self.expected, found=found, help=help)


@define
class Keys:
    """The origin of each value of a network: an input, a named op, or a tree of additions."""

    network: ntensor.NetworkOp
    numbers: dict[tuple[object, ...], int]
    """A number for each different thing; two networks share them."""
    wires: frozenset[str] = frozenset()
    """Names of reshapes that pass on what they read."""
    found: dict[SSAValue, int] = field(factory=dict[SSAValue, int])

    def __attrs_post_init__(self) -> None:
        block = self.network.body.block
        for arg in block.args:
            self.found[arg] = self.number("input", arg.index)
        for op in block.ops:
            for value in op.results:
                if not isinstance(op, ntensor.SumOp) and name_of(op) not in self.wires:
                    self.found[value] = self.number("node", name_of(op))
        for part in schedule(block, ntensor.breaks_loops):  # operands precede their sum
            for op in part:
                if isinstance(op, ntensor.SumOp):
                    first, *others = (self.found[x] for x in op.xs)
                    for other in others:
                        first = self.number("add", *sorted((first, other)))
                    self.found[op.y] = first
                elif name_of(op) in self.wires:
                    self.found[op.results[0]] = self.found[op.operands[0]]

    def number(self, *told: object) -> int:
        return self.numbers.setdefault(told, len(self.numbers))


def name_of(op: Operation) -> str | None:
    return describe_op(op)[1]


def ops_by_name(network: ntensor.NetworkOp) -> dict[str, Operation]:
    return {name: op for op in network.body.block.ops if (name := name_of(op)) is not None}


def difference(old: ntensor.NetworkOp, new: ntensor.NetworkOp) -> Difference | None:
    """Returns the first difference between a network and the expected network `old`; None if they are equal."""
    for what, a, b in (
        ("tick_ns", old.tick_ns, new.tick_ns),
        ("inputs", old.input_names, new.input_names),
        ("outputs", old.output_names, new.output_names),
        ("signature", old.function_type, new.function_type),
    ):
        if a != b:
            return Difference(old, f"{what} {a}", str(b))
    before, after = ops_by_name(old), ops_by_name(new)
    wires = frozenset(name for name, op in after.items() if name not in before and is_wire(op))
    for name, op in before.items():
        if name not in after:
            return Difference(op, "a node of this name", "none")
    for name, op in after.items():
        if name not in before and name not in wires:
            return Difference(op, "no node of this name", op.name)
    old_updates, new_updates = ntensor.updates_of(old), ntensor.updates_of(new)
    for name, op in before.items():
        if (found := op_difference(op, after[name], old_updates, new_updates)) is not None:
            return Difference(op, *found)
    return wiring_difference(old, new, before, after, wires)


def is_wire(op: Operation) -> bool:
    return isinstance(op, ntensor.ReshapeOp) and op.x.type == op.y.type


def wiring_difference(
    old: ntensor.NetworkOp,
    new: ntensor.NetworkOp,
    before: Mapping[str, Operation],
    after: Mapping[str, Operation],
    wires: frozenset[str],
) -> Difference | None:
    """Returns the first op whose operands differ between the two networks; None without such an op."""
    numbers: dict[tuple[object, ...], int] = {}
    a, b = Keys(old, numbers), Keys(new, numbers, wires)
    pairs = [(op, after[name]) for name, op in before.items()]
    for one, other in [*pairs, (old.outputs, new.outputs)]:
        for x, y in zip(one.operands, other.operands, strict=True):
            if a.found[x] != b.found[y]:
                left, right = leaves(x, frozenset()), leaves(y, wires)
                is_sum = sorted(left) == sorted(right)
                what = "the sum in this order: " if is_sum else "this as what it reads: "
                at = "" if name_of(one) else f"the outputs of @{old.sym_name.data}"
                return Difference(one, what + " + ".join(left), " + ".join(right), is_sum, at)
    return None


def leaves(value: SSAValue, wires: frozenset[str]) -> list[str]:
    """Returns the quoted names of the operands of a sum, from left to right."""
    if isinstance(value, BlockArgument):
        return [f"input {value.index}"]
    op = value.owner
    if isinstance(op, ntensor.SumOp):
        return [name for x in op.xs for name in leaves(x, wires)]
    assert isinstance(op, Operation)  # arguments are taken already
    return leaves(op.operands[0], wires) if name_of(op) in wires else [f'"{name_of(op)}"']


def op_difference(
    a: Operation, b: Operation, old: Mapping[str, ntensor.UpdateOp], new: Mapping[str, ntensor.UpdateOp]
) -> tuple[str, str] | None:
    """Returns the differences between two ops of one name, as expected and found."""
    if type(a) is not type(b):
        return a.name, b.name
    for what, mine, theirs in (("takes", a.operands, b.operands), ("gives", a.results, b.results)):
        types = [[str(value.type) for value in values] for values in (mine, theirs)]
        if types[0] != types[1]:
            return f"an op that {what} {', '.join(types[0])}", ", ".join(types[1])
    if isinstance(a, ntensor.NeuronOp) and isinstance(b, ntensor.NeuronOp):
        one, other = old[a.update_name], new[b.update_name]
        if not one.is_equal(other):
            return f"the update @{one.sym_name.data}", f"@{other.sym_name.data}"
    for name in sorted((a.properties.keys() | b.properties.keys()) - ASIDE):
        if (found := value_difference(name, compared_property(a, name), compared_property(b, name))) is not None:
            return found
    return None


def compared_property(op: Operation, name: str) -> Attribute | None:
    """Returns a property in its form for comparison: real weights instead of stored integers, other properties unchanged."""
    if isinstance(op, ntensor.SynapseOpInterface) and name == op.WEIGHTS:
        return op.weight_values()
    return op.properties.get(name)


def value_difference(name: str, a: Attribute | None, b: Attribute | None) -> tuple[str, str] | None:
    """Returns the difference between two properties; a scalar equals an array of equal entries, and a bias of -0 equals none."""
    if a == b:
        return None
    if isinstance(a, DictionaryAttr) and isinstance(b, DictionaryAttr) and a.data.keys() == b.data.keys():
        parts = (value_difference(f"{name}.{key}", a.data[key], b.data[key]) for key in a.data)
        return next((part for part in parts if part is not None), None)
    if name == "bias" and a is None and isinstance(b, ArrayAttr) and not b.values.any() and np.signbit(b.values).all():
        return None
    if isinstance(a, ArrayAttr) and isinstance(b, ArrayAttr):
        if a.data.dtype != b.data.dtype:
            return f"{name} in {a.data.dtype}", f"in {b.data.dtype}"
        x, y = np.broadcast_arrays(a.values, b.values) if () in (a.shape, b.shape) else (a.values, b.values)
        if x.shape != y.shape:
            return f"{name} of shape {list(x.shape)}", f"shape {list(y.shape)}"
        unequal = (x != y) | (np.signbit(x) != np.signbit(y)) if x.dtype.kind == "f" else x != y
        unequal &= ~((x != x) & (y != y))
        if not unequal.any():
            return None
        at = np.unravel_index(int(unequal.argmax()), unequal.shape)
        place = list(map(int, at)) or ""
        return f"{name}{place} = {x[at]!s}", str(y[at])
    return f"{name} {str(a)[:60]}", str(b)[:60]
