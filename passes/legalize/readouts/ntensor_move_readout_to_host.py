"""Moves the readout of a network to the host: the last synapses and populations, whose values only reach outputs.

    %fc2 = ntensor.linear "fc2" %lif1 {weight = w}          %fc2 = ntensor.linear "fc2" %lif1 {weight = w} {machine.host}
    %li = ntensor.neuron "li" @li(%fc2) {…}           =>    %li = ntensor.neuron "li" @li(%fc2) {…} {machine.host}
    ntensor.output %li                                      ntensor.output %li

1. The readout of an output with values is all that lies between the last events and the output: ops that emit values, and whose users are all
   in the readout or outputs.
2. It reads events of populations. They leave the chip, and the host computes the readout in the reals of the network.
3. A population of values whose values reach a population of the chip, or itself, is not a readout.

Exactness: exact; the ops stay as they are. Weights on the host are not quantised.

The option `device` restricts the outputs to those that a device does not compute: of populations of values that no neuron of it serves, and of sums
of synapses on a device with cores. `--set features.host_readout=false` keeps all readouts on the chip, which then refuses them.

Errors: ANA031 an output that does not exist; LEG180 values that a population of the chip reads; LEG181 a readout with a loop; LEG182 a readout that
reads no population; LEG183 weights that learn; LEG185 an op that the program of the host does not compute; NTE009 a network in continuous time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....analysis.node_selection import ANA031, is_plastic, right_names
from ....core.device.device_pass import DevicePass
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, Refused, describe_op, finding_about, near_notes, refuse
from ....core.ir.operation import element_type, texts_of
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....dialects.ntensor.readout import HOST
from ....simulation.host.readout_program import obstacle
from ._device_readouts import device_readouts, value_readouts

LEG180 = Code("LEG180", "readout-feeds-chip", "a population of the chip reads the values of a readout")
LEG181 = Code("LEG181", "readout-recurrent", "a readout has a loop")
LEG182 = Code("LEG182", "readout-without-spikes", "a readout reads no population with spikes")
LEG183 = Code("LEG183", "readout-learns", "the weights of a readout learn")
LEG185 = Code("LEG185", "readout-op-unsupported", "the host does not compute an op of a readout")


FIELD = "neuron.updates"
"""The field of a device that a readout without a host violates."""


def is_event_source(op: Operation) -> bool:
    """Returns whether an op stays on the chip: a population with events, or the delay of its node."""
    if isinstance(op, ntensor.DelayOp) and op.part_of is not None and isinstance(op.x.owner, Operation):
        return is_event_source(op.x.owner)
    return isinstance(op, ntensor.NeuronOp) and ntensor.is_event(element_type(op.z))


def readout_ops(network: ntensor.NetworkOp, outputs: Sequence[str]) -> list[Operation]:
    """Returns the ops of the readout of some outputs, in the order of the network. Errors: LEG180, LEG181, LEG182, LEG183, LEG185."""
    given = dict(zip(texts_of(network.output_names), network.outputs.values, strict=True))
    ends, last = [given[name] for name in outputs], network.outputs
    found, work = set[Operation](), [value.owner for value in ends]
    while work:  # 1
        op = work.pop()
        if not isinstance(op, Operation) or op in found or is_event_source(op):
            continue
        users = {use.operation for result in op.results for use in result.uses}
        if all(user in found or user is last for user in users):
            found.add(op)
            work += [x.owner for x in op.operands]
    ops = [op for op in network.body.block.ops if op in found]
    for op in filter(is_plastic, ops):
        at = "weights that stay as they are"
        help = f"ntensor-freeze-plasticity{{nodes={describe_op(op)[1]}}}"
        raise Refused(finding_about(op, LEG183, expected=at, found="weights that learn", help=help))
    for value in (*ends, *(x for op in ops for x in op.operands)):
        verify_source(network, value, found)
    updates = ntensor.updates_of(network)
    for op in ops:
        if (unknown := obstacle(op, updates)) is not None:
            known = "synapses without delays, pools, scales, sums, delays, and populations of reals"
            raise Refused(finding_about(op, LEG185, expected=known, found=unknown, path=FIELD, help=OTHER_DEVICE))
    return ops


def verify_source(network: ntensor.NetworkOp, value: SSAValue, found: set[Operation]) -> None:
    """Refuses a signal that a readout cannot read. Errors: LEG180, LEG181, LEG182."""  # 2, 3
    op = value.owner
    if not isinstance(op, Operation):
        assert isinstance(value, BlockArgument)  # of no op
        name = texts_of(network.input_names)[value.index]
        refuse(
            LEG182,
            at=f'input "{name}"',
            node=name,
            expected="spikes of a population",
            found=f'the input "{name}"',
            help=OTHER_DEVICE,
        )
    if op in found or ntensor.is_event(element_type(value)):
        return
    path = path_to(op, op) or path_to(op, None) or [op]
    refuse_path(op, LEG181 if path[-1] is op and len(path) > 1 else LEG180, path)


def refuse_path(op: Operation, code: Code, path: Iterable[Operation]) -> NoReturn:
    """Refuses values with the path on which they leave the readout."""
    shown = " -> ".join(f'"{describe_op(step)[1]}"' for step in path if describe_op(step)[1])
    expected = "values that only reach outputs"
    raise Refused(finding_about(op, code, expected=expected, found=shown, path=FIELD, help=OTHER_DEVICE))


def path_to(start: Operation, end: Operation | None) -> list[Operation]:
    """Returns the shortest path from an op to another through values, or to the first population with events; empty if there is none."""
    before: dict[Operation, Operation | None] = {}
    work = [(start, user) for user in users_of(start)]
    while work:
        source, op = work.pop(0)
        if op in before:
            continue
        before[op] = source
        if op is end or (end is None and is_event_source(op)):
            path, step = [op], source
            while step is not start:
                path.append(step)
                step = before[step]
                assert step is not None  # only the first op has none
            return [start, *reversed(path)]
        if not is_event_source(op):
            work += [(op, user) for user in users_of(op)]
    return []


def users_of(op: Operation) -> list[Operation]:
    """Returns the ops that read an op, in the order of the network."""
    return list(dict.fromkeys(use.operation for result in op.results for use in result.uses))


@dataclass(frozen=True)
class NtensorMoveReadoutToHostPass(DevicePass):
    """Moves the readouts of every `ntensor.network` to the host.

    Options:
        outputs: names of outputs whose readouts move, `outputs=output,"out.2"`; default all outputs with values.
        device: TARGET/NAME, or the path of a device file: only the outputs that it leaves to the host move; default all.
        set: fields of the device that are overridden.
    """

    name = "ntensor-move-readout-to-host"
    sees_host = True
    outputs: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            found = (
                value_readouts(network) if self.device is None else device_readouts(network, self.device_for(network))
            )
            known = [one.output for one in found]
            for name in self.outputs:
                if name not in known:
                    refuse(
                        ANA031,
                        f'{self.name} has no output "{name}" to work on',
                        at="outputs",
                        expected=f"one of {', '.join(known)}" if known else "none: no output has values",
                        found=name,
                        help=right_names("outputs", self.outputs, known) or f"leave outputs out of {self.name}",
                        notes=near_notes(name, known),
                    )
            for inner in readout_ops(network, self.outputs or known):
                inner.attributes[HOST] = UnitAttr()
