"""Linear synapses: dense and sparse maps and scales, from the signals of a tick to values.

Sums have an order: terms are added by the flat index of the presynaptic neuron (c, y, x), starting from zero, and the bias is last.
A presynaptic zero is not an event and adds nothing. Parameters and operands are converted to the element type of the result before
they are used; the conversion must be exact. A result of `!ntensor.terms` is the same sum, not added yet; its bias is the last term.

Optional properties of weighted synapses:

| property | meaning |
| --- | --- |
| `exponent` | the sum, bias included, is multiplied by 2^exponent. For integers a negative exponent rounds down, as `>>` does; terms are rounded one by one |
| `quantized` | the weights are stored as integers of a number of bits, whose value is the integer times a scale (`#ntensor.quantized`) |
| `axon_types` | the weights are sums of values of the axons of crossbar cores (`#ntensor.axon_types`) |
| `plasticity` | the learning rule of the weights (`#ntensor.learning`, or `#nir.stdp`) |

Errors of all: NTE002 shapes that do not match; NTE003 a result that is not values, or a number that would change; NTE006 an
index, exponent, scale or delay out of range.
Source: Pedersen et al., Nature Communications 15:8122 (2024) for the primitives; the order of sums is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import base, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.traits import Pure

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Counts, Ints
from ...core.arrays.rows import chosen_rows
from ...core.arrays.sums import add_by_sign
from ...core.arrays.unique_integers import unique_integers
from ...core.arrays.values import RuleArray
from ...core.ir.operation import shape_of
from ..nir import synapses as nir
from ..nir.synapses import StdpAttr
from ._synapse_checks import QuantizedAttr, verify_rank
from ._synapse_interface import NirNode, Pairs, SynapseOpInterface, WeightLines
from .axon_types import AxonTypesAttr
from .learning.attributes import LearningAttr
from .signals import refuse_parameter, verify_integers, verify_real, verify_shape, verify_synapse


def verify_indices(
    op: SynapseOpInterface, what: str, index: ArrayAttr, neurons: int, of: str, enough: int | None = None
) -> None:
    """Refuses an index beyond the neurons of the population or operand. Errors: NTE006."""
    if index.data.size and (found := int(index.data.greatest(enough))) >= neurons:
        message, help = f"a {what} index is not a neuron", f"list flat indices of the {of} in {what}"
        refuse_parameter(op, message, f"indices below {neurons}", str(found), help)


@irdl_op_definition
class LinearOp(SynapseOpInterface):
    """Linear map: `y[o] = sum over i of weight[o, i] x[i], + bias[o]`; leading axes of the weight are axes of the population.

    Shapes: weight [..., o, i], x [..., i], bias and y [..., o], exponent () or [..., o].
    """

    WEIGHTS: ClassVar[str | None] = "weight"
    name = "ntensor.linear"
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    exponent = opt_prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    axon_types = opt_prop_def(AxonTypesAttr)
    plasticity = opt_prop_def(base(StdpAttr) | base(LearningAttr))
    traits = traits_def(Pure())

    def verify_(self) -> None:
        shape = self.weight.shape
        if len(shape) < 2:
            verify_rank(self, "weight", shape, 2, "[outputs, inputs]")
        verify_shape(self, "the operand", shape_of(self.x), shape[:-2] + shape[-1:])
        verify_shape(self, "the result", shape_of(self.y), shape[:-1])
        self.verify_weights(shape[:-1])

    def pairs(self) -> Pairs:
        *_, outputs, inputs = self.weight.shape
        place = np.arange(prod(self.weight.shape))
        return place // (outputs * inputs) * inputs + place % inputs, place // inputs, place

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        if len(self.weight.shape) != 2 or isinstance(self.weight.data, RuleArray):
            return None
        target, source = np.nonzero(self.used(self.weight_steps().values))
        is_full = len(source) == self.weight.data.size
        return None if is_full else (source.astype(np.int64), target.astype(np.int64))

    def count_forwards(self, n: Counts) -> Counts:
        *lead, outputs, inputs = self.weight.shape
        given, found = n.reshape(prod(lead), inputs), np.zeros((prod(lead), outputs))
        every = np.ones(outputs, np.bool_)
        for b, index in enumerate(np.ndindex(*lead)):
            for rows, weights in chosen_rows(self.weight_steps(), every, inputs, index):
                found[b, rows] = self.used(weights) @ given[b]
        return found.reshape(shape_of(self.y))

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        *lead, outputs, inputs = self.weight.shape
        shape, steps = shape_of(self.x), self.weight_steps()

        def back(n: Counts) -> Counts:
            given = n.reshape(prod(lead), outputs)
            found = np.zeros((len(given), inputs))
            for b, index in enumerate(np.ndindex(*lead)):
                for rows, weights in chosen_rows(steps, given[b] != 0, inputs, index):
                    found[b] += given[b, rows] @ self.used(weights)
            return found.reshape(shape)

        return back

    def count_synapses(self) -> Ints:
        return np.count_nonzero(self.used(self.weight_steps().values), axis=-1).reshape(-1).astype(np.int64)

    def target_multiplicity(self) -> int:
        return 1

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        return add_by_sign(self.weight.values if weight is None else weight, (-1,))

    def operand_means(self, x: AnyArray) -> AnyArray:
        return np.broadcast_to(x[..., None, :], self.weight.shape)

    def nir_node(self) -> NirNode | None:
        given = {"weight": self.weight_values(), "bias": self.bias, "plasticity": self.plasticity}
        kind = nir.LinearOp if self.bias is None else nir.AffineOp
        return kind, {name: value for name, value in given.items() if value is not None}

    def output_lines(self) -> WeightLines:
        shape = self.weight.shape
        return WeightLines("row", shape, tuple(range(len(shape) - 1)))

    def input_lines(self) -> WeightLines:
        shape = self.weight.shape
        return WeightLines("column", shape, (*range(len(shape) - 2), len(shape) - 1))


@irdl_op_definition
class SparseLinearOp(SynapseOpInterface):
    """Sparse map: `y[o](t) = sum over synapses k with target[k] = o of weight[k] x[source[k]](t - delay[k]), + bias[o]`.

    Terms are added in the order of the synapses, which are sorted by source, then target. Before the first tick x is zero.

    Shapes: weight, source and target [k], delay () or [k]; x and y any, source and target are their flat indices; bias that of y,
    exponent () or that of y; the scale of `quantized` () or [k].
    Units: delay [ticks], 0 or more; default 0.
    Errors: NTE006 an index that is not a neuron, synapses that are not sorted, a negative delay.
    """

    WEIGHTS: ClassVar[str | None] = "weight"
    DELAYS: ClassVar[str | None] = "delay"
    name = "ntensor.sparse_linear"
    weight = prop_def(ArrayAttr)
    source = prop_def(ArrayAttr)
    target = prop_def(ArrayAttr)
    delay = opt_prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    exponent = opt_prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    axon_types = opt_prop_def(AxonTypesAttr)
    plasticity = opt_prop_def(base(StdpAttr) | base(LearningAttr))

    @classmethod
    def of(
        cls, node: str, x: SSAValue, result: Attribute, weight: AnyArray, source: AnyArray, target: AnyArray
    ) -> SparseLinearOp:
        """Returns an op with these synapses, and without optional properties."""
        arrays = {"weight": weight, "source": source, "target": target}
        properties = {name: ArrayAttr.of(array) for name, array in arrays.items()}
        return cls(operands=[x], result_types=[result], properties={"node": StringAttr(node), **properties})

    def verify_(self) -> None:
        shape = self.weight.shape
        verify_rank(self, "weight", shape, 1, "[synapses]")
        verify_integers(self, "source", self.source, shape, 0)
        verify_integers(self, "target", self.target, shape, 0)
        if self.delay is not None:
            verify_shape(self, "delay", self.delay.shape, (), shape)
            verify_integers(self, "delay", self.delay, self.delay.shape, 0)
        verify_indices(self, "source", self.source, prod(shape_of(self.x)), "population")
        verify_indices(self, "target", self.target, prod(shape_of(self.y)), "population")
        self.verify_sorted()
        self.verify_weights(shape_of(self.y))

    def verify_sorted(self) -> None:
        source, target = self.source.values.astype(np.int64), self.target.values.astype(np.int64)
        ahead, same = source[1:] > source[:-1], source[1:] == source[:-1]
        back = np.flatnonzero(~(ahead | (same & (target[1:] >= target[:-1]))))
        if back.size:
            k = int(back[0])
            found = f"synapse {k} from {source[k]} to {target[k]}, then from {source[k + 1]} to {target[k + 1]}"
            help = "sort the synapses by source, then by target"
            refuse_parameter(self, "synapses are not sorted", "by source, then by target", found, help)

    def pairs(self) -> Pairs:
        source, target = (array.values.astype(np.int64) for array in (self.source, self.target))
        return source, target, np.arange(len(source))

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        return None if isinstance(self.source.data, RuleArray) else super().irregular_pairs()

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        source, target, _ = self.used_pairs()
        source = source[np.argsort(target, kind="stable")]
        shape, reads = shape_of(self.x), prod(shape_of(self.x))
        count = np.bincount(target, minlength=prod(shape_of(self.y)))
        start = np.concatenate([[0], np.cumsum(count)])[:-1]

        def back(n: Counts) -> Counts:
            given = n.reshape(-1)
            rows = np.flatnonzero(given)
            size = count[rows]
            total = int(size.sum())
            where = np.arange(total) + np.repeat(start[rows] - (np.cumsum(size) - size), size)
            found = np.bincount(source[where], weights=np.repeat(given[rows], size), minlength=reads)
            return found.astype(np.float64).reshape(shape)

        return back

    def output_lines(self) -> WeightLines:
        target = self.target.values.astype(np.int64)
        return WeightLines("row", self.weight.shape, index=target, lines=prod(shape_of(self.y)))

    def input_lines(self) -> WeightLines:
        source = self.source.values.astype(np.int64)
        return WeightLines("column", self.weight.shape, index=source, lines=prod(shape_of(self.x)))

    def target_multiplicity(self) -> int:
        source, target, _ = self.pairs()
        return 1 if len(unique_integers(source * prod(shape_of(self.y)) + target)) == len(source) else 2


@irdl_op_definition
class FanInLinearOp(SynapseOpInterface):
    """Sparse map with a fixed fan-in, synapses listed by target neuron: `y[o] = sum over k of weight[o, k] x[source[o, k]]`.

    Terms are added in the order of the sources; synapses with the same source keep their order. Both arrays may be rules, so that a
    network of any size takes no memory: `source = #nopt.array<integers(low = 0, high = 1000, seed = 1) : tensor<500x50xi32>>`.

    Shapes: weight and source [o, k]; x of any shape, y of any shape with o neurons; source holds flat indices of x.
    Errors: NTE003 a result that is not real; NTE006 a source that is not a neuron.
    """

    WEIGHTS: ClassVar[str | None] = "weight"
    name = "ntensor.fan_in_linear"
    weight = prop_def(ArrayAttr)
    source = prop_def(ArrayAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        shape, neurons, outputs = self.weight.shape, prod(shape_of(self.x)), prod(shape_of(self.y))
        verify_rank(self, "weight", shape, 2, "[outputs, synapses]")
        verify_shape(self, "weight", shape, (outputs, shape[1]))
        verify_integers(self, "source", self.source, shape, 0)
        verify_indices(self, "source", self.source, neurons, "operand", enough=neurons - 1)
        verify_synapse(self, self.x, self.y, ("weight", self.weight))
        help = "use ntensor.sparse_linear for integers and terms"
        verify_real(self, self.y, "the result of ntensor.fan_in_linear is not real", help)

    def pairs(self) -> Pairs:
        place = np.arange(prod(self.weight.shape))
        return self.source.values.astype(np.int64).reshape(-1), place // self.weight.shape[1], place

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        return None if isinstance(self.source.data, RuleArray) else self.pairs()[:2]

    def count_forwards(self, n: Counts) -> Counts:
        """Does not read the source indices if every count is 1."""
        outputs, width = self.source.shape
        kept = np.ones(1, np.bool_) if isinstance(self.weight.data, RuleArray) else self.weight.values != 0
        if (n == 1).all():
            found = np.broadcast_to(kept, (outputs, width)).sum(axis=1).astype(np.float64)
            return found.reshape(shape_of(self.y))
        found = np.zeros(outputs)
        for rows, sources in chosen_rows(self.source, np.ones(outputs, np.bool_), width):
            found[rows] = (n.reshape(-1)[sources] * np.broadcast_to(kept, (outputs, width))[rows]).sum(axis=1)
        return found.reshape(shape_of(self.y))

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        shape, reads, width = shape_of(self.x), prod(shape_of(self.x)), self.source.shape[1]
        kept = None if isinstance(self.weight.data, RuleArray) else self.weight.values != 0

        def back(n: Counts) -> Counts:
            given = n.reshape(-1)
            found = np.zeros(reads)
            for rows, sources in chosen_rows(self.source, given != 0, width):
                paths = np.repeat(given[rows], width)
                if kept is not None:
                    paths = paths * kept[rows].reshape(-1)
                found += np.bincount(sources.reshape(-1), paths, reads)
            return found.reshape(shape)

        return back

    def count_synapses(self) -> Ints:
        """Counts one synapse for each neuron, since the op has no parts to split."""
        return np.ones(prod(shape_of(self.y)), np.int64)

    def target_multiplicity(self) -> int:
        return 2

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        return None


@irdl_op_definition
class ScaleOp(SynapseOpInterface):
    """Elementwise product: `y = scale x`. Shapes: scale () or that of x; `quantized` applies to the scale."""

    WEIGHTS: ClassVar[str | None] = "scale"
    name = "ntensor.scale"
    scale = prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    axon_types = opt_prop_def(AxonTypesAttr)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verify_shape(self, "scale", self.scale.shape, (), shape_of(self.x))
        verify_shape(self, "the result", shape_of(self.y), shape_of(self.x))
        self.verify_weights(shape_of(self.y))

    @property
    def can_split(self) -> bool:
        return False

    def output_numbers(self, numbers: AnyArray) -> AnyArray | None:
        return numbers.astype(np.float64)

    def carry_scale(self, x: AnyArray) -> AnyArray | None:
        return x

    def pairs(self) -> Pairs:
        place = np.arange(prod(shape_of(self.x)))
        return place, place, place if self.scale.shape else np.zeros_like(place)

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        return None

    def count_forwards(self, n: Counts) -> Counts:
        return n * (self.weight_steps().values != 0)

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        kept = (self.weight_steps().values != 0).astype(np.float64)
        return lambda n: n * kept

    def count_synapses(self) -> Ints:
        return np.ones(prod(shape_of(self.y)), np.int64)

    def target_multiplicity(self) -> int:
        return 0

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        return add_by_sign(self.scale.values if weight is None else weight, ())

    def nir_node(self) -> NirNode | None:
        return nir.ScaleOp, {"scale": self.weight_values()}

    def output_lines(self) -> WeightLines:
        return WeightLines("row", self.scale.shape, (0,) if self.scale.shape else ())

    def input_lines(self) -> WeightLines:
        return WeightLines("column", self.scale.shape, (0,) if self.scale.shape else ())
