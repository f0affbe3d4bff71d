"""Functions of one signal as nodes, recognised by their results for a few arrays, so that their names do not matter.

| function | node |
| --- | --- |
| `a x + b` for each element | Scale, or weights with a bias |
| the same elements in another shape | Flatten or Reshape |
| some of the elements, in any order, and zeros | weights of 0 and 1 |
| linear | Linear with the matrix of the function, between reshapes |
| bounds, slopes for each sign, logistic, tanh, a step | a population without a state, of `neurons/torch.neuron` |

A function is probed with arrays for one sample in one tick. A matrix is found from its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from math import prod
from typing import Any, cast

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ....core.arrays.numeric import Reals
from ..own_neurons import own_neuron
from ..torch_layers import LayerShape, convolution, linear, tensor_array

SEQUENCES: tuple[type[Any], ...] = (list, tuple)
MOST_COLUMNS, MOST_ENTRIES = 4096, 1 << 24
"""Bounds of the matrix of a linear function."""
LARGE = 2.0**20
"""Argument beyond which a function is at its bounds."""
HIGHEST = 3.4028234663852886e38
"""Bound of a value without one: the largest number of f32."""


def tensors_in(value: Any) -> list[Any]:
    """Returns the tensors in a value, in lists and in mappings."""
    if isinstance(value, Mapping):
        value = list(cast("Mapping[Any, Any]", value).values())
    if isinstance(value, SEQUENCES):
        return [tensor for one in cast("Sequence[Any]", value) for tensor in tensors_in(one)]
    return [value] if hasattr(value, "shape") and hasattr(value, "detach") else []


def substitution(others: Mapping[int, Any]) -> Callable[[Any], Any]:
    """Returns a function that replaces tensors in arguments by others, which are given by the identities of the first."""

    def replace(value: Any) -> Any:
        if id(value) in others:
            return others[id(value)]
        if not isinstance(value, SEQUENCES):
            return value
        parts = [replace(one) for one in cast("Sequence[Any]", value)]
        return parts if isinstance(value, list) else tuple(parts)

    return replace


@frozen
class FunctionProbe:
    """A call of a function of one tensor, which is repeated with other values."""

    function: Callable[..., Any]
    arguments: Sequence[Any]
    named: Mapping[str, Any]
    tensor: Any
    """The argument that holds a signal."""
    shape: LayerShape
    """Shape of the signal."""
    number: int
    """Number of the result."""
    result: LayerShape
    """Shape of the result, without samples and ticks."""

    @property
    def count(self) -> int:
        return prod(self.shape)

    def compute(self, values: Any) -> Reals:
        """Returns the flat result for the values of the signal."""
        torch: Any = import_module("torch")
        given = torch.from_numpy(np.asarray(values, np.float32).reshape(tuple(self.tensor.shape)))
        replace = substitution({id(self.tensor): given})
        arguments = (replace(one) for one in self.arguments)
        output = self.function(*arguments, **{key: replace(one) for key, one in self.named.items()})
        return tensor_array(tensors_in(output)[self.number]).reshape(-1).astype(np.float64)

    def random(self, seed: int, scale: float = 1.0) -> Reals:
        """Returns values of both signs, as the numbers of f32 that a function receives."""
        values = scale * np.random.default_rng(seed).standard_normal(self.count)
        return values.astype(np.float32).astype(np.float64)

    def agrees(self, expected: Callable[[Reals], Reals]) -> bool:
        """Returns whether a function computes the same for values of several sizes."""
        for seed, scale in enumerate((0.1, 1.0, 8.0)):
            values = self.random(seed, scale)
            own, other = self.compute(values), expected(values)
            if own.shape != other.shape or not np.allclose(own, other, rtol=1e-5, atol=1e-6 * (1 + np.abs(own).max())):
                return False
        return True

    # ---- elements

    def slope(self) -> tuple[Reals, Reals] | None:
        """Returns `a` and `b` of `a x + b` for each element; None for another function."""
        if prod(self.result) != self.count:
            return None
        offset, gain = self.compute(np.zeros(self.count)), self.compute(np.ones(self.count))
        gain = gain - offset
        probe = np.arange(self.count) - self.count / 2 + 0.25  # negative, positive, no integer
        if not np.allclose(
            self.compute(probe), gain * probe + offset, rtol=1e-5, atol=1e-5 * (1 + np.abs(offset).max())
        ):
            return None
        return gain, offset

    def activation(self) -> Any:
        """Returns a population without a state that computes a function of each element; None for another function."""
        if prod(self.result) != self.count:
            return None
        ends = (self.compute(np.full(self.count, sign * LARGE)) for sign in (-1, 1))
        low, high = ends
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return None
        bounds = np.where(low <= -LARGE, -HIGHEST, low), np.where(high >= LARGE, HIGHEST, high)
        if (bounds[0] <= bounds[1]).all() and self.agrees(lambda x: np.clip(x, *bounds)):
            return self.population("clip", low=bounds[0], high=bounds[1])
        slopes = -low / LARGE, high / LARGE
        if self.agrees(lambda x: np.where(x > 0, slopes[1] * x, slopes[0] * x)):
            return self.population("slopes", below=slopes[0], above=slopes[1])
        if self.agrees(lambda x: 1 / (1 + np.exp(-x))):
            return self.population("logistic")
        if self.agrees(np.tanh):
            return self.population("tanh")
        return self.step(low, high)

    def step(self, low: Reals, high: Reals) -> Any:
        """Returns a population that emits a spike above a threshold, which is found by bisection; None for another function."""
        if (low != 0).any() or (high != 1).any():
            return None
        below, above = (np.full(self.count, sign * LARGE, np.float32) for sign in (-1, 1))
        while ((middle := (below / 2 + above / 2).astype(np.float32)) != below).any() and (middle != above).any():
            is_above = self.compute(middle) > 0
            below, above = np.where(is_above, below, middle), np.where(is_above, middle, above)
        is_from = bool((above.astype(np.float16) == above).all())  # a threshold that a user writes has few digits
        name, level = ("step_from", above) if is_from else ("step_above", below)
        if not self.agrees(lambda x: (x >= level if is_from else x > level).astype(np.float64)):
            return None
        return self.population(name, v_threshold=level.astype(np.float64))

    def population(self, name: str, **params: Reals) -> Any:
        arrays = {key: value.reshape(self.shape) for key, value in params.items()}
        return own_neuron("torch", f"torch_{name}", self.shape, **arrays)

    # ---- matrices

    def sources(self) -> NDArray[np.int64] | None:
        """Returns the element that each element of the result holds, -1 for zero; None if the function computes anything else."""
        found = self.compute(np.arange(1, self.count + 1))
        places = found.astype(np.int64) - 1
        if (found != np.round(found)).any() or (places < -1).any() or (places >= self.count).any():
            return None

        def choose(x: Reals) -> Reals:
            return np.where(places < 0, 0.0, x[places])

        return places if self.agrees(choose) else None

    def matrix(self) -> tuple[Reals, Reals] | None:
        """Returns the matrix and the offset of a linear function; None for another one, and for one that is too large."""
        size = prod(self.result)
        if self.count > MOST_COLUMNS or self.count * size > MOST_ENTRIES:
            return None
        offset = self.compute(np.zeros(self.count))
        if offset.size != size or not self.is_linear(offset):
            return None
        columns = [self.compute(unit) - offset for unit in np.eye(self.count)]
        weight = np.stack(columns, 1)
        return (weight, offset) if self.agrees(lambda x: weight @ x + offset) else None

    def is_linear(self, offset: Reals) -> bool:
        """Returns whether sums and multiples pass a function; a cheap test before the matrix is computed."""
        a, b = self.random(3), self.random(4)
        own = self.compute(a + 2 * b) - offset
        other = (self.compute(a) - offset) + 2 * (self.compute(b) - offset)
        return bool(np.allclose(own, other, rtol=1e-4, atol=1e-4 * (1 + np.abs(own).max())))

    def weights(self) -> Any:
        """Returns a node with the weights of a linear function, from and to flat signals or maps; None for another function.

        A selection of whole channels is a convolution with kernels of one element, or a linear layer; any other function is a linear layer.
        """
        places = self.sources()
        if places is not None:
            if (channels := self.channels(places)) is not None:
                weight = (channels[:, None] == np.arange(self.shape[0])).astype(np.float64)
                return convolution(weight.reshape(*weight.shape, *(1,) * (len(self.shape) - 1)), None)
            if self.count * places.size > MOST_ENTRIES:
                return None
            return linear((places[:, None] == np.arange(self.count)).astype(np.float64), None)
        found = self.matrix()
        if found is None:
            return None
        weight, offset = found
        torch: Any = import_module("torch")
        return linear(weight, torch.from_numpy(offset) if offset.any() else None)

    def channels(self, places: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Returns the channel that each channel of the result holds, -1 for zeros; None if a function moves elements within channels."""
        if len(self.shape) not in (2, 3) or self.result[1:] != self.shape[1:]:
            return None
        size = prod(self.shape[1:])
        rows = places.reshape(self.result[0], size)
        first = rows[:, 0]
        expected = np.where(first[:, None] < 0, -1, first[:, None] + np.arange(size))
        if (rows != expected).any() or (first[first >= 0] % size).any():
            return None
        return np.where(first < 0, -1, first // size)
