"""Conversion of learning rules to those of the chip: pair STDP and trace products, for the registers of a table.

    #nir.stdp<a_plus, a_minus, tau_plus, tau_minus, w_min, w_max>
      =>  dw = a x1 y0 - b y1 x0 - a i x0 y0 + b i x0 y0        i: the impulse of x1 and y1

    #ntensor.learning<@trace_products, {post_x1_y2 = c, …}>
      =>  dw = c x1 (y2 - i) y0 - c i x0 (y2 - i) y0 …

1. `analysis/learning/device_learning_rules.py` defines the constants; the bounds are the ends of the registers, at which the chip saturates.
2. The traces of a tick hold the impulses of its spikes. Further products and constants cancel them, so that a pair in one tick changes nothing. A trace that
   counts the last spike alone has the impulse 127, at which it saturates.
3. The rule is evaluated in each tick.

Exactness: the constants are those of the rule. The chip rounds traces and weights stochastically, and a trace saturates at 127.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

from ...analysis.learning.device_learning_rules import LearningGrid
from ...analysis.learning.product_quantization import ProductNumbers, ProductTerm
from ...analysis.learning.stdp_quantization import ANA004, Coefficient, coefficients, step_of
from ...core.device.records import Device
from ...core.diagnostics import refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.pipeline import option_text
from ...dialects.equations.trace_products import TraceRule, products_of
from ...dialects.loihi2 import LearningRuleAttr
from ...dialects.loihi2.learning import EXPONENT, MANTISSA, MOST_TAU
from ...dialects.machine import ProjectionOp
from ...dialects.ntensor import SynapseOpInterface
from ...dialects.ntensor.learning.places import learning_line

TAUS = {"x1": "tau_plus", "y1": "tau_minus"}
Summand = tuple[int, int, str]
"""Mantissa, exponent and variables of a product."""


class Conversion:
    """The rule of one projection. Errors: ANA004."""

    def __init__(self, projection: ProjectionOp, op: SynapseOpInterface, device: Device, tick_ns: int):
        self.projection, self.op, self.tick_ns = projection, op, tick_ns
        self.grid, self.given = LearningGrid.of(device), op.learning_rule

    def refuse(self, expected: str, found: str) -> NoReturn:
        help = Phrase(PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(self.op.node.data)}}}"))
        line = learning_line(self.op)
        refuse_op(self.projection, ANA004, expected=expected, found=found, path="plasticity", help=help, **line)

    def refuse_grid(self) -> NoReturn:
        found = str(self.given)
        self.refuse("constants on the grid of the device, as ntensor-quantize-plasticity makes them", found)

    def convert(self) -> LearningRuleAttr:
        rule = products_of(self.op)
        terms, constants = self.pairs() if rule is None else self.products(rule)
        if wide := next((one for one in terms if not is_scaling(*one[:2])), None):
            self.refuse("an impulse whose multiples of constants have mantissas of 4 bits", f"{wide[0]} * 2^{wide[1]}")
        text = " ".join(product_text(*one) for one in terms) or "0 * x0"
        return LearningRuleAttr.of({"dw": text.removeprefix("+ ")}, constants)

    def ticks(self, values: Mapping[str, float], taus: Mapping[str, str]) -> dict[str, float]:
        """Returns the time constants of traces, by their names in a rule of the chip. Units: of the result [ticks]."""
        found = {f"{trace}_tau": values[name] * 1e9 / self.tick_ns for trace, name in taus.items()}
        if found and max(found.values()) > MOST_TAU:
            self.refuse(f"time constants of at most {MOST_TAU} ticks", f"{max(found.values()):g} ticks")
        return found

    def pairs(self) -> tuple[list[Summand], dict[str, float]]:
        """Returns the products and constants of pair STDP."""
        pairs, given = self.grid.pairs, self.given
        found = None if pairs is None else coefficients(self.op, pairs)
        if pairs is None or found is None or given is None:
            self.refuse_grid()
        taus = self.ticks(given.values, TAUS)
        return terms_of(found, pairs.impulse), {f"{trace}_impulse": pairs.impulse for trace in TAUS} | taus

    def products(self, rule: TraceRule) -> tuple[list[Summand], dict[str, float]]:
        """Returns the products and constants of trace products."""
        numbers, step, given = self.grid.products, step_of(self.op), self.given
        if numbers is None or step is None or given is None or self.grid.device_rule(self.op) != given:
            self.refuse_grid()
        taus = self.ticks(given.values, {trace: rule.tau(trace) for trace in rule.traces})
        impulses = {f"{trace}_impulse": float(numbers.impulse(rule, trace)) for trace in rule.traces}
        terms = [term_summand(one) for one in device_terms(numbers, rule, given.values, step)]
        return terms, impulses | taus


def learning_rule(projection: ProjectionOp, device: Device, tick_ns: int) -> LearningRuleAttr | None:
    """Returns the rule of a projection; None if its weights stay. Errors: ANA004."""
    ops = [op for op in projection.steps if isinstance(op, SynapseOpInterface)]
    learning = next((op for op in ops if op.learning_rule is not None), None)
    if learning is None:
        return None
    conversion = Conversion(projection, learning, device, tick_ns)
    if len(ops) > 1:
        conversion.refuse("one op with synapses, which learns", ", ".join(op.name for op in ops))
    return conversion.convert()


def device_terms(
    numbers: ProductNumbers, rule: TraceRule, values: Mapping[str, float], step: float
) -> Iterator[ProductTerm]:  # 2
    """Yields the products of the chip of the constants that are not 0."""
    for product in rule.products:
        value = numbers.nearest(rule, product, values[product.name], step)
        centre = 0 if product.centre is None else numbers.centre(values[product.centre], step)
        terms = numbers.terms(rule, product, value, centre)
        assert terms is not None  # a constant on the grid
        yield from terms if value.mantissa else ()


def terms_of(found: Mapping[str, Coefficient], impulse: int) -> list[Summand]:  # 2
    """Returns the products of the weights that are not 0."""
    plus, minus = found["a_plus"], found["a_minus"]
    terms = [
        (plus.mantissa, plus.exponent, "x1 * y0"),
        (-minus.mantissa, minus.exponent, "y1 * x0"),
        (-plus.mantissa * impulse, plus.exponent, "x0 * y0"),
        (minus.mantissa * impulse, minus.exponent, "x0 * y0"),
    ]
    return [(*odd(mantissa, exponent), variables) for mantissa, exponent, variables in terms if mantissa]


def term_summand(term: ProductTerm) -> Summand:
    """Returns a product with its factors as Lava reads them."""
    factors = [f"({name} {'-' if n < 0 else '+'} {abs(n)})" if n else name for name, n in term.factors]
    return term.mantissa, term.exponent, " * ".join(factors)


def odd(mantissa: int, exponent: int) -> tuple[int, int]:
    """Returns an equal mantissa and exponent with the least mantissa that the chip has."""
    while mantissa % 2 == 0 and exponent < EXPONENT[1]:
        mantissa, exponent = mantissa // 2, exponent + 1
    return mantissa, exponent


def is_scaling(mantissa: int, exponent: int) -> bool:
    """Returns whether the chip holds a scaling constant."""
    return MANTISSA[0] <= mantissa <= MANTISSA[1] and EXPONENT[0] <= exponent <= EXPONENT[1]


def product_text(mantissa: int, exponent: int, variables: str) -> str:
    """Returns a product with its sign, as Lava reads it."""
    numbers = [*([str(abs(mantissa))] if abs(mantissa) > 1 else []), *([f"2^{exponent}"] if exponent else [])]
    return f"{'-' if mantissa < 0 else '+'} {' * '.join([*numbers, variables])}"
