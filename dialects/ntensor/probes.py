"""Probes: the populations and states that a run on a chip records in addition to the outputs.

    ntensor.network @n(…) -> (…) attributes {ntensor.probes = ["lif1", "lif1.v"], …}

1. An entry is the name of an array of a run, as `--record` takes it: a population for its spikes, and NODE.STATE for a state.
2. Lowerings keep the attribute, so that the emitter of a target finds it on the op of the exit dialect.
3. The field `probes` of a device lists the kinds that the device records. A lowering refuses a probe that the device does not record, or whose population
   another pass replaced.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import cast

from attrs import frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation

from ...core.device.records import Device
from ...core.diagnostics import (
    Code,
    ExitCode,
    Finding,
    Refused,
    choose,
    describe_op,
    finding_about,
    first_of,
    near_names,
    near_notes,
)
from ...core.help_text import Option, Phrase, WithoutOptions
from ...core.ir.graph_region import names
from ...core.ir.operation import NoptOperation
from ...core.ir.pipeline import option_text
from ._updates import UpdateOp
from .network import HOST, PROBES, NetworkOp, updates_of
from .neurons import NeuronOp
from .readout import readout_of

NTE020 = Code("NTE020", "probe-population-unknown", "no population has the name of a probe", exit_code=ExitCode.MISUSED)
NTE021 = Code(
    "NTE021", "probe-state-unknown", "a population has no state of the name of a probe", exit_code=ExitCode.MISUSED
)
NTE022 = Code("NTE022", "probe-unsupported-by-device", "the device does not record a probe")
NTE023 = Code("NTE023", "probe-population-replaced", "the population of a probe is not on the chip")
NTE026 = Code(
    "NTE026", "probe-of-weights", "weights that learn are recorded without a probe", exit_code=ExitCode.MISUSED
)

SPIKES, STATES = "spikes", "states"
"""Kinds of probes in a device file: the spikes of a population, and any of its states."""
OPTION, SET_PROBES = "--probe", "ntensor-set-probes"
"""The option of `compile`, and its pass."""


@frozen
class NodeProbe:
    """Recorded events or a recorded state of a population."""

    node: str
    state: str | None = None
    """None: the spikes."""

    @property
    def array(self) -> str:
        """Returns the name of its array in a run."""
        return self.node if self.state is None else f"{self.node}.{self.state}"

    @property
    def kind(self) -> str:
        return SPIKES if self.state is None else self.state

    def __str__(self) -> str:
        """Returns the probe as the user types it."""
        return self.node if self.state is None else f"{self.node}:{self.state}"

    @staticmethod
    def of(array: str, nodes: Iterable[str]) -> NodeProbe:
        """Returns the probe of an array; the longest of the known names that fits is the node."""
        known = set(nodes)
        ends = [k for k, letter in enumerate(array) if letter == "."]
        node = next((array[:k] for k in reversed(ends) if array not in known and array[:k] in known), array)
        return NodeProbe(node, array[len(node) + 1 :] or None)


class ProbedOperation(NoptOperation):
    """Base of the ops of exit dialects that are a whole network, with the places of its populations."""

    def places(self, probe: NodeProbe) -> list[str]:
        """Returns the names of the parts of the chip, or of the program, that hold the population of a probe."""
        return []


def probe_names(op: Operation) -> list[str]:
    """Returns the names of the arrays that the probes of a network record."""
    found = op.attributes.get(PROBES)
    entries = cast("ListAttr[Attribute]", found) if isinstance(found, ListAttr) else ()
    return [one.data for one in entries if isinstance(one, StringAttr)]


def probes_of(op: Operation, nodes: Iterable[str]) -> list[NodeProbe]:
    """Returns the probes of a network; `nodes` are the names of its populations."""
    known = [*nodes]
    return [NodeProbe.of(name, known) for name in probe_names(op)]


def present_probes(network: NetworkOp) -> list[str]:
    """Returns the names of the arrays of those probes whose population and state the network has, before or after it is lowered."""
    updates, populations = updates_of(network), {op.node.data: op for op in network.populations}
    states = {name: record_types(updates.get(op.update_name)) for name, op in populations.items()}
    known = [one for one in probes_of(network, states) if one.node in states]
    return [one.array for one in known if one.state is None or one.state in states[one.node]]


def set_probes(network: NetworkOp, probes: Iterable[NodeProbe]) -> None:
    """Sets the probes of a network; none removes the attribute."""
    if arrays := dict.fromkeys(one.array for one in probes):
        network.attributes[PROBES] = names(arrays)
    else:
        network.attributes.pop(PROBES, None)


def record_types(update: UpdateOp | None) -> dict[str, Attribute]:
    """Returns the types of a population's recordable values by name: states, then records. The output is not included."""
    if update is None or update.step.block.last_op is None:
        return {}
    given = update.step.block.last_op.operands[1 + len(update.states) :]
    records = {name.data: value.type for name, value in zip(update.records, given, strict=True)}
    return {**update.state_types, **records}


