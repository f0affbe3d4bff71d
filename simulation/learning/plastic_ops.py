"""Plastic synapse ops of a network, as every engine needs them: the rule with its numbers, its neighbours, and the values that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from attrs import evolve, frozen
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, refuse_op
from ...core.ir.operation import element_type, shape_of, texts_of
from ...core.synapse.tree import POST, PRE, Delay
from ...dialects.ntensor import NetworkOp, RuleOp, SynapseOpInterface, find_rules
from ...dialects.ntensor.learning.places import reading_line, rule_line
from ...dialects.ntensor.learning.rules import last_values
from ...dialects.ntensor.learning.targets import LearningSite, learning_site
from ...dialects.ntensor.network import updates_of
from ...dialects.ntensor.signals import interval_of
from ..records import nodes_of
from ..scalars import Program, scalar
from ..update import refuse_unknown
from .rules import FREEZE, SIM032, Learning, is_kept, learning_of, refuse_signals

SIM034 = Code("SIM034", "learning-state-unknown", "a rule observes a state that the population lacks")

SIM036 = Code("SIM036", "learning-value-mismatch", "a rule reads a value of another type than it declares")

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
        refuse_signals(op, None, "a population that emits spikes (i1)", str(element))
    learning = learning_of(op, rules, dt)
    if learning.rule.delay.data is Delay.SPLIT:
        site = evolve(site, source=op.x, source_delay=0)
    return PlasticOp(op, learning, site)


def plastic_ops(network: NetworkOp, ops: Iterable[Operation]) -> dict[Operation, PlasticOp]:
    """Returns the plastic synapse ops of a network. Errors: NTE025, SIM031 to SIM034, SIM036."""
    rules, updates = find_rules(network.parent_op()), updates_of(network)
    found: dict[Operation, PlasticOp] = {
        op: plastic_op(op, rules, network.dt)
        for op in ops
        if isinstance(op, SynapseOpInterface) and op.learning_rule is not None
    }
    for plastic in found.values():
        check_observed(plastic, updates[plastic.site.population.update_name].stored_types)
    return found


def can_learn(module: Operation) -> bool:
    """Returns whether the engines compute the rules of a module: chips alone have rules on weights with a scale."""
    ops = (op for op in module.walk() if isinstance(op, SynapseOpInterface))
    return not any(op.learning_rule is not None and op.quantized_weights is not None for op in ops)


def named_values(network: NetworkOp) -> dict[str, SSAValue]:
    """Returns the inputs of a network and the results of its nodes, by name."""
    inputs = zip((name.data for name in network.input_names), network.body.block.args, strict=True)
    return {**dict(inputs), **nodes_of(network)}


def learning_values(plastic: PlasticOp, known: Mapping[str, SSAValue]) -> list[SSAValue]:
    """Returns the values that a rule reads at the end of a tick: spikes of the population, presynaptic spikes, modulators. Errors: SIM032, SIM036."""
    names, rule = plastic.learning.modulators, plastic.learning.rule
    for modulator, name in names.items():
        if name not in known:
            expected, line = f"one of {', '.join(known)}", modulator_line(rule, modulator)
            refuse_op(plastic.op, SIM032, expected=expected, found=name, help=FREEZE, **line)
    x = plastic.site.source if plastic.learning.rule.is_dendritic else plastic.op.operands[0]
    signals = {name: known[names[name]] for name in texts_of(rule.modulators)}
    neurons = prod(shape_of(plastic.site.population.z))
    for name, value in signals.items():
        if prod(shape_of(value)) not in (1, neurons):
            expected, found = f"a signal of 1 or {neurons} elements", f"{prod(shape_of(value))} elements"
            refuse_op(plastic.op, SIM032, expected=expected, found=found, help=FREEZE, **reading_line(rule, name))
        check_kind(plastic, name, element_type(value))
    return [plastic.site.population.z, x, *signals.values()]


def modulator_line(rule: RuleOp, name: str) -> dict[str, Any]:
    """Returns the place of a rule that reads a modulator, as `rule_line` does; that of the rule for a name that it lacks."""
    return reading_line(rule, name) if name in texts_of(rule.modulators) else rule_line(rule)


def check_kind(plastic: PlasticOp, name: str, given: Attribute) -> None:
    """Refuses a modulator or a state whose numbers are not of the type that the rule declares. A real can have all of them. Errors: SIM036."""
    rule = plastic.learning.rule
    declared, held = rule.argument_types[name], interval_of(given)
    wanted = interval_of(declared)
    if wanted is not None and (held is None or not wanted.holds(held)):
        type = given if held is None else f"{given}, integers in {held}"
        expected, line = f"integers in {wanted}, the type of {name}", reading_line(rule, name)
        refuse_op(plastic.op, SIM036, expected=expected, found=str(type), help=FREEZE, **line)


def check_observed(plastic: PlasticOp, states: Mapping[str, Attribute]) -> None:
    """Refuses a rule that observes a state which the population lacks, or has in another type, at its line. Errors: SIM034, SIM036."""
    for name in texts_of(plastic.learning.rule.observed):
        if name not in states:
            expected, line = ", ".join(states) or "a population with states", reading_line(plastic.learning.rule, name)
            refuse_op(plastic.op, SIM034, expected=expected, found=name, help=FREEZE, **line)
        check_kind(plastic, name, states[name])


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
