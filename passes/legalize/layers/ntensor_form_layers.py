"""Forms layers of counts from a network of requantised integers, as an ONNX model has it, for chips that compute layers.

    %q = ntensor.neuron "q" @quantise(%x)                      n = round(x / scale)
    %a = ntensor.linear "fc" %q {weight = [[1, 2]] : i8}       sums of integers
    %n = ntensor.neuron "n" @requantise(%a)                    family activation: threshold, level
    %b = ntensor.linear "out" %n
    %m = ntensor.neuron "m" @requantise.2(%b)                  integers with a sign
    %y = ntensor.scale "y" %m {scale = 0.1}
      =>
    %a = ntensor.linear "fc" %x {weight = [[1, 2]] : i8, quantized = <8, 1.0>}    the input is the count n
    %n = ntensor.neuron "n" @activation_127(%a)                clip(ceil((a - threshold) / level), 0, 127)
    %b = ntensor.linear "out" %n
    %y = ntensor.scale "y" %b {scale = 0.004}

1. An input that only one population quantises becomes the input of its integers, which are counts: a run refuses data below 0.
2. Sums are reals, whose weights are quantised integers with the scale 1, so that the passes of a chip read their grid.
3. A requantisation of the family `activation` becomes the activation that chips of layers have, whose threshold takes the bias of its sums. Sums in the middle of
   two integers are rounded down.
4. A last requantisation whose reals are an output is left out: the output is the real before its rounding.
5. Other populations of integers stay, and so do the sums that they read. `ntensor-check-device` refuses those that a device lacks.

Exactness: recorded. Integers of layers differ where a sum is in the middle of two integers; outputs are not rounded.

Errors: NTE009 a network in continuous time; LEG198 no requantisation.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, TensorType, f64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....analysis.requantised_layers import MULTIPLIER, SHIFT, is_requantisation
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, refuse
from ....core.ir.graph_region import walk_upstream
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import erase_unused_updates, networks
from ..rates._activations import build_activation, change_events, most_of
from ..relays._relays import NodeNames

LEG198 = Code("LEG198", "no-layers-to-form", "no population requantises integers")

WEIGHT_BITS = (2, 4, 8, 16)
QUANTISER, OFFSET = "scale", "offset"
"""Parameters of quantisations and requantisations."""


@dataclass(frozen=True)
class NtensorFormLayersPass(NoptPass):
    """Forms layers of counts from the requantised integers of every `ntensor.network`."""

    name = "ntensor-form-layers"
    APPROXIMATES = ("precision",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            form_layers(network, pass_text(self))
        erase_unused_updates(op, ntensor.find_updates(op).values())


def form_layers(network: ntensor.NetworkOp, step: str) -> None:
    """Forms the layers of one network. Errors: LEG198."""
    layers = [op for op in network.populations if is_requantisation(op)]
    if not layers and any(record.step.data == step for record in network.approximations or ()):
        return  # they are formed
    if not layers:
        at, expected = f"ntensor.network @{network.sym_name.data}", "populations of the family activation, of integers"
        refuse(LEG198, at=at, expected=expected, found="none", help=f"nopt explain {LEG198}")
    names, touched = NodeNames(network), [op.node.data for op in layers]
    notes = ["sums in the middle of two integers are rounded down"]
    for name, arg in zip(network.input_names, list(network.body.block.args), strict=True):
        readers = [use.operation for use in arg.uses]
        if len(readers) == 1 and isinstance(readers[0], ntensor.NeuronOp) and is_quantisation(readers[0]):
            notes.append(take_integers(network, name.data, readers[0]))
            touched.append(name.data)
    for op in list(network.body.block.ops):
        if isinstance(op, ntensor.ScaleOp) and (source := last_requantisation(op)) is not None:
            remove_rounding(op, source)
            touched.append(op.node.data)
            notes.append(f"{op.node.data} is not rounded")
    kept = sums_of_others(network, layers)
    for op in list(network.body.block.ops):
        if isinstance(op, ntensor.SynapseOpInterface) and not has_reals(op.y) and op not in kept:
            use_reals(op)
    for op in layers:
        values = {name: array.values.astype(np.float64) for name, array in op.arrays(op.canonical or op.params)}
        most = most_of(op, ntensor.updates_of(network))
        threshold = values["threshold"] - removed_bias(op)
        parts = (names, op.node.data, op.xs[0], most, most.bit_length(), threshold, values["level"])
        Rewriter.replace_op(op, build_activation(*parts))
    network.update_signature()
    network.record(ntensor.ApproximationAttr.of(step, f"layers of counts: {'; '.join(notes)}", touched))


def sums_of_others(network: ntensor.NetworkOp, layers: Collection[ntensor.NeuronOp]) -> set[Operation]:
    """Returns the ops whose integers a population reads that becomes no layer."""  # 5
    xs = [x for op in network.populations if op not in layers for x in op.xs]
    values = walk_upstream(xs, lambda op: not isinstance(op, ntensor.NeuronOp))
    return {value.owner for value in values if isinstance(value.owner, Operation)}


def has_reals(value: SSAValue) -> bool:
    return isinstance(element_type(value), Float32Type | Float64Type)


def is_quantisation(op: ntensor.NeuronOp) -> bool:
    """Returns whether a population rounds reals to integers of one scale."""
    return set(op.params.data) == {QUANTISER} and not op.initial.data and has_reals(op.xs[0]) and not has_reals(op.z)


def take_integers(network: ntensor.NetworkOp, name: str, op: ntensor.NeuronOp) -> str:
    """Makes counts of an input that a population quantises, and returns a note with their scale."""
    params = dict(op.arrays(op.params))
    most = most_of(op, ntensor.updates_of(network))
    arg = op.xs[0]
    op.z.replace_all_uses_with(arg)
    op.detach()
    op.erase()
    change_events(arg, ntensor.CountType(most.bit_length()))
    return f"input {name} is round(x / {float(params[QUANTISER].values.reshape(-1)[0]):.9g}), 0 to {most}"


def last_requantisation(op: ntensor.ScaleOp) -> ntensor.NeuronOp | None:
    """Returns the requantisation with a sign whose only reader is a scale before an output; None if there is none."""
    source = op.x.owner
    is_output = all(isinstance(use.operation, ntensor.OutputOp) for use in op.y.uses)
    if not isinstance(source, ntensor.NeuronOp) or not is_output or len(list(source.z.uses)) != 1:
        return None
    return (
        source
        if len(source.xs) == 1 and {MULTIPLIER, SHIFT} <= set(source.params.data) and not is_requantisation(source)
        else None
    )


def remove_rounding(op: ntensor.ScaleOp, source: ntensor.NeuronOp) -> None:
    """Makes a scale read the sums before a requantisation. An offset becomes a bias of these sums."""
    params = {name: array.values.astype(np.float64) for name, array in source.arrays(source.params)}
    before = source.xs[0].owner
    if OFFSET in params:
        if not isinstance(before, ntensor.LinearOp):
            return
        bias = params[OFFSET] / params[MULTIPLIER]
        held = 0.0 if before.bias is None else before.bias.values.astype(np.float64)
        before.properties["bias"] = ArrayAttr.of(np.broadcast_to(held + bias, shape_of(before.y)).copy())
    factor = params[MULTIPLIER] / 2.0 ** params[SHIFT] * op.scale.values.astype(np.float64)
    op.properties["scale"] = ArrayAttr.of(np.asarray(factor))
    op.operands[0] = source.xs[0]
    source.detach()
    source.erase()
    Rewriter.replace_value_with_new_type(op.y, TensorType(f64, shape_of(op.y)))


def removed_bias(op: ntensor.NeuronOp) -> Reals:
    """Removes the bias of the synapses that a population alone reads, also through a max pool, and returns it. Shapes: () or that of the population."""
    before = op.xs[0].owner
    if isinstance(before, ntensor.MaxPool2dOp) and len(list(before.y.uses)) == 1:
        before = before.x.owner
    held = before.properties.get("bias") if isinstance(before, ntensor.SynapseOpInterface) else None
    if not isinstance(held, ArrayAttr) or not isinstance(before, ntensor.SynapseOpInterface):
        return np.asarray(0.0)
    if len(list(before.y.uses)) != 1:
        return np.asarray(0.0)
    del before.properties["bias"]
    bias = held.values.astype(np.float64)
    shape = shape_of(op.z)
    return np.broadcast_to(bias.reshape(bias.shape + (1,) * (len(shape) - bias.ndim)), shape).copy()


def use_reals(op: Operation) -> None:
    """Makes a synapse op compute in reals, with quantised integer weights."""
    assert isinstance(op, ntensor.SynapseOpInterface)  # asked before
    Rewriter.replace_value_with_new_type(op.y, TensorType(f64, shape_of(op.y)))
    if op.weights is not None and op.has_quantized_weights:
        weights = op.weights.values
        size = max(int(np.abs(weights.astype(np.int64)).max(initial=1)), 1)
        bits = next(bits for bits in WEIGHT_BITS if size < 2 ** (bits - 1))
        op.replace_weights(ArrayAttr.of(weights), ntensor.QuantizedAttr.of(bits, np.asarray(1.0)))
    bias = op.properties.get("bias")
    if isinstance(bias, ArrayAttr):
        op.properties["bias"] = ArrayAttr.of(bias.values.astype(np.float64))
