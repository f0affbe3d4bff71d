"""Populations: the step of the update as the body of a loop; states and nonuniform parameters as memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, SSAValue

from ....analysis.calibration_records import observed_rate
from ....analysis.neuron_ranges import within
from ....core.arrays.arrays import is_half
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....dialects import c
from ....dialects.fixed import IntType
from ....dialects.ntensor import NeuronOp
from ..printing.text import dtype_of
from .program import bits_of, identifier, inline_block, integers_in, is_uniform, literal, storage_type
from .synapses import name_of
from .terms import accumulate
from .values import Values


def add_neuron(values: Values, op: NeuronOp) -> None:
    update = values.update_of(op)
    program, label, shape = values.program, name_of(op), shape_of(op.z)
    starts = {name: array.values for name, array in op.arrays(op.initial)}
    states: dict[str, SSAValue] = {}
    for name, type in update.stored_types.items():
        element = storage_type(type)
        states[name] = program.state(f"{label}_{identifier(name)}", element, shape, held_in(starts[name], element))
        values.states[op, name] = states[name]
    for (_, into, block), x in zip(update.accumulators, op.xs[len(update.inputs) :], strict=True):
        accumulate(values, x, states[into], block)
    params = {name: array.values for name, array in op.arrays(op.params)}
    block = update.step.block
    inputs, types = len(update.inputs), [arg.type for arg in block.args]
    ins = [
        (values.memory(x), type_within(type, values.ranges[x])) for x, type in zip(op.xs[:inputs], types, strict=False)
    ]
    ins += [(memory, type) for memory, type in zip(states.values(), types[inputs:], strict=False)]
    ends = block.last_op
    assert ends is not None  # verified
    numbers: dict[SSAValue, Any] = {}
    for arg, name in zip(block.args[inputs + len(states) :], (name.data for name in update.params), strict=True):
        array = params[name]
        if is_uniform(array):
            numbers[arg] = array.reshape(-1)[0] if array.size else 0
        else:
            held = shared_by_channels(held_in(array, arg.type))
            memory = program.constant(f"{label}_{identifier(name)}", held, arg.type)
            ins.append((memory, type_within(arg.type, None if c.is_real(arg.type) else integers_in(array))))
    rate = observed_rate(op, "rate")
    z = program.scratch(
        label,
        storage_type(element_type(op.z)),
        shape,
        spikes=element_type(op.z) == i1,
        density=None if rate is None else min(1.0, rate),
    )
    outs, wanted = [z, *states.values()], [0, *range(1, 1 + len(states))]
    for k, name in enumerate(update.records):
        if (op, name.data) in values.wanted:
            memory = program.scratch(
                f"{label}_{identifier(name.data)}_seen", storage_type(ends.operands[1 + len(states) + k].type), shape
            )
            values.states[op, name.data] = memory
            outs.append(memory)
            wanted.append(1 + len(states) + k)

    def body(into: Block, args: list[SSAValue]) -> Sequence[SSAValue]:
        known: dict[SSAValue, SSAValue] = {
            arg: literal(
                into, value, type_within(arg.type, Interval(int(value), int(value)) if is_integer(arg) else None)
            )
            for arg, value in numbers.items()
        }
        known.update(zip((arg for arg in block.args if arg not in numbers), args, strict=True))
        found = inline_block(into, block, known)
        return [found[k] for k in wanted]

    program.loop(label, ins, outs, body)
    values.held[op.z] = z


def shared_by_channels(values: NDArray[Any]) -> NDArray[Any]:
    """Returns one entry for each channel if all entries within each channel have equal bits, else the array unchanged. Shapes: [c, ...] => [c, 1, ...]."""
    first = values[(slice(None), *[slice(1)] * (values.ndim - 1))]
    return first if values.ndim > 1 and (bits_of(values) == bits_of(first)).all() else values


def is_integer(value: SSAValue) -> bool:
    return isinstance(value.type, IntType)


def type_within(type: Attribute, range: Interval | None) -> Attribute:
    """Returns the type of an argument of a step for values in a range."""
    return IntType.of(within(range, type.interval)) if isinstance(type, IntType) and range is not None else type


def held_in(values: NDArray[Any], type: Attribute) -> NDArray[Any]:
    """Returns numbers in the type of the computation: reals in their own type, integers in 64 bits; reals of 16 bits are unchanged."""
    return values if is_half(type) else values.astype(dtype_of(type) if c.is_real(type) else np.int64)
