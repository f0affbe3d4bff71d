"""Evaluator of `ntensor.update` on NumPy: derives parameters, computes initial states, accumulates terms, and steps a population by one tick.

All models share this evaluator and nothing else. It executes the ops of the regions literally and has no code per family of neurons:
`f32` stays f32, booleans are bool, integers are int64 (their intervals exclude overflow). `derive` computes number by
number in f64; `Step` compiles a region once into a flat list of NumPy calls over buffers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import f32, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..core import fixed_point
from ..core.arrays.numeric import AnyArray
from ..core.diagnostics import Code, describe_op, refuse
from ..core.half_precision import Half, round_to_half
from ..core.ir.operation import texts_of
from ..dialects import fixed, ntensor
from ..dialects.fixed import comparison_symbol
from .scalars import Program, scalar

SIM001 = Code("SIM001", "update-op-not-runnable", "an update has an op that cannot be run")
SIM002 = Code("SIM002", "update-parameter-missing", "a parameter of an update is missing")
SIM003 = Code("SIM003", "parameter-not-integer", "a parameter is not an integer of its type")
SIM004 = Code("SIM004", "derived-parameter-not-number", "a derived parameter is not a number")

Kernel = Callable[..., Any]
"""A function that computes an op. Arguments: the operands, then the array for the result."""


def dtype_of(type: Attribute) -> np.dtype[Any]:
    """Returns the NumPy type for values of a scalar type."""
    if isinstance(type, fixed.IntType):
        return np.dtype(np.int64)
    return np.dtype(bool if type == i1 else np.float32 if type == f32 else np.float64)


# ---- kernels


def select(test: Any, a: Any, b: Any, out: AnyArray) -> None:
    np.copyto(out, b)
    np.copyto(out, a, where=test)


def cast_into(x: Any, out: AnyArray) -> None:
    np.copyto(out, x, casting="unsafe")


def round_into(format: Half, x: Any, out: AnyArray) -> None:
    np.copyto(out, round_to_half(np.asarray(x), format))


def minimum(a: Any, b: Any, out: AnyArray) -> None:
    np.minimum(a, b, out=out)


def maximum(a: Any, b: Any, out: AnyArray) -> None:
    np.maximum(a, b, out=out)


UFUNCS: dict[type[Operation], Kernel] = {
    arith.AddfOp: np.add,
    arith.SubfOp: np.subtract,
    arith.MulfOp: np.multiply,
    arith.DivfOp: np.divide,
    arith.NegfOp: np.negative,
    arith.MinimumfOp: minimum,
    arith.MaximumfOp: maximum,
    arith.SelectOp: select,
    arith.AndIOp: np.logical_and,
    arith.OrIOp: np.logical_or,
    arith.XOrIOp: np.logical_xor,
    arith.ExtFOp: cast_into,
    arith.TruncFOp: cast_into,
    mathd.AbsFOp: np.absolute,
    mathd.CopySignOp: np.copysign,
    mathd.ExpOp: np.exp,
    mathd.LogOp: np.log,
    mathd.SqrtOp: np.sqrt,
    mathd.FloorOp: np.floor,
    mathd.CeilOp: np.ceil,
    mathd.TruncOp: np.trunc,
    mathd.RoundEvenOp: np.rint,
    fixed.AddOp: np.add,
    fixed.SubOp: np.subtract,
    fixed.MulOp: np.multiply,
    fixed.NegOp: np.negative,
    fixed.AbsOp: np.absolute,
    fixed.SignOp: np.sign,
    fixed.MinOp: minimum,
    fixed.MaxOp: maximum,
    fixed.ShlOp: np.left_shift,
    fixed.ShrOp: np.right_shift,
    fixed.SelectOp: select,
    fixed.ToRealOp: cast_into,
}
COMPARISONS: dict[str, Kernel] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def kernel(op: Operation) -> Kernel | None:
    """Returns the NumPy call that computes an op, or None for an unknown op."""
    if (ufunc := UFUNCS.get(type(op))) is not None:  # most ops, in less time than the classes below
        return ufunc
    match op:
        case arith.CmpfOp() | fixed.CmpOp():
            return COMPARISONS.get(comparison_symbol(op))
        case fixed.DivOp():
            return fixed_point.divide(op.rounding.data, fixed.interval_of(op.b))
        case fixed.FromRealOp():
            return fixed_point.from_real(op.rounding.data, fixed.interval_of(op.y))
        case fixed.SaturateOp() | fixed.RefineOp():
            return fixed_point.saturate(fixed.interval_of(op.x), fixed.interval_of(op.y))
        case fixed.WrapOp():
            return fixed_point.wrap(fixed.interval_of(op.y))
        case ntensor.RoundRealOp():
            return partial(round_into, op.format)
        case _:
            return None


def refuse_unknown(update: ntensor.UpdateOp | ntensor.RuleOp, op: Operation) -> Any:
    refuse(SIM001, f"{op.name} cannot be run", at=describe_op(update)[0], found=op.name)


def select_values(
    values: Mapping[str, AnyArray], names: Sequence[str], update: ntensor.UpdateOp | ntensor.RuleOp
) -> list[AnyArray]:
    """Returns values by name. Errors: SIM002 a value is missing."""
    if missing := [name for name in names if name not in values]:
        refuse(
            SIM002,
            f"parameter {missing[0]} is missing",
            at=describe_op(update)[0],
            expected=", ".join(names),
            found=", ".join(values) or "no parameters",
        )
    return [np.asarray(values[name]) for name in names]


# ---- values that are computed once


def derive(
    update: ntensor.UpdateOp | ntensor.RuleOp, dt: float, raw: Mapping[str, AnyArray], node: str | None = None
) -> dict[str, AnyArray]:
    """Returns the step parameters and the canonical parameters, by name; `node` is the population's name, for messages.

    Shapes: each raw parameter (), or one shape that all broadcast to; the results alike. A result of equal values is a ().
    Units: dt [s]. Reals are f64, integers are int64.
    Errors: SIM001 an unknown op; SIM002 a missing raw parameter; SIM003 an integer parameter with another value; SIM004 a result is NaN.
    """
    names = texts_of(update.raw)
    arrays = [array.astype(np.float64) for array in select_values(raw, names, update)]
    params, canonical = texts_of(update.params), texts_of(update.canonical)
    types = [arg.type for arg in update.initial.block.args]
    check_integers(update, dict(zip(names, arrays, strict=True)), dict(zip(params, types, strict=True)), node)
    evaluate = Program(update.derive.block, lambda op: scalar(op) or refuse_unknown(update, op))
    shape = np.broadcast_shapes(*(array.shape for array in arrays)) if arrays else ()
    flat = [np.broadcast_to(array, shape).ravel().tolist() for array in arrays]
    rows = list(zip(*flat, strict=True)) if flat else [()]
    seen = {row: evaluate([float(dt), *row]) for row in dict.fromkeys(rows)}
    results: dict[str, AnyArray] = {}
    for k, name in enumerate([*params, *canonical]):
        whole = name in params and isinstance(types[params.index(name)], fixed.IntType)
        column = np.array([seen[row][k] for row in rows], np.float64).reshape(shape)
        check_number(update, name, column, arrays, node)
        bits = column.reshape(-1).view(np.int64)  # 0 and -0 differ
        if bits.size and (bits == bits[0]).all():
            column = column.flat[0]
        results.setdefault(name, np.asarray(column).astype(np.int64 if whole else np.float64))
    return results


def place(update: ntensor.UpdateOp | ntensor.RuleOp, node: str | None) -> str:
    """Formats an update for messages, with its population."""
    return describe_op(update)[0] + (f', for "{node}"' if node else "")


def check_integers(
    update: ntensor.UpdateOp | ntensor.RuleOp,
    raw: Mapping[str, AnyArray],
    types: Mapping[str, Attribute],
    node: str | None,
) -> None:
    for name, values in raw.items():
        type = types.get(name)
        if not isinstance(type, fixed.IntType):
            continue
        outside = values[~((values >= type.lower) & (values <= type.upper) & (values == np.floor(values)))]
        if outside.size:
            refuse(
                SIM003,
                f"parameter {name} is not an integer of its type",
                at=place(update, node),
                node=node,
                expected=f"an integer in {type.interval}",
                found=str(outside.flat[0]),
            )


def check_number(
    update: ntensor.UpdateOp | ntensor.RuleOp, name: str, values: AnyArray, given: Sequence[AnyArray], node: str | None
) -> None:
    if np.isnan(values).any() and not any(np.isnan(array).any() for array in given):
        refuse(SIM004, f"derived parameter {name} is not a number", at=place(update, node), node=node, found="nan")


def initial(update: ntensor.UpdateOp, params: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Returns the states before the first tick, by name, in the types of the step. Shapes: the parameters broadcast."""
    names = texts_of(update.params)
    block = update.initial.block
    tape = Tape(update, block, ())
    for arg, value in zip(block.args, select_values(params, names, update), strict=True):
        tape.constants[arg] = value.astype(dtype_of(arg.type))
    last = tape.compile()
    return {name: tape.constants[x] for name, x in zip(texts_of(update.states), last.operands, strict=True)}


