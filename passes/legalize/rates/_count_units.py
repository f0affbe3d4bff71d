"""Units of counts: a count that stands for several spikes, and the factor that its readers take over.

The factor goes into the weights of the synapse ops that read the count, also after reshapes and pools. If a sum or a population reads
it without weights, an `ntensor.scale` is inserted. An output keeps the count.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import OBSERVED
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.numeric import Reals
from ....core.arrays.values import RuleArray
from ....core.diagnostics import Code, refuse
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, suggest_pass
from ....dialects import ntensor
from ..relays._relays import NodeNames
from ._activations import MOST_COUNT_BITS


def multiply_readers(value: SSAValue, factor: float | Reals, names: NodeNames, real: SSAValue) -> None:
    """Makes the readers of a count compute as if it was multiplied by a factor; `real` has the type of reals of the network. Shapes: factor () or that of the value."""
    factor = np.asarray(factor, np.float64)
    if (factor == 1).all():
        return
    for use in list(value.uses):
        op = use.operation
        if isinstance(op, ntensor.OutputOp):
            continue
        passed = factor_after(op, factor)
        if passed is not None:
            op.attributes.pop(OBSERVED, None)
            multiply_readers(op.results[0], passed, names, real)
        elif isinstance(op, ntensor.SynapseOpInterface) and takes_factor(op, factor):
            multiply_weights(op, factor)
        else:
            op.operands[use.index] = insert_scale(value, factor, names, op, real)


def factor_after(op: Operation, factor: Reals) -> Reals | None:
    """Returns the factor of the result of an op without weights; None for an op with weights, or if it adds or compares elements of several factors. Shapes: result () or that of the result."""
    if isinstance(op, ntensor.ReshapeOp):
        return factor.reshape(shape_of(op.y)) if factor.ndim else factor
    if isinstance(op, ntensor.DelayOp):
        return factor
    if isinstance(op, ntensor.MaxPool2dOp):
        return op.carry_scale(factor) if factor.ndim else factor
    if not isinstance(op, ntensor.SynapseOpInterface) or op.weights is not None:
        return None
    if not factor.ndim:
        return factor
    ones = op.carry_scale(np.ones(factor.shape))  # an average pool divides: 1 becomes 1 / n
    each = op.carry_scale(factor)
    return None if ones is None or each is None else each / ones


def takes_factor(op: ntensor.SynapseOpInterface, factor: Reals) -> bool:
    """Returns whether the weights of an op can be multiplied: they do not learn, and factors of several elements meet stored weights, which are not quantized."""
    if op.weights is None or op.learning_rule is not None:
        return False
    if not factor.ndim:
        return True
    is_stored = op.quantized_weights is None and not isinstance(op.weights.data, RuleArray)
    return is_stored and factors_of_weights(op, factor) is not None


def factors_of_weights(op: ntensor.SynapseOpInterface, factor: Reals) -> Reals | None:
    """Returns the factor of each weight; None if a weight multiplies elements of several factors. Shapes: factor that of x, result that of the weights."""
    share = op.operand_means(np.ones(factor.shape))  # below 1 where a kernel meets padding
    share = np.where(share == 0, 1.0, share)
    mean, square = op.operand_means(factor) / share, op.operand_means(factor**2) / share
    return mean if np.allclose(square, mean**2, rtol=1e-9, atol=0.0) else None


def multiply_weights(op: ntensor.SynapseOpInterface, factor: Reals) -> None:
    """Multiplies the weights of an op by the factor of its operand; for quantized weights, it multiplies their scale. Shapes: factor () or that of x."""
    given, dtype = op.quantized_weights, dtype_of(element_type(op.y))
    assert op.weights is not None  # a synapse op with weights
    op.attributes.pop(OBSERVED, None)
    if given is not None:
        op.replace_weights(op.weights, given.with_scale(given.scale.values * factor))
        return
    each = factors_of_weights(op, factor) if factor.ndim else factor
    assert each is not None  # takes_factor
    op.replace_weights(ArrayAttr.of((op.weights.values.astype(np.float64) * each).astype(dtype)), None)


def insert_scale(value: SSAValue, factor: Reals, names: NodeNames, at: Operation, real: SSAValue) -> SSAValue:
    """Inserts a product with a factor before an op."""
    element = element_type(real)
    scale = ntensor.ScaleOp.create(
        operands=[value],
        result_types=[TensorType(element, shape_of(value))],
        properties={
            "node": StringAttr(names.take(f"{names.source_name(value)}.unit")),
            "scale": ArrayAttr.of(factor.astype(dtype_of(element))),
        },
    )
    scale.location = at.location
    Rewriter.insert_op(scale, InsertPoint.before(at))
    return scale.results[0]


def unit_of(top: float, bits: int) -> float:
    """Returns the number of spikes per unit of a count of `bits` bits whose greatest value represents `top` spikes; at least 1."""
    return max(1.0, top / (2**bits - 1))


def fitted_unit(numbers: Reals, bits: int) -> float:
    """Returns the unit with the least squared error. `numbers` holds how often each number of spikes occurs, from 0."""
    top = int(np.flatnonzero(numbers).max(initial=1))
    candidates = np.unique(np.maximum(1.0, np.arange(1, 2 * top + 1) / 2 / (2**bits - 1)))
    losses = [float((numbers * errors_of_unit(top, unit, bits) ** 2).sum()) for unit in candidates]
    return float(candidates[int(np.argmin(losses))])


def errors_of_unit(top: float, unit: float, bits: int) -> Reals:
    """Returns the error of every number of spikes up to `top`, which is rounded to a multiple of the unit."""
    spikes = np.arange(int(top) + 1)
    counts = np.clip(np.ceil(spikes / unit - 0.5), 0, 2**bits - 1)
    return np.abs(counts * unit - spikes)


def error_sums(top: int, unit: float, bits: int) -> tuple[float, float, int]:
    """Returns the largest error, the sum and the number of all numbers of spikes up to `top`, count by count, since there may be billions.

    The count c stands for the numbers from (c - 1/2) unit, without it, to (c + 1/2) unit, and the last count for all larger ones, too. The errors
    of consecutive numbers are arithmetic series, one below c unit and one above.
    """
    middles = np.arange(2**bits) * unit
    first = np.minimum(np.floor(middles - unit / 2).astype(np.int64) + 1, top + 1).clip(0)
    last = np.append(first[1:] - 1, top)
    middle = np.floor(middles).astype(np.int64).clip(first - 1, last)
    below, above = middle - first + 1, last - middle
    total = below * (middles - (first + middle) / 2) + above * ((middle + 1 + last) / 2 - middles)
    largest = np.maximum(np.abs(middles - first), np.abs(last - middles))[first <= last]
    return float(largest.max(initial=0)), float(total.sum()), top + 1


def add_errors(errors: Errors, node: str, top: float, unit: float, bits: int, numbers: Reals | None) -> None:
    """Adds the rounding errors of all spike numbers of a node up to `top`, weighted by their frequencies `numbers` if these are known."""
    if numbers is None:
        errors.add_sum(node, *error_sums(int(top), unit, bits))
        return
    each = errors_of_unit(top, unit, bits)
    weights = numbers[: each.size]
    errors.add_sum(node, float(each.max(initial=0)), float((each * weights).sum()), int(weights.sum()))


def check_option(step: NoptPass, code: Code, name: str, most: int = MOST_COUNT_BITS) -> None:
    """Refuses an option, by default the bits of counts, that is neither omitted nor from 1 to `most`. Errors: `code`."""
    value = getattr(step, name)
    if value is not None and not 1 <= value <= most:
        help = suggest_pass(replace(cast("Any", step), **{name: min(max(value, 1), most)}))
        refuse(code, at=f"{name}={value}", expected=f"1 to {most}", found=str(value), help=help)
