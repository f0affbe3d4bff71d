"""Digital ops of the periphery on integers, one tick at a time. Arrays are `[samples, *shape]`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.ir.operation import element_type, shape_of
from ...dialects.ntensor import MaxPool2dOp, NeuronOp, ReshapeOp, ScaleOp, SumOp, SumPool2dOp, UpdateOp, Upsample2dOp
from ...simulation.elements import working_dtype
from ...simulation.update import Step


def shift(values: Ints, exponent: Ints | None) -> Ints:
    """Returns integers times a power of two, rounded down."""
    if exponent is None:
        return values
    return (values << np.maximum(exponent, 0)) >> np.maximum(-exponent, 0)


def by_channel(array: ArrayAttr | None, rank: int) -> Ints | None:
    """Returns a bias or exponent that broadcasts to maps of a rank: its axes are the first ones."""
    if array is None:
        return None
    values = array.values.astype(np.int64)
    return values.reshape(*values.shape, *(1,) * (rank - values.ndim)) if values.ndim else values


def run_digital(op: Operation, *xs: AnyArray) -> AnyArray:
    """Returns the result of an op without state."""
    x = xs[0]
    match op:
        case ReshapeOp():
            return x.reshape(len(x), *shape_of(op.y))
        case SumOp():
            return np.sum([x.astype(np.int64) for x in xs], axis=0)
        case ScaleOp():
            return x.astype(np.int64) * op.weight_steps().values.astype(np.int64)
        case SumPool2dOp():
            return windows_of(op, x.astype(np.int64), 0).sum(axis=(-2, -1))
        case Upsample2dOp():
            rows, columns = op.factor.values.tolist()
            return np.kron(x.astype(np.int64), np.ones((rows, columns), np.int64))
        case _:
            assert isinstance(op, MaxPool2dOp)  # the digital ops of the dialect
            least = np.iinfo(np.int64).min  # padding holds no element
            return windows_of(op, x.astype(np.int64), least).max(axis=(-2, -1)).astype(x.dtype)


def windows_of(op: SumPool2dOp | MaxPool2dOp, x: Ints, fill: int) -> Ints:
    """Returns all windows of a pool, `[samples, channels, y, x, ky, kx]`."""
    (high, wide), (down, right) = op.kernel.values.tolist(), op.stride.values.tolist()
    padded = np.pad(x, ((0, 0), (0, 0), *map(tuple, op.padding.values.tolist())), constant_values=fill)
    return sliding_window_view(padded, (high, wide), axis=(2, 3))[:, :, ::down, ::right]


class RunningNeurons:
    """A population while some samples run."""

    def __init__(self, op: NeuronOp, update: UpdateOp, samples: int):
        self.shape = (samples, *shape_of(op.z))
        arrays = {name: array.values for name, array in op.arrays(op.params)}
        initial = {name: array.values for name, array in op.arrays(op.initial)}
        self.step = Step(update, arrays, self.shape)
        self.states = {
            name: np.broadcast_to(initial[name], self.shape).astype(working_dtype(type), order="C")
            for name, type in update.state_types.items()
        }
        self.records: dict[str, AnyArray] = {}
        self.dtype = working_dtype(element_type(op.z))

    def tick(self, xs: Sequence[AnyArray]) -> AnyArray:
        """Returns the output of a tick."""
        found = self.step(xs, self.states)
        self.records = {**self.states, **found.records}
        return found.value.astype(self.dtype)
