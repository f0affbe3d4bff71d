"""The tensor dialect: what happens in one tick, exactly.

A `ntensor.network` is a graph region over one tick of `tick_ns`: operands may be used before they are defined, but every
cycle passes through an `ntensor.delay` of at least one tick. Signal kinds are element types: `i1` spike, `!ntensor.count<5>`
several spikes in one tick, `!ntensor.graded<24>` a spike with payload; values are `f32`, `f64` or `iN`.

Sums have an order: a synapse op adds its terms in the flat index of the presynaptic neuron (c, y, x), starting from zero,
and the bias last; `ntensor.sum` adds its operands from left to right. A presynaptic zero is no event and adds nothing.
Parameters are converted to the element type of the result before they are used, which must not change them.

The arithmetic of a neuron stands in an `ntensor.update`, a symbol beside the network; `ntensor.neuron` applies it to a
population. `dialects/equations` builds updates from the neuron language and turns them back into text.

Source: Pedersen et al., Nature Communications 15:8122 (2024) for the primitives; the order of sums is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    Float32Type,
    Float64Type,
    FloatAttr,
    FunctionType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    NoneType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import (
    Attribute,
    Data,
    Dialect,
    Operation,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AtLeast,
    ParsePropInAttrDict,
    RangeOf,
    VarConstraint,
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
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, Pure, SymbolOpInterface
from xdsl.utils.str_enum import StrEnum

from ..core.arrays import ArrayAttr, dtype_of
from ..core.diagnostics import Code, InvalidOp, described, invalid
from ..core.graph_region import Signature, is_loop, names, parse_signature, print_signature, schedule
from ..core.operation import NoptOperation, element_type, shape_of
from ..core.windows import window_outputs

NTE001 = Code(
    "NTE001",
    "a loop has no delay",
    cause="Inside one tick a value would depend on itself: the loop passes through no `ntensor.delay` of at least one tick.",
    remedy="Put an `ntensor.delay` of one tick on an edge of the loop, or let `convert-nir-to-ntensor` choose it (`loop-delay`).",
)
NTE002 = Code(
    "NTE002",
    "shapes do not fit together",
    cause="The shape of a parameter or result is not what the operands and the other parameters imply.",
    remedy="Correct the shape that the message names.",
)
NTE003 = Code(
    "NTE003",
    "an element type does not fit",
    cause="A signal or parameter has a type that this op cannot take or give: synapses give values, neurons give what their update emits, "
    "and a parameter must keep its value when it is converted to the type of the result.",
    remedy="Use the type that the message names.",
)
NTE004 = Code(
    "NTE004",
    "a name is used twice, or is missing",
    cause="Node names identify populations and synapses in records, reports and messages, so each stands for one op.",
    remedy="Rename one of the two.",
)
NTE005 = Code(
    "NTE005",
    "a neuron does not fit its update",
    cause="`ntensor.neuron` names an `ntensor.update` that is not in the module, or gives it other inputs, parameters or states than it has.",
    remedy="Give the neuron what the update declares; the message lists both.",
)
NTE006 = Code(
    "NTE006",
    "a parameter is out of range",
    cause="A stride, dilation, number of groups, tick or delay has a value that has no meaning.",
    remedy="Use a value in the range that the message states.",
)
NTE007 = Code(
    "NTE007",
    "an update is not consistent",
    cause="The regions of an `ntensor.update` do not take or give what its lists of names declare.",
    remedy="Build updates from the neuron language; it keeps them consistent.",
)


# ---- types and attributes


@irdl_attr_definition
class CountType(ParametrizedAttribute, TypeAttribute):
    """Several spikes in one tick: an unsigned count of `bits` bits."""

    name = "ntensor.count"
    bits: IntAttr

    def __init__(self, bits: int | IntAttr):
        super().__init__(IntAttr(bits) if isinstance(bits, int) else bits)

    def verify(self) -> None:
        verify_bits(self.name, self.bits.data)


@irdl_attr_definition
class GradedType(ParametrizedAttribute, TypeAttribute):
    """A spike with a signed payload of `bits` bits; payload 0 is no spike."""

    name = "ntensor.graded"
    bits: IntAttr

    def __init__(self, bits: int | IntAttr):
        super().__init__(IntAttr(bits) if isinstance(bits, int) else bits)

    def verify(self) -> None:
        verify_bits(self.name, self.bits.data)


def verify_bits(name: str, bits: int) -> None:
    if not 1 <= bits <= 63:
        raise InvalidOp(finding_of(NTE003, f"!{name} has 1 to 63 bits", f"!{name}", "1 to 63", str(bits)))


class Emits(StrEnum):
    """What a neuron sends at the end of a tick."""

    SPIKE = "spike"
    COUNT = "count"
    GRADED = "graded"
    VALUE = "value"


@irdl_attr_definition
class EmitsAttr(Data[Emits]):
    name = "ntensor.emits"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Emits:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(Emits)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)


@irdl_attr_definition
class ApproximationAttr(ParametrizedAttribute):
    """The record that a lossy pass leaves: what it did, to which nodes, and the largest and mean error where it is known.

    `unit` names what the errors are measured in: `s`, `1` or the unit of the parameter; `none` where nothing was measured.
    """

    name = "ntensor.approximation"
    step: StringAttr
    """The pass with its options, as it can be typed again."""
    what: StringAttr
    touched: ListAttr[StringAttr]
    largest: FloatAttr | NoneType
    mean: FloatAttr | NoneType
    unit: StringAttr

    @staticmethod
    def of(
        step: str,
        what: str,
        touched: Iterable[str],
        largest: float | None = None,
        mean: float | None = None,
        unit: str = "1",
    ) -> ApproximationAttr:
        def number(value: float | None) -> FloatAttr | NoneType:
            return NoneType() if value is None else FloatAttr(value, f64)

        return ApproximationAttr(
            StringAttr(step), StringAttr(what), names(touched), number(largest), number(mean), StringAttr(unit)
        )


# ---- helpers


def finding_of(code: Code, message: str, at: str, expected: str, found: str):
    from ..core.diagnostics import Finding

    return Finding(code, message, at=at, expected=expected, found=found)


def is_event(element: Attribute) -> bool:
    """Whether elements of this type are events (spikes, counts, graded spikes), not values."""
    return element == i1 or isinstance(element, CountType | GradedType)


def is_value(element: Attribute) -> bool:
    return isinstance(element, Float32Type | Float64Type) or (isinstance(element, IntegerType) and element != i1)


def breaks_loops(op: Operation) -> bool:
    """Whether a cycle may pass through `op`: a delay of at least one tick for every element."""
    return isinstance(op, DelayOp) and bool((op.ticks.values >= 1).all())


def verify_shape(op: Operation, what: str, found: Sequence[int], *allowed: Sequence[int]) -> None:
    if tuple(found) not in [tuple(shape) for shape in allowed]:
        invalid(
            op,
            NTE002,
            f"{what} has the wrong shape",
            expected=" or ".join(str(tuple(shape)) for shape in allowed),
            found=str(tuple(found)),
        )


def verify_embeds(op: Operation, what: str, array: ArrayAttr, element: Attribute) -> None:
    """Refuses a parameter whose type holds values that the type of the result does not."""
    into = dtype_of(element)
    if into is not None and not np.can_cast(array.data.dtype, into, "safe"):
        invalid(
            op,
            NTE003,
            f"{what} would change when it is converted to the type of the result",
            expected=f"an array whose type converts exactly to {element}",
            found=str(array.data.dtype),
        )


def verify_synapse(op: Operation, x: SSAValue, y: SSAValue, *parameters: tuple[str, ArrayAttr | None]) -> None:
    """What holds for every synapse op: it gives values, and its parameters convert exactly to them."""
    element = element_type(y)
    if not is_value(element):
        invalid(op, NTE003, "a synapse gives values, not spikes", expected="f32, f64 or iN", found=str(element))
    for what, array in parameters:
        if array is not None:
            verify_embeds(op, what, array, element)


def verify_window(
    op: Operation, rank: int, stride: ArrayAttr, padding: ArrayAttr, dilation: ArrayAttr | None = None
) -> None:
    """Shapes and ranges of what convolutions and pools share."""
    for what, array, shape, least in (
        ("stride", stride, (rank,), 1),
        ("padding", padding, (rank, 2), 0),
        ("dilation", dilation, (rank,), 1),
    ):
        if array is None:
            continue
        verify_shape(op, what, array.shape, shape)
        if array.data.dtype.kind not in "iu" or (array.values < least).any():
            invalid(
                op,
                NTE006,
                f"{what} is out of range",
                expected=f"integers from {least}",
                found=str(array.values.tolist()),
            )


# ---- networks


@irdl_op_definition
class OutputOp(NoptOperation):
    """Ends a network and gives its outputs, in the order of its signature."""

    name = "ntensor.output"
    values = var_operand_def(base(TensorType))
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(NetworkOp)))
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class NetworkOp(NoptOperation):
    """One tick of a network. Operands may be used before they are defined; every cycle holds a delay.

    Units: `tick_ns` [ns].
    Errors: NTE001 a loop without a delay; NTE002 results other than promised; NTE004 a node name used twice;
    NTE005 a neuron that does not fit its update; NTE006 `tick_ns` not positive.
    """

    name = "ntensor.network"
    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    input_names = prop_def(base(ListAttr[StringAttr]))
    output_names = prop_def(base(ListAttr[StringAttr]))
    tick_ns = prop_def(IntegerAttr.constr(i64))
    approximations = opt_prop_def(base(ListAttr[ApproximationAttr]))
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    def __init__(self, name: str, signature: Signature, tick_ns: int, body: Region):
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "function_type": signature.type,
            "input_names": signature.input_names,
            "output_names": signature.output_names,
            "tick_ns": IntegerAttr(tick_ns, i64),
        }
        super().__init__(properties=properties, regions=[body])

    @property
    def signature(self) -> Signature:
        return Signature(self.input_names, self.output_names, self.function_type)

    def record(self, approximation: ApproximationAttr) -> None:
        """Appends what a lossy pass did."""
        self.approximations = ListAttr([*(self.approximations or ()), approximation])

    @classmethod
    def parse(cls, parser: Parser) -> NetworkOp:
        name = parser.parse_symbol_name().data
        signature, args = parse_signature(parser)
        given = parser.parse_optional_attr_dict_with_keyword(
            ("sym_name", "function_type", "input_names", "output_names")
        )
        attributes = dict(given.data) if given else {}
        tick = attributes.pop("tick_ns", None)
        if not isinstance(tick, IntegerAttr):
            parser.raise_error("expected `attributes {tick_ns = N}`, the length of a tick in nanoseconds")
        approximations = attributes.pop("approximations", None)
        network = cls(name, signature, tick.value.data, parser.parse_region(args))
        if approximations is not None:
            network.properties["approximations"] = approximations
        network.attributes.update(attributes)
        return network

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_signature(printer, self.signature, self.body)
        shown: dict[str, Attribute] = {"tick_ns": self.tick_ns}
        if self.approximations is not None:
            shown["approximations"] = self.approximations
        printer.print_op_attributes(shown | self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        block = self.body.block
        if self.tick_ns.value.data < 1:
            invalid(
                self,
                NTE006,
                "a tick has a positive length",
                expected="tick_ns of 1 or more",
                found=str(self.tick_ns.value.data),
            )
        verify_signature(self, self.signature, self.body)
        seen: dict[str, Operation] = {}
        for op in block.ops:
            node = op.properties.get("node")
            if isinstance(node, StringAttr) and seen.setdefault(node.data, op) is not op:
                invalid(
                    op,
                    NTE004,
                    "two ops have the same node name",
                    expected="each name once",
                    found=f'"{node.data}" twice',
                )
        for component in schedule(block, breaks_loops):
            if is_loop(component, breaks_loops):
                path = " -> ".join(described(op)[0] for op in component)
                invalid(
                    component[0],
                    NTE001,
                    "a loop has no delay",
                    expected="an ntensor.delay of at least one tick in every loop",
                    found=f"a loop of {len(component)} ops: {path}",
                    help="put an ntensor.delay of one tick on an edge of the loop",
                )
        module = self.parent_op()
        if isinstance(module, ModuleOp):
            updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
            for op in block.ops:
                if isinstance(op, NeuronOp):
                    op.verify_against(updates.get(op.update.root_reference.data))


def verify_signature(op: Operation, signature: Signature, body: Region) -> None:
    """Refuses a graph whose region does not take and give what its head says, or whose names clash."""
    for what, given, types in (
        ("input", signature.input_names, signature.type.inputs.data),
        ("output", signature.output_names, signature.type.outputs.data),
    ):
        listed = [name.data for name in given]
        if len(listed) != len(types) or len(set(listed)) != len(listed):
            invalid(
                op,
                NTE004,
                f"every {what} needs a name of its own",
                expected=f"{len(types)} different names",
                found=str(listed),
            )
    arguments = tuple(arg.type for arg in body.block.args)
    if arguments != signature.type.inputs.data:
        invalid(
            op,
            NTE002,
            "the region takes other inputs than the head promises",
            expected=str(signature.type),
            found=str(len(arguments)),
        )
    last = body.block.last_op
    given = tuple(value.type for value in last.operands) if last else ()
    if given != signature.type.outputs.data:
        invalid(
            op,
            NTE002,
            "the region gives other outputs than the head promises",
            expected=", ".join(map(str, signature.type.outputs)) or "none",
            found=", ".join(map(str, given)) or "none",
        )


# ---- synapses


@irdl_op_definition
class LinearOp(NoptOperation):
    """`y[o] = sum over i of weight[o, i] x[i], + bias[o]`; leading axes of the weight are axes of the population.

    Shapes: weight [..., o, i], x [..., i], bias and y [..., o].
    """

    name = "ntensor.linear"
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_synapse(self, self.x, self.y, ("weight", self.weight), ("bias", self.bias))
        shape = self.weight.shape
        if len(shape) < 2:
            invalid(self, NTE002, "weight has too few axes", expected="[..., outputs, inputs]", found=str(shape))
        verify_shape(self, "the operand", shape_of(self.x), shape[:-2] + shape[-1:])
        verify_shape(self, "the result", shape_of(self.y), shape[:-1])
        if self.bias is not None:
            verify_shape(self, "bias", self.bias.shape, shape[:-1])


class ConvolutionOp(NoptOperation):
    """What both convolutions share: a correlation, as deep-learning frameworks call convolution.

    `y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - before], + bias[c']`, within each group.
    """

    RANK: ClassVar[int]
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    groups = prop_def(IntegerAttr.constr(i64))
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_synapse(self, self.x, self.y, ("weight", self.weight), ("bias", self.bias))
        shape, rank, groups = self.weight.shape, self.RANK, self.groups.value.data
        if len(shape) != rank + 2:
            invalid(self, NTE002, "weight has the wrong number of axes", expected=str(rank + 2), found=str(len(shape)))
        verify_window(self, rank, self.stride, self.padding, self.dilation)
        if groups < 1 or shape[0] % groups:
            invalid(
                self,
                NTE006,
                "groups must divide the output channels",
                expected=f"a divisor of {shape[0]}",
                found=str(groups),
            )
        x = shape_of(self.x)
        if len(x) != rank + 1:
            invalid(self, NTE002, "the operand has the wrong number of axes", expected=str(rank + 1), found=str(len(x)))
        verify_shape(self, "the operand", x[:1], (shape[1] * groups,))
        sizes = window_outputs(
            x[1:], shape[2:], self.stride.values.tolist(), self.padding.values.tolist(), self.dilation.values.tolist()
        )
        verify_shape(self, "the result", shape_of(self.y), (shape[0], *sizes))
        if min(sizes) < 1:
            invalid(
                self,
                NTE002,
                "the kernel is larger than the padded operand",
                expected="at least 1 output",
                found=str(sizes),
            )
        if self.bias is not None:
            verify_shape(self, "bias", self.bias.shape, shape[:1])


@irdl_op_definition
class Conv1dOp(ConvolutionOp):
    """Convolution over one axis. Shapes: weight [c', c / groups, k], x [c, n], padding [[before, after]], y [c', n']."""

    RANK: ClassVar[int] = 1
    name = "ntensor.conv1d"


@irdl_op_definition
class Conv2dOp(ConvolutionOp):
    """Convolution over two axes. Shapes: weight [c', c / groups, ky, kx], x [c, y, x], padding [[top, bottom], [left, right]]."""

    RANK: ClassVar[int] = 2
    name = "ntensor.conv2d"


class PoolOp(NoptOperation):
    """What both pools share. Padding is filled with zeros."""

    node = prop_def(StringAttr)
    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_synapse(self, self.x, self.y)
        verify_shape(self, "kernel", self.kernel.shape, (2,))
        verify_window(self, 2, self.stride, self.padding)
        if (self.kernel.values < 1).any():
            invalid(
                self,
                NTE006,
                "kernel is out of range",
                expected="integers from 1",
                found=str(self.kernel.values.tolist()),
            )
        x = shape_of(self.x)
        if len(x) != 3:
            invalid(self, NTE002, "the operand has the wrong number of axes", expected="3 (c, y, x)", found=str(len(x)))
        sizes = window_outputs(
            x[1:], self.kernel.values.tolist(), self.stride.values.tolist(), self.padding.values.tolist(), (1, 1)
        )
        verify_shape(self, "the result", shape_of(self.y), (x[0], *sizes))


@irdl_op_definition
class SumPool2dOp(PoolOp):
    """`y[c, p] = sum over k of x[c, p stride + k - before]`."""

    name = "ntensor.sum_pool2d"


@irdl_op_definition
class AvgPool2dOp(PoolOp):
    """The sum of `sum_pool2d`, divided by the number of elements of the kernel, padding included."""

    name = "ntensor.avg_pool2d"


@irdl_op_definition
class ScaleOp(NoptOperation):
    """`y = scale x`, element by element. Shapes: scale () or that of x."""

    name = "ntensor.scale"
    node = prop_def(StringAttr)
    scale = prop_def(ArrayAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_synapse(self, self.x, self.y, ("scale", self.scale))
        verify_shape(self, "scale", self.scale.shape, (), shape_of(self.x))
        verify_shape(self, "the result", shape_of(self.y), shape_of(self.x))


@irdl_op_definition
class ReshapeOp(NoptOperation):
    """The same elements in the same flat order (C order), under another shape."""

    name = "ntensor.reshape"
    node = prop_def(StringAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        if prod(shape_of(self.x)) != prod(shape_of(self.y)):
            invalid(
                self,
                NTE002,
                "a reshape keeps the number of elements",
                expected=str(prod(shape_of(self.x))),
                found=str(prod(shape_of(self.y))),
            )
        verify_same_element(self, self.x, self.y)


@irdl_op_definition
class SumOp(NoptOperation):
    """Adds what arrives at a node, from left to right, element by element. The sum of spikes is a value.

    The conversion orders operands by structure, never by name, so that renaming nodes changes no bit.
    """

    name = "ntensor.sum"
    xs = var_operand_def(RangeOf(base(TensorType)).of_length(AtLeast(1)))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$xs attr-dict `:` `(` type($xs) `)` `->` type($y)"

    def verify_(self) -> None:
        verify_synapse(self, self.xs[0], self.y)
        for x in self.xs:
            verify_shape(self, "an operand", shape_of(x), shape_of(self.y))


@irdl_op_definition
class DelayOp(NoptOperation):
    """`y(t) = x(t - ticks)`; zero (no spike) before the first tick. One tick means "in the next tick".

    Shapes: ticks () or that of x. Units: ticks [ticks], 0 or more. Errors: NTE006 a negative delay.
    """

    T: ClassVar = VarConstraint("T", base(TensorType))

    name = "ntensor.delay"
    node = prop_def(StringAttr)
    ticks = prop_def(ArrayAttr)
    part_of = opt_prop_def(StringAttr)
    """The node that this delay belongs to: what that node gives is what leaves the delay, in records and reports."""
    x = operand_def(T)
    y = result_def(T)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x)"

    def verify_(self) -> None:
        verify_shape(self, "ticks", self.ticks.shape, (), shape_of(self.x))
        if self.ticks.data.dtype.kind not in "iu" or (self.ticks.values < 0).any():
            invalid(
                self,
                NTE006,
                "a delay is a number of ticks",
                expected="integers from 0",
                found=str(self.ticks.values.min()),
            )


def verify_same_element(op: Operation, x: SSAValue, y: SSAValue) -> None:
    if element_type(x) != element_type(y):
        invalid(op, NTE003, "the element type changes", expected=str(element_type(x)), found=str(element_type(y)))


# ---- neurons


@irdl_op_definition
class LetOp(NoptOperation):
    """Marks an assignment of the neuron language by its name, so that an update can be read as equations."""

    T: ClassVar = VarConstraint("T", base(Attribute))

    name = "ntensor.let"
    variable = prop_def(StringAttr)
    x = operand_def(T)
    y = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$variable $x attr-dict `:` type($x)"

    def __init__(self, variable: str, x: SSAValue):
        super().__init__(operands=[x], result_types=[x.type], properties={"variable": StringAttr(variable)})


class UpdateTerminatorOp(NoptOperation):
    values = var_operand_def()
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(UpdateOp)))
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class DerivedOp(UpdateTerminatorOp):
    """Ends `derive`: the parameters of the other regions, then the canonical ones, in the order of their names."""

    name = "ntensor.derived"


