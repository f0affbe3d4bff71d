"""State of the reading of one graph: the values so far, and the refusals that name a node."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NoReturn

from attrs import define, field

from ...core.diagnostics import Code, Diagnostics, refuse
from ..limits import NIF027, raised_limit
from .model import ONX008, OnnxGraph, OnnxNode
from .spike_builder import SpikeBuilder
from .tensor_builder import TensorBuilder
from .values import Constant, GraphValue, Real, Scaled, ShapeEntries, Sizes, Stored

ONX004 = Code("ONX004", "onnx-setting-unsupported", "a setting of an op is not supported")
ONX009 = Code("ONX009", "onnx-operand-unsupported", "an operand of an op is not supported")

MISSING = object()
NUMBER_BYTES = 8


@define(eq=False)
class Reading:
    """The values of a graph by name, and the builder of the network."""

    graph: OnnxGraph
    builder: TensorBuilder | SpikeBuilder
    diagnostics: Diagnostics
    values: dict[str, GraphValue] = field(factory=dict[str, GraphValue])

    # ---- operands and settings

    def operand(self, node: OnnxNode, index: int) -> GraphValue:
        """Returns an operand. Errors: ONX008 it is missing."""
        if (found := self.optional(node, index)) is None:
            self.refuse(node, ONX008, f"{node.op} lacks an operand", f"operand {index}", f"{len(node.inputs)} operands")
        return found

    def optional(self, node: OnnxNode, index: int) -> GraphValue | None:
        name = node.inputs[index] if index < len(node.inputs) else ""
        return self.values[name] if name else None

    def constant(self, node: OnnxNode, index: int, what: str) -> Constant:
        """Returns an operand that is an array of the file. Errors: ONX009 it is computed."""
        found = self.operand(node, index)
        if not isinstance(found, Constant):
            self.refuse(node, ONX009, f"{what} of {node.op} is computed", "an initialiser", f'"{node.inputs[index]}"')
        return found

    def number(self, node: OnnxNode, index: int, what: str, default: float) -> float:
        """Returns an optional operand that is one number of the file."""
        if self.optional(node, index) is None:
            return default
        found = self.constant(node, index, what).values
        if found.size != 1:
            self.refuse(
                node, ONX009, f"{what} of {node.op} is not a number", "one number", f"shape {list(found.shape)}"
            )
        return float(found.reshape(()))

    def signal(self, node: OnnxNode, index: int = 0) -> Real | Scaled | Stored:
        """Returns an operand that depends on an input of the network. Errors: ONX009 it is a constant."""
        found = self.operand(node, index)
        if isinstance(found, Constant | ShapeEntries):
            self.refuse(
                node, ONX009, f"{node.op} of constants", "an operand that depends on an input", "an initialiser"
            )
        return found

    def numbers(self, node: OnnxNode, index: int) -> Constant | Real | Scaled | Stored:
        """Returns an operand with elements. Errors: ONX009 sizes of a value."""
        found = self.operand(node, index)
        if isinstance(found, ShapeEntries):
            self.refuse(node, ONX009, f"{node.op} of sizes", "elements of a value", "the result of Shape")
        return found

    def real(self, node: OnnxNode, value: GraphValue) -> Real:
        """Returns a value as a real; scaled integers are converted. Errors: ONX009 stored integers."""
        match value:
            case Real():
                return value
            case Scaled():
                assert isinstance(self.builder, TensorBuilder)  # others have no integers
                return self.builder.rescale(f"{node.name}.real", value)
            case Stored():
                self.refuse_integers(node)
            case Constant() | ShapeEntries():
                self.refuse(
                    node, ONX009, f"{node.op} of constants", "an operand that depends on an input", "a constant"
                )

    def refuse_integers(self, node: OnnxNode) -> NoReturn:
        expected, help = "a value after DequantizeLinear", "quantise the network in the format QDQ"
        self.refuse(node, ONX009, f"{node.op} of stored integers", expected, "a value of QuantizeLinear", help)

    def setting(self, node: OnnxNode, name: str, default: Any) -> Any:
        """Returns an attribute of a node. Errors: ONX008 an attribute of another type."""
        found = node.attributes.get(name, MISSING)
        if found is MISSING:
            return default
        wanted, given = type(default).__name__, type(found).__name__
        if given != wanted and default is not None:
            self.refuse(node, ONX008, f"{name} of {node.op} has another type", wanted, given)
        return found

    def require(self, node: OnnxNode, name: str, wanted: Any, help: str = "") -> None:
        """Refuses another value of an attribute. Errors: ONX004."""
        found = self.setting(node, name, wanted)
        if found != wanted:
            message = f"{name} of {node.op} is not supported"
            self.refuse(node, ONX004, message, f"{name} = {wanted}", f"{name} = {found}", help)

    # ---- parts of nodes

    def keep(self, node: OnnxNode, value: GraphValue) -> str:
        """Returns the name of a value inside a node, so that a part of the node has it as an operand."""
        name = f"{node.name}\0{len(self.values)}"
        self.values[name] = value
        return name

    # ---- results

    def check_size(self, node: OnnxNode, shape: Sizes) -> None:
        """Refuses a value that exceeds the limit of bytes. Errors: NIF027."""
        size = NUMBER_BYTES * prod(shape)
        if size > self.graph.limits.bytes:
            refuse(
                NIF027,
                "a value exceeds the limit of bytes",
                node=node.name,
                file=self.graph.file,
                expected=f"at most {self.graph.limits.bytes} bytes",
                found=f"{size} bytes for shape {list(shape)}",
                help=raised_limit("bytes", size),
            )

    def refuse_shape(self, node: OnnxNode, message: str, expected: str, found: Sequence[int]) -> NoReturn:
        self.refuse(node, ONX008, message, expected, f"shape {list(found)}")

    def refuse(self, node: OnnxNode, code: Code, message: str, expected: str, found: str, help: str = "") -> NoReturn:
        at = f'{node.op} "{node.name}"'
        refuse(
            code,
            message,
            at=at,
            node=node.name,
            file=self.graph.file,
            expected=expected,
            found=found,
            help=help or f"nopt explain {code}",
        )
