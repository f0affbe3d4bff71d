"""Copies of ops are those of xDSL: the same text, and uses in the same order; a change of a copy leaves the original as it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from xdsl.dialects import cf, test
from xdsl.dialects.builtin import IntAttr, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from nopt.api.conformance.networks import generate
from nopt.core.ir.context import NoptContext
from nopt.core.ir.copying import copy_op
from nopt.core.ir.source import check_module, format_module
from nopt.dialects import ntensor


def values(op: Operation) -> Iterator[SSAValue]:
    for one in op.walk():
        yield from one.results
        for block in (block for region in one.regions for block in region.blocks):
            yield from block.args


def parts(op: Operation) -> list[object]:
    """Returns everything that two copies have in common, ops and values as their numbers."""
    number = {value: k for k, value in enumerate(values(op))}
    place = {one: k for k, one in enumerate(op.walk())}
    ops = [
        (
            type(one),
            [number.get(x, x) for x in one.operands],
            one.properties,
            one.attributes,
            one.location,
            [[block.name_hint for block in region.blocks] for region in one.regions],
            len(one.successors),
        )
        for one in op.walk()
    ]
    uses = [(x.type, x.name_hint, [(place[use.operation], use.index) for use in x.uses]) for x in number]
    return [ops, uses]


def recurrent() -> ModuleOp:
    """Returns a network with a loop, whose values are read before they are defined."""
    drawn = [one for seed in range(10) if (one := generate(seed, ["lif"])) is not None]
    return next(one.module for one in drawn if '"rec"' in str(one.module))


@pytest.mark.parametrize("name", ["module", "network", "update"])
def test_copies_are_those_of_xdsl(name: str) -> None:
    module = recurrent()
    op = {
        "module": module,
        "network": next(op for op in module.ops if isinstance(op, ntensor.NetworkOp)),
        "update": next(op for op in module.ops if isinstance(op, ntensor.UpdateOp)),
    }[name]
    assert parts(copy_op(op)) == parts(op.clone())
    assert copy_op(op).parent is None


def test_successors_and_outer_values_are_kept() -> None:
    """A branch goes to the copy of its block, and reads the value of the original that is defined outside."""
    given = test.TestOp(result_types=[i32])
    last = Block(arg_types=[i32])
    first = Block([cf.BranchOp(last, given.res[0])])
    op = test.TestOp(regions=[Region([first, last])], properties={"prop1": IntAttr(1)})
    copy = copy_op(op)
    branch = copy.regions[0].blocks[0].last_op
    assert isinstance(branch, cf.BranchOp)
    assert branch.successors[0] is copy.regions[0].blocks[1]
    assert branch.operands[0] is given.res[0]
    assert given.res[0].uses.get_length() == 2
    assert last.predecessors() == (first,)


def test_a_copy_is_independent() -> None:
    module = recurrent()
    text = format_module(NoptContext(), module)
    copy = copy_op(module)
    assert format_module(NoptContext(), copy) == text
    check_module(copy)
    for op in [*copy.walk()][:0:-1]:
        op.properties.clear()
        op.attributes.clear()
        op.detach()
        op.drop_all_references()
    assert not [*copy.ops]
    assert format_module(NoptContext(), module) == text
