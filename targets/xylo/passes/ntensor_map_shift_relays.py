"""Makes relays of spikes and of counts neurons whose currents decay by a bit shift, with a synapse to themselves.

    %z = ntensor.neuron "late.relay1" @relay_spike(%x)
      =>
    %a = ntensor.sparse_linear "late.relay1.in" %x {weight = [2 u, …]}
    %b = ntensor.sparse_linear "late.relay1.self" %w {weight = [-u, …]}       %w = ntensor.delay %z {ticks = 1}
    %z = ntensor.neuron "late.relay1" @xylo_out(%a + %b) {params = {dash_syn = 1, dash_mem = 0, th = u, bias = 0}}

A synaptic current halves in each tick, so a spike of the weight 2 u leaves u for this tick, and u for the next one. The synapse to itself removes
the rest when it arrives: the current is u times the spikes of this tick alone. The membrane keeps nothing (dash_mem = 0), and the threshold u
sends as many spikes as arrive.

1. u is the power of two that all integer weights share, those of inputs and those of populations apart; the larger of both, so that relays have the shift
   of their layers.
2. Spikes become the neuron `xylo_out` of the device, counts the neuron `xylo`.

Exactness: all values of existing nodes stay, to the bit; nothing is recorded.

Errors: NTE009 a network in continuous time; DEV023 no device; XYL018 a device without these neurons.
Source: xylosim 0.1.3, core v2, for the decay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, UnitAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.latency import NODE_LATENCY
from ....analysis.slicing import ADDED
from ....core.arrays.numeric import Ints
from ....core.device.named_device import device_of
from ....core.device.records import Device
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.help_text import Phrase, WithoutPass
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass
from ....core.names import PrimedNames
from ....dialects import ntensor
from ....dialects.ntensor.network import add_copy_of_update, erase_unused_updates, networks
from ..neurons import device_update, reads_input

XYL018 = Code("XYL018", "no-relay-neuron", "the device has no neuron that relays with a synapse to itself")

NEURONS = {"relay_spike": "xylo_out", "relay_some": "xylo_out", "relay_count": "xylo"}
"""The neuron of the device for the update of a relay."""
WEIGHT_BITS, MOST_SHIFT = 8, 8
TERM_BITS = 16


@dataclass(frozen=True)
class NtensorMapShiftRelaysPass(NoptPass):
    """Converts the relays of every `ntensor.network`."""

    name = "ntensor-map-shift-relays"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        replaced: dict[ntensor.UpdateOp, None] = {}
        for network in networks(op):
            relays = [one for one in network.populations if one.family is None and kind_of(one) in NEURONS]
            if relays:
                conversion = RelayConversion(network, device_of(network))
                for one in relays:
                    replaced |= dict.fromkeys([ntensor.updates_of(network)[one.update_name]])
                    conversion.convert(one)
        erase_unused_updates(op, replaced)


def kind_of(op: ntensor.NeuronOp) -> str:
    """Returns the update name of a relay without the width of its type."""
    name = op.update_name.rstrip("'")
    return "relay_count" if name.startswith("relay_count_") else name


class RelayConversion:
    """The relays of one network."""

    def __init__(self, network: ntensor.NetworkOp, device: Device):
        self.network, self.device = network, device
        self.names = PrimedNames(describe_op(op)[1] for op in network.body.block.ops)
        self.shift = max(shared_shift(network, is_input) for is_input in (True, False))  # 1

    def convert(self, op: ntensor.NeuronOp) -> None:
        """Replaces a relay."""
        kind, node, unit = kind_of(op), op.node.data, 1 << self.shift
        update = device_update(self.device, NEURONS[kind])
        if update is None:
            expected, found = f"the neuron {NEURONS[kind]}", ", ".join(self.device.updates) or "none"
            refuse_op(op, XYL018, expected=expected, found=found, help=Phrase(WithoutPass("ntensor-map-shift-relays")))
        x, chosen = self.forwarded(op)
        values = {"dash_syn": 1, "dash_mem": 0, "th": unit, "bias": 0}
        params = {name: np.asarray(values[name], np.int32) for name in update.param_types}
        states = {name: np.zeros((), np.int32) for name in update.state_types}
        arriving = self.synapses(f"{node}.in", x, chosen, 2 * unit, op)
        symbol = add_copy_of_update(update, self.network)
        new = ntensor.NeuronOp(
            node,
            symbol,
            [arriving],
            op.z.type,
            params=ntensor.array_dictionary(params),
            initial=ntensor.array_dictionary(states),
        )
        new.attributes.update({**op.attributes, ADDED: UnitAttr()})
        new.location = op.location
        Rewriter.replace_op(op, new)
        back = ntensor.DelayOp(self.names.take(f"{node}.back"), new.z, 1)
        if (lag := new.attributes.get(NODE_LATENCY)) is not None:
            back.attributes[NODE_LATENCY] = lag
        Rewriter.insert_op(back, InsertPoint.after(new))
        own = self.synapses(f"{node}.self", back.y, np.arange(len(chosen)), -unit, new)
        whole = ntensor.SumOp.create(operands=[arriving, own], result_types=[arriving.type])
        Rewriter.insert_op(whole, InsertPoint.before(new))
        new.operands = [whole.y]

    def forwarded(self, op: ntensor.NeuronOp) -> tuple[SSAValue, Ints]:
        """Returns the signal that a relay reads, and the entries that it forwards; the synapses of a relay of some entries are removed."""
        (x,) = op.xs
        if kind_of(op) != "relay_some":
            return x, np.arange(int(np.prod(shape_of(x))))
        start = x.owner
        assert isinstance(start, ntensor.SparseLinearOp)  # as the relay was made
        op.operands = [start.x]
        if not start.y.uses:
            self.names.free(start.node.data)
            Rewriter.erase_op(start)
        return op.xs[0], start.source.values.astype(np.int64)

    def synapses(self, name: str, x: SSAValue, source: Ints, weight: int, at: ntensor.NeuronOp) -> SSAValue:
        """Returns the result of synapses from some entries of a signal; each entry reaches one neuron."""
        type, every = (
            TensorType(ntensor.TermsType(TERM_BITS + 6), shape_of(at.z)),
            np.arange(len(source), dtype=np.int32),
        )
        weights = np.full(every.shape, weight, np.int16)
        made = ntensor.SparseLinearOp.of(self.names.take(name), x, type, weights, source.astype(np.int32), every)
        made.quantized = ntensor.QuantizedAttr.of(WEIGHT_BITS + self.shift, np.ones(()))
        if (lag := at.attributes.get(NODE_LATENCY)) is not None:
            made.attributes[NODE_LATENCY] = lag
        made.location = at.location
        Rewriter.insert_op(made, InsertPoint.before(at))
        return made.y


def shared_shift(network: ntensor.NetworkOp, is_input: bool) -> int:
    """Returns the exponent of the greatest power of two that divides all integer weights of inputs (or of populations)."""
    held = 0
    for op in network.body.block.ops:
        if not isinstance(op, ntensor.SynapseOpInterface) or op.weights is None or op.quantized_weights is None:
            continue
        if ntensor.interval_of(element_type(op.y)) is not None and reads_input(op.x) == is_input:
            held |= int(np.bitwise_or.reduce(op.weights.values.astype(np.int64).reshape(-1), initial=0))
    return 0 if held == 0 else min((held & -held).bit_length() - 1, MOST_SHIFT)
