"""Learning rules of the loihi2 dialect: sums of products in the words of Lava, and the limits of the learning engine.

    #loihi2.learning_rule<dw = "2^-7 * x1 * y0 - 2^-7 * y1 * x0", x1_impulse = 16.0, x1_tau = 20.0, y1_impulse = 16.0, y1_tau = 20.0, t_epoch = 1>

    every t_epoch ticks:  z = z + sum over products of  mantissa * 2^exponent * dependency * product over factors of  (variable + constant)

| part | what it is |
| --- | --- |
| z | the weight `w` (`dw`), the delay `d` (`dd`) or the tag `t` (`dt`) of a synapse |
| dependency | `x0`, `y0`: 1 if the source or the target has fired in the epoch; `u0` to `u9`: 1 in every 2^k-th epoch |
| variable | a trace `x1`, `x2` of the source or `y1`, `y2`, `y3` of the target; `w`, `d`, `t`, `sgn(w)`, `sgn(d)`, `sgn(t)`; `x0` and `y0` once more |
| trace | a spike adds the impulse, and each tick multiplies by exp(-1 / tau); 0 to 127; a tau of 0 keeps nothing |

1. A rule changes something: it has at least one of dw, dd and dt.
2. Each product has a dependency. `u` is the only dependency of its product, and all products of a rule have the same one.
3. The numbers of a product multiply to a mantissa of 4 bits, -8 to 7, times 2^-7 to 2^8. Even mantissas beyond 7 are halved first.
4. The constant of a factor has 8 bits; those of `w` and `t` are stored as their half.
5. An impulse is at most 127, in steps of 2^-8; a tau is at most 65535. The epoch has 6 bits. Units: tau and t_epoch [ticks].
6. A table that learns has 8 bits for its weights. Its delays are the first values of `d`; traces do not wait for them.
7. The rules on a core have the same epoch, which is a register of the core.

Lava accepts some rules that it then reads in another way. These are refused: a sign after `*`, a trace with a sign or a dependency alone in
brackets, `u` after another dependency, two digits of `u`, and a missing `*`.

Source: Lava 0.10.0, lava/magma/core/learning: symbolic_equation.py (the syntax), product_series.py (2, 3, 4), learning_rule.py (1, 2, 5) and constants.py
(widths); the upper end of tau is that of Loihi3FLearningRule. The epoch of a core: nengo-loihi 1.1.0, hardware/builder.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import NoReturn

from attrs import define, field, frozen
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr, StringAttr, f64, i64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation

LOI010 = Code("LOI010", "learning-rule-unreadable", "a learning rule cannot be read")
LOI011 = Code("LOI011", "learning-rule-without-effect", "a learning rule changes nothing")
LOI012 = Code("LOI012", "learning-product-without-dependency", "a product of a learning rule has no dependency")
LOI013 = Code("LOI013", "scaling-constant-out-of-range", "a scaling constant of a learning rule is out of range")
LOI014 = Code("LOI014", "learning-factor-unsupported", "a factor of a learning rule is not one of the chip")
LOI015 = Code("LOI015", "learning-trace-out-of-range", "a trace of a learning rule is out of range")
LOI016 = Code("LOI016", "learning-epoch-out-of-range", "the epoch of a learning rule is out of range")
LOI017 = Code("LOI017", "decimation-exponents-differ", "a learning rule has several decimation exponents")
LOI018 = Code("LOI018", "learning-weights-too-narrow", "weights that learn have too few bits")
LOI019 = Code("LOI019", "core-epochs-differ", "the learning rules of a core have different epochs")

EQUATIONS = ("dw", "dd", "dt")
PRE_TRACES, POST_TRACES = ("x1", "x2"), ("y1", "y2", "y3")
CONSTANTS = tuple(f"{trace}_{what}" for trace in (*PRE_TRACES, *POST_TRACES) for what in ("impulse", "tau"))
SYNAPTIC = ("w", "d", "t")
SPIKES = ("x0", "y0")

MANTISSA = (-8, 7)
EXPONENT = (-7, 8)
CONSTANT_BITS = 8
DOUBLED = ("w", "t")
"""Variables whose constant is stored as its half."""
MOST_IMPULSE, IMPULSE_STEP = 127, 2.0**-8
MOST_TAU = 2**16 - 1
EPOCH_BITS = 6
LEARNING_BITS = 8
"""Bits of weights that learn."""

TOKEN = re.compile(r"(sgn|x[012]|y[0123]|u\d|[wdt]|0|[1-9]\d*|[-+*^()])\s*")
MOST_DIGITS = 9
EXAMPLE = '"2^-7 * x1 * y0 - 2^-7 * y1 * x0"'


# ---- products


@frozen
class Factor:
    """A factor of a product: a variable with a constant that is added, or the sign of that sum."""

    variable: str
    constant: int = 0
    is_sign: bool = False


@frozen
class Product:
    """A product of an equation, with its text for messages."""

    dependency: str
    mantissa: int
    exponent: int
    factors: tuple[Factor, ...]
    text: str

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(one.variable for one in self.factors)


@frozen
class Fault:
    """A fault of an equation, as a message reports it."""

    code: Code
    expected: str
    found: str
    help: str


class FaultyEquation(Exception):
    """A fault of the text of an equation, which the op that holds it reports."""

    def __init__(self, fault: Fault):
        super().__init__(fault.found)
        self.fault = fault


def read_equation(text: str) -> tuple[Product, ...]:
    """Returns the products of an equation. Errors: FaultyEquation with LOI010, LOI012 to LOI014."""
    return Equation(text).read()


@define
class Parts:
    """The parts of a product while it is read."""

    mantissa: int
    exponent: int = 0
    dependency: str | None = None
    factors: list[Factor] = field(factory=list[Factor])


class Equation:
    """Reader of one equation, by recursive descent.

    equation = ["+" | "-"] product {("+" | "-") product}       product = factor {"*" factor}
    factor = name | number | ["sgn"] "(" ["+" | "-"] (name | number) [("+" | "-") (name | number)] ")"
    number = integer ["*" "2" "^" ["+" | "-"] integer] | "2" "^" ["+" | "-"] integer
    """

    def __init__(self, text: str):
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        """Texts and places of the tokens."""
        self.at = 0

    def read(self) -> tuple[Product, ...]:
        place = len(self.text) - len(self.text.lstrip())
        while place < len(self.text):
            match = TOKEN.match(self.text, place)
            if match is None or len(match[1]) > MOST_DIGITS:
                self.refuse_token("an operator, a number or a variable", place)
            self.tokens.append((match[1], place))
            place = match.end()
        products = [self.product(self.optional_sign())]
        while self.next is not None:
            products.append(self.product(self.optional_sign()))
        return tuple(products)

    # ---- tokens

    @property
    def next(self) -> str | None:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    @property
    def place(self) -> int:
        """Returns the place of the next token in the text."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)

    def take(self, *wanted: str) -> str | None:
        """Returns and consumes the next token if it is one of `wanted`; else None."""
        found = self.next
        if found is None or found not in wanted:
            return None
        self.at += 1
        return found

    def optional_sign(self) -> int | None:
        found = self.take("+", "-")
        return None if found is None else 1 if found == "+" else -1

    def refuse_token(self, expected: str, place: int | None = None) -> NoReturn:
        at = self.place if place is None else place
        rest = self.text[at : at + 12].rstrip()
        found = f"{rest!r} at column {at + 1}" if rest else "the end"
        raise FaultyEquation(Fault(LOI010, expected, found, f"write it as in {EXAMPLE}"))

    # ---- products

    def product(self, sign: int | None) -> Product:
        start = self.place
        parts = Parts(sign or 1)
        self.factor(parts)
        while self.take("*"):
            self.factor(parts)
        if self.next not in (None, "+", "-"):
            self.refuse_token("+, - or *")
        text = self.text[start : self.place].strip()
        if parts.dependency is None:
            expected = "x0, y0 or one of u0 to u9 as a factor, outside of brackets"
            raise FaultyEquation(Fault(LOI012, expected, text, f"{text} * x0, or {text} * y0"))
        mantissa, exponent = normalized(parts.mantissa, parts.exponent)
        if not (MANTISSA[0] <= mantissa <= MANTISSA[1] and EXPONENT[0] <= exponent <= EXPONENT[1]):
            expected = f"a mantissa from {MANTISSA[0]} to {MANTISSA[1]} times 2^{EXPONENT[0]} to 2^{EXPONENT[1]}"
            help = "divide the impulse of a trace, and multiply the constant by the same number, or round it"
            raise FaultyEquation(Fault(LOI013, expected, f"{mantissa} * 2^{exponent} in {text}", help))
        return Product(parts.dependency, mantissa, exponent, tuple(parts.factors), text)

    def factor(self, parts: Parts) -> None:
        found = self.next
        if found == "(" or found == "sgn":
            self.bracket(parts)
        elif found is not None and found.isdigit():
            mantissa, exponent = self.number()
            parts.mantissa *= mantissa
            parts.exponent += exponent
        elif found is not None and found[0] in "xywdtu":
            place = self.place
            self.at += 1
            self.variable(found, parts, place)
        else:
            self.refuse_token("a factor: a variable, a number, or a bracket")

    def variable(self, name: str, parts: Parts, place: int) -> None:
        """Adds a variable outside of brackets: the first spike or u becomes the dependency of the product, a later spike becomes a factor."""
        if name not in SPIKES and name[0] != "u":
            parts.factors.append(Factor(name))
        elif parts.dependency is None:
            parts.dependency = name
        elif name[0] == "u":
            self.refuse_factor(
                "u as the first dependency of its product", place, f"put {name} before {parts.dependency}"
            )
        else:
            parts.factors.append(Factor(name))

    def number(self, is_constant: bool = False) -> tuple[int, int]:
        """Returns the mantissa and exponent of a number. In a product, a power of 2 is a separate factor."""
        found = self.next
        if found is None or not found.isdigit():
            self.refuse_token("a number")
        self.at += 1
        if self.next == "^":
            if found != "2":
                self.at -= 1
                self.refuse_token("a power of 2")
            return 1, self.power()
        follows = [token for token, _ in self.tokens[self.at : self.at + 3]]
        if is_constant and follows == ["*", "2", "^"]:
            self.at += 2
            return int(found), self.power()
        return int(found), 0

    def power(self) -> int:
        self.at += 1
        sign = self.optional_sign()
        if self.next is None or not self.next.isdigit():
            self.refuse_token("an exponent")
        self.at += 1
        return (sign or 1) * int(self.tokens[self.at - 1][0])

    # ---- brackets

    def bracket(self, parts: Parts) -> None:
        """Adds a bracket: a variable with a constant, the sign of such a sum, or a number."""
        place, is_sign = self.place, self.take("sgn") is not None
        if not self.take("("):
            self.refuse_token("'('")
        names, numbers = list[tuple[int, str]](), list[tuple[int, int, int]]()
        first = self.optional_sign()
        self.term(first or 1, names, numbers)
        if (second := self.optional_sign()) is not None:
            self.term(second, names, numbers)
        if not self.take(")"):
            self.refuse_token("')'")
        if not names:
            if is_sign or len(numbers) > 1:
                self.refuse_factor("a variable in the bracket", place, "compute the number before")
            sign, mantissa, exponent = numbers[0]
            parts.mantissa *= sign * mantissa
            parts.exponent += exponent
            return
        (sign, name), *others = names
        if others:
            self.refuse_factor("a variable and a constant in a bracket", place, "multiply out the bracket")
        parts.mantissa *= self.verify_bracket(name, sign, bool(numbers), is_sign, place)
        constant = 0
        if numbers:
            own, mantissa, exponent = numbers[0]
            constant = self.constant(name, sign * own * mantissa, exponent, place)
        parts.factors.append(Factor(name, constant, is_sign))

    def term(self, sign: int, names: list[tuple[int, str]], numbers: list[tuple[int, int, int]]) -> None:
        found = self.next
        if found is not None and found[0] in "xywdtu":
            self.at += 1
            names.append((sign, found))
        else:
            numbers.append((sign, *self.number(is_constant=True)))

    def verify_bracket(self, name: str, sign: int, has_constant: bool, is_sign: bool, place: int) -> int:
        """Returns the sign of a bracket. Refuses a bracket that the chip or Lava computes differently. Errors: LOI014."""
        if is_sign and (name not in SYNAPTIC or sign < 0):
            self.refuse_factor("sgn of w, d or t, without a minus sign", place, "put the sign before the product")
        if name[0] == "u":
            self.refuse_factor("u outside of brackets", place, f"multiply by {name} instead")
        if not has_constant and (sign < 0 or name in SPIKES):
            self.refuse_factor("a bracket with a constant", place, f"remove the bracket: {name}")
        return sign

    def constant(self, name: str, mantissa: int, exponent: int, place: int) -> int:
        """Returns the constant of a factor. Errors: LOI014."""
        step = 2 if name in DOUBLED else 1
        low, high = -step * 2 ** (CONSTANT_BITS - 1), step * (2 ** (CONSTANT_BITS - 1) - 1)
        is_whole = exponent >= 0 or mantissa % 2 ** min(-exponent, 63) == 0
        value = mantissa * 2 ** min(max(exponent, 0), 63) if exponent >= 0 else mantissa // 2 ** min(-exponent, 63)
        if not is_whole or not low <= value <= high or value % step:
            kind = "an even integer" if step == 2 else "an integer"
            self.refuse_factor(f"{kind} from {low} to {high} added to {name}", place, "change the constant")
        return value

    def refuse_factor(self, expected: str, place: int, help: str) -> NoReturn:
        found = self.text[place : self.place].strip()
        raise FaultyEquation(Fault(LOI014, expected, found, help))


