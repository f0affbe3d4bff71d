"""Networks on SpiNNaker 2, and the checks across their cores."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition

from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code, invalid
from ...core.ir.body_ops import body_ops_by_place, inner_body_ops
from ..chip_base.chip import ChipBase
from ..chip_base.groups import CHI013, GroupOp
from ..chip_base.parts import HELP_RECOMPILE, refuse_beyond, refuse_chip, verify_limit
from ..equations.build import device_updates
from .cores import RESET_NAMES, CoreOp, NeuronsOp

STN003 = Code("STN003", "weight-exceeds-neuron-model", "a weight is beyond those of the neuron model")
STN004 = Code("STN004", "neuron-model-unsupported", "the device has no such neuron model")
STN005 = Code("STN005", "no-element-for-inputs", "no processing element is left for the inputs")


@irdl_op_definition
class ChipOp(ChipBase):
    """A network on the machine. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: CHI001, CHI002, CHI003, CHI013, STN003 to STN005, DEV016, DEV021, CHI022; those of reading the device.
    """

    name = "spinnaker2.chip"
    cores = body_ops_by_place(CoreOp)
    groups = inner_body_ops(CoreOp, NeuronsOp)

    def verify_senders(self) -> None:
        verify_sources(self)

    def verify_group(self, group: GroupOp, device: Device) -> None:
        assert isinstance(group, NeuronsOp)  # a core has no others
        verify_model(group, device)
        verify_reset(group, device)
        verify_weights(group, device)

    def verify_delivery(self, device: Device, topology: Topology) -> None:
        verify_inputs(self, device, topology)


def verify_sources(chip: ChipOp) -> None:
    """Refuses connections of neurons that do not exist. Errors: CHI002."""
    sizes: dict[str, int] = {}
    for _, op in chip.senders():
        sizes[op.source.data] = sizes.get(op.source.data, 0) + op.size
    for group in chip.groups:
        for op in group.connections:
            size = sizes.get(op.source.data)
            if size is None:
                refuse_chip(op, "connections from nothing", f"one of {', '.join(sizes)}", op.source.data)
            if op.pre.data.size and (last := int(op.pre.data.greatest())) >= size:
                expected = f"a neuron below {size} of {op.source.data}"
                refuse_chip(op, "a connection belongs to no neuron", expected, str(last))


def verify_model(group: NeuronsOp, device: Device) -> None:
    """Errors: STN004."""
    if device.updates and group.model.data not in device.updates:
        invalid(
            group,
            STN004,
            f"{device.key} has no such neuron model",
            node=group.source.data,
            expected=f"one of {', '.join(device.updates)}",
            found=group.model.data,
            source=f"{device.key}, neuron.updates",
            path="neuron.updates",
            help=HELP_RECOMPILE,
        )


def verify_reset(group: NeuronsOp, device: Device) -> None:
    """Refuses a model and reset that differ from the update. The chip computes the model and reset, but nopt's model runs the update. Errors: CHI013."""
    update = group.definition()
    assert update is not None  # verified before
    known = [
        f"{name}, {RESET_NAMES[options['reset']]}"
        for name, options, one in device_updates(device)
        if one.is_equal(update)
    ]
    if device.updates and (found := f"{group.model.data}, {group.reset.data}") not in known:
        expected = " or ".join(known) or f"an update of {device.key}"
        refuse_chip(group, "the neurons are not those of the update", expected, found, CHI013)


def verify_weights(group: NeuronsOp, device: Device) -> None:
    """Errors: STN003."""
    for op in group.connections:
        node, path = group.source.data, "features.largest_weight"
        verify_limit(op, STN003, device, path, op.largest, "in magnitude", str(op.largest), node=node)


def verify_inputs(chip: ChipOp, device: Device, topology: Topology) -> None:
    """Refuses a network with more slices than processing elements; a slice of an input (a `spike_list`) needs an element, too. Errors: STN005."""
    limit = int(topology.is_usable.sum())
    if (used := len(chip.cores) + len(chip.inputs)) > limit:
        expected = f"at most {limit} processing elements"
        found = f"{used}: {len(chip.cores)} of neurons and {len(chip.inputs)} of inputs"
        refuse_beyond(chip, STN005, device, "topology.cores", expected, found, used, limit)
