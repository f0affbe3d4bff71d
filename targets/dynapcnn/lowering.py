"""Lowers a network of layers in ticks to a `dynapcnn.configuration`: a layer on each core, from the inputs to the outputs.

    %a = ntensor.conv2d "c1" %x {weight = …, bias = …} : i16          dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, weights = …,
    %b = ntensor.neuron "n1" @speck(%a) {params = …}             =>       biases = …, threshold_high = 211 : i64, leak_enable,
    %p = ntensor.sum_pool2d "p1" %b {kernel = [2, 2]}                     destinations = [[3, 2]]}
    %c = ntensor.linear "fc" %p : i16                                 dynapcnn.cnn_layer "fc" of "n2" {layer = 3 : i64, …, monitor_enable}
    %y = ntensor.neuron "n2" @speck(%c)

1. A layer is a population and the linear ops and convolutions that it adds. Its events come from populations and inputs by sum pools of 1, 2 or 4,
   which become those of the destinations. Other pools become part of the kernels (`windows.py`).
2. A dense layer is a convolution with one position: its kernel is the map before it. A vector is a map of 1 x 1, with a feature for each element.
   A convolution over one axis has maps of one row.
3. Groups and dilation of a convolution become zeros of its kernels, and so do the margins of a kernel that is not square. A pool before a population is
   a convolution with ones. Several ops are channels of one kernel.
4. Maps `[c, y, x]` become feature_count, x and y; kernels `[f, c, y, x]` become `[f, c, x, y]`.
5. Outputs are the monitored events of populations; populations with probes are monitored, too.
6. If no core has the stride, padding or kernel of a layer, its positions become features, each with a kernel over the whole map.
7. `placement.py` assigns layers to cores. A layer that it splits by features becomes a layer on each core, whose `feature_shift` is its first feature.

Exactness: exact.

Errors: CHI014, CHI015, CHI016, DYN009, DYN012; DYN013 an output that the readout block does not read; DYN003 to DYN007 a limit of a core; DYN010, DYN011 no assignment to cores; DEV023 no device is specified.
Source: sinabs 3.1.3, backend/dynapcnn: dynapcnn_layer.py, chips/dynapcnn.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from attrs import evolve, frozen
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, UnitAttr, f32, f64, i1, i64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...core.arrays.numeric import Ints
from ...core.device.limits import OTHER_DEVICE
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.diagnostics import Code, InvalidOp, Refused, describe_op, refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.operation import element_type, shape_of
from ...core.ir.pipeline import NoptPass
from ...dialects import dynapcnn, ntensor
from ...dialects.chip_base.parts import CHI014, CHI015, CHI016
from ...dialects.dynapcnn.layers import DYN013
from ...dialects.dynapcnn.limits import (
    CHANNELS_IN,
    CHANNELS_OUT,
    FAN_OUT,
    KERNEL_SIZE,
    PADDING,
    POOL,
    READOUT_THRESHOLD,
    STRIDE,
    THRESHOLD_BITS,
    WEIGHT_BITS,
    is_power,
    verify_limits,
)
from ...dialects.ntensor.probes import probe_names
from ...passes.pipelines import to_device_neurons
from ..network_conversion import convert_networks, converted_network, neuron_options, refuse_layers
from .integers import destination_rows, int_array, narrow
from .placement import place_layers
from .split import LayerPart, Send
from .stages import LayerInput, LayerOps, Synapse, layers_of, past_reshapes
from .windows import Kernels, Map, Window, is_tiling, join, row_map, size_of, unrolled, window_of, with_pool

DYN012 = Code("DYN012", "layer-neurons-differ", "neurons of a layer differ")
DYN009 = Code("DYN009", "signal-not-events", "an input or output is not one of events")
HIGH, LOW, BIAS = "th", "low", "bias"
"""Parameters of the device's neurons."""
RESET, TO_ZERO = "reset", "zero"
"""The option of the device's neuron, and its value for `return_to_zero`."""
READOUT_WINDOW, READOUT_MODE = "readout_window", "readout_mode"
"""Preferences of the readout block."""
QUANTIZE_LAYERS = "ntensor-quantize-layers"
QUANTIZE = Phrase(PassesOption(QUANTIZE_LAYERS))
SPLIT_POOLS = Phrase(PassesOption("ntensor-split-pools"))
REMEDIES = {
    WEIGHT_BITS: QUANTIZE,
    THRESHOLD_BITS: QUANTIZE,
    FAN_OUT: Phrase(PassesOption("ntensor-replicate-fan-out{max-fan-out=2}")),
}
"""Passes that help where a layer exceeds the limit of a field of the device."""


