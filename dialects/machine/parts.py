"""Computation of a machine graph: inputs, populations, outputs, and the unsliced projections between them.

Parts refer to each other by node name, not by SSA values. Weights are stored once, in their projection; edges are views of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import prod
from typing import Any, NoReturn, cast

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    ModuleOp,
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

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, first_of, invalid
from ...core.ir.graph_region import names
from ...core.ir.operation import NoptOperation, shape_of
from ..ntensor import DelayOp, NeuronOp, ReshapeOp, SumOp, SynapseOpInterface, UpdateOp

MCH001 = Code("MCH001", "machine-name-repeated-or-missing", "a name is used twice, or is not defined")
MCH002 = Code("MCH002", "projection-not-a-chain", "the body of a projection or output is not a chain")

PROJECTION_OPS = (DelayOp, ReshapeOp, SynapseOpInterface)
"""Ops that a projection may contain."""
OUTPUT_OPS = (DelayOp, ReshapeOp)
"""Ops that the body of an output may contain."""


@irdl_op_definition
class YieldOp(NoptOperation):
    """Terminator of the chain of a projection or output. Its operand is the result of the chain."""

    name = "machine.yield"
    value = operand_def(base(TensorType))
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ProjectionOp, OutputOp)))
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue):
        super().__init__(operands=[value])


def verify_chain(op: Operation, block: Block, allowed: tuple[type[Operation], ...]) -> None:
    """Refuses a block that is not a chain of the allowed ops. Errors: MCH002."""

    def refuse(expected: str, found: str) -> NoReturn:
        help = "let each op read the op before it"
        invalid(op, MCH002, "the body is not a chain of ops", expected=expected, found=found, help=help)

    if len(block.args) != 1:
        refuse("one argument, the signal of the source", f"{len(block.args)} arguments")
    last = block.last_op
    if not isinstance(last, YieldOp):
        refuse("machine.yield as the last op", last.name if last is not None else "no op at all")
    value: SSAValue = block.args[0]
    for inner in block.ops:
        if inner is not last and not isinstance(inner, allowed):
            refuse(f"one of {', '.join(op_names(allowed))}", inner.name)
        if list(inner.operands) != [value]:
            refuse("an op that reads the op before it", f"{inner.name} with other operands")
        if inner.results:
            value = inner.results[0]


def op_names(kinds: Iterable[type[Any]]) -> list[str]:
    """Returns the names of the ops of some kinds, sorted, for messages."""
    found: set[str] = set()
    work = list(kinds)
    for kind in work:  # grows during the walk
        work += kind.__subclasses__()
        if isinstance(name := getattr(kind, "name", None), str):
            found.add(name)
    return sorted(found)


@irdl_op_definition
class InputOp(NoptOperation):
    """An input of the network, with the user's name for it. Inputs keep the user's order."""

    name = "machine.input"
    node = prop_def(StringAttr)
    type = prop_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node attr-dict `:` $type"

    def __init__(self, node: str, type: Attribute):
        super().__init__(properties={"node": StringAttr(node), "type": type})


@irdl_op_definition
class OutputOp(NoptOperation):
    """An output of the network: the signal of a population or input, with the user's name for it. Outputs keep the user's order.

    The optional region is a chain of delays and reshapes. Errors: MCH002 another region.
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
        verify_chain(self, self.body.block, OUTPUT_OPS)
        given = cast("YieldOp", self.body.block.last_op).value.type
        if given != self.type:
            help = "correct the type of the output"
            invalid(self, MCH002, "the chain has another type", expected=str(self.type), found=str(given), help=help)


@irdl_op_definition
class ProjectionOp(NoptOperation):
    """A chain of ntensor ops over whole arrays, from the signal of a source to a term in the sum of a neuron.

    One or more populations list it in their `inputs`. An empty chain forwards the signal of the source.
    Errors: MCH002 a body that is not a chain.
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
        """Returns the ops of the chain without the terminator."""
        return [op for op in self.body.block.ops if not isinstance(op, YieldOp)]

    @property
    def input_type(self) -> Attribute:
        """Returns the type of the signal of the source."""
        return self.body.block.args[0].type

    @property
    def gives(self) -> Attribute:
        """Returns the type of the result of the chain."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)  # verified
        return last.value.type

    def verify_(self) -> None:
        verify_chain(self, self.body.block, PROJECTION_OPS)


@irdl_op_definition
class PopulationOp(NoptOperation):
    """A population with the arithmetic of `ntensor.neuron`. `inputs` lists for each operand the projections that are added, in order.

    `order` is a permutation of the flat indices, and slices are contiguous ranges of it; without `order`, slices are boxes of the shape.

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
    def projections(self) -> list[str]:
        """Returns the projections that the population adds, operand by operand."""
        return [name.data for listed in self.inputs for name in listed]

    @property
    def type(self) -> Attribute:
        """Returns the type of the population's output."""
        return self.function_type.outputs.data[0]

    def neuron(self, xs: Sequence[SSAValue]) -> NeuronOp:
        """Returns an `ntensor.neuron` with the same arithmetic on the operands `xs`."""
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
        """Applies the checks of `ntensor.neuron` and `ntensor.sum`; `given` holds the added types of each operand."""
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


def updates_of(module: ModuleOp) -> dict[str, UpdateOp]:
    """Returns the updates of a module, by name."""
    return {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}


def verify_known(op: Operation, what: str, name: str, known: Collection[str]) -> None:
    """Refuses a name that is not defined. Errors: MCH001."""
    if name not in known:
        shown = first_of(sorted(known), 8)
        message = f'unknown {what} "{name}"'
        invalid(op, MCH001, message, expected=f"one of {shown or 'none'}", found=name, help="correct the name")


def chain_of(value: SSAValue) -> list[Operation]:
    """Returns the chain of ops that computes a value, back to the first op that a projection may not contain."""
    found: list[Operation] = []
    while isinstance(value, OpResult) and isinstance(value.op, PROJECTION_OPS):
        found.append(value.op)
        value = value.op.operands[0]
    return found[::-1]


def size_of(type: Attribute) -> int:
    """Returns the number of neurons of a type."""
    return prod(shape_of(type))
