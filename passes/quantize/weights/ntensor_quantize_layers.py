"""Rounds weights and biases of a layer to integers with one scale, which its threshold shares, for chips without another number format.

    %s = ntensor.conv2d "c" %x {weight = [0.5, -0.26], bias = [0.1]}
    %z = ntensor.neuron "n" @u(%s) {threshold 1}
      =>  (bits = 8 bias-bits = 8 threshold-bits = 16)
    %s = ntensor.conv2d "c" %x {weight = [127, -66], bias = [0.0984], quantized = #ntensor.quantized<8, scale 1 / 254>}

    factor = min over weights, biases and thresholds of (most / max, or least / min if that end needs more);   n = round(w factor), ties to even

1. A layer is a population with all synapse ops that reach it; ops that reach several populations join these to one layer. The scale is 1 / factor.
2. `least` and `most` are the ends of the bits: -128 and 127 of 8. Zeros have no limit. A layer of zeros has the scale 1.
3. The threshold counts in the effect of an input of 1: it is divided by the canonical `gain`, times `gain_i`. It stays as it is;
   `ntensor-set-neuron-model` rounds it on the grid of the weights.
4. An average pool before an op is a sum on the chip, so the weights after it are divided by the size of its kernel before they are rounded.
5. Numbers are rounded in the type of the result of the op.
6. The outputs of a layer with thresholds of several values have a scale each, in proportion to their thresholds: integers then count in parts of
   them, and have one threshold.
7. The biases of several ops of one population are added up in the first of these ops, since a layer has one bias for each output.

Weights that lie on the grid of their scale stay what they are. Recorded: the errors of all weights and biases of the ops that changed.

Errors: NTE009 a network in continuous time; QUA027 bits; ANA031 a name in `nodes`; QUA030 a weight that is not finite; QUA031 too little memory.
Warnings: ANA028, ANA029, ANA030, ANA026, ANA027 weights and biases that are lost.
Source: sinabs 3.1.3, backend/dynapcnn/discretize.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....analysis.approximation_errors import Errors
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.rounding_losses import RoundedWeights, report_bias, report_weights
from ....analysis.weight_lines import Weighted
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Diagnostics, describe_op, refuse
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..neurons._parameter_grid import QUA027, changes, check_bits
from ..neurons._populations import threshold_inputs
from ._weight_groups import Channelwise, check_readable, is_weighted, source_ops, together

MOST_WEIGHT_BITS, MOST_BITS = 16, 32
OF_OUTPUTS = (ntensor.LinearOp, ntensor.Conv1dOp, ntensor.Conv2dOp)
"""Ops whose weights have an axis of outputs, the first."""


@dataclass(frozen=True)
class NtensorQuantizeLayersPass(NoptPass):
    """Quantizes the layers of every `ntensor.network`.

    Options:
        bits: signed bits of weights, 2 to 16, default 8.
        bias-bits: signed bits of biases, 2 to 32, default 8. A large bias makes the weights of its layer coarser.
        threshold-bits: signed bits of thresholds, 2 to 32, default 16. A threshold that is large in comparison with the weights makes them coarser.
        nodes: the ops to work on; default all.
    """

    name = "ntensor-quantize-layers"
    APPROXIMATES = ("precision",)
    bits: int = 8
    bias_bits: int = 8
    threshold_bits: int = 16
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_bits(self, self.bits, 2, MOST_WEIGHT_BITS)
        check_named_bits(self)
        check_names(op, self.nodes, is_weighted, self.name)
        for network in networks(op):
            errors, readers, has_shares = Errors(), readers_of(network), False
            ops = choose_ops(network, self.nodes, is_weighted)
            groups = [[lines.op for lines in group.lines] for group in together(network, ops, "population")]
            check_readable(ops, groups)
            for layer in groups:
                own = [one for one in readers if not readers[one].isdisjoint(layer)]
                has_shares |= self.quantize(layer, own, errors, diagnostics_of(ctx))
            what = f"weights of {self.bits} and biases of {self.bias_bits} bits, one scale per layer"
            what += ", in proportion to the thresholds of its outputs" if has_shares else ""
            errors.record(network, pass_text(self), what)

    def quantize(
        self, layer: Sequence[Weighted], readers: Sequence[ntensor.NeuronOp], errors: Errors, diagnostics: Diagnostics
    ) -> bool:
        """Rounds the weights and biases of a layer. Returns whether its outputs have scales of their own."""
        if len(readers) == 1:
            add_up_biases(layer)  # 7
        weights = [real_weights(op) for op in layer]
        biases = [real_bias(op) for op in layer]
        dtype = np.result_type(*weights)
        shares = shares_of(layer, readers)
        if shares is not None:  # 6
            weights = [values / per_output(shares, values).astype(dtype) for values in weights]
            biases = [None if values is None else values / shares.astype(values.dtype) for values in biases]
        limits = [(factor(values, self.bits, dtype), "") for values in weights]  # 2
        for op, values in zip(layer, biases, strict=True):
            if values is not None:
                limits.append(
                    (factor(values, self.bias_bits, dtype), f"the bias of {describe_op(op)[0]} determines the scale")
                )
        for op in readers:
            if (values := thresholds(op)).size:
                limits.append(
                    (
                        factor(values.max(keepdims=True) if shares is not None else values, self.threshold_bits, dtype),
                        f"the threshold of {describe_op(op)[0]} determines the scale",
                    )
                )
        found, cause = min(limits, key=lambda one: one[0])
        chosen: Any = found if np.isfinite(found) and found > 0 else dtype.type(1)
        roundings: list[RoundedWeights] = []
        for op, weight, bias in zip(layer, weights, biases, strict=True):
            pooled = pool_size(op.x)
            scale = np.float64(1) / np.float64(chosen) * pooled
            if shares is not None:
                scale = scale * per_output(shares, weight)
            n = rounded(weight, chosen, self.bits)
            before = op.weight_values().values
            op.replace_weights(
                ArrayAttr.of(n.astype(np.int8 if self.bits <= 8 else np.int16)), scale_of(self.bits, scale)
            )
            wrong = changes(before.astype(dtype), (n * scale).astype(dtype))
            roundings.append(RoundedWeights(op, before.astype(dtype), n * scale, np.asarray(scale)))
            if bias is not None:
                unit = (scale if shares is None else scale.reshape(-1)) * (
                    1 / pooled
                )  # as the pool carries the scale: scale / pooled can have another last bit
                made = (rounded(bias, chosen, self.bias_bits) * unit).astype(bias.dtype)
                op.properties["bias"] = ArrayAttr.of(made)
                report_bias(op, bias, made, unit, Interval.signed(self.bias_bits), diagnostics)
                wrong = np.concatenate([wrong.reshape(-1), changes(bias, made).reshape(-1)])
            if wrong.any():
                errors.add(name_of(op), wrong)
        report_weights(roundings, diagnostics, cause=cause)
        return shares is not None


def check_named_bits(step: NtensorQuantizeLayersPass) -> None:
    """Checks the bits of biases and thresholds. Errors: QUA027."""
    for name in ("bias_bits", "threshold_bits"):
        bits: int = getattr(step, name)
        if not 2 <= bits <= MOST_BITS:
            nearest: dict[str, Any] = {name: min(max(bits, 2), MOST_BITS)}
            refuse(
                QUA027,
                f"{bits} bits are out of range",
                at=f"{step.name}, {name.replace('_', '-')}",
                expected=f"2 to {MOST_BITS}",
                found=str(bits),
                help=suggest_pass(replace(step, **nearest)),
            )


def shares_of(layer: Sequence[Weighted], readers: Sequence[ntensor.NeuronOp]) -> Reals | None:
    """Returns a layer's thresholds relative to the greatest threshold; None if all are equal, or if the layer has several readers."""  # 6
    if len(readers) != 1 or not all(isinstance(op, OF_OUTPUTS) for op in layer):
        return None
    found, shape = threshold_inputs(readers[0]), shape_of(readers[0].z)
    outputs = {shape_of(op.y)[0] for op in layer}
    if (
        found is None
        or not found.shape
        or len(outputs) != 1
        or any(prod(shape) != prod(shape_of(op.y)) for op in layer)
    ):
        return None
    rows = np.broadcast_to(found, shape).reshape(outputs.pop(), -1)
    is_known = np.isfinite(rows).all() and (rows > 0).all() and (rows == rows[:, :1]).all()
    return rows[:, 0] / rows.max() if is_known and (rows != rows[0, 0]).any() else None


