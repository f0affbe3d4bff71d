"""Parts of a learning rule that a device lacks: its traces, states and signals by name, against the traces that the device has.

| rule of the device | traces and terms |
| --- | --- |
| `stdp` | one trace of each side; a change is a constant times the trace of the other side, within two bounds |
| `stdp_nearest_pair` | the last spikes of both sides |
| `triplet` | two traces of each side, in pairs and triplets |
| `programmable`, with `traces` | the named traces; sums of products of them |
| `integers` | any rule of integers; one of reals without exponentials, roots and observed states is lowered to it |
| none | weights keep their values |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.ir import Operation

from ...core.device.neuron_records import Plasticity
from ...core.device.records import Device
from ...core.diagnostics import Code, Finding, finding_about, refuse_op
from ...core.help_text import Passes, Phrase
from ...core.ir.pipeline import option_text
from ...core.synapse.tree import TICK
from ...dialects.chip_base.needs import INTEGERS, learning_violations
from ...dialects.chip_base.user import CHI022
from ...dialects.equations.shipped_rules import MULTIPLICATIVE, NEAREST, TRIPLETS
from ...dialects.equations.trace_products import products_of
from ...dialects.fixed import IntType
from ...dialects.ntensor import LearningAttr, RuleOp, SynapseOpInterface, find_rules
from ...dialects.ntensor.learning.bounds import has_integer_rule
from ...dialects.ntensor.learning.places import rule_line
from ...dialects.ntensor.learning.rules import last_values
from ..node_selection import is_plastic
from .product_quantization import product_numbers
from .rule_arithmetic import integer_obstacle

ANA050 = Code("ANA050", "learning-rule-without-integer-form", "a learning rule has no form in integers")

PAIR_TRACES = 1
"""Traces of each side that a pair rule has."""


def equations_of_rule(op: SynapseOpInterface) -> RuleOp | None:
    """Returns the rule of an op in the synapse language; None for another one."""
    given = op.learning_rule
    module = op.parent_op()
    while module is not None and (up := module.parent_op()) is not None:
        module = up
    return find_rules(module).get(given.symbol) if isinstance(given, LearningAttr) and module is not None else None


def rule_needs(rule: RuleOp) -> Iterator[str]:
    """Yields what a rule has beyond a pair rule, part by part."""
    pre, post = ([one.data for one in side] for side in (rule.pre, rule.post))
    if max(len(pre), len(post)) > PAIR_TRACES:
        yield f"traces {', '.join(pre) or 'none'} of sources and {', '.join(post) or 'none'} of targets"
    for what, names in (
        ("states of each synapse", rule.synapse),
        ("signals that modulate it", rule.modulators),
        ("states of the target that it reads", rule.observed),
        ("random numbers", rule.randoms),
    ):
        if len(names):
            yield f"{what}: {', '.join(one.data for one in names)}"
    if not any(one.data in ("pre", "post") for one in rule.events):
        yield "no change at spikes"


def needs_more_than_spikes(rule: RuleOp) -> str | None:
    """Returns a part of a rule that a learning window does not show; None for a rule that changes weights at spikes, by earlier spikes and the weight alone."""
    for what, names in (
        ("signals that modulate it", rule.modulators),
        ("states of the target that it reads", rule.observed),
        ("random numbers", rule.randoms),
    ):
        if len(names):
            return f"{what}: {', '.join(one.data for one in names)}"
    if rule.transmitted is not None:
        return "an efficacy, which spikes transmit instead of the weight"
    if any(event == TICK and last_values(block)[0] is not block.args[0] for event, block in rule.steps):
        return "a change of weights in every tick"
    return "dendritic delays" if rule.is_dendritic else None


def repair_of(op: SynapseOpInterface, device: Device, fit: str, freeze: str) -> str:
    """Returns the pass for a rule that a device does not compute: `fit`, for a window that the device can approximate, else `freeze`, which keeps the weights."""
    rule = equations_of_rule(op)
    is_fitted = rule is not None and product_numbers(device) is not None and needs_more_than_spikes(rule) is None
    return fit if is_fitted and products_of(op) is None else freeze


def device_terms(rules: Mapping[str, Plasticity]) -> str:
    """Returns the traces and terms that the rules of a device have."""
    found: list[str] = []
    for key, rule in rules.items():
        if rule.rule == "stdp":
            found.append(f"{key}: one trace of each side, and a change in proportion to it")
        elif rule.rule == NEAREST:
            found.append(f"{key}: the last pairs of spikes, as {NEAREST} has them")
        elif rule.rule == TRIPLETS:
            found.append(f"{key}: two traces of each side, as {TRIPLETS} has them")
        elif rule.rule == MULTIPLICATIVE:
            found.append(f"{key}: pairs whose changes are in proportion to the distance from the bound")
        elif rule.rule == INTEGERS:
            found.append(f"{key}: rules of integers")
        elif rule.traces:
            found.append(f"{key}: sums of products of {', '.join(rule.traces)}")
        else:
            found.append(f"{key} ({rule.rule})")
    return "; ".join(found) or "weights that keep their values"


def learning_reason(op: SynapseOpInterface, device: Device) -> tuple[str, str] | None:
    """Returns what a device has, and the rule with the parts that it lacks; None for a rule that is not of the synapse language."""
    given = op.learning_rule
    if not isinstance(given, LearningAttr):
        return None
    rule, name = equations_of_rule(op), given.symbol.partition(".")[0]
    found = name if rule is None else f"{name}, which has {'; '.join(rule_needs(rule)) or 'equations of its own'}"
    return device_terms(device.plasticity or {}), found


def has_integer_rules(device: Device) -> bool:
    """Returns whether a device computes learning rules in integers."""
    return any(rule.rule == INTEGERS for rule in (device.plasticity or {}).values())


def learns_reals(op: Operation) -> bool:
    """Returns whether an op has a learning rule of reals."""
    return is_plastic(op) and isinstance(op, SynapseOpInterface) and not has_integer_rule(op)


def obstacle_of(op: Operation) -> tuple[Operation, str] | None:
    """Returns the part of a rule of reals that integers cannot compute, with the op of the rule; None for other rules."""
    rule = equations_of_rule(op) if isinstance(op, SynapseOpInterface) else None
    return None if rule is None or isinstance(rule.weight_type, IntType) else integer_obstacle(rule)


def integer_reason(op: SynapseOpInterface) -> str | None:
    """Returns the rule of an op with the part that integers cannot compute; None if they can."""
    rule, obstacle = equations_of_rule(op), obstacle_of(op)
    return (
        None if rule is None or obstacle is None else f"{rule.sym_name.data.partition('.')[0]}, which has {obstacle[1]}"
    )


def require_integer_form(op: Operation, help: Phrase | str) -> None:
    """Refuses a rule of reals that integers cannot compute, at its line. Errors: ANA050."""
    if (obstacle := obstacle_of(op)) is not None:
        place, what = obstacle
        expected = "sums, products, extrema and comparisons of traces, and quotients by parameters"
        refuse_op(op, ANA050, expected=expected, found=what, help=help, **rule_line(place))


def unsupported_rule(op: SynapseOpInterface, device: Device, fit: str, freeze: str) -> Finding | None:
    """Returns the error that no rule of a device computes the learning rule of an op; None if one does. `fit` and `freeze` are the passes of `repair_of`. Errors: CHI022."""
    broken, given = learning_violations(op, device), op.learning_rule
    if broken is None or given is None or device.plasticity is None or not all(broken.values()):
        return None
    name, reason = given.name.rpartition(".")[2], learning_reason(op, device)
    known = ", ".join(f"{key} ({rule.rule})" for key, rule in device.plasticity.items()) or "weights that stay"
    expected, found = (known, name) if reason is None else reason
    return finding_about(
        op,
        CHI022,
        f"{device.key} does not change weights by {name if reason is None else 'this rule'}",
        expected=expected,
        found=found,
        **device.limit_facts("plasticity"),
        help=Phrase(Passes(f"{repair_of(op, device, fit, freeze)}{{nodes={option_text(op.node.data)}}}")),
        notes=[f"{key}: {one}" for key, reasons in broken.items() for one in reasons],
    )
