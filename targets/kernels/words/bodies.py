"""Bodies of stages without integers of more than 32 bits: each such integer becomes a pair of words.

%y = fixed.add %a, %b : …, … -> !fixed.int<0, 8589934590>     =>    %low = arith.addi %a0, %b0 : i32
                                                                    %carry = arith.cmpi ult, %low, %a0 : i32
                                                                    %high = …
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import math as mathd
from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, i1, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....core.diagnostics import describe_op, refuse
from ....core.fixed_point import Interval, Rounding
from ....dialects import fixed, kernels, ntensor
from ....dialects.fixed import IntType
from ....dialects.kernels import Storage
from ....dialects.kernels.memory import integer_bits
from ..building.bodies import INDEX, Builder
from ..building.memory import unsigned
from ..lowering import KNL002
from .pairs import Pair, Pairs, pair_of
from .word import BITS, Word

INT32 = Interval.signed(BITS)
ROUNDED: Mapping[Rounding, type[Operation]] = {
    Rounding.FLOOR: mathd.FloorOp,
    Rounding.CEIL: mathd.CeilOp,
    Rounding.TRUNCATE: mathd.TruncOp,
    Rounding.ROUND: mathd.RoundEvenOp,
}


def is_wide(type: Attribute) -> bool:
    """Returns whether a value needs two words."""
    return isinstance(type, IntType) and not INT32.holds(type.interval)


def is_split(memory: SSAValue) -> bool:
    return kernels.buffer_of(memory).form is Storage.SPLIT


class Splitter:
    """Copies the ops of a stage, with pairs for wide integers."""

    def __init__(self) -> None:
        self.values: dict[SSAValue, SSAValue] = {}
        self.pairs: dict[SSAValue, Pair] = {}

    # ---- values

    def plain(self, x: SSAValue) -> SSAValue:
        """Returns the copy of a value that is not a pair."""
        return self.values.get(x, x)

    def pair(self, b: Builder, x: SSAValue) -> Pair:
        """Returns an integer as a pair; one of 32 bits is extended by its sign."""
        if x in self.pairs:
            return self.pairs[x]
        interval, words = fixed.interval_of(x), Pairs(b)
        if interval.low == interval.high:
            return pair_of(interval.low)
        low: Word = b.add(kernels.WordOp(self.plain(x)))
        high = 0 if interval.low >= 0 else words.sign(low)
        return low, high

    def define(self, b: Builder, result: SSAValue, x: Pair) -> None:
        """Sets an integer result: a pair, or one word if its type has 32 bits."""
        type = result.type
        assert isinstance(type, IntType)  # guaranteed by the caller
        if is_wide(type):
            self.pairs[result] = x
        elif type.lower == type.upper:
            self.values[result] = b.number(type.lower, type)
        else:
            self.values[result] = b.add(kernels.IntegerOp(Pairs(b).value(x[0]), type))

    def flat(self, b: Builder, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Returns values that a block carries on: two words for a wide integer."""
        found: list[SSAValue] = []
        for x in values:
            found += map(Pairs(b).value, self.pair(b, x)) if is_wide(x.type) else [self.plain(x)]
        return found

    def bind(self, values: Sequence[SSAValue], flat: Sequence[SSAValue]) -> None:
        """Sets values from those that `flat` made of them."""
        rest = iter(flat)
        for x in values:
            if is_wide(x.type):
                self.pairs[x] = next(rest), next(rest)
            else:
                self.values[x] = next(rest)

    # ---- ops

    def copy(self, block: Block, b: Builder) -> None:
        """Adds the ops of a block except its terminator."""
        for op in block.ops:
            if not isinstance(op, scf.YieldOp):
                self.add(op, b)

    def add(self, op: Operation, b: Builder) -> None:
        match op:
            case kernels.LoadOp():
                self.load(op, b)
            case kernels.StoreOp():
                self.store(op, b)
            case scf.ForOp():
                self.loop(op, b)
            case scf.IfOp():
                self.test(op, b)
            case _ if any(is_wide(x.type) for x in (*op.operands, *op.results)):
                self.integer(op, b)
            case _:
                copy = op.clone({x: self.plain(x) for x in op.operands})
                b.block.add_op(copy)
                self.values.update(zip(op.results, copy.results, strict=True))

    def loop(self, op: scf.ForOp, b: Builder) -> None:
        block, carried = op.body.block, list(op.iter_args)
        flat = self.flat(b, carried)
        inner = Block(arg_types=[INDEX, *(x.type for x in flat)])
        self.values[block.args[0]] = inner.args[0]
        self.bind(block.args[1:], inner.args[1:])
        at = Builder(inner)
        self.copy(block, at)
        last = block.last_op
        assert last is not None  # verified: a body ends in scf.yield
        inner.add_op(scf.YieldOp(*self.flat(at, last.operands)))
        made = scf.ForOp(self.plain(op.lb), self.plain(op.ub), self.plain(op.step), flat, Region(inner))
        b.block.add_op(made)
        self.bind(op.results, made.results)

    def test(self, op: scf.IfOp, b: Builder) -> None:
        regions: list[Region | None] = []
        types: list[Attribute] = []
        for region in (op.true_region, op.false_region):
            if not region.blocks:
                regions.append(None)
                continue
            inner = Block()
            at, block = Builder(inner), region.block
            self.copy(block, at)
            flat = self.flat(at, block.last_op.operands) if block.last_op is not None else []
            types = [x.type for x in flat]
            inner.add_op(scf.YieldOp(*flat))
            regions.append(Region(inner))
        yes, no = regions
        assert yes is not None  # an scf.if has a first region
        made = scf.IfOp(self.plain(op.cond), types, yes, no)
        b.block.add_op(made)
        self.bind(op.results, made.results)

    # ---- memory

    def load(self, op: kernels.LoadOp, b: Builder) -> None:
        index, type, words = self.plain(op.index), op.value.type, Pairs(b)
        if is_split(op.memory):
            first = b.index(b.times(index, 2))
            if isinstance(type, IndexType):
                self.values[op.value] = b.load(op.memory, first, type)
                return
            pair: Pair = b.load(op.memory, first, i32), b.load(op.memory, b.plus(first, 1), i32)
            if isinstance(type, IntType):
                self.define(b, op.value, pair)
            elif type == i1:
                is_zero = words.is_equal(words.either(*pair), 0)
                self.values[op.value] = words.truth(words.is_not(is_zero))
            elif type == i32:
                self.values[op.value] = words.value(pair[0])
            else:
                self.values[op.value] = words.to_real(pair, type)
        elif is_wide(type):
            self.pairs[op.value] = self.extended(op.memory, index, b)
        else:
            self.values[op.value] = b.load(op.memory, index, type)

    def extended(self, memory: SSAValue, index: SSAValue, b: Builder) -> Pair:
        """Returns an integer of at most 32 bits in memory as a pair."""
        low: Word = b.load(memory, index, i32)
        return low, 0 if is_unsigned(memory) else Pairs(b).sign(low)

    def store(self, op: kernels.StoreOp, b: Builder) -> None:
        value, memory, index = op.value, op.memory, self.plain(op.index)
        if is_split(memory):
            words = Pairs(b)
            pair = (words.one_if(self.plain(value)), 0) if value.type == i1 else self.pair(b, value)
            first = b.index(b.times(index, 2))
            b.store(words.value(pair[0]), memory, first)
            b.store(words.value(pair[1]), memory, b.plus(first, 1))
        elif is_wide(value.type):
            word = Pairs(b).value(self.pair(b, value)[0])
            held = word if is_unsigned(memory) else b.add(kernels.IntegerOp(word, IntType.of(INT32)))
            b.store(held, memory, index)
        else:
            b.store(self.plain(value), memory, index)

    # ---- integers

    def integer(self, op: Operation, b: Builder) -> None:
        """Adds an op with an operand or result of more than 32 bits."""
        words = Pairs(b)
        match op:
            case fixed.CmpOp():
                a, c = (self.pair(b, x) for x in op.operands)
                self.values[op.y] = words.truth(words.compare(op.relation.data, a, c))
            case fixed.ToRealOp():
                self.values[op.y] = words.to_real(self.pair(b, op.x), op.y.type)
            case fixed.FromRealOp():
                rounder: Any = ROUNDED[op.rounding.data]
                rounded = b.add(rounder(self.plain(op.x)))
                self.define(b, op.y, words.from_real(rounded, fixed.interval_of(op.y)))
            case _:
                self.define(b, op.results[0], self.result(op, b, words))

    def result(self, op: Operation, b: Builder, words: Pairs) -> Pair:
        """Returns the pair of an integer result."""
        match op:
            case kernels.AssumeOp() | fixed.WidenOp() | ntensor.LetOp():
                return self.pair(b, op.operands[0])
            case fixed.ConstantOp():
                return pair_of(fixed.interval_of(op.results[0]).low)
            case fixed.AddOp():
                return words.add(self.pair(b, op.a), self.pair(b, op.b))
            case fixed.SubOp():
                return words.subtract(self.pair(b, op.a), self.pair(b, op.b))
            case fixed.MulOp():
                return words.multiply(self.pair(b, op.a), self.pair(b, op.b))
            case fixed.NegOp():
                return words.negate(self.pair(b, op.x))
            case fixed.AbsOp():
                return words.magnitude(self.pair(b, op.x))
            case fixed.SignOp():
                return words.signum(self.pair(b, op.x))
            case fixed.MinOp():
                return words.least(self.pair(b, op.a), self.pair(b, op.b))
            case fixed.MaxOp():
                return words.greatest(self.pair(b, op.a), self.pair(b, op.b))
            case fixed.ShlOp():
                return words.shift_left(self.pair(b, op.a), self.pair(b, op.b)[0])
            case fixed.ShrOp():
                return words.shift_right(self.pair(b, op.a), self.pair(b, op.b)[0])
            case fixed.DivOp():
                return words.divide(self.pair(b, op.a), self.pair(b, op.b), op.rounding.data)
            case fixed.SelectOp():
                return words.select(self.plain(op.test), self.pair(b, op.a), self.pair(b, op.b))
            case fixed.SaturateOp() | fixed.RefineOp():
                return words.saturate(self.pair(b, op.x), fixed.interval_of(op.x), fixed.interval_of(op.y))
            case fixed.WrapOp():
                given, into = fixed.interval_of(op.x), fixed.interval_of(op.y)
                pair = self.pair(b, op.x)
                return pair if into.holds(given) else words.wrap(pair, into)
            case _:
                message = f"{op.name} of integers beyond 32 bits cannot be compiled to words"
                at, _ = describe_op(op)
                refuse(KNL002, message, at=at, expected="an op of fixed", found=op.name, help="nopt targets")


def is_unsigned(memory: SSAValue) -> bool:
    """Returns whether memory holds 32 bits without a sign; narrower integers are extended when they are read."""
    element = kernels.element_of(memory)
    return integer_bits(element) == BITS and unsigned(element)


def split_stage(stage: kernels.StageOp) -> kernels.StageOp:
    """Returns a stage whose integers have at most 32 bits."""
    block = Block(arg_types=[INDEX])
    splitter, old = Splitter(), stage.body.block
    splitter.values[old.args[0]] = block.args[0]
    splitter.copy(old, Builder(block))
    return kernels.StageOp(stage.elements, block, stage.phase_data)


def needs_split(stage: kernels.StageOp) -> bool:
    """Returns whether a stage has integers beyond 32 bits, or memory of them."""
    for op in stage.walk():
        if isinstance(op, kernels.LoadOp | kernels.StoreOp) and is_split(op.memory):
            return True
        if any(is_wide(x.type) for x in op.results) or any(is_wide(x.type) for x in region_arguments(op)):
            return True
    return False


def region_arguments(op: Operation) -> list[SSAValue]:
    return [x for region in op.regions for block in region.blocks for x in block.args]
