"""The base of every op of ours: refusals that carry their op, and parameters that cannot be misspelt."""

from __future__ import annotations

from abc import ABC
from typing import Any, NoReturn

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, traits_def
from xdsl.traits import OpTrait

from .diagnostics import Code, invalid

OPS001 = Code(
    "OPS001",
    "an op has a parameter that it does not know",
    cause="The attribute dictionary of an op of ours names something that is neither one of its parameters nor a dotted name. "
    "A misspelt optional parameter would otherwise be ignored without a word.",
    remedy="Correct the spelling, or put a dot into the name (`mine.note`) if it is an annotation of your own.",
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
