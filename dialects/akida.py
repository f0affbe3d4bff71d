"""The exit dialect of Akida: a sequence of layers on neural processors (NPs), in the words of its vendor.

    akida.model @net attributes {tick_ns = 1000000 : i64, ip_version = "v1", machine.device = #nopt.device<"akida/akd1000", digest = …>} {
      akida.input_data "input" {input_shape = [8, 8, 4], input_bits = 4 : i64}
      akida.convolutional "c1" of "n1" attributes {input_shape = [8, 8, 4], weights = …, weights_bits = 4 : i64, kernel_stride = [1, 1],
          padding = "same", pool_type = "none", act_bits = 4 : i64, threshold = …, act_step = …} {
        akida.np "CNP1" {ident = [3, 1, 2], filters = [0, 16], tile = [0, 0, 8, 8], input_bytes = 128 : i64, …}
      }
      akida.fully_connected "fc" of "fc" attributes {…} {…}
      akida.output "out" of "fc" : tensor<10xi32>
    }

A tick is a frame. The first layer reads the input of the network, every other one the layer before it. A layer keeps nothing between frames.

Source: BrainChip akida 2.19.3 (layers, JSON of models, mapper) and the MetaTF documentation.
"""

from __future__ import annotations

from collections import Counter
from math import prod

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, SymbolNameConstraint, TensorType, i64
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ..core.arrays.arrays import ArrayAttr
from ..core.device.core_kinds import kind_of_cores
from ..core.device.named_device import device_named
from ..core.device.records import Device
from ..core.device.topology import Topology, topology_of
from ..core.diagnostics import Code, InvalidOp, Refused, invalid
from ..core.ir.operation import NoptOperation, VerifiesLast, define_dialect, shape_of
from .akida_ops.geometry import functions_of, verify_geometry, verify_tiles
from .akida_ops.layers import (
    AGAIN,
    AVERAGE,
    CNP1,
    FNP2,
    FNP3,
    HRC,
    IMAGE_BITS,
    KIND_FUNCTIONS,
    LEARNED,
    MAX,
    NO_POOL,
    SAME,
    STEPS,
    VALID,
    WEIGHTS,
    ConvolutionalOp,
    FullyConnectedOp,
    InputConvolutionalOp,
    LayerOp,
    NpOp,
    SeparableConvolutionalOp,
    WindowLayerOp,
    feature,
    refuse_layer,
    same_margins,
)
from .akida_ops.memory import part_needs
from .ntensor import ApproximationAttr

__all__ = [
    "AKIDA",
    "AVERAGE",
    "CNP1",
    "FNP2",
    "FNP3",
    "HRC",
    "IMAGE_BITS",
    "KIND_FUNCTIONS",
    "LEARNED",
    "MAX",
    "NO_POOL",
    "SAME",
    "STEPS",
    "VALID",
    "WEIGHTS",
    "ConvolutionalOp",
    "FullyConnectedOp",
    "InputConvolutionalOp",
    "InputDataOp",
    "LayerOp",
    "ModelOp",
    "NpOp",
    "OutputOp",
    "SeparableConvolutionalOp",
    "WindowLayerOp",
    "core_of",
    "feature",
    "ident_of",
    "same_margins",
]

AKI002 = Code("AKI002", "layers do not follow each other")
AKI005 = Code("AKI005", "a processor does not compute a layer")
AKI006 = Code("AKI006", "a part of a layer exceeds the memory of its processor")
AKI007 = Code("AKI007", "the processors of a layer do not compute all of it")
AKI008 = Code("AKI008", "the device has too few processors for the layers")
AKI009 = Code("AKI009", "the last layer cannot learn with these parameters")


