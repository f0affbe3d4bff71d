"""Readouts that a device leaves to the host.

Those are outputs with values of a population that no neuron of the device serves, or that its spikes do not carry, and of synapses. The device file
permits them: `features.host_readout`.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Operation, SSAValue

from ....core.device.core_kinds import has_host_readout
from ....core.device.records import Device
from ....core.ir.operation import element_type, texts_of
from ....dialects import ntensor
from ....dialects.ntensor.readout import is_on_host


@frozen(eq=False)
class Readout:
    """An output with values, the op that computes them, and a text about it."""

    output: str
    op: Operation
    values: str


def value_readouts(network: ntensor.NetworkOp) -> Iterator[Readout]:
    """Yields the outputs with reals that are not on the host already."""
    for name, value in zip(texts_of(network.output_names), network.outputs.values, strict=True):
        op = source_of(value)
        if isinstance(element_type(value), Float32Type | Float64Type) and op is not None and not is_on_host(op):
            family = op.family.data if isinstance(op, ntensor.NeuronOp) and op.family is not None else op.name
            yield Readout(name, op, family)


def source_of(value: SSAValue) -> Operation | None:
    """Returns the op that produces a value, before delays and reshapes; None for an input."""
    while isinstance(value.owner, ntensor.DelayOp | ntensor.ReshapeOp):
        value = value.owner.x
    return value.owner if isinstance(value.owner, Operation) else None


def device_readouts(network: ntensor.NetworkOp, device: Device) -> Iterator[Readout]:
    """Yields the outputs with values that a device leaves to the host."""
    if not has_host_readout(device):
        return
    families = {family for one in device.updates.values() for family in one.families}
    bits = device.integer("spike.payload_bits")
    for one in value_readouts(network):
        if isinstance(one.op, ntensor.NeuronOp):
            width = 32 if isinstance(element_type(one.op.z), Float32Type) else 64
            is_served = one.op.family is None or one.op.family.data in families
            is_carried = bool(families) or bits is None or bits >= width
            if is_served and is_carried:
                continue
        yield one
