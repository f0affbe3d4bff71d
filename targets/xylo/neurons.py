"""The updates of the neurons of a device, and whether a signal is an input of the network."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import f64
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...core.device.records import Device
from ...core.neuron.neuron import combinations, parse_neurons
from ...dialects import ntensor
from ...dialects.equations.build import shared_update


def device_updates(device: Device) -> Iterator[tuple[str, ntensor.UpdateOp]]:
    """Yields the name and the update of each neuron of a device, with each choice of its options."""
    for name, known in device.updates.items():
        for rule in parse_neurons("\n".join(known.text), device.key).neurons:
            for options in combinations(rule.options) if rule.name == name else ():
                yield name, shared_update(rule, options=options, precision=f64)


def device_update(device: Device, name: str) -> ntensor.UpdateOp | None:
    """Returns the update of a neuron of a device; None if it has none of that name."""
    return next((update for known, update in device_updates(device) if known == name), None)


def reads_input(value: SSAValue) -> bool:
    """Returns whether a value is that of an input of the network, delayed, reshaped or pooled."""
    while not isinstance(value, BlockArgument):
        op = value.owner
        if isinstance(op, ntensor.NeuronOp) or not isinstance(op, Operation) or not op.operands:
            return False
        value = op.operands[0]
    return True
