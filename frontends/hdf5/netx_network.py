"""Reader of networks of Lava's netx: the HDF5 layout that `lava.lib.dl.slayer` exports, with integer weights and parameters of Loihi.

    layer/0 {type = "dense", shape = [128], weight [128, 64], neuron {type = "CUBA", iDecay, vDecay, vThMant}}
      =>
    %y = ntensor.linear "0" %x {weight} : i16
    %z = ntensor.neuron "0.neuron" @loihi(%y)          delay "0.delay", part of the neuron: one tick, and the delay of the layer

| layer | becomes |
| --- | --- |
| `dense` | `ntensor.linear` |
| `conv` | `ntensor.conv2d`, a correlation as in slayer |
| `flatten` | `ntensor.reshape` |
| `input`, as the first layer | neurons whose input is the integer that Lava adds to v, `2 weight x - weight + bias` |

1. All numbers are integers and stay as they are. `neuron` is `CUBA` or `LOIHI`: du = iDecay - 1, dv = vDecay, vth = vThMant.
2. A bias of a layer is added to v with the exponent 6. It must have 13 bits.
3. Every layer sends its spikes one tick later, and after its axonal delays in addition, as in slayer (`delay_shift`).
4. The layers are a chain. A first layer `conv` with a stride above 1 needs a layer `input`, which has the shape of the image.

Errors: NTX001, NTX002, NTX003, NTX004.
Source: lava-dl 0.6, lava/lib/dl/slayer/block/base.py (export_hdf5) and lava/lib/dl/netx/hdf5.py for the layout; the neuron is that of Lava.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NoReturn

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import FunctionType, IntegerAttr, IntegerType, ModuleOp, StringAttr, TensorType, f64, i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from ...core import registry
from ...core.arrays.arrays import ArrayAttr, uniform
from ...core.arrays.numeric import AnyArray, Ints
from ...core.diagnostics import Code, refuse
from ...core.ir.graph_region import Signature, names
from ...core.ir.operation import shape_of
from ...core.neuron.neuron import parse_neurons
from ...dialects import ntensor
from ..nir_values import group_of, short

NTX001 = Code("NTX001", "netx-layer-unsupported", "a layer of a netx file is not supported")
NTX002 = Code("NTX002", "netx-entry-missing", "a layer of a netx file lacks an entry, or it is of another type")
NTX003 = Code("NTX003", "netx-shape-mismatch", "the shapes of a netx file do not fit")
NTX004 = Code("NTX004", "netx-number-out-of-range", "a number of a netx file is out of range")

TICK_NS = 1_000_000
"""Length of a tick, which the format does not have."""
NEURON = "loihi"
SUM_BITS = 18
"""Bits of the sum of weights that reach a neuron in a tick."""
BIAS_EXPONENT = 6
KERNEL_AXES = 4
SUPPORTED = ("dense", "conv", "flatten", "input")
CURRENT_BASED = ("CUBA", "LOIHI")

NetxLayer = Mapping[str, Any]


@define(eq=False)
class NetxReader:
    """A chain of layers while it becomes a network."""

    file: str
    block: Block = field(init=False, factory=Block)
    x: SSAValue | None = None
    """The spikes of the last layer."""

    # ---- entries

    def refuse(self, code: Code, layer: str, message: str, expected: str, found: str, help: str) -> NoReturn:
        refuse(code, message, file=self.file, at=f"layer/{layer}", expected=expected, found=found, help=help)

    def text(self, layer: str, given: NetxLayer, name: str) -> str:
        value: Any = given.get(name)
        if np.size(value) == 1:  # the exporter of slayer writes an array of one text
            value = np.reshape(value, -1)[0]
        if not isinstance(value, str | bytes):
            self.missing(layer, name, "a text", value)
        return value.decode(errors="replace") if isinstance(value, bytes) else value

    def missing(self, layer: str, name: str, expected: str, value: Any) -> NoReturn:
        found = "no such entry" if value is None else short(str(value))
        help = "export the network again with export_hdf5"
        self.refuse(NTX002, layer, f"entry {name} is missing or invalid", f"{name}: {expected}", found, help)

    def integers(self, layer: str, given: NetxLayer, name: str, bits: int = 32) -> Ints:
        """Returns an entry of integers. Errors: NTX002 no numbers; NTX004 fractions, or numbers of more bits."""
        value: Any = given.get(name)
        if not isinstance(value, np.ndarray | np.generic) or np.asarray(value).dtype.kind not in "iuf":
            self.missing(layer, name, "integers", value)
        array: AnyArray = np.asarray(value)
        is_whole = array.dtype.kind in "iu" or bool(np.isfinite(array).all() and (np.rint(array) == array).all())
        most = 2 ** (bits - 1)
        if not is_whole or (array.size and (array.min() < -most or array.max() >= most)):
            help = "export the network with quantised weights (pre_hook_fx of the blocks)"
            expected = f"integers from {-most} to {most - 1}"
            found = f"from {array.min()} to {array.max()}" if array.size else "none"
            self.refuse(NTX004, layer, f"{name} is out of range", expected, found, help)
        return array.astype(np.int64)

    def number(self, layer: str, given: NetxLayer, name: str, low: int, high: int) -> int:
        array = self.integers(layer, given, name)
        if array.size != 1 or not low <= int(array.reshape(-1)[0]) <= high:
            expected, help = f"an integer from {low} to {high}", f"correct {name} where the network was exported"
            self.refuse(NTX004, layer, f"{name} is out of range", expected, short(str(array.tolist())), help)
        return int(array.reshape(-1)[0])

    # ---- layers

    def add(self, name: str, given: NetxLayer, size: tuple[int, ...]) -> None:
        """Adds a layer. Errors: NTX001, NTX002, NTX003, NTX004."""
        kind = self.text(name, given, "type")
        if kind not in SUPPORTED or (kind == "input" and self.x is not None):
            found = f"{kind}, after other layers" if kind == "input" else kind
            help = "write a network of dense and convolutional layers"
            self.refuse(NTX001, name, "the layer is not supported", ", ".join(SUPPORTED), found, help)
        if self.x is None:
            element = IntegerType(16) if kind == "input" else i1
            self.x = self.block.insert_arg(TensorType(element, size), 0)
        if kind == "flatten":
            shape = [prod(shape_of(self.x))]
            self.append(ntensor.ReshapeOp, name, [self.x], TensorType(i1, shape), {})
            return
        if kind == "dense":
            self.dense(name, given)
        elif kind == "conv":
            self.convolution(name, given)
        self.neurons(name, given, is_input=kind == "input")

    def append(
        self, kind: Any, name: str, operands: list[SSAValue], result: Attribute, properties: Mapping[str, Attribute]
    ) -> None:
        made = kind.create(
            operands=operands, result_types=[result], properties={"node": StringAttr(name), **properties}
        )
        self.block.add_op(made)
        self.x = made.results[0]

    def signal(self) -> SSAValue:
        assert self.x is not None  # `add` sets it first
        return self.x

    def sums(self, name: str, weight: Ints, shape: tuple[int, ...]) -> TensorType[Attribute]:
        """Returns the type of the sums of a layer. Errors: NTX004 sums of more bits."""
        most = int(np.abs(weight).reshape(len(weight), -1).sum(1).max(initial=0))
        if most >= 2 ** (SUM_BITS - 1):
            help = "use smaller weights, or fewer inputs"
            self.refuse(NTX004, name, "the sum of weights is too large", f"{SUM_BITS} bits", f"up to {most}", help)
        return TensorType(IntegerType(16 if most < 2**15 else SUM_BITS), shape)

    def weights(self, weight: Ints) -> dict[str, Attribute]:
        return {"weight": ArrayAttr.of(weight.astype(np.int16))}

    def dense(self, name: str, given: NetxLayer) -> None:
        weight, x = self.integers(name, given, "weight", 16), self.signal()
        size, inputs = prod(self.shape(name, given)), prod(shape_of(x))
        if weight.size != size * inputs:
            expected, help = f"{size} x {inputs} weights", "add a layer `flatten`, or correct the shape of the layer"
            self.refuse(NTX003, name, "the weights do not fit", expected, str(weight.shape), help)
        if len(shape_of(x)) > 1:
            self.append(ntensor.ReshapeOp, f"{name}.input", [x], TensorType(i1, [inputs]), {})
        weight = weight.reshape(size, inputs)
        self.append(ntensor.LinearOp, name, [self.signal()], self.sums(name, weight, (size,)), self.weights(weight))

    def convolution(self, name: str, given: NetxLayer) -> None:
        weight, x = self.integers(name, given, "weight", 16), self.signal()
        weight = weight.reshape(weight.shape[:KERNEL_AXES]) if weight.ndim == 5 and weight.shape[4] == 1 else weight
        groups = self.number(name, given, "groups", 1, 2**16) if "groups" in given else 1
        stride, padding, dilation = (self.pair(name, given, entry) for entry in ("stride", "padding", "dilation"))
        image, shape = shape_of(x), self.shape(name, given)
        if weight.ndim != KERNEL_AXES or len(image) != 3 or len(shape) != 3:
            expected, help = "weight [out, in, y, x], shapes [channels, y, x]", "export the network again"
            found = f"weight {weight.shape}, input {image}, output {shape}"
            self.refuse(NTX003, name, "the axes of the convolution do not fit", expected, found, help)
        sizes = [
            (image[1 + k] + 2 * padding[k] - dilation[k] * (weight.shape[2 + k] - 1) - 1) // stride[k] + 1
            for k in (0, 1)
        ]
        fits = shape == (weight.shape[0], *sizes) and weight.shape[1] * groups == image[0] and not shape[0] % groups
        if not fits:
            expected, help = (
                f"{image[0]} channels, output {(weight.shape[0], *sizes)}",
                "correct the shape of the layer",
            )
            found = f"{weight.shape[1] * groups} channels, output {shape}"
            self.refuse(NTX003, name, "the shapes of the convolution do not fit", expected, found, help)
        properties: dict[str, Attribute] = {
            **self.weights(weight),
            "stride": ArrayAttr.of(np.array(stride, np.int64)),
            "padding": ArrayAttr.of(np.array([(n, n) for n in padding], np.int64)),
            "dilation": ArrayAttr.of(np.array(dilation, np.int64)),
            "groups": IntegerAttr(groups, i64),
        }
        self.append(ntensor.Conv2dOp, name, [x], self.sums(name, weight, shape), properties)

    def shape(self, name: str, given: NetxLayer) -> tuple[int, ...]:
        shape = self.integers(name, given, "shape").reshape(-1).tolist()
        if not shape or min(shape) < 1:
            help = "export the network after it ran once, so that its shapes are known"
            self.refuse(NTX003, name, "the shape of the layer is not known", "sizes from 1", short(str(shape)), help)
        return tuple(shape)

    def pair(self, name: str, given: NetxLayer, entry: str) -> tuple[int, int]:
        low = 0 if entry == "padding" else 1
        values = self.integers(name, given, entry).reshape(-1).tolist()
        if len(values) not in (1, 2) or min(values) < low or max(values) > 2**16:
            expected, help = f"one or two integers from {low}", f"correct {entry} where the network was exported"
            self.refuse(NTX004, name, f"{entry} is out of range", expected, short(str(values)), help)
        return values[0], values[-1]

    # ---- neurons

    def neurons(self, name: str, given: NetxLayer, *, is_input: bool) -> None:
        neuron = group_of(given.get("neuron"))
        if neuron is None:
            self.missing(name, "neuron", "a group", given.get("neuron"))
        kind = self.text(f"{name}/neuron", neuron, "type")
        if kind not in CURRENT_BASED:
            help = "train the network with blocks of slayer.block.cuba"
            self.refuse(NTX001, name, "the neuron is not supported", ", ".join(CURRENT_BASED), kind, help)
        place, x = f"{name}/neuron", self.signal()
        shape = shape_of(x)
        du = 4095 if is_input else self.number(place, neuron, "iDecay", 1, 4096) - 1
        params: dict[str, Ints] = {
            "du": np.asarray(du),
            "dv": np.asarray(self.number(place, neuron, "vDecay", 0, 4095)),
            "vth": np.asarray(self.number(place, neuron, "vThMant", 0, 2**17 - 1)),
            "bias": np.asarray(0) if is_input else self.each(name, given, "bias", shape, 13),
            "e": np.asarray(BIAS_EXPONENT),
            "refractory": np.asarray(1),
        }
        made = ntensor.NeuronOp(
            f"{name}.neuron",
            NEURON,
            [x],
            TensorType(i1, shape),
            params=ntensor.array_dictionary(params),
            initial=ntensor.array_dictionary({state: np.asarray(0) for state in ("i", "v", "wait")}),
        )
        self.block.add_op(made)
        delays = self.each(name, given, "delay", shape, 16)
        if (delays < 0).any():
            help = "export the network again"
            self.refuse(NTX004, name, "a delay is negative", "0 ticks or more", str(int(delays.min())), help)
        delay = ntensor.DelayOp(f"{name}.delay", made.z, delays + 1)
        delay.part_of = made.node
        self.block.add_op(delay)
        self.x = delay.y

    def each(self, name: str, given: NetxLayer, entry: str, shape: tuple[int, ...], bits: int) -> Ints:
        """Returns one number for all neurons, or one for each; 0 without the entry. A convolution has one for each channel."""
        if entry not in given:
            return np.asarray(0, np.int64)
        values = self.integers(name, given, entry, bits)
        if values.size == 1:
            return values.reshape(())
        if values.size == shape[0] and len(shape) > 1:
            return uniform(np.broadcast_to(values.reshape(-1, *(1,) * (len(shape) - 1)), shape).copy())
        if values.size != prod(shape):
            expected, help = (
                f"1, {shape[0]} or {prod(shape)} numbers",
                f"correct {entry} where the network was exported",
            )
            self.refuse(NTX003, name, f"{entry} does not fit the layer", expected, str(values.size), help)
        return uniform(values.reshape(shape))


def read_netx(contents: Mapping[str, Any], name: str, file: str) -> ModuleOp:
    """Returns the network of the group `layer`; `name` is its symbol. Errors: NTX001 to NTX004."""
    from ...dialects.equations.build import build_update

    reader = NetxReader(file)
    numbers = [str(k) for k in range(len(contents))]
    layers = [(number, group_of(contents.get(number))) for number in numbers]
    if not layers or any(layer is None for _, layer in layers):
        expected, help = "groups 0, 1, 2, …", "export the network again with export_hdf5"
        reader.refuse(NTX002, "", "the layers are not numbered", expected, short(str(sorted(contents))), help)
    for number, layer in layers:
        assert layer is not None  # refused before
        reader.add(number, layer, first_shape(reader, number, layer))
    path = registry.neurons()[NEURON]
    rule = next(one for one in parse_neurons(path.read_text(), str(path)).neurons if one.name == NEURON)
    x = reader.signal()
    reader.block.add_op(ntensor.OutputOp(x))
    type = FunctionType.from_lists([arg.type for arg in reader.block.args], [x.type])
    signature = Signature(names(["input"]), names(["output"]), type)
    network = ntensor.NetworkOp(name, signature, TICK_NS, Region(reader.block))
    return ModuleOp([build_update(rule, options={}, precision=f64), network])


def first_shape(reader: NetxReader, name: str, layer: NetxLayer) -> tuple[int, ...]:
    """Returns the shape of the input that the first layer implies; that of other layers is not used."""
    if reader.x is not None:
        return ()
    match reader.text(name, layer, "type"):
        case "dense":
            size = prod(reader.shape(name, layer))
            return (max(1, reader.integers(name, layer, "weight", 16).size // max(1, size)),)
        case "conv":
            weight = reader.integers(name, layer, "weight", 16)
            stride, padding, dilation = (reader.pair(name, layer, one) for one in ("stride", "padding", "dilation"))
            shape, groups = reader.shape(name, layer), reader.number(name, layer, "groups", 1, 2**16)
            if stride != (1, 1) or len(shape) != 3 or weight.ndim < KERNEL_AXES:
                expected, help = "a stride of 1, or a layer `input` with the shape", "add slayer.block.cuba.Input"
                found = f"stride {stride}, shape {shape}"
                reader.refuse(NTX003, name, "the shape of the input is not known", expected, found, help)
            sizes = [shape[1 + k] - 1 + dilation[k] * (weight.shape[2 + k] - 1) + 1 - 2 * padding[k] for k in (0, 1)]
            return weight.shape[1] * groups, *(max(1, size) for size in sizes)
        case _:
            return reader.shape(name, layer)
