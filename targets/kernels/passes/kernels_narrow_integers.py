"""Narrows the intervals of integers in kernels, so that fewer of them need 64 bits.

    %x = kernels.load %spikes[%e] : … -> !fixed.int<-2147483648, 2147483647>     =>     … -> !fixed.int<0, 9>
    %y = fixed.mul %w, %x : … -> !fixed.int<-272730423296, 272730423169>                … -> !fixed.int<-1143, 1143>

1. An integer in memory is in the interval of its initial values and of everything that the kernels store there (induction over time).
2. An op has the interval that its operands imply. An op that no longer changes an integer is removed; an integer with one value is a constant.
3. A value that a loop carries keeps its interval; the results of a test have the intervals of its branches.

The intervals of memory are computed `ROUNDS` times: each is sound with those of the round before.

Exactness: no number changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....core.fixed_point import Interval
from ....core.ir.pipeline import NoptPass
from ....dialects import fixed, kernels, ntensor
from ....dialects.fixed import IntType
from ....dialects.kernels import Kind
from ..building.bodies import Builder
from ..building.copies import BodyCopier, yielded

ROUNDS = 3
Bounds = dict[SSAValue, Interval]


def meet(a: Interval, b: Interval) -> Interval:
    """Returns the integers of both intervals; those of the second one if there are none, as in code that never runs."""
    found = Interval(max(a.low, b.low), min(a.high, b.high))
    return found if found.low <= found.high else b


def initial_interval(buffer: kernels.BufferOp) -> Interval:
    """Returns the interval of the initial values of a buffer: zeros if it has none."""
    values = np.zeros(1, np.int64) if buffer.values is None else buffer.values.values
    return Interval(int(values.min()), int(values.max())) if values.size else Interval(0, 0)


def memory_bounds(program: kernels.ProgramOp, stored: Bounds | None) -> Bounds:
    """Returns the intervals of integers in memory (1), without `stored` by the types of memory alone."""
    found: Bounds = {}
    for buffer in program.buffers:
        if (held := buffer.interval) is None:
            continue
        limits = meet(held, Interval.signed(64))
        found[buffer.memory] = limits
        if buffer.kind.data is Kind.CONSTANT:
            found[buffer.memory] = initial_interval(buffer)
        elif buffer.kind.data is not Kind.INPUT and stored is not None:
            held = initial_interval(buffer)
            held = held.join(stored[buffer.memory]) if buffer.memory in stored else held
            found[buffer.memory] = held if limits.holds(held) else limits
    return found


class Narrower(BodyCopier):
    """Copies the ops of stages with narrower types. `stored`: the intervals of everything that the copies store."""

    def __init__(self, bounds: Bounds):
        super().__init__()
        self.bounds = bounds
        self.stored: Bounds = {}

    def add(self, op: Operation, b: Builder) -> None:
        match op:
            case kernels.StoreOp():
                self.note(op)
                self.clone(op, b)
            case kernels.LoadOp() if isinstance(op.value.type, IntType) and op.memory in self.bounds:
                held = meet(self.bounds[op.memory], op.value.type.interval)
                self.define(op.value, b.load(op.memory, self.at(op.index), IntType.of(held)), b)
            case kernels.AssumeOp() | fixed.WidenOp():
                self.values[op.y] = assumed(b, self.at(op.x), fixed.interval_of(op.y))
            case ntensor.LetOp():
                self.values[op.y] = b.add(ntensor.LetOp(op.variable.data, self.at(op.x)))
            case fixed.SaturateOp() | fixed.RefineOp() | fixed.WrapOp():
                self.convert(op, b)
            case fixed.FixedOperation() if not isinstance(op, fixed.ConstantOp | fixed.FromRealOp):
                operands = [self.at(x) for x in op.operands]
                held = op.infer(*(fixed.interval_of(x) for x in operands if isinstance(x.type, IntType)))
                copy = type(op).create(
                    operands=operands,
                    result_types=[IntType.of(held)],
                    properties=dict(op.properties),
                    attributes=dict(op.attributes),
                )
                if held.low == held.high:
                    self.values[op.results[0]] = b.number(held.low, IntType.of(held))
                else:
                    self.values[op.results[0]] = b.add(copy)
            case _:
                self.clone(op, b)

    def define(self, result: SSAValue, x: SSAValue, b: Builder) -> None:
        held = fixed.interval_of(x)
        self.values[result] = b.number(held.low, IntType.of(held)) if held.low == held.high else x

    def convert(self, op: fixed.SaturateOp | fixed.RefineOp | fixed.WrapOp, b: Builder) -> None:
        """Adds an op into a chosen interval, if it still changes an integer (2)."""
        x, into = self.at(op.x), fixed.interval_of(op.y)
        given = fixed.interval_of(x)
        if into.holds(given):
            self.values[op.y] = x
            return
        if isinstance(op, fixed.WrapOp):
            self.values[op.y] = b.add(fixed.WrapOp(x, into))
            return
        self.define(op.y, b.add(fixed.SaturateOp(x, given.clamp(into))), b)

    def note(self, op: kernels.StoreOp) -> None:
        value, limits = self.at(op.value), self.bounds.get(op.memory)
        if limits is None:
            return
        held = fixed.interval_of(value) if isinstance(value.type, IntType) else None
        held = Interval(0, 1) if value.type == i1 else held
        wide = limits if held is None else held
        self.stored[op.memory] = wide.join(self.stored[op.memory]) if op.memory in self.stored else wide

    # ---- control (3)

    def carried(self, b: Builder, values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[SSAValue]:
        copies = zip(map(self.at, values), types, strict=True)
        return [b.widened(x, type) if isinstance(type, IntType) else x for x, type in copies]

    def result_types(self, op: scf.IfOp) -> list[Attribute]:
        bodies = [region.block for region in (op.true_region, op.false_region) if region.blocks]
        return [self.joined([yielded(body)[k] for body in bodies]) for k in range(len(op.results))]

    def joined(self, values: Sequence[SSAValue]) -> Attribute:
        """Returns the type of a result of a test: the interval of both branches."""
        copies = [self.at(x) for x in values]
        if not isinstance(copies[0].type, IntType):
            return copies[0].type
        a, b = (fixed.interval_of(x) for x in copies)
        return IntType.of(a.join(b))


def assumed(b: Builder, x: SSAValue, into: Interval) -> SSAValue:
    """Returns an integer that is known to lie in an interval."""
    given = fixed.interval_of(x)
    return x if into.holds(given) else b.widened(x, IntType.of(meet(given, into)))


@dataclass(frozen=True)
class KernelsNarrowIntegersPass(NoptPass):
    """Narrows the integers of every `kernels.program`."""

    name = "kernels-narrow-integers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]:
            bounds = memory_bounds(program, None)
            for _ in range(ROUNDS):
                narrower = Narrower(bounds)
                for one in program.kernels:
                    for stage in one.stages:
                        Rewriter.replace_op(stage, narrower.stage(stage), [])
                earlier, bounds = bounds, memory_bounds(program, narrower.stored)
                if bounds == earlier:
                    break
