"""Rounds weights to sums of four currents, which all synapses into a population share: a synapse selects a subset of them.

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.26]}
      =>
    %s = ntensor.linear "fc" %x {weight = [255, -130], quantized = #ntensor.quantized<11, scale 0.5 / 255>}

1. All ops that reach a population share four currents, whole numbers of steps from 1 to 255, and the size of a step, which is the scale.
2. A weight becomes the sum of a subset that is nearest to its size, with its sign.
3. `synapse_current_encoding.py` and `weight_masks.py` choose the currents, and find them again in the integers.
4. If the synapses of the network's device select one current each (`synapse.words`), a weight becomes the nearest sum of the currents of
   that many synapses at most. Each sign has currents of its own. The neuron of a population with the most weights determines how many its fan-in permits.

The errors of all weights that changed are recorded.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time; QUA030 a weight that is not finite; QUA031 too little memory.
Warnings: ANA028, ANA029, ANA030 weights that are lost.
Source: the quantizer of rockpool 3.1.0 (devices/dynapse) solves the same problem by training an autoencoder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.fan_in import fan_in_of, leaves
from ....analysis.node_selection import check_names, choose_ops
from ....analysis.rounding_losses import RoundedWeights, report_weights
from ....analysis.synapse_current_encoding import find_currents, fit_weights, nearest_sums, sides_of, words_of
from ....analysis.weight_masks import LARGEST_CURRENT, MASK_CURRENTS
from ....core.arrays.numeric import AnyArray
from ....core.device.device_pass import DevicePass
from ....core.device.records import Device
from ....core.diagnostics import describe_op
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ._weight_groups import Group, check_readable, is_weighted, together
from ._weight_quantizer import Rounded, as_weights, effects, measured, quantized, stored
from .scales._weight_scales import kept_scale, precise, products

SUM_BITS = 11
"""Bits of a sum of four currents with its sign."""


@dataclass(frozen=True)
class NtensorFitWeightMasksPass(DevicePass):
    """Fits the weights of every `ntensor.network` to sums of four currents.

    Options:
        device: TARGET/NAME, or the path of a device file; default the one that the network names, if it does; else a synapse selects a subset.
        set: fields of the device that are overridden: `set="synapse.words=2"`.
        nodes: the ops to work on; default all.
    """

    name = "ntensor-fit-weight-masks"
    APPROXIMATES = ("precision",)
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_weighted, self.name)
        for network in networks(op):
            ops = choose_ops(network, self.nodes, is_weighted)
            groups = together(network, ops, "population")  # 1
            check_readable(ops, [[lines.op for lines in group.lines] for group in groups])
            device = self.optional_device(network)
            shared = [rounded_group(group, device, most_weights(network, group)) for group in groups]
            for some in shared:
                report_weights(
                    [RoundedWeights(one.lines.op, one.before, one.after) for one in some], diagnostics_of(ctx)
                )
            found = [one for some in shared for one in some]
            for one in found:
                one.lines.op.replace_weights(stored(one, SUM_BITS), quantized(one, SUM_BITS))
            self.record(network, [one for one in found if not one.is_exact])

    def record(self, network: ntensor.NetworkOp, changed: list[Rounded]) -> None:
        if not changed:
            return
        largest, mean = measured([one.errors for one in changed])
        touched = [describe_op(one.lines.op)[1] or "" for one in changed]
        kind = "four currents" if words_of(self.optional_device(network)) is None else "currents, one for each synapse"
        what = f"weights fitted to the sums of {kind}, which a population shares"
        network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, largest, mean))


def most_weights(network: ntensor.NetworkOp, group: Group) -> int:
    """Returns the greatest number of weights of a neuron that reads ops of a group; 0 without such neurons."""
    own, most = {lines.op for lines in group.lines}, 0
    for neuron in network.body.block.ops:
        if isinstance(neuron, ntensor.NeuronOp) and any(leaf.op in own for x in neuron.operands for leaf in leaves(x)):
            most = max([most, *(int(fan_in_of(x).max(initial=0)) for x in neuron.operands)])
    return most


def rounded_group(group: Group, device: Device | None, fan_in: int) -> list[Rounded]:
    """Returns the weights of the ops of a population as sums of its currents."""  # 2
    before = effects(group)
    every = np.concatenate([array.astype(np.float64).reshape(-1) for array in before])
    sides = sides_of(device, words_of(device, fan_in))  # 4
    if (kept := kept_sums(group, before, device, fan_in)) is not None:
        return as_weights(group, kept)
    if not every.any():
        whole, step = np.zeros(MASK_CURRENTS, np.int64), 1.0
    else:
        whole, step = fit_weights(every, sides)  # 3
        largest = max(int((side.choices @ whole).max()) for side in sides)
        step = float(precise(np.array([step]), before, largest)[0])
    found: list[Rounded] = []
    for lines, array in zip(group.lines, before, strict=True):
        integers = nearest_sums(array.astype(np.float64), whole, step, sides).astype(np.int16)
        after = products(integers, np.array(step), array.dtype)
        found.append(Rounded(lines, array, after, integers, np.array(step)))
    return as_weights(group, found)


def kept_sums(group: Group, before: list[AnyArray], device: Device | None, fan_in: int) -> list[Rounded] | None:
    """Returns unchanged weights if they have one scale and are sums of four currents already; None for any other weights."""
    scale = kept_scale(group)
    if scale is None:
        return None
    signed = [np.rint(array.astype(np.float64) / scale[0]) for array in before]
    every = np.concatenate([one.reshape(-1) for one in signed])
    if np.abs(every).max(initial=0) > MASK_CURRENTS * LARGEST_CURRENT:
        return None
    if find_currents(every.astype(np.int64), device, fan_in) is None:
        return None
    integers = [one.astype(np.int16) for one in signed]
    after = [products(one, scale[:1].reshape(()), array.dtype) for one, array in zip(integers, before, strict=True)]
    if not all(map(np.array_equal, after, before)):
        return None
    parts = zip(group.lines, before, after, integers, strict=True)
    return [Rounded(lines, array, same, one, np.array(scale[0])) for lines, array, same, one in parts]
