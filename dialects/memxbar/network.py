"""Networks on memristor crossbars, with their outputs."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i64
from xdsl.ir import Attribute
from xdsl.irdl import base, irdl_op_definition, lazy_traits_def, opt_prop_def, prop_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.traits import HasParent

from ...core.device.limits import OTHER_DEVICE, Contracts
from ...core.device.named_device import device_named
from ...core.device.records import Device
from ...core.diagnostics import Code, InvalidOp, Refused, describe_op, invalid
from ...core.ir.body_ops import body_ops
from ...core.ir.graph_region import NetworkOperation, find_cycle, is_loop, schedule
from ...core.ir.operation import TerminatorOperation, VerifiesLast, texts_of
from ..chip_base.parts import verify_limit
from ..chip_base.user import verify_plasticity, verify_resources
from ..ntensor import (
    ApproximationAttr,
    DelayOp,
    MaxPool2dOp,
    NeuronOp,
    ReshapeOp,
    ScaleOp,
    SumOp,
    SumPool2dOp,
    Upsample2dOp,
    breaks_loops,
    find_updates,
    is_sound,
)
from ..ntensor.interface import CompiledOperation, Interface
from ._parts import COMPILE_AGAIN, refuse_array, user_name
from .crossbar import Crossbar
from .layers import LayerBase
from .tiles import MXB002

MXB003 = Code("MXB003", "array-network-malformed", "a network on arrays is not well formed")
MXB005 = Code("MXB005", "layer-cells-mismatch-device", "a layer has other cells than the device")
MXB006 = Code("MXB006", "too-few-arrays", "the device has too few arrays")

DIGITAL_OPS = (DelayOp, MaxPool2dOp, NeuronOp, ReshapeOp, ScaleOp, SumOp, SumPool2dOp, Upsample2dOp)
"""Ops of the digital periphery."""


@irdl_op_definition
class OutputOp(TerminatorOperation):
    """Terminator of a network on arrays. Its operands are the outputs."""

    name = "memxbar.output"
    values = var_operand_def(base(TensorType))
    traits = lazy_traits_def(lambda: (HasParent(NetworkOp),))


@irdl_op_definition
class NetworkOp(CompiledOperation, NetworkOperation):
    """A network on arrays, with its digital periphery. The attribute `machine.device` specifies the device; without it no limit is checked.

    Units: tick_ns [ns]. Errors: MXB001 to MXB006; DEV016, DEV021, CHI022; NTE003 and NTE005 of neurons; those of reading the device.
    """

    name = "memxbar.network"
    tick_ns = prop_def(IntegerAttr.constr(i64))
    approximations = opt_prop_def(base(ListAttr[ApproximationAttr]))
    traits = traits_def(VerifiesLast())

    ATTRIBUTES: ClassVar[tuple[str, ...]] = ("tick_ns", "approximations")
    layers = body_ops(LayerBase)
    neurons = body_ops(NeuronOp)

    def interface(self) -> Interface:
        inputs = zip(texts_of(self.input_names), self.function_type.inputs, strict=True)
        outputs = zip(texts_of(self.output_names), self.function_type.outputs, strict=True)
        populations = {op.node.data: (op.z.type, op.update_name) for op in self.neurons}
        return Interface(dict(inputs), dict(outputs), populations)

    @property
    def outputs(self) -> OutputOp:
        last = self.body.block.last_op
        assert isinstance(last, OutputOp)  # verified
        return last

    @classmethod
    def check_attributes(cls, parser: Parser, given: dict[str, Attribute]) -> None:
        if not isinstance(tick := given.get("tick_ns"), IntegerAttr):
            parser.raise_error("expected `attributes {tick_ns = N}`, the length of a tick in nanoseconds")
        given["tick_ns"] = IntegerAttr(tick.value.data, i64)

    def verify_(self) -> None:
        self.verify_signature(MXB003, "network", OutputOp)
        if self.tick_ns.value.data < 1:
            found = str(self.tick_ns.value.data)
            refuse_array(self, MXB003, "the length of a tick is not positive", "tick_ns of 1 or more", found)
        verify_ops(self)
        try:
            device = device_named(self)
            crossbar = None if device is None else Crossbar.of(device)
        except Refused as refusal:
            raise InvalidOp(refusal.findings[0]) from refusal
        verify_arrays(self)
        if device is not None and crossbar is not None:
            verify_device(self, device, crossbar)


def verify_ops(network: NetworkOp) -> None:
    """Refuses ops that neither an array nor the periphery computes, neurons without their update, and loops. Errors: MXB003, NTE003, NTE005."""
    module = network.parent_op()
    updates = find_updates(module) if isinstance(module, ModuleOp) else {}
    seen = {name.data for name in (*network.input_names, *network.output_names)}
    for op in network.body.block.ops:
        if not isinstance(op, (LayerBase, OutputOp, *DIGITAL_OPS)):
            expected = "layers, and digital ops on integers"
            refuse_array(op, MXB003, "an op that no array computes", expected, op.name)
        name = user_name(op)
        if name and name in seen:
            refuse_array(op, MXB003, "two ops have the same name", "each name once", name)
        seen.add(name)
        if isinstance(op, NeuronOp) and isinstance(module, ModuleOp):
            update = updates.get(op.update_name)
            if update is None or is_sound(update):  # the verifier of an update reports its errors
                op.verify_against(update)
    for component in schedule(network.body.block, breaks_loops):
        if is_loop(component, breaks_loops):
            cycle = find_cycle(component, breaks_loops)
            found = " -> ".join(describe_op(op)[0] for op in [*cycle, cycle[0]])
            refuse_array(network, MXB003, "a loop has no delay", "a delay of at least one tick in every loop", found)


def verify_arrays(network: NetworkOp) -> None:
    """Refuses two tiles on one array. Errors: MXB002."""
    taken: dict[int, str] = {}
    for layer in network.layers:
        for tile in layer.tiles:
            place = tile.array.value.data
            if place < 0 or place in taken:
                found = f"{taken.get(place, 'no array')} and {layer.node.data} on array {place}"
                refuse_array(tile, MXB002, "two tiles share an array", "a tile on each array", found)
            taken[place] = layer.node.data


def verify_device(network: NetworkOp, device: Device, crossbar: Crossbar) -> None:
    """Refuses tiles that the arrays of the device cannot hold. Errors: MXB005, MXB006, DEV016, DEV021, CHI022."""
    contracts = device.derive(Contracts)
    own = crossbar.encoding, crossbar.slices, crossbar.cell_bits
    for layer in network.layers:
        cells = layer.encoding.data, layer.slices.value.data, layer.cell_bits.value.data
        if cells != own:
            expected, found = (f"{a}, {b} x {c} bits" for a, b, c in (own, cells))
            invalid(
                layer,
                MXB005,
                node=layer.node.data,
                expected=expected,
                found=found,
                **device.limit_facts("features.cell_bits"),
                help=COMPILE_AGAIN,
            )
        if layer.plasticity is not None:
            verify_plasticity(layer, layer.plasticity, crossbar.weight_bits, device, layer.node.data)
        for tile in layer.tiles:
            verify_resources(tile, device, contracts)
    used = [tile.array.value.data for layer in network.layers for tile in layer.tiles]
    if used:
        largest, highest = max(network.layers, key=lambda layer: len(layer.tiles)), max(used) + 1
        found = f"{highest}, of which {largest.node.data} takes {len(largest.tiles)}"
        parts = {"node": largest.node.data, "help": OTHER_DEVICE}
        verify_limit(network, MXB006, device, "topology.cores", highest, "arrays", found, **parts)
