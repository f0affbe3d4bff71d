"""Linear paths between populations: the matrices by which the events of sources reach a value, with their delays.

    value(t) = sum over sources s and delays d of matrix[s, d] s(t - d)  +  sum over delays d <= t of constant[d]

A source is an input of the network or the events of a population. Matrices are dense, so this is for small networks.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
from attrs import define, field
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import shape_of
from ....dialects import ntensor

LEG094 = Code("LEG094", "value-not-event-sum", "a value is not a sum of weighted events")


@define
class ConstantInputs:
    """The values of a network in a tick without events. Populations and inputs are 0."""

    known: dict[SSAValue, Reals | None] = field(factory=dict[SSAValue, "Reals | None"])

    def value(self, x: SSAValue) -> Reals | None:
        """Returns the constant part of a value; None if all entries are 0. Shapes: that of the value."""
        if x not in self.known:
            op = x.owner
            found = self.result(op) if isinstance(op, Operation) else None
            self.known[x] = None if found is None or not found.any() else found
        return self.known[x]

    def result(self, op: Operation) -> Reals | None:
        match op:
            case ntensor.SumOp():
                parts = [part for x in op.xs if (part := self.value(x)) is not None]
                return sum(parts[1:], parts[0]) if parts else None
            case ntensor.ReshapeOp():
                part = self.value(op.x)
                return None if part is None else part.reshape(shape_of(op.y))
            case ntensor.SynapseOpInterface():
                return self.synapses(op)
            case _:
                return None

    def synapses(self, op: ntensor.SynapseOpInterface) -> Reals | None:
        """Returns the constant part of a synapse op's result: the bias plus the weighted constant part of the operand."""
        bias, part = op.optional_array("bias"), self.value(op.x)
        found = np.zeros(shape_of(op.y))
        if bias is not None:
            found = found + op.spread_outputs(bias.values.astype(np.float64))
        if part is not None:
            source, target, weights = pair_weights(op)
            found = found + np.bincount(target, weights * part.reshape(-1)[source], found.size).reshape(found.shape)
        return found


def pair_weights(op: ntensor.SynapseOpInterface) -> tuple[Ints, Ints, Reals]:
    """Returns the source, target and factor of each synapse; the factor of an average pool includes its division."""
    source, target, place = op.pairs()
    weights = np.ones(len(place)) if op.weights is None else op.weight_values().values.reshape(-1)[place]
    mean = prod(op.kernel.values.tolist()) if isinstance(op, ntensor.AvgPool2dOp) else 1
    return source, target, weights.astype(np.float64) / mean


@define(eq=False)
class Paths:
    """The paths to a value. Shapes: matrices (elements of the value, elements of the source), constants (elements,)."""

    matrices: dict[tuple[SSAValue, int], Reals] = field(factory=dict[tuple[SSAValue, int], "Reals"])
    constants: dict[int, Reals] = field(factory=dict[int, "Reals"])
    """The constant input that arrives from a tick on, by that tick."""

    def add(self, other: Paths) -> None:
        for key, value in other.matrices.items():
            self.matrices[key] = self.matrices[key] + value if key in self.matrices else value
        for tick, value in other.constants.items():
            self.constants[tick] = self.constants[tick] + value if tick in self.constants else value

    def through(self, matrix: Reals, delay: int = 0) -> Paths:
        """Returns the paths after a linear map and a delay [ticks]."""
        return Paths(
            {(source, ticks + delay): matrix @ value for (source, ticks), value in self.matrices.items()},
            {ticks + delay: matrix @ value for ticks, value in self.constants.items()},
        )


@define(eq=False)
class PathFinder:
    """The paths to the values of a network. A population ends a path: its events are a source."""

    known: dict[SSAValue, Paths] = field(factory=dict[SSAValue, Paths])
    open: set[SSAValue] = field(factory=set[SSAValue])
    """Values whose paths are being followed."""

    def paths(self, x: SSAValue) -> Paths:
        """Returns the paths to a value. Errors: LEG094 an op that is not linear, or a loop without a population."""
        if x not in self.known:
            if isinstance(x, BlockArgument) or isinstance(x.owner, ntensor.NeuronOp):
                return Paths({(x, 0): np.eye(prod(shape_of(x)))})
            assert isinstance(x.owner, Operation)
            if x in self.open:
                self.refuse(x.owner, "a loop without a population")
            self.open.add(x)
            self.known[x] = self.result(x.owner)
            self.open.remove(x)
        return self.known[x]

    def result(self, op: Operation) -> Paths:
        found = Paths()
        match op:
            case ntensor.SumOp():
                for x in op.xs:
                    found.add(self.paths(x))
            case ntensor.ReshapeOp():
                return self.paths(op.x)
            case ntensor.DelayOp():
                inner = self.paths(op.x)
                for delay, chosen in by_delay(op.ticks.values, prod(shape_of(op.x))):
                    found.add(inner.through(np.diag(chosen), delay))
            case ntensor.SynapseOpInterface():
                inner = self.paths(op.x)
                for delay, matrix in synapse_matrices(op):
                    found.add(inner.through(matrix, delay))
                if (bias := op.optional_array("bias")) is not None:
                    spread = np.broadcast_to(op.spread_outputs(bias.values.astype(np.float64)), shape_of(op.y))
                    found.add(Paths(constants={0: spread.reshape(-1)}))
            case _:
                self.refuse(op, op.name)
        return found

    def refuse(self, op: Operation, found: str) -> None:
        refuse_op(
            op,
            LEG094,
            expected="synapses, sums, delays and reshapes",
            found=found,
            help="a device that computes every tick",
        )


def by_delay(ticks: AnyArray, count: int) -> Iterator[tuple[int, Reals]]:
    """Yields each delay, and 1 for every entry that has it. Shapes: ticks () or of `count` elements, results (count,)."""
    each = np.broadcast_to(ticks.reshape(-1) if ticks.ndim else ticks, (count,))
    for delay in np.unique(each):
        yield int(delay), (each == delay).astype(np.float64)


def synapse_matrices(op: ntensor.SynapseOpInterface) -> Iterator[tuple[int, Reals]]:
    """Yields each delay of a synapse op, and the weights that have it as a matrix."""
    source, target, weights = pair_weights(op)
    delays = op.delays
    shape = prod(shape_of(op.y)), prod(shape_of(op.x))
    each = np.zeros(len(source), np.int64) if delays is None else pair_values(op, delays.values)
    for delay in np.unique(each) if len(each) else (0,):
        chosen = each == delay
        matrix = np.zeros(shape)
        np.add.at(matrix, (target[chosen], source[chosen]), weights[chosen])
        yield int(delay), matrix


def pair_values(op: ntensor.SynapseOpInterface, values: AnyArray) -> AnyArray:
    """Returns the value of each synapse, of values that broadcast to the weights."""
    assert op.weights is not None  # an op with delays has weights
    return np.broadcast_to(values, op.weights.shape).reshape(-1)[op.pairs()[2]]
