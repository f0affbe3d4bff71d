"""Shared parts of the graph regions of all levels: text form of a network's signature, and execution order of its ops.

    @braille("input" %x: tensor<12xf32>) -> ("output": tensor<7xi1>) attributes {…} { … }

Inputs and outputs carry the user's own node names as strings; the SSA name of an argument has no meaning.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple, Self, TypeVar

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import FunctionType, StringAttr, SymbolNameConstraint
from xdsl.ir import Attribute, Block, IRNode, Operation, OpResult, Region, SSAValue
from xdsl.irdl import base, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface

from ..diagnostics import Code, invalid
from .operation import NoptOperation, TerminatorOperation

T = TypeVar("T")


class Signature(NamedTuple):
    """Names and types of the inputs and outputs of a graph."""

    input_names: ListAttr[StringAttr]
    output_names: ListAttr[StringAttr]
    type: FunctionType


def names(texts: Iterable[str]) -> ListAttr[StringAttr]:
    return ListAttr([StringAttr(text) for text in texts])


def parse_signature(parser: Parser) -> tuple[Signature, list[Parser.Argument]]:
    """Reads `("in" %a: type, …) -> ("out": type, …)`."""

    def argument() -> tuple[str, Parser.Argument]:
        name = parser.parse_str_literal("the name of an input")
        arg = parser.parse_argument()
        arg.location = parser.parse_optional_location()  # parse_argument does not parse it
        return name, arg

    def result() -> tuple[str, Attribute]:
        name = parser.parse_str_literal("the name of an output")
        parser.parse_punctuation(":")
        return name, parser.parse_type()

    inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    parser.parse_punctuation("->")
    outputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, result)
    type = FunctionType.from_lists([arg.type for _, arg in inputs], [type for _, type in outputs])
    signature = Signature(names(name for name, _ in inputs), names(name for name, _ in outputs), type)
    return signature, [arg for _, arg in inputs]


def print_signature(printer: Printer, signature: Signature, region: Region) -> None:
    """Prints a signature in the form that `parse_signature` reads."""

    def argument(pair: tuple[StringAttr, int]) -> None:
        printer.print_attribute(pair[0])
        printer.print_string(" ")
        printer.print_block_argument(region.block.args[pair[1]])

    def result(pair: tuple[StringAttr, Attribute]) -> None:
        printer.print_attribute(pair[0])
        printer.print_string(": ")
        printer.print_attribute(pair[1])

    with printer.in_parens():
        printer.print_list([(name, k) for k, name in enumerate(signature.input_names)], argument)
    printer.print_string(" -> ")
    with printer.in_parens():
        printer.print_list(list(zip(signature.output_names, signature.type.outputs, strict=True)), result)


class GraphOperation(NoptOperation):
    """Base of the ops with a graph region whose inputs and outputs have names."""

    input_names = prop_def(base(ListAttr[StringAttr]))
    output_names = prop_def(base(ListAttr[StringAttr]))
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    ATTRIBUTES: ClassVar[tuple[str, ...]] = ()
    """The properties that are printed in the attribute dictionary, in the order of printing."""

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Returns the names and types of the inputs and outputs."""

    def set_attributes(self, given: Mapping[str, Attribute]) -> None:
        """Sets the properties and discardable attributes of an attribute dictionary."""
        for name, value in given.items():
            (self.properties if name in self.ATTRIBUTES else self.attributes)[name] = value

    def print_graph(self, printer: Printer) -> None:
        """Prints the op from its signature on: `(…) -> (…) attributes {…} {…}`."""
        print_signature(printer, self.signature, self.body)
        shown = {name: self.properties[name] for name in self.ATTRIBUTES if name in self.properties}
        printer.print_op_attributes(shown | self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_signature(
        self,
        code: Code,
        graph: str,
        terminator: type[TerminatorOperation],
        verify_type: Callable[[str, Attribute], None] = lambda what, type: None,
    ) -> None:
        """Refuses a region that does not match the signature. `graph` is the word for the op in messages."""
        last = self.body.block.last_op
        if not isinstance(last, terminator):
            invalid(
                self,
                code,
                f"the {graph} has no outputs",
                expected=f"{terminator.name} as its last op",
                found=last.name if last is not None else "no op at all",
                help=f"end the {graph} with {terminator.name} and its output values",
            )
        signature = self.signature
        for what, listed, declared, values in (
            ("input", signature.input_names, signature.type.inputs, self.body.block.args),
            ("output", signature.output_names, signature.type.outputs, last.values),
        ):
            if len(listed) != len(declared):
                message = f"the signature of the {graph} has different numbers of {what} names and {what} types"
                expected = f"{len(declared)} names"
                help = "name every input and output once"
                invalid(self, code, message, expected=expected, found=", ".join(map(str, listed)) or "none", help=help)
            for number, type in enumerate(declared):
                verify_type(f"{what} {number}", type)
            if (found := [value.type for value in values]) != list(declared):
                message = f"the {what} types of the region differ from the signature"
                expected = ", ".join(map(str, declared)) or "none"
                help = f"correct the signature, or the operands of {terminator.name}"
                invalid(self, code, message, expected=expected, found=", ".join(map(str, found)) or "none", help=help)


class NetworkOperation(GraphOperation):
    """Base of the ops that are a whole network: a graph with a symbol, whose signature is a property."""

    sym_name = prop_def(SymbolNameConstraint())
    function_type = prop_def(FunctionType)
    traits = traits_def(SymbolOpInterface())

    @property
    def has_host_ops(self) -> bool:
        """Whether the host computes ops of the network, and not the chip that runs all others."""
        return False

    @staticmethod
    def properties_of(name: str, signature: Signature) -> dict[str, Attribute]:
        return {
            "sym_name": StringAttr(name),
            "function_type": signature.type,
            "input_names": signature.input_names,
            "output_names": signature.output_names,
        }

    @property
    def signature(self) -> Signature:
        return Signature(self.input_names, self.output_names, self.function_type)

    @classmethod
    def check_attributes(cls, parser: Parser, given: dict[str, Attribute]) -> None:
        """Refuses the attributes of a text, or changes them."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name().data
        signature, args = parse_signature(parser)
        properties = cls.properties_of(name, signature)
        given = parser.parse_optional_attr_dict_with_keyword(tuple(properties))
        attributes = dict(given.data) if given else {}
        cls.check_attributes(parser, attributes)
        network = cls.create(properties=properties, regions=[parser.parse_region(args)])
        network.set_attributes(attributes)
        return network

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        self.print_graph(printer)


def sources(op: Operation) -> list[Operation]:
    """Returns the ops of the same block that define operands of `op`, in the order of the operands, without duplicates."""
    found = dict.fromkeys(
        value.op for value in op.operands if isinstance(value, OpResult) and value.op.parent is op.parent
    )
    return list(found)


def walk_upstream(values: Iterable[SSAValue], is_passed: Callable[[Operation], bool]) -> Iterator[SSAValue]:
    """Yields values and all their transitive operands, each once and depth first. The walk passes only ops for which `is_passed` holds."""
    stack, seen = list(values)[::-1], set[SSAValue]()
    while stack:
        if (value := stack.pop()) not in seen:
            seen.add(value)
            yield value
            if isinstance(value.owner, Operation) and is_passed(value.owner):
                stack += value.owner.operands[::-1]


def walk_downstream(values: Iterable[SSAValue], is_passed: Callable[[Operation], bool]) -> Iterator[SSAValue]:
    """Yields values and all their transitive users' results, each once and depth first. The walk passes only ops for which `is_passed` holds."""
    stack, seen = list(values)[::-1], set[SSAValue]()
    while stack:
        if (value := stack.pop()) not in seen:
            seen.add(value)
            yield value
            stack += [result for use in value.uses if is_passed(use.operation) for result in use.operation.results]


def components(nodes: Sequence[T], reads: Callable[[T], Iterable[T]]) -> list[list[T]]:
    """Returns the strongly connected components in an order of execution: each component follows the components that it reads.

    The result depends on the order of `nodes` and `reads` alone. Tarjan's algorithm without recursion.

    Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972).
    """
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    waiting: list[T] = []
    is_waiting: set[T] = set()
    found: list[list[T]] = []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(reads(root)))]
        index[root] = low[root] = len(index)
        waiting.append(root)
        is_waiting.add(root)
        while work:
            node, rest = work[-1]
            for source in rest:
                if source not in index:
                    index[source] = low[source] = len(index)
                    waiting.append(source)
                    is_waiting.add(source)
                    work.append((source, iter(reads(source))))
                    break
                if source in is_waiting:
                    low[node] = min(low[node], index[source])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = [waiting.pop()]
                    while component[-1] is not node:
                        component.append(waiting.pop())
                    is_waiting.difference_update(component)
                    found.append(component[::-1])
    return found