@irdl_op_definition
class InputDataOp(NoptOperation):
    """The input of a network with 1, 2 or 4 bits. Shapes: input_shape [3]."""

    name = "akida.input_data"
    node = prop_def(StringAttr)
    input_shape = prop_def(ArrayAttr)
    input_bits = prop_def(IntegerAttr.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict"

    @property
    def bits(self) -> int:
        return self.input_bits.value.data

    def verify_(self) -> None:
        shape = self.input_shape
        if shape.shape != (3,) or shape.data.dtype.kind not in "iu" or shape.data.least() < 1:
            refuse_layer(self, "input_shape is not a map", "3 integers from 1", str(shape.values.tolist()))
        if self.bits not in (1, 2, 4):
            expected = "1, 2 or 4; an input of 8 bits is that of akida.input_convolutional"
            refuse_layer(self, "input_bits is out of range", expected, str(self.bits))


@irdl_op_definition
class OutputOp(NoptOperation):
    """An output of the network: the values of the last layer, as `[c, h, w]` in the shape of the type."""

    name = "akida.output"
    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    type = prop_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict `:` $type"


@irdl_op_definition
class ModelOp(NoptOperation):
    """A sequence of layers. The attribute `machine.device` specifies the device; without it no limit is checked.

    `input` is the name of the network's input where the first layer is an input convolution.

    Units: tick_ns [ns]. Errors: AKI001 to AKI009; those of reading the device.
    """

    name = "akida.model"
    sym_name = prop_def(SymbolNameConstraint())
    tick_ns = prop_def(IntegerAttr.constr(i64))
    ip_version = prop_def(StringAttr)
    input = opt_prop_def(StringAttr)
    approximations = opt_prop_def(base(ListAttr[ApproximationAttr]))
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), NoTerminator(), HasParent(ModuleOp), VerifiesLast())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    @property
    def input_data(self) -> InputDataOp | None:
        return next((op for op in self.body.block.ops if isinstance(op, InputDataOp)), None)

    @property
    def layers(self) -> list[LayerOp]:
        return [op for op in self.body.block.ops if isinstance(op, LayerOp)]

    @property
    def outputs(self) -> list[OutputOp]:
        return [op for op in self.body.block.ops if isinstance(op, OutputOp)]

    @property
    def input_name(self) -> str:
        """Returns the name of the network's input."""
        data = self.input_data
        if data is not None:
            return data.node.data
        return self.input.data if self.input is not None else ""

    def input_bits(self) -> list[int]:
        """Returns the bits of the input of each layer."""
        data = self.input_data
        first = IMAGE_BITS if data is None else data.bits
        return [first, *(layer.activation_bits or 0 for layer in self.layers[:-1])]

    def verify_(self) -> None:
        verify_order(self)
        verify_learning(self)
        try:
            device = device_named(self)
        except Refused as refusal:
            raise InvalidOp(refusal.findings[0]) from refusal
        if device is None:
            return
        layers = self.layers
        for layer, bits, after in zip(layers, self.input_bits(), [*layers[1:], None], strict=True):
            verify_geometry(layer, bits, device, after)
        verify_processors(self, device)


def verify_order(model: ModelOp) -> None:
    """Refuses a model that is not a sequence of layers. Errors: AKI002."""
    layers, data = model.layers, model.input_data
    if not layers:
        refuse_layer(model, "a model has no layer", "at least one layer", "none", AKI002)
    names = [op.node.data for op in layers]
    for name, count in Counter(names).items():
        if count > 1:
            refuse_layer(model, "two layers have the same name", "each name once", name, AKI002)
    images = [op for op in layers if isinstance(op, InputConvolutionalOp)]
    if images and (images[0] is not layers[0] or len(images) > 1):
        message = "an input convolution is not the first layer"
        refuse_layer(images[-1], message, "one, as the first layer", f"layer {layers.index(images[-1])}", AKI002)
    if bool(images) == (data is not None):
        message = "the input of a model is read by an input convolution or by akida.input_data"
        refuse_layer(model, message, "one of them", "both" if images else "neither", AKI002)
    shape = None if data is None else tuple(int(n) for n in data.input_shape.values)
    for before, layer in zip([None, *layers], layers, strict=False):
        given = shape if before is None else before.output_shape
        is_flat = isinstance(layer, FullyConnectedOp) and given is not None
        if given is not None and layer.shape != given and not (is_flat and layer.shape == (1, 1, prod(given))):
            message = "a layer reads another map than the layer before produces"
            refuse_layer(layer, message, str(list(given)), str(list(layer.shape)), AKI002)
        if before is not None and before.act_bits is None:
            message = "potentials of a layer are the input of another one"
            refuse_layer(before, message, "act_bits of 1, 2 or 4", "a layer without activation", AKI002)
    for output in model.outputs:
        if output.source.data != layers[-1].source.data:
            message = "an output is not that of the last layer"
            refuse_layer(output, message, layers[-1].source.data, output.source.data, AKI002)
        if prod(shape_of(output.type)) != prod(layers[-1].output_shape):
            expected, found = str(prod(layers[-1].output_shape)), str(prod(shape_of(output.type)))
            refuse_layer(output, "the type of an output differs from its layer", expected, found, AKI002)


