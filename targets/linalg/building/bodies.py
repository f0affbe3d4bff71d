"""Ops of the body of a `linalg.generic`: scalar arithmetic in upstream dialects.

An integer of an interval is computed in 32 bits if they hold it, else in 64; every op computes in the widest type of its operands and its result.
In tensors, spikes have 8 bits, and integers the smallest type of 8 to 64 signed bits that holds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    f64,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....core.diagnostics import Code, describe_op, refuse
from ....core.fixed_point import Interval, Rounding
from ....dialects import fixed, ntensor
from ....dialects.ntensor import interval_of

LNG001 = Code("LNG001", "linalg-op-unsupported", "an op or a type has no equivalent in the upstream dialects")

WIDTHS = (8, 16, 32, 64)
ORDER: Mapping[fixed.Relation, str] = {
    fixed.Relation.EQ: "eq",
    fixed.Relation.NE: "ne",
    fixed.Relation.LT: "slt",
    fixed.Relation.LE: "sle",
    fixed.Relation.GT: "sgt",
    fixed.Relation.GE: "sge",
}
"""Predicates of `arith.cmpi`."""
ROUNDED: Mapping[Rounding, type[Operation]] = {
    Rounding.FLOOR: mathd.FloorOp,
    Rounding.CEIL: mathd.CeilOp,
    Rounding.TRUNCATE: mathd.TruncOp,
    Rounding.ROUND: mathd.RoundEvenOp,
}
KEPT = (
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.DivfOp,
    arith.NegfOp,
    arith.MinimumfOp,
    arith.MaximumfOp,
    arith.CmpfOp,
    arith.SelectOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ConstantOp,
    mathd.AbsFOp,
    mathd.CopySignOp,
    mathd.ExpOp,
    mathd.LogOp,
    mathd.SqrtOp,
    mathd.FloorOp,
    mathd.CeilOp,
    mathd.TruncOp,
    mathd.RoundEvenOp,
)
"""Ops of updates that have the same meaning upstream."""


def storage_of(element: Attribute) -> Attribute:
    """Returns the element type of a tensor that holds a signal."""
    if element == i1:
        return i8
    held = interval_of(element)
    return element if held is None else integer_type(held, WIDTHS)


def integer_type(held: Interval, widths: Sequence[int] = (32, 64)) -> IntegerType:
    """Returns the smallest signed integer type that holds an interval."""
    return IntegerType(next(bits for bits in widths if Interval.signed(bits).holds(held)))


def width_of(type: Attribute) -> int:
    """Returns the bits of an integer type."""
    given: Any = type
    return int(given.width.data)


def type_in_body(type: Attribute) -> Attribute:
    """Returns the type in which a body computes a value of an update."""
    return integer_type(type.interval) if isinstance(type, fixed.IntType) else type


class Body:
    """The block of a `linalg.generic` under construction."""

    def __init__(self, block: Block):
        self.block = block

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def number(self, value: Any, type: Attribute) -> SSAValue:
        """Adds a constant: a real, an integer, or a truth value."""
        if isinstance(type, AnyFloat):
            return self.add(arith.ConstantOp(FloatAttr(float(value), type)))
        bits: Any = type
        return self.add(arith.ConstantOp(IntegerAttr(int(value), bits, truncate_bits=True)))

    def to_width(self, x: SSAValue, type: Attribute) -> SSAValue:
        """Converts a signed integer that the type holds."""
        if x.type == type:
            return x
        extended: Any = arith.ExtUIOp if x.type == i1 else arith.ExtSIOp
        into: Any = type
        return self.add((extended if width_of(x.type) < width_of(type) else arith.TruncIOp)(x, into))

    def converted(self, x: SSAValue, type: Attribute) -> SSAValue:
        """Converts a stored number to the type of a computation, as the reference does: exact, or to the nearest real."""
        if x.type == type:
            return x
        if isinstance(type, AnyFloat):
            if isinstance(x.type, AnyFloat):
                wider = isinstance(type, Float64Type) or isinstance(x.type, Float16Type | BFloat16Type)
                return self.add((arith.ExtFOp if wider else arith.TruncFOp)(x, type))
            return self.add((arith.UIToFPOp if x.type == i1 else arith.SIToFPOp)(x, type))
        if type == i1:
            return self.compare(x, "ne", self.number(0, x.type))
        return self.to_width(x, type)

    def compare(self, a: SSAValue, relation: str, b: SSAValue) -> SSAValue:
        return self.add(arith.CmpiOp(a, b, relation))

    def select(self, test: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.add(arith.SelectOp(test, a, b))

    def is_event(self, x: SSAValue) -> SSAValue:
        """Returns whether a stored number is not zero."""
        if isinstance(x.type, AnyFloat):
            return self.add(arith.CmpfOp(x, self.number(0, x.type), "une"))
        return self.compare(x, "ne", self.number(0, x.type))

    def stored(self, x: SSAValue, type: Attribute) -> SSAValue:
        """Converts a computed number to the type of its tensor."""
        return x if x.type == type else self.to_width(x, type)

    def powered(self, x: SSAValue, exponent: SSAValue, wide: IntegerType) -> SSAValue:
        """Returns `floor(x 2^exponent)`."""
        zero = self.number(0, wide)
        up = self.add(arith.MaxSIOp(exponent, zero))
        down = self.add(arith.MaxSIOp(self.add(arith.SubiOp(zero, exponent)), zero))
        down = self.add(arith.MinSIOp(down, self.number(wide.width.data - 1, wide)))
        return self.add(arith.ShRSIOp(self.add(arith.ShLIOp(x, up)), down))

    # ---- updates

    def inline(self, block: Block, known: dict[SSAValue, SSAValue], place: Operation) -> list[SSAValue]:
        """Adds the ops of a region of an update; returns the operands of its last op. Errors: LNG001."""
        last = block.last_op
        assert last is not None  # verified
        for op in block.ops:
            if op is not last:
                known[op.results[0]] = self.lowered(op, [known[x] for x in op.operands], place)
        return [known[x] for x in last.operands]

    def lowered(self, op: Operation, xs: Sequence[SSAValue], place: Operation) -> SSAValue:
        """Adds one op of an update with other operands. Errors: LNG001."""
        if isinstance(op, ntensor.LetOp):
            return xs[0]
        if isinstance(op, KEPT):
            copy = op.create(
                operands=list(xs),
                result_types=[type_in_body(op.results[0].type)],
                properties=op.properties.copy(),
                attributes=op.attributes.copy(),
            )
            return self.add(copy)
        if isinstance(op, ntensor.RoundRealOp):
            narrow = Float16Type() if op.into == Float16Type() else BFloat16Type()
            return self.add(arith.ExtFOp(self.add(arith.TruncFOp(xs[0], narrow)), op.results[0].type))
        result = self.integer(op, xs)
        if result is None:
            refuse(
                LNG001,
                f"{op.name} has no equivalent in the upstream dialects",
                at=describe_op(place)[0],
                expected="an op of arith, math or fixed",
                found=op.name,
            )
        return result

    def integer(self, op: Operation, xs: Sequence[SSAValue]) -> SSAValue | None:
        """Adds an op of integers; None for an unknown op."""
        match op:
            case fixed.ConstantOp():
                return self.number(op.value.value.data, type_in_body(op.y.type))
            case fixed.CmpOp():
                wide = self.widest(op.a, op.b)
                a, b = (self.to_width(x, wide) for x in xs)
                return self.compare(a, ORDER[op.relation.data], b)
            case fixed.ToRealOp():
                return self.converted(xs[0], op.y.type)
            case fixed.FromRealOp():
                return self.from_real(op, xs[0])
            case fixed.SelectOp():
                wide = self.widest(op.a, op.b, op.y)
                found = self.select(xs[0], self.to_width(xs[1], wide), self.to_width(xs[2], wide))
                return self.to_width(found, type_in_body(op.y.type))
            case fixed.FixedOperation():
                wide = self.widest(*op.operands, op.results[0])
                if isinstance(op, fixed.ShlOp | fixed.ShrOp) and fixed.interval_of(op.b).high > 31:
                    wide = i64
                found = self.arithmetic(op, [self.to_width(x, wide) for x in xs], wide)
                return None if found is None else self.to_width(found, type_in_body(op.results[0].type))
            case _:
                return None

    def widest(self, *values: SSAValue) -> IntegerType:
        return IntegerType(max(integer_type(fixed.interval_of(value)).width.data for value in values))

    def arithmetic(self, op: Operation, xs: Sequence[SSAValue], wide: IntegerType) -> SSAValue | None:
        """Adds an op whose operands and result have one integer type."""
        a, b = (*xs, xs[0])[:2]
        match op:
            case fixed.WidenOp():
                return a
            case fixed.AddOp():
                return self.add(arith.AddiOp(a, b))
            case fixed.SubOp():
                return self.add(arith.SubiOp(a, b))
            case fixed.MulOp():
                return self.add(arith.MuliOp(a, b))
            case fixed.NegOp():
                return self.add(arith.SubiOp(self.number(0, wide), a))
            case fixed.AbsOp():
                zero = self.number(0, wide)
                return self.select(self.compare(a, "slt", zero), self.add(arith.SubiOp(zero, a)), a)
            case fixed.SignOp():
                zero = self.number(0, wide)
                up, down = (self.to_width(self.compare(a, way, zero), wide) for way in ("sgt", "slt"))
                return self.add(arith.SubiOp(up, down))
            case fixed.MinOp():
                return self.add(arith.MinSIOp(a, b))
            case fixed.MaxOp():
                return self.add(arith.MaxSIOp(a, b))
            case fixed.ShlOp():
                return self.add(arith.ShLIOp(a, b))
            case fixed.ShrOp():
                return self.add(arith.ShRSIOp(a, b))
            case fixed.DivOp():
                return self.quotient(op.rounding.data, a, b, wide)
            case fixed.SaturateOp() | fixed.RefineOp():
                return self.clamped(a, fixed.interval_of(op.x), fixed.interval_of(op.y), wide)
            case fixed.WrapOp():
                return self.wrapped(a, fixed.interval_of(op.x), fixed.interval_of(op.y), wide)
            case _:
                return None

    def quotient(self, rounding: Rounding, a: SSAValue, b: SSAValue, wide: IntegerType) -> SSAValue:
        toward_zero = self.add(arith.DivSIOp(a, b))
        if rounding is Rounding.TRUNCATE:
            return toward_zero
        zero, one = self.number(0, wide), self.number(1, wide)
        rest = self.add(arith.RemSIOp(a, b))
        is_inexact = self.compare(rest, "ne", zero)
        differs = self.compare(self.add(arith.XOrIOp(rest, b)), "slt", zero)
        below = self.add(arith.AndIOp(is_inexact, differs))
        floor = self.add(arith.SubiOp(toward_zero, self.to_width(below, wide)))
        if rounding is Rounding.FLOOR:
            return floor
        if rounding is Rounding.CEIL:
            return self.add(arith.AddiOp(floor, self.to_width(is_inexact, wide)))
        rest = self.select(below, self.add(arith.AddiOp(rest, b)), rest)  # the rest above the floor, with the sign of b
        other = self.add(arith.SubiOp(b, rest))
        near, far = (
            self.select(self.compare(x, "slt", zero), self.add(arith.SubiOp(zero, x)), x) for x in (rest, other)
        )
        is_odd = self.compare(self.add(arith.AndIOp(floor, one)), "ne", zero)
        half = self.add(arith.AndIOp(self.compare(near, "eq", far), is_odd))
        up = self.add(arith.OrIOp(self.compare(near, "sgt", far), half))
        return self.add(arith.AddiOp(floor, self.to_width(up, wide)))

    def clamped(self, x: SSAValue, given: Interval, into: Interval, wide: IntegerType) -> SSAValue:
        if given.low < into.low:
            x = self.add(arith.MaxSIOp(x, self.number(into.low, wide)))
        if given.high > into.high:
            x = self.add(arith.MinSIOp(x, self.number(into.high, wide)))
        return x

    def wrapped(self, x: SSAValue, given: Interval, into: Interval, wide: IntegerType) -> SSAValue | None:
        """Returns `(x - low) mod size + low`; None where 64 bits do not hold the difference."""
        if into.holds(given):
            return x
        bits = into.size.bit_length() - 1
        if into == Interval.signed(bits):
            by = self.number(wide.width.data - bits, wide)
            return self.add(arith.ShRSIOp(self.add(arith.ShLIOp(x, by)), by))
        moved = Interval(given.low - into.low, given.high - into.low)
        if not Interval.signed(64).holds(moved) or into.size >= 2**63:
            return None
        x = self.to_width(x, i64)
        low, size, zero = self.number(into.low, i64), self.number(into.size, i64), self.number(0, i64)
        rest = self.add(arith.RemSIOp(self.add(arith.SubiOp(x, low)), size))
        rest = self.select(self.compare(rest, "slt", zero), self.add(arith.AddiOp(rest, size)), rest)
        return self.add(arith.AddiOp(rest, low))

    def from_real(self, op: fixed.FromRealOp, x: SSAValue) -> SSAValue:
        into = fixed.interval_of(op.y)
        if isinstance(x.type, Float32Type):
            x = self.add(arith.ExtFOp(x, f64))
        low, high = self.number(into.low, f64), self.number(into.high, f64)
        x = self.add(ROUNDED[op.rounding.data].create(operands=[x], result_types=[f64], properties=fast_none()))
        x = self.select(self.add(arith.CmpfOp(x, low, "ogt")), x, low)  # NaN becomes the lower end
        x = self.select(self.add(arith.CmpfOp(x, high, "olt")), x, high)
        return self.to_width(self.add(arith.FPToSIOp(x, i64)), type_in_body(op.y.type))


def fast_none() -> dict[str, Attribute]:
    """Returns the flags of an op of reals that nothing reassociates."""
    return {"fastmath": arith.FastMathFlagsAttr("none")}
