"""The updates of the neurons of a device, and whether a signal is an input of the network."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, SSAValue

from ...core.device.records import Device
from ...dialects import ntensor
from ...dialects.equations.build import device_updates


def device_update(device: Device, name: str) -> ntensor.UpdateOp | None:
    """Returns the update of a neuron of a device; None if it has none of that name."""
    return next((update for known, _, update in device_updates(device) if known == name), None)


def reads_input(value: SSAValue) -> bool:
    """Returns whether a value is an input of the network, possibly delayed, reshaped or pooled."""
    while not isinstance(value, BlockArgument):
        op = value.owner
        if isinstance(op, ntensor.NeuronOp) or not isinstance(op, Operation) or not op.operands:
            return False
        value = op.operands[0]
    return True
