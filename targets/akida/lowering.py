"""Lowers a network of layers in ticks to an `akida.model`: a chain of synapses, pools and activations, from the input to the output.

    %a = ntensor.conv2d "c1" %x {…} : i16                          akida.convolutional "c1" of "n1" attributes {weights = …,
    %b = ntensor.max_pool2d "p1" %a {…}                     =>         kernel_stride = [1, 1], padding = "same", pool_type = "max", …,
    %y = ntensor.neuron "n1" @akida.four(%b) {params = …}              act_bits = 4, threshold = …, act_step = …} { akida.np "CNP1" {…} }

1. A layer is one op with weights, or a convolution of each channel followed by one of all channels at each point (separable); then a pool of
   potentials (`max_pool2d`, or `sum_pool2d` over the whole map), and the neuron of the device. The last layer may lack the neuron.
2. A map `[c, y, x]` becomes `[h, w, c]` with h = y and w = x. Kernels of all convolutions but the input convolution are mirrored. A dense layer
   after a map reads (c, w, h), so its columns are reordered.
3. A bias b is subtracted from the threshold; of a map that is summed, b times its positions.
4. The bits of weights are the fewest that hold their values: 0 and 1, as of `ntensor-quantize-weights{bits=1 grid=unsigned}`; -1 to 1; -7 to 7;
   and -128 to 127 in the input convolution.
5. Padding must be that of `same`, split as the vendor's, or none (`valid`).
6. `placement.py` assigns the layers to neural processors.

Exactness: exact.

Errors: AKL001 a network that is not a chain; AKL002 an op that no layer computes; AKL003 weights, bias or potentials that are not integers of
the device; AKL004 an input of another type; AKL005 another neuron; AKI009 weights that cannot learn; those of the placement; PLN001 no device is specified.
Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, f64, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.rewriter import Rewriter

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.device_attr import DEVICE
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.diagnostics import Code, refuse_op
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass, suggest_pass
from ...core.neuron.neuron import parse_neurons
from ...dialects import akida, ntensor
from ...dialects.akida import AKI009, IMAGE_BITS, STEPS, WEIGHTS, same_margins
from ...dialects.akida_ops.layers import MAX, NO_POOL, SAME, VALID
from ...dialects.equations.build import build_update
from ...passes.node_selection import erase_unused_updates, networks
from ...passes.quantize.ntensor_quantize_weights import NtensorQuantizeWeightsPass
from .placement import place_layers
from .stages import AKL001, AKL002, LayerOps, refuse_unlayered, stages_of

AKL003 = Code("AKL003", "weights or biases are not integers of the device")
AKL004 = Code("AKL004", "the input has another type")
AKL005 = Code("AKL005", "a population has another neuron than the device")

ACT_BITS = {"one": 1, "two": 2, "four": 4}
"""Bits of the option `act_bits` of the device's neuron."""
THRESHOLD, STEP = "threshold_potential", "act_step"
"""Parameters of the device's neurons."""
LEARNING = "num_weights"
"""The preference that turns learning on; 0 is off."""


@dataclass(frozen=True)
class ConvertNtensorToAkidaPass(NoptPass):
    """Converts every `ntensor.network`."""

    name = "convert-ntensor-to-akida"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        updates = ntensor.find_updates(op)
        for network in networks(op):
            Rewriter.replace_op(network, Builder(network, device_of(network)).model())
        erase_unused_updates(op, updates.values())


