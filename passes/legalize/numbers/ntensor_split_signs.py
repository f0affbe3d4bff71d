"""Splits weights of both signs into two ops, one with the positive and one with the negative weights.

    %y = ntensor.linear "fc" %x {weight = [[1, -2]], bias = b}
    %z = ntensor.neuron "lif" @u(%y)
      =>
    %a = ntensor.linear "fc.excitatory" %x {weight = [[1, 0]], bias = b}
    %b = ntensor.linear "fc.inhibitory" %x {weight = [[0, -2]]}
    %y = ntensor.sum %a, %b
    %z = ntensor.neuron "lif" @u(%y)

1. Each op before a population whose weights have both signs is split. Reshapes and delays between it and the population are repeated.
2. The bias stays with the positive weights.
3. Only sums of integers are split. Reals would be added in another order. An input that accumulates event by event would saturate in
   another order. A negative exponent would round twice.
4. Weights that change cannot be split, since one synapse would need a place in both ops.
5. Split ops without other readers are removed, with their names.

Exactness: to the bit.

Errors: NTE009 a network in continuous time; LEG062 a sum that is not one of integers; LEG063 weights that change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.fan_in import Leaf, leaves
from ....core.arrays.arrays import ArrayAttr
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, refuse_op
from ....core.help_text import PassesOption, Phrase
from ....core.ir.operation import element_type
from ....core.ir.pipeline import NoptPass
from ....dialects import ntensor
from ....dialects.chip_base.weights import is_mixed
from ....dialects.ntensor.network import networks
from ..fan.ntensor_split_fan_in import erase_unread
from ..relays._relays import NodeNames, copy_path, insert

LEG062 = Code("LEG062", "mixed-signs-not-splittable", "weights of both signs meet in a sum that cannot be split")
LEG063 = Code("LEG063", "changing-weights-not-splittable", "weights that change cannot be split by their signs")


@dataclass(frozen=True)
class NtensorSplitSignsPass(NoptPass):
    """Splits weights of both signs in every `ntensor.network`."""

    name = "ntensor-split-signs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            names, done = NodeNames(network), dict[SSAValue, SSAValue]()
            for population in network.populations:
                for k, x in enumerate(list(population.xs)):
                    found = leaves(x)
                    if not any(map(is_split, found)):
                        continue
                    if x not in done:
                        verify_sum(x, found)
                        values = [part for leaf in found for part in parts(leaf, names, population)]
                        made = ntensor.SumOp.create(operands=values, result_types=[x.type])
                        Rewriter.insert_op(made, InsertPoint.before(population))
                        done[x] = made.y
                    population.operands[k] = done[x]
            for x in done:
                erase_unread(x)


def is_split(leaf: Leaf) -> bool:
    """Returns whether the op of a leaf has weights of both signs."""
    return isinstance(leaf.op, ntensor.SynapseOpInterface) and is_mixed(leaf.op)


def verify_sum(x: SSAValue, found: list[Leaf]) -> None:
    """Refuses a sum with plastic weights, a sum of other numbers than integers, and a negative exponent. Errors: LEG062, LEG063."""  # 3, 4
    for leaf in filter(is_split, found):
        op = leaf.op
        assert isinstance(op, ntensor.SynapseOpInterface)  # is_split
        if op.learning_rule is not None:
            help = Phrase(PassesOption("ntensor-freeze-plasticity"))
            refuse_op(op, LEG063, expected="weights that stay as they are", found=op.learning_rule.name, help=help)
        exponent, element = op.optional_array("exponent"), element_type(x)
        is_whole = ntensor.interval_of(element) is not None and not isinstance(element, ntensor.TermsType)
        if not is_whole or (exponent is not None and (exponent.values < 0).any()):
            found_sum = f"a sum of {element}" if not is_whole else "a sum that a negative exponent rounds"
            refuse_op(op, LEG062, expected="a sum of integers", found=found_sum, help=OTHER_DEVICE)


def parts(leaf: Leaf, names: NodeNames, at: Operation) -> list[SSAValue]:
    """Returns the halves of a leaf, or the leaf itself, after the ops of its path."""
    op = leaf.op
    if not isinstance(op, ntensor.SynapseOpInterface) or not is_split(leaf):
        return [copy_path(leaf, leaf.value, names, at)]
    assert op.weights is not None  # of both signs
    weights, made = op.weights.values, list[SSAValue]()
    for sign, kept in (("excitatory", np.maximum(weights, 0)), ("inhibitory", np.minimum(weights, 0))):
        half = op.__class__.create(operands=[op.x], result_types=[op.y.type], properties=dict(op.properties))
        half.replace_weights(ArrayAttr.of(kept.astype(weights.dtype)), op.quantized_weights)
        half.properties["node"] = StringAttr(names.take(f"{op.node.data}.{sign}"))
        if sign == "inhibitory":  # 2
            half.properties.pop("bias", None)
        made.append(copy_path(leaf, insert(half, InsertPoint.before(at), op), names, at))
    return made
