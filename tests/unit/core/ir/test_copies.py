"""Copies of ops are those of xDSL."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from nopt.core.ir.copies import copy_op

TEXTS = (
    """func.func @loop(%a_1 : i32, %b : i32) -> i32 {
  %s = arith.addi %a_1, %b {note = "kept"} : i32
  cf.br ^bb1(%s : i32)
^bb1(%x : i32):
  %y = arith.muli %x, %s : i32
  cf.cond_br %c, ^bb1(%y : i32), ^bb2
^bb2:
  %c = arith.constant true
  func.return %y : i32
}""",
    """module { func.func private @none() -> () }""",
    """func.func @twice(%v : f32) -> (f32, f32) {
  %0 = arith.addf %v, %v fastmath<fast> : f32
  %name_2 = arith.mulf %0, %v : f32
  func.return %name_2, %0 : f32, f32
}""",
)


def module_of(text: str) -> ModuleOp:
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, cf.Cf, func.Func):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def values_in(op: Operation) -> list[SSAValue]:
    """Returns the values that an op defines, with the arguments of its blocks."""
    return [*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)]


def details(module: Operation) -> list[Any]:
    """Returns everything about the ops of a module that a copy keeps, with ops and blocks as numbers."""
    ops = list(module.walk())
    number = {op: k for k, op in enumerate(ops)}
    blocks = {block: k for k, block in enumerate(b for op in ops for region in op.regions for b in region.blocks)}
    return [
        (
            type(op),
            [(v.type, v.name_hint, {(number[use.operation], use.index) for use in v.uses}) for v in values_in(op)],
            [getattr(value, "location", None) for value in values_in(op)],
            (op.properties, op.attributes, op.location),
            [blocks[block] for block in op.successors],
        )
        for op in ops
    ]


@given(st.sampled_from(TEXTS))
def test_copy_is_the_same_module(text: str) -> None:
    """A copy has the text, the values, the locations and the successors of the module, and shares no op with it."""
    module = module_of(text)
    copy = copy_op(module)
    assert str(copy) == str(module)
    assert details(copy) == details(module)
    assert not {*map(id, module.walk())} & {*map(id, copy.walk())}


@given(st.sampled_from(TEXTS))
def test_uses_have_the_order_of_xdsl(text: str) -> None:
    """The uses of a copied value are in the order in which xDSL sets operands: those of later ops come first."""
    copy = copy_op(module_of(text))
    number = {op: k for k, op in enumerate(copy.walk())}
    for value in [value for op in number for value in values_in(op)]:
        uses = [(number[use.operation], use.index) for use in value.uses]
        assert uses == sorted(uses, reverse=True)


def test_operands_outside_stay() -> None:
    """An inner op that is copied alone reads the same values, or those that a mapper names."""
    module = module_of(TEXTS[2])
    first, second = [op for op in module.walk() if op.name.startswith("arith")]
    assert [*copy_op(second).operands] == [*second.operands]
    copy = copy_op(first)
    assert copy_op(second, {first.results[0]: copy.results[0]}).operands[0] is copy.results[0]
