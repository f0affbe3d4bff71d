"""Conversion of learning rules to those of the chip: pair STDP for the registers of a table.

    #nir.stdp<a_plus, a_minus, tau_plus, tau_minus, w_min, w_max>
      =>  dw = a x1 y0 - b y1 x0 - a i x0 y0 + b i x0 y0        i: the impulse of x1 and y1

1. `analysis/learning_grids.py` defines a and b; the bounds are the ends of the registers, at which the chip saturates.
2. The traces of a tick hold the impulses of its spikes. The last two products cancel them, so that a pair in one tick changes nothing.
3. The rule is evaluated in each tick.

Exactness: the constants are those of the rule. The chip rounds traces and weights stochastically, and a trace saturates at 127.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from ...analysis.stdp_quantization import ANA004, Coefficient, coefficients, pair_rule
from ...core.device.records import Device
from ...core.diagnostics import refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.pipeline import option_text
from ...dialects.loihi2 import LearningRuleAttr
from ...dialects.loihi2.learning import EXPONENT, MANTISSA, MOST_TAU
from ...dialects.machine import ProjectionOp
from ...dialects.ntensor import SynapseOpInterface

TAUS = {"x1": "tau_plus", "y1": "tau_minus"}
Summand = tuple[int, int, str]
"""Mantissa, exponent and variables of a product."""


def learning_rule(projection: ProjectionOp, device: Device, tick_ns: int) -> LearningRuleAttr | None:
    """Returns the rule of a projection; None if its weights stay. Errors: ANA004."""
    ops = [op for op in projection.steps if isinstance(op, SynapseOpInterface)]
    learning = next((op for op in ops if op.learning_rule is not None), None)
    if learning is None or learning.learning_rule is None:
        return None

    def refuse(expected: str, found: str) -> NoReturn:
        help = Phrase(PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(learning.node.data)}}}"))
        refuse_op(projection, ANA004, expected=expected, found=found, path="plasticity", help=help)

    if len(ops) > 1:
        refuse("one op with synapses, which learns", ", ".join(op.name for op in ops))
    pairs, given = pair_rule(device), learning.learning_rule
    found = None if pairs is None else coefficients(learning, pairs)
    if pairs is None or found is None:
        refuse("constants on the grid of the device, as ntensor-quantize-plasticity makes them", str(given))
    taus = {trace: given.values[name] * 1e9 / tick_ns for trace, name in TAUS.items()}
    if max(taus.values()) > MOST_TAU:
        refuse(f"time constants of at most {MOST_TAU} ticks", f"{max(taus.values()):g} ticks")
    terms = terms_of(found, pairs.impulse)
    if wide := next((one for one in terms if not is_scaling(*one[:2])), None):
        refuse("an impulse whose multiples of constants have mantissas of 4 bits", f"{wide[0]} * 2^{wide[1]}")
    text = " ".join(product_text(*one) for one in terms) or "0 * x0"
    constants = {f"{trace}_impulse": pairs.impulse for trace in TAUS} | {f"{trace}_tau": n for trace, n in taus.items()}
    return LearningRuleAttr.of({"dw": text.removeprefix("+ ")}, constants)


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
