"""Populations: the step of the update as the body of a loop; states and nonuniform parameters as memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from ....analysis.calibration_records import observed_rate
from ....analysis.neuron_ranges import within
from ....core.arrays.arrays import is_half
from ....core.arrays.numeric import Ints
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....dialects import c
from ....dialects.fixed import IntType, interval_of
from ....dialects.ntensor import NeuronOp, UpdateOp
from ..printing.text import dtype_of
from .factors import factor_state
from .narrowing import drop_unused
from .program import Program, bits_of, identifier, inline_block, integers_in, is_uniform, literal, storage_type
from .reciprocals import multiply_by_reciprocals
from .synapses import name_of
from .terms import accumulate
from .values import Values

NARROWING_ROUNDS = 4
"""How often the interval of a state is narrowed."""


@define(eq=False)
class Step:
    """The body of a population's loop: its inputs and parameters as memory or as arrays that become constants, and its states."""

    label: str
    block: Block
    names: list[str]
    """The name of each argument."""
    memories: list[SSAValue | None]
    """The memory of each argument; None for states and constants, whose memory depends on the body."""
    arrays: list[NDArray[Any] | None]
    """The constant of each argument."""
    widest: list[Attribute]
    """The declared type of each argument."""

    def narrow(self, k: int, out: int, start: NDArray[Any]) -> None:
        """Narrows the interval of a state, argument `k` and result `out`, to its initial values and its results, until nothing changes."""
        for _ in range(NARROWING_ROUNDS):
            held = interval_of(self.block.args[k])
            last = self.block.last_op
            assert last is not None  # a yield
            reached = interval_of(last.operands[out]).join(integers_in(start))
            inside = Interval(max(held.low, reached.low), min(held.high, reached.high))
            if inside == held:
                return
            types = [arg.type for arg in self.block.args]
            types[k] = IntType.of(inside)
            self.block = copied(self.block, types)

    def factor(self, k: int, out: int, start: NDArray[Any]) -> Ints | None:
        """Divides a state by a common factor of its values, and returns the factor; None if it has none."""
        found = factor_state(self.block, self.integers(), k, out, start)
        if found is None:
            return None
        self.block = copied(found.block, [arg.type for arg in found.block.args])
        self.extend(found.arrays, f"{self.names[k]}_bound")
        return found.factor

    def multiply(self) -> None:
        """Replaces divisions by constants."""
        self.block, arrays = multiply_by_reciprocals(self.block, self.integers())
        drop_unused(self.block)
        self.extend(arrays, "reciprocal")

    def integers(self) -> list[Ints | None]:
        """Returns the constants of integers."""
        return [None if array is None or array.dtype.kind == "f" else array.astype(np.int64) for array in self.arrays]

    def extend(self, arrays: Sequence[Ints | None], name: str) -> None:
        """Adds the constants of new arguments."""
        more = arrays[len(self.arrays) :]
        self.arrays += more
        self.names += [name] * len(more)
        self.memories += [None] * len(more)
        self.widest += [i64] * len(more)

    def forget_unused(self) -> None:
        """Removes the constants that the body does not use."""
        for k in reversed(range(len(self.names))):
            if self.arrays[k] is not None and not self.block.args[k].uses:
                self.block.erase_arg(self.block.args[k])
                for column in (self.names, self.memories, self.arrays, self.widest):
                    del column[k]

    def inputs(self, program: Program, states: Mapping[str, SSAValue]) -> list[SSAValue]:
        """Returns the memory of the arguments; constants are added to the program."""
        found: list[SSAValue] = []
        for name, memory, array, type in zip(self.names, self.memories, self.arrays, self.widest, strict=True):
            if array is not None:
                label = f"{self.label}_{identifier(name)}"
                memory = program.constant(label, held_in(array, type), type, is_operand=True)
            found.append(states[name] if memory is None else memory)
        return found


def copied(block: Block, types: Sequence[Attribute]) -> Block:
    """Returns a copy of a loop's body for arguments of other types, in the intervals that follow."""
    copy = Block(arg_types=types)
    results = inline_block(copy, block, dict(zip(block.args, copy.args, strict=True)))
    copy.add_op(c.YieldOp(*results))
    drop_unused(copy)
    return copy


