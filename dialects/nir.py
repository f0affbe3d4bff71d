"""The nir dialect: the network as it was trained, one op for every primitive of the `nir` package.

Continuous time, a graph of nodes; parameters keep NIR's names, shapes and number formats. A `nir.graph` is a graph region:
recurrence is use before definition. NIR adds the edges that arrive at a node; that sum is an op here (`nir.sum`). Each op keeps
its node name as a property, never as an SSA name. Signal kinds are element types: `i1` for spikes, `f32` for values.

What NIR lacks and chips have stands in optional properties: `delays` of single synapses [s], `plasticity` and `transmission`.

    nir.graph @braille("input" %x: tensor<12xf32>) -> ("output": tensor<7xi1>) {
      %a = nir.affine "fc1" %x {weight = …, bias = …} : tensor<12xf32> -> tensor<38xf32>
      %r = nir.affine "lif1.w_rec" %z {…} : tensor<38xi1> -> tensor<38xf32>
      %s = nir.sum %a, %r : (tensor<38xf32>, tensor<38xf32>) -> tensor<38xf32>
      %z = nir.cuba_lif "lif1.lif" %s {tau_syn = …, tau_mem = …, …} : tensor<38xf32> -> tensor<38xi1>
      …
      nir.output %o : tensor<7xi1>
    }

Source: Pedersen et al., Nature Communications 15:8122 (2024); the `nir` package 1.0.8 for names and shapes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import (
    AnyFloat,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    f64,
    i1,
)
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.ir import (
    Attribute,
    Data,
    Dialect,
    Operation,
    ParametrizedAttribute,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    AtLeast,
    ParsePropInAttrDict,
    RangeOf,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from ..core.arrays import ArrayAttr
from ..core.diagnostics import Code, invalid
from ..core.graph_region import Signature, parse_signature, print_signature
from ..core.operation import NoptOperation, element_type, shape_of

NIR001 = Code(
    "NIR001",
    "a parameter has the wrong shape",
    cause="Parameters of a population are scalars or have one entry per neuron; weights have the axes that NIR gives them.",
    remedy="Give the parameter the shape that the message names.",
)
NIR002 = Code(
    "NIR002",
    "a parameter is out of range",
    cause="Time constants are positive; strides, dilations, kernels and groups are positive integers; padding and delays are not negative; "
    "parameters are finite numbers.",
    remedy="Correct the value; if it was exported so, ask the exporting framework.",
)
NIR003 = Code(
    "NIR003",
    "the shapes of operand and result do not fit the node",
    cause="What arrives at a node has another shape than its parameters imply, or its result is declared with another shape.",
    remedy="Correct the layer before it, or the parameters; the message names both shapes.",
)
NIR004 = Code(
    "NIR004",
    "a signal has the wrong kind",
    cause="Spiking neurons give spikes (`i1`), everything else that computes gives values (`f32`); identity, flatten and delay keep the kind.",
    remedy="Use the element type that the message names.",
)
NIR005 = Code(
    "NIR005",
    "a name is used twice",
    cause="Node names identify populations and synapses in records, reports and messages, so each stands for one node.",
    remedy="Rename one of the two nodes.",
)
NIR006 = Code(
    "NIR006",
    "a graph does not take or give what its head says",
    cause="The terminator `nir.output` and the arguments of the region must have the types that the head of the graph promises.",
    remedy="Correct the head, or the operands of `nir.output`.",
)


# ---- attributes


class Transmission(StrEnum):
    """How a signal travels along the edges of a synapse op."""

    SPIKE = "spike"
    RATE = "rate"
    ANALOG = "analog"


@irdl_attr_definition
class TransmissionAttr(Data[Transmission]):
    name = "nir.transmission"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Transmission:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(Transmission)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)


@irdl_attr_definition
class StdpAttr(ParametrizedAttribute):
    """Pair-based spike-timing-dependent plasticity with exponential windows and hard bounds.

    A spike pair with interval d = t_post - t_pre changes the weight by `a_plus exp(-d / tau_plus)` where d > 0 and by
    `-a_minus exp(d / tau_minus)` where d < 0; the weight stays within `w_min` and `w_max`.

    Units: a_plus, a_minus, w_min, w_max [1]; tau_plus, tau_minus [s], positive.

    Source: Song, Miller and Abbott, Nature Neuroscience 3:919 (2000).
    """

    name = "nir.stdp"
    a_plus: FloatAttr
    a_minus: FloatAttr
    tau_plus: FloatAttr
    tau_minus: FloatAttr
    w_min: FloatAttr
    w_max: FloatAttr

    @staticmethod
    def of(a_plus: float, a_minus: float, tau_plus: float, tau_minus: float, w_min: float, w_max: float) -> StdpAttr:
        return StdpAttr(*(FloatAttr(x, f64) for x in (a_plus, a_minus, tau_plus, tau_minus, w_min, w_max)))

    def verify(self) -> None:
        if min(self.tau_plus.value.data, self.tau_minus.value.data) <= 0:
            raise VerifyException("the time constants of #nir.stdp must be positive")
        if self.w_min.value.data > self.w_max.value.data:
            raise VerifyException("w_min of #nir.stdp must not exceed w_max")


# ---- helpers


def integers(array: ArrayAttr, rank: int) -> tuple[int, ...]:
    """A stride, kernel or the like for each axis; a scalar stands for all of them."""
    return tuple(int(n) for n in np.broadcast_to(array.values.reshape(-1), (rank,)))


def window(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """Positions of a window over each axis: `floor((n + before + after - d (k - 1) - 1) / s) + 1`."""
    return tuple(
        (n + before + after - d * (k - 1) - 1) // s + 1
        for n, k, s, (before, after), d in zip(sizes, kernel, stride, padding, dilation, strict=True)
    )


def verify_finite(op: Operation, name: str, array: ArrayAttr) -> None:
    values = array.values
    if values.dtype.kind not in "fiu":
        invalid(
            op,
            NIR002,
            f"{name} is not an array of numbers",
            expected="floating-point or integer numbers",
            found=str(values.dtype),
        )
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        where = np.unravel_index(int(np.argmin(np.isfinite(values))), values.shape)
        invalid(
            op,
            NIR002,
            f"{name} is not finite",
            expected="finite numbers",
            found=f"{values[where]} at index {list(map(int, where))}",
            help="export the network again from a training run that did not diverge",
        )


def verify_integers(op: Operation, name: str, array: ArrayAttr, rank: int, least: int) -> None:
    """Refuses a stride, kernel or the like that is not one integer, or one for each axis, from `least` on."""
    if array.shape not in ((), (1,), (rank,)):
        invalid(op, NIR001, f"{name} has the wrong shape", expected=f"() or ({rank},)", found=str(array.shape))
    values = array.values
    if (values.dtype.kind not in "iu" and not (values == np.round(values)).all()) or (values < least).any():
        invalid(op, NIR002, f"{name} is out of range", expected=f"integers from {least}", found=str(values.tolist()))


def verify_shapes(op: Operation, what: str, found: Sequence[int], expected: Sequence[int]) -> None:
    if tuple(found) != tuple(expected):
        invalid(
            op,
            NIR003,
            f"{what} does not fit the node",
            expected=f"shape {tuple(expected)}",
            found=f"shape {tuple(found)}",
        )


def verify_kind(op: Operation, what: str, value: SSAValue, expected: Attribute | None) -> None:
    found = element_type(value)
    if found != expected if expected is not None else (found == i1 or not is_float(found)):
        invalid(op, NIR004, f"{what} has the wrong kind", expected=str(expected or "values (f32)"), found=str(found))


def is_float(element: Attribute) -> bool:
    return isinstance(element, AnyFloat)


# ---- bases


class NodeOp(NoptOperation):
    """A node with one input and one output."""

    node = prop_def(StringAttr)
    metadata = opt_prop_def(DictionaryAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    PARAMETERS: ClassVar[tuple[str, ...]] = ()
    """Names of the array parameters, in the order of NIR."""

    def parameters(self) -> Iterator[tuple[str, ArrayAttr]]:
        """The array parameters that are there, by name."""
        for name in self.PARAMETERS:
            if isinstance(array := self.properties.get(name), ArrayAttr):
                yield name, array

    def verify_(self) -> None:
        for name, array in self.parameters():
            verify_finite(self, name, array)
        self.verify_node()

    def verify_node(self) -> None:
        """What this kind of node asks of its parameters, operand and result."""


class PopulationOp(NodeOp):
    """A population of neurons. Every parameter is a scalar or has one entry per neuron; operand and result have its shape."""

    SPIKES: ClassVar[bool]
    TIMES: ClassVar[tuple[str, ...]] = ()
    """Time constants [s], which must be positive."""

    def verify_node(self) -> None:
        shape = shape_of(self.y)
        verify_shapes(self, "the operand", shape_of(self.x), shape)
        verify_kind(self, "the result", self.y, i1 if self.SPIKES else None)
        for name, array in self.parameters():
            if array.shape not in ((), shape):
                invalid(
                    self,
                    NIR001,
                    f"{name} has the wrong shape",
                    expected=f"() or {shape}, one entry for each neuron",
                    found=str(array.shape),
                )
            if name in self.TIMES and array.values.size and (least := array.values.min()) <= 0:
                invalid(self, NIR002, f"{name} must be positive", expected="more than 0 s", found=f"{least} s")


class SynapseOp(NodeOp):
    """Weighted connections: what arrives is multiplied and added; the result is a value."""

    delays = opt_prop_def(ArrayAttr)
    """Delay of each synapse [s], in the shape of the weight."""
    plasticity = opt_prop_def(StdpAttr)
    transmission = opt_prop_def(TransmissionAttr)

    def verify_synapse(self, weight: ArrayAttr) -> None:
        verify_kind(self, "the result", self.y, None)
        if self.delays is None:
            return
        verify_finite(self, "delays", self.delays)
        if self.delays.shape not in ((), weight.shape):
            invalid(
                self,
                NIR001,
                "delays has the wrong shape",
                expected=f"() or {weight.shape}",
                found=str(self.delays.shape),
            )
        if (self.delays.values < 0).any():
            invalid(
                self,
                NIR002,
                "delays must not be negative",
                expected="0 s or more",
                found=f"{self.delays.values.min()} s",
            )


# ---- graphs


@irdl_op_definition
class OutputOp(NoptOperation):
    """Ends a graph and gives its outputs, in the order of its signature. Its operands are NIR's Output nodes."""

    name = "nir.output"
    values = var_operand_def(base(TensorType))
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(GraphOp, SubgraphOp)))
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