# ---- the step


@frozen
class Emission:
    """The output of a population in one tick, and its records by name. The arrays are valid until the next tick."""

    value: AnyArray
    records: dict[str, AnyArray]


class Bound(NamedTuple):
    """The calls of a region with their arrays, and the array of a slot or constant."""

    calls: list[tuple[Kernel, tuple[AnyArray, ...]]]
    array: Callable[[int | AnyArray], AnyArray]


class Tape:
    """A region as a list of NumPy calls. Constant subexpressions are computed at compile time.

    Every varying value has a slot; slots with disjoint lifetimes share a buffer.
    """

    def __init__(self, update: ntensor.UpdateOp, block: Block, shape: tuple[int, ...]):
        self.update = update
        self.block = block
        self.shape = shape
        self.constants: dict[SSAValue, AnyArray] = {}
        self.slots: dict[SSAValue, int] = {}
        self.dtypes: list[np.dtype[Any]] = []
        self.calls: list[tuple[Kernel, tuple[int | AnyArray, ...], int]] = []

    def vary(self, value: SSAValue) -> int:
        """Returns a slot for a varying value."""
        self.slots[value] = len(self.dtypes)
        self.dtypes.append(dtype_of(value.type))
        return self.slots[value]

    def operand(self, value: SSAValue) -> int | AnyArray:
        return self.slots[value] if value in self.slots else self.constants[value]

    def compile(self) -> Operation:
        """Adds all ops except the terminator of the region, and returns the terminator."""
        *ops, last = self.block.ops
        with np.errstate(all="ignore"):
            for op in ops:
                self.add(op)
        return last

    def add(self, op: Operation) -> None:
        result = op.results[0]
        if isinstance(op, ntensor.LetOp | fixed.WidenOp):  # the operand under another name or type
            held: Any = self.slots if op.operands[0] in self.slots else self.constants
            held[result] = held[op.operands[0]]
            return
        if isinstance(op, arith.ConstantOp | fixed.ConstantOp):
            value: Any = op.value
            self.constants[result] = np.array(value.value.data, dtype_of(result.type))
            return
        call = kernel(op) or refuse_unknown(self.update, op)
        args = tuple(map(self.operand, op.operands))
        if any(isinstance(arg, int) for arg in args):
            self.calls.append((call, args, self.vary(result)))
            return
        shape = np.broadcast_shapes(*(np.shape(arg) for arg in args))
        out = np.empty(shape, dtype_of(result.type))
        call(*args, out)
        self.constants[result] = out

    def copied(self, slot: int) -> int:
        """Returns a slot with a copy of another slot's value after the calls so far."""
        copy = len(self.dtypes)
        self.dtypes.append(self.dtypes[slot])
        self.calls.append((cast_into, (slot,), copy))
        return copy

    def bind(self, given: Mapping[int, AnyArray], lasting: set[int]) -> Bound:
        """Binds every slot to an array, given or shared, and returns the calls; an array of a `lasting` slot is not reused."""
        final = {slot: k for k, (_, args, _) in enumerate(self.calls) for slot in args if isinstance(slot, int)}
        arrays: dict[int, AnyArray] = dict(given)
        free: dict[np.dtype[Any], list[AnyArray]] = {}
        for k, (_, args, out) in enumerate(self.calls):
            pool = free.setdefault(self.dtypes[out], [])
            arrays[out] = pool.pop() if pool else np.empty(self.shape, self.dtypes[out])
            # allocated before the operands are released, so no call overwrites its own operands
            for slot in dict.fromkeys([*(arg for arg in args if isinstance(arg, int)), out]):
                if final.get(slot, k) == k and slot not in given and slot not in lasting:
                    free.setdefault(self.dtypes[slot], []).append(arrays[slot])

        def array(found: int | AnyArray) -> AnyArray:
            return arrays[found] if isinstance(found, int) else found

        return Bound([(call, (*map(array, args), arrays[out])) for call, args, out in self.calls], array)


