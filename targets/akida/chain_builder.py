"""Base of the conversions of both instruction sets: the chain of layers, and the parts that their layers share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, f64, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.limits import OTHER_DEVICE
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics, InvalidOp, Refused, refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.operation import element_type, shape_of
from ...dialects import ntensor
from ...dialects.akida.layer_bases import DenseBase, LayerBase, WindowBase
from ...dialects.akida.model_base import ModelBase
from ...dialects.akida.parts import AVERAGE, MAX, NO_POOL, SAME, VALID, same_margins
from ...dialects.chip_base.parts import CHI014, CHI015, CHI016
from ..network_conversion import converted_network, neuron_options, refuse_layers
from .placement import place_layers
from .stages import LayerOps, expand_help, refuse_unlayered, stages_of

AKI013 = Code("AKI013", "layer-input-type-unsupported", "the input has another type")


class ChainBuilder:
    """The conversion of one network."""

    MODEL: ClassVar[type[ModelBase]]
    ACT_BITS: ClassVar[Mapping[str, int]]
    """Bits of the option `act_bits` of the device's neuron."""
    INPUTS: ClassVar[str]
    """The text for the types of an input."""
    JOINS_POINTS: ClassVar[bool]
    """Whether a convolution of points joins the one of each channel before it."""
    IMAGE: ClassVar[type[WindowBase]]
    CONVOLUTION: ClassVar[type[WindowBase]]
    CHANNELWISE: ClassVar[type[WindowBase]]
    """The layer that begins with a convolution of each channel."""
    DENSE: ClassVar[type[DenseBase]]
    DENSE_AXES: ClassVar[tuple[int, ...]]
    """The axes of the weights `[units, c, h, w]` in the order of the layer."""
    DENSE_SHAPE: ClassVar[tuple[int, ...]]
    """The shape of the weights of a dense layer before the units."""

    def __init__(self, network: ntensor.NetworkOp, device: Device):
        self.network, self.device = network, device
        self.updates = ntensor.updates_of(network)

    def model(self, diagnostics: Diagnostics) -> ModelBase:
        """Returns the model, with its layers on processors. Remarks: AKI011."""
        model = self.unplaced()
        try:
            model.verify_parameters()
        except InvalidOp as refusal:
            raise Refused(refusal.finding) from refusal
        place_layers(model, self.device, diagnostics)
        return model

    def unplaced(self) -> ModelBase:
        """Returns the model before its layers are placed. Errors: CHI014 to CHI013."""
        network = self.network
        bits = self.input_bits()
        stages = stages_of(network, joins_points=self.JOINS_POINTS)
        shape = map_shape(shape_of(network.body.block.args[0]))
        name = network.input_names.data[0].data
        data: list[Operation] = []
        is_image = self.reads_image(bits, shape, stages)
        if not is_image:
            properties = {
                "node": StringAttr(name),
                "input_shape": int32_array(np.array(shape)),
                "input_bits": IntegerAttr(self.stored_bits(bits), i64),
            }
            data.append(self.MODEL.DATA(properties=properties))
        layers: list[LayerBase] = []
        for k, stage in enumerate(stages):
            layer = self.layer(stage, shape, is_image=k == 0 and is_image)
            layers.append(layer)
            shape = layer.output_shape
        self.finish(layers[-1], stages[-1].first)
        outputs = [
            self.MODEL.RESULT(
                properties={"node": StringAttr(output.data), "source": layers[-1].source, "type": value.type}
            )
            for output, value in zip(network.output_names, network.outputs.values, strict=True)
        ]
        own = {
            "ip_version": StringAttr(ip_version(self.device)),
            "input": StringAttr(name) if is_image else None,
        }
        return converted_network(self.MODEL, network, [*data, *layers, *outputs], own)

    @abstractmethod
    def is_readable(self, bits: int) -> bool:
        """Whether an input can have these bits."""
        ...

    @abstractmethod
    def reads_image(self, bits: int, shape: tuple[int, int, int], stages: list[LayerOps]) -> bool:
        """Whether the block of the input computes the first layer. Errors: AKI013."""
        ...

    def stored_bits(self, bits: int) -> int:
        """Returns the bits of the op of an input."""
        return bits

    @abstractmethod
    def is_channelwise(self, stage: LayerOps) -> bool:
        """Whether a layer begins with a convolution of each channel."""
        ...

    @abstractmethod
    def weight_bits(self, stage: LayerOps, weights: AnyArray, kind: type[LayerBase]) -> int:
        """Returns the bits of the weights of a layer. Errors: CHI016."""
        ...

    @abstractmethod
    def activated(self, stage: LayerOps, bias: AnyArray, shared: dict[str, Attribute]) -> dict[str, Attribute]:
        """Returns the layer properties `shared`, extended by bias and activation properties with one entry for each filter. Errors: CHI016, CHI013."""
        ...

    def layer(self, stage: LayerOps, shape: tuple[int, int, int], *, is_image: bool) -> LayerBase:
        """Returns a layer without processors. Errors: CHI015, CHI016, CHI013."""
        if isinstance(stage.first, ntensor.ConvolutionOp):
            layer: LayerBase = self.convolution(stage, shape, is_image=is_image)
        elif isinstance(stage.first, ntensor.LinearOp) and len(stage.first.weight.shape) == 2:
            layer = self.dense(stage, shape, stage.first)
        else:
            refuse_unlayered(stage.first)
        layer.location = stage.first.location
        return layer

    def convolution(self, stage: LayerOps, shape: tuple[int, int, int], *, is_image: bool) -> WindowBase:
        """Returns a layer with a window. Errors: CHI015, CHI016."""
        is_channelwise = self.is_channelwise(stage)
        first = self.plain_convolution(stage.first, shape, shape[2] if is_channelwise else 1)
        weights = self.weights(first)
        kernels = weights.transpose(2, 3, 0, 1) if is_channelwise else weights.transpose(2, 3, 1, 0)
        arrays = {"weights": kernels if is_image else kernels[::-1, ::-1]}
        for points in stage.synapses[1:]:
            arrays["weights_pw"] = self.weights(points).transpose(2, 3, 1, 0)
        kind = self.IMAGE if is_image else self.CHANNELWISE if is_channelwise else self.CONVOLUTION
        bits = self.weight_bits(stage, np.concatenate([array.reshape(-1) for array in arrays.values()]), kind)
        padding = self.padding(first)
        properties = {
            **self.shared(stage, shape, bits),
            **{name: int8_array(array) for name, array in arrays.items()},
            "kernel_stride": int32_array(first.stride.values),
            "padding": StringAttr(padding),
            **self.pooling(stage, padding),
        }
        return kind(properties=properties, regions=[Region(Block())])

    def dense(self, stage: LayerOps, shape: tuple[int, int, int], op: ntensor.LinearOp) -> DenseBase:
        """Returns a dense layer. Its inputs are in the order of the instruction set."""
        height, width, channels = shape
        weights = self.weights(op)
        bits = self.weight_bits(stage, weights, self.DENSE)
        if stage.pool is not None:
            refuse_unlayered(stage.pool)
        by_map = weights.reshape(-1, channels, height, width).transpose(*self.DENSE_AXES)
        stored = int8_array(by_map.reshape(*self.DENSE_SHAPE, len(weights)))
        return self.DENSE(properties={**self.shared(stage, shape, bits), "weights": stored}, regions=[Region(Block())])

    def shared(self, stage: LayerOps, shape: tuple[int, int, int], bits: int) -> dict[str, Attribute]:
        """Returns the properties of all layers."""
        shared: dict[str, Attribute] = {
            "node": stage.synapses[-1].node,
            "source": StringAttr(stage.source),
            "input_shape": int32_array(np.array(shape)),
            "weights_bits": IntegerAttr(bits, i64),
        }
        return self.activated(stage, self.bias(stage), shared)

    def finish(self, layer: LayerBase, op: ntensor.SynapseOpInterface) -> None:
        """Adds the properties that only the last layer has; `op` is the synapse op of this layer."""

    # ---- parts of layers

    def input_bits(self) -> int:
        """Returns the bits of the network's only input. Errors: CHI014, AKI013."""
        network = self.network
        args = network.body.block.args
        if len(args) != 1:
            names = ", ".join(name.data for name in network.input_names)
            refuse_layers(network, CHI014, expected="one input", found=names, advice="feed the network by one input")
        element = element_type(args[0])
        bits = 1 if element == i1 else element.bits.data if isinstance(element, ntensor.CountType) else 0
        if not self.is_readable(bits):
            refuse_layers(
                network,
                AKI013,
                node=network.input_names.data[0].data,
                expected=self.INPUTS,
                found=str(element),
                advice="declare the input as a tensor of !ntensor.count<8>, or of fewer bits",
            )
        return bits

    def bias(self, stage: LayerOps) -> AnyArray:
        """Returns the bias that is added to the potential of each filter. Errors: CHI016."""
        last = stage.synapses[-1]
        for op in stage.synapses:
            exponent = op.optional_array("exponent")
            if exponent is not None and exponent.values.any():
                refuse_layers(
                    op,
                    CHI016,
                    "sums are shifted",
                    expected="no exponent",
                    found=str(exponent.values.tolist()),
                    advice="fold the exponent into the threshold and the step",
                )
        for op in stage.synapses[:-1]:
            if (inner := op.optional_array("bias")) is not None and inner.values.any():
                refuse_layers(
                    op,
                    CHI016,
                    "a bias between both parts of a separable layer",
                    expected="no bias",
                    found="one",
                    advice="move the bias to the convolution of points",
                )
        given = last.optional_array("bias")
        filters = shape_of(last.y)[0]
        if given is None:
            return np.zeros(filters, np.int64)
        self.require_integers(last, "the bias", given.values)
        return given.values.astype(np.int64)

    def activation_bits(self, neuron: ntensor.NeuronOp) -> int:
        """Returns the bits of a population of the device's neuron. Errors: CHI013."""
        options = neuron_options(neuron, self.updates[neuron.update_name], self.device, f64)
        return self.ACT_BITS[options.get("act_bits", "one")]

    def by_filter(self, neuron: ntensor.NeuronOp, name: str, values: AnyArray, filters: int) -> AnyArray:
        """Returns one value for each filter. Errors: CHI016 positions of a map with different values."""
        rows = np.broadcast_to(values, shape_of(neuron.z)).reshape(filters, -1)
        if (rows != rows[:, :1]).any():
            refuse_layers(
                neuron,
                CHI016,
                f"{name} differs within a channel",
                expected="one value for each channel",
                found="several",
                advice="give all positions of a channel the same value",
            )
        return rows[:, 0]

    def weights(self, op: ntensor.SynapseOpInterface) -> AnyArray:
        """Returns the weights of an op. Errors: CHI016."""
        found = op.weights
        assert found is not None  # ops with weights
        self.require_integers(op, "the weights", found.values)
        return found.values.astype(np.int64)

    def require_integers(self, op: Operation, what: str, values: AnyArray) -> None:
        if values.dtype.kind not in "iub" or ntensor.interval_of(element_type(op.results[0])) is None:
            found = f"numbers of {values.dtype}, added as {element_type(op.results[0])}"
            help = Phrase(PassesOption("ntensor-quantize-weights{bits=4}"))
            refuse_op(op, CHI016, f"{what} are reals", expected="integers", found=found, help=help)

    def bits_of(self, op: ntensor.SynapseOpInterface, weights: AnyArray, ranges: Mapping[int, tuple[int, int]]) -> int:
        """Returns the fewest bits of some weights. Errors: CHI016."""
        low, high = int(weights.min(initial=0)), int(weights.max(initial=0))
        for bits, (least_weight, greatest) in ranges.items():
            if least_weight <= low and high <= greatest:
                return bits
        most = max(ranges)
        message = "weights have more bits than the layer holds"
        parts = {"expected": f"{ranges[most][0]} to {ranges[most][1]} ({most} bits)", "found": f"{low} to {high}"}
        if op.quantized_weights is not None:
            help = Phrase(PassesOption(f"ntensor-quantize-weights{{bits={most} per=neuron}}"))
            refuse_op(op, CHI016, message, help=help, **parts)
        refuse_layers(op, CHI016, message, advice=f"use weights of {most} bits", **parts)

    def plain_convolution(
        self, first: ntensor.SynapseOpInterface, shape: tuple[int, int, int], groups: int
    ) -> ntensor.Conv2dOp:
        """Returns a convolution of a map that is not reshaped. Errors: CHI015."""
        if not isinstance(first, ntensor.Conv2dOp) or (first.dilation.values != 1).any():
            refuse_unlayered(first)
        if shape_of(first.x) != (shape[2], *shape[:2]):
            message, advice = "a convolution reads a reshaped map", "remove the reshape, or use a dense layer"
            expected, found = str([shape[2], *shape[:2]]), str(list(shape_of(first.x)))
            refuse_layers(first, CHI015, message, expected=expected, found=found, advice=advice)
        given = first.groups.value.data
        if given != groups:
            advice = "use one group, or a convolution of each channel followed by one of points"
            message, expected = "a layer has groups of channels", "1 group" if groups == 1 else f"{groups} groups"
            found, help = f"{given} groups", expand_help(first)
            refuse_op(first, CHI015, message, expected=expected, found=found, help=help, notes=(advice,))
        return first

    def padding(self, op: ntensor.Conv2dOp | ntensor.MaxPool2dOp) -> str:
        """Returns the name of a padding. Errors: CHI015."""
        given = tuple((int(a), int(b)) for a, b in op.padding.values)
        kernel = op.kernel.values.tolist() if isinstance(op, ntensor.MaxPool2dOp) else op.weight.shape[2:]
        same = same_margins(shape_of(op.x)[1:], kernel, op.stride.values.tolist())
        if given == same:
            return SAME
        if not any(map(any, given)):
            return VALID
        message, wanted = "a layer has another padding than the device", str([list(one) for one in same])
        parts = {"expected": f"{wanted}, which keeps the size divided by the stride, or none"}
        parts |= {"found": str([list(one) for one in given])}
        advice = f"set padding to {wanted}"
        if isinstance(op, ntensor.MaxPool2dOp):  # other targets do not compute it
            refuse_op(op, CHI015, message, help=advice, **parts)
        refuse_op(
            op,
            CHI015,
            message,
            help=expand_help(op) if isinstance(op, ntensor.Conv2dOp) else OTHER_DEVICE,
            notes=(advice,),
            **parts,
        )

    def pooling(self, stage: LayerOps, padding: str) -> dict[str, Attribute]:
        """Returns the properties of a pool. Errors: CHI015."""
        match stage.pool:
            case ntensor.MaxPool2dOp() as pool:
                found = self.padding(pool)
                size, stride = pool.kernel.values, pool.stride.values
                fits = found == padding or (found == SAME and shape_of(pool.y)[1:] == valid_outputs(pool))
                if not fits:
                    message = "the pool of a layer has another padding than its convolution"
                    advice = f"use padding {padding} for both"
                    refuse_op(pool, CHI015, message, expected=padding, found=found, help=advice)
                sizes = {"pool_size": int32_array(size), "pool_stride": int32_array(stride)}
                return {"pool_type": StringAttr(MAX), **sizes}
            case ntensor.SumPool2dOp():
                return {"pool_type": StringAttr(AVERAGE)}
            case _:
                return {"pool_type": StringAttr(NO_POOL)}


def ip_version(device: Device) -> str:
    """Returns the version of the processors in the vendor's words."""
    return f"v{device.integer('features.ip_version') or 1}"


def valid_outputs(pool: ntensor.MaxPool2dOp) -> tuple[int, ...]:
    """Returns the positions of a pool without padding."""
    sizes = zip(shape_of(pool.x)[1:], pool.kernel.values.tolist(), pool.stride.values.tolist(), strict=True)
    return tuple((n - k) // s + 1 for n, k, s in sizes)


def map_shape(shape: tuple[int, ...]) -> tuple[int, int, int]:
    """Returns a map `[h, w, c]`: of `[c, y, x]`, else all elements as channels."""
    if len(shape) == 3:
        return shape[1], shape[2], shape[0]
    return 1, 1, prod(shape)


def int32_array(values: AnyArray) -> ArrayAttr:
    return ArrayAttr.of(np.ascontiguousarray(values.astype(np.int32)))


def int8_array(values: AnyArray) -> ArrayAttr:
    return ArrayAttr.of(np.ascontiguousarray(values.astype(np.int8)))
