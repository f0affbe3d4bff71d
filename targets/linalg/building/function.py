"""The function of a tick under construction: its arguments (inputs, states, constants) and its results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IntegerAttr, IntegerType, TensorType, f32, f64
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, SSAValue

from ....core.arrays.sums import magnitude
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....core.names import Names
from ....dialects.functions import Role
from .bodies import WIDTHS, Body, integer_type
from .tensors import INDEX, Tensors, d


@frozen(eq=False)
class Argument:
    """An argument of a tick. `values` are those of a constant, or of a state before the first tick."""

    name: str
    role: Role
    value: SSAValue
    values: NDArray[Any] | None = None


@define(eq=False)
class State:
    """A state: its argument, and its next value."""

    name: str
    argument: SSAValue
    after: SSAValue | None = None


class TickFunction:
    """Builds the block of a tick."""

    def __init__(self, samples: int):
        self.block = Block(arg_types=[INDEX])
        self.tensors = Tensors(self.block)
        self.samples = samples
        self.arguments: list[Argument] = []
        self.states: list[State] = []
        self._names = Names()
        self._rows: dict[int, SSAValue] = {}

    @property
    def tick(self) -> SSAValue:
        """The number of the tick."""
        return self.block.args[0]

    def _argument(
        self, name: str, role: Role, element: Attribute, shape: Sequence[int], values: NDArray[Any] | None
    ) -> Argument:
        if role is not Role.INPUT:  # the name of a file
            name = re.sub(r"[^A-Za-z0-9_-]+", "_", name)
        value = self.block.insert_arg(TensorType(element, shape), len(self.block.args))
        found = Argument(self._names.take(name), role, value, values)
        self.arguments.append(found)
        return found

    def input(self, name: str, element: Attribute, shape: Sequence[int]) -> SSAValue:
        return self._argument(name, Role.INPUT, element, (self.samples, *shape), None).value

    def constant(self, name: str, values: NDArray[Any]) -> SSAValue:
        """Returns an array as an argument; integers have the smallest type that holds them."""
        if values.dtype.kind != "f":
            most = magnitude(values) if values.size else 0
            held = integer_type(Interval(-most, most), WIDTHS)
            values = values.astype(f"i{held.width.data // 8}")
        return self._argument(name, Role.CONSTANT, element_for(values.dtype), values.shape, values).value

    def state(self, name: str, element: Attribute, shape: Sequence[int], values: NDArray[Any]) -> State:
        """Returns a state of each sample; `values` broadcast to it."""
        found = self._argument(name, Role.STATE, element, shape, values)
        state = State(found.name, found.value)
        self.states.append(state)
        return state

    def row_of(self, rows: int) -> SSAValue:
        """Returns the number of the tick modulo the rows of a ring."""
        if rows not in self._rows:
            by = self.tensors.number(rows, INDEX)
            self._rows[rows] = self.tensors.add(arith.RemUIOp(self.tick, by))
        return self._rows[rows]

    # ---- rings of past signals, [rows, samples, *shape]

    def ring(self, name: str, rows: int, x: Attribute, shape: Sequence[int]) -> State:
        return self.state(name, x, (rows, self.samples, *shape), np.zeros((), np.int8))

    def read(self, ring: State) -> SSAValue:
        """Returns the row of this tick: it was written as many ticks ago as the ring has rows."""
        shape = shape_of(ring.argument)
        rest = [0] * (len(shape) - 1)
        return self.tensors.taken(ring.argument, [self.row_of(shape[0]), *rest], shape[1:])

    def write(self, ring: State, x: SSAValue) -> SSAValue:
        """Writes the row of this tick; returns the ring."""
        shape = shape_of(ring.argument)
        rest = [0] * (len(shape) - 1)
        ring.after = self.tensors.inserted(x, ring.argument, [self.row_of(shape[0]), *rest])
        return ring.after

    def late(self, ring: SSAValue, ticks: SSAValue) -> SSAValue:
        """Returns, for each element, the row of `ticks` before this one. Shapes: ring [rows, samples, *shape], ticks shape."""
        rows, *shape = shape_of(ring)
        row = self.row_of(rows)

        def make(b: Body, xs: list[SSAValue]) -> Sequence[SSAValue]:
            others = [b.add(linalg.IndexOp(k)) for k in range(len(shape))]
            return [b.add(tensor.ExtractOp(ring, [late_row(b, row, xs[0], rows), *others], element_type(ring)))]

        index = [*range(1, len(shape))]
        (found,) = self.tensors.each([(ticks, [d(k) for k in index])], shape, [element_type(ring)], make)
        return found


def late_row(b: Body, row: SSAValue, ticks: SSAValue, rows: int) -> SSAValue:
    """Returns the row of a ring that was written a number of ticks ago, at most as many as it has rows."""
    count = b.add(arith.ConstantOp(IntegerAttr(rows, INDEX)))
    back = b.add(arith.IndexCastOp(ticks, INDEX))
    return b.add(arith.RemUIOp(b.add(arith.SubiOp(b.add(arith.AddiOp(row, count)), back)), count))


def element_for(dtype: np.dtype[Any]) -> Attribute:
    """Returns the element type of an array."""
    if dtype.kind == "f":
        return f32 if dtype == np.float32 else f64
    return IntegerType(8 * dtype.itemsize)