def verify_graph(op: GraphOp | SubgraphOp) -> None:
    """Refuses a graph whose region does not take and give what its head says, or where two nodes share a name."""
    signature, block = op.signature, op.body.block
    terminals = [name.data for name in (*signature.input_names, *signature.output_names)]
    counts = (len(signature.input_names), len(signature.output_names))
    if counts != (len(signature.type.inputs), len(signature.type.outputs)):
        invalid(
            op,
            NIR006,
            "the head names other terminals than it types",
            expected=str(signature.type),
            found=str(terminals),
        )
    nodes: set[str] = set()
    for name in terminals:
        if name in nodes:
            invalid(op, NIR005, "two nodes have the same name", expected="each name once", found=f'"{name}" twice')
        nodes.add(name)
    for inner in block.ops:
        if isinstance(name := inner.properties.get("node"), StringAttr):
            if name.data in nodes:
                invalid(
                    inner,
                    NIR005,
                    "two nodes have the same name",
                    expected="each name once",
                    found=f'"{name.data}" twice',
                )
            nodes.add(name.data)
    last = block.last_op
    given = tuple(value.type for value in last.operands) if last else ()
    taken = tuple(arg.type for arg in block.args)
    for what, found, promised in (
        ("takes other inputs", taken, signature.type.inputs.data),
        ("gives other outputs", given, signature.type.outputs.data),
    ):
        if found != promised:
            invalid(
                op,
                NIR006,
                f"the region {what} than the head promises",
                expected=", ".join(map(str, promised)) or "none",
                found=", ".join(map(str, found)) or "none",
            )


