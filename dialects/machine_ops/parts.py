"""What a machine graph computes: inputs, populations, outputs, and the projections between them, whole.

Parts name each other by their node names; no value passes between them. Weights stand once, in the projection that holds them, and
edges are views of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn, cast

from xdsl.dialects.builtin import (
    ArrayAttr as ListAttr,
)
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator

from ...core.arrays import ArrayAttr
from ...core.diagnostics import Code, invalid
from ...core.graph_region import names
from ...core.operation import NoptOperation, shape_of
from ..ntensor import (
    ConvolutionOp,
    DelayOp,
    FanInLinearOp,
    LinearOp,
    NeuronOp,
    PoolOp,
    ReshapeOp,
    ScaleOp,
    SparseLinearOp,
    SumOp,
    UpdateOp,
)

MCH002 = Code(
    "MCH002",
    "what lies between two populations is no chain",
    cause="A projection is a chain of ntensor ops from one source to one sum: each op reads the one before it, the first reads the argument, "
    "and `machine.give` ends it. Of an output, it holds delays and reshapes alone.",
    remedy="Let each op read the one before it, or make two projections of it.",
)

STEPS = (DelayOp, PoolOp, ReshapeOp, ConvolutionOp, LinearOp, SparseLinearOp, FanInLinearOp, ScaleOp)
"""Ops that a projection may hold."""
PASSING = (DelayOp, ReshapeOp)
"""Ops that lie in front of an output."""


@irdl_op_definition
class GiveOp(NoptOperation):
    """Ends the chain of a projection or output, and gives what arrives."""

    name = "machine.give"
    value = operand_def(base(TensorType))
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ProjectionOp, OutputOp)))
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue):
        super().__init__(operands=[value])


def verify_chain(op: Operation, block: Block, allowed: tuple[type[Operation], ...]) -> None:
    """Refuses anything but a chain of the allowed ops. Errors: MCH002."""

    def refuse(expected: str, found: str) -> NoReturn:
        help = "let each op read the one before it"
        invalid(op, MCH002, "this is no chain of ops", expected=expected, found=found, help=help)

    if len(block.args) != 1:
        refuse("one argument, what the source sends", f"{len(block.args)} arguments")
    last = block.last_op
    if not isinstance(last, GiveOp):
        refuse("machine.give as the last op", last.name if last is not None else "no op at all")
    value: SSAValue = block.args[0]
    for inner in block.ops:
        if inner is not last and not isinstance(inner, allowed):
            refuse(f"one of {', '.join(sorted(kind.name for kind in concrete(allowed)))}", inner.name)
        if list(inner.operands) != [value]:
            refuse("an op that reads the one before it", f"{inner.name} with other operands")
        if inner.results:
            value = inner.results[0]


def concrete(kinds: Iterable[type[Operation]]) -> list[type[Operation]]:
    """Kinds of ops that have names, for messages."""
    return [leaf for kind in kinds for leaf in (kind.__subclasses__() or [kind])]


@irdl_op_definition
class InputOp(NoptOperation):
    """What comes from outside, under the user's name for it. The order of inputs is the user's."""

    name = "machine.input"
    node = prop_def(StringAttr)
    type = prop_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict `:` $type"

    def __init__(self, node: str, type: Attribute):
        super().__init__(properties={"node": StringAttr(node), "type": type})


@irdl_op_definition
class OutputOp(NoptOperation):
    """What the user sees of a population or input, under the user's name for it. The order of outputs is the user's.

    The region, if there is one, is a chain of delays and reshapes. Errors: MCH002 another region.
    """

    name = "machine.output"
    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    type = prop_def(base(TensorType))
    body = opt_region_def("single_block")
    traits = traits_def(IsolatedFromAbove())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `of` $source attr-dict-with-keyword `:` $type ($body^)?"

    def __init__(self, node: str, source: str, type: Attribute, body: Region | None = None):
        super().__init__(
            properties={"node": StringAttr(node), "source": StringAttr(source), "type": type},
            regions=[[] if body is None else [body]],
        )

    def verify_(self) -> None:
        if self.body is None:
            return
        verify_chain(self, self.body.block, PASSING)
        given = cast("GiveOp", self.body.block.last_op).value.type
        if given != self.type:
            help = "correct the type of the output"
            invalid(
                self, MCH002, "the chain gives another signal", expected=str(self.type), found=str(given), help=help
            )


@irdl_op_definition
class ProjectionOp(NoptOperation):
    """From what a source sends to what is added in a neuron: a chain of ntensor ops over whole arrays.

    Populations name it among their `inputs`; several may. An empty chain passes on what the source sends.
    Errors: MCH002 no chain.
    """

    name = "machine.projection"
    node = prop_def(StringAttr)
    source = prop_def(StringAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node `from` $source attr-dict-with-keyword $body"

    def __init__(self, node: str, source: str, body: Region):
        super().__init__(properties={"node": StringAttr(node), "source": StringAttr(source)}, regions=[body])

    @property
    def steps(self) -> list[Operation]:
        """The chain without its end."""
        return [op for op in self.body.block.ops if not isinstance(op, GiveOp)]

    @property
    def takes(self) -> Attribute:
        """The type of what the source sends."""
        return self.body.block.args[0].type

    @property
    def gives(self) -> Attribute:
        """The type of what arrives."""
        last = self.body.block.last_op
        assert isinstance(last, GiveOp)  # verified
        return last.value.type

    def verify_(self) -> None:
        verify_chain(self, self.body.block, STEPS)


@irdl_op_definition
class PopulationOp(NoptOperation):
    """The arithmetic of a population, as `ntensor.neuron` has it; for each operand the projections that are added, in order.

    `order`, if it is there, is a permutation of the flat indices, and slices are runs of it; else slices are boxes of the shape.

    Shapes: order [neurons]. Errors: those of `ntensor.neuron`.
    """

    name = "machine.population"
    node = prop_def(StringAttr)
    update = prop_def(FlatSymbolRefAttrConstr)
    inputs = prop_def(base(ListAttr[ListAttr[StringAttr]]))
    family = opt_prop_def(StringAttr)
    canonical = opt_prop_def(DictionaryAttr)
    params = prop_def(DictionaryAttr)
    initial = prop_def(DictionaryAttr)
    order = opt_prop_def(ArrayAttr)
    function_type = prop_def(FunctionType)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $update `adds` $inputs attr-dict `:` $function_type"

    def __init__(self, neuron: NeuronOp, inputs: Sequence[Sequence[str]], order: ArrayAttr | None = None):
        properties: dict[str, Attribute | None] = {
            "node": neuron.node,
            "update": neuron.update,
            "inputs": ListAttr([names(listed) for listed in inputs]),
            "family": neuron.family,
            "canonical": neuron.canonical,
            "params": neuron.params,
            "initial": neuron.initial,
            "order": order,
            "function_type": FunctionType.from_lists([x.type for x in neuron.xs], [neuron.z.type]),
        }
        super().__init__(properties=properties)

    @property
    def type(self) -> Attribute:
        """What the population sends."""
        return self.function_type.outputs.data[0]

    def neuron(self, xs: Sequence[SSAValue]) -> NeuronOp:
        """The same arithmetic on values."""
        return NeuronOp(
            self.node.data,
            self.update.root_reference.data,
            xs,
            self.type,
            params=self.params,
            initial=self.initial,
            family=self.family.data if self.family is not None else None,
            canonical=self.canonical,
        )

    def verify_against(self, update: UpdateOp | None, given: Sequence[Sequence[Attribute]]) -> None:
        """Refuses what `ntensor.neuron` and `ntensor.sum` refuse: `given` are the types that are added, for each operand."""
        wanted = self.function_type.inputs.data
        for types, type in zip(given, wanted, strict=True):
            if len(types) > 1 or types[0] != type:
                verify_sum(types, type)
        block = Block(arg_types=wanted)
        neuron = self.neuron(block.args)
        neuron.verify_()
        neuron.verify_against(update)
        neuron.erase()


def verify_sum(types: Sequence[Attribute], type: Attribute) -> None:
    block = Block(arg_types=types)
    added = SumOp.create(operands=list(block.args), result_types=[type])
    added.verify_()
    added.erase()


def chain_of(value: SSAValue) -> list[Operation]:
    """The ops that lead to a value, one after the other, back to the first that is no step of a projection."""
    found: list[Operation] = []
    while isinstance(value, OpResult) and isinstance(value.op, STEPS):
        found.append(value.op)
        value = value.op.operands[0]
    return found[::-1]


def size_of(type: Attribute) -> int:
    """Neurons of a type."""
    total = 1
    for n in shape_of(type):
        total *= n
    return total
