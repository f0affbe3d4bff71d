"""Words of 32 bits under construction: unsigned arithmetic modulo 2^32, folded where operands are numbers.

A word is an `i32` of MLIR, or a number of Python from 0 to 2^32 - 1; a truth value is an `i1`, or one of Python. Every op has an equivalent in each
language of kernels.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import SSAValue

from ..building.bodies import Builder

Word = int | SSAValue
Truth = bool | SSAValue
BITS = 32
FULL = 2**BITS - 1


class Words:
    """Arithmetic of words in the block of a builder."""

    def __init__(self, builder: Builder):
        self.builder = builder

    def value(self, x: Word) -> SSAValue:
        """Returns a word as a value."""
        return self.builder.number(x, i32) if isinstance(x, int) else x

    def truth(self, x: Truth) -> SSAValue:
        return self.builder.number(x, i1) if isinstance(x, bool) else x

    # ---- arithmetic

    def plus(self, a: Word, b: Word) -> Word:
        if isinstance(a, int) and isinstance(b, int):
            return (a + b) & FULL
        if b == 0:
            return a
        return b if a == 0 else self.builder.add(arith.AddiOp(self.value(a), self.value(b)))

    def minus(self, a: Word, b: Word) -> Word:
        if isinstance(a, int) and isinstance(b, int):
            return (a - b) & FULL
        return a if b == 0 else self.builder.add(arith.SubiOp(self.value(a), self.value(b)))

    def times(self, a: Word, b: Word) -> Word:
        if isinstance(a, int) and isinstance(b, int):
            return (a * b) & FULL
        if 0 in (a, b):
            return 0
        if a == 1:
            return b
        return a if b == 1 else self.builder.add(arith.MuliOp(self.value(a), self.value(b)))

    # ---- bits

    def both(self, a: Word, b: Word) -> Word:
        if isinstance(a, int) and isinstance(b, int):
            return a & b
        if 0 in (a, b):
            return 0
        if a == FULL:
            return b
        return a if b == FULL else self.builder.add(arith.AndIOp(self.value(a), self.value(b)))

    def either(self, a: Word, b: Word) -> Word:
        if isinstance(a, int) and isinstance(b, int):
            return a | b
        if a == 0:
            return b
        return a if b == 0 else self.builder.add(arith.OrIOp(self.value(a), self.value(b)))

    def differing(self, a: Word, b: Word) -> Word:
        """Returns the bits in which two words differ."""
        if isinstance(a, int) and isinstance(b, int):
            return a ^ b
        if a == 0:
            return b
        return a if b == 0 else self.builder.add(arith.XOrIOp(self.value(a), self.value(b)))

    def left(self, a: Word, amount: Word) -> Word:
        """Returns a word shifted to the left by 0 to 31 bits."""
        if isinstance(a, int) and isinstance(amount, int):
            return (a << amount) & FULL
        return a if amount == 0 else self.builder.add(arith.ShLIOp(self.value(a), self.value(amount)))

    def right(self, a: Word, amount: Word) -> Word:
        """Returns a word shifted to the right by 0 to 31 bits; zeros enter."""
        if isinstance(a, int) and isinstance(amount, int):
            return a >> amount
        return a if amount == 0 else self.builder.add(arith.ShRUIOp(self.value(a), self.value(amount)))

    def sign(self, a: Word) -> Word:
        """Returns 32 copies of the highest bit."""
        return self.minus(0, self.right(a, BITS - 1))

    # ---- truth values

    def is_below(self, a: Word, b: Word) -> Truth:
        if isinstance(a, int) and isinstance(b, int):
            return a < b
        if b == 0:
            return False
        return self.builder.add(arith.CmpiOp(self.value(a), self.value(b), "ult"))

    def is_equal(self, a: Word, b: Word) -> Truth:
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return self.builder.add(arith.CmpiOp(self.value(a), self.value(b), "eq"))

    def is_not(self, a: Truth) -> Truth:
        return not a if isinstance(a, bool) else self.builder.add(arith.XOrIOp(a, self.truth(True)))

    def is_all(self, a: Truth, b: Truth) -> Truth:
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        return self.builder.add(arith.AndIOp(a, b))

    def is_any(self, a: Truth, b: Truth) -> Truth:
        return self.is_not(self.is_all(self.is_not(a), self.is_not(b)))

    def choose(self, test: Truth, a: Word, b: Word) -> Word:
        if isinstance(test, bool):
            return a if test else b
        if a is b or (isinstance(a, int) and a == b):
            return a
        return self.builder.add(arith.SelectOp(test, self.value(a), self.value(b)))

    def one_if(self, test: Truth) -> Word:
        return self.choose(test, 1, 0)
