"""Fixed-point states in the arithmetic of reals: the equations that round a state and apply the ends of its width.

    v = clip(real(round(v * 256)) * 0.00390625, -128, 127.99609375)                            saturate: 16 bits, 8 of fraction

    v = real(round(v * 256)) * 0.00390625                                                      wrap
    v = v - real(floor(v * 0.00390625)) * 256
    v = v - 256 if v >= 128 else v

Steps, ends and spans are powers of two or multiples of the step, so only the rounding operations round. The result equals the
fixed-point number, as long as the reals hold the bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type, FloatAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....core.fixed_point import Interval
from ....dialects import ntensor

Overflow = Literal["saturate", "wrap"]
Rounding = Literal["round", "floor", "ceil", "truncate"]

ROUNDING_OPS: dict[str, Any] = {
    "round": mathd.RoundEvenOp,
    "floor": mathd.FloorOp,
    "ceil": mathd.CeilOp,
    "truncate": mathd.TruncOp,
}
ROUNDING_FUNCTIONS: dict[str, Any] = {"round": np.rint, "floor": np.floor, "ceil": np.ceil, "truncate": np.trunc}

OGE = "oge"


@frozen
class Width:
    """A state in two's complement: its bits, the number of fraction bits, its rounding and its overflow."""

    bits: int
    fraction: int
    overflow: Overflow
    rounding: Rounding

    @property
    def step(self) -> float:
        return math.ldexp(1, -self.fraction)

    @property
    def ends(self) -> tuple[float, float]:
        whole = Interval.signed(self.bits)
        return whole.low * self.step, whole.high * self.step

    @property
    def error(self) -> float:
        """Returns the largest change of a state by one rounding."""
        return self.step / 2 if self.rounding == "round" else self.step

    @property
    def text(self) -> str:
        """A part of a symbol: `16q8`."""
        return f"{self.bits}q{'m' if self.fraction < 0 else ''}{abs(self.fraction)}"

    @property
    def attribute(self) -> DictionaryAttr:
        return DictionaryAttr(
            {
                "bits": IntegerAttr(self.bits, i64),
                "fraction": IntegerAttr(self.fraction, i64),
                "overflow": StringAttr(self.overflow),
                "rounding": StringAttr(self.rounding),
            }
        )


def met(values: NDArray[Any], width: Width) -> NDArray[Any]:
    """Rounds values to a state of this width, in their own type."""
    low, high = width.ends
    step, span = width.step, math.ldexp(1, width.bits - width.fraction)
    with np.errstate(over="ignore", invalid="ignore"):
        points: NDArray[Any] = ROUNDING_FUNCTIONS[width.rounding](values * (1 / step)) * step
        if width.overflow == "saturate":
            return np.asarray(np.clip(points, low, high)).astype(values.dtype)
        inside = points - np.floor(points * (1 / span)) * span
        return np.asarray(np.where(inside >= span / 2, inside - span, inside)).astype(values.dtype)


class Meeting:
    """Adds the equations of a width at the end of a region, before its last op."""

    def __init__(self, block: Block, has_names: bool):
        self.block = block
        self.has_names = has_names
        """Whether each equation leaves its name; an initial value is one expression."""

    def add(self, op: Operation) -> SSAValue:
        last = self.block.last_op
        assert last is not None  # verified: every region of an update ends in a terminator
        self.block.insert_op_before(op, last)
        return op.results[0]

    def number(self, value: float, like: SSAValue) -> SSAValue:
        assert isinstance(like.type, Float32Type | Float64Type)
        return self.add(arith.ConstantOp(FloatAttr(value, like.type)))

    def times(self, x: SSAValue, factor: float) -> SSAValue:
        return x if factor == 1 else self.add(arith.MulfOp(x, self.number(factor, x)))

    def named(self, name: str, x: SSAValue) -> SSAValue:
        if not self.has_names:
            return x
        y = self.add(ntensor.LetOp(name, x))
        y.name_hint = name
        return y

    def meet(self, name: str, x: SSAValue, width: Width) -> SSAValue:
        """Returns the value of a state as its width holds it."""
        low, high = width.ends
        if not self.has_names and isinstance(x.owner, arith.ConstantOp):
            held: Any = x.owner.value
            return self.number(float(met(np.asarray(held.value.data), width)), x)
        rounded = self.add(ROUNDING_OPS[width.rounding](self.times(x, 1 / width.step)))
        points = self.times(rounded, width.step)
        if width.overflow == "saturate":
            above = self.add(arith.MaximumfOp(points, self.number(low, x)))
            return self.named(name, self.add(arith.MinimumfOp(above, self.number(high, x))))
        span = math.ldexp(1, width.bits - width.fraction)
        points = self.named(name, points)
        turns = self.times(self.add(mathd.FloorOp(self.times(points, 1 / span))), span)
        inside = self.named(name, self.add(arith.SubfOp(points, turns)))
        is_high = self.add(arith.CmpfOp(inside, self.number(span / 2, x), OGE))
        below = self.add(arith.SubfOp(inside, self.number(span, x)))
        return self.named(name, self.add(arith.SelectOp(is_high, below, inside)))


def real_states(update: ntensor.UpdateOp) -> Iterator[str]:
    """Yields the states that are reals; integers have their width already."""
    for name, type in update.state_types.items():
        if isinstance(type, Float32Type | Float64Type):
            yield name


def narrowed(update: ntensor.UpdateOp, widths: dict[str, Width]) -> ntensor.UpdateOp:
    """Returns the same update with states of these widths, at the end of a tick and before the first.

    A state that is emitted is emitted as it is kept. A record reads its value at its own line, which is earlier.
    """
    made = update.clone()
    states = list(made.state_types)
    start, step = made.initial.block, made.step.block
    first, last = start.last_op, step.last_op
    assert first is not None  # verified
    assert last is not None
    for name, width in widths.items():
        k = states.index(name)
        given = first.operands[k]
        first.operands[k] = Meeting(start, False).meet(name, given, width)
        if isinstance(given.owner, Operation) and not given.uses:
            Rewriter.erase_op(given.owner)
        before = last.operands[1 + k]
        after = Meeting(step, True).meet(name, before, width)
        for at in (0, 1 + k):
            if last.operands[at] is before:
                last.operands[at] = after
    held = made.attributes.get("ntensor.widths")
    kept = dict(held.data) if isinstance(held, DictionaryAttr) else {}
    made.attributes["ntensor.widths"] = DictionaryAttr(
        {**kept, **{name: width.attribute for name, width in widths.items()}}
    )
    return made
