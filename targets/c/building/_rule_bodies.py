"""Regions of learning rules as bodies of visits, and the elements that they access."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from attrs import define, field
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue
from xdsl.rewriter import Rewriter

from ....core.arrays.numeric import AnyArray, Ints
from ....core.fixed_point import Interval
from ....core.ir.graph_region import walk_upstream
from ....core.ir.operation import texts_of
from ....dialects import c
from ....dialects.fixed import IntType
from ....dialects.ntensor import RuleOp
from ....dialects.ntensor.learning.rules import last_values
from .program import inline_block, literal


@define(eq=False)
class Names:
    """A body without its end: the names of its arguments, its results, and the draws of its last arguments."""

    block: Block
    names: list[str]
    results: list[SSAValue]
    draws: list[int]


class Tables(Protocol):
    """A maker of constants."""

    def table(self, name: str, values: Ints) -> SSAValue: ...


@define(eq=False)
class Visited:
    """Groups that an event reaches, and the memory of the names that a body may read."""

    groups: int
    operands: dict[str, SSAValue | None] = field(factory=dict[str, SSAValue | None])
    names: dict[str, tuple[SSAValue, Ints | None]] = field(factory=dict[str, tuple[SSAValue, "Ints | None"]])
    """The memory of each name, and the index of each member's element in it; None if it is that of the member."""
    group: Ints | None = None
    """The group of each member, for members in the order of memory."""
    place: Ints | None = None
    """The place of each member in its group, if the group is a run of members."""
    places: list[SSAValue] = field(factory=list[SSAValue])

    def way_of(self, name: str, tables: Tables) -> int:
        """Returns the access of a name; it adds a table where no other access is the same."""
        memory, index = self.names[name]
        if index is None:
            return c.EVENT_ROW if len(c.memory_shape(memory)) == 2 and name == "pending" else c.MEMBER
        if c.length_of(memory) == 1:
            return c.SINGLE
        if "start" not in self.operands and (index == np.arange(len(index))).all():
            return c.MEMBER
        for known, way in ((self.group, c.GROUP), (self.place, c.PLACE_IN_GROUP)):
            if known is not None and len(known) == len(index) and (known == index).all():
                return way
        table = tables.table("place", index)
        if table not in self.places:
            self.places.append(table)
        return self.places.index(table)


def rule_body(
    rule: RuleOp,
    params: Mapping[str, AnyArray],
    region: Block,
    ends: Sequence[int],
    number: int,
    narrow: Mapping[str, Attribute],
) -> Names:
    """Returns some results of a region as a body of what they read. `number` is that of the block, for random numbers; `narrow` are known types."""
    values = [last_values(region)[k] for k in ends]
    read = {value for value in walk_upstream(values, lambda _: True) if isinstance(value, BlockArgument)}
    leading, randoms = rule.leading, texts_of(rule.randoms)
    given = list(zip(leading, region.args, strict=False))
    known: dict[SSAValue, SSAValue] = {}
    block = Block(arg_types=[narrow.get(name, arg.type) for name, arg in given])
    known.update(zip((arg for _, arg in given), block.args, strict=True))
    for name, arg in zip(texts_of(rule.params), region.args[len(leading) :], strict=True):
        known[arg] = param(block, params[name], arg.type)
    found = inline_block(block, region, known)
    results = [found[k] for k in ends]
    kept = set(results)
    for op in reversed(list(block.ops)):
        if not any(result in kept or any(True for _ in result.uses) for result in op.results):
            Rewriter.erase_op(op)
    names: list[str] = []
    draws: list[int] = []
    for (name, arg), mine in zip(given, list(block.args), strict=True):
        if arg not in read:
            block.erase_arg(mine)
        elif name in randoms:
            draws.append(number * len(randoms) + randoms.index(name))
        else:
            names.append(name)
    return Names(block, names, results, draws)


def param(block: Block, value: AnyArray, type: Attribute) -> SSAValue:
    """Adds a parameter as a number."""
    if isinstance(type, IntType):
        integer = int(np.asarray(value).astype(np.int64))
        return literal(block, integer, IntType.of(Interval(integer, integer)))
    return literal(block, value, type)
