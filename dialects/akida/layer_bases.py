"""Parts that the layers of both instruction sets share: processors, the base of layers, and windows on maps.

A map is `[h, w, c]`, as an image array of the vendor. Weights of convolutions are `[kh, kw, c, f]`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from math import prod
from typing import ClassVar, cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import ParsePropInAttrDict, opt_prop_def, prop_def, region_def, traits_def
from xdsl.traits import NoTerminator

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.records import Device
from ...core.diagnostics import choices_text
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import NoptOperation
from ..chip_base.user import ResourceUserOpInterface
from .parts import (
    AVERAGE,
    CNP1,
    FNP2,
    FNP3,
    HRC,
    MAX,
    NO_POOL,
    SAME,
    VALID,
    Needs,
    Tile,
    refuse_layer,
    same_outputs,
    verify_map,
)

Shape = tuple[int, int, int]
"""Height, width and channels of a map."""


class NpBase(ResourceUserOpInterface):
    """Base of the part of a layer on one neural processor: some filters or units, at some positions of the input.

    Shapes: ident [3]: column, row and number of the NP; filters [2]: the first one and their number; tile [4]: the first h and w of the
    input, and their numbers. Units: bytes of its input, of its weights, and of weights in external memory.
    """

    ARRAYS: ClassVar[Mapping[str, int]] = {"ident": 3, "filters": 2, "tile": 4}
    """Numbers of entries of the arrays."""
    BYTES: ClassVar[tuple[str, ...]] = ("input_bytes", "weight_bytes", "external_bytes")
    function = prop_def(StringAttr)
    ident = prop_def(ArrayAttr)
    filters = prop_def(ArrayAttr)
    tile = prop_def(ArrayAttr)
    input_bytes = prop_def(IntegerAttr.constr(i64))
    weight_bytes = prop_def(IntegerAttr.constr(i64))
    external_bytes = prop_def(IntegerAttr.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$function attr-dict"

    def __init__(self, function: str, ident: tuple[int, ...], filters: tuple[int, int], tile: Tile, needs: Needs):
        arrays = zip(self.ARRAYS, (ident, filters, tile), strict=True)
        super().__init__(
            properties={
                "function": StringAttr(function),
                **{name: ArrayAttr.of(np.array(value, np.int32)) for name, value in arrays},
                **{name: IntegerAttr(value, i64) for name, value in zip(self.BYTES, needs, strict=True)},
            }
        )

    def numbers(self, name: str) -> tuple[int, ...]:
        """Returns the entries of `ident`, `filters` or `tile`."""
        return tuple(int(n) for n in cast("ArrayAttr", self.properties[name]).values)

    def layers(self) -> tuple[str, ...]:
        layer = self.parent_op()
        return (layer.source.data,) if isinstance(layer, LayerBase) else ()

    def unit(self) -> tuple[str, int | None]:
        place = "/".join(str(number) for number in self.ident.values.tolist())
        return f"{self.function.data} {place}", None

    def quantities(self, device: Device) -> dict[str, int]:
        """Returns the memory that limits of all devices name; weights in the memory of the input have a limit of their own."""
        input_bytes, weights, _ = self.needs
        return {"axon_bytes": input_bytes} | ({} if self.function.data == FNP3 else {"synapse_bytes": weights})

    @property
    def needs(self) -> Needs:
        """Returns bytes of input, weights and external weights."""
        return self.input_bytes.value.data, self.weight_bytes.value.data, self.external_bytes.value.data

    def verify_(self) -> None:
        for name, size in self.ARRAYS.items():
            array = cast("ArrayAttr", self.properties[name])
            if array.shape != (size,) or array.data.dtype.kind not in "iu":
                refuse_layer(self, f"{name} has another shape", f"{size} integers", str(array.values.tolist()))


class LayerBase(NoptOperation):
    """Base of the layers of both instruction sets. `source` is the node of the network whose values the layer computes.

    `pass_number` is the pass over the processors in which the layer runs, from 0, which is the default. For each frame, one pass follows the other,
    and each has all processors of the device.

    Shapes: input_shape [3]; weights as the layer defines them.
    """

    TYPE: ClassVar[str]
    """The layer type of the vendor."""
    FUNCTIONS: ClassVar[tuple[str, ...]]
    """The functions of processors that can compute the layer, the first choice first."""
    RANGES: ClassVar[dict[int, tuple[int, int]]]
    """The least and the greatest weight, by the bits of the weights."""
    ACT_BITS: ClassVar[tuple[int, ...]]
    """Bits that an activation can have."""
    ACTIVATION: ClassVar[Mapping[str, type[np.generic]]]
    """Parameters of an activation, each with one entry for each filter, and the types of their numbers."""
    IS_CHANNELWISE: ClassVar[bool] = False
    """Whether a filter reads its own channel alone."""
    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    input_shape = prop_def(ArrayAttr)
    weights_bits = prop_def(IntegerAttr.constr(i64))
    weights = prop_def(ArrayAttr)
    act_bits = opt_prop_def(IntegerAttr.constr(i64))
    pass_number = opt_prop_def(IntegerAttr.constr(i64))
    body = region_def("single_block")
    traits = traits_def(NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict-with-keyword $body"
    nps = body_ops(NpBase)

    @property
    def shape(self) -> Shape:
        """Returns the shape of the input."""
        h, w, c = (int(n) for n in self.input_shape.values)
        return h, w, c

    @property
    def bits(self) -> int:
        """Returns the bits of the weights."""
        return self.weights_bits.value.data

    @property
    def number_of_pass(self) -> int:
        return 0 if self.pass_number is None else self.pass_number.value.data

    @property
    def activation_bits(self) -> int | None:
        return None if self.act_bits is None else self.act_bits.value.data

    @property
    def is_dense(self) -> bool:
        return FNP3 in self.FUNCTIONS

    @property
    def is_image(self) -> bool:
        """Whether the block of the input computes the layer."""
        return HRC in self.FUNCTIONS

    @property
    @abstractmethod
    def filters(self) -> int:
        """Returns the number of filters or units."""
        ...

    @property
    @abstractmethod
    def output_shape(self) -> Shape: ...

    def array(self, name: str) -> AnyArray:
        """Returns the values of a property that is an array."""
        return cast("ArrayAttr", self.properties[name]).values

    def stored_weights(self) -> dict[str, AnyArray]:
        """Returns the arrays of weights by the vendor's names."""
        return {"weights": self.weights.values}

    @abstractmethod
    def weight_axes(self) -> Mapping[str, tuple[int | str, ...]]:
        """Returns the axes of the arrays of weights: the size of an axis, or its name if its size is free."""
        ...

    def verify_(self) -> None:
        verify_map(self, self.input_shape)
        if self.bits not in self.RANGES:
            refuse_layer(self, "weights_bits is out of range", choices_text(self.RANGES), str(self.bits))
        arrays = self.stored_weights()
        for name, axes in self.weight_axes().items():
            shape = arrays[name].shape
            is_wrong = [n < 1 or (isinstance(axis, int) and n != axis) for n, axis in zip(shape, axes, strict=False)]
            if len(shape) != len(axes) or any(is_wrong):
                expected = f"[{', '.join(map(str, axes))}]"
                refuse_layer(self, f"{name} have another shape", expected, str(list(shape)))
        self.verify_parameters()
        low, high = self.RANGES[self.bits]
        for name, array in arrays.items():
            if array.dtype != np.int8 or (array.size and not low <= array.min() <= array.max() <= high):
                found = f"{array.dtype}" if array.dtype != np.int8 else f"{array.min()} to {array.max()}"
                refuse_layer(self, f"{name} exceed weights_bits = {self.bits}", f"i8 from {low} to {high}", found)
        self.verify_activation()
        if any(not isinstance(op, NpBase) for op in self.body.block.ops):
            refuse_layer(self, "a layer holds another op than NPs", "processors", "another op")

    def verify_parameters(self) -> None:
        """Refuses windows and other parameters that do not match the input. Errors: CHI010."""

    def verify_activation(self) -> None:
        """Refuses parameters of the activation that do not match the layer. Errors: CHI010."""
        if self.act_bits is None:
            if any(name in self.properties for name in self.ACTIVATION):
                message, expected = "a layer without act_bits has an activation", f"no {' and '.join(self.ACTIVATION)}"
                refuse_layer(self, message, expected, "one")
            return
        if self.activation_bits not in self.ACT_BITS:
            refuse_layer(self, "act_bits is out of range", choices_text(self.ACT_BITS), str(self.activation_bits))
        for name, dtype in self.ACTIVATION.items():
            self.verify_entries(name, dtype)

    def verify_entries(self, name: str, dtype: type[np.generic]) -> None:
        """Refuses an array that has no entry for each filter. Errors: CHI010."""
        array = cast("ArrayAttr | None", self.properties.get(name))
        if array is None or array.shape != (self.filters,) or array.data.dtype != dtype:
            found = "none" if array is None else f"{list(array.shape)} of {array.data.dtype}"
            refuse_layer(self, f"{name} has another shape", f"[{self.filters}] of {np.dtype(dtype)}", found)