@irdl_op_definition
class GraphOp(NoptOperation):
    """A network. Operands may be used before they are defined.

    `version` is the NIR version of the file that it came from, `metadata` what stood in the file beside the nodes.

    Errors: NIR005 two nodes with one name; NIR006 terminals other than promised.
    """

    name = "nir.graph"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    input_names = prop_def(base(ListAttr[StringAttr]))
    output_names = prop_def(base(ListAttr[StringAttr]))
    version = opt_prop_def(StringAttr)
    metadata = opt_prop_def(DictionaryAttr)
    terminal_metadata = opt_prop_def(DictionaryAttr)
    """Metadata of Input and Output nodes, by node name."""
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    OPTIONAL: ClassVar[tuple[str, ...]] = ("version", "metadata", "terminal_metadata")

    def __init__(self, name: str, signature: Signature, body: Region):
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "function_type": signature.type,
            "input_names": signature.input_names,
            "output_names": signature.output_names,
        }
        super().__init__(properties=properties, regions=[body])

    @property
    def signature(self) -> Signature:
        return Signature(self.input_names, self.output_names, self.function_type)

    @classmethod
    def parse(cls, parser: Parser) -> GraphOp:
        name = parser.parse_symbol_name().data
        signature, args = parse_signature(parser)
        given = parser.parse_optional_attr_dict_with_keyword(
            ("sym_name", "function_type", "input_names", "output_names")
        )
        graph = cls(name, signature, parser.parse_region(args))
        take_attributes(graph, given, cls.OPTIONAL)
        return graph

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_signature(printer, self.signature, self.body)
        shown = {name: self.properties[name] for name in self.OPTIONAL if name in self.properties}
        printer.print_op_attributes(shown | self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        verify_graph(self)


@irdl_op_definition
class SubgraphOp(NoptOperation):
    """A nested graph: a node whose inputs and outputs are those of the graph inside.

    Shapes: operands and results have the types of the terminals. Errors: as `nir.graph`.
    """

    name = "nir.subgraph"
    node = prop_def(StringAttr)
    input_names = prop_def(base(ListAttr[StringAttr]))
    output_names = prop_def(base(ListAttr[StringAttr]))
    metadata = opt_prop_def(DictionaryAttr)
    terminal_metadata = opt_prop_def(DictionaryAttr)
    xs = var_operand_def(base(TensorType))
    ys = var_result_def(base(TensorType))
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    OPTIONAL: ClassVar[tuple[str, ...]] = ("metadata", "terminal_metadata")

    def __init__(self, node: str, xs: Sequence[SSAValue], signature: Signature, body: Region):
        properties: dict[str, Attribute] = {
            "node": StringAttr(node),
            "input_names": signature.input_names,
            "output_names": signature.output_names,
        }
        super().__init__(
            operands=[xs], result_types=[signature.type.outputs.data], properties=properties, regions=[body]
        )

    @property
    def signature(self) -> Signature:
        inputs, outputs = [x.type for x in self.xs], [y.type for y in self.ys]
        return Signature(self.input_names, self.output_names, FunctionType.from_lists(inputs, outputs))

    @classmethod
    def parse(cls, parser: Parser) -> SubgraphOp:
        node = parser.parse_str_literal("the name of the node")
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        start = parser.pos
        signature, args = parse_signature(parser)
        given = parser.parse_optional_attr_dict_with_keyword(("node", "input_names", "output_names"))
        xs = parser.resolve_operands(operands, [arg.type for arg in args], start)
        graph = cls(node, xs, signature, parser.parse_region(args))
        take_attributes(graph, given, cls.OPTIONAL)
        return graph

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.node)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.xs, printer.print_ssa_value)
        printer.print_string(" ")
        print_signature(printer, self.signature, self.body)
        shown = {name: self.properties[name] for name in self.OPTIONAL if name in self.properties}
        printer.print_op_attributes(shown | self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        verify_graph(self)


def take_attributes(op: GraphOp | SubgraphOp, given: DictionaryAttr | None, properties: Sequence[str]) -> None:
    """Sorts the attribute dictionary of a head into properties and free attributes."""
    if given is None:
        return
    for name, value in given.data.items():
        (op.properties if name in properties else op.attributes)[name] = value


# ---- edges and shapes


@irdl_op_definition
class SumOp(NoptOperation):
    """Sum of all edges that arrive at a node, element by element. Not a node of NIR: created on import, dissolved on export."""

    name = "nir.sum"
    xs = var_operand_def(RangeOf(base(TensorType)).of_length(AtLeast(1)))
    y = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$xs attr-dict `:` `(` type($xs) `)` `->` type($y)"

    def verify_(self) -> None:
        verify_kind(self, "the result", self.y, None)
        for x in self.xs:
            verify_shapes(self, "an operand", shape_of(x), shape_of(self.y))


class KeepingOp(NodeOp):
    """A node that keeps the kind of what passes through it."""

    def verify_node(self) -> None:
        verify_kind(self, "the result", self.y, element_type(self.x))


@irdl_op_definition
class IdentityOp(KeepingOp):
    """`y = x`."""

    name = "nir.identity"

    def verify_node(self) -> None:
        super().verify_node()
        verify_shapes(self, "the result", shape_of(self.y), shape_of(self.x))


@irdl_op_definition
class FlattenOp(KeepingOp):
    """The axes from `start_dim` to `end_dim`, both included, become one; negative axes count from the end."""

    name = "nir.flatten"
    start_dim = prop_def(ArrayAttr)
    end_dim = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("start_dim", "end_dim")

    def verify_node(self) -> None:
        super().verify_node()
        shape = shape_of(self.x)
        for name, array in self.parameters():
            verify_integers(self, name, array, 1, -len(shape))
        verify_shapes(self, "the result", shape_of(self.y), self.result_shape(shape))

    def result_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        start, end = (integers(dim, 1)[0] for dim in (self.start_dim, self.end_dim))
        start, end = start + len(shape) * (start < 0), end + len(shape) * (end < 0)
        if not 0 <= start <= end < len(shape):
            invalid(
                self,
                NIR002,
                "the axes to flatten are out of range",
                expected=f"0 to {len(shape) - 1}",
                found=f"{start} to {end}",
            )
        return (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :])


