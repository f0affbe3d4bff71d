"""Learning rules as code of Brian 2: a pathway of synapses for each block of a rule, at the end of the tick.

    on pre     on_pre of the synapses, after the delay of a spike
    on post    on_post of the synapses
    on tick    run_regularly of the synapses

Traces of neurons are variables of each synapse, whose events are those of its neuron and its delay. The pathway that transmits a spike reads the weight before the rule of the tick.

Exactness: each op is the one of the rule, in its order.
"""

from __future__ import annotations

from typing import NoReturn

from attrs import frozen
from xdsl.ir import Block

from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import texts_of
from ....dialects import ntensor
from ....dialects.ntensor.learning.places import reading_line, rule_line
from ....dialects.ntensor.learning.rules import last_values
from ....passes.pipelines import FREEZE
from ....simulation.learning.plastic_ops import PlasticOp, check_observed, initial_values, plastic_op
from ....simulation.learning.rules import is_kept
from .brian_expressions import UpdateCode, brian_name, real_text

BRI003 = Code("BRI003", "rule-not-for-brian", "a learning rule is not written for Brian 2")

WEIGHT = "weight"


@frozen
class PlasticCode:
    """The code of the rule of an op."""

    states: dict[str, float]
    """States of each synapse, with the values before the first tick."""
    transmission: list[str]
    """Lines before a spike is transmitted; none if it transmits the weight."""
    transmitted: str
    blocks: list[tuple[str, list[str]]]
    """Event and lines of each block, in their order."""


@frozen
class Variables:
    """Variables of a population: all names, and those of its states."""

    names: set[str]
    states: dict[str, str]


def plastic_code(
    op: ntensor.SynapseOpInterface, network: ntensor.NetworkOp, update: ntensor.UpdateOp, variables: Variables
) -> PlasticCode:
    """Returns the code of the rule of a synapse op. Errors: BRI003; NTE025, SIM031 to SIM034, SIM036."""
    plastic = plastic_op(op, ntensor.find_rules(network.parent_op()), network.dt)
    check_observed(plastic, update.stored_types)
    rule = plastic.learning.rule
    check_rule(plastic)
    taken = {WEIGHT, "transmitted", *variables.names}
    own = {name: brian_name(name, taken) for name in rule.states}
    values = {rule.weight.data: WEIGHT, **own}
    values |= {name: f"{variables.states[name]}_post" for name in texts_of(rule.observed)}
    values |= {name: real_text(float(number.item())) for name, number in plastic.learning.params.items()}
    code = RuleCode(update, taken)
    start = initial_values(rule, rule.initial.block, plastic.learning.params)
    blocks = [
        (event, code.block(rule, region.block, values))
        for event, region in zip(texts_of(rule.events), rule.blocks, strict=True)
    ]
    none: tuple[list[str], list[str]] = [], [WEIGHT]
    lines, ends = none if rule.transmitted is None else code.results(rule, rule.transmitted, values)
    initial = {own[name]: float(value) for name, value in zip(rule.states, start, strict=True)}
    return PlasticCode(initial, lines, ends[0], blocks)


def check_rule(plastic: PlasticOp) -> None:
    """Refuses what has no object of Brian 2, at the line of the rule. Errors: BRI003."""
    rule, site = plastic.learning.rule, plastic.site
    if names := texts_of(rule.modulators):
        refuse_rule(plastic, "a rule without modulators", f"modulator {', '.join(names)}", names[0])
    if names := texts_of(rule.randoms):
        refuse_rule(plastic, "a rule without random numbers", f"random {', '.join(names)}", names[0])
    if site.delay.any():
        refuse_rule(plastic, "no delay between the synapses and their population", f"{site.delay.max()} ticks")
    if rule.is_dendritic and (site.source_delay or (plastic.op.delays is not None and plastic.op.delays.values.any())):
        refuse_rule(plastic, "axonal delays, delay = axonal", f"delay = {rule.delay.data.value}")


def refuse_rule(plastic: PlasticOp, expected: str, found: str, name: str | None = None) -> NoReturn:
    """Refuses a rule at the line that declares a name, by default that of its weight. Errors: BRI003."""
    rule = plastic.learning.rule
    line = rule_line(rule) if name is None else reading_line(rule, name)
    refuse_op(plastic.op, BRI003, expected=expected, found=found, help=f"-p {FREEZE}", **line)


class RuleCode(UpdateCode):
    """The code of the regions of a rule."""

    def block(self, rule: ntensor.RuleOp, block: Block, values: dict[str, str]) -> list[str]:
        """Returns the lines of a block, the last of which set what it changes. Errors: BRI001."""
        lines, ends = self.results(rule, block, values)
        names = [values[name] for name in (rule.weight.data, *rule.states)]
        changed = [
            (name, text)
            for name, text, arg, value in zip(names, ends, block.args, last_values(block), strict=False)
            if not is_kept(value, arg)
        ]
        renewed = [brian_name(f"new_{name}", self.taken) for name, _ in changed]
        lines += [f"{new} = {text}" for new, (_, text) in zip(renewed, changed, strict=True)]
        return [*lines, *(f"{name} = {new}" for new, (name, _) in zip(renewed, changed, strict=True))]

    def results(self, rule: ntensor.RuleOp, block: Block, values: dict[str, str]) -> tuple[list[str], list[str]]:
        """Returns the lines of a region, and the expressions of its results."""
        self.values = {arg: values[name] for name, arg in zip(rule.arguments, block.args, strict=True)}
        lines = self.temporaries(list(block.ops)[:-1])
        return lines, [self.values[value] for value in last_values(block)]
