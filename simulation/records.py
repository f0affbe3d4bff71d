"""Results of a run: every output of a network, and the recorded nodes and states."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from attrs import evolve, frozen
from xdsl.dialects.builtin import Float32Type, Float64Type, f64
from xdsl.ir import Attribute, Operation, SSAValue

from ..core.diagnostics import Code, Diagnostics, Finding, choose, describe_op, near_names, near_notes
from ..core.help_text import Flag, Phrase
from ..core.ir.operation import element_type, shape_of
from ..dialects.fixed import IntType
from ..dialects.ntensor import (
    DelayOp,
    LearningAttr,
    NetworkOp,
    NeuronOp,
    OutputOp,
    RuleOp,
    SynapseOpInterface,
    TermsType,
    find_rules,
    updates_of,
)
from ..dialects.ntensor.probes import record_types

WEIGHT = "weight"
"""The name of weights that learn, as of a state of their op."""

SIM017 = Code("SIM017", "record-name-unknown", "no node or state has the name of a record")

SIM035 = Code("SIM035", "record-interval-unsupported", "a record cannot have an interval of ticks")

INTERVAL = re.compile(r"(.+)@([0-9]{1,18})ticks?")


@frozen
class Watched:
    """A source of results: a value of the network, or a state of a population or of a plastic synapse op."""

    value: SSAValue
    state: str | None
    type: Attribute
    shape: tuple[int, ...]
    every: int = 1
    """The ticks from one row to the next; the first row is that of tick `every - 1`."""

    @property
    def entry(self) -> str:
        """Returns the state, with its interval if it is not read in each tick."""
        return f"{self.state}" if self.every == 1 else f"{self.state}@{self.every}"

    def rows(self, ticks: int) -> int:
        """Returns the rows that some ticks have, counted from the first tick of a run."""
        return ticks // self.every

    @staticmethod
    def of(value: SSAValue) -> Watched:
        return Watched(value, None, element_type(value), shape_of(value))


class Records:
    """Resolver of record names: nodes, for their output, and NODE.STATE; NODE.weight of a plastic synapse op. The longest matching node is used, so a node
    `a.b` hides the state b of a node a. Errors: SIM017."""

    def __init__(self, network: NetworkOp):
        body = network.body.block
        last = body.last_op
        assert isinstance(last, OutputOp)  # verified
        self.arguments = dict(zip((name.data for name in network.input_names), body.args, strict=True))
        self.outputs = dict(zip((name.data for name in network.output_names), last.operands, strict=True))
        self._updates = updates_of(network)
        self._rules = find_rules(network.parent_op())
        self._nodes = {**self.arguments, **nodes_of(network)}
        self.synapses = {
            name: op for name, value in self._nodes.items() if isinstance(op := value.owner, SynapseOpInterface)
        }
        """The ops with synapses by name."""
        self._gives = {**self._nodes, **delayed_nodes_of(network)}

    def watched(self, record: Sequence[str], *, has_intervals: bool = True) -> dict[str, Watched]:
        """Returns every output by name, then every other record.

        `has_intervals`: whether the model records states of synapses in intervals of ticks, as in `fc.weight@100ticks`.
        Errors: SIM017 for all missing names; SIM035 an interval that is not possible.
        """
        watched = {name: Watched.of(value) for name, value in self.outputs.items()}
        findings = Diagnostics()
        for name in record:
            if name in self.outputs:
                continue  # already present as an output of the same name
            found = self._find_interval(name, has_intervals=has_intervals)
            if isinstance(found, Finding):
                findings.add(found)
            else:
                watched.setdefault(name, found)
        findings.raise_errors()
        return watched

    def values(self, record: Sequence[str]) -> list[SSAValue]:
        """Returns the values of the nodes among the records."""
        return [self._gives[name] for name in record if name in self._gives]

    def _find_interval(self, name: str, *, has_intervals: bool) -> Watched | Finding:
        """Resolves the name of a record with or without an interval, `NODE.STATE@100ticks`."""
        parts = INTERVAL.fullmatch(name)
        if parts is None or name in self._gives:
            return self._find(name)
        found, every = self._find(parts[1]), int(parts[2])
        if isinstance(found, Finding):
            return found
        is_of_synapses = found.state is not None and isinstance(found.value.owner, SynapseOpInterface)
        if not (has_intervals and is_of_synapses and every):
            expected = "an interval from 1 tick, of a weight or a state of synapses, in an engine or model that learns"
            help = record_option(parts[1])
            return Finding(SIM035, at=f"record {name}", expected=expected, found=name, help=help)
        return evolve(found, every=every)

    def _find(self, name: str) -> Watched | Finding:
        """Resolves the name of a record."""
        if name in self._gives:
            value = self._gives[name]
            return added_by_nobody(name, value) if isinstance(element_type(value), TermsType) else Watched.of(value)
        dots = [k for k, letter in enumerate(name) if letter == "."]
        node = next((name[:k] for k in reversed(dots) if name[:k] in self._nodes), None)
        if node is not None:
            value, state = self._nodes[node], name[len(node) + 1 :]
            types = self._states_of(node)
            if state in types:
                return Watched(value, state, types[state], shape_of_states(value))
            if types:
                return Finding(
                    SIM017,
                    f'"{node}" has no state {state}',
                    at=f"record {name}",
                    node=node,
                    expected=", ".join(f"{node}.{known}" for known in types),
                    found=name,
                    help=record_option(f"{node}.{(get_close_matches(state, types, 1, 0) or [*types])[0]}"),
                )
        known = [known for node in self._nodes for known in (node, *(f"{node}.{s}" for s in self._states_of(node)))]
        near = near_names(name, known)
        listed = ", ".join(known[:20]) + (f", and {len(known) - 20} more" if len(known) > 20 else "")
        return Finding(
            SIM017,
            f'no node is called "{name}"',
            at=f"record {name}",
            expected=listed or "no record: the network has no named node",
            found=name,
            help=record_option(near[0]) if near else choose(record_option("NAME"), known[:20]) if known else None,
            notes=near_notes(name, known),
        )

    def _states_of(self, node: str) -> Mapping[str, Attribute]:
        owner = self._nodes[node].owner
        if isinstance(owner, SynapseOpInterface):
            return learned_types(owner, self._rules)
        if not isinstance(owner, NeuronOp):
            return {}
        return record_types(self._updates.get(owner.update_name))


def learned_types(op: SynapseOpInterface, rules: Mapping[str, RuleOp]) -> dict[str, Attribute]:
    """Returns the types of the recordable values of a synapse op: its weight, if it learns, and the states of each synapse."""
    if op.learning_rule is None:
        return {}
    rule = rules.get(op.learning_rule.symbol) if isinstance(op.learning_rule, LearningAttr) else None
    is_integer = rule is not None and isinstance(rule.weight_type, IntType)
    found: dict[str, Attribute] = {WEIGHT: element_type(op.y)}
    if op.quantized_weights is not None and not is_integer:
        found[WEIGHT] = f64
    elif rule is not None and is_integer and isinstance(element_type(op.y), Float32Type | Float64Type):
        found[WEIGHT] = rule.weight_type
    if rule is not None:
        found |= {name.data: rule.argument_types[name.data] for name in rule.synapse}
    return found


def shape_of_states(value: SSAValue) -> tuple[int, ...]:
    """Returns the shape of the states of a node: that of its output, or that of the weights of a synapse op."""
    owner = value.owner
    if isinstance(owner, SynapseOpInterface) and owner.weights is not None:
        return owner.weights.shape
    return shape_of(value)


def record_option(name: str) -> Phrase:
    """Returns the option that records a node."""
    return Phrase(Flag(f"record={name}", f"--record {shlex.quote(name)}"))


def added_by_nobody(name: str, value: SSAValue) -> Finding:
    """Returns the finding that a node with terms cannot be recorded: the receiving neuron adds the terms one by one, so that no sum exists."""
    readers = [use.operation for use in value.uses]
    neuron = next((describe_op(op)[1] for op in readers if isinstance(op, NeuronOp)), None)
    return Finding(
        SIM017,
        f'"{name}" produces terms, which the neuron adds one by one',
        at=f"record {name}",
        node=name,
        expected="a node that produces a signal, or a state",
        found=str(value.type),
        help=record_option(neuron) if neuron is not None else None,
    )


def nodes_of(network: NetworkOp) -> dict[str, SSAValue]:
    """Returns the result of every named op of a network."""
    named: list[tuple[str | None, Operation]] = [(describe_op(op)[1], op) for op in network.body.block.ops]
    return {node: op.results[0] for node, op in named if node is not None and op.results}


def delayed_nodes_of(network: NetworkOp) -> dict[str, SSAValue]:
    """Returns the outputs of nodes with an integrated delay, after the delay. The states of these nodes are not delayed."""
    return {
        op.part_of.data: op.y for op in network.body.block.ops if isinstance(op, DelayOp) and op.part_of is not None
    }
