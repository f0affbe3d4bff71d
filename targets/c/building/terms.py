"""Terms that are added event by event: scatters and loops that apply the update's `accumulate` to each term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType, i1, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....core.diagnostics import refuse
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....dialects import c, fixed
from ....dialects.ntensor import (
    ReshapeOp,
    ScaleOp,
    SumOp,
    SynapseOpInterface,
    TermsType,
    interval_of,
)
from .ops import affine_arrays
from .program import compute_type, inline_block, insert_op, integers_in, widen_value
from .synapses import add_scatter, combination, multiply_values, name_of
from .values import CSR010, Values


def accumulate(values: Values, x: SSAValue, state: SSAValue, block: Block) -> None:
    """Adds terms to a state, one by one, in the order of the sum."""
    op, program = x.owner, values.program
    if not isinstance(element_type(x), TermsType):  # a signal that is itself a term
        ins = [(values.memory(x), compute_type(values.memory(x)))]
        accumulate_loop(values, "terms", ins, program.view(state, shape_of(x)), block, np.array(1))
        return
    match op:
        case ReshapeOp():
            accumulate(values, op.x, state, block)
        case SumOp():
            for part in op.xs:
                accumulate(values, part, state, block)
        case ScaleOp():
            accumulate_scaled(values, op, state, block)
        case SynapseOpInterface():
            given = interval_of(c.element_of_memory(values.memory(op.x)))
            assert given is not None  # verified: terms are integers
            given = Interval(0, 1) if element_type(op.x) == i1 else given
            exponent, shift = affine_arrays(op)[1], None
            if exponent is not None and exponent.ndim:
                whole = np.broadcast_to(exponent, shape_of(op.y))
                shift = program.constant(f"{name_of(op)}_exponent", whole, i64)
            weights = Interval(1, 1) if op.weights is None else integers_in(op.weights.values)
            combine = combination(op, block, given, weights, exponent)
            add_scatter(program, op, values.memory(op.x), program.view(state, shape_of(op.y)), i64, combine, shift)
            if (bias := op.optional_array("bias")) is not None:
                accumulate_bias(values, op, op.spread_outputs(bias.values), state, block, exponent)
        case _:
            name = op.name if isinstance(op, Operation) else "an input of the network"
            refuse(CSR010, "terms come from synapses", at=name, expected="a synapse op", found=name)


def accumulate_bias(
    values: Values,
    op: SynapseOpInterface,
    bias: NDArray[Any],
    state: SSAValue,
    block: Block,
    exponent: NDArray[Any] | None,
) -> None:
    program = values.program
    if exponent is not None:  # shifts of constants are constants
        bias = np.where(
            exponent >= 0, bias.astype(np.int64) << np.maximum(exponent, 0), bias >> np.maximum(-exponent, 0)
        )
    view = program.view(state, shape_of(op.y))
    memory = program.constant(f"{name_of(op)}_bias", bias, i64)
    accumulate_loop(values, f"{name_of(op)}_bias", [(memory, fixed.IntType.of(integers_in(bias)))], view, block)


def accumulate_scaled(values: Values, op: ScaleOp, state: SSAValue, block: Block) -> None:
    program, x, scale = values.program, values.memory(op.x), op.scale.values
    ins = [(x, compute_type(x))]
    if scale.ndim:
        ins.append((program.constant(f"{name_of(op)}_scale", scale, i64), fixed.IntType.of(integers_in(scale))))
    accumulate_loop(values, name_of(op), ins, program.view(state, shape_of(op.y)), block, scale)


def accumulate_loop(
    values: Values, label: str, ins: list[tuple[SSAValue, Attribute]], state: SSAValue, block: Block, scale: Any = None
) -> None:
    """Adds a loop that adds one term to each neuron: the first of `ins`, times the second or `scale`. A first of zero adds no term."""

    def body(into: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
        *given, held = args
        term = given[0]
        if scale is not None:
            factor = given[1] if len(given) > 1 else insert_op(into, fixed.ConstantOp(int(scale)))
            term = multiply_values(into, term, factor, IntegerType(64))
        term = widen_value(into, term, block.args[0].type)
        (after,) = inline_block(into, block, {block.args[0]: term, block.args[1]: held})
        if scale is None:
            return [after]
        zero = insert_op(into, fixed.ConstantOp(0))
        is_event = insert_op(into, fixed.CmpOp(given[0], zero, fixed.Relation.NE))
        chosen = insert_op(into, fixed.SelectOp(is_event, after, held))
        return [chosen]

    values.program.loop(label, [*ins, (state, block.args[1].type)], [state], body)