@frozen(eq=False)
class PlannedInput:
    """The window of an op with synapses, the sum pools from a source to it, and whether the elements of the source are features."""

    window: Window
    pools: tuple[ntensor.SumPool2dOp, ...]
    source: SSAValue
    is_flat: bool


@frozen(eq=False)
class PlannedLayer:
    """The kernels of a layer, and the pool of the destinations that reach each window."""

    kernels: Kernels
    pools: tuple[int, ...]


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


def verify_tiling(pool: ntensor.SumPool2dOp) -> None:
    """Refuses a pool whose windows are not side by side. Errors: CHI015."""
    if is_tiling(pool):
        return
    refuse_op(
        pool,
        CHI015,
        "a pool of a destination has windows side by side",
        expected="a stride that is the size, and no padding",
        found=f"size {' x '.join(map(str, pool.kernel.values))}, stride {' x '.join(map(str, pool.stride.values))}, "
        f"padding {pool.padding.values.tolist()}",
        help=SPLIT_POOLS if all(map(is_power, pool.stride.values.tolist())) else OTHER_DEVICE,
    )


def rows_of(stages: Sequence[LayerOps]) -> set[SSAValue]:
    """Returns the populations and inputs of two axes that a convolution over one axis computes or reads."""
    found: set[SSAValue] = set()
    for stage in stages:
        for part in stage.inputs:
            if isinstance(part.op, ntensor.Conv1dOp):
                found |= {one.source for one in part.reaches if len(shape_of(one.source)) == 2}
                found |= {stage.neuron.z} if len(shape_of(stage.neuron.z)) == 2 else set()
    return found


