"""Places of the entries of a state dictionary in the network of NIR that a framework's network becomes.

Each tensor of the state dictionary is replaced by the numbers of its entries, one tensor at a time, and the network is exported: an entry of a node that is
such a number shows which entry of the tensor it holds. This covers transposed and split weights, recurrent weights, weights that several layers share, and
one threshold for all neurons, without a table for each framework. A second export, with the numbers in another order, confirms the first one.

A parameter that is computed from an entry, such as `tau` from a decay, has no place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import define, field, frozen

from ....core.arrays.numeric import AnyArray, Ints
from ....core.diagnostics import Refused

StateDict = dict[str, Any]
ParameterArrays = Mapping[str, AnyArray]
Export = Callable[[StateDict], ParameterArrays]
"""The parameters of the network in NIR, `NODE.PARAMETER`, for a state dictionary."""
FIRST = 2
"""The number of the first entry. Zeros and ones are constants of many nodes."""
BASE = 2**20
"""Numbers of one export; larger tensors are numbered in several, so that all are exact in f32."""


@frozen(eq=False)
class StatePlace:
    """The entries of a tensor in one parameter. Shapes: `where` and `index` [entries], both flat."""

    key: str
    where: Ints
    """The entries of the parameter."""
    index: Ints
    """The entries of the tensor."""


@define
class StatePlaces:
    """The places of all tensors of a state dictionary."""

    state: StateDict
    baseline: ParameterArrays
    export: Export
    found: dict[str, list[StatePlace]] = field(factory=dict[str, list[StatePlace]])
    """By parameter."""

    def find(self) -> None:
        for key, tensor in self.state.items():
            if tensor.is_floating_point() and tensor.numel():
                for name, (where, index) in self.probe(key).items():
                    self.found.setdefault(name, []).append(StatePlace(key, where, index))

    def probe(self, key: str) -> dict[str, tuple[Ints, Ints]]:
        """Returns where the entries of one tensor are; those that only one of two orders shows are not."""
        count = int(self.state[key].numel())
        order = np.arange(count, dtype=np.int64)
        found = self.numbered(key, order)
        if not found:
            return {}
        confirmed = self.numbered(key, order[::-1])
        return {
            name: (where, index)
            for name, (where, index) in found.items()
            if name in confirmed
            and np.array_equal(confirmed[name][0], where)
            and np.array_equal(count - 1 - confirmed[name][1], index)
        }

    def numbered(self, key: str, order: Ints) -> dict[str, tuple[Ints, Ints]]:
        """Returns the entries of each parameter that are numbers of a tensor, and these numbers."""
        total: dict[str, tuple[Ints, Ints]] = {}
        factor = 1
        while factor == 1 or factor < len(order):
            digits = order // factor % BASE
            arrays = self.export_with(key, digits + FIRST)
            if arrays is None:
                return {}
            most = int(digits.max())
            found: dict[str, tuple[Ints, Ints]] = {}
            for name, array in arrays.items():
                if (one := numbers_in(array, self.baseline.get(name), most)) is not None:
                    found[name] = one
            total = {
                name: (where, index + (factor * found[name][1]))
                for name, (where, index) in (
                    total or {name: (where, 0 * index) for name, (where, index) in found.items()}
                ).items()
                if name in found and np.array_equal(found[name][0], where)
            }
            factor *= BASE
        return total

    def export_with(self, key: str, values: Ints) -> ParameterArrays | None:
        """Returns the parameters for other values of one tensor; None if the framework cannot have them."""
        tensor = self.state[key]
        numbered = tensor.new_tensor(values.astype(np.float64)).reshape(tensor.shape)
        try:
            return self.export({**self.state, key: numbered})
        except Refused:
            return None


def numbers_in(array: AnyArray, before: AnyArray | None, most: int) -> tuple[Ints, Ints] | None:
    """Returns the entries that hold numbers, and the numbers from 0; None if no entry changed, or one to another value."""
    if before is None or before.shape != array.shape:
        return None
    values, old = array.astype(np.float64).ravel(), before.astype(np.float64).ravel()
    where = np.flatnonzero(values != old)
    if not where.size:
        return None
    numbers = np.rint(values[where])
    is_number = np.abs(values[where] - numbers) <= 1e-6 * np.abs(numbers)
    if not (is_number & (numbers >= FIRST) & (numbers <= FIRST + most)).all():
        return None
    return where, numbers.astype(np.int64) - FIRST