@irdl_op_definition
class DelayOp(KeepingOp):
    """`y(t) = x(t - delay)`. Shapes: delay () or that of x. Units: delay [s]. Errors: NIR002 a negative delay."""

    name = "nir.delay"
    delay = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("delay",)

    def verify_node(self) -> None:
        super().verify_node()
        shape = shape_of(self.x)
        verify_shapes(self, "the result", shape_of(self.y), shape)
        if self.delay.shape not in ((), shape):
            invalid(self, NIR001, "delay has the wrong shape", expected=f"() or {shape}", found=str(self.delay.shape))
        if (self.delay.values < 0).any():
            invalid(
                self, NIR002, "delay must not be negative", expected="0 s or more", found=f"{self.delay.values.min()} s"
            )


# ---- synapses


class WeightedOp(SynapseOp):
    """What linear and affine share. Shapes: weight [..., o, i], x [..., i], y [..., o]."""

    weight = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight",)

    def verify_node(self) -> None:
        self.verify_synapse(self.weight)
        shape = self.weight.shape
        if len(shape) < 2:
            invalid(self, NIR001, "weight has too few axes", expected="[..., outputs, inputs]", found=str(shape))
        verify_shapes(self, "the operand", shape_of(self.x), shape[:-2] + shape[-1:])
        verify_shapes(self, "the result", shape_of(self.y), shape[:-1])


