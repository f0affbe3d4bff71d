"""Tables of synapses of the asic dialect, in the three layouts of device files, and the table of output axons.

A table belongs to a group of neurons on one core. An entry connects an input axon of the core with a neuron of the group: an event with
payload p on the axon adds `weight * p` to the sum of the neuron, `delay` ticks after it was sent.

    sum[n](t) = (sum over entries of weight * payload[axon](t - delay) / divisor, + bias[n]) * 2^exponent[n]

0. The weight of an entry is the stored number times 2^weight_exponent.
1. A weight is multiplied by `scale`, which rounds once to the type `weights`.
2. The payloads of events that are sent to one axon in one tick are added first.
3. Entries are added by axon, then by neuron; reals are added in this order, in the type `sums`.
4. The sums of tables with the same port are added from the first table to the last.
5. A negative exponent rounds integers down.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import Any, Self, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import base, irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.joins import join
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.synapse_records import SignMode
from ...core.ir.operation import NoptOperation
from ...core.windows import Window, largest_sizes, window_axes, window_outputs
from ..chip_base.chains import row_counts
from ..chip_base.parts import (
    Entries,
    OutputAxonsBase,
    SynapseTable,
    abbreviate,
    refuse_table,
    verify_grid,
    verify_index,
    verify_matrix,
    verify_synapses,
    verify_whole,
)
from ..chip_base.weights import bits_of_range, sign_of_range
from ..nir import StdpAttr

ORDER = (
    "node",
    "format",
    "port",
    "axons",
    "weight",
    "delay",
    "bias",
    "first",
    "exponent",
    "sums",
    "divisor",
    "scale",
    "weights",
    "weight_exponent",
    "plasticity",
    "step",
)
"""Properties of a table as they are printed; those of its layout follow."""
LARGEST_MAP = 2**26
"""Elements of the largest map that a window moves over; all paths through a window are listed at once."""


class TableOp(SynapseTable):
    """Synapses of one projection into a group of neurons.

    `format` is the format of the device in which the table is stored. `weight_exponent` is that of all its weights, default 0. `axons` lists input axons of the core, ascending. `port` is the
    operand of the neuron's update. `first` is the first tick in which the bias is added, default 0. `sums` is the type of real sums;
    without it they are integers. Only real sums have a `divisor` and a `scale`. `plasticity` is the rule by which the chip changes the weights, in numbers of the network:
    a stored weight of 1 is `step` of them, default 1.

    Shapes: scale and step () or of a shape that broadcasts to [axons, neurons]; bias, first and exponent () or [neurons]. Units: delay and first [ticks].
    """

    format = opt_prop_def(StringAttr)
    port = prop_def(IntegerAttr.constr(i64))
    weight = prop_def(ArrayAttr)
    delay = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    first = opt_prop_def(ArrayAttr)
    exponent = opt_prop_def(ArrayAttr)
    sums = opt_prop_def(base(Float32Type) | base(Float64Type))
    divisor = opt_prop_def(IntegerAttr.constr(i64))
    scale = opt_prop_def(ArrayAttr)
    weights = opt_prop_def(base(Float32Type) | base(Float64Type))
    weight_exponent = opt_prop_def(IntegerAttr.constr(i64))
    plasticity = opt_prop_def(StdpAttr)
    step = opt_prop_def(ArrayAttr)

    @classmethod
    def of(cls, given: Mapping[str, Attribute | None]) -> Self:
        """Returns a table with properties in the order of their definition."""
        names = sorted(
            cls.get_irdl_definition().properties, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER)
        )
        return cls(properties={name: given.get(name) for name in names})

    def valued(self, axon: Ints, neuron: Ints, weight: AnyArray) -> AnyArray:
        """Returns stored weights as they are added; `axon` is a place in `axons`."""
        if k := self.shared_exponent:
            weight = weight.astype(np.int64) << k if k > 0 else weight.astype(np.int64) >> -k
        if self.sums is None:
            return weight
        real = real_dtype(self.sums)
        if self.scale is None:
            return weight.astype(real)
        grid = self.scale.values
        each = grid if not grid.ndim else grid[axon if grid.shape[0] > 1 else 0, neuron if grid.shape[1] > 1 else 0]
        return (weight * each).astype(real if self.weights is None else real_dtype(self.weights)).astype(real)

    @property
    def shared_exponent(self) -> int:
        """Returns the exponent of all weights."""
        return 0 if self.weight_exponent is None else self.weight_exponent.value.data

    @property
    def sign(self) -> SignMode:
        """Returns the sign mode that its weights need, with all values that weights which change can have."""
        values = self.weight.values
        low, high = float(values.min(initial=0)), float(values.max(initial=0))
        if self.plasticity is not None:
            low, high = min(low, self.plasticity.values["w_min"]), max(high, self.plasticity.values["w_max"])
        return sign_of_range(low, high)

    @property
    def rows(self) -> tuple[Ints, Ints]:
        """Returns the different numbers of entries in memory that an axon has, and how many axons have each."""
        return np.array([self.weight.data.size]), np.array([1])

    def window_sizes(self) -> dict[str, int]:
        """Returns the greatest value of each window property of a kernel table; empty for other layouts."""
        return {}

    @property
    def operand(self) -> int:
        return self.port.value.data

    @property
    def longest_delay(self) -> int:
        return int(self.delay.values.max(initial=0))

    def verify_against(self, axons: int, neurons: int) -> None:
        """Refuses indices outside of the core and shapes that do not match the group. Errors: CHI001."""
        super().verify_against(axons, neurons)
        for what, array in (("bias", self.bias), ("first", self.first), ("exponent", self.exponent)):
            if array is not None and array.shape not in ((), (neurons,)):
                refuse_table(self, f"{what} has another shape", f"[] or [{neurons}]", str(list(array.shape)))
        for what, array in (("delay", self.delay), ("first", self.first)):
            if array is not None:
                verify_whole(self, what, array)
        self.verify_numbers()
        if self.scale is not None:
            verify_grid(self, "scale", self.scale, (self.axons.data.size, neurons))
            if self.sums is None or self.weights is None:
                refuse_table(self, "scale is not one of real sums", "the types of sums and of weights", "no type")
        if self.step is not None:
            verify_grid(self, "step", self.step, (self.axons.data.size, neurons))
            if self.plasticity is None:
                refuse_table(self, "step is not one of weights that learn", "a step with plasticity", "no plasticity")
        if self.divisor is not None and (self.sums is None or self.divisor.value.data < 1):
            refuse_table(self, "divisor is not one of real sums", "1 or more, with sums", str(self.divisor.value.data))
        if self.port.value.data < 0:
            refuse_table(self, "port is not an operand of the neuron", "0 or more", str(self.port.value.data))

    def verify_numbers(self) -> None:
        """Refuses reals in a table of integer sums, and an exponent that is not an integer. Errors: CHI001."""
        if k := self.shared_exponent:
            self.verify_exponent(k)
        if self.exponent is not None and self.exponent.data.dtype.kind not in "iu":
            refuse_table(self, "exponent has other numbers", "integers", str(self.exponent.data.dtype))
        if self.sums is None:
            for what, array in (("weight", self.weight), ("bias", self.bias)):
                if array is not None and array.data.dtype.kind not in "iu":
                    refuse_table(self, f"{what} has other numbers", "integers, without sums", str(array.data.dtype))

    def verify_exponent(self, k: int) -> None:
        """Refuses an exponent of real or plastic weights, and an exponent that makes a weight a fraction or exceeds 64 bits. Errors: CHI001."""
        if self.weight.data.dtype.kind not in "iu" or self.plasticity is not None:
            refuse_table(self, "the weights have no exponent", "integers that do not change", "an exponent")
        values = self.weight.values.astype(np.int64)
        most = 63 - bits_of_range(int(values.min(initial=0)), int(values.max(initial=0)))
        if k > most or k < -63 or (k < 0 and (values & ((1 << -k) - 1)).any()):
            refuse_table(self, "weight_exponent is out of range", f"at most {most}, and integers as weights", str(k))


def real_dtype(type: Float32Type | Float64Type) -> np.dtype[Any]:
    return np.dtype(f"f{type.bitwidth // 8}")


@irdl_op_definition
class SparseOp(TableOp):
    """Existing synapses only.

    Shapes: axon (a place in `axons`), neuron and weight [synapses]; delay () or [synapses]. Units: delay [ticks].
    Errors: CHI001.
    """

    name = "asic.sparse"
    axon = prop_def(ArrayAttr)
    neuron = prop_def(ArrayAttr)

    @property
    def rows(self) -> tuple[Ints, Ints]:
        return row_counts(np.bincount(self.axon.values))

    def entries(self, neurons: Ints) -> Entries:
        axon, neuron, weight = self.axon.values.astype(np.int64), self.neuron.values, self.weight.values
        delay = np.broadcast_to(self.delay.values, weight.shape)
        weight = self.valued(axon, neuron, weight)
        return Entries(
            self.axons.values.astype(np.int64)[axon], neuron.astype(np.int64), weight, delay.astype(np.int64)
        )

    def verify_against(self, axons: int, neurons: int) -> None:
        super().verify_against(axons, neurons)
        shape = self.weight.shape
        verify_synapses(self, self.axon, self.neuron, shape, neurons)
        if self.delay.shape not in ((), shape):
            refuse_table(self, "delay has another shape", f"[] or {list(shape)}", str(list(self.delay.shape)))


@irdl_op_definition
class DenseOp(TableOp):
    """A synapse for every pair of an axon and a neuron; a weight of 0 adds nothing, and is none unless it changes.

    Shapes: weight [axons, neurons]; delay () or of a shape that broadcasts to it. Units: delay [ticks]. Errors: CHI001.
    """

    name = "asic.dense"

    @property
    def rows(self) -> tuple[Ints, Ints]:
        axons, neurons = self.weight.shape
        return np.array([neurons]), np.array([axons])

    def entries(self, neurons: Ints) -> Entries:
        values = self.weight.values
        axon, neuron = np.nonzero(values if self.plasticity is None else np.ones(values.shape))
        delay = np.broadcast_to(self.delay.values, self.weight.shape)[axon, neuron]
        weight = self.valued(axon, neuron, self.weight.values[axon, neuron])
        return Entries(
            self.axons.values.astype(np.int64)[axon], neuron.astype(np.int64), weight, delay.astype(np.int64)
        )

    def verify_against(self, axons: int, neurons: int) -> None:
        super().verify_against(axons, neurons)
        verify_matrix(self, "weight", self.weight, (self.axons.data.size, neurons))
        verify_grid(self, "delay", self.delay, (self.axons.data.size, neurons))


@irdl_attr_definition
class WindowAttr(ParametrizedAttribute):
    """A window that moves over a map of channels, rows and columns: of a convolution, or of a pool that adds.

    Shapes: size [3]: channels, rows and columns of the operand; kernel, stride and dilation [2]; padding [2, 2]; channels of the result.
    A pool has one group for each channel, and no weights.
    """

    name = "asic.window"
    size: ArrayAttr
    channels: IntegerAttr
    kernel: ArrayAttr
    stride: ArrayAttr
    padding: ArrayAttr
    dilation: ArrayAttr
    groups: IntegerAttr
    is_pool: IntegerAttr

    def window(self) -> Window:
        """Returns the paths through the window."""
        channels, *size = self.size.values.tolist()
        lists = [array.values.tolist() for array in (self.kernel, self.stride, self.padding, self.dilation)]
        kernel, stride, padding, dilation = lists
        outputs = self.outputs
        results, groups = self.channels.value.data, self.groups.value.data
        weights = None if self.is_pool.value.data else np.ones((results, channels // groups, *kernel), np.bool_)
        axes = window_axes(size, outputs, kernel, stride, padding, dilation)
        return Window(axes, (channels, results), weights, groups)

    @property
    def outputs(self) -> tuple[int, ...]:
        """Returns rows and columns of the result."""
        lists = [array.values.tolist() for array in (self.kernel, self.stride, self.padding, self.dilation)]
        return window_outputs(self.size.values.tolist()[1:], *lists)

    def verify_in(self, op: NoptOperation) -> None:
        """Refuses window properties with a wrong shape, or below their least value. Errors: CHI001."""
        for what, shape, low in (
            ("size", (3,), 1),
            ("kernel", (2,), 1),
            ("stride", (2,), 1),
            ("dilation", (2,), 1),
            ("padding", (2, 2), 0),
        ):
            array = cast("ArrayAttr", getattr(self, what))
            verify_whole(op, f"{what} of a window", array)
            if array.shape != shape or int(array.data.least()) < low:
                refuse_table(
                    op, f"{what} of a window is invalid", f"{list(shape)}, at least {low}", abbreviate(array.values)
                )
        channels, results, groups = (
            int(n) for n in (self.size.values[0], self.channels.value.data, self.groups.value.data)
        )
        if groups < 1 or results < 1 or channels % groups or results % groups:
            refuse_table(op, "groups do not divide channels", f"a divisor of {channels} and {results}", str(groups))
        if max(prod(self.size.values.tolist()), results * prod(self.outputs)) > LARGEST_MAP or min(self.outputs) < 1:
            found = f"{self.size.values.tolist()} to {[results, *self.outputs]}"
            refuse_table(op, "the maps of a window are invalid", f"1 to {LARGEST_MAP} elements", found)

    @property
    def weights(self) -> int:
        """Returns the number of its weights."""
        if self.is_pool.value.data:
            return 0
        inputs = int(self.size.values[0]) // self.groups.value.data
        return self.channels.value.data * inputs * prod(self.kernel.values.tolist())


@lru_cache(64)
def paths(windows: tuple[WindowAttr, ...]) -> tuple[Ints, Ints, Ints]:
    """Returns source, target and place of the weight of each path through windows, sorted by source, then target; -1 without a weight."""
    source, target, place = windows[0].window().pairs()
    place = np.full_like(place, -1) if windows[0].is_pool.value.data else place
    for window in windows[1:]:
        into, result, weight = window.window().pairs()
        before, after = join(target, into)
        source, target = source[before], result[after]
        place = place[before] if window.is_pool.value.data else weight[after]
    order = np.lexsort((target, source))
    return source[order], target[order], place[order]


@irdl_op_definition
class KernelOp(TableOp):
    """Synapses of a convolution, which share the weights of its kernel, and of the pools around it; a pool alone has no weights.

    `sources` is the flat index of each axon in the map of the first window.
    Shapes: weight [results, operands / groups, rows, columns] of the convolution, or [0]; sources [axons]; delay () or of a shape that
    broadcasts to [axons, neurons]. Units: delay [ticks]. Errors: CHI001.
    """

    name = "asic.kernel"
    windows = prop_def(base(ListAttr[WindowAttr]))
    sources = prop_def(ArrayAttr)

    def window_sizes(self) -> dict[str, int]:
        return largest_sizes(window.window() for window in self.windows)

    def entries(self, neurons: Ints) -> Entries:
        source, target, place = paths(tuple(self.windows))
        axon_of = np.full(int(source.max(initial=-1)) + 1, -1)
        sources = self.sources.values.astype(np.int64)
        axon_of[sources[sources < len(axon_of)]] = np.flatnonzero(sources < len(axon_of))
        neuron_of = np.full(int(max(target.max(initial=-1), neurons.max(initial=-1))) + 1, -1)
        neuron_of[neurons] = np.arange(len(neurons))
        own = (axon_of[source] >= 0) & (neuron_of[target] >= 0)
        axon, neuron, place = axon_of[source[own]], neuron_of[target[own]], place[own]
        flat = self.weight.values.reshape(-1)
        weight = flat[place] if flat.size else np.ones(len(place), np.int8)
        used = np.flatnonzero(weight)
        order = used[np.lexsort((neuron[used], axon[used]))]
        axon, neuron, weight = axon[order], neuron[order], weight[order]
        delay = np.broadcast_to(self.delay.values, (len(sources), len(neurons)))[axon, neuron]
        weight = self.valued(axon, neuron, weight)
        return Entries(self.axons.values.astype(np.int64)[axon], neuron, weight, delay.astype(np.int64))

    def verify_against(self, axons: int, neurons: int) -> None:
        super().verify_against(axons, neurons)
        verify_index(self, "sources", self.sources, self.axons.shape)
        verify_grid(self, "delay", self.delay, (self.axons.data.size, neurons))
        for window in self.windows:
            window.verify_in(self)
        for one, after in pairwise(self.windows):
            results = prod([one.channels.value.data, *one.outputs])
            if (found := prod(after.size.values.tolist())) != results:
                refuse_table(self, "windows do not match", f"{results} operands", str(found))
        weighted = [window for window in self.windows if not window.is_pool.value.data]
        if not self.windows.data or len(weighted) > 1:
            refuse_table(
                self, "windows are not those of one convolution", "pools, and at most one convolution", "another list"
            )
        wanted = weighted[0].weights if weighted else 0
        if self.weight.data.size != wanted:
            refuse_table(self, "weight has another size", f"{wanted} weights", str(self.weight.data.size))


@irdl_op_definition
class OutputAxonsOp(OutputAxonsBase):
    """Destinations of the spikes of a group or input: an event of the neuron becomes an event on an input axon of a core.

    Shapes: neuron (a place in the group), core and axon [destinations]. Errors: CHI001.
    """

    name = "asic.output_axons"


def as_table(
    kind: type[TableOp],
    node: str,
    port: int,
    axons: Ints,
    weight: AnyArray,
    delay: AnyArray,
    *,
    format: str | None = None,
    bias: AnyArray | None = None,
    first: AnyArray | None = None,
    exponent: AnyArray | None = None,
    sums: Attribute | None = None,
    divisor: int | None = None,
    scale: AnyArray | None = None,
    weights: Attribute | None = None,
    plasticity: Attribute | None = None,
    step: AnyArray | None = None,
    weight_exponent: int = 0,
    **more: Attribute,
) -> TableOp:
    """Returns a table from arrays."""
    properties: dict[str, Attribute | None] = {
        "node": StringAttr(node),
        "format": None if format is None else StringAttr(format),
        "port": IntegerAttr(port, i64),
        "axons": ArrayAttr.of(axons.astype(np.int32)),
        "weight": ArrayAttr.of(weight),
        "delay": ArrayAttr.of(delay.astype(np.int32)),
        "bias": None if bias is None else ArrayAttr.of(bias),
        "first": None if first is None else ArrayAttr.of(first),
        "exponent": None if exponent is None else ArrayAttr.of(exponent),
        "sums": sums,
        "divisor": None if divisor is None else IntegerAttr(divisor, i64),
        "scale": None if scale is None else ArrayAttr.of(scale),
        "weights": weights,
        "weight_exponent": IntegerAttr(weight_exponent, i64) if weight_exponent else None,
        "plasticity": plasticity,
        "step": None if step is None else ArrayAttr.of(step),
        **more,
    }
    return kind.of(properties)