def verify_learning(model: ModelOp) -> None:
    """Refuses learning of a layer that does not learn, and parameters out of range. Errors: AKI009."""
    for layer, bits in zip(model.layers, model.input_bits(), strict=True):
        if not isinstance(layer, FullyConnectedOp) or (given := layer.learned) is None:
            continue
        units, inputs = layer.filters, layer.inputs
        classes, weights = given["num_classes"], given["num_weights"]
        conditions = [
            (layer is model.layers[-1], "only the last layer learns", "the last layer", "a layer before it"),
            (layer.bits == 1, "only weights of 1 bit learn", "weights_bits = 1", f"{layer.bits}"),
            (bits == 1, "only a layer that reads 1 bit learns", "an input of 1 bit", f"{bits} bits"),
            (
                1 <= weights <= inputs and weights == int(weights),
                "num_weights is out of range",
                f"1 to {inputs}",
                f"{weights:g}",
            ),
            (
                classes >= 1 and classes == int(classes) and units % int(classes) == 0,
                "the units are not divided evenly between the classes",
                f"a divisor of {units}",
                f"{classes:g} classes",
            ),
            *((0 <= given[name] <= 1, f"{name} is out of range", "0 to 1", f"{given[name]:g}") for name in LEARNED[2:]),
        ]
        for is_met, message, expected, found in conditions:
            if not is_met:
                help = "change the parameters of learning, or remove them"
                invalid(layer, AKI009, message, expected=expected, found=found, help=help)


# ---- processors


def ident_of(core: int, topology: Topology) -> tuple[int, int, int]:
    """Returns column, row and number of an NP, from its number in the device file."""
    _, x, y = topology.place(core)[:3]
    return x + 1, y + 1, core % topology.slots


def core_of(ident: tuple[int, ...], topology: Topology) -> int | None:
    """Returns the number of an NP in the device file; None if the device has none there."""
    found = next((core for core in range(topology.cores) if ident_of(core, topology) == tuple(ident)), None)
    return found if found is not None and topology.is_usable[found] else None


def verify_processors(model: ModelOp, device: Device) -> None:
    """Refuses processors that the device lacks, that two layers use, or whose memory is too small. Errors: AKI005 to AKI008."""
    verify_counts(model, device)
    topology = topology_of(device, 1)
    names, kinds = kind_of_cores(device, topology.cores, topology.own)
    used: dict[tuple[int, tuple[int, ...]], LayerOp] = {}
    for layer, bits in zip(model.layers, model.input_bits(), strict=True):
        verify_cover(layer, device)
        for np in layer.nps:
            ident, function = np.numbers("ident"), np.function.data
            if function not in functions_of(layer):
                refuse_layer(
                    layer,
                    "the function does not compute this layer",
                    " or ".join(functions_of(layer)),
                    function,
                    AKI005,
                )
            if function == HRC:
                continue
            core = core_of(ident, topology)
            if core is None:
                refuse_layer(
                    layer,
                    f"{device.key} has no such processor",
                    "column, row and number of an NP",
                    str(list(ident)),
                    AKI005,
                )
            able = KIND_FUNCTIONS.get(names[int(kinds[core])], ())
            if function not in able:
                refuse_layer(
                    layer, f"the processor {list(ident)} has no such function", ", ".join(able), function, AKI005
                )
            if (other := used.setdefault((layer.number_of_pass, ident), layer)) is not layer or ident in [
                one.numbers("ident") for one in layer.nps if one is not np
            ]:
                found = f"{other.source.data} and {layer.source.data}"
                refuse_layer(layer, f"two parts use the processor {list(ident)}", "a part on each", found, AKI005)
            verify_memory(layer, np, bits, device)


