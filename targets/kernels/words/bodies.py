"""Bodies of stages without integers of more than 32 bits: each such integer becomes a pair of words.

%y = fixed.add %a, %b : …, … -> !fixed.int<0, 8589934590>     =>    %low = arith.addi %a0, %b0 : i32
                                                                    %carry = arith.cmpi ult, %low, %a0 : i32
                                                                    %high = …
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import IndexType, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ....core.diagnostics import describe_op, refuse
from ....core.fixed_point import Interval, Rounding
from ....dialects import c, fixed, kernels, ntensor
from ....dialects.fixed import IntType
from ....dialects.kernels import Storage
from ..building.bodies import Builder
from ..building.copies import BodyCopier
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


class Splitter(BodyCopier):
    """Copies the ops of a stage, with pairs for wide integers."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs: dict[SSAValue, Pair] = {}

    # ---- values

    def pair(self, b: Builder, x: SSAValue) -> Pair:
        """Returns an integer as a pair; one of 32 bits is extended by its sign."""
        if x in self.pairs:
            return self.pairs[x]
        interval, words = fixed.interval_of(x), Pairs(b)
        if interval.low == interval.high:
            return pair_of(interval.low)
        low: Word = b.add(kernels.WordOp(self.at(x)))
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

    def carried(self, b: Builder, values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[SSAValue]:
        """Returns the copies of values: two words for a wide integer."""
        del types  # those of the values
        found: list[SSAValue] = []
        for x in values:
            found += map(Pairs(b).value, self.pair(b, x)) if is_wide(x.type) else [self.at(x)]
        return found

    def bind(self, values: Sequence[SSAValue], copies: Sequence[SSAValue]) -> None:
        rest = iter(copies)
        for x in values:
            if is_wide(x.type):
                self.pairs[x] = next(rest), next(rest)
            else:
                self.values[x] = next(rest)

    # ---- ops

    def add(self, op: Operation, b: Builder) -> None:
        match op:
            case kernels.LoadOp():
                self.load(op, b)
            case kernels.StoreOp():
                self.store(op, b)
            case _ if any(is_wide(x.type) for x in (*op.operands, *op.results)):
                self.integer(op, b)
            case _:
                self.clone(op, b)

    # ---- memory

    def load(self, op: kernels.LoadOp, b: Builder) -> None:
        index, type, words = self.at(op.index), op.value.type, Pairs(b)
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
        return low, 0 if is_unsigned_word(memory) else Pairs(b).sign(low)

    def store(self, op: kernels.StoreOp, b: Builder) -> None:
        value, memory, index = op.value, op.memory, self.at(op.index)
        if is_split(memory):
            words = Pairs(b)
            pair = (words.one_if(self.at(value)), 0) if value.type == i1 else self.pair(b, value)
            first = b.index(b.times(index, 2))
            b.store(words.value(pair[0]), memory, first)
            b.store(words.value(pair[1]), memory, b.plus(first, 1))
        elif is_wide(value.type):
            word = Pairs(b).value(self.pair(b, value)[0])
            held = word if is_unsigned_word(memory) else b.add(kernels.IntegerOp(word, IntType.of(INT32)))
            b.store(held, memory, index)
        else:
            b.store(self.at(value), memory, index)

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
                rounded = b.add(rounder(self.at(op.x)))
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
                return words.select(self.at(op.test), self.pair(b, op.a), self.pair(b, op.b))
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


def is_unsigned_word(memory: SSAValue) -> bool:
    """Returns whether memory holds 32 bits without a sign; narrower integers are extended when they are read."""
    element = c.element_of_memory(memory)
    return c.integer_bits(element) == BITS and c.is_unsigned(element)


def split_stage(stage: kernels.StageOp) -> kernels.StageOp:
    """Returns a stage whose integers have at most 32 bits."""
    return Splitter().stage(stage)


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
