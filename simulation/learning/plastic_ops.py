"""Plastic synapse ops of a network, as every engine needs them: the rule with its numbers, its neighbours, and the values that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from attrs import evolve, frozen
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, refuse_op
from ...core.ir.operation import element_type, shape_of, texts_of
from ...core.synapse.tree import POST, PRE, Delay
from ...dialects.ntensor import NetworkOp, RuleOp, SynapseOpInterface, find_rules
from ...dialects.ntensor.learning.places import rule_line
from ...dialects.ntensor.learning.rules import last_values
from ...dialects.ntensor.learning.targets import LearningSite, learning_site
from ..records import nodes_of
from ..scalars import Program, scalar
from ..update import refuse_unknown
from .rules import FREEZE, SIM032, Learning, is_kept, learning_of, refuse_signals

SIM034 = Code("SIM034", "learning-state-unknown", "a rule observes a state that the population lacks")

SYNAPSE = "synapse"


@frozen(eq=False)
class PlasticOp:
    """A plastic synapse op with its rule and neighbours, before a run."""

    op: SynapseOpInterface
    learning: Learning
    site: LearningSite


def plastic_op(op: SynapseOpInterface, rules: Mapping[str, RuleOp], dt: float) -> PlasticOp:
    """Returns a plastic op with its neighbours and its rule. Units: dt [s]. Errors: NTE025, SIM031 to SIM033."""
    site = learning_site(op)
    if (element := element_type(site.population.z)) != i1:
        refuse_signals(op, "a population that emits spikes (i1)", str(element))
    learning = learning_of(op, rules, dt)
    if learning.rule.delay.data is Delay.SPLIT:
        site = evolve(site, source=op.x, source_delay=0)
    return PlasticOp(op, learning, site)


def plastic_ops(network: NetworkOp, ops: Iterable[Operation]) -> dict[Operation, PlasticOp]:
    """Returns the plastic synapse ops of a network. Errors: NTE025, SIM031 to SIM033."""
    rules = find_rules(network.parent_op())
    return {
        op: plastic_op(op, rules, network.dt)
        for op in ops
        if isinstance(op, SynapseOpInterface) and op.learning_rule is not None
    }


def can_learn(module: Operation) -> bool:
    """Returns whether the engines compute the rules of a module: chips alone have rules on weights with a scale."""
    ops = (op for op in module.walk() if isinstance(op, SynapseOpInterface))
    return not any(op.learning_rule is not None and op.quantized_weights is not None for op in ops)


def named_values(network: NetworkOp) -> dict[str, SSAValue]:
    """Returns the inputs of a network and the results of its nodes, by name."""
    inputs = zip((name.data for name in network.input_names), network.body.block.args, strict=True)
    return {**dict(inputs), **nodes_of(network)}


def learning_values(plastic: PlasticOp, known: Mapping[str, SSAValue]) -> list[SSAValue]:
    """Returns the values that a rule reads at the end of a tick: spikes of the population, presynaptic spikes, modulators. Errors: SIM032."""
    names = plastic.learning.modulators
    for name in names.values():
        if name not in known:
            refuse_op(plastic.op, SIM032, expected=f"one of {', '.join(known)}", found=name, help=FREEZE)
    x = plastic.site.source if plastic.learning.rule.is_dendritic else plastic.op.operands[0]
    signals = [known[names[name.data]] for name in plastic.learning.rule.modulators]
    neurons = prod(shape_of(plastic.site.population.z))
    for value in signals:
        if prod(shape_of(value)) not in (1, neurons):
            expected, found = f"a signal of 1 or {neurons} elements", f"{prod(shape_of(value))} elements"
            refuse_op(plastic.op, SIM032, expected=expected, found=found, help=FREEZE)
    return [plastic.site.population.z, x, *signals]


def check_observed(plastic: PlasticOp, states: Iterable[str]) -> None:
    """Refuses a rule that observes a state which the population lacks, at the line of the rule. Errors: SIM034."""
    known = [*states]
    for name in texts_of(plastic.learning.rule.observed):
        if name not in known:
            expected, line = ", ".join(known) or "a population with states", rule_line(plastic.learning.rule)
            refuse_op(plastic.op, SIM034, expected=expected, found=name, help=FREEZE, **line)


def changed_names(rule: RuleOp, block: Block) -> dict[str, dict[str, int]]:
    """Returns what a block changes: for synapses, and for the neurons of each side, the place of each changed name in the terminator."""
    names = [rule.weight.data, *rule.states]
    changed = {
        name: k
        for k, (name, arg, value) in enumerate(zip(names, block.args, last_values(block), strict=False))
        if not is_kept(value, arg)
    }
    own = {rule.weight.data, *texts_of(rule.synapse)}
    sides = ((SYNAPSE, own), (PRE, {*texts_of(rule.pre)}), (POST, {*texts_of(rule.post)}))
    found = {side: {name: k for name, k in changed.items() if name in held} for side, held in sides}
    return {side: places for side, places in found.items() if places}


def initial_values(rule: RuleOp, block: Block, params: Mapping[str, AnyArray]) -> list[Any]:
    """Returns the initial value of each state."""
    program = Program(block, lambda op: scalar(op) or refuse_unknown(rule, op))
    return program([params[name].item() for name in texts_of(rule.params)])
