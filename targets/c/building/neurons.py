"""Populations: the step of the update as the body of a loop; states and nonuniform parameters as memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import Float32Type, Float64Type, i1, i64
from xdsl.ir import Attribute, Block, SSAValue

from ....analysis.observations import observed_rate
from ....core.ir.operation import element_type, shape_of
from ....dialects.ntensor import NeuronOp
from .program import identifier, literal, storage_type
from .synapses import name_of
from .terms import accumulate
from .values import Values


def add_neuron(values: Values, op: NeuronOp) -> None:
    update = values.update_of(op)
    program, label, shape = values.program, name_of(op), shape_of(op.z)
    starts = {name: array.values for name, array in op.arrays(op.initial)}
    states: dict[str, SSAValue] = {}
    for name, type in update.state_types.items():
        element = storage_type(type)
        states[name] = program.state(f"{label}_{identifier(name)}", element, shape, held_in(starts[name], element))
        values.states[op, name] = states[name]
    for (_, into, block), x in zip(update.accumulators, op.xs[len(update.inputs) :], strict=True):
        accumulate(values, x, states[into], block)
    params = {name: array.values for name, array in op.arrays(op.params)}
    block = update.step.block
    inputs, types = len(update.inputs), [arg.type for arg in block.args]
    ins = [(values.memory(x), type) for x, type in zip(op.xs[:inputs], types, strict=False)]
    ins += [(memory, type) for memory, type in zip(states.values(), types[inputs:], strict=False)]
    ends = block.last_op
    assert ends is not None  # verified
    numbers: dict[SSAValue, Any] = {}
    for arg, name in zip(block.args[inputs + len(states) :], (name.data for name in update.params), strict=True):
        array = params[name]
        if is_uniform(array):
            numbers[arg] = array.reshape(-1)[0] if array.size else 0
        else:
            ins.append((parameter(values, f"{label}_{identifier(name)}", array, arg.type), arg.type))
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
        known: dict[SSAValue, SSAValue] = {arg: literal(into, value, arg.type) for arg, value in numbers.items()}
        known.update(zip((arg for arg in block.args if arg not in numbers), args, strict=True))
        for inner in block.ops:
            if inner is not ends:
                copy = inner.clone(known)
                into.add_op(copy)
                known.update(zip(inner.results, copy.results, strict=True))
        return [known[ends.operands[k]] for k in wanted]

    program.loop(label, ins, outs, body)
    values.held[op.z] = z


def parameter(values: Values, label: str, array: NDArray[Any], type: Attribute) -> SSAValue:
    """Adds the array of a parameter."""
    if isinstance(type, Float32Type | Float64Type):
        dtype = np.float32 if isinstance(type, Float32Type) else np.float64
        return values.program.constant(label, array.astype(dtype), type)
    return values.program.constant(label, array.astype(np.int64), i64)


def is_uniform(values: NDArray[Any]) -> bool:
    """Returns whether all entries are the same number, to the bit."""
    if not values.ndim or not values.size:
        return True
    bits = values.view(f"u{values.dtype.itemsize}") if values.dtype.kind == "f" else values
    return bool((bits == bits.flat[0]).all())


def held_in(values: NDArray[Any], element: Attribute) -> NDArray[Any]:
    """Returns initial values of a state in the type of its memory."""
    if isinstance(element, Float32Type):
        return values.astype(np.float32)
    if isinstance(element, Float64Type):
        return values.astype(np.float64)
    return values.astype(np.int64)
