"""The fixed dialect: integer arithmetic of fixed width, with one explicit op for each addition, rounding, shift, saturation and wrap.

An integer's type is the interval of its values, `!fixed.int<lo, hi>`. The result type of every op is computed from its operands
and verified, so that no op can overflow; an interval beyond 64 signed bits is refused. `saturate` and `wrap` reduce an integer to a
hardware width. `from_real` converts a real to an integer by rounding and saturation; `to_real` converts an integer to a real. The
semantics of each op is defined in one place, `core/fixed_point.py`.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from ._bases import BinaryOp, FixedOperation, IntType, Relation, RelationAttr, RoundingAttr, UnaryOp, interval_of
from .arithmetic import (
    ORDERED,
    RELATIONS,
    ROUNDINGS,
    AbsOp,
    AddOp,
    CmpOp,
    ConstantOp,
    DivOp,
    FromRealOp,
    MaxOp,
    MinOp,
    MulOp,
    NegOp,
    RefineOp,
    SaturateOp,
    SelectOp,
    ShlOp,
    ShrOp,
    SignOp,
    SubOp,
    ToRealOp,
    WidenOp,
    WrapOp,
    comparison_symbol,
)

__all__ = [
    "FIXED",
    "ORDERED",
    "RELATIONS",
    "ROUNDINGS",
    "AbsOp",
    "AddOp",
    "BinaryOp",
    "CmpOp",
    "ConstantOp",
    "DivOp",
    "FixedOperation",
    "FromRealOp",
    "IntType",
    "MaxOp",
    "MinOp",
    "MulOp",
    "NegOp",
    "RefineOp",
    "Relation",
    "RelationAttr",
    "RoundingAttr",
    "SaturateOp",
    "SelectOp",
    "ShlOp",
    "ShrOp",
    "SignOp",
    "SubOp",
    "ToRealOp",
    "UnaryOp",
    "WidenOp",
    "WrapOp",
    "comparison_symbol",
    "interval_of",
]

FIXED = define_dialect("fixed", globals())