def add_up_biases(layer: Sequence[Weighted]) -> None:
    """Moves the biases of ops that a population adds to the first op that has one, if all have the same shape."""  # 7
    found = [(op, bias.values) for op in layer if (bias := op.optional_array("bias")) is not None]
    if len(found) < 2 or len({values.shape for _, values in found}) > 1:
        return
    total = np.sum([values for _, values in found], axis=0, dtype=found[0][1].dtype)
    found[0][0].properties["bias"] = ArrayAttr.of(total)
    for op, _ in found[1:]:
        del op.properties["bias"]


def per_output(shares: Reals, weights: AnyArray) -> Reals:
    """Returns the numbers of outputs in the shape that multiplies their weights."""
    return shares.reshape(-1, *(1,) * (weights.ndim - 1))


def scale_of(bits: int, scale: Reals | np.float64) -> ntensor.QuantizedAttr:
    return ntensor.QuantizedAttr.of(bits, np.asarray(scale, np.float64))


def readers_of(network: ntensor.NetworkOp) -> dict[ntensor.NeuronOp, set[Operation]]:
    """Returns the ops that reach each population without another population in between."""
    return {op: {giver for x in op.xs for giver in source_ops(x)} for op in network.populations}


def real_weights(op: Weighted) -> Reals:
    """Returns the effective weights on the chip; weights after an average pool are divided by the pool's size."""  # 4
    dtype = dtype_of(element_type(op.y))
    assert dtype is not None  # is_weighted
    share = np.asarray(1 / pool_size(op.x), dtype)
    return op.weight_values().values.astype(dtype) * share


