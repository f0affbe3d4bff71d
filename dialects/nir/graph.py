"""Graphs and nested graphs of the nir dialect, with their outputs and repairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr, FunctionType, StringAttr, TensorType
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, Region, SSAValue
from xdsl.irdl import (
    base,
    irdl_attr_definition,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent

from ...core.diagnostics import Code, invalid
from ...core.ir.graph_region import GraphOperation, NetworkOperation, Signature, parse_signature
from ...core.ir.graph_region import names as strings
from ...core.ir.operation import TerminatorOperation
from .node import verify_signal

NIR005 = Code("NIR005", "nir-name-repeated", "a name is used twice")
NIR006 = Code("NIR006", "nir-graph-signature-mismatch", "the region of a graph does not match its signature")


# ---- records


@irdl_attr_definition
class RepairAttr(ParametrizedAttribute):
    """Record of a repair: the pass with its options, the formula, and the populations that it changed."""

    name = "nir.repair"
    step: StringAttr
    what: StringAttr
    touched: ListAttr[StringAttr]

    @staticmethod
    def of(step: str, what: str, touched: Iterable[str]) -> RepairAttr:
        return RepairAttr(StringAttr(step), StringAttr(what), strings(touched))


# ---- graphs


@irdl_op_definition
class OutputOp(TerminatorOperation):
    """Terminator of a graph. Its operands are the outputs (NIR's Output nodes), in the order of the signature."""

    name = "nir.output"
    values = var_operand_def(base(TensorType))
    traits = lazy_traits_def(lambda: (HasParent(GraphOp, SubgraphOp),))


def verify_graph(op: GraphOp | SubgraphOp) -> None:
    """Refuses a graph with a region that does not match its signature, or with two nodes of one name."""
    op.verify_signature(NIR006, "graph", OutputOp, lambda what, type: verify_signal(op, what, type))
    names: set[str] = set()
    terminals = [*op.input_names, *op.output_names]
    for name in terminals:
        take_name(op, name, names)
    if stray := [name for name in (op.terminal_metadata.data if op.terminal_metadata else ()) if name not in names]:
        message = "terminal_metadata has an entry that is not a terminal of the graph"
        help = "correct the name, or remove the entry"
        invalid(op, NIR006, message, expected=", ".join(map(str, terminals)), found=f'"{stray[0]}"', help=help)
    for inner in op.body.block.ops:
        if isinstance(name := inner.properties.get("node"), StringAttr):
            take_name(inner, name, names)


def take_name(op: Operation, name: StringAttr, names: set[str]) -> None:
    if name.data in names:
        invalid(
            op,
            NIR005,
            "two nodes have the same name",
            expected="each name once in a graph",
            found=f'"{name.data}" twice',
            help="rename one of the two nodes",
        )
    names.add(name.data)


@irdl_op_definition
class GraphOp(NetworkOperation):
    """A network. Operands may be used before they are defined.

    `version` is the NIR version of the file that the network was read from. `metadata` is the metadata of that file.

    Errors: NIR005 two nodes with one name; NIR006 a region that does not match the signature.
    """

    name = "nir.graph"
    version = opt_prop_def(StringAttr)
    metadata = opt_prop_def(DictionaryAttr)
    terminal_metadata = opt_prop_def(DictionaryAttr)
    """Metadata of Input and Output nodes, by node name."""
    repairs = opt_prop_def(base(ListAttr[RepairAttr]))
    """Records of the changes to the numbers of the file, with their formulas."""

    ATTRIBUTES: ClassVar[tuple[str, ...]] = ("version", "metadata", "terminal_metadata", "repairs")

    def __init__(self, name: str, signature: Signature, body: Region):
        super().__init__(properties=self.properties_of(name, signature), regions=[body])

    def verify_(self) -> None:
        verify_graph(self)


@irdl_op_definition
class SubgraphOp(GraphOperation):
    """A nested graph as a node, with the inputs and outputs of that graph.

    Shapes: operands and results have the types of the terminals. Errors: as `nir.graph`.
    """

    name = "nir.subgraph"
    node = prop_def(StringAttr)
    metadata = opt_prop_def(DictionaryAttr)
    terminal_metadata = opt_prop_def(DictionaryAttr)
    xs = var_operand_def(base(TensorType))
    ys = var_result_def(base(TensorType))

    ATTRIBUTES: ClassVar[tuple[str, ...]] = ("metadata", "terminal_metadata")

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
        graph.set_attributes(given.data if given else {})
        return graph

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.node)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.xs, printer.print_ssa_value)
        printer.print_string(" ")
        self.print_graph(printer)

    def verify_(self) -> None:
        verify_graph(self)
