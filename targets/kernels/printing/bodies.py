"""Bodies of stages as statements: one for each op, in the language of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nextafter
from typing import Any

import numpy as np
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue

from ....core.fixed_point import Interval, Rounding, wrap_value
from ....dialects import fixed, kernels, ntensor
from ....dialects.fixed import IntType, comparison_symbol
from ....dialects.kernels import Memory
from ....dialects.kernels.memory import ARENAS, Kind
from ...math_functions import MATH_FUNCTIONS, ROUNDERS
from .expressions import INT32, Texts, element_text, type_name

REALS: Mapping[type[Operation], str] = {
    arith.AddfOp: "{} + {}",
    arith.SubfOp: "{} - {}",
    arith.MulfOp: "{} * {}",
    arith.DivfOp: "{} / {}",
    arith.NegfOp: "-{}",
}
WORDS: Mapping[type[Operation], str] = {
    arith.AddiOp: "{} + {}",
    arith.SubiOp: "{} - {}",
    arith.MuliOp: "{} * {}",
    arith.DivUIOp: "{} / {}",
    arith.RemUIOp: "{} % {}",
    arith.AndIOp: "{} & {}",
    arith.OrIOp: "{} | {}",
    arith.XOrIOp: "{} ^ {}",
    arith.ShLIOp: "{} << {}",
    arith.ShRUIOp: "{} >> {}",
}
TRUTHS: Mapping[type[Operation], str] = {
    arith.AndIOp: "{} && {}",
    arith.OrIOp: "{} || {}",
    arith.XOrIOp: "{} != {}",
}
INTEGERS: Mapping[type[Operation], str] = {
    fixed.AddOp: "{} + {}",
    fixed.SubOp: "{} - {}",
    fixed.MulOp: "{} * {}",
    fixed.NegOp: "-{}",
    fixed.MinOp: "min({}, {})",
    fixed.MaxOp: "max({}, {})",
    fixed.AbsOp: "max({0}, -{0})",
}
COMPARISONS: Mapping[int, str] = {0: "==", 1: "!=", 6: "<", 7: "<=", 8: ">", 9: ">="}
"""Comparisons of indices and words: eq, ne, ult, ule, ugt, uge."""
TAB = "    "


class Body:
    """Printer of one stage."""

    def __init__(self, texts: Texts, memory: Memory, *, is_interleaved: bool, depth: int):
        self.texts, self.memory, self.is_interleaved = texts, memory, is_interleaved
        self.depth = depth
        self.lines: list[str] = []
        self.names: dict[SSAValue, str] = {}
        self.intervals: dict[SSAValue, Interval] = {}
        self.constants: dict[SSAValue, int] = {}
        """Indices and words that are numbers."""
        self.count = 0

    # ---- values

    def line(self, text: str) -> None:
        self.lines.append(f"{TAB * self.depth}{text}")

    def fresh(self, letter: str) -> str:
        """Returns a new name, which is not that of a type: `i32` is one in WGSL."""
        self.count += 1
        if f"{letter}{self.count}" in self.texts.language.types.values():
            self.count += 1
        return f"{letter}{self.count}"

    def declare(self, template: str, type: str, x: str, letter: str) -> str:
        name = self.fresh(letter)
        kind = self.texts.type(type)
        kind = f"{self.texts.language.precise}{kind}" if type in ("f32", "f64") else kind
        if kind.startswith("PRECISE"):
            template = template.replace("const ", "")
        self.line(template.format(type=kind, name=name, x=x))
        return name

    def define(self, value: SSAValue, x: str) -> None:
        """Declares a value."""
        self.names[value] = self.declare(self.texts.language.constant, type_name(value.type), x, "v")

    def at(self, value: SSAValue, type: str | None = None) -> str:
        """Returns the text of an operand; of an integer, in the given width."""
        if isinstance(value.type, IntType):
            held = self.intervals.get(value, value.type.interval)
            wanted = type or type_name(value.type)
            if held.low == held.high:
                return self.texts.integer(held.low, wanted)
            own = type_name(value.type)
            return self.names[value] if own == wanted else self.texts.cast(self.names[value], wanted)
        return self.names[value]

    def width(self, *values: SSAValue) -> str:
        """Returns the type that computes integers of all these intervals."""
        return "i32" if all(INT32.holds(fixed.interval_of(x)) for x in values) else "i64"

    def integer(self, op: Operation, make: Callable[[str], str]) -> None:
        """Declares an integer that is computed in the width of its operands and result."""
        result = op.results[0]
        assert isinstance(result.type, IntType)  # guaranteed by the caller
        if result.type.lower == result.type.upper:
            return
        if (number := self.constant_result(op)) is not None:
            self.intervals[result] = Interval(number, number)
            return
        width = self.width(*(x for x in (*op.operands, result) if isinstance(x.type, IntType)))
        text, own = make(width), type_name(result.type)
        self.define(result, text if own == width else self.texts.cast(text, own))

    def constant_result(self, op: Operation) -> int | None:
        """Returns the result of an op of integers that are all known numbers; None for another op. Not every compiler folds 64 bits."""
        given = [self.intervals.get(x, fixed.interval_of(x)) for x in op.operands if isinstance(x.type, IntType)]
        if not isinstance(op, fixed.FixedOperation) or isinstance(op, fixed.SelectOp | fixed.FromRealOp):
            return None
        if not given or any(held.low != held.high for held in given):
            return None
        if isinstance(op, fixed.WrapOp):
            return wrap_value(given[0].low, fixed.interval_of(op.y))
        held = op.infer(*given)
        return held.low if held.low == held.high else None

    # ---- memory

    def address(self, memory: SSAValue, index: SSAValue) -> str:
        """Returns the address of an element in its region, for the sample and the tick of the invocation."""
        region, offset = self.memory.of(memory)
        constant = self.constants.get(index)
        inner = self.names.get(index, "")
        if constant is not None:
            inner = self.texts.unsigned(constant + offset)
        elif offset:
            inner = f"{inner} + {self.texts.unsigned(offset)}"
        if region.is_constant or region.is_shared:
            return inner
        if region.role == ARENAS[Kind.STATE] and self.is_interleaved:
            samples = self.texts.language.parameter.format(name="samples")
            return f"({inner}) * {samples} + unit"
        return f"{region.name}_row + {inner}"

    def load(self, op: kernels.LoadOp) -> None:
        region, _ = self.memory.of(op.memory)
        self.define(
            op.value, element_text(self.texts, region, self.address(op.memory, op.index), type_name(op.value.type))
        )

    def store(self, op: kernels.StoreOp) -> None:
        region, _ = self.memory.of(op.memory)
        word, type = region.word.name, type_name(op.value.type)
        if type == "bool":
            text = self.texts.choice(self.at(op.value), self.texts.cast("1", word), self.texts.cast("0", word))
        else:
            text = self.at(op.value) if word == type else self.texts.cast(self.at(op.value), word)
        self.line(f"{region.name}[{self.address(op.memory, op.index)}] = {text};")

    # ---- control

    def run(self, block: Block) -> None:
        for op in block.ops:
            if not isinstance(op, scf.YieldOp):
                self.add(op)

    def variables(self, initial: list[SSAValue], results: list[SSAValue]) -> list[str]:
        """Declares a variable for each result."""
        template = self.texts.language.variable
        return [
            self.declare(template, type_name(y.type), self.at(x, type_name(y.type)), "s")
            for x, y in zip(initial, results, strict=True)
        ]

    def assign(self, names: list[str], block: Block) -> None:
        last = block.last_op
        assert last is not None  # verified: a region ends in scf.yield
        values = [self.at(x) for x in last.operands]
        kept = [(name, text) for name, text in zip(names, values, strict=True) if name != text]
        used = {name for name, _ in kept}
        for k, (name, text) in enumerate(kept):
            if text in used and any(text == earlier for earlier, _ in kept[:k]):
                raise AssertionError(name)  # our bodies carry no value over into another variable
            self.line(f"{name} = {text};")

    def loop(self, op: scf.ForOp) -> None:
        names = self.variables(list(op.iter_args), list(op.results))
        block = op.body.block
        variable = self.fresh("i")
        self.names[block.args[0]] = variable
        self.names.update(zip(block.args[1:], names, strict=True))
        language = self.texts.language
        head = language.loop.format(
            uint=self.texts.type("u32"), name=variable, low=self.at(op.lb), high=self.at(op.ub), step="1u"
        )
        self.line(f"{head} {{")
        self.depth += 1
        self.run(block)
        self.assign(names, block)
        self.depth -= 1
        self.line("}")
        self.names.update(zip(op.results, names, strict=True))

    def test(self, op: scf.IfOp) -> None:
        yes, no = op.true_region.block, op.false_region.blocks[0] if op.false_region.blocks else None
        names: list[str] = []
        if op.results:
            assert no is not None
            assert no.last_op is not None
            for inner in no.ops:
                if inner is not no.last_op:
                    self.add(inner)
            names = self.variables(list(no.last_op.operands), list(op.results))
        self.line(f"if ({self.at(op.cond)}) {{")
        self.depth += 1
        self.run(yes)
        if names:
            self.assign(names, yes)
        self.depth -= 1
        self.line("}")
        self.names.update(zip(op.results, names, strict=True))

    # ---- ops

    def add(self, op: Operation) -> None:
        texts = self.texts
        match op:
            case kernels.LoadOp():
                self.load(op)
            case kernels.StoreOp():
                self.store(op)
            case kernels.TickOp():
                self.names[op.tick] = "tick"
            case scf.ForOp():
                self.loop(op)
            case scf.IfOp():
                self.test(op)
            case kernels.AssumeOp() | fixed.WidenOp():
                self.alias(op)
            case kernels.WordOp():
                self.define(op.y, self.raised(op.x, "i32", "u32"))
            case kernels.IntegerOp():
                self.define(op.y, texts.cast(self.at(op.x), "i32"))
            case ntensor.LetOp() | arith.IndexCastOp():
                self.rename(op)
            case arith.ConstantOp():
                self.number(op)
            case fixed.ConstantOp():
                pass  # its interval is the number
            case arith.CmpiOp():
                a, b = (self.at(x) for x in op.operands)
                self.define(op.result, f"{a} {COMPARISONS[op.predicate.value.data]} {b}")
            case arith.CmpfOp() | fixed.CmpOp():
                symbol = comparison_symbol(op)
                width = self.width(*op.operands) if isinstance(op, fixed.CmpOp) else None
                a, b = (self.at(x, width) for x in op.operands)
                if isinstance(op, fixed.CmpOp) and a == b:
                    self.names[op.results[0]] = "true" if symbol in ("==", "<=", ">=") else "false"
                else:
                    self.define(op.results[0], f"{a} {symbol} {b}")
            case arith.SelectOp():
                c, a, b = (self.at(x) for x in op.operands)
                self.define(op.results[0], texts.choice(c, a, b))
            case arith.ExtFOp() | arith.TruncFOp() | fixed.ToRealOp() | arith.UIToFPOp() | arith.FPToUIOp():
                self.define(op.results[0], texts.cast(self.at(op.operands[0]), type_name(op.results[0].type)))
            case arith.MinimumfOp() | arith.MaximumfOp():
                a, b = (self.at(x) for x in op.operands)
                symbol = "<" if isinstance(op, arith.MinimumfOp) else ">"
                self.define(op.results[0], texts.choice(f"({a} {symbol} {b}) || ({a} != {a})", a, b))
            case _ if type(op) in REALS:
                self.define(op.results[0], REALS[type(op)].format(*(self.at(x) for x in op.operands)))
            case _ if type(op) in MATH_FUNCTIONS:
                kind = type_name(op.results[0].type)
                self.define(
                    op.results[0], texts.function(MATH_FUNCTIONS[type(op)], kind, *(self.at(x) for x in op.operands))
                )
            case _ if type(op) in TRUTHS and op.results[0].type == i1:
                self.define(op.results[0], TRUTHS[type(op)].format(*(self.at(x) for x in op.operands)))
            case _ if type(op) in WORDS:
                self.define(op.results[0], WORDS[type(op)].format(*(self.at(x) for x in op.operands)))
            case _ if type(op) in INTEGERS:
                self.integer(op, lambda w: INTEGERS[type(op)].format(*(self.at(x, w) for x in op.operands)))
            case _:
                self.add_integer(op)

    def add_integer(self, op: Operation) -> None:
        """Adds an op of integers that is not one expression of its operands."""
        texts = self.texts
        match op:
            case fixed.SignOp():

                def sign(w: str) -> str:
                    one, zero, minus = (texts.integer(n, w) for n in (1, 0, -1))
                    x = self.at(op.x, w)
                    return texts.choice(f"{x} > {zero}", one, texts.choice(f"{x} < {zero}", minus, zero))

                self.integer(op, sign)
            case fixed.SelectOp():
                c, a, b = op.operands
                self.integer(op, lambda w: texts.choice(self.at(c), self.at(a, w), self.at(b, w)))
            case fixed.ShlOp():
                self.integer(op, lambda w: self.shifted_left(op, w))
            case fixed.ShrOp():
                self.integer(op, lambda w: f"{self.at(op.a, w)} >> {self.amount(op.b)}")
            case fixed.SaturateOp() | fixed.RefineOp():
                if fixed.interval_of(op.y).holds(fixed.interval_of(op.x)):
                    self.alias(op)
                    return
                into = fixed.interval_of(op.y)

                def saturated(w: str) -> str:
                    low, high = texts.integer(into.low, w), texts.integer(into.high, w)
                    return f"min(max({self.at(op.x, w)}, {low}), {high})"

                self.integer(op, saturated)
            case fixed.WrapOp():
                self.wrap(op)
            case fixed.DivOp():
                self.divide(op)
            case fixed.FromRealOp():
                self.from_real(op)
            case _:
                texts.refuse(op.name)

    def number(self, op: arith.ConstantOp) -> None:
        value: Any = op.value
        kind = type_name(op.result.type)
        if kind in ("f32", "f64"):
            self.names[op.result] = self.texts.real(value.value.data, kind)
        elif kind == "bool":
            self.names[op.result] = "true" if value.value.data else "false"
        else:
            number = int(value.value.data) % 2**32
            self.constants[op.result] = number
            self.names[op.result] = self.texts.unsigned(number)

    def rename(self, op: Operation) -> None:
        """Names a result after its operand."""
        result, x = op.results[0], op.operands[0]
        if x in self.constants:
            self.constants[result] = self.constants[x]
        if isinstance(x.type, IntType):
            self.alias(op)
        else:
            self.names[result] = self.names[x]

    def alias(self, op: Operation) -> None:
        """Converts an integer to another interval: the same name if its type is the same, else a cast."""
        result, x = op.results[0], op.operands[0]
        held = self.intervals.get(x, fixed.interval_of(x))
        if held.low == held.high:
            self.intervals[result] = held
        elif type_name(result.type) == type_name(x.type):
            self.names[result] = self.names[x]
        else:
            self.define(result, self.texts.cast(self.names[x], type_name(result.type)))

    def amount(self, value: SSAValue) -> str:
        held = self.intervals.get(value, fixed.interval_of(value))
        if held.low == held.high:
            return self.texts.unsigned(held.low)
        return self.texts.cast(self.at(value), "u32")

    def shifted_left(self, op: fixed.ShlOp, width: str) -> str:
        unsigned = "u32" if width == "i32" else "u64"
        x = self.raised(op.a, width, unsigned)
        return self.texts.cast(f"{x} << {self.amount(op.b)}", width)

    def raised(self, value: SSAValue, width: str, unsigned: str) -> str:
        """Returns the bits of an integer in an unsigned type."""
        held = self.intervals.get(value, fixed.interval_of(value))
        if held.low == held.high:
            return self.texts.bits(held.low, unsigned)
        return self.texts.cast(self.at(value, width), unsigned)

    def wrap(self, op: fixed.WrapOp) -> None:
        into, texts = fixed.interval_of(op.y), self.texts
        if into.holds(fixed.interval_of(op.x)):
            self.alias(op)
            return
        if into.size & (into.size - 1):
            self.integer(op, lambda w: self.wrapped_any(op, w))
            return

        def wrapped(w: str) -> str:
            unsigned = "u32" if w == "i32" else "u64"
            x, low = self.raised(op.x, w, unsigned), texts.bits(into.low, unsigned)
            mask = texts.bits(into.size - 1, unsigned)
            inside = texts.cast(f"({x} - {low}) & {mask}", w)
            return f"{inside} + {texts.integer(into.low, w)}"

        self.integer(op, wrapped)

    def wrapped_any(self, op: fixed.WrapOp, width: str) -> str:
        """Returns an integer wrapped into an interval whose size is not a power of 2: by its remainder, which has the sign of the dividend."""
        texts, into = self.texts, fixed.interval_of(op.y)
        x, low, high = self.at(op.x, width), texts.integer(into.low, width), texts.integer(into.high, width)
        if into.size > largest(width):  # one size further, modulo 2^32 or 2^64, is far enough
            unsigned = "u32" if width == "i32" else "u64"
            bits, size = self.raised(op.x, width, unsigned), texts.bits(into.size, unsigned)
            below, above = (texts.cast(f"{bits} {sign} {size}", width) for sign in "+-")
            return texts.choice(f"{x} > {high}", above, texts.choice(f"{x} < {low}", below, x))

        def declare(x: str) -> str:
            return self.declare(texts.language.constant, width, x, "w")

        size, zero = texts.integer(into.size, width), texts.integer(0, width)
        rest = declare(f"{x} - {x} / {size} * {size}")
        rest = declare(texts.choice(f"{rest} < {zero}", f"{rest} + {size}", rest))
        moved = declare(f"{rest} - {texts.integer(into.low % into.size, width)}")
        return f"{texts.choice(f'{moved} < {zero}', f'{moved} + {size}', moved)} + {low}"

    def divide(self, op: fixed.DivOp) -> None:
        """Declares a quotient: that of the language, which is truncated, and its correction."""
        texts, rounding = self.texts, op.rounding.data
        dividend, divisor = fixed.interval_of(op.a), fixed.interval_of(op.b)
        is_plain = rounding is Rounding.TRUNCATE or (
            rounding is Rounding.FLOOR and dividend.low >= 0 and divisor.low > 0
        )

        def quotient(w: str) -> str:
            a, b = self.at(op.a, w), self.at(op.b, w)
            if is_plain:
                return f"{a} / {b}"

            def declare(type: str, x: str) -> str:
                return self.declare(texts.language.constant, type, x, "q")

            zero, one = texts.integer(0, w), texts.integer(1, w)
            q = declare(w, f"{a} / {b}")
            r = declare(w, f"{a} - {q} * {b}")
            is_negative = declare("bool", f"({a} < {zero}) != ({b} < {zero})")
            match rounding:
                case Rounding.FLOOR:
                    return texts.choice(f"({r} != {zero}) && {is_negative}", f"{q} - {one}", q)
                case Rounding.CEIL:
                    return texts.choice(f"({r} != {zero}) && !{is_negative}", f"{q} + {one}", q)
                case _:
                    rest = declare(w, f"max({r}, -{r})")
                    other = declare(w, f"max({b}, -{b}) - {rest}")
                    odd = f"({q} - {q} / {texts.integer(2, w)} * {texts.integer(2, w)}) != {zero}"
                    away = declare("bool", f"({rest} > {other}) || (({rest} == {other}) && ({odd}))")
                    step = texts.choice(is_negative, texts.integer(-1, w), one)
                    return f"{q} + {texts.choice(away, step, zero)}"

        self.integer(op, quotient)

    def from_real(self, op: fixed.FromRealOp) -> None:
        """Declares a rounded real as an integer, saturated to its interval; NaN is the lower bound."""
        texts, kind, into = self.texts, type_name(op.x.type), fixed.interval_of(op.y)
        rounded = texts.function(ROUNDERS[op.rounding.data], kind, self.at(op.x))
        name = self.declare(texts.language.constant, kind, rounded, "r")
        own = type_name(op.y.type)
        low, high = texts.integer(into.low, own), texts.integer(into.high, own)
        below, above = bounds_of(into, kind)
        inside = texts.choice(f"{name} >= {texts.real(above, kind)}", high, texts.cast(name, own))
        self.define(op.y, texts.choice(f"!({name} > {texts.real(below, kind)})", low, inside))


def largest(width: str) -> int:
    """Returns the largest integer of a type."""
    return Interval.signed(32 if width == "i32" else 64).high


def bounds_of(into: Interval, kind: str) -> tuple[float, float]:
    """Returns the reals of a type that enclose an interval."""
    low, high = float(into.low), float(into.high)
    if kind == "f32":
        lower, upper = np.float32(low), np.float32(high)
        low = float(lower if int(lower) <= into.low else np.nextafter(lower, np.float32(-np.inf)))
        high = float(upper if int(upper) >= into.high else np.nextafter(upper, np.float32(np.inf)))
        return low, high
    low = low if int(low) <= into.low else nextafter(low, -np.inf)
    high = high if int(high) >= into.high else nextafter(high, np.inf)
    return low, high