class DenseBase(LayerBase):
    """Base of dense layers. The last axis of their weights has the units."""

    FUNCTIONS: ClassVar[tuple[str, ...]] = (FNP3, FNP2)

    @property
    def filters(self) -> int:
        return self.weights.shape[-1]

    @property
    def inputs(self) -> int:
        return prod(self.shape)

    @property
    def output_shape(self) -> Shape:
        return 1, 1, self.filters


class WindowBase(LayerBase):
    """Base of layers with a window. Max pooling compares potentials; `average` adds the whole map.

    Shapes: kernel_stride, pool_size and pool_stride [2]; padding same or valid, pool_type none, max or average.
    """

    FUNCTIONS: ClassVar[tuple[str, ...]] = (CNP1,)
    kernel_stride = prop_def(ArrayAttr)
    padding = prop_def(StringAttr)
    pool_type = prop_def(StringAttr)
    pool_size = opt_prop_def(ArrayAttr)
    pool_stride = opt_prop_def(ArrayAttr)

    @property
    def kernel(self) -> tuple[int, int]:
        return self.weights.shape[0], self.weights.shape[1]

    @property
    def filters(self) -> int:
        return self.weights.shape[2 if self.IS_CHANNELWISE else 3]

    @property
    def margin(self) -> int:
        """Returns the positions that a kernel reads beyond a tile."""
        return (self.kernel[0] - 1) // 2

    @property
    def stride(self) -> tuple[int, int]:
        return pair(self.kernel_stride)

    @property
    def pool(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Returns size and stride of max pooling; None without."""
        if self.pool_type.data != MAX or self.pool_size is None or self.pool_stride is None:
            return None
        return pair(self.pool_size), pair(self.pool_stride)

    @property
    def is_summed(self) -> bool:
        """Whether the potentials of the whole map are added."""
        return self.pool_type.data == AVERAGE

    def window_shape(self, size: tuple[int, int], window: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
        """Returns the positions of a window on a map."""
        if self.padding.data == SAME:
            return same_outputs(size, step)
        return (size[0] - window[0]) // step[0] + 1, (size[1] - window[1]) // step[1] + 1

    @property
    def convolved_shape(self) -> tuple[int, int]:
        """Returns the size of the map before pooling."""
        return self.window_shape(self.shape[:2], self.kernel, self.stride)

    @property
    def output_shape(self) -> Shape:
        if self.is_summed:
            return 1, 1, self.filters
        found = self.convolved_shape
        if (pool := self.pool) is not None:
            found = self.window_shape(found, *pool)
        return *found, self.filters

    def weight_axes(self) -> Mapping[str, tuple[int | str, ...]]:
        return {"weights": ("kh", "kw", self.shape[2], 1 if self.IS_CHANNELWISE else "filters")}

    def verify_parameters(self) -> None:
        if self.padding.data not in (SAME, VALID):
            refuse_layer(self, "unknown padding", f"{SAME} or {VALID}", self.padding.data)
        if self.pool_type.data not in (NO_POOL, MAX, AVERAGE):
            refuse_layer(self, "unknown pool_type", f"{NO_POOL}, {MAX} or {AVERAGE}", self.pool_type.data)
        has_pool = self.pool_type.data == MAX
        for name, array, is_needed in (
            ("kernel_stride", self.kernel_stride, True),
            ("pool_size", self.pool_size, has_pool),
            ("pool_stride", self.pool_stride, has_pool),
        ):
            is_pair = array is not None and array.shape == (2,) and array.data.dtype.kind in "iu"
            if (array is not None) != is_needed or (array is not None and not (is_pair and array.data.least() >= 1)):
                expected = "2 integers from 1" if is_needed else f"none for pool_type = {self.pool_type.data}"
                found = "none" if array is None else str(array.values.tolist())
                refuse_layer(self, f"{name} is out of range", expected, found)
        if (pool := self.pool) is not None and any(s > n for n, s in zip(*pool, strict=True)):
            refuse_layer(self, "pool_stride is above pool_size", f"at most {list(pool[0])}", str(list(pool[1])))
        if min(self.output_shape) < 1:
            refuse_layer(self, "a window is larger than the map", "at least 1 position", str(list(self.output_shape)))


def pair(array: ArrayAttr) -> tuple[int, int]:
    h, w = (int(n) for n in array.values)
    return h, w