@irdl_op_definition
class InitialOp(UpdateTerminatorOp):
    """Ends `initial`: one value for each state."""

    name = "ntensor.initial"


@irdl_op_definition
class EmitOp(UpdateTerminatorOp):
    """Ends `step`: what the neuron emits, then its next states, then its records."""

    name = "ntensor.emit"


@irdl_op_definition
class UpdateOp(NoptOperation):
    """The arithmetic of one neuron, as scalar ops; one symbol for each rule, choice of options, and precision.

    Three regions: `derive` takes dt [s] and the raw parameters in f64 and gives, once, the parameters of the other two and the
    canonical ones; `initial` gives the states before the first tick; `step` takes inputs, states and parameters and gives what
    the neuron emits, its next states, and its records.

    Errors: NTE007 a region that does not take or give what the lists of names declare.
    """

    name = "ntensor.update"
    sym_name = prop_def(SymbolNameConstraint())
    emits = prop_def(EmitsAttr)
    inputs = prop_def(base(ListAttr[StringAttr]))
    states = prop_def(base(ListAttr[StringAttr]))
    params = prop_def(base(ListAttr[StringAttr]))
    raw = prop_def(base(ListAttr[StringAttr]))
    canonical = prop_def(base(ListAttr[StringAttr]))
    records = prop_def(base(ListAttr[StringAttr]))
    derive = region_def("single_block")
    initial = region_def("single_block")
    step = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())
    assembly_format = (
        "$sym_name $emits `inputs` $inputs `states` $states `params` $params `raw` $raw `canonical` $canonical"
        " `records` $records `derive` $derive `initial` $initial `step` $step attr-dict"
    )

    def __init__(
        self,
        name: str,
        emits: Emits,
        *,
        inputs: Iterable[str],
        states: Iterable[str],
        params: Iterable[str],
        raw: Iterable[str],
        canonical: Iterable[str],
        records: Iterable[str],
        derive: Region,
        initial: Region,
        step: Region,
    ):
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "emits": EmitsAttr(emits),
            "inputs": names(inputs),
            "states": names(states),
            "params": names(params),
            "raw": names(raw),
            "canonical": names(canonical),
            "records": names(records),
        }
        super().__init__(properties=properties, regions=[derive, initial, step])

    @property
    def emitted(self) -> SSAValue:
        """What the step emits."""
        last = self.step.block.last_op
        assert last is not None
        return last.operands[0]

    def verify_(self) -> None:
        inputs, states, params = len(self.inputs), len(self.states), len(self.params)
        for what, region, terminator, takes, gives in (
            ("derive", self.derive, DerivedOp, 1 + len(self.raw), params + len(self.canonical)),
            ("initial", self.initial, InitialOp, params, states),
            ("step", self.step, EmitOp, inputs + states + params, 1 + states + len(self.records)),
        ):
            last = region.block.last_op
            found = len(region.block.args), len(last.operands) if isinstance(last, terminator) else None
            if found != (takes, gives):
                invalid(
                    self,
                    NTE007,
                    f"region {what} does not fit the names that the update declares",
                    expected=f"{takes} arguments, and {terminator.name} with {gives} operands",
                    found=f"{found[0]} arguments, and {found[1] if found[1] is not None else 'no such'} operands",
                )
        given = [arg.type for arg in self.derive.block.args]
        if any(type != f64 for type in given):
            invalid(self, NTE007, "region derive computes in f64", expected="f64", found=", ".join(map(str, given)))
        block, last = self.step.block, self.step.block.last_op
        assert last is not None
        start = self.initial.block.last_op
        assert start is not None
        for k, name in enumerate(self.states):
            held = block.args[inputs + k].type
            for what, type in (("next value", last.operands[1 + k].type), ("initial value", start.operands[k].type)):
                if type != held:
                    invalid(
                        self,
                        NTE007,
                        f"the {what} of state {name.data} changes its type",
                        expected=str(held),
                        found=str(type),
                    )