class Builder:
    """The conversion of one network."""

    def __init__(self, network: ntensor.NetworkOp, device: Device):
        self.network, self.device = network, device
        self.updates = ntensor.updates_of(network)
        self.stages = layers_of(network)
        self.places: dict[SSAValue, int] = {stage.neuron.z: k for k, stage in enumerate(self.stages)}
        self.rows = rows_of(self.stages)
        self.flat: set[SSAValue] = set()
        """The populations whose positions are features."""
        self.plans = [self.planned(stage) for stage in self.stages]

    def configuration(self) -> dynapcnn.ConfigurationOp:
        """Returns the configuration with all layers placed on cores. Errors: those of the pass."""
        network = self.network
        outputs = [
            self.output(name.data, value)
            for name, value in zip(network.output_names, network.outputs.values, strict=True)
        ]
        monitored = {op.source.data for op in outputs} | {*probe_names(network)}
        layers = [
            self.layer(stage, plan.kernels, monitored) for stage, plan in zip(self.stages, self.plans, strict=True)
        ]
        self.add_readout(layers, outputs)
        sends = [self.destinations(stage.neuron.z) for stage in self.stages]
        for layer, rows, stage in zip(layers, sends, self.stages, strict=True):
            layer.destinations = destination_rows(rows)
            self.verify(layer, stage)
        places = place_layers(layers, sends, self.device)
        cores = [part_of(layer, part) for layer, parts in zip(layers, places, strict=True) for part in parts]
        rows = [one for one, parts in zip(sends, places, strict=True) for _ in parts]
        for core, row in zip(cores, rows, strict=True):
            core.destinations = destination_rows(
                [(part.core, pool, first) for k, pool, first in row for part in places[k]]
            )
        inputs = [
            self.input(name.data, arg, places)
            for name, arg in zip(network.input_names, network.body.block.args, strict=True)
        ]
        return converted_network(dynapcnn.ConfigurationOp, network, [*inputs, *cores, *outputs])

    def add_readout(self, layers: Sequence[dynapcnn.CnnLayerOp], outputs: Sequence[dynapcnn.OutputOp]) -> None:
        """Lets the readout block read the layer of the output, if the user turned it on. Errors: DYN013."""
        chosen = self.device.preferred
        if not (threshold := chosen.get(READOUT_THRESHOLD)):
            return
        if len(outputs) != 1:
            found = ", ".join(op.node.data for op in outputs)
            expected, help = "one output", f"--set preferences.{READOUT_THRESHOLD}=0"
            refuse_op(self.network, DYN013, expected=expected, found=found, help=help)
        numbers = (threshold, chosen[READOUT_WINDOW], chosen[READOUT_MODE])
        layer = next(one for one in layers if one.source == outputs[0].source)
        layer.readout = int_array([int(number) for number in numbers])

    def verify(self, layer: dynapcnn.CnnLayerOp, stage: LayerOps) -> None:
        """Refuses a layer that no core computes. Errors: CHI010, DYN003 to DYN005, DYN007."""
        try:
            layer.verify_()
            verify_limits(layer, self.device)
        except InvalidOp as refusal:
            found = refusal.finding.located(at=describe_op(layer)[0], node=layer.source.data)
            pools = [pool for one in stage.reaches for pool in one.pools]
            is_split = found.path == KERNEL_SIZE and pools and all(self.is_stride(pool) for pool in pools)
            help = SPLIT_POOLS if is_split else REMEDIES.get(found.path or "", OTHER_DEVICE)
            raise Refused(evolve(found, help=help)) from refusal

    def is_stride(self, pool: ntensor.SumPool2dOp) -> bool:
        """Returns whether the device has the stride of a pool, so that a layer of its own computes the pool."""
        most = self.device.integer(STRIDE)
        return all(is_power(n) and (most is None or n <= most) for n in pool.stride.values.tolist())

    # ---- layers

    def planned(self, stage: LayerOps) -> PlannedLayer:
        """Returns the kernels of a layer: those of its windows, else unrolled ones where the device has these. Errors: CHI014, CHI015, CHI016."""
        made = self.map_of(stage.neuron.z)
        inputs = [self.planned_input(one) for one in stage.inputs]
        plain = self.plain(inputs, made)
        if plain is not None and self.is_computed(plain.kernels):
            return plain
        wide = self.unrolled(inputs, made)
        if wide is not None and self.is_computed(wide.kernels):
            self.flat.add(stage.neuron.z)
            return wide
        found = plain or wide
        if found is None:
            shapes = ", ".join(" x ".join(map(str, one.window.given)) for one in inputs)
            refuse_layers(
                stage.inputs[0].op,
                CHI014,
                "no kernel computes the maps of a layer together",
                expected="equal sizes of maps, and equal strides",
                found=shapes,
                advice="give the layers that a population adds equal maps and strides",
            )
        return found

    def planned_input(self, part: LayerInput) -> PlannedInput:
        """Returns the window of an op with synapses. Errors: CHI014 events that come by different pools; CHI016."""
        op, first = part.op, part.reaches[0]
        for pool in first.pools:
            verify_tiling(pool)
        sizes = [[pool.kernel.values.tolist() for pool in one.pools] for one in part.reaches]
        if other := next((size for size in sizes if size != sizes[0]), None):
            refuse_layers(
                op,
                CHI014,
                "events of a layer come from maps of different sizes",
                expected="one size of the pools before a sum",
                found=f"pools of {sizes[0]} and {other}",
                advice="use equal pools",
            )
        source = self.map_of(first.source)
        if isinstance(op, ntensor.LinearOp):
            given = size_of(shape_of(first.pools[-1].y)) if first.pools else source
        else:
            given = row_map(shape_of(op.x)) if isinstance(op, ntensor.Conv1dOp) else size_of(shape_of(op.x))
        weights = None if isinstance(op, ntensor.SumPool2dOp) else self.weights(op)
        is_flat = first.source in self.flat or (not first.pools and given != source)
        return PlannedInput(window_of(op, weights, given), first.pools, first.source, is_flat)

    def plain(self, inputs: Sequence[PlannedInput], made: Map) -> PlannedLayer | None:
        """Returns the kernels of windows, with pools at destinations or as a part of the windows; None if there are none."""
        windows, pools = list[Window](), list[int]()
        for one in inputs:
            if one.is_flat:
                return None
            window: Window | None = one.window
            size = self.destination_pool(one)
            for pool in () if size is not None else reversed(one.pools):
                window = None if window is None else with_pool(window, pool, made)
            if window is None:
                return None
            windows.append(window)
            pools.append(size or 1)
        kernels = join(windows, made)
        return None if kernels is None else PlannedLayer(kernels, tuple(pools))

    def unrolled(self, inputs: Sequence[PlannedInput], made: Map) -> PlannedLayer | None:
        """Returns the kernels that compute all positions of a layer as features; None if there are none."""
        sizes = [size_of(shape_of(one.pools[0].x)) if one.pools else one.window.given for one in inputs]
        limit = self.device.integer(KERNEL_SIZE)
        if limit is not None and any(
            max(size[1:]) > limit for size, one in zip(sizes, inputs, strict=True) if not one.is_flat
        ):
            return None
        windows = [unrolled(one.window, made, one.pools, is_flat=one.is_flat) for one in inputs]
        kernels = join(windows, (prod(made), 1, 1))
        return None if kernels is None else PlannedLayer(kernels, (1,) * len(windows))

    def is_computed(self, kernels: Kernels) -> bool:
        """Returns whether a core computes a kernel, its stride and its padding."""
        limits = [self.device.integer(path) for path in (KERNEL_SIZE, STRIDE, PADDING, CHANNELS_IN, CHANNELS_OUT)]
        values = [
            kernels.weights.shape[2],
            max(kernels.stride),
            max(kernels.padding),
            kernels.given[0],
            kernels.made[0],
        ]
        is_held = all(limit is None or n <= limit for n, limit in zip(values, limits, strict=True))
        return is_held and (limits[1] is None or all(map(is_power, kernels.stride)))

    def destination_pool(self, part: PlannedInput) -> int | None:
        """Returns the pool that a destination of the source computes: square, and a power of two; None if no such pool exists."""
        most = self.device.integer(POOL)
        size = np.prod([pool.kernel.values for pool in part.pools], axis=0, dtype=np.int64) if part.pools else (1, 1)
        if size[0] != size[1] or not is_power(int(size[0])):
            return None
        if isinstance(part.source, BlockArgument) and size[0] != 1:  # events of the host reach cores as they are
            return None
        return int(size[0]) if most is None or size[0] <= most else None

    def map_of(self, source: SSAValue) -> Map:
        """Returns the map of a population or input: one row where a convolution over one axis computes or reads it."""
        shape = shape_of(source)
        return row_map(shape) if source in self.rows else size_of(shape)

    def layer(self, stage: LayerOps, kernels: Kernels, monitored: set[str]) -> dynapcnn.CnnLayerOp:
        """Returns a layer without a core. Errors: CHI016 to DYN012."""
        ops, neuron = [one.op for one in stage.inputs], stage.neuron
        options = neuron_options(neuron, self.updates[neuron.update_name], self.device, f32, f64)
        values = {name: self.common(ops, neuron, name) for name in (HIGH, LOW, BIAS)}
        filters, _, _ = self.map_of(neuron.z)
        biases = np.sum([self.biases(op, filters) for op in ops], axis=0, dtype=np.int64) + values[BIAS]
        biases = biases.repeat(kernels.made[0] // filters)
        found: dict[str, Attribute] = {
            "node": StringAttr("+".join(op.node.data for op in ops)),
            "source": neuron.node,
            "layer": IntegerAttr(0, i64),
            "input_shape": int_array((kernels.given[0], kernels.given[2], kernels.given[1])),
            "output_shape": int_array((kernels.made[0], kernels.made[2], kernels.made[1])),
            "weights": narrow(kernels.weights.transpose(0, 1, 3, 2)),
            "stride": int_array(kernels.stride[::-1]),
            "padding": int_array(kernels.padding[::-1]),
            "threshold_high": IntegerAttr(values[HIGH], i64),
            "threshold_low": IntegerAttr(values[LOW], i64),
        }
        if any(op.optional_array("bias") is not None for op in ops) or biases.any():
            found["biases"] = narrow(biases)
        if biases.any():
            found["leak_enable"] = UnitAttr()
        if options.get(RESET) == TO_ZERO:
            found["return_to_zero"] = UnitAttr()
        if neuron.node.data in monitored:
            found["monitor_enable"] = UnitAttr()
        made = dynapcnn.CnnLayerOp(properties=found)
        made.location = ops[0].location
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

    def common(self, ops: Sequence[Synapse], neuron: ntensor.NeuronOp, name: str) -> int:
        """Returns a parameter that all neurons of a layer share. Errors: DYN012."""
        quantized = [op.quantized_weights for op in ops]
        has_scales = any(one is not None and one.scale.values.size > 1 for one in quantized)
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

    def destinations(self, source: SSAValue) -> list[Send]:
        """Returns the layers that events reach, by their place, with the size of the pool and the first channel."""
        found: dict[Send, None] = {}
        for k, (stage, plan) in enumerate(zip(self.stages, self.plans, strict=True)):
            for part, pool, first in zip(stage.inputs, plan.pools, plan.kernels.first, strict=True):
                if any(one.source is source for one in part.reaches):
                    found[k, pool, first] = None
        return [*found]

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
        rows = [(part.core, first) for k, _, first in self.destinations(arg) for part in places[k]]
        c, y, x = self.map_of(arg)
        shifts = [first for _, first in rows]
        return dynapcnn.InputOp(
            properties={
                "node": StringAttr(name),
                "input_shape": int_array((c, x, y)),
                "layers": int_array([core for core, _ in rows]),
                **({"feature_shifts": int_array(shifts)} if any(shifts) else {}),
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