@irdl_op_definition
class LinearOp(WeightedOp):
    """`y = weight x`. Shapes: weight [..., o, i], x [..., i], y [..., o]."""

    name = "nir.linear"


@irdl_op_definition
class AffineOp(WeightedOp):
    """`y = weight x + bias`. Shapes: weight [..., o, i], x [..., i], bias () or that of y, y [..., o]."""

    name = "nir.affine"
    bias = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight", "bias")

    def verify_node(self) -> None:
        super().verify_node()
        shape = self.weight.shape[:-1]
        if self.bias.shape not in ((), shape):
            invalid(self, NIR001, "bias has the wrong shape", expected=f"() or {shape}", found=str(self.bias.shape))


@irdl_op_definition
class ScaleOp(SynapseOp):
    """`y = scale x`, element by element. Shapes: scale () or that of x."""

    name = "nir.scale"
    scale = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("scale",)

    def verify_node(self) -> None:
        self.verify_synapse(self.scale)
        shape = shape_of(self.x)
        if self.scale.shape not in ((), shape):
            invalid(self, NIR001, "scale has the wrong shape", expected=f"() or {shape}", found=str(self.scale.shape))
        verify_shapes(self, "the result", shape_of(self.y), shape)


class ConvolutionOp(SynapseOp):
    """A correlation over `RANK` axes, as deep-learning frameworks call convolution.

    `y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - padding], + bias[c']`, within each group.

    Padding is a number, one for each axis, `valid` (none) or `same` (as much as keeps the size; where it is odd, the additional
    zero stands behind; needs stride 1).
    """

    RANK: ClassVar[int]
    weight = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(base(ArrayAttr) | base(StringAttr))
    dilation = prop_def(ArrayAttr)
    groups = prop_def(ArrayAttr)
    bias = prop_def(ArrayAttr)
    input_shape = opt_prop_def(ArrayAttr)
    """Size of each axis of the operand, as the file declares it."""
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight", "stride", "padding", "dilation", "groups", "bias", "input_shape")

    def verify_node(self) -> None:
        self.verify_synapse(self.weight)
        rank, shape, x = self.RANK, self.weight.shape, shape_of(self.x)
        if len(shape) != rank + 2 or min(shape) < 1:
            invalid(
                self,
                NIR001,
                "weight has the wrong shape",
                expected=f"{rank + 2} axes [c', c / groups, kernel]",
                found=str(shape),
            )
        verify_integers(self, "stride", self.stride, rank, 1)
        verify_integers(self, "dilation", self.dilation, rank, 1)
        verify_integers(self, "groups", self.groups, 1, 1)
        if isinstance(self.padding, ArrayAttr):
            verify_integers(self, "padding", self.padding, rank, 0)
        elif self.padding.data not in ("same", "valid"):
            invalid(
                self, NIR002, "padding is out of range", expected="same, valid, or numbers", found=self.padding.data
            )
        elif self.padding.data == "same" and set(integers(self.stride, rank)) != {1}:
            invalid(
                self,
                NIR002,
                "padding `same` needs stride 1",
                expected="stride 1, or padding in numbers",
                found=f"stride {self.stride.values.tolist()}",
            )
        groups = integers(self.groups, 1)[0]
        if shape[0] % groups:
            invalid(
                self,
                NIR002,
                "groups must divide the output channels",
                expected=f"a divisor of {shape[0]}",
                found=str(groups),
            )
        if self.bias.shape not in ((), shape[:1]):
            invalid(self, NIR001, "bias has the wrong shape", expected=f"() or {shape[:1]}", found=str(self.bias.shape))
        if len(x) != rank + 1:
            invalid(
                self, NIR003, "the operand has the wrong number of axes", expected=f"{rank + 1} [c, …]", found=str(x)
            )
        verify_shapes(self, "the operand", x[:1], (shape[1] * groups,))
        sizes = self.result_shape(x)
        if min(sizes) < 1:
            invalid(
                self,
                NIR003,
                "the kernel is larger than the padded operand",
                expected="at least one position",
                found=str(sizes),
            )
        verify_shapes(self, "the result", shape_of(self.y), sizes)
        if self.input_shape is not None:
            verify_shapes(self, "input_shape", x[1:], integers(self.input_shape, rank))

    def padding_pairs(self) -> tuple[tuple[int, int], ...]:
        """Zeros before and behind each axis."""
        kernel, dilation = self.weight.shape[2:], integers(self.dilation, self.RANK)
        if isinstance(self.padding, ArrayAttr):
            return tuple((n, n) for n in integers(self.padding, self.RANK))
        if self.padding.data == "valid":
            return ((0, 0),) * self.RANK
        missing = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
        return tuple((n // 2, n - n // 2) for n in missing)

    def result_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        sizes = window(
            shape[1:],
            self.weight.shape[2:],
            integers(self.stride, self.RANK),
            self.padding_pairs(),
            integers(self.dilation, self.RANK),
        )
        return (self.weight.shape[0], *sizes)


@irdl_op_definition
class Conv1dOp(ConvolutionOp):
    """Convolution over one axis. Shapes: weight [c', c / groups, k], x [c, n], y [c', n']."""

    RANK: ClassVar[int] = 1
    name = "nir.conv1d"


@irdl_op_definition
class Conv2dOp(ConvolutionOp):
    """Convolution over two axes. Shapes: weight [c', c / groups, ky, kx], x [c, y, x], y [c', y', x']."""

    RANK: ClassVar[int] = 2
    name = "nir.conv2d"


class PoolOp(SynapseOp):
    """What both pools share. Shapes: x [c, y, x]. Padding is filled with zeros."""

    kernel_size = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("kernel_size", "stride", "padding")

    def verify_node(self) -> None:
        verify_kind(self, "the result", self.y, None)
        for name, array, least in (
            ("kernel_size", self.kernel_size, 1),
            ("stride", self.stride, 1),
            ("padding", self.padding, 0),
        ):
            verify_integers(self, name, array, 2, least)
        x = shape_of(self.x)
        if len(x) != 3:
            invalid(self, NIR003, "the operand has the wrong number of axes", expected="3 [c, y, x]", found=str(x))
        sizes = self.result_shape(x)
        if min(sizes) < 1:
            invalid(
                self,
                NIR003,
                "the kernel is larger than the padded operand",
                expected="at least one position",
                found=str(sizes),
            )
        verify_shapes(self, "the result", shape_of(self.y), sizes)

    def result_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        padding = [(n, n) for n in integers(self.padding, 2)]
        return (shape[0], *window(shape[1:], integers(self.kernel_size, 2), integers(self.stride, 2), padding, (1, 1)))


@irdl_op_definition
class SumPool2dOp(PoolOp):
    """`y[c, p] = sum over k of x[c, p stride + k - padding]`."""

    name = "nir.sum_pool2d"


@irdl_op_definition
class AvgPool2dOp(PoolOp):
    """The sum of `sum_pool2d`, divided by the number of elements of the kernel, padding included."""

    name = "nir.avg_pool2d"


# ---- populations


@irdl_op_definition
class ThresholdOp(PopulationOp):
    """`z = x > threshold`; without state."""

    name = "nir.threshold"
    threshold = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    PARAMETERS: ClassVar[tuple[str, ...]] = ("threshold",)


@irdl_op_definition
class IOp(PopulationOp):
    """Integrator: `dv/dt = r x`."""

    name = "nir.i"
    r = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = False
    PARAMETERS: ClassVar[tuple[str, ...]] = ("r",)


@irdl_op_definition
class IFOp(PopulationOp):
    """Integrate and fire: `dv/dt = r x`; a spike and `v = v_reset` where `v > v_threshold`."""

    name = "nir.if"
    r = prop_def(ArrayAttr)
    v_threshold = prop_def(ArrayAttr)
    v_reset = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    PARAMETERS: ClassVar[tuple[str, ...]] = ("r", "v_threshold", "v_reset")


@irdl_op_definition
class LIOp(PopulationOp):
    """Leaky integrator: `tau dv/dt = (v_leak - v) + r x`."""

    name = "nir.li"
    tau = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = False
    TIMES: ClassVar[tuple[str, ...]] = ("tau",)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau", "r", "v_leak")


@irdl_op_definition
class LIFOp(PopulationOp):
    """Leaky integrate and fire: as `nir.li`; a spike and `v = v_reset` where `v > v_threshold`."""

    name = "nir.lif"
    tau = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    v_threshold = prop_def(ArrayAttr)
    v_reset = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    TIMES: ClassVar[tuple[str, ...]] = ("tau",)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau", "r", "v_leak", "v_threshold", "v_reset")


@irdl_op_definition
class CubaLIOp(PopulationOp):
    """Current-based leaky integrator: `tau_syn di/dt = -i + w_in x`, `tau_mem dv/dt = (v_leak - v) + r i`."""

    name = "nir.cuba_li"
    tau_syn = prop_def(ArrayAttr)
    tau_mem = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    w_in = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = False
    TIMES: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem")
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem", "r", "v_leak", "w_in")


@irdl_op_definition
class CubaLIFOp(PopulationOp):
    """Current-based leaky integrate and fire: as `nir.cuba_li`; a spike and `v = v_reset` where `v > v_threshold`."""

    name = "nir.cuba_lif"
    tau_syn = prop_def(ArrayAttr)
    tau_mem = prop_def(ArrayAttr)
    r = prop_def(ArrayAttr)
    v_leak = prop_def(ArrayAttr)
    v_threshold = prop_def(ArrayAttr)
    v_reset = prop_def(ArrayAttr)
    w_in = prop_def(ArrayAttr)
    SPIKES: ClassVar[bool] = True
    TIMES: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem")
    PARAMETERS: ClassVar[tuple[str, ...]] = ("tau_syn", "tau_mem", "r", "v_leak", "v_threshold", "v_reset", "w_in")


NIR = Dialect(
    "nir",
    [
        GraphOp,
        SubgraphOp,
        OutputOp,
        SumOp,
        IdentityOp,
        FlattenOp,
        DelayOp,
        LinearOp,
        AffineOp,
        ScaleOp,
        Conv1dOp,
        Conv2dOp,
        SumPool2dOp,
        AvgPool2dOp,
        ThresholdOp,
        IOp,
        IFOp,
        LIOp,
        LIFOp,
        CubaLIOp,
        CubaLIFOp,
    ],
    [TransmissionAttr, StdpAttr],
)