def real_bias(op: Weighted) -> Reals | None:
    bias = op.optional_array("bias")
    dtype = dtype_of(element_type(op.y))
    return None if bias is None or dtype is None else bias.values.astype(dtype)


def pool_size(x: SSAValue) -> int:
    """Returns the elements that the average pools before an op divide by."""
    found = 1
    for op in upstream(x):
        if isinstance(op, ntensor.AvgPool2dOp):
            found *= prod(int(n) for n in op.kernel.values)
    return found


def upstream(x: SSAValue) -> Iterator[Operation]:
    """Yields the pools, reshapes, delays and sums before a value; of a sum, only the first operand is followed."""
    passed = ntensor.PoolOp | Channelwise | ntensor.ReshapeOp | ntensor.DelayOp | ntensor.SumOp
    while isinstance(op := x.owner, passed):
        yield op
        x = op.operands[0]


def thresholds(op: ntensor.NeuronOp) -> Reals:
    """Returns the finite thresholds of a population as multiples of the effect of an input of 1; empty if they are unknown."""  # 3
    found = threshold_inputs(op)
    return np.zeros(0) if found is None else found[np.isfinite(found)]


def factor(values: AnyArray, bits: int, dtype: np.dtype[Any]) -> Any:
    """Returns the greatest factor that scales numbers into `bits` signed bits; infinity if all are 0, or if the factor overflows."""
    held, given = Interval.signed(bits), values.astype(dtype)
    low, high = np.abs(given.min(initial=np.inf)), np.abs(given.max(initial=-np.inf))
    if not given.size:
        return dtype.type(np.inf)
    ratio = dtype.type(abs(held.low / held.high))
    with np.errstate(divide="ignore", over="ignore"):
        # PyTorch divides a number by a tensor by its reciprocal: this has the last bit of the factors of sinabs
        if low <= high * ratio:
            return dtype.type(1) / high * dtype.type(held.high)
        return dtype.type(1) / low * dtype.type(-held.low)


def rounded(values: AnyArray, by: Any, bits: int) -> Reals:
    held = Interval.signed(bits)
    return np.clip(np.rint(values * values.dtype.type(by)), held.low, held.high).astype(np.float64) + 0.0
