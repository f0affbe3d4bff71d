"""Bodies of loops as C statements: the scalar ops of an update, one constant each, without branches.

Integers are computed in 32 bits if the intervals of operands and result fit, else in 64; intervals are narrowed by the range of the
memory. Variables have 16 bits if all integers of a body fit, so that a vector holds twice as many. Intervals exclude overflow, and left shifts use unsigned types. `>>` of a negative
integer rounds down, as in every known C compiler (ISO/IEC 9899:1999, 6.5.7, leaves it to the implementation).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float16Type, f32, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....core.arrays.arrays import is_half
from ....core.diagnostics import Code, refuse
from ....core.fixed_point import Interval, Rounding
from ....dialects import fixed, ntensor
from ....dialects.fixed import comparison_symbol
from ...math_functions import MATH_FUNCTIONS, ROUNDERS
from .text import c_type, fill_template, integer, real

CSR006 = Code("CSR006", "loop-op-unsupported-in-c", "a loop contains an op that cannot be compiled to C")

WORD = re.compile(r"[A-Za-z_]\w*")
INT16, INT32, UINT32 = Interval.signed(16), Interval.signed(32), Interval.unsigned(32)
SHORT = "short"
"""The type of variables of 16 bits, which is wider where no vectors exist: processors without them compute in 32 bits."""
TEXTS: dict[type[Operation], str] = {
    arith.AddfOp: "{} + {}",
    arith.SubfOp: "{} - {}",
    arith.MulfOp: "{} * {}",
    arith.DivfOp: "{} / {}",
    arith.NegfOp: "-{}",
    arith.MinimumfOp: "(({0} < {1}) | ({0} != {0})) ? {0} : {1}",
    arith.MaximumfOp: "(({0} > {1}) | ({0} != {0})) ? {0} : {1}",
    arith.AndIOp: "{} & {}",
    arith.OrIOp: "{} | {}",
    arith.XOrIOp: "{} ^ {}",
    arith.SelectOp: "{} ? {} : {}",
    fixed.AddOp: "{} + {}",
    fixed.SubOp: "{} - {}",
    fixed.MulOp: "{} * {}",
    fixed.NegOp: "-{}",
    fixed.AbsOp: "{0} < 0 ? -{0} : {0}",
    fixed.SignOp: "({0} > 0) - ({0} < 0)",
    fixed.MinOp: "{0} < {1} ? {0} : {1}",
    fixed.MaxOp: "{0} > {1} ? {0} : {1}",
    fixed.SelectOp: "{} ? {} : {}",
}
"""The C expression of each op that is one, in its operands."""


class Needs:
    """Dependencies of a program: helper functions and `math.h`."""

    def __init__(self, prefix: str, unroll: int = 0):
        self.prefix = prefix
        self.unroll = unroll
        """Unroll factor of innermost loops; 0 leaves it to the compiler."""
        self.helpers: dict[str, None] = {}
        self.bit_sums: dict[Attribute, None] = {}
        """The types of sums to which a function adds a weight where bits are 1."""
        self.math = False
        self.shorts = False
        """Whether variables have 16 bits."""

    def innermost(self, text: str) -> str:
        """Returns an innermost loop with its hints to the compiler."""
        return f"{self.prefix.upper()}_UNROLL\n{text}" if self.unroll > 1 else text

    def helper(self, name: str) -> str:
        self.helpers[name] = None
        return f"{self.prefix}_{name}"

    def bit_adder(self, sums: Attribute) -> str:
        """Returns the function that adds a weight to sums where bits are 1."""
        self.bit_sums[sums] = None
        return f"{self.prefix}_add_{c_type(sums)}"

    def widened(self, element: Attribute, bits: str, *, is_finite: bool = False) -> str:
        """Returns a real of 16 bits as f32."""
        short = is_finite and isinstance(element, Float16Type)
        return f"{self.helper(f'from_finite_{element}' if short else f'from_{element}')}({bits})"

    def narrowed(self, element: Attribute, real: str, is_double: bool) -> str:
        """Returns the bits of the nearest real of 16 bits. A double is first rounded to odd, so that it is rounded once."""
        single = f"{self.helper('odd')}({real})" if is_double else real
        return f"{self.helper(f'to_{element}')}({single})"


class Body:
    """Printer of one body. `lines` are its statements so far. Options: narrowest: the fewest bits of an integer variable, 16 or 32."""

    def __init__(self, needs: Needs, start: str = "v", narrowest: int = 32):
        self.needs = needs
        self.start = start
        self.narrowest = narrowest
        needs.shorts |= narrowest == 16
        self.lines: list[str] = []
        self.texts: dict[SSAValue, str] = {}
        self.intervals: dict[SSAValue, Interval] = {}
        self.widths: dict[str, int] = {}
        """The bits of integer variables, by name."""
        self.bits: dict[tuple[str, Attribute], str] = {}
        """The bits of rounded reals, by their name and format."""

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
        type, given = self.type_of(value.type, held), c_type(element)
        if is_half(element):
            given, text = "float", self.needs.widened(element, text)
        self.define(value, text if type == given else f"({type}){text}", held)

    def store(self, value: SSAValue, element: Attribute) -> str:
        """Returns the C expression that stores a value in memory of an element type."""
        type, text = c_type(element), self.texts[value]
        if is_half(element):
            return self.bits[text, element]  # verified: the value was rounded to the format of its memory
        is_same = type == self.type_of(value.type, self.intervals.get(value))
        return text if is_same else f"({type}){text}"

    def statements(self, *last: str) -> list[str]:
        """Returns the statements whose values are used by later statements or by `last`; constants need no statements."""
        return used_lines(self.lines, *last)

    def define(self, value: SSAValue, text: str, held: Interval | None = None) -> None:
        name = f"{self.start}{len(self.texts)}"
        self.lines.append(f"const {self.type_of(value.type, held)} {name} = {text};")
        self.widths[name] = self.width_of(held)
        self.give(value, name, held)

    def width_of(self, held: Interval | None) -> int:
        """Returns the bits of a variable for integers of an interval."""
        if held is None or not INT32.holds(held):
            return 64
        return self.narrowest if INT16.holds(held) else 32

    @property
    def is_short(self) -> bool:
        """Returns whether every integer fits into 16 bits, and no value is real."""
        types = {value.type for value in self.texts}
        return all(isinstance(type, fixed.IntType) or type == i1 for type in types) and all(
            INT16.holds(held) for held in self.intervals.values()
        )

    def type_of(self, type: Attribute, held: Interval | None) -> str:
        if isinstance(type, fixed.IntType):
            bits = self.width_of(held)
            return f"int{bits}_t" if bits > 16 else f"{self.needs.prefix}_{SHORT}"
        return "int" if type == i1 else "float" if type == f32 else "double"

    def at(self, value: SSAValue, bits: int) -> str:
        """Returns the C expression of an operand; the expression of an integer has the given width."""
        held, text = self.intervals.get(value), self.texts[value]
        if held is None:
            return text
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
        bits = bits_for(held, *(self.intervals[x] for x in operands))
        text, width = make(bits), self.width_of(held)
        given = [self.widths.get(self.texts[x], 0) for x in operands]
        if width < max(bits, *given):
            text = f"({self.type_of(declared, held)})({text})"
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
        integers = [x for x in op.operands if x in self.intervals]
        given = [self.intervals[x] for x in integers]
        match op:
            case ntensor.LetOp() | fixed.WidenOp():
                self.give(result, self.texts[op.operands[0]], *given)
            case arith.ConstantOp():
                value: Any = op.value
                if result.type == i1:
                    self.give(result, str(int(bool(value.value.data))))
                else:
                    self.give(result, self.real(value.value.data, result.type))
            case fixed.ConstantOp():
                self.give(result, integer(op.value.value.data, 32), op.infer())
            case fixed.MinOp() | fixed.MaxOp() if self.has_equal_operands(op):  # min(x, x) == x
                self.give(result, self.texts[op.operands[0]], given[0])
            case fixed.CmpOp() if self.has_equal_operands(op):  # compilers warn of x < x
                self.give(result, str(int(comparison_symbol(op) in ("==", "<=", ">="))))
            case arith.CmpfOp() | fixed.CmpOp() if symbol := comparison_symbol(op):
                a, b = (self.at(x, bits_for(*given)) for x in op.operands)
                self.define(result, f"{a} {symbol} {b}")
            case arith.ExtFOp() | arith.TruncFOp() | fixed.ToRealOp():
                self.define(result, f"({self.type_of(result.type, None)}){self.texts[op.operands[0]]}")
            case ntensor.RoundRealOp():
                bits = f"{self.start}{len(self.texts)}r"
                text = self.needs.narrowed(op.into, self.texts[op.x], result.type != f32)
                self.lines.append(f"const uint16_t {bits} = {text};")
                wide = self.needs.widened(op.into, bits)
                self.define(result, wide if result.type == f32 else f"(double){wide}")
                self.bits[self.texts[result], op.into] = bits
            case fixed.ShlOp():
                self.set(op, op.infer(*given), lambda b: self.shifted_left(op, given[1], b), op.a)
            case fixed.ShrOp():
                self.set(op, op.infer(*given), lambda b: self.shifted_right(op, given[1], b), op.a)
            case fixed.DivOp():
                self.set(op, op.infer(*given), lambda b: self.quotient(op, given[0], given[1], b), op.a, op.b)
            case fixed.SaturateOp() | fixed.RefineOp() | fixed.WrapOp() if fixed.interval_of(op.y).holds(*given):
                self.give(result, self.texts[op.x], *given)
            case fixed.RefineOp() if all(isinstance(use.operation, fixed.SelectOp) for use in result.uses):
                self.give(result, self.texts[op.x], op.infer(*given))  # elsewhere, the other operand is selected
            case fixed.SaturateOp() | fixed.RefineOp():
                self.set(op, op.infer(*given), lambda b: self.saturated(op, given[0], b), op.x)
            case fixed.WrapOp():
                self.wrap(op)
            case fixed.FromRealOp():
                self.from_real(op)
            case fixed.MulOp() if not INT32.holds(op.infer(*given)) and all(map(UINT32.holds, given)):
                self.set(op, op.infer(*given), lambda _: self.product(op), op.a, op.b)
            case fixed.FixedOperation() if type(op) in TEXTS:
                text = TEXTS[type(op)]
                self.set(op, op.infer(*given), lambda b: text.format(*(self.at(x, b) for x in op.operands)), *integers)
            case _ if type(op) in TEXTS:
                self.define(result, TEXTS[type(op)].format(*(self.texts[x] for x in op.operands)))
            case _ if type(op) in MATH_FUNCTIONS:
                self.needs.math = True
                name = MATH_FUNCTIONS[type(op)] + ("f" if result.type == f32 else "")
                self.define(result, f"{name}({', '.join(self.texts[x] for x in op.operands)})")
            case _:
                refuse(
                    CSR006,
                    f"{op.name} cannot be compiled to C",
                    at="c.loop",
                    expected="arith, math or fixed",
                    found=op.name,
                )

    def has_equal_operands(self, op: Operation) -> bool:
        return len({self.texts[x] for x in op.operands}) == 1

    def real(self, value: float, type: Attribute) -> str:
        text = real(value, type == f32)
        self.needs.math |= "INFINITY" in text or "NAN" in text
        return text

    def shifted_left(self, op: fixed.ShlOp, amount: Interval, bits: int) -> str:
        a = self.at(op.a, bits)
        if amount.low == amount.high and amount.low < bits - 1:
            return f"{a} * {integer(2**amount.low, bits)}"
        if amount.high >= bits:
            return f"(int64_t)((uint64_t)(int64_t){a} << {self.texts[op.b]})"
        return f"(int{bits}_t)((uint{bits}_t){a} << {self.at(op.b, 32)})"

    def product(self, op: fixed.MulOp) -> str:
        """Returns a product of 64 bits of integers that are not negative: vectors multiply those without a sign."""
        a, b = (self.texts[x] for x in (op.a, op.b))
        return f"(int64_t)((uint64_t)(uint32_t){a} * (uint32_t){b})"

    def shifted_right(self, op: fixed.ShrOp, amount: Interval, bits: int) -> str:
        b = integer(amount.low) if amount.low == amount.high else self.texts[op.b]
        a = self.at(op.a, bits if amount.high < bits else 64)
        held = self.intervals[op.a]
        if held.low >= 0 and bits == 64 and amount.high < 64:  # vectors of 64 bits have no shift of signed integers
            return f"(int64_t)((uint64_t){self.texts[op.a]} >> {b})"
        shifted = f"{a} >> {b}"
        return f"(int32_t)({shifted})" if bits == 32 and amount.high > 31 else shifted

    def quotient(self, op: fixed.DivOp, dividend: Interval, divisor: Interval, bits: int) -> str:
        a, b, rounding = self.at(op.a, bits), self.at(op.b, bits), op.rounding.data
        if rounding is Rounding.TRUNCATE or (rounding is Rounding.FLOOR and dividend.low >= 0 and divisor.low > 0):
            return f"{a} / {b}"
        if rounding is Rounding.FLOOR and divisor.low == divisor.high > 0 and divisor.low & (divisor.low - 1) == 0:
            return f"{a} >> {divisor.low.bit_length() - 1}"
        return f"{self.needs.helper(f'{rounding}{bits}')}({a}, {b})"

    def saturated(self, op: fixed.SaturateOp | fixed.RefineOp, given: Interval, bits: int) -> str:
        into = fixed.interval_of(op.y)
        a, lowest, highest = self.at(op.x, bits), integer(into.low, bits), integer(into.high, bits)
        below = f"{a} < {lowest} ? {lowest} : " if given.low < into.low else ""
        above = f"{a} > {highest} ? {highest} : " if given.high > into.high else ""
        return f"{below}{above}{a}"

    def wrap(self, op: fixed.WrapOp) -> None:
        into = fixed.interval_of(op.y)
        size, is_power = into.size, into.size & (into.size - 1) == 0

        def text(bits: int) -> str:
            a = self.at(op.x, bits)
            if is_power:  # into is smaller than 64 bits, because it does not hold x
                kind = f"uint{bits}_t"
                low = f" - ({kind}){integer(into.low, bits)}" if into.low else ""
                back = f" + {integer(into.low, bits)}" if into.low else ""
                return f"(int{bits}_t)((({kind}){a}{low}) & UINT{bits}_C({size - 1})){back}"
            return f"{self.needs.helper('wrap')}({a}, {integer(into.low, 64)}, UINT64_C({size}))"

        if is_power and size <= 2**31:
            self.set(op, into, text, op.x)
        else:
            self.define(op.y, f"(int32_t)({text(64)})" if INT32.holds(into) else text(64), into)

    def from_real(self, op: fixed.FromRealOp) -> None:
        self.needs.math = True
        into = fixed.interval_of(op.y)
        rounded = f"{self.start}{len(self.texts)}r"
        self.lines.append(f"const double {rounded} = {ROUNDERS[op.rounding.data]}((double){self.texts[op.x]});")
        bits = bits_for(into)
        low, high = real(into.low, False), real(into.high, False)
        text = f"!({rounded} > {low}) ? {integer(into.low, bits)} : {rounded} >= {high} ? {integer(into.high, bits)}"
        self.define(op.y, f"{text} : (int{bits}_t){rounded}", into)


def bits_for(*held: Interval) -> int:
    """Returns the width that can compute integers of all these intervals, 32 or 64."""
    return 32 if all(map(INT32.holds, held)) else 64


def words(*texts: str) -> set[str]:
    """Returns the identifiers in C text."""
    return {word for text in texts for word in WORD.findall(text)}


def used_lines(lines: Sequence[str], *last: str) -> list[str]:
    """Returns the declarations among `lines` that later lines use, then `last`."""
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
    """Returns the C helper functions by name. A function with `BITS` in its template has a version for 32 bits and a version for 64 bits."""
    templates = fill_template("helpers.c.in", {"BITS": "32"}), fill_template("helpers.c.in", {"BITS": "64"})
    texts = chain.from_iterable(zip(*(text.rstrip("\n").split("\n\n") for text in templates), strict=True))
    return {text.partition("@")[2].partition("(")[0]: text for text in texts}


HELPERS = read_helpers()
"""Helper functions by name; `@` is replaced by the prefix."""