def normalized(mantissa: int, exponent: int) -> tuple[int, int]:
    """Returns an equal mantissa and exponent; mantissas are halved as long as they are even and beyond their range, as in Lava."""
    while abs(mantissa) > MANTISSA[1] and mantissa % 2 == 0 and exponent < EXPONENT[1]:
        mantissa, exponent = mantissa // 2, exponent + 1
    return mantissa, exponent


# ---- the attribute


def float_text(value: float) -> str:
    """Returns the shortest text with a decimal point, which the parser of numbers needs."""
    digits, e, power = repr(value).partition("e")
    return digits + ("" if "." in digits else ".0") + e + power


@irdl_attr_definition
class LearningRuleAttr(ParametrizedAttribute):
    """A learning rule of a table, with the names of Lava's `Loihi2FLearningRule`.

    `dw`, `dd` and `dt` are equations. Impulses and time constants that are 0 are not printed. Units: taus and t_epoch [ticks].
    """

    name = "loihi2.learning_rule"
    entries: DictionaryAttr

    @staticmethod
    def of(equations: Mapping[str, str], constants: Mapping[str, float], t_epoch: int = 1) -> LearningRuleAttr:
        """Returns a rule. The keys of the mappings are names in `EQUATIONS` and `CONSTANTS`."""
        entries: dict[str, Attribute] = {
            **{name: StringAttr(equations[name]) for name in EQUATIONS if name in equations},
            **{name: FloatAttr(constants[name], f64) for name in CONSTANTS if constants.get(name, 0)},
            "t_epoch": IntegerAttr(t_epoch, i64),
        }
        return LearningRuleAttr(DictionaryAttr(entries))

    def verify(self) -> None:
        kinds = {**dict.fromkeys(EQUATIONS, StringAttr), **dict.fromkeys(CONSTANTS, FloatAttr), "t_epoch": IntegerAttr}
        entries = self.entries.data
        wrong = [name for name, entry in entries.items() if not isinstance(entry, kinds.get(name, ()))]
        if wrong or "t_epoch" not in entries:
            expected = "texts as equations, reals as constants, and an integer as t_epoch"
            raise VerifyException(f"a learning rule has {expected}, not {', '.join(wrong) or 'no t_epoch'}")

    @property
    def equations(self) -> dict[str, str]:
        """Returns the texts of the equations by name."""
        entries = self.entries.data
        return {name: one.data for name in EQUATIONS if isinstance(one := entries.get(name), StringAttr)}

    @property
    def constants(self) -> dict[str, float]:
        """Returns impulses and time constants other than 0 by name."""
        entries = self.entries.data
        return {name: one.value.data for name in CONSTANTS if isinstance(one := entries.get(name), FloatAttr)}

    @property
    def t_epoch(self) -> int:
        found = self.entries.data["t_epoch"]
        assert isinstance(found, IntegerAttr)  # `of` and the parser
        return found.value.data

    @property
    def products(self) -> Iterator[Product]:
        """Yields the products of all equations of a verified rule."""
        for text in self.equations.values():
            yield from read_equation(text)

    def traces(self, names: Sequence[str]) -> frozenset[tuple[float, float]]:
        """Returns the different impulses and time constants of the traces that the rule uses, of some traces."""
        used = {name for product in self.products for name in product.variables if name in names}
        given = self.constants
        return frozenset((given.get(f"{one}_impulse", 0.0), given.get(f"{one}_tau", 0.0)) for one in used)

    @property
    def text(self) -> str:
        """Returns the equations for messages."""
        return ", ".join(f"{name} = {text}" for name, text in self.equations.items())

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            equations, constants, epochs = dict[str, str](), dict[str, float](), list[int]()
            given = set[str]()

            def entry() -> None:
                at = parser.pos
                name = parser.parse_identifier(context_msg=" of an entry of a learning rule")
                if name not in (*EQUATIONS, *CONSTANTS, "t_epoch") or name in given:
                    expected = f"one of {', '.join([*EQUATIONS, *CONSTANTS, 't_epoch'])}, each once"
                    parser.raise_error(f"expected {expected}", at, parser.pos)
                given.add(name)
                parser.parse_punctuation("=", f" after {name}")
                if name in EQUATIONS:
                    equations[name] = parser.parse_str_literal(f" as {name}")
                elif name == "t_epoch":
                    epochs.append(parser.parse_integer(allow_boolean=False))
                else:
                    constants[name] = float(parser.parse_number(allow_boolean=False))

            parser.parse_comma_separated_list(parser.Delimiter.NONE, entry)  # pyrefly: ignore[partially-unknown-type]
            return [cls.of(equations, constants, *epochs).entries]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            texts = [
                *(f'{name} = "{text}"' for name, text in self.equations.items()),
                *(f"{name} = {float_text(value)}" for name, value in self.constants.items()),
                f"t_epoch = {self.t_epoch}",
            ]
            printer.print_string(", ".join(texts))


