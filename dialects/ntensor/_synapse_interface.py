"""Interface of synapse ops: the facts by which analyses, passes and engines use a synapse without knowing its class.

A new synapse op derives from `SynapseOpInterface` and defines `pairs`. Every other method has a default that is derived from the pairs;
an op overrides it where a shorter computation exists. An op with weights sets `WEIGHTS` to the name of their property. An op whose weights
can be quantized also declares `quantized = opt_prop_def(QuantizedAttr)`, and `axon_types` in the same manner; `bias`, `exponent` and
`plasticity` are optional properties of the same kind, whose shapes are those of y or of its first axes.

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
from xdsl.ir import Attribute, Operation
from xdsl.irdl import ParsePropInAttrDict, base, operand_def, prop_def, result_def

from ...core.arrays.arrays import ArrayAttr, dtype_of
from ...core.arrays.numeric import AnyArray, Bools, Counts, Ints
from ...core.arrays.sums import add_by_target
from ...core.arrays.unique_integers import unique_integers
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ...core.windows import Window
from ..nir.synapses import StdpAttr
from ._synapse_checks import QuantizedAttr, verify_exponent, verify_quantized
from .axon_types import AxonTypesAttr, verify_axon_types
from .learning.attributes import LearningAttr
from .signals import verify_shape, verify_synapse, verify_terms

Pairs = tuple[Ints, Ints, Ints]
"""Of each synapse the flat index of its source and of its target, and the flat place of its weight."""

NirNode = tuple[type[Operation], dict[str, Attribute]]
"""The op of a node of NIR, and its properties."""


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
    DELAYS: ClassVar[str | None] = None
    """The name of the property with the delay of each weight, or of all [ticks]; None: the op has no delays."""
    SUMS: ClassVar[type[SynapseOpInterface] | None] = None
    """The op with the sums that this op divides, for an op of means."""
    SHARES_WEIGHTS: ClassVar[bool] = False
    """Whether a weight reaches several results, as in a convolution."""
    node = prop_def(StringAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    @property
    def weights(self) -> ArrayAttr | None:
        """The stored weights, if the op has some: integers if they are quantized."""
        found = None if self.WEIGHTS is None else self.properties[self.WEIGHTS]
        assert found is None or isinstance(found, ArrayAttr)  # the definition of the op
        return found

    def weight_values(self) -> ArrayAttr:
        """Returns the factors of the op: stored weights, converted from quantized integers to reals if the result is real."""
        found, quantized, dtype = self.weights, self.quantized_weights, dtype_of(element_type(self.y))
        assert found is not None  # asked before
        if quantized is None or dtype is None or dtype.kind != "f":
            return found
        return ArrayAttr.of(quantized.values_of(found.values, dtype))

    def store_weight_values(self, out: AnyArray) -> None:
        """Stores the factors of the op in an array of the shape of the weights, without another array of them."""
        found, quantized, dtype = self.weights, self.quantized_weights, dtype_of(element_type(self.y))
        assert found is not None  # asked before
        if quantized is None or out.dtype != dtype or out.dtype.kind != "f":
            out[...] = self.weight_values().values
        else:
            quantized.values_of(found.values, out.dtype, out)

    def weight_steps(self) -> ArrayAttr:
        """Returns the stored weights without their zero point: numbers with the zeros and signs of the weights."""
        found, quantized = self.weights, self.quantized_weights
        assert found is not None  # asked before
        if quantized is None or not quantized.has_zero:
            return found
        return ArrayAttr.of(quantized.steps_of(found.values))

    def replace_weights(self, weights: ArrayAttr, quantized: QuantizedAttr | None) -> None:
        """Sets other stored weights of the same shape, and their format if they are quantized. Axon types of the old weights are removed."""
        assert self.WEIGHTS is not None  # asked before
        self.properties[self.WEIGHTS] = weights
        if quantized is not None:
            self.properties["quantized"] = quantized
        elif "quantized" in self.properties:
            del self.properties["quantized"]
        self.properties.pop("axon_types", None)

    @property
    def has_quantized_weights(self) -> bool:
        """Whether the op can hold quantized weights."""
        return self.WEIGHTS is not None and "quantized" in type(self).get_irdl_definition().properties

    @property
    def quantized_weights(self) -> QuantizedAttr | None:
        """The format of quantized weights, if they are quantized."""
        found = self.properties.get("quantized")
        return found if isinstance(found, QuantizedAttr) else None

    @property
    def typed_axons(self) -> AxonTypesAttr | None:
        """The axons of crossbar cores and their types, if the weights are sums of their values."""
        found = self.properties.get("axon_types")
        return found if isinstance(found, AxonTypesAttr) else None

    def optional_array(self, name: str | None) -> ArrayAttr | None:
        """Returns an optional property, such as a bias or an exponent."""
        found = None if name is None else self.properties.get(name)
        return found if isinstance(found, ArrayAttr) else None

    def verify_weights(self, outputs: tuple[int, ...]) -> None:
        """Refuses weights, a bias, an exponent or a quantization that do not fit the signals. Shapes: bias and exponent `outputs`."""
        name, weight, bias = self.WEIGHTS, self.weights, self.optional_array("bias")
        assert name is not None  # asked before
        assert weight is not None
        if bias is not None:
            verify_shape(self, "bias", bias.shape, outputs)
        verify_synapse(self, self.x, self.y, (name, weight), ("bias", bias))
        most = verify_exponent(self, self.optional_array("exponent"), (), outputs)
        verify_quantized(self, name, weight, self.y, self.quantized_weights)
        verify_terms(self, self.x, self.y, weight, bias, most)
        verify_axon_types(self)

    @property
    def delays(self) -> ArrayAttr | None:
        """The delays of the synapses, if they have some [ticks]."""
        return self.optional_array(self.DELAYS)

    @property
    def learning_rule(self) -> StdpAttr | LearningAttr | None:
        """The rule by which the weights change while the network runs, if they do."""
        found = self.properties.get("plasticity")
        return found if isinstance(found, StdpAttr | LearningAttr) else None

    @property
    def pair_rule(self) -> StdpAttr | None:
        """The rule of NIR by which the weights change, if it is this one."""
        found = self.properties.get("plasticity")
        return found if isinstance(found, StdpAttr) else None

    @property
    def is_plain_sum(self) -> bool:
        """Whether the results are sums of operands, without weights."""
        return self.weights is None and self.SUMS is None

    @property
    def can_split(self) -> bool:
        """Whether the synapses of a result element can be distributed over several ops."""
        return self.has_quantized_weights

    @abstractmethod
    def pairs(self) -> Pairs:
        """Returns all synapses of the map in any order, including synapses with a weight of zero."""
        ...

    def used(self, weights: AnyArray) -> Bools:
        """Returns whether each stored weight is a synapse: all plastic weights, and any other weight that is not zero."""
        return np.ones(weights.shape, np.bool_) if self.learning_rule is not None else weights != 0

    def used_pairs(self) -> Pairs:
        """Returns the synapses with a weight that is not zero, or that changes."""
        pairs = self.pairs()
        if self.weights is None:
            return pairs
        used = self.used(self.weight_steps().values).reshape(-1)[pairs[2]]
        return pairs[0][used], pairs[1][used], pairs[2][used]

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        """Returns source and target of each synapse that decides which neurons share a core; None for a regular pattern."""
        source, target, _ = self.used_pairs()
        return source, target

    def count_forwards(self, n: Counts) -> Counts:
        """Returns the number of paths to each element of y; `n` has the number of paths to each element of x."""
        source, target, _ = self.used_pairs()
        found = np.bincount(target, n.reshape(-1)[source], prod(shape_of(self.y)))
        return found.astype(np.float64).reshape(shape_of(self.y))

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        """Returns a function that maps the number of paths from each element of y to the number of paths from each element of x."""
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
        """Returns 0 if each source has at most one synapse, 1 if no source reaches a target twice, else 2."""
        source, target, _ = self.used_pairs()
        if len(unique_integers(source)) == len(source):
            return 0
        return 1 if len(unique_integers(source * prod(shape_of(self.y)) + target)) == len(source) else 2

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        """Returns the sums of positive and of negated negative weights that reach each result; None if the op adds no integers.

        `weight` replaces the weights of the op. Shapes: results of y, or of its first axes.
        """
        if weight is None and self.weights is not None:
            weight = self.weights.values
        _, target, place = self.pairs()
        given = np.ones(len(target), np.int64) if weight is None else weight.reshape(-1)[place]
        return add_by_target(given, target, shape_of(self.y))

    def operand_means(self, x: AnyArray) -> AnyArray:
        """Returns the mean of the operand elements that each weight multiplies, by the means of all elements. Shapes: x that of x, result that of the weights."""
        source, _, place = self.pairs()
        assert self.weights is not None  # asked before
        shape = self.weights.shape
        sums, counts = (np.bincount(place, given, prod(shape)) for given in (x.reshape(-1)[source], None))
        return (sums / np.maximum(counts, 1)).reshape(shape)

    def spread_outputs(self, values: AnyArray) -> AnyArray:
        """Broadcasts values of channels or neurons to every result. Shapes: values () or the first axes of y, result () or y."""
        shape = shape_of(self.y)
        if not values.ndim:
            return values
        return np.broadcast_to(values.reshape(*values.shape, *(1,) * (len(shape) - values.ndim)), shape)

    def output_scale(self) -> AnyArray | None:
        """Returns the value of the integer 1 as a weight, for each output.

        None if the weights are not quantized, or one output has weights of several scales. Shapes: result () or the first axes of y; NaN
        for an output without synapses.
        """
        given = self.quantized_weights
        return None if given is None else self.output_numbers(given.scale.values)

    def output_numbers(self, numbers: AnyArray) -> AnyArray | None:
        """Returns one number for each output, computed from numbers that broadcast to the weights. Shapes and results as of `output_scale`."""
        scale = numbers.astype(np.float64)
        if scale.size == 1:
            return scale.reshape(())
        lines = self.output_lines()
        if lines.index is not None:
            each = np.broadcast_to(scale, lines.index.shape)
            found = np.full(lines.lines, np.nan)
            found[lines.index] = each
            return found.reshape(shape_of(self.y)) if (found[lines.index] == each).all() else None
        outputs = len(lines.axes)
        rows = scale.reshape(*scale.shape[:outputs], -1)
        is_common = rows.size and (rows == rows[..., :1]).all()
        return np.broadcast_to(rows[..., 0], lines.shape[:outputs]) if is_common else None

    def carry_scale(self, x: AnyArray) -> AnyArray | None:
        """Returns the value of 1 in each sum, by the value of 1 in each operand; None if operands of several values are added.

        NaN is the value of an operand without synapses. Shapes: x () or that of x, result () or that of y.
        """
        known = x[~np.isnan(x)]
        if (known != known[:1]).any():
            return None
        return known[0] if known.size else np.asarray(np.nan)

    def sparse_properties(
        self, source: Ints, target: Ints, place: Ints, bias: ArrayAttr | None = None
    ) -> dict[str, Attribute]:
        """Returns the properties of a sparse op with some synapses of this op, sorted by source and target."""
        weights = np.ones(len(place), np.int8) if self.weights is None else self.weights.values

        def chosen(values: AnyArray) -> ArrayAttr:
            return ArrayAttr.of(np.broadcast_to(values, weights.shape).reshape(-1)[place])

        index = np.int32 if max(source.max(initial=0), target.max(initial=0)) < 2**31 else np.int64
        found: dict[str, Attribute] = {
            "weight": ArrayAttr.of(weights) if self.weights is None else chosen(weights),
            "source": ArrayAttr.of(source.astype(index)),
            "target": ArrayAttr.of(target.astype(index)),
        }
        if self.delays is not None:
            found["delay"] = chosen(self.delays.values)
        if bias is not None:
            found["bias"] = bias
        if (exponent := self.optional_array("exponent")) is not None:
            found["exponent"] = ArrayAttr.of(np.ascontiguousarray(self.spread_outputs(exponent.values)))
        if (given := self.quantized_weights) is not None:
            found["quantized"] = given.of_some(lambda values: chosen(values).values)
        if self.learning_rule is not None:
            found["plasticity"] = self.learning_rule
        return found

    def nir_node(self) -> NirNode | None:
        """Returns the node of NIR with the same map, without its name; None if NIR has none.

        Padding is returned as in this op, if NIR cannot express it.
        """
        return None

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


class WindowOp(SynapseOpInterface):
    """Base of the ops whose kernel moves over an operand: convolutions and pools."""

    @abstractmethod
    def window(self) -> Window:
        """Returns the paths through the op."""

    def pairs(self) -> Pairs:
        return self.window().pairs()

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        return None

    def count_forwards(self, n: Counts) -> Counts:
        return self.window().forwards(n).reshape(shape_of(self.y))

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        back, shape = self.window().backwards(), shape_of(self.x)
        return lambda n: back(n).reshape(shape)
