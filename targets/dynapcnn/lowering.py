"""Lowers a network of layers in ticks to a `dynapcnn.configuration`: a layer on each core, from the inputs to the outputs.

    %a = ntensor.conv2d "c1" %x {weight = …, bias = …} : i16          dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, weights = …,
    %b = ntensor.neuron "n1" @speck(%a) {params = …}             =>       biases = …, threshold_high = 211 : i64, leak_enable,
    %p = ntensor.sum_pool2d "p1" %b {kernel = [2, 2]}                     destinations = [[3, 2]]}
    %c = ntensor.linear "fc" %p : i16                                 dynapcnn.cnn_layer "fc" of "n2" {layer = 3 : i64, …, monitor_enable}
    %y = ntensor.neuron "n2" @speck(%c)

1. A layer is one linear or conv2d op and its population. Its events come from populations and inputs by sum pools of 1, 2 or 4, which become
   those of the destinations. Other pools before a dense layer become part of its kernels.
2. A dense layer is a convolution with one position: its kernel is the map before it. A vector is a map of 1 x 1, with a feature for each element.
   A dense layer over a map that is not square has zeros in a square kernel.
3. Groups and dilation of a convolution become zeros of its kernels. A pool before a population is a convolution with ones.
4. Maps `[c, y, x]` become feature_count, x and y; kernels `[f, c, y, x]` become `[f, c, x, y]`.
5. Outputs are the monitored events of populations.
6. `placement.py` assigns layers to cores. A layer that it splits by features becomes a layer on each core, whose `feature_shift` is its first feature.

Exactness: exact.

Errors: CHI014 to DYN009; DYN003 to DYN007 a limit of a core; DYN010, DYN011 no assignment to cores; DEV023 no device is specified.
Source: sinabs 3.1.3, backend/dynapcnn: dynapcnn_layer.py, chips/dynapcnn.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from attrs import evolve
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, UnitAttr, f32, f64, i1, i64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.limits import OTHER_DEVICE
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.diagnostics import Code, InvalidOp, Refused, describe_op, refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import dynapcnn, ntensor
from ...dialects.chip_base.parts import CHI011, CHI016
from ...dialects.dynapcnn.limits import FAN_OUT, POOL, STRIDE, THRESHOLD_BITS, WEIGHT_BITS, is_power, verify_limits
from ...passes.pipelines import to_device_neurons
from ..network_conversion import convert_networks, converted_network, neuron_options, refuse_layers
from .integers import int_array, narrow
from .placement import place_layers
from .split import LayerPart
from .stages import (
    Kernels,
    LayerOps,
    Map,
    convolution_kernels,
    dense_kernels,
    layers_of,
    map_of,
    past_reshapes,
    pool_kernels,
)

DYN012 = Code("DYN012", "layer-neurons-differ", "neurons of a layer differ")
DYN009 = Code("DYN009", "signal-not-events", "an input or output is not one of events")
HIGH, LOW, BIAS = "th", "low", "bias"
"""Parameters of the device's neurons."""
RESET, TO_ZERO = "reset", "zero"
"""The option of the device's neuron, and its value for `return_to_zero`."""
QUANTIZE_LAYERS = "ntensor-quantize-layers"
QUANTIZE = Phrase(PassesOption(QUANTIZE_LAYERS))
SPLIT_POOLS = Phrase(PassesOption("ntensor-split-pools"))
REMEDIES = {
    WEIGHT_BITS: QUANTIZE,
    THRESHOLD_BITS: QUANTIZE,
    FAN_OUT: Phrase(PassesOption("ntensor-replicate-fan-out{max-fan-out=2}")),
    POOL: SPLIT_POOLS,
}
"""Passes that help where a layer exceeds the limit of a field of the device."""


@dataclass(frozen=True)
class ConvertNtensorToDynapcnnPass(NoptPass):
    """Converts every `ntensor.network`."""

    name = "convert-ntensor-to-dynapcnn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_networks(op, lambda network: Builder(network, device_of(network)).configuration())