def reverse_postorder(roots: Iterable[T], readers: Callable[[T], Iterable[T]]) -> list[T]:
    """Returns the nodes that are reachable from `roots`, each before its readers except in loops."""
    seen: set[T] = set()
    order: list[T] = []
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        work = [(root, iter(readers(root)))]
        while work:
            node, rest = work[-1]
            for reader in rest:
                if reader not in seen:
                    seen.add(reader)
                    work.append((reader, iter(readers(reader))))
                    break
            else:
                order.append(node)
                work.pop()
    return order[::-1]


def schedule(block: Block, is_broken: Callable[[Operation], bool]) -> list[list[Operation]]:
    """Returns the ops of a graph region in an order of execution, with the ops of a cycle in one group.

    An op for which `is_broken` holds computes its result without this tick's operands (a delay of at least one tick),
    so it breaks a cycle. A component of several ops, or of one op that reads itself, is a cycle without a delay.
    """
    return components(list(block.ops), lambda op: [] if is_broken(op) else sources(op))


def is_loop(component: Sequence[Operation], is_broken: Callable[[Operation], bool]) -> bool:
    """Returns whether a component of `schedule` reads itself."""
    return len(component) > 1 or (not is_broken(component[0]) and component[0] in sources(component[0]))


def find_cycle(component: Sequence[Operation], is_broken: Callable[[Operation], bool]) -> list[Operation]:
    """Returns one cycle of a component: each op reads its predecessor in the list, and the first op reads the last one."""
    inside = set(component)
    path: list[Operation] = [component[0]]
    while True:
        read = next(op for op in sources(path[-1]) if op in inside and not is_broken(path[-1]))
        if read in path:
            return path[path.index(read) :][::-1]
        path.append(read)


def are_equivalent(one: Operation, other: Operation) -> bool:
    """Returns whether two ops have the same structure.

    Inner ops may read results that are defined later. xDSL's own comparison treats such results as different even in identical copies.
    """
    same: dict[IRNode | SSAValue, IRNode | SSAValue] = {
        result: its
        for op, another in zip(one.walk(), other.walk(), strict=False)
        for result, its in zip(op.results, another.results, strict=False)
    }
    return one.is_structurally_equivalent(other, same)