# ---- verification


def verify_rule(op: NoptOperation, rule: LearningRuleAttr) -> None:
    """Refuses a rule beyond what the chip computes. Errors: LOI010 to LOI017."""
    if not rule.equations:
        refuse_rule(op, Fault(LOI011, f"at least one of {', '.join(EQUATIONS)}", "none", f"add dw = {EXAMPLE}"))
    decimations = dict[str, str]()
    for name, text in rule.equations.items():
        try:
            products = read_equation(text)
        except FaultyEquation as error:
            refuse_rule(op, error.fault, name)
        decimations |= {one.dependency: f"{name}: {one.text}" for one in products if one.dependency[0] == "u"}
    if len(decimations) > 1:
        help = f"replace the others by {next(iter(decimations))}"
        refuse_rule(op, Fault(LOI017, "one u in all equations", "; ".join(decimations.values()), help))
    for name, value in rule.constants.items():
        verify_trace(op, name, value)
    if not 1 <= rule.t_epoch < 2**EPOCH_BITS:
        expected, help = f"1 to {2**EPOCH_BITS - 1} ticks", "t_epoch = 1"
        refuse_rule(op, Fault(LOI016, expected, str(rule.t_epoch), help), "t_epoch")


def verify_trace(op: NoptOperation, name: str, value: float) -> None:
    """Refuses an impulse or a time constant that the chip does not hold. Errors: LOI015."""
    is_impulse = name.endswith("impulse")
    most = MOST_IMPULSE if is_impulse else MOST_TAU
    if isfinite(value) and 0 <= value <= most and (not is_impulse or value % IMPULSE_STEP == 0):
        return
    expected = f"0 to {most}" + (f", a multiple of 2^-{CONSTANT_BITS}" if is_impulse else " ticks")
    refuse_rule(op, Fault(LOI015, expected, repr(value), f"{name} = {most // 8}.0"), name)


def verify_bits(op: NoptOperation, bits: int) -> None:
    """Refuses weights that learn with fewer bits. Errors: LOI018."""
    if bits != LEARNING_BITS:
        help = f"compile the network again, with weights of {LEARNING_BITS} bits"
        found = f"num_weight_bits = {bits}"
        refuse_rule(op, Fault(LOI018, f"num_weight_bits = {LEARNING_BITS}", found, help))


def refuse_rule(op: NoptOperation, fault: Fault, part: str | None = None) -> NoReturn:
    message = fault.code.summary if part is None else f"{part}: {fault.code.summary}"
    invalid(op, fault.code, message, expected=fault.expected, found=fault.found, help=fault.help)