@irdl_op_definition
class NeuronOp(NoptOperation):
    """Applies an update to every neuron of a population. Not `Pure`: it has a membrane.

    `family` and `canonical` say what the rule means in the terms of NIR; no model reads them, legalisation does.

    Shapes: operands and result have the shape of the population; every entry of `params` and `initial` has it or is ().
    Errors: NTE002 a parameter of another shape; NTE005 names other than those of the update.
    """

    name = "ntensor.neuron"
    node = prop_def(StringAttr)
    update = prop_def(FlatSymbolRefAttrConstr)
    family = opt_prop_def(StringAttr)
    canonical = opt_prop_def(DictionaryAttr)
    params = prop_def(DictionaryAttr)
    initial = prop_def(DictionaryAttr)
    xs = var_operand_def(RangeOf(base(TensorType)).of_length(AtLeast(1)))
    z = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $update `(` $xs `)` attr-dict `:` `(` type($xs) `)` `->` type($z)"

    def __init__(
        self,
        node: str,
        update: str,
        xs: Sequence[SSAValue],
        result: Attribute,
        *,
        params: DictionaryAttr,
        initial: DictionaryAttr,
        family: str | None = None,
        canonical: DictionaryAttr | None = None,
    ):
        properties: dict[str, Attribute | None] = {
            "node": StringAttr(node),
            "update": SymbolRefAttr(update),
            "family": StringAttr(family) if family else None,
            "canonical": canonical,
            "params": params,
            "initial": initial,
        }
        super().__init__(operands=[xs], result_types=[result], properties=properties)

    def arrays(self, entries: DictionaryAttr) -> Iterator[tuple[str, ArrayAttr]]:
        """The arrays of `params`, `initial` or `canonical`, by name."""
        for name, entry in entries.data.items():
            if not isinstance(entry, ArrayAttr):
                invalid(self, NTE005, f"entry {name} is not an array", expected="#nopt.array", found=str(entry))
            yield name, entry

    def verify_(self) -> None:
        shape = shape_of(self.z)
        for x in self.xs:
            verify_shape(self, "an operand", shape_of(x), shape)
        for entries in (self.params, self.initial, self.canonical or DictionaryAttr({})):
            for name, array in self.arrays(entries):
                verify_shape(self, name, array.shape, (), shape)

    def verify_against(self, update: UpdateOp | None) -> None:
        """Refuses a neuron that does not give its update what it declares; called by the network, which knows the module."""
        if update is None:
            invalid(
                self,
                NTE005,
                "the update is not in the module",
                expected="a symbol of the module",
                found=str(self.update),
            )
        for what, declared, given in (
            ("parameters", update.params, list(self.params.data)),
            ("states", update.states, list(self.initial.data)),
        ):
            wanted = [name.data for name in declared]
            if sorted(wanted) != sorted(given):
                invalid(
                    self,
                    NTE005,
                    f"the {what} are not those of @{update.sym_name.data}",
                    expected=", ".join(wanted) or "none",
                    found=", ".join(given) or "none",
                )
        if len(self.xs) != len(update.inputs):
            invalid(
                self,
                NTE005,
                "the update has another number of inputs",
                expected=str(len(update.inputs)),
                found=str(len(self.xs)),
            )
        emitted, wanted = element_type(self.z), emission_type(update)
        if emitted != wanted:
            invalid(
                self, NTE003, f"@{update.sym_name.data} emits another type", expected=str(wanted), found=str(emitted)
            )


def emission_type(update: UpdateOp) -> Attribute:
    """The element type of what a neuron with this update emits."""
    from .fixed import IntType

    type = update.emitted.type
    match update.emits.data:
        case Emits.COUNT if isinstance(type, IntType):
            return CountType(max(1, type.upper.bit_length()))
        case Emits.GRADED if isinstance(type, IntType):
            return GradedType(max((~type.lower).bit_length() if type.lower < 0 else 0, type.upper.bit_length()) + 1)
        case _:
            return type


NTENSOR = Dialect(
    "ntensor",
    [
        NetworkOp,
        OutputOp,
        LinearOp,
        Conv1dOp,
        Conv2dOp,
        SumPool2dOp,
        AvgPool2dOp,
        ScaleOp,
        ReshapeOp,
        SumOp,
        DelayOp,
        UpdateOp,
        DerivedOp,
        InitialOp,
        EmitOp,
        LetOp,
        NeuronOp,
    ],
    [CountType, GradedType, EmitsAttr, ApproximationAttr],
)