class Accumulation:
    """Compiled accumulation: adds the terms of an input to a state of one population.

    Shapes: shape is (samples, *population), for terms and states. A term of 0 is skipped.
    Errors: SIM001 an op that cannot be run.
    """

    def __init__(self, update: ntensor.UpdateOp, name: str, into: str, block: Block, shape: tuple[int, ...]):
        self.name, self.into = name, into
        self.tape = Tape(update, block, shape)
        self.term_slot, self.state_slot = map(self.tape.vary, block.args)
        last = self.tape.compile()
        self.after = self.tape.operand(last.operands[0])
        self.term = np.empty(shape, self.tape.dtypes[self.term_slot])
        self.bound: AnyArray | None = None

    def bind(self, state: AnyArray) -> None:
        """Builds the list of calls for this array of a state."""
        lasting = {self.after} if isinstance(self.after, int) else set[int]()
        self.calls, array = self.tape.bind({self.term_slot: self.term, self.state_slot: state}, lasting)
        self.result = array(self.after)
        self.bound = state

    def __call__(self, term: AnyArray, state: AnyArray) -> None:
        """Adds one term of every neuron to the state, in place."""
        if self.bound is not state:
            self.bind(state)
        np.copyto(self.term, term)
        for call, args in self.calls:
            call(*args)
        np.copyto(state, self.result, where=term != 0)


