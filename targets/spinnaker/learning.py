"""Conversion of learning rules to those of sPyNNaker: pairs and triplets of spikes, in the integers and ticks of the chip.

    #nir.stdp<a_plus, a_minus, tau_plus, tau_minus, w_min, w_max>
      =>  #spinnaker.stdp<"spike_pair", "additive", tau_plus / tick, tau_minus / tick, a_plus / scale, a_minus / scale, w_min / scale, w_max / scale>
    #ntensor.learning<@stdp_nearest_pair, …>
      =>  #spinnaker.stdp<"spike_nearest_pair", …>
    #ntensor.learning<@triplet, …>
      =>  #spinnaker.stdp<"pfister_triplet", …> and #spinnaker.triplet<tau_x / tick, tau_y / tick, a3_plus / scale, a3_minus / scale>

    #ntensor.learning<@stdp.multiplicative…, …>
      =>  #spinnaker.stdp<"spike_pair", "multiplicative", …, a_plus / (w_max - w_min), a_minus / (w_max - w_min), w_min / scale, w_max / scale>

1. The weights of the projection are integers with one scale, without a sign, and so are the bounds. Changes have their sign: the chip checks one bound after each.
2. All projections into a population that learn have the same rule: sPyNNaker refuses different dynamics. Fixed weights may be added.
3. Multiplicative changes are shares of the distance from the bound, which have no unit; the rule of the language divides the distance by that of the bounds.
4. All delays are dendritic. Spikes of the target count from the tick in which they are sent (`backprop_delay=False`).

Exactness: the constants are those of the rule. The chip rounds them to s16.15, looks exponentials up in a table, and keeps traces of 16 bits.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from attrs import frozen

from ...analysis.learning.stdp_quantization import ANA004
from ...core.diagnostics import choices_text, refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.pipeline import option_text
from ...dialects.equations.shipped_rules import TRIPLETS, chip_rule
from ...dialects.machine import ProjectionOp
from ...dialects.nir import StdpAttr as PairRule
from ...dialects.ntensor import SynapseOpInterface
from ...dialects.ntensor.learning.places import learning_line
from ...dialects.spinnaker import StdpAttr, TripletAttr
from ...dialects.spinnaker.learning import DEVICE_RULES, MOST_WEIGHT, MULTIPLICATIVE_RULE

NS_PER_S = 1e9
TIMINGS = {
    **{rule: (timing, "additive") for timing, rule in DEVICE_RULES.items()},
    MULTIPLICATIVE_RULE: ("spike_pair", "multiplicative"),
}
"""The timing of each rule of the device."""


@frozen
class Rule:
    """The rule of the rows of a projection."""

    pairs: StdpAttr
    triplet: TripletAttr | None


class LearningRules:
    """The rules of the projections of a graph. Errors: ANA004."""

    def __init__(self, tick_ns: int):
        self.tick_ns = tick_ns
        self.by_population: dict[str, tuple[str, Rule]] = {}
        """The first projection of each population that learns, with its rule."""

    def rule(self, population: str, projection: ProjectionOp) -> Rule | None:
        """Returns the rule of a projection into a population; None if its weights stay. Errors: ANA004."""
        op = next((one for one in projection.steps if isinstance(one, SynapseOpInterface) and one.learning_rule), None)
        if op is None:
            return None
        given = op.learning_rule
        scale = None if op.quantized_weights is None else np.unique(op.quantized_weights.scale.values)
        kind = "stdp" if isinstance(given, PairRule) else chip_rule(op)
        if given is None or kind not in TIMINGS:
            refuse(projection, op, f"the rule {choices_text(TIMINGS)}, with the default of other options", str(given))
        if scale is None or len(scale) != 1:
            refuse(projection, op, "weights with one scale, as ntensor-quantize-receptors makes them", str(given))  # 1
        values, step = given.values, float(scale[0])
        numbers = [values[name] * NS_PER_S / self.tick_ns for name in ("tau_plus", "tau_minus")]
        amplitudes = ("a2_plus", "a2_minus") if kind == TRIPLETS else ("a_plus", "a_minus")
        unit = values["w_max"] - values["w_min"] if kind == MULTIPLICATIVE_RULE else step  # 3
        numbers += [values[name] / (unit or 1.0) for name in amplitudes]
        numbers += [values[name] / step for name in ("w_min", "w_max")]
        if not 0 <= numbers[-2] < numbers[-1] <= MOST_WEIGHT:
            found = f"{values['w_min']:g} and {values['w_max']:g}"
            refuse(projection, op, "bounds from 0, w_min below w_max", found)
        amplitudes += ("a3_plus", "a3_minus") if kind == TRIPLETS else ()
        if min(values[name] for name in amplitudes) < 0:  # 1
            found = " and ".join(f"{values[name]:g}" for name in amplitudes)
            refuse(projection, op, f"{' and '.join(amplitudes)} of 0 or more", found)
        slow = [values[name] * NS_PER_S / self.tick_ns for name in ("tau_x", "tau_y") if name in values]
        slow += [values[name] / step for name in amplitudes[2:]]
        pairs = StdpAttr.of(*TIMINGS[kind], *numbers)
        made = Rule(pairs, TripletAttr.of(*slow) if kind == TRIPLETS else None)
        name, first = self.by_population.setdefault(population, (op.node.data, made))
        if first != made:  # 2
            refuse(projection, op, f'the rule of "{name}", since a population has one', str(given))
        return made


def refuse(projection: ProjectionOp, op: SynapseOpInterface, expected: str, found: str) -> NoReturn:
    """Errors: ANA004."""
    help = Phrase(PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(op.node.data)}}}"))
    refuse_op(projection, ANA004, expected=expected, found=found, path="plasticity", help=help, **learning_line(op))
