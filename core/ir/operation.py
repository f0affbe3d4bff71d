"""The base of every op of ours: refusals that carry their op, and parameters that cannot be misspelt."""

from __future__ import annotations

from abc import ABC
from typing import Any, NoReturn

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation, traits_def
from xdsl.traits import OpTrait

from ..diagnostics import Code, invalid

OPS001 = Code(
    "OPS001",
    "an op has a parameter that it does not know",
    cause="The attribute dictionary of an op of ours names something that is neither one of its parameters nor a dotted name. "
    "A misspelt optional parameter would otherwise be ignored without a word.",
    remedy="Correct the spelling, or put a dot into the name (`mine.note`) if it is an annotation of your own.",
)
OPS002 = Code(
    "OPS002",
    "a value is used before it is defined",
    cause="The region computes its ops from top to bottom. An op reads the result of one that stands below it, or its own.",
    remedy="Move the op that defines the value above the op that reads it.",
)


class KnownAttributes(OpTrait):
    """Refuses a misspelt parameter, which xDSL would take for a free attribute; dotted names stay free for anybody."""

    def verify(self, op: Operation) -> None:
        if not isinstance(op, IRDLOperation):
            return
        definition = type(op).get_irdl_definition()
        known = {*definition.attributes, *definition.properties}
        if stray := [name for name in op.attributes if "." not in name and name not in known]:
            invalid(
                op,
                OPS001,
                f"{op.name} has no parameter '{stray[0]}'",
                expected=f"one of {', '.join(sorted(known)) or 'none'}, or a name with a dot",
                found=stray[0],
                help="correct the spelling, or put a dot into the name of an annotation of your own",
            )


class ComputesInOrder(OpTrait):
    """Refuses a value that is used before it is defined, in the regions of an op and in those within: their ops run from top to bottom."""

    def verify(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                verify_order(op, block)


def verify_order(op: Operation, block: Block) -> None:
    """Errors: OPS002 a value of the block is used before it is defined."""
    defined: set[Operation] = set()
    for step in block.ops:
        for user in step.walk():
            for value in user.operands:
                if (owner := value.owner) in defined or not isinstance(owner, Operation) or owner.parent is not block:
                    continue
                invalid(
                    op,
                    OPS002,
                    f"{user.name} uses a value before it is defined",
                    expected=f"{owner.name} above {user.name}"
                    if owner is not step
                    else "values that are defined above it",
                    found=f"{owner.name} below it" if owner is not step else "a value of its own",
                    help=f"move {owner.name} above {user.name}" if owner is not step else "give it another operand",
                )
        for region in step.regions:
            for inner in region.blocks:
                verify_order(op, inner)
        defined.add(step)


class NoptOperation(IRDLOperation, ABC):
    """Base of all ops of ours. A refusal carries its op; xDSL's own would print the whole module into a note."""

    traits = traits_def(KnownAttributes())  # joined with the traits of every subclass

    def emit_error(self, message: str, underlying_error: Exception) -> NoReturn:
        raise underlying_error


def shape_of(value: SSAValue | Attribute) -> tuple[int, ...]:
    """Shape of a tensor value or type. Operands are typed `SSAValue[Attribute]`, whatever their constraint; this narrows in one place."""
    type: Any = value.type if isinstance(value, SSAValue) else value
    assert isinstance(type, ShapedType)  # guaranteed by the op's constraints
    return type.get_shape()


def element_type(value: SSAValue | Attribute) -> Attribute:
    """Element type of a tensor value or type."""
    type: Any = value.type if isinstance(value, SSAValue) else value
    return type.get_element_type()