def step_of(values: Values, op: NeuronOp, update: UpdateOp, wanted: Sequence[int]) -> Step:
    """Returns the body of a population's loop; `wanted` are the results of the update that it stores."""
    params = {name: array.values for name, array in op.arrays(op.params)}
    block = update.step.block
    inputs, states = len(update.inputs), list(update.stored_types)
    step = Step(name_of(op), Block(), [], [], [], [])
    types: list[Attribute] = []

    def add(
        name: str, memory: SSAValue | None, array: NDArray[Any] | None, declared: Attribute, type: Attribute
    ) -> None:
        step.names.append(name)
        step.memories.append(memory)
        step.arrays.append(array)
        step.widest.append(declared)
        types.append(type)

    for x, arg in zip(op.xs[:inputs], block.args, strict=False):
        add("", values.memory(x), None, arg.type, type_within(arg.type, values.ranges[x]))
    for name, arg in zip(states, block.args[inputs:], strict=False):
        add(name, None, None, arg.type, arg.type)
    numbers: dict[SSAValue, Any] = {}
    for arg, name in zip(block.args[inputs + len(states) :], (name.data for name in update.params), strict=True):
        array = params[name]
        if is_uniform(array):
            numbers[arg] = array.reshape(-1)[0] if array.size else 0
        else:
            held = shared_by_channels(held_in(array, arg.type))
            type = type_within(arg.type, None if c.is_real(arg.type) else integers_in(array))
            add(name, None, held, arg.type, type)
    step.block = Block(arg_types=types)
    known: dict[SSAValue, SSAValue] = {
        arg: literal(
            step.block, value, type_within(arg.type, Interval(int(value), int(value)) if is_integer(arg) else None)
        )
        for arg, value in numbers.items()
    }
    known.update(zip((arg for arg in block.args if arg not in numbers), step.block.args, strict=True))
    found = inline_block(step.block, block, known)
    step.block.add_op(c.YieldOp(*(found[k] for k in wanted)))
    drop_unused(step.block)
    return step


def add_neuron(values: Values, op: NeuronOp) -> None:
    update = values.update_of(op)
    program, label, shape = values.program, name_of(op), shape_of(op.z)
    inputs = len(update.inputs)
    starts = {name: array.values for name, array in op.arrays(op.initial)}
    kept = [(k, name.data) for k, name in enumerate(update.records) if (op, name.data) in values.wanted]
    first = 1 + len(update.stored_types)
    step = step_of(values, op, update, [*range(first), *(first + k for k, _ in kept)])
    states: dict[str, SSAValue] = {}
    for k, (name, type) in enumerate(update.stored_types.items()):
        element, start = storage_type(type), starts[name]
        if is_integer(step.block.args[inputs + k]) and not update.accumulators:
            start = start.astype(np.int64)
            step.narrow(inputs + k, 1 + k, start)
            factor = None if (op, name) in values.unfactored else step.factor(inputs + k, 1 + k, start)
            if factor is not None:
                values.factors[op, name] = factor
                start = np.broadcast_to(start // factor, shape)
                start = start.reshape(-1)[0] if start.size and is_uniform(start) else start
                step.narrow(inputs + k, 1 + k, start)
                element = c.storage_for(interval_of(step.block.args[inputs + k]))
        states[name] = program.state(f"{label}_{identifier(name)}", element, shape, held_in(start, element))
        values.states[op, name] = states[name]
    for (_, into, block), x in zip(update.accumulators, op.xs[inputs:], strict=True):
        accumulate(values, x, states[into], block)
    step.multiply()
    step.forget_unused()
    ins = step.inputs(program, states)
    rate = observed_rate(op, "rate")
    z = program.scratch(
        label,
        storage_type(element_type(op.z)),
        shape,
        spikes=element_type(op.z) == i1,
        density=None if rate is None else min(1.0, rate),
    )
    outs = [z, *states.values()]
    last = update.step.block.last_op
    assert last is not None  # verified
    for k, name in kept:
        memory = program.scratch(f"{label}_{identifier(name)}_seen", storage_type(last.operands[first + k].type), shape)
        values.states[op, name] = memory
        outs.append(memory)
    program.add(c.LoopOp(label, ins, outs, Region(step.block)))
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
