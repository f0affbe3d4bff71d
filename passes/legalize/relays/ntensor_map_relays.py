"""Makes helper populations neurons of the device: relays, late biases and partial sums.

    %z = ntensor.neuron "late.relay1" @relay_spike(%x)
      =>  (asic/edge)
    %s = ntensor.sparse_linear "late.relay1.in" %x {weight = [1, …]} : i1 -> i2
    %z = ntensor.neuron "late.relay1" @edge_lif.value(%s) {params = {k = 256, vth = 0}}

1. A relay of spikes, or of some of them (`relay_some`), becomes the first neuron of the device that fires in each tick in which a weight arrives, and in no other. Its registers are
   found and proven (`_helper_neurons.py`). Each spike arrives through one synapse. A population that fires if any of several sources spikes
   (`relay_any`) becomes a neuron that several weights let fire once.
2. The clock of late biases becomes the same neuron. The weight arrives in every tick, as a bias. On a device without biases (`synapse.has_bias`) it
   becomes the first neuron that its leak alone lets fire in every tick.
3. A relay of counts or sums gets the name of a neuron that emits its input.
4. A helper that no neuron of the device serves stays as it is, and is refused where the network is mapped. A device without neurons of its own
   takes every helper.
5. A neuron with the inputs `excitatory` and `inhibitory` gets an inhibitory sum without synapses.

Exactness: all values of existing nodes stay, to the bit; nothing is recorded.

Errors: NTE009 a network in continuous time; DEV023 no device; those of reading a device file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, StringAttr, SymbolRefAttr, TensorType, f64
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.latency import NODE_LATENCY
from ....core.arrays.arrays import ArrayAttr
from ....core.device.device_pass import DevicePass
from ....core.device.records import Device
from ....core.ir.operation import shape_of
from ....dialects import ntensor
from ....dialects.chip_base.formats import weight_limit
from ....dialects.ntensor.network import add_copy_of_update, erase_unused_updates, networks
from ._helper_neurons import WEIGHT_BITS, Helper, Relay, clock_of, helpers_of, is_integer, passing, relay_of
from ._relays import NodeNames, erase_unread, forwarded, insert


@dataclass(frozen=True)
class NtensorMapRelaysPass(DevicePass):
    """Converts the helper populations of every `ntensor.network`.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names.
        set: fields of the device that are overridden: `set="quantization.weight_bits=2"`.
    """

    name = "ntensor-map-relays"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        replaced: dict[ntensor.UpdateOp, None] = {}
        for network in networks(op):
            device = self.device_for(network)
            if device.updates:  # 4
                pattern = ConvertHelper(network, device, helpers_of(network), NodeNames(network))
                PatternRewriteWalker(pattern, apply_recursively=False).rewrite_region(network.body)
                replaced |= pattern.replaced
        erase_unused_updates(op, replaced)


@dataclass
class ConvertHelper(RewritePattern):
    """neuron(x) @relay_spike => neuron(linear(x)) @own, and neuron(x) @relay_graded_8 => neuron(x) @own.sums8"""

    network: ntensor.NetworkOp
    device: Device
    helpers: Mapping[ntensor.NeuronOp, Helper]
    names: NodeNames
    replaced: dict[ntensor.UpdateOp, None] = field(default_factory=dict[ntensor.UpdateOp, None])
    """The updates that helpers had."""

    @cached_property
    def updates(self) -> dict[str, ntensor.UpdateOp]:
        return ntensor.updates_of(self.network)

    @cached_property
    def clock(self) -> Relay | None:
        """The neuron of the device that fires in every tick."""
        return clock_of(self.device, self.network.dt)

    def symbol(self, relay: Relay) -> str:
        return add_copy_of_update(relay.update, self.network)

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.NeuronOp, rewriter: PatternRewriter, /) -> None:
        helper = self.helpers.get(op)
        if helper is None:
            return
        update = self.updates[op.update_name]
        relay = self.clock if helper.is_clock else relay_of(self.device, self.network.dt, helper.events)
        if helper.kind == "spikes" and relay is not None:
            x = biased(op, relay) if helper.is_clock else weighted(self.names, op, relay, self.device)
            put(op, relay, self.symbol(relay), [x, *others(self.names, op, x, relay)])
        elif helper.bits is not None and (name := passing(self.device, helper.kind, helper.bits)) is not None:  # 3
            again = update.clone()
            again.sym_name = StringAttr(f"{name}.{helper.kind}{helper.bits}")
            op.update = SymbolRefAttr(add_copy_of_update(again, self.network))
        else:
            return
        self.replaced[update] = None
        rewriter.has_done_action = True


def weighted(names: NodeNames, op: ntensor.NeuronOp, relay: Relay, device: Device) -> SSAValue:
    """Returns a synapse for each event that a relay reads."""  # 1
    x, source, target = forwarded(op)
    (read,) = op.xs
    type = TensorType(arriving(relay, int(np.bincount(target).max(initial=1))), shape_of(op.z))
    if read is not x:
        op.operands = [x]
        erase_unread(names, read)
    node, index = names.take(f"{op.node.data}.in"), (source.astype(np.int32), target.astype(np.int32))
    made = ntensor.SparseLinearOp.of(node, x, type, weights(relay, target.shape), *index)
    if is_integer(relay):
        limit = weight_limit(device)
        made.quantized = ntensor.QuantizedAttr.of(WEIGHT_BITS if limit is None else min(limit[1], 16), np.ones(()))
    made.attributes.update({name: held for name, held in op.attributes.items() if name == NODE_LATENCY})
    return insert(made, InsertPoint.before(op), op)


def biased(op: ntensor.NeuronOp, relay: Relay) -> SSAValue:
    """Returns the input of a clock, with a weight that arrives in every tick; without a weight it has no synapses."""  # 2
    (x,) = op.xs
    start = x.owner
    assert isinstance(start, ntensor.SparseLinearOp)  # it has no synapses: a clock reads nothing else
    given = {**start.properties, "weight": ArrayAttr.of(weights(relay, (0,)))}
    if relay.weight:
        given["bias"] = ArrayAttr.of(weights(relay, shape_of(x)))
    type = TensorType(arriving(relay), shape_of(x))
    made = ntensor.SparseLinearOp.create(operands=list(start.operands), result_types=[type], properties=given)
    made.attributes.update(start.attributes)
    op.operands = [insert(made, InsertPoint.before(start), start)]
    if not start.y.uses:
        Rewriter.erase_op(start)
    return made.results[0]


def weights(relay: Relay, shape: tuple[int, ...]) -> NDArray[Any]:
    dtype = np.min_scalar_type(-relay.weight) if is_integer(relay) else np.dtype(np.float32)
    return np.full(shape, relay.weight, dtype)


def arriving(relay: Relay, events: int = 1) -> Attribute:
    """Returns the input type of a relay: the narrowest type that stores the weights of up to `events` spikes, f64 for a relay of reals."""
    bits = max(2, (relay.weight * (1 if relay.is_accumulated else events)).bit_length() + 1)
    if relay.is_accumulated:
        return ntensor.TermsType(bits)
    return IntegerType(bits) if is_integer(relay) else f64


def others(names: NodeNames, op: ntensor.NeuronOp, x: SSAValue, relay: Relay) -> list[SSAValue]:
    """Returns the input of each further receptor, which has no synapses."""  # 5
    if not relay.update.has_receptors:
        return []
    start, none = x.owner, np.zeros(0, np.int32)
    assert isinstance(start, ntensor.SparseLinearOp)  # `weighted` and `biased` make one
    node = names.take(f"{op.node.data}.{ntensor.RECEPTORS[1]}")
    made = ntensor.SparseLinearOp.of(node, start.x, x.type, np.zeros(0, np.int8), none, none)
    made.attributes.update(start.attributes)
    return [insert(made, InsertPoint.after(start), op)]


def put(op: ntensor.NeuronOp, relay: Relay, symbol: str, xs: list[SSAValue]) -> None:
    """Puts a neuron of the device into the place of a helper."""

    new = ntensor.NeuronOp(
        op.node.data,
        symbol,
        xs,
        op.z.type,
        params=ntensor.array_dictionary(relay.params),
        initial=ntensor.array_dictionary(relay.states),
    )
    new.attributes.update(op.attributes)
    Rewriter.replace_op(op, new)