def part_of(layer: dynapcnn.CnnLayerOp, part: LayerPart) -> dynapcnn.CnnLayerOp:
    """Returns the features of a layer that a core computes, without destinations."""
    chosen, (_, x, y) = slice(part.first, part.first + part.features), layer.made
    changed: dict[str, Attribute] = {
        "layer": IntegerAttr(part.core, i64),
        "output_shape": int_array((part.features, x, y)),
        "weights": narrow(layer.weights.values[chosen]),
    }
    if layer.biases is not None:
        changed["biases"] = narrow(layer.biases.values[chosen])
    if part.first:
        changed["feature_shift"] = IntegerAttr(part.first, i64)
    made = dynapcnn.CnnLayerOp(properties={**layer.properties, **changed})
    made.location = layer.location
    return made


class Builder:
    """The conversion of one network."""

    def __init__(self, network: ntensor.NetworkOp, device: Device):
        self.network, self.device = network, device
        self.updates = ntensor.updates_of(network)
        self.stages = layers_of(network)
        self.places: dict[SSAValue, int] = {stage.neuron.z: k for k, stage in enumerate(self.stages)}
        self.kernels = [self.kernels_of(stage) for stage in self.stages]
        """The kernels of each layer."""

    def configuration(self) -> dynapcnn.ConfigurationOp:
        """Returns the configuration with all layers placed on cores. Errors: those of the pass."""
        network = self.network
        outputs = [
            self.output(name.data, value)
            for name, value in zip(network.output_names, network.outputs.values, strict=True)
        ]
        monitored = {op.source.data for op in outputs}
        layers = [
            self.layer(stage, kernels, monitored) for stage, kernels in zip(self.stages, self.kernels, strict=True)
        ]
        sends = [self.destinations(stage.neuron.z) for stage in self.stages]
        for layer, rows in zip(layers, sends, strict=True):
            layer.destinations = ArrayAttr.of(np.array(rows, np.int32)) if rows else None
            self.verify(layer)
        places = place_layers(layers, sends, self.device)
        cores = [part_of(layer, part) for layer, parts in zip(layers, places, strict=True) for part in parts]
        rows = [one for one, parts in zip(sends, places, strict=True) for _ in parts]
        for core, row in zip(cores, rows, strict=True):
            if row:
                numbers = [(part.core, pool) for k, pool in row for part in places[k]]
                core.destinations = ArrayAttr.of(np.array(numbers, np.int32))
        inputs = [
            self.input(name.data, arg, places)
            for name, arg in zip(network.input_names, network.body.block.args, strict=True)
        ]
        return converted_network(dynapcnn.ConfigurationOp, network, [*inputs, *cores, *outputs])

    def verify(self, layer: dynapcnn.CnnLayerOp) -> None:
        """Refuses a layer that no core computes. Errors: CHI010, DYN003 to DYN005, DYN007."""
        try:
            layer.verify_()
            verify_limits(layer, self.device)
        except InvalidOp as refusal:
            found = refusal.finding.located(at=describe_op(layer)[0], node=layer.source.data)
            has_remedy = found.path != POOL or all(self.is_stride(pool) for _, pool in layer.sends)
            help = REMEDIES.get(found.path or "", OTHER_DEVICE) if has_remedy else OTHER_DEVICE
            raise Refused(evolve(found, help=help)) from refusal

    def is_stride(self, pool: int) -> bool:
        """Returns whether the device supports a stride of `pool`, so that a layer can compute the pool by its stride."""
        most = self.device.integer(STRIDE)
        return is_power(pool) and (most is None or pool <= most)

    # ---- layers

    def kernels_of(self, stage: LayerOps) -> Kernels:
        """Returns the kernels of a layer. Errors: CHI014 events that come by different pools or maps; CHI015, CHI016."""
        op, first = stage.synapse, stage.reaches[0]
        for one in stage.reaches[1:]:
            if one.pool != first.pool:
                refuse_layers(
                    op,
                    CHI011,
                    "events of a layer come from maps of different sizes",
                    expected="one size of the pools before a sum",
                    found=f"pools of {first.pool} and {one.pool}",
                    advice="use equal pools",
                )
        if isinstance(op, ntensor.SumPool2dOp):
            return pool_kernels(op, first.pool)
        weights = self.weights(op)
        if isinstance(op, ntensor.Conv2dOp):
            return convolution_kernels(op, weights, first.pool)
        source = self.map_of_source(first.source)
        given = first.pooled or source
        return dense_kernels(weights, given, source, first.pool, is_folded=not self.is_pool(first.pool, first.source))

    def is_pool(self, pool: tuple[int, int], source: SSAValue) -> bool:
        """Returns whether a destination can compute a pool. The pool is square and a power of two; destinations of an input compute no pool."""
        most = self.device.integer(POOL)
        if isinstance(source, BlockArgument):
            return pool == (1, 1)
        return pool[0] == pool[1] and is_power(pool[0]) and (most is None or pool[0] <= most)

    def map_of_source(self, source: SSAValue) -> Map:
        return map_of(shape_of(source))

    def layer(self, stage: LayerOps, kernels: Kernels, monitored: set[str]) -> dynapcnn.CnnLayerOp:
        """Returns a layer without a core. Errors: CHI016 to DYN012."""
        op, neuron = stage.synapse, stage.neuron
        options = neuron_options(neuron, self.updates[neuron.update_name], self.device, f32, f64)
        filters, y, x = map_of(shape_of(neuron.z))
        values = {name: self.common(op, neuron, name) for name in (HIGH, LOW, BIAS)}
        biases = self.biases(op, filters) + values[BIAS]
        found: dict[str, Attribute] = {
            "node": op.node,
            "source": neuron.node,
            "layer": IntegerAttr(0, i64),
            "input_shape": int_array((kernels.given[0], kernels.given[2], kernels.given[1])),
            "output_shape": int_array((filters, x, y)),
            "weights": narrow(kernels.weights.transpose(0, 1, 3, 2)),
            "stride": int_array(kernels.stride[::-1]),
            "padding": int_array(kernels.padding[::-1]),
            "threshold_high": IntegerAttr(values[HIGH], i64),
            "threshold_low": IntegerAttr(values[LOW], i64),
        }
        if op.optional_array("bias") is not None or biases.any():
            found["biases"] = narrow(biases)
        if biases.any():
            found["leak_enable"] = UnitAttr()
        if options.get(RESET) == TO_ZERO:
            found["return_to_zero"] = UnitAttr()
        if neuron.node.data in monitored:
            found["monitor_enable"] = UnitAttr()
        made = dynapcnn.CnnLayerOp(properties=found)
        made.location = op.location
        return made

    def weights(self, op: ntensor.SynapseOpInterface) -> Ints:
        """Returns the integer weights of an op. Errors: CHI016."""
        found, exponent = op.weights, op.optional_array("exponent")
        assert found is not None  # a linear op or a convolution
        if found.values.dtype.kind not in "iu" or ntensor.interval_of(element_type(op.y)) is None:
            self.refuse_reals(op, f"weights of {found.values.dtype}, added as {element_type(op.y)}")
        if exponent is not None and exponent.values.any():
            self.refuse_reals(op, f"sums that are shifted by {exponent.values.tolist()} bits")
        return found.values.astype(np.int64)

    def biases(self, op: ntensor.SynapseOpInterface, filters: int) -> Ints:
        """Returns the bias of each filter. Errors: CHI016."""
        bias = op.optional_array("bias")
        if bias is None:
            return np.zeros(filters, np.int64)
        if bias.values.dtype.kind not in "iu":
            self.refuse_reals(op, f"a bias of {bias.values.dtype}")
        return bias.values.astype(np.int64).reshape(-1)

    def refuse_reals(self, op: Operation, found: str) -> None:
        help = Phrase(PassesOption(f"{QUANTIZE_LAYERS},{to_device_neurons(self.device)}"))
        refuse_op(op, CHI016, expected="integers without a shift", found=found, help=help)

    def common(self, op: ntensor.SynapseOpInterface, neuron: ntensor.NeuronOp, name: str) -> int:
        """Returns a parameter that all neurons of a layer share. Errors: DYN012."""
        quantized = op.quantized_weights
        has_scales = quantized is not None and quantized.scale.values.size > 1
        array = dict(neuron.arrays(neuron.params))[name].values
        if array.size and (array != array.reshape(-1)[0]).any():
            refuse_op(
                neuron,
                DYN012,
                f"{name} differs within a layer",
                expected="one value for all neurons of a layer",
                found=f"{array.min()} to {array.max()}",
                help=QUANTIZE if has_scales else OTHER_DEVICE,
            )
        return int(array.reshape(-1)[0])

    # ---- events

    def destinations(self, source: SSAValue) -> list[tuple[int, int]]:
        """Returns the layers that events reach, by their place, with the size of the pool."""
        found: dict[tuple[int, int], None] = {}
        for k, (stage, kernels) in enumerate(zip(self.stages, self.kernels, strict=True)):
            for one in stage.reaches:
                if one.source is source:
                    if kernels.pool[0] != kernels.pool[1]:
                        self.refuse_pool(stage, kernels.pool)
                    found[k, kernels.pool[0]] = None
        return [*found]

    def refuse_pool(self, stage: LayerOps, pool: tuple[int, int]) -> None:
        refuse_op(
            stage.synapse,
            dynapcnn.DYN007,
            "the pool before a convolution is not square",
            expected="1 x 1, 2 x 2 or 4 x 4",
            found=f"{pool[0]} x {pool[1]}",
            **self.device.limit_facts(POOL),
            help=SPLIT_POOLS,
        )

    def input(self, name: str, arg: SSAValue, places: Sequence[Sequence[LayerPart]]) -> dynapcnn.InputOp:
        """Returns an input. Errors: DYN009 another type, or a pool before the first layer."""
        element = element_type(arg)
        if element != i1 and not isinstance(element, ntensor.CountType):
            refuse_op(
                self.network,
                DYN009,
                f'input "{name}" is not one of events',
                node=name,
                expected="spikes or counts",
                found=str(element),
                help=Phrase(PassesOption("ntensor-quantize-inputs{kind=spike}")),
            )
        rows = self.destinations(arg)
        for k, pool in rows:
            if pool != 1:
                refuse_op(
                    self.stages[k].synapse,
                    DYN009,
                    "a convolution reads a pool of the input",
                    expected="events of the input as they are",
                    found=f"a pool of {pool} x {pool}",
                    help=Phrase(PassesOption("ntensor-quantize-inputs{kind=spike},ntensor-split-pools")),
                )
        c, y, x = map_of(shape_of(arg))
        return dynapcnn.InputOp(
            properties={
                "node": StringAttr(name),
                "input_shape": int_array((c, x, y)),
                "layers": int_array([part.core for k, _ in rows for part in places[k]]),
            }
        )

    def output(self, name: str, value: SSAValue) -> dynapcnn.OutputOp:
        """Returns an output. Errors: DYN009."""
        source = past_reshapes(value)
        if source not in self.places:
            owner = source.owner if isinstance(source.owner, Operation) else self.network
            refuse_layers(
                owner,
                DYN009,
                f'output "{name}" is not the events of a population',
                expected="a population of the device",
                found=describe_op(owner)[0],
                advice="put a population of integrate-and-fire neurons before the output",
            )
        return dynapcnn.OutputOp(
            properties={
                "node": StringAttr(name),
                "source": self.stages[self.places[source]].neuron.node,
                "type": value.type,
            }
        )