# ---- reading


def read_probes(network: NetworkOp, texts: Sequence[str]) -> list[NodeProbe]:
    """Returns the probes of texts such as `lif1`, `lif1:v` or `lif1,lif2:v`. Errors: NTE020 for all unknown populations, NTE026 for synapses that learn."""
    nodes = [op.node.data for op in network.populations]
    entries = [one.strip() for text in texts for one in ([text] if text in nodes else text.split(","))]
    found = [read_probe(text, nodes) for text in dict.fromkeys(entries) if text]
    learning = {
        name: op for op in network.body.block.ops if "plasticity" in op.properties and (name := describe_op(op)[1])
    }
    right = [one if one.node in nodes else nearest(one, nodes) for one in found if one.node not in learning]
    help = probe_option([one for one in right if one is not None])
    unknown = [one for one in found if one.node not in nodes]
    wrong = [
        probe_of_weights(learning[one.node], one, help)
        if one.node in learning
        else unknown_population(network, one, nodes, help)
        for one in unknown
    ]
    if wrong:
        raise Refused(*wrong)
    return found


def read_probe(text: str, nodes: Sequence[str]) -> NodeProbe:
    """Returns the probe of a text; a population whose name has a colon is found first."""
    node, colon, kind = text.rpartition(":")
    if text in nodes or not colon:
        return NodeProbe(text)
    return NodeProbe(node, None if kind in ("", SPIKES) else kind)


def nearest(probe: NodeProbe, nodes: Sequence[str]) -> NodeProbe | None:
    """Returns the probe of the population with the most similar name; None if no name is similar."""
    near = near_names(probe.node, nodes)
    return NodeProbe(near[0], probe.state) if near else None


def unknown_population(network: NetworkOp, probe: NodeProbe, nodes: Sequence[str], help: Phrase) -> Finding:
    other = next((op for op in network.body.block.ops if describe_op(op)[1] == probe.node), None)
    return Finding(
        NTE020,
        f'no population is called "{probe.node}"',
        at=f"probe {probe}",
        node=None if other is None else probe.node,
        expected=f"a population: {first_of(nodes, 20)}" if nodes else "a network with populations",
        found=probe.node if other is None else describe_op(other)[0],
        help=choose(Option(f"{SET_PROBES}{{probes=NAME}}", f"{OPTION} NAME"), nodes[:20])
        if nodes and nearest(probe, nodes) is None
        else help,
        notes=near_notes(probe.node, nodes),
    )


def probe_of_weights(op: Operation, probe: NodeProbe, help: Phrase) -> Finding:
    """Returns the finding about a probe of a synapse that learns; `help` has the other probes."""
    record = shlex.quote(f"{probe.node}.{probe.state or 'weight'}")
    return finding_about(
        op,
        NTE026,
        expected="a population; a run of the build records weights, and the states of synapses, without a probe",
        found=str(probe),
        help=help,
        notes=[f"then: nopt run BUILD --record {record}", f"every 100 ticks: --record {record}@100ticks"],
    )


def probe_option(probes: Iterable[NodeProbe]) -> Phrase:
    """Returns the option that records these probes; without any, the command without the option."""
    listed = [str(one) for one in dict.fromkeys(probes)]
    if not listed:
        return Phrase(WithoutOptions((OPTION,)))
    return Phrase(
        Option(f"{SET_PROBES}{{probes={option_text(tuple(listed))}}}", f"{OPTION} {shlex.quote(','.join(listed))}")
    )


# ---- checks