class Builder:
    """The conversion of one network."""

    def __init__(self, network: ntensor.NetworkOp, device: Device):
        self.network, self.device = network, device
        self.updates = ntensor.updates_of(network)

    def model(self) -> akida.ModelOp:
        """Returns the model, with its layers on processors."""
        found = self.unplaced()
        place_layers(found, self.device)
        return found

    def unplaced(self) -> akida.ModelOp:
        """Returns the model before its layers are placed. Errors: AKL001 to AKL005."""
        network = self.network
        bits = self.input_bits()
        stages = stages_of(network)
        shape = map_shape(shape_of(network.body.block.args[0]))
        name = network.input_names.data[0].data
        data: list[Operation] = []
        if bits != IMAGE_BITS:
            properties = {
                "node": StringAttr(name),
                "input_shape": shape_array(shape),
                "input_bits": IntegerAttr(bits, i64),
            }
            data.append(akida.InputDataOp(properties=properties))
        layers: list[akida.LayerOp] = []
        for k, stage in enumerate(stages):
            layer = self.layer(stage, shape, is_image=k == 0 and bits == IMAGE_BITS)
            layers.append(layer)
            shape = layer.output_shape
        self.add_learning(layers[-1], stages[-1].first)
        outputs = [
            akida.OutputOp(properties={"node": StringAttr(one.data), "source": layers[-1].source, "type": value.type})
            for one, value in zip(network.output_names, network.outputs.values, strict=True)
        ]
        found = akida.ModelOp(
            properties={
                "sym_name": network.sym_name,
                "tick_ns": network.tick_ns,
                "ip_version": StringAttr(ip_version(self.device)),
                "input": StringAttr(name) if bits == IMAGE_BITS else None,
                "approximations": network.approximations,
            },
            regions=[Region(Block([*data, *layers, *outputs]))],
        )
        found.attributes[DEVICE] = network.attributes[DEVICE]
        found.location = network.location
        return found

    # ---- the chain

    def input_bits(self) -> int:
        """Returns the bits of the network's only input. Errors: AKL001, AKL004."""
        network = self.network
        args = network.body.block.args
        if len(args) != 1:
            names = ", ".join(name.data for name in network.input_names)
            refuse_op(network, AKL001, expected="one input", found=names, help="feed the network by one input")
        element = element_type(args[0])
        bits = 1 if element == i1 else element.bits.data if isinstance(element, ntensor.CountType) else 0
        if bits not in (1, 2, 4, IMAGE_BITS):
            refuse_op(
                network,
                AKL004,
                node=network.input_names.data[0].data,
                expected="unsigned integers of 1, 2, 4 or 8 bits: !ntensor.count<N>",
                found=str(element),
                help="declare the input as a tensor of !ntensor.count<8>, or of fewer bits",
            )
        return bits

    # ---- one layer

    def layer(self, stage: LayerOps, shape: tuple[int, int, int], *, is_image: bool) -> akida.LayerOp:
        """Returns a layer without processors. Errors: AKL002, AKL003, AKL005."""
        if isinstance(stage.first, ntensor.ConvolutionOp):
            made: akida.LayerOp = self.convolution(stage, shape, is_image=is_image)
        elif isinstance(stage.first, ntensor.LinearOp) and len(stage.first.weight.shape) == 2:
            made = self.dense(stage, shape, stage.first)
        else:
            refuse_unlayered(stage.first)
        made.location = stage.first.location
        return made

    def shared(self, stage: LayerOps, shape: tuple[int, int, int], bits: int, positions: int) -> dict[str, Attribute]:
        """Returns the properties of all layers. `positions`: elements of the map that are added."""
        bias = self.bias(stage, positions)
        found: dict[str, Attribute] = {
            "node": stage.synapses[-1].node,
            "source": StringAttr(stage.source),
            "input_shape": shape_array(shape),
            "weights_bits": IntegerAttr(bits, i64),
        }
        if stage.neuron is None:
            if bias.any():
                refuse_op(
                    stage.synapses[-1],
                    AKL003,
                    "potentials without an activation have a bias",
                    expected="no bias",
                    found=f"{bias.min()} to {bias.max()}",
                    help="remove the bias of the last layer, and add it to the output",
                )
            return found
        return found | self.activation(stage.neuron, bias)

    def bias(self, stage: LayerOps, positions: int) -> AnyArray:
        """Returns what is added to the potential of each filter. Errors: AKL003."""
        last = stage.synapses[-1]
        for op in stage.synapses:
            exponent = op.optional_array("exponent")
            if exponent is not None and exponent.values.any():
                refuse_op(
                    op,
                    AKL003,
                    "sums are shifted",
                    expected="no exponent",
                    found=str(exponent.values.tolist()),
                    help="fold the exponent into the threshold and the step",
                )
        for op in stage.synapses[:-1]:
            if (inner := op.optional_array("bias")) is not None and inner.values.any():
                help = "move the bias to the convolution of points"
                refuse_op(
                    op,
                    AKL003,
                    "a bias between both parts of a separable layer",
                    expected="no bias",
                    found="one",
                    help=help,
                )
        given = last.optional_array("bias")
        filters = shape_of(last.y)[0]
        if given is None:
            return np.zeros(filters, np.int64)
        self.require_integers(last, "the bias", given.values)
        return given.values.astype(np.int64) * positions

    def activation(self, neuron: ntensor.NeuronOp, bias: AnyArray) -> dict[str, Attribute]:
        """Returns the properties of an activation, one entry for each filter. Errors: AKL003, AKL005."""
        bits = self.activation_bits(neuron)
        arrays = dict(neuron.arrays(neuron.params))
        threshold = self.by_filter(neuron, THRESHOLD, arrays[THRESHOLD].values, len(bias)).astype(np.int64) - bias
        step = self.by_filter(neuron, STEP, arrays[STEP].values, len(bias)).astype(np.float32) / STEPS
        held = np.iinfo(np.int32)
        if not held.min <= threshold.min() <= threshold.max() <= held.max:
            found = f"{threshold.min()} to {threshold.max()}"
            help = "make the bias smaller"
            refuse_op(neuron, AKL003, "threshold and bias exceed 32 bits", expected="32 bits", found=found, help=help)
        return {
            "act_bits": IntegerAttr(bits, i64),
            "threshold": ArrayAttr.of(np.ascontiguousarray(threshold.astype(np.int32))),
            "act_step": ArrayAttr.of(np.ascontiguousarray(step, np.float32)),
        }

    def activation_bits(self, neuron: ntensor.NeuronOp) -> int:
        """Returns the bits of a population of the device's neuron. Errors: AKL005."""
        update = self.updates[neuron.update_name]
        for name, known in self.device.updates.items():
            rules = parse_neurons("\n".join(known.text), known.file or self.device.key).neurons
            rule = next(one for one in rules if one.name == name)
            options = rule.options
            for text in options.get("act_bits", ("one",)):
                given = {"act_bits": text} if options else {}
                if build_update(rule, options=given, precision=f64).is_equal(update):
                    return ACT_BITS[text]
        refuse_op(
            neuron,
            AKL005,
            expected=f"a neuron of {self.device.key}: {', '.join(self.device.updates)}",
            found=f"@{neuron.update_name}",
            help=f"ntensor-convert-updates{{to={self.device.naming.key}}}",
        )

    def by_filter(self, neuron: ntensor.NeuronOp, name: str, values: AnyArray, filters: int) -> AnyArray:
        """Returns one value for each filter. Errors: AKL003 positions of a map with different values."""
        rows = np.broadcast_to(values, shape_of(neuron.z)).reshape(filters, -1)
        if (rows != rows[:, :1]).any():
            refuse_op(
                neuron,
                AKL003,
                f"{name} differs within a channel",
                expected="one value for each channel",
                found="several",
                help="give all positions of a channel the same value",
            )
        return rows[:, 0]

    def weights(self, op: ntensor.SynapseOpInterface) -> AnyArray:
        """Returns the weights of an op. Errors: AKL003."""
        found = op.weights
        assert found is not None  # ops with weights
        self.require_integers(op, "the weights", found.values)
        return found.values.astype(np.int64)

    def require_integers(self, op: Operation, what: str, values: AnyArray) -> None:
        if values.dtype.kind not in "iub" or ntensor.interval_of(element_type(op.results[0])) is None:
            found = f"numbers of {values.dtype}, added as {element_type(op.results[0])}"
            help = "--passes 'ntensor-quantize-weights{bits=4}'"
            refuse_op(op, AKL003, f"{what} are reals", expected="integers", found=found, help=help)

    def bits_of(self, op: Operation, weights: AnyArray, *, least: int, most: int) -> int:
        """Returns the fewest bits of some weights. Errors: AKL003."""
        low, high = int(weights.min(initial=0)), int(weights.max(initial=0))
        for bits, (least_weight, greatest) in WEIGHTS.items():
            if least <= bits <= most and least_weight <= low and high <= greatest:
                return bits
        expected = f"{WEIGHTS[most][0]} to {WEIGHTS[most][1]}"
        refuse_op(
            op,
            AKL003,
            "weights have more bits than the layer holds",
            expected=f"{expected} ({most} bits)",
            found=f"{low} to {high}",
            help=f"quantize the weights to {most} bits",
        )

    def convolution(self, stage: LayerOps, shape: tuple[int, int, int], *, is_image: bool) -> akida.WindowLayerOp:
        """Returns a layer with a window. Errors: AKL002, AKL003."""
        first = stage.first
        if not isinstance(first, ntensor.Conv2dOp) or (first.dilation.values != 1).any():
            refuse_unlayered(first)
        if shape_of(first.x) != (shape[2], *shape[:2]):
            message, help = "a convolution reads a reshaped map", "remove the reshape, or use a dense layer"
            expected, found = str([shape[2], *shape[:2]]), str(list(shape_of(first.x)))
            refuse_op(first, AKL002, message, expected=expected, found=found, help=help)
        separable = len(stage.synapses) == 2
        groups = first.groups.value.data
        if groups != (shape[2] if separable else 1):
            help = "use one group, or a convolution of each channel followed by one of points"
            refuse_op(
                first, AKL002, "a layer has groups of channels", expected="1 group", found=f"{groups} groups", help=help
            )
        weights = self.weights(first)
        summed = isinstance(stage.pool, ntensor.SumPool2dOp)
        kernels = weights.transpose(2, 3, 0, 1) if separable else weights.transpose(2, 3, 1, 0)
        stored = kernels if is_image else kernels[::-1, ::-1]
        points: dict[str, AnyArray] = {}
        every = weights.reshape(-1)
        if separable:
            points["weights_pw"] = self.weights(stage.synapses[1]).transpose(2, 3, 1, 0)
            every = np.concatenate([every, points["weights_pw"].reshape(-1)])
        bits = self.bits_of(first, every, least=2 if separable else 1, most=IMAGE_BITS if is_image else 4)
        padding = self.padding(first)
        found = {
            **self.shared(stage, shape, bits, prod(shape_of(stage.synapses[-1].y)[1:]) if summed else 1),
            "weights": int8_array(stored),
            **{name: int8_array(values) for name, values in points.items()},
            "kernel_stride": pair_array(first.stride.values),
            "padding": StringAttr(padding),
            **self.pooling(stage, padding),
        }
        kind = (
            akida.InputConvolutionalOp
            if is_image
            else akida.SeparableConvolutionalOp
            if separable
            else akida.ConvolutionalOp
        )
        return kind(properties=found, regions=[Region(Block())])

    def padding(self, op: ntensor.Conv2dOp | ntensor.MaxPool2dOp) -> str:
        """Returns the name of a padding. Errors: AKL002."""
        given = tuple((int(a), int(b)) for a, b in op.padding.values)
        kernel = op.kernel.values.tolist() if isinstance(op, ntensor.MaxPool2dOp) else op.weight.shape[2:]
        same = same_margins(shape_of(op.x)[1:], kernel, op.stride.values.tolist())
        if given == same:
            return SAME
        if not any(map(any, given)):
            return VALID
        refuse_op(
            op,
            AKL002,
            "a layer has another padding than the device",
            expected=f"{[list(one) for one in same]}, which keeps the size divided by the stride, or none",
            found=str([list(one) for one in given]),
            help=f"set padding to {[list(one) for one in same]}",
        )

    def pooling(self, stage: LayerOps, padding: str) -> dict[str, Attribute]:
        """Returns the properties of a pool. Errors: AKL002."""
        match stage.pool:
            case ntensor.MaxPool2dOp() as pool:
                found = self.padding(pool)
                size, stride = pool.kernel.values, pool.stride.values
                fits = found == padding or (found == SAME and shape_of(pool.y)[1:] == valid_outputs(pool))
                if not fits:
                    message = "the pool of a layer has another padding than its convolution"
                    help = f"use padding {padding} for both"
                    refuse_op(pool, AKL002, message, expected=padding, found=found, help=help)
                return {
                    "pool_type": StringAttr(MAX),
                    "pool_size": pair_array(size),
                    "pool_stride": pair_array(stride),
                }
            case ntensor.SumPool2dOp():
                return {"pool_type": StringAttr(akida.AVERAGE)}
            case _:
                return {"pool_type": StringAttr(NO_POOL)}

    def dense(self, stage: LayerOps, shape: tuple[int, int, int], op: ntensor.LinearOp) -> akida.FullyConnectedOp:
        """Returns a dense layer; its columns follow the order (c, w, h) of the map."""  # 2
        height, width, channels = shape
        weights = self.weights(op)
        bits = self.bits_of(op, weights, least=1, most=4)
        if stage.pool is not None:
            refuse_unlayered(stage.pool)
        by_map = weights.reshape(-1, channels, height, width).transpose(1, 3, 2, 0)
        found = {**self.shared(stage, shape, bits, 1), "weights": int8_array(by_map.reshape(1, 1, -1, len(weights)))}
        return akida.FullyConnectedOp(properties=found, regions=[Region(Block())])

    def add_learning(self, layer: akida.LayerOp, op: ntensor.SynapseOpInterface) -> None:
        """Adds the parameters of learning that the user chose to the last layer, that of an op. Errors: AKL002, AKI009."""
        chosen = self.device.preferred
        if not chosen.get(LEARNING):
            return
        if not isinstance(layer, akida.FullyConnectedOp):
            refuse_op(
                layer,
                AKL002,
                "only a dense layer learns",
                node=layer.source.data,
                expected="a dense layer at the end",
                found=layer.TYPE,
                help=f"--set preferences.{LEARNING}=0",
            )
        if layer.bits != 1:
            quantize = NtensorQuantizeWeightsPass(bits=1, per="neuron", grid="unsigned", nodes=(layer.node.data,))
            refuse_op(
                op,
                AKI009,
                "only weights of 1 bit learn, which are 0 and 1",
                expected="weights of 0 and 1",
                found=f"{layer.bits} bits: {layer.weights.data.least()} to {layer.weights.data.greatest()}",
                help="use weights of 0 and 1" if op.quantized_weights is None else suggest_pass(quantize),
            )
        values = [float(chosen[name]) for name in akida.LEARNED]
        layer.learning = ArrayAttr.of(np.array(values, np.float32))


def ip_version(device: Device) -> str:
    """Returns the version of the processors in the vendor's words."""
    return f"v{device.whole('features.ip_version') or 1}"


def valid_outputs(pool: ntensor.MaxPool2dOp) -> tuple[int, ...]:
    """Returns the positions of a pool without padding."""
    sizes = zip(shape_of(pool.x)[1:], pool.kernel.values.tolist(), pool.stride.values.tolist(), strict=True)
    return tuple((n - k) // s + 1 for n, k, s in sizes)


def map_shape(shape: tuple[int, ...]) -> tuple[int, int, int]:
    """Returns a map `[h, w, c]`: of `[c, y, x]`, else all elements as channels."""
    if len(shape) == 3:
        return shape[1], shape[2], shape[0]
    return 1, 1, prod(shape)


def shape_array(shape: tuple[int, int, int]) -> ArrayAttr:
    return ArrayAttr.of(np.array(shape, np.int32))


def pair_array(values: AnyArray) -> ArrayAttr:
    return ArrayAttr.of(np.ascontiguousarray(values.astype(np.int32)))


def int8_array(values: AnyArray) -> ArrayAttr:
    return ArrayAttr.of(np.ascontiguousarray(values.astype(np.int8)))