def verify_counts(model: ModelOp, device: Device) -> None:
    """Refuses more dense layers with external weights in one pass than the device has processors for. Errors: AKI008."""
    kind = device.core_kinds.get("fnp2")
    if kind is None:
        return
    for number in {layer.number_of_pass for layer in model.layers}:
        large = [
            layer
            for layer in model.layers
            if layer.number_of_pass == number and any(np.function.data == FNP2 for np in layer.nps)
        ]
        if len(large) > len(kind.cores):
            invalid(
                large[-1],
                AKI008,
                "too many dense layers have weights in external memory",
                expected=f"at most {len(kind.cores)}",
                found=f"{len(large)}: {', '.join(layer.source.data for layer in large)}",
                source=f"{device.key}, core_kinds.fnp2",
                path="core_kinds.fnp2",
                limit=len(kind.cores),
                value=len(large),
                help="make dense layers smaller, or their weights narrower",
            )


def verify_cover(layer: LayerOp, device: Device) -> None:
    """Refuses processors that do not compute each filter at each position once. Errors: AKI007, AKI003."""
    parts = [(np.numbers("filters"), np.numbers("tile")) for np in layer.nps]
    height, width = layer.shape[:2]
    wanted = layer.filters * height * width
    found = sum(filters[1] * tile[2] * tile[3] for filters, tile in parts)
    is_inside = all(
        first >= 0 and first + n <= layer.filters and h >= 0 and h + m <= height and w >= 0 and w + k <= width
        for (first, n), (h, w, m, k) in parts
    )
    is_once = len(set(parts)) == len(parts)
    if found != wanted or not is_inside or not is_once:
        expected = f"{layer.filters} filters at {height} x {width} positions, each once"
        text = f"{found} of {wanted}" if parts else "no processor"
        refuse_layer(layer, "the processors do not compute all of a layer", expected, text, AKI007)
    verify_tiles(layer, len({tile for _, tile in parts}), device)


def verify_memory(layer: LayerOp, np: NpOp, bits: int, device: Device) -> None:
    """Refuses a part whose memory differs from its declaration or exceeds that of its processor. Errors: AKI006."""
    filters, tile = np.numbers("filters"), np.numbers("tile")
    needs = part_needs(layer, np.function.data, filters[1], (tile[0], tile[1], tile[2], tile[3]), bits, device)
    if needs != np.needs:
        message = "the memory of a part differs from its contents"
        expected, found = (", ".join(map(str, one)) + " bytes" for one in (needs, np.needs))
        refuse_layer(layer, message, expected, found, AKI006)
    dense = isinstance(layer, FullyConnectedOp)
    for what, used, path in (
        ("input", needs[0], "core.memory.input.bytes"),
        ("weights", needs[1], "features.dense_bytes" if dense else "core.memory.weights.bytes"),
    ):
        limit = device.whole(path)
        if limit is not None and used > limit:
            invalid(
                layer,
                AKI006,
                f"the {what} of a part exceed the memory of its processor",
                expected=f"at most {limit} bytes",
                found=f"{used} bytes",
                source=device.cite(path),
                path=path,
                limit=limit,
                value=used,
                help=AGAIN,
            )


AKIDA = define_dialect("akida", globals())
