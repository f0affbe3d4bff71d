"""Interface of synapse ops: the facts by which analyses, passes and engines use a synapse without knowing its class.

A new synapse op derives from `SynapseOpInterface` and defines `pairs`. Every other method has a default that is derived from the pairs;
an op overrides it where a shorter computation exists. An op with weights sets `WEIGHTS` to the name of their property. An op whose weights
can be quantized also declares `quantized = opt_prop_def(QuantizedAttr)`.

Source: interfaces as in xDSL, `xdsl/interfaces.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from math import prod
from typing import ClassVar

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import ParsePropInAttrDict, base, operand_def, prop_def, result_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Counts, Ints
from ...core.arrays.sums import add_by_target
from ...core.ir.operation import NoptOperation, shape_of
from ._synapse_checks import QuantizedAttr

Pairs = tuple[Ints, Ints, Ints]
"""Of each synapse the flat index of its source and of its target, and the flat place of its weight."""


@frozen(eq=False)
class WeightLines:
    """A partition of the weights: by axes of `shape`, or by an index of each weight."""

    kind: str
    """The name of a line in messages: row, column, channel."""
    shape: tuple[int, ...]
    """Shape of the weights, with the groups of a convolution as an axis of their own."""
    axes: tuple[int, ...] = ()
    index: Ints | None = None
    """The line of each weight; None where `axes` define it."""
    lines: int = 0
    """The number of lines, with an index."""


class SynapseOpInterface(NoptOperation):
    """A linear map from a signal to sums.

    Shapes: x and y any; n of the methods that count paths that of x or of y.
    """

    WEIGHTS: ClassVar[str | None] = None
    """The name of the property with the weights; None: every weight is 1, or follows from the op."""
    node = prop_def(StringAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    @property
    def weights(self) -> ArrayAttr | None:
        """The weights, if the op has some."""
        found = None if self.WEIGHTS is None else self.properties[self.WEIGHTS]
        assert found is None or isinstance(found, ArrayAttr)  # the definition of the op
        return found

    def replace_weights(self, weights: ArrayAttr) -> None:
        """Sets other weights of the same shape."""
        assert self.WEIGHTS is not None  # asked before
        self.properties[self.WEIGHTS] = weights

    @property
    def has_quantized_weights(self) -> bool:
        """Whether the op can hold quantized weights."""
        return self.WEIGHTS is not None and "quantized" in type(self).get_irdl_definition().properties

    @property
    def quantized_weights(self) -> QuantizedAttr | None:
        """The format of quantized weights, if they are quantized."""
        found = self.properties.get("quantized")
        return found if isinstance(found, QuantizedAttr) else None

    @abstractmethod
    def pairs(self) -> Pairs:
        """Returns every synapse of the map, those with a weight of zero included, in any order."""
        ...

    def used_pairs(self) -> Pairs:
        """Returns the synapses with a weight that is not zero."""
        pairs = self.pairs()
        if self.weights is None:
            return pairs
        used = self.weights.values.reshape(-1)[pairs[2]] != 0
        return pairs[0][used], pairs[1][used], pairs[2][used]

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        """Returns source and target of each synapse that decides which neurons share a core; None for a regular pattern."""
        source, target, _ = self.used_pairs()
        return source, target

    def count_forwards(self, n: Counts) -> Counts:
        """Returns the paths that end at each element of y, from those that end at x."""
        source, target, _ = self.used_pairs()
        found = np.bincount(target, n.reshape(-1)[source], prod(shape_of(self.y)))
        return found.astype(np.float64).reshape(shape_of(self.y))

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        """Returns a function from paths that leave y to those that leave x."""
        source, target, _ = self.used_pairs()
        shape = shape_of(self.x)

        def back(n: Counts) -> Counts:
            found = np.bincount(source, n.reshape(-1)[target], prod(shape))
            return found.astype(np.float64).reshape(shape)

        return back

    def count_synapses(self) -> Ints:
        """Returns the synapses of each neuron that count for its fan-in, flat."""
        return np.bincount(self.used_pairs()[1], minlength=prod(shape_of(self.y))).astype(np.int64)

    def target_multiplicity(self) -> int:
        """Returns 0 if each source has one target at most, 1 if it reaches each of its targets once, else 2."""
        source, target, _ = self.used_pairs()
        if len(np.unique(source)) == len(source):
            return 0
        return 1 if len(np.unique(source * prod(shape_of(self.y)) + target)) == len(source) else 2

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        """Returns the sums of positive and of negated negative weights that reach each result; None if the op adds no integers.

        `weight` replaces the weights of the op. Shapes: results of y, or of its first axes.
        """
        if weight is None and self.weights is not None:
            weight = self.weights.values
        _, target, place = self.pairs()
        given = np.ones(len(target), np.int64) if weight is None else weight.reshape(-1)[place]
        return add_by_target(given, target, shape_of(self.y))

    @property
    def kernel_entries(self) -> int | None:
        """Entries of a memory that stores kernels; None if the op has no kernel."""
        return None

    def output_lines(self) -> WeightLines:
        """Returns which weights reach the same output. Requires that no two outputs share a weight."""
        return self.lines("row", 1, prod(shape_of(self.y)))

    def input_lines(self) -> WeightLines:
        """Returns which weights leave the same input. Requires that no two inputs share a weight."""
        return self.lines("column", 0, prod(shape_of(self.x)))

    def lines(self, kind: str, side: int, count: int) -> WeightLines:
        assert self.weights is not None  # asked before
        pairs = self.pairs()
        index = np.zeros(self.weights.data.size, np.int64)
        index[pairs[2]] = pairs[side]
        return WeightLines(kind, self.weights.shape, index=index.reshape(self.weights.shape), lines=count)
