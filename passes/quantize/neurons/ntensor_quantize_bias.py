"""Moves the biases of synapses onto the grid of their weights, so that integers of both can be added, or onto one of their own.

    %y = ntensor.linear "fc" %x {weight = [[0.5]], bias = [0.3], quantized = <4, 0.25>}
        =>
    %y = ntensor.linear "fc" %x {weight = [[0.5]], bias = [0.25], quantized = <4, 0.25>}

    n = round(bias / scale), ties to even, within -2^(bits - 1) .. 2^(bits - 1) - 1;   bias' = scale n, rounded once to its type

1. A linear, sparse_linear or convolution op with a bias and a result of reals. A bias of integers or terms is integral already.
2. `scale=weights`: the scale of the weights of an output is the scale of its bias. Weights of one output share one: quantized for all,
   for each row or for each neuron, not for each column.
3. `scale=own`: the smallest power of two with which the bits hold all biases of the op. It is not stored as an attribute.
4. `correct`: a bias absorbs the mean error of rounded weights, where a calibration before observed the means of operand and result:
   bias + mean(y) - mean(the sum with these weights) - bias. Weights that were not rounded since leave it as it is.

A bias beyond the bits saturates. Infinities and NaN stay. Recorded: the largest and the mean error over all biases of
the changed ops; without a change nothing is recorded.

Errors: NTE009 a network in continuous time;
QUA009 no common scale; QUA027 bits; ANA031 a node that is not there. Warnings: ANA026 biases that need more bits; ANA027
biases that all become 0.
Source: M. Nagel et al., Data-Free Quantization Through Weight Equalization and Bias Correction (2019), section 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.ir import Operation

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import MEANS, observed_array, weight_means
from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.rounding_losses import report_bias
from ....analysis.weight_lines import rows
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code, Diagnostics, refuse_op
from ....core.fixed_point import Interval
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, option_text, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ._parameter_grid import Moved, bits_for, changes, check_bits, exponent_for, in_type, moved, of_bias

QUA009 = Code("QUA009", "bias-without-weight-grid", "a bias has no grid of weights")

WIDEST = 32
Biased = ntensor.SynapseOpInterface


def is_biased(op: Operation) -> bool:  # 1
    if not isinstance(op, Biased) or op.optional_array("bias") is None:
        return False
    return isinstance(element_type(op.y), Float32Type | Float64Type)


def stored(op: Biased) -> NDArray[Any]:
    """Returns a bias of f32 or f64 in its own type, and any other bias in the type of the computation."""
    bias = op.optional_array("bias")
    assert bias is not None  # is_biased
    values = bias.values
    is_wide = values.dtype.kind == "f" and values.dtype.itemsize >= 4
    return values if is_wide else in_type(values, element_type(op.y))


def corrected(op: Biased, bias: AnyArray) -> AnyArray:  # 4
    """Returns a bias with which the mean of each result is the observed one; the bias itself if weights are real, or if no means are known."""
    means, y = weight_means(op), observed_array(op, MEANS, "y")
    if means is None or y is None or op.quantized_weights is None or y.shape != shape_of(op.y):
        return bias
    sums = rows(op).reduced(np.add, op.weight_values().values * means, 0.0).reshape(bias.shape)
    shift = y.mean(axis=tuple(range(bias.ndim, y.ndim))) - sums - bias
    return (bias + np.where(np.isfinite(shift), shift, 0.0)).astype(bias.dtype)


@dataclass(frozen=True)
class NtensorQuantizeBiasPass(NoptPass):
    """Moves the biases of every `ntensor.network` onto a grid.

    Options:
        bits: signed bits of a bias, 2 to 32; default 16. Fewer saturate large biases; with `scale=own` they round more, too.
        scale: `weights`, the default: the scale of the weights, so that sums stay integral; `own`: a power of two for each op, as
            fine as the bits allow.
        correct: whether biases absorb the mean error of quantized weights; default true. Without a calibration no bias changes by it.
        nodes: the synapse ops, `nodes=fc1,"fc2.in"`; default all that have a bias.
    """

    name = "ntensor-quantize-bias"
    APPROXIMATES = ("precision",)
    bits: int = 16
    scale: Literal["weights", "own"] = "weights"
    correct: bool = True
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_bits(self, self.bits, 2, WIDEST)
        check_names(op, self.nodes, is_biased, self.name)
        grid = "the grid of their weights" if self.scale == "weights" else "a grid of powers of two"
        for network in networks(op):
            errors, is_corrected = Errors(), False
            for biased in choose_ops(network, self.nodes, is_biased):
                assert isinstance(biased, Biased)  # is_biased
                bias = stored(biased)
                wanted = bias if not self.correct else corrected(biased, bias)
                is_corrected |= wanted is not bias
                found = self.moved(biased, wanted, diagnostics_of(ctx))
                if (changed := changes(bias, found.values)).any():
                    biased.properties["bias"] = ArrayAttr.of(found.values)
                    errors.add(name_of(biased), changed)
            what = (
                f"biases of {self.bits} bits on {grid}" + ", which absorb the mean errors of the weights" * is_corrected
            )
            errors.record(network, pass_text(self), what)

    def moved(self, op: Biased, bias: AnyArray, diagnostics: Diagnostics) -> Moved:
        within = Interval.signed(self.bits)
        finite = bias[np.isfinite(bias)].astype(np.float64)
        if self.scale == "own":  # 3
            ends = float(finite.min(initial=0.0)), float(finite.max(initial=0.0))
            return moved(bias, 2.0 ** exponent_for(*ends, self.bits), within)
        scale, node = of_bias(op), option_text(name_of(op))
        if scale is None:  # 2
            refuse_op(
                op,
                QUA009,
                "the bias has no grid of weights",
                expected="weights with one scale for each output",
                found="weights that are not quantized"
                if op.quantized_weights is None
                else "weights of one output with several scales",
                help=f"ntensor-quantize-weights{{per=row nodes={node}}}, or ntensor-quantize-bias{{scale=own nodes={node}}}",
            )
        found = moved(bias, scale, within)
        self.report(op, bias, found, scale, diagnostics)
        return found

    def report(self, op: Biased, bias: AnyArray, found: Moved, scale: Reals, diagnostics: Diagnostics) -> None:
        """Warns of biases that saturate, and of biases that all become 0."""
        own = f"ntensor-quantize-bias{{scale=own nodes={option_text(name_of(op))}}}"

        def wider(count: int) -> str:
            bits = bits_for(count)
            return pass_text(replace(self, bits=bits)) if bits <= WIDEST else own

        report_bias(op, bias, found.values, scale, Interval.signed(self.bits), diagnostics, finer=own, wider=wider)
