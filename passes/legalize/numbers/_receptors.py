"""Receptors: the sum before a population, divided by the signs of its weights for a neuron with an input of each sign.

    %y = ntensor.linear "fc" %x {weight = [[1, -2]], bias = b}
    %z = ntensor.neuron "lif" @u(%y)
      =>
    %a = ntensor.linear "fc.excitatory" %x {weight = [[1, 0]], bias = max(b, 0)}
    %b = ntensor.linear "fc.inhibitory" %x {weight = [[0, 2]], bias = max(-b, 0)}
    %z = ntensor.neuron "lif" @u(%a, %b)

1. The input `inhibitory` takes the negative weights as magnitudes, and the input `excitatory` all others. Both sums are at least 0.
2. Reshapes and delays between the synapses and the population are repeated.
3. The weights of one sign have one scale in all ops, and those of both signs may differ; or the ops keep their scales, such as those of each row.
4. Weights that change are excitatory if they stay at least 0, and cannot be divided otherwise. Their op reaches one population, and keeps its name, by
   which they are recorded. A sum with a negative exponent would round twice.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.fan_in import Leaf, leaves
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.elementwise import map_blocks, used_numbers
from ....core.arrays.numeric import AnyArray
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, refuse_op
from ....core.help_text import PassesOption, Phrase
from ....core.ir.pipeline import option_text
from ....dialects import ntensor
from ....dialects.chip_base.weights import sign_of
from ..fan.ntensor_split_fan_in import erase_unread
from ..relays._relays import NodeNames, copy_path, insert

LEG056 = Code("LEG056", "sum-not-divisible-by-sign", "a sum cannot be divided by the signs of its weights")

EXCITATORY, INHIBITORY = ntensor.RECEPTORS


def divide_sum(op: ntensor.NeuronOp, names: NodeNames) -> list[SSAValue]:
    """Returns the sums of the receptors of a population with one input, the inhibitory one only if there is any. Errors: LEG056."""
    (x,) = op.xs
    found = leaves(x)
    for leaf in found:
        verify_leaf(leaf)
    if not any(has_negative(leaf) for leaf in found):
        return [x]
    is_common = all(len(scales_of(found, sign)) < 2 for sign in (1, -1))
    sums = [
        total(op, x, [part for leaf in found if (part := half(leaf, sign, is_common, names, op))]) for sign in (1, -1)
    ]
    first = sums[0] or nothing(found[0], is_common, names, op)
    assert sums[1] is not None  # a weight is negative
    op.operands = [first, sums[1]]
    erase_unread(x)
    return [first, sums[1]]


def total(at: Operation, x: SSAValue, parts: list[SSAValue]) -> SSAValue | None:
    """Returns the sum of some values; None without any."""
    if len(parts) < 2:
        return parts[0] if parts else None
    return insert(ntensor.SumOp.create(operands=parts, result_types=[x.type]), InsertPoint.before(at), at)


def verify_leaf(leaf: Leaf) -> None:
    """Errors: LEG056."""  # 4
    op = leaf.op
    if not isinstance(op, ntensor.SynapseOpInterface):
        return
    exponent = op.optional_array("exponent")
    rounds = exponent is not None and bool((exponent.values < 0).any())
    if rounds:
        refuse_op(op, LEG056, expected="a sum that is not rounded", found="a negative exponent", help=OTHER_DEVICE)
    if op.learning_rule is not None and sign_of(op) != "excitatory":
        help = Phrase(PassesOption(f"ntensor-freeze-plasticity{{nodes={option_text(op.node.data)}}}"))
        expected, found = "fixed weights, or weights and bounds of a rule from 0", f"{sign_of(op)} weights that learn"
        refuse_op(op, LEG056, expected=expected, found=found, path="plasticity", help=help)


def bias_of(op: ntensor.SynapseOpInterface) -> AnyArray | None:
    given = op.optional_array("bias")
    return None if given is None or not given.values.any() else given.values


def has_negative(leaf: Leaf) -> bool:
    """Returns whether an op has a negative weight or bias."""
    op = leaf.op
    if not isinstance(op, ntensor.SynapseOpInterface) or op.weights is None:
        return False
    bias = bias_of(op)
    return bool((op.weight_steps().values < 0).any()) or (bias is not None and bool((bias < 0).any()))


def scales_of(found: list[Leaf], sign: int) -> set[float]:
    """Returns the scales of all weights of one sign."""
    scales: set[float] = set()
    for op in (leaf.op for leaf in found):
        if isinstance(op, ntensor.SynapseOpInterface) and op.weights is not None and op.quantized_weights is not None:
            is_used = has_sign(op.weight_steps().values, sign)
            scales |= {*used_numbers(op.quantized_weights.scale.values.astype(np.float64), is_used).tolist()}
    return scales


def has_sign(steps: AnyArray, sign: int) -> AnyArray:
    """Returns the places of positive or negative numbers."""
    return steps > 0 if sign > 0 else steps < 0


def half(leaf: Leaf, sign: int, is_common: bool, names: NodeNames, at: Operation) -> SSAValue | None:
    """Returns the part of a leaf with weights of one sign, after copies of the ops on its path; None if no weight has this sign."""
    op = leaf.op
    if not isinstance(op, ntensor.SynapseOpInterface) or op.weights is None:
        return copy_path(leaf, leaf.value, names, at) if sign > 0 else None
    steps, bias = op.weight_steps().values, bias_of(op)
    wide = np.int64 if steps.dtype.kind in "iu" else np.float64

    def of_sign(block: AnyArray) -> AnyArray:
        return np.maximum(sign * block.astype(wide), 0)

    kept = map_blocks(of_sign, op.weights.data.dtype, steps)
    own = None if bias is None else np.maximum(sign * bias, 0).astype(bias.dtype)
    if not kept.any() and (own is None or not own.any()):
        return None
    return made(leaf, op, kept, own, has_sign(steps, sign) if is_common else None, sign, names, at)


def nothing(leaf: Leaf, is_common: bool, names: NodeNames, at: Operation) -> SSAValue:
    """Returns a sum of no weights."""
    op = leaf.op
    assert isinstance(op, ntensor.SynapseOpInterface)  # it has a negative weight
    steps = op.weight_steps().values
    return made(leaf, op, np.zeros(steps.shape, np.int64), None, steps != 0 if is_common else None, 1, names, at)


def made(
    leaf: Leaf,
    op: ntensor.SynapseOpInterface,
    kept: AnyArray,
    bias: AnyArray | None,
    is_used: AnyArray | None,
    sign: int,
    names: NodeNames,
    at: Operation,
) -> SSAValue:
    copy = op.__class__.create(operands=[op.x], result_types=[op.y.type], properties=dict(op.properties))
    copy.attributes.update(op.attributes)
    assert op.weights is not None  # asked before
    copy.replace_weights(ArrayAttr.of(kept.astype(op.weights.data.dtype, copy=False)), scale_of(op, is_used))
    ending = EXCITATORY if sign > 0 else INHIBITORY
    if op.learning_rule is None:  # 4
        copy.properties["node"] = StringAttr(names.take(f"{op.node.data}.{ending}"))
    copy.properties.pop("bias", None)
    if bias is not None and bias.any():
        copy.properties["bias"] = ArrayAttr.of(bias)
    return copy_path(leaf, insert(copy, InsertPoint.before(at), op), names, at)


def scale_of(op: ntensor.SynapseOpInterface, is_used: AnyArray | None) -> ntensor.QuantizedAttr | None:
    """Returns the format of the weights of one sign: their common scale where `is_used` marks them, else the scales of the op."""  # 3
    given = op.quantized_weights
    if given is None or is_used is None:
        return given
    scale = given.scale.values.astype(np.float64)
    each = used_numbers(scale, is_used)
    if len(each) == 1:
        scale = np.asarray(each[0])
    return ntensor.QuantizedAttr.of(given.bits.data, np.array(scale, order="C"))