class Step:
    """The step of an update for one population, compiled once.

    Shapes: shape is (samples, *population); parameters are () or have the shape of the population; inputs and states have `shape`.
    Errors: SIM001 an op that cannot be run; SIM002 a parameter is missing.
    """

    def __init__(self, update: ntensor.UpdateOp, params: Mapping[str, AnyArray], shape: tuple[int, ...]):
        inputs, states, names = texts_of(update.inputs), texts_of(update.states), texts_of(update.params)
        block = update.step.block
        tape = Tape(update, block, shape)
        args = list(block.args)
        self.input_slots = [tape.vary(arg) for arg in args[: len(inputs)]]
        self.states = states
        self.state_slots = [tape.vary(arg) for arg in args[len(inputs) : len(inputs) + len(states)]]
        for arg, value in zip(args[len(inputs) + len(states) :], select_values(params, names, update), strict=True):
            tape.constants[arg] = value.astype(dtype_of(arg.type))
        last = tape.compile()
        value, *rest = map(tape.operand, last.operands)
        finals, records = rest[: len(states)], rest[len(states) :]

        def kept(found: int | AnyArray, own: int | None = None) -> int | AnyArray:
            """Copies a value that aliases an old state: states change at the end of the tick."""
            stale = isinstance(found, int) and found in self.state_slots and found != own
            return tape.copied(found) if stale and isinstance(found, int) else found

        self.finals = [kept(found, own) for found, own in zip(finals, self.state_slots, strict=True)]
        self.value = kept(value)
        self.records = dict(zip(texts_of(update.records), map(kept, records), strict=True))
        self.tape = tape
        self.inputs = [np.empty(shape, tape.dtypes[slot]) for slot in self.input_slots]
        self.lasting = {s for s in (self.value, *self.finals, *self.records.values()) if isinstance(s, int)}
        self.bound: list[AnyArray] | None = None

    def bind(self, states: list[AnyArray]) -> None:
        """Builds the list of calls for these arrays of states."""
        tape = self.tape
        for name, slot, state in zip(self.states, self.state_slots, states, strict=True):
            if state.shape != tape.shape or state.dtype != tape.dtypes[slot]:
                raise ValueError(f"state {name}: {state.dtype}{state.shape} for {tape.dtypes[slot]}{tape.shape}")
        given = dict(zip([*self.input_slots, *self.state_slots], [*self.inputs, *states], strict=True))
        self.calls, array = tape.bind(given, self.lasting)

        def shaped(found: int | AnyArray) -> AnyArray:
            return array(found) if isinstance(found, int) else np.broadcast_to(found, tape.shape)

        self.updates = [
            (state, array(found)) for state, found in zip(states, self.finals, strict=True) if array(found) is not state
        ]
        self.emission = Emission(shaped(self.value), {name: shaped(found) for name, found in self.records.items()})
        self.bound = states

    def __call__(self, inputs: Sequence[AnyArray], states: dict[str, AnyArray]) -> Emission:
        """Runs one tick: reads inputs and states, and stores the next states in the same arrays."""
        held = [states[name] for name in self.states]
        if self.bound is None or any(map(operator.is_not, held, self.bound)):
            self.bind(held)
        with np.errstate(all="ignore"):
            for buffer, given in zip(self.inputs, inputs, strict=True):
                np.copyto(buffer, given, casting="unsafe")
            for call, args in self.calls:
                call(*args)
        for state, final in self.updates:
            np.copyto(state, final)
        return self.emission
