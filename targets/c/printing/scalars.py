"""Bodies of loops as C statements: the scalar ops of an update, one constant each, without branches.

Integers are computed in 32 bits if the intervals of operands and result fit, else in 64; intervals are narrowed by the range of the
memory. Intervals exclude overflow, and left shifts use unsigned types. `>>` of a negative
integer rounds down, as in every known C compiler (ISO/IEC 9899:1999, 6.5.7, leaves it to the implementation).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import f32, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....core.diagnostics import Code, refuse
from ....core.fixed_point import Interval, Rounding
from ....dialects import fixed, ntensor
from ....dialects.fixed import comparison_symbol
from .text import c_type, fill_template, integer, real

CEM001 = Code("CEM001", "a loop contains an op that cannot be compiled to C")

WORD = re.compile(r"[A-Za-z_]\w*")
INT32 = Interval.signed(32)
BINARY: dict[type[Operation], str] = {
    arith.AddfOp: "+",
    arith.SubfOp: "-",
    arith.MulfOp: "*",
    arith.DivfOp: "/",
    arith.AndIOp: "&",
    arith.OrIOp: "|",
    arith.XOrIOp: "^",
}
MATH_FUNCTIONS: dict[type[Operation], str] = {
    mathd.AbsFOp: "fabs",
    mathd.CopySignOp: "copysign",
    mathd.ExpOp: "exp",
    mathd.LogOp: "log",
    mathd.SqrtOp: "sqrt",
    mathd.FloorOp: "floor",
    mathd.CeilOp: "ceil",
    mathd.TruncOp: "trunc",
    mathd.RoundEvenOp: "rint",
}
ROUNDERS = {Rounding.FLOOR: "floor", Rounding.CEIL: "ceil", Rounding.TRUNCATE: "trunc", Rounding.ROUND: "rint"}
ARITHMETIC: dict[type[Operation], tuple[str, Callable[[Interval, Interval], Interval]]] = {
    fixed.AddOp: ("+", Interval.__add__),
    fixed.SubOp: ("-", Interval.__sub__),
    fixed.MulOp: ("*", Interval.__mul__),
}


class Needs:
    """Dependencies of a program: helper functions and `math.h`."""

    def __init__(self, prefix: str, unroll: int = 0):
        self.prefix = prefix
        self.unroll = unroll
        """Unroll factor of innermost loops; 0 leaves it to the compiler."""
        self.helpers: dict[str, None] = {}
        self.math = False

    def innermost(self, text: str) -> str:
        """Returns an innermost loop with its hints to the compiler."""
        return f"{self.prefix.upper()}_UNROLL\n{text}" if self.unroll > 1 else text

    def helper(self, name: str) -> str:
        self.helpers[name] = None
        return f"{self.prefix}_{name}"


class Body:
    """Printer of one body. `lines` are its statements so far."""

    def __init__(self, needs: Needs, start: str = "v"):
        self.needs = needs
        self.start = start
        self.lines: list[str] = []
        self.texts: dict[SSAValue, str] = {}
        self.intervals: dict[SSAValue, Interval] = {}

    # ---- values

    def give(self, value: SSAValue, text: str, held: Interval | None = None) -> None:
        """Sets the C expression of a value, and its integer interval."""
        self.texts[value] = text
        if held is not None:
            self.intervals[value] = held

    def load(self, value: SSAValue, element: Attribute, text: str) -> None:
        """Names a value that is read from memory."""
        stored = ntensor.interval_of(element)
        held = None
        if isinstance(value.type, fixed.IntType):
            assert stored is not None  # verified
            held = meet(value.type.interval, stored)
        type = self.type_of(value.type, held)
        self.define(value, text if type == c_type(element) else f"({type}){text}", held)

    def store(self, value: SSAValue, element: Attribute) -> str:
        """Returns a value in the form in which it is written to memory."""
        type, text = c_type(element), self.texts[value]
        is_same = type == self.type_of(value.type, self.intervals.get(value))
        return text if is_same else f"({type}){text}"

    def statements(self, *last: str) -> list[str]:
        """Returns the statements that later ones need; values that intervals turn into constants need none."""
        return used_lines(self.lines, *last)

    def define(self, value: SSAValue, text: str, held: Interval | None = None) -> None:
        name = f"{self.start}{len(self.texts)}"
        self.lines.append(f"const {self.type_of(value.type, held)} {name} = {text};")
        self.give(value, name, held)

    def type_of(self, type: Attribute, held: Interval | None) -> str:
        if isinstance(type, fixed.IntType):
            return "int32_t" if held is not None and INT32.holds(held) else "int64_t"
        return "int" if type == i1 else "float" if type == f32 else "double"

    def at(self, value: SSAValue, bits: int) -> str:
        """Returns an operand as an integer of that many bits."""
        held, text = self.intervals[value], self.texts[value]
        if held.low == held.high:
            return integer(held.low, bits)
        return f"(int64_t){text}" if bits == 64 and INT32.holds(held) else text

    def set(self, op: Operation, held: Interval, make: Callable[[int], str], *operands: SSAValue) -> None:
        """Defines an integer, computed in the bits that hold operands and result."""
        declared = op.results[0].type
        assert isinstance(declared, fixed.IntType)  # ops of fixed
        held = meet(held, declared.interval)
        if held.low == held.high:
            self.give(op.results[0], integer(held.low, 32 if INT32.holds(held) else 64), held)
            return
        bits = 32 if all(INT32.holds(i) for i in (held, *(self.intervals[x] for x in operands))) else 64
        text = make(bits)
        if bits == 64 and INT32.holds(held):
            text = f"(int32_t)({text})"
        self.define(op.results[0], text, held)

    # ---- ops

    def run(self, block: Block) -> None:
        """Prints every op of a block that its last op needs."""
        needed = needed_in(block)
        for op in block.ops:
            if op is not block.last_op and op.results[0] in needed:
                self.add(op)

    def add(self, op: Operation) -> None:
        result = op.results[0]
        match op:
            case ntensor.LetOp() | fixed.WidenOp():
                self.give(result, self.texts[op.operands[0]], self.intervals.get(op.operands[0]))
            case arith.ConstantOp():
                value: Any = op.value
                if result.type == i1:
                    self.give(result, str(int(bool(value.value.data))))
                else:
                    self.give(result, self.real(value.value.data, result.type))
            case fixed.ConstantOp():
                number = op.value.value.data
                self.give(result, integer(number, 32), Interval(number, number))
            case arith.CmpfOp() if symbol := comparison_symbol(op):
                self.define(result, self.joined(symbol, op))
            case fixed.CmpOp():
                bits = 32 if all(INT32.holds(self.intervals[x]) for x in op.operands) else 64
                text = f"{self.at(op.a, bits)} {comparison_symbol(op)} {self.at(op.b, bits)}"
                self.define(result, text)
            case arith.NegfOp():
                self.define(result, f"-{self.texts[op.operands[0]]}")
            case arith.SelectOp():
                test, a, b = (self.texts[x] for x in op.operands)
                self.define(result, f"{test} ? {a} : {b}")
            case arith.MinimumfOp() | arith.MaximumfOp():
                a, b = (self.texts[x] for x in op.operands)
                sign = "<" if isinstance(op, arith.MinimumfOp) else ">"
                self.define(result, f"({a} {sign} {b}) | ({a} != {a}) ? {a} : {b}")
            case arith.ExtFOp() | arith.TruncFOp() | fixed.ToRealOp():
                self.define(result, f"({self.type_of(result.type, None)}){self.texts[op.operands[0]]}")
            case _ if type(op) in BINARY:
                self.define(result, self.joined(BINARY[type(op)], op))
            case _ if type(op) in MATH_FUNCTIONS:
                self.needs.math = True
                name = MATH_FUNCTIONS[type(op)] + ("f" if result.type == f32 else "")
                self.define(result, f"{name}({', '.join(self.texts[x] for x in op.operands)})")
            case _:
                self.add_integer(op)

    def joined(self, sign: str, op: Operation) -> str:
        a, b = (self.texts[x] for x in op.operands)
        return f"{a} {sign} {b}"

    def real(self, value: float, type: Attribute) -> str:
        text = real(value, type == f32)
        self.needs.math |= "INFINITY" in text or "NAN" in text
        return text

    def add_integer(self, op: Operation) -> None:
        args = [self.intervals[x] for x in op.operands if x in self.intervals]
        match op:
            case fixed.AddOp() | fixed.SubOp() | fixed.MulOp():
                sign, infer = ARITHMETIC[type(op)]
                self.set(op, infer(*args), lambda b: f"{self.at(op.a, b)} {sign} {self.at(op.b, b)}", op.a, op.b)
            case fixed.NegOp():
                self.set(op, -args[0], lambda b: f"-{self.at(op.x, b)}", op.x)
            case fixed.AbsOp():
                self.set(op, abs(args[0]), lambda b: "{0} < 0 ? -{0} : {0}".format(self.at(op.x, b)), op.x)
            case fixed.SignOp():
                self.set(op, args[0].sign, lambda b: "({0} > 0) - ({0} < 0)".format(self.at(op.x, b)), op.x)
            case fixed.MinOp() | fixed.MaxOp():
                sign = "<" if isinstance(op, fixed.MinOp) else ">"
                held = args[0].minimum(args[1]) if sign == "<" else args[0].maximum(args[1])
                self.set(op, held, lambda b: self.chosen(sign, self.at(op.a, b), self.at(op.b, b)), op.a, op.b)
            case fixed.ShlOp():
                self.set(op, args[0].shl(args[1]), lambda b: self.shifted_left(op, args[1], b), op.a)
            case fixed.ShrOp():
                self.shift_right(op, args[0], args[1])
            case fixed.DivOp():
                rounding = op.rounding.data
                held = args[0].divide(args[1], rounding)
                self.set(op, held, lambda b: self.quotient(op, rounding, args, b), op.a, op.b)
            case fixed.SaturateOp() | fixed.RefineOp():
                self.saturate(op.x, op)
            case fixed.WrapOp():
                self.wrap(op)
            case fixed.SelectOp():
                a, b = self.intervals[op.a], self.intervals[op.b]
                test = self.texts[op.test]
                self.set(op, a.join(b), lambda n: f"{test} ? {self.at(op.a, n)} : {self.at(op.b, n)}", op.a, op.b)
            case fixed.FromRealOp():
                self.from_real(op)
            case _:
                refuse(
                    CEM001,
                    f"{op.name} cannot be compiled to C",
                    at="c.loop",
                    expected="arith, math or fixed",
                    found=op.name,
                )

    def chosen(self, sign: str, a: str, b: str) -> str:
        return f"{a} {sign} {b} ? {a} : {b}"

    def shifted_left(self, op: fixed.ShlOp, amount: Interval, bits: int) -> str:
        a = self.at(op.a, bits)
        if amount.low == amount.high and amount.low < bits - 1:
            return f"{a} * {integer(2**amount.low, bits)}"
        if amount.high >= bits:
            return f"(int64_t)((uint64_t)(int64_t){a} << {self.texts[op.b]})"
        return f"(int{bits}_t)((uint{bits}_t){a} << {self.at(op.b, 32)})"

    def shift_right(self, op: fixed.ShrOp, x: Interval, amount: Interval) -> None:
        held = x.shr(amount)

        def text(bits: int) -> str:
            b = integer(amount.low) if amount.low == amount.high else self.texts[op.b]
            a = self.at(op.a, bits if amount.high < bits else 64)
            shifted = f"{a} >> {b}"
            return f"(int32_t)({shifted})" if bits == 32 and amount.high > 31 else shifted

        self.set(op, held, text, op.a)

    def quotient(self, op: fixed.DivOp, rounding: Rounding, args: list[Interval], bits: int) -> str:
        a, b = self.at(op.a, bits), self.at(op.b, bits)
        divisor = args[1]
        if rounding is Rounding.TRUNCATE or (rounding is Rounding.FLOOR and args[0].low >= 0 and divisor.low > 0):
            return f"{a} / {b}"
        if rounding is Rounding.FLOOR and divisor.low == divisor.high > 0 and divisor.low & (divisor.low - 1) == 0:
            return f"{a} >> {divisor.low.bit_length() - 1}"
        return f"{self.needs.helper(f'{rounding}{bits}')}({a}, {b})"

    def saturate(self, x: SSAValue, op: fixed.SaturateOp | fixed.RefineOp) -> None:
        given, into = self.intervals[x], fixed.interval_of(op.y)
        if into.holds(given):
            self.give(op.y, self.texts[x], given)
            return
        low = min(max(given.low, into.low), into.high)
        held = Interval(low, min(max(given.high, into.low), into.high))

        def text(bits: int) -> str:
            a, lowest, highest = self.at(x, bits), integer(into.low, bits), integer(into.high, bits)
            below = f"{a} < {lowest} ? {lowest} : " if given.low < into.low else ""
            above = f"{a} > {highest} ? {highest} : " if given.high > into.high else ""
            return f"{below}{above}{a}"

        self.set(op, held, text, x)

    def wrap(self, op: fixed.WrapOp) -> None:
        given, into = self.intervals[op.x], fixed.interval_of(op.y)
        if into.holds(given):
            self.give(op.y, self.texts[op.x], given)
            return

        def text(bits: int) -> str:
            a, size = self.at(op.x, bits), into.size
            if size & (size - 1) == 0:  # into is smaller than 64 bits, because it does not hold x
                kind = f"uint{bits}_t"
                low = f" - ({kind}){integer(into.low, bits)}" if into.low else ""
                back = f" + {integer(into.low, bits)}" if into.low else ""
                return f"(int{bits}_t)((({kind}){a}{low}) & UINT{bits}_C({size - 1})){back}"
            return f"{self.needs.helper('wrap')}({a}, {integer(into.low, 64)}, UINT64_C({size}))"

        whole = into.size & (into.size - 1) == 0 and into.size <= 2**31
        if whole:
            self.set(op, into, text, op.x)
        else:
            self.define_wide(op, into, text(64))

    def define_wide(self, op: Operation, held: Interval, text: str) -> None:
        """Defines an integer by an expression of 64 bits."""
        self.define(op.results[0], f"(int32_t)({text})" if INT32.holds(held) else text, held)

    def from_real(self, op: fixed.FromRealOp) -> None:
        self.needs.math = True
        into = fixed.interval_of(op.y)
        rounded = f"{self.start}{len(self.texts)}r"
        self.lines.append(f"const double {rounded} = {ROUNDERS[op.rounding.data]}((double){self.texts[op.x]});")
        bits = 32 if INT32.holds(into) else 64
        low, high = real(into.low, False), real(into.high, False)
        text = f"!({rounded} > {low}) ? {integer(into.low, bits)} : {rounded} >= {high} ? {integer(into.high, bits)}"
        self.define(op.y, f"{text} : (int{bits}_t){rounded}", into)


def words(*texts: str) -> set[str]:
    """Returns the identifiers in C text."""
    return {word for text in texts for word in WORD.findall(text)}


def used_lines(lines: Sequence[str], *last: str) -> list[str]:
    """Returns the declarations among `lines` that later ones need, then `last`."""
    needed = words(*last)
    found: list[str] = []
    for line in reversed(lines):
        name = line.split(" = ", 1)[0].rsplit(" ", 1)[1]
        if name in needed:
            needed |= words(line)
            found.append(line)
    return [*reversed(found), *last]


def needed_in(block: Block) -> set[SSAValue]:
    """Returns the values that the last op of a block depends on."""
    needed: set[SSAValue] = set(block.last_op.operands) if block.last_op is not None else set()
    for op in reversed(list(block.ops)):
        if op.results and op.results[0] in needed:
            needed.update(op.operands)
    return needed


def meet(a: Interval, b: Interval) -> Interval:
    """Returns the intersection of two intervals, or the nearest single number if it is empty."""
    low, high = max(a.low, b.low), min(a.high, b.high)
    return Interval(low, high) if low <= high else Interval(a.low, a.low)


def read_helpers() -> dict[str, str]:
    """Returns the helper functions by name; one with `BITS` in its text exists for integers of 32 and of 64 bits."""
    templates = fill_template("helpers.c.in", {"BITS": "32"}), fill_template("helpers.c.in", {"BITS": "64"})
    texts = chain.from_iterable(zip(*(text.rstrip("\n").split("\n\n") for text in templates), strict=True))
    return {text.partition("@")[2].partition("(")[0]: text for text in texts}


HELPERS = read_helpers()
"""Helper functions by name; `@` is replaced by the prefix."""