def require_probes(network: NetworkOp, device: Device | None, *, is_lowered: bool = True) -> None:
    """Refuses probes that a run of a network cannot record: on any device, or on one.

    `is_lowered`: whether the populations are those of the device; the states of other populations are not known yet.
    Errors: NTE021, NTE022, NTE023 for all wrong probes.
    """
    known = [*(op.node.data for op in network.populations), *host_nodes(network)]
    checks = [ProbeCheck.of(probe, network, device) for probe in probes_of(network, known)]
    help = probe_option(one.replacement for one in checks if one.replacement is not None)
    if wrong := [found for one in checks if (found := one.finding(help, is_lowered)) is not None]:
        raise Refused(*wrong)


def host_nodes(network: NetworkOp) -> list[str]:
    """Returns the names of the nodes of the network's readout, if it was moved out of the network."""
    module = network.parent_op()
    readout = readout_of(module) if isinstance(module, ModuleOp) else None
    found = () if readout is None else map(describe_op, readout.computed)
    return [node for _, node in found if node is not None]


@frozen
class ProbeCheck:
    """One probe, with its population and the kinds that can be recorded there."""

    probe: NodeProbe
    op: NeuronOp | None
    """None if no population of the chip has the name."""
    states: Sequence[str]
    kinds: Sequence[str] | None
    """The kinds that the device records; None without a device."""
    device: Device | None
    others: Sequence[str]
    """Populations of the chip."""
    is_of_host: bool

    @staticmethod
    def of(probe: NodeProbe, network: NetworkOp, device: Device | None) -> ProbeCheck:
        populations = {op.node.data: op for op in network.populations}
        op = populations.get(probe.node)
        states = () if op is None else [*record_types(updates_of(network).get(op.update_name))]
        kinds = None if device is None else () if device.probes is None else device.probes.kinds
        others = [name for name, one in populations.items() if HOST not in one.attributes]
        is_of_host = probe.node in host_nodes(network) or (op is not None and HOST in op.attributes)
        return ProbeCheck(probe, None if is_of_host else op, states, kinds, device, others, is_of_host)

    @property
    def is_recorded(self) -> bool:
        """Whether the device records this kind, if the population has it."""
        kinds = self.kinds or list[str]()
        return self.kinds is None or self.probe.kind in kinds or (self.probe.state is not None and STATES in kinds)

    @property
    def has_state(self) -> bool:
        return self.probe.state is None or self.probe.state in self.states

    @property
    def possible(self) -> list[NodeProbe]:
        """The probes of this population that the device records."""
        kinds = self.kinds or list[str]()
        states = [one for one in self.states if self.kinds is None or STATES in kinds or one in kinds]
        spikes = [None] if self.kinds is None or SPIKES in self.kinds else []
        return [NodeProbe(self.probe.node, state) for state in (*spikes, *states)]

    @property
    def replacement(self) -> NodeProbe | None:
        """The probe itself if the device records it, else the most similar one of the population; None if it records none."""
        if self.op is None:
            return None
        if self.is_recorded and self.has_state:
            return self.probe
        near = get_close_matches(self.probe.kind, [one.kind for one in self.possible], 1, 0)
        return next((one for one in self.possible if one.kind in near), None)

    def finding(self, help: Phrase, is_lowered: bool) -> Finding | None:
        """Returns why the probe cannot be recorded; None if it can. Errors: NTE021, NTE022, NTE023."""
        key = None if self.device is None else self.device.naming.key
        if self.op is None:
            node = f'"{self.probe.node}"'
            return Finding(
                NTE023,
                f"the host computes {node}" if self.is_of_host else f"{node} is not on the chip",
                at=f"probe {self.probe}",
                node=self.probe.node,
                expected=f"a population of the chip: {first_of(self.others, 20)}",
                found="a readout, whose result is an output" if self.is_of_host else "passes replaced this population",
                help=help,
                device=key,
            )
        listed = ", ".join(map(str, self.possible))
        if self.device is not None and not self.is_recorded and (self.has_state or not is_lowered):
            return finding_about(
                self.op,
                NTE022,
                f"{self.device.key} does not record {self.probe.kind}",
                expected=listed or "no probe, since the tools of this device return outputs alone",
                found=str(self.probe),
                help=help,
                device=key,
                source=f"{self.device.key}, probes",
            )
        if is_lowered and not self.has_state:
            message = f'"{self.probe.node}" has no state {self.probe.state}'
            return finding_about(self.op, NTE021, message, expected=listed, found=str(self.probe), help=help)
        return None
