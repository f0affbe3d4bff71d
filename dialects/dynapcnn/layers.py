"""Layers of a configuration: convolution, neurons and destinations of one core.

Errors: CHI010 arrays that do not match each other; DYN013 numbers of the readout block.
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation
from ..chip_base.parts import CHI010
from ..chip_base.user import ResourceUserOpInterface

DYN013 = Code("DYN013", "readout-unsupported", "the readout block does not read a layer")
RECOMPILE = "compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR"
STATE_BYTES = 2
"""Bytes of a neuron: words of 16 bits."""
READOUT_STEP = 4
"""Features from one class of the readout block to the next."""
READOUT_WINDOWS, READOUT_MODES = (1, 16, 32), (1, 2, 3)
"""Edges of the slow clock over which the block averages spikes, and its output modes that do not turn it off."""
MOST_THRESHOLD = 2**16 - 1
"""The greatest threshold of the block, whose averages have 16 bits."""
Map = tuple[int, int, int]
"""Features, x and y."""
Send = tuple[int, int, int]
"""Layer and pooling of a destination, and the channel of the layer that the first feature of the population reaches."""


def refuse_part(op: NoptOperation, message: str, expected: str, found: str, code: Code = CHI010) -> NoReturn:
    """Errors: CHI010, or the given code."""
    invalid(op, code, message, expected=expected, found=found, help=RECOMPILE)


def log2_ceiling(n: int) -> int:
    """Returns the exponent of the smallest power of two that is not below a number."""
    return max(0, n - 1).bit_length()


def kernel_words(channels: int, filters: int, kernel: tuple[int, int]) -> int:
    """Returns the words of the kernels of a layer: c 2^(ceil(log2(kx ky)) + ceil(log2 f))."""
    return channels << log2_ceiling(kernel[0] * kernel[1]) + log2_ceiling(filters)


def neuron_words(shape: Map) -> int:
    """Returns the words of the neurons of a layer: f 2^(ceil(log2 fx) + ceil(log2 fy))."""
    return shape[0] << log2_ceiling(shape[1]) + log2_ceiling(shape[2])


def window_positions(size: int, kernel: int, stride: int, padding: int) -> int:
    """Returns the positions of a window along one axis."""
    return (size + 2 * padding - kernel) // stride + 1


@irdl_op_definition
class CnnLayerOp(ResourceUserOpInterface):
    """A layer on a core: the entry `layer` of `cnn_layers` in the vendor's configuration.

    `source` is the population of the network. An event of a destination has the feature of the neuron, and its position divided by `pooling`.
    `leak_enable` adds the biases at each edge of the slow clock, once in a tick. A population that no core holds has several layers, its parts: each
    computes some of its features, of which `feature_shift` is the first. A destination adds this number to the feature of an event, and the first channel
    that the population reaches: a layer reads several populations side by side.

    `readout` lets the readout block of the chip read the layer, in addition to its destinations: threshold, window in edges of the slow clock, and output
    mode. The block reads every fourth feature, so the chip has 4 f - 3 filters, of which those between are silent.

    Shapes: input_shape, output_shape [3]: feature_count, x, y; weights [f, c, kx, ky]; biases [f]; stride, padding [2]: x, y; destinations
    [n, 2] or [n, 3]: layer, pooling and first channel of each, 0 if it is missing; readout [3]. Units: thresholds in units of a weight. Errors: CHI010.
    """

    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    layer = prop_def(IntegerAttr.constr(i64))
    input_shape = prop_def(ArrayAttr)
    output_shape = prop_def(ArrayAttr)
    weights = prop_def(ArrayAttr)
    biases = opt_prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    threshold_high = prop_def(IntegerAttr.constr(i64))
    threshold_low = prop_def(IntegerAttr.constr(i64))
    return_to_zero = opt_prop_def(UnitAttr)
    leak_enable = opt_prop_def(UnitAttr)
    monitor_enable = opt_prop_def(UnitAttr)
    destinations = opt_prop_def(ArrayAttr)
    feature_shift = opt_prop_def(IntegerAttr.constr(i64))
    readout = opt_prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict"
    name = "dynapcnn.cnn_layer"

    @property
    def number(self) -> int:
        """Returns the number of the core."""
        return self.layer.value.data

    @property
    def given(self) -> Map:
        """Returns the shape of the input."""
        return map_of(self.input_shape)

    @property
    def made(self) -> Map:
        """Returns the shape of the neurons."""
        return map_of(self.output_shape)

    @property
    def first(self) -> int:
        """Returns the first feature of the population that the layer computes."""
        return 0 if self.feature_shift is None else self.feature_shift.value.data

    @property
    def kernel(self) -> tuple[int, int]:
        x, y = self.weights.shape[2:]
        return x, y

    @property
    def thresholds(self) -> tuple[int, int]:
        """Returns threshold_low and threshold_high."""
        return self.threshold_low.value.data, self.threshold_high.value.data

    @property
    def sends(self) -> list[Send]:
        """Returns the destinations."""
        if self.destinations is None:
            return []
        rows = [[int(n) for n in row] for row in self.destinations.values]
        return [(layer, pooling, first[0] if first else 0) for layer, pooling, *first in rows]

    @property
    def fan_out(self) -> int:
        """Returns the number of destinations, the readout block included."""
        return len(self.sends) + (self.readout is not None)

    def axis(self, name: str) -> tuple[int, int]:
        """Returns the x and y of `stride` or `padding`."""
        array = self.stride if name == "stride" else self.padding
        x, y = (int(n) for n in array.values)
        return x, y

    def words(self, filters: int | None = None) -> dict[str, int]:
        """Returns the numbers of kernel, neuron and bias words of the layer, or of a part of it with `filters` filters."""
        count = self.stored_filters(self.made[0] if filters is None else filters)
        return {
            "kernel": kernel_words(self.given[0], count, self.kernel),
            "neuron": neuron_words((count, *self.made[1:])),
            "bias": 0 if self.biases is None else count,
        }

    def stored_filters(self, filters: int) -> int:
        """Returns the filters that the core has for some filters of the layer."""
        return filters if self.readout is None else READOUT_STEP * (filters - 1) + 1

    def layers(self) -> tuple[str, ...]:
        return (self.source.data,)

    def unit(self) -> tuple[str, int | None]:
        return f"core {self.number}", self.number

    def quantities(self, device: Device) -> dict[str, int]:
        """Returns the needs that fields of all devices limit."""
        words = self.words()
        return {
            "synapse_bytes": words["kernel"],
            "neuron_bytes": words["neuron"] * STATE_BYTES,
            "fan_out": self.fan_out,
        }

    def verify_(self) -> None:
        for name, size in (("input_shape", 3), ("output_shape", 3), ("stride", 2), ("padding", 2)):
            array = self.properties[name]
            assert isinstance(array, ArrayAttr)  # the definition
            least = 0 if name == "padding" else 1
            if array.shape != (size,) or array.data.dtype.kind not in "iu" or array.data.least() < least:
                refuse_part(self, f"{name} is invalid", f"{size} integers from {least}", str(array.values.tolist()))
        shape, filters = self.weights.shape, self.made[0]
        if len(shape) != 4 or not self.weights.data.size or self.weights.data.dtype.kind not in "iu":
            refuse_part(self, "weights are not kernels", "integers of shape [f, c, kx, ky]", str(list(shape)))
        if shape[0] != filters or shape[1] != self.given[0]:
            expected, found = f"[{filters}, {self.given[0]}, kx, ky], as the maps have", str(list(shape))
            refuse_part(self, "the weights do not match the maps", expected, found)
        if self.biases is not None and (self.biases.shape != (filters,) or self.biases.data.dtype.kind not in "iu"):
            refuse_part(self, "the biases do not match the filters", f"{filters} integers", str(self.biases.shape))
        if self.leak_enable is not None and self.biases is None:
            refuse_part(self, "leak_enable adds biases", "biases", "none")
        sends = self.destinations
        if sends is not None and (
            sends.data.dtype.kind not in "iu" or len(sends.shape) != 2 or sends.shape[1] not in (2, 3)
        ):
            expected = "rows of layer, pooling and first channel"
            refuse_part(self, "destinations are invalid", expected, str(list(sends.shape)))
        made = tuple(
            window_positions(*one)
            for one in zip(self.given[1:], self.kernel, self.axis("stride"), self.axis("padding"), strict=True)
        )
        if made != self.made[1:]:
            expected, found = f"x, y = {list(made)}", str(list(self.made[1:]))
            refuse_part(self, "output_shape differs from the positions of the kernel", expected, found)
        if (readout := self.readout) is not None:
            verify_readout(self, readout)
        if self.first < 0:
            refuse_part(self, "feature_shift is invalid", "an integer from 0", str(self.first))
        low, high = self.thresholds
        if high < 1 or low > 0:
            refuse_part(
                self, "thresholds are invalid", "threshold_high from 1, threshold_low up to 0", f"{high}, {low}"
            )


def verify_readout(op: CnnLayerOp, readout: ArrayAttr) -> None:
    """Refuses numbers that the readout block does not have. Errors: DYN013."""
    expected = f"a threshold from 1 to {MOST_THRESHOLD}, a window of 1, 16 or 32, and a mode of 1, 2 or 3"
    values = readout.values.tolist()
    if readout.shape != (3,) or readout.data.dtype.kind not in "iu":
        refuse_part(op, "the readout block lacks these numbers", expected, str(values), DYN013)
    threshold, window, mode = values
    if not 1 <= threshold <= MOST_THRESHOLD or window not in READOUT_WINDOWS or mode not in READOUT_MODES:
        refuse_part(op, "the readout block lacks these numbers", expected, str(values), DYN013)


def map_of(array: ArrayAttr) -> Map:
    features, x, y = (int(n) for n in array.values)
    return features, x, y


def wide_range(values: Ints) -> tuple[int, int]:
    """Returns the least and the greatest number, zero included."""
    return int(values.min(initial=0)), int(values.max(initial=0))
