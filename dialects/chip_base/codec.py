"""Codec between the op of a chip and JSON, for the artefacts whose format is our own.

    {"schema": "nopt.loihi2/2", "chip": {"op": "loihi2.chip", "sym_name": "net", "tick_ns": 1000000, "body": [{"op": "loihi2.input", …}, …]}}

| in the op | in JSON |
| --- | --- |
| name of the op | `op` |
| operands | `operands`, with their names: `["x0"]` |
| results, arguments of the region of a graph | `results` and `arguments`, names with types: `{"x1": "tensor<10xi16>"}` |
| property | its name, without those that are absent |
| region | its name, with the list of its ops |
| attributes with a dot in their names, except for the device | `attributes` |
| text, symbol, type, case of an enumeration | a text |
| integer of 64 bits, real of 64 bits | a number |
| list, dictionary, attribute with parameters | a list, or an object |
| array of up to 16 elements | `{"type": "i16", "shape": [2], "values": [2, -6]}`; numbers that are not finite are texts |
| larger array | `{"type": "i16", "shape": [38, 12], "file": "arrays/0003.npy"}` |
| another attribute | `{"mlir": "unit"}` |

The definition of a property selects how its text or object is read. A name occurs once in a file; a graph may use it before its definition. No path in a file is followed: an array is found by its name.
Errors of the reader: the code of the target, with the file and the path of the value; those of the verifiers of the ops.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from math import isfinite
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    ArrayOfConstraint,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    NoneType,
    StringAttr,
    SymbolRefAttr,
    f64,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Operation, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import AttrConstraint, IRDLOperation, OptionalDef, RangeOf
from xdsl.utils.exceptions import VerifyException

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.files import dump
from ...core.arrays.numeric import AnyArray
from ...core.arrays.numpy_files import Pickled, Unreadable, read_npy
from ...core.device.device_attr import DEVICE
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.ir import source
from ...core.ir.graph_region import GraphOperation
from ...core.ir.operation import NoptOperation
from ...core.json_node import HELP, JsonNode
from .chip import ChipBase
from .json_form import CHI023, UPDATES, ChipReader, array_json, read_real, shared_files

NETWORK = "network.json"
"""The main file of most artefacts."""
INLINE = 16
"""The most elements of an array within the JSON file."""
WIDTH = 120
"""The most characters of a value on one line."""
ARRAY_FILE = re.compile(r"arrays/\d{4,9}\.npy")
ARRAY, OTHER = {"type", "shape"}, {"mlir"}
"""Members of an array, and of an attribute without another form."""
WORDS: dict[type[Attribute], str] = {
    ArrayAttr: "an array",
    DictionaryAttr: "an object",
    FloatAttr: "a number",
    IntegerAttr: "an integer",
    ListAttr: "a list",
    StringAttr: "a text",
}
Json = dict[str, Any]


def format_json(value: object, indent: int = 0) -> str:
    """Returns JSON text; a value is on one line if it fits into the line."""
    text, inner, entries = json.dumps(value), "\n" + " " * (indent + 1), cast("Any", value)
    if text[0] not in "[{" or indent + len(text) <= WIDTH:
        return text
    if text[0] == "[":
        parts = [format_json(entry, indent + 1) for entry in entries]
    else:
        parts = [f"{json.dumps(name)}: {format_json(entry, indent + 1)}" for name, entry in entries.items()]
    return f"{text[0]}{inner}{f',{inner}'.join(parts)}{inner[:-1]}{text[-1]}"


def schema_of(kind: type[Operation]) -> str:
    """Returns the name of the format of a chip, with its version."""
    return f"nopt.{kind.name.partition('.')[0]}/2"


def member_of(kind: type[Operation]) -> str:
    """Returns the member of a file that contains the op."""
    return kind.name.partition(".")[2]


def property_names(kind: type[IRDLOperation]) -> list[str]:
    """Returns the property names of an op class; names from base classes come first."""
    known, bases = kind.get_irdl_definition().properties, cast("Any", kind).__mro__[::-1]
    names = (name for base in bases for name in cast("dict[str, Any]", vars(base)))
    return [name for name in dict.fromkeys(names) if name in known]


def entry_constraint(constraint: AttrConstraint | None) -> AttrConstraint | None:
    """Returns the constraint of the entries of a list; None if there is none."""
    entries: Any = constraint
    is_list = isinstance(constraint, ArrayOfConstraint) and isinstance(entries.elem_range_constraint, RangeOf)
    return entries.elem_range_constraint.constr if is_list else None


# ---- writing


class OpWriter:
    """Writer of the op of a chip. A target overrides `array` to store arrays in files of its own."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        """The files of large arrays."""
        self.names: dict[SSAValue, str] = {}

    def text(self, op: IRDLOperation, **more: object) -> str:
        """Returns the text of the main file; `more` are its other members."""
        record = {"schema": schema_of(type(op)), **more, member_of(type(op)): self.op(op)}
        return format_json(record) + "\n"

    def op(self, op: IRDLOperation) -> Json:
        definition = op.get_irdl_definition()
        record: Json = {"op": op.name}
        if definition.operands:
            record["operands"] = [self.value_name(value) for value in op.operands]
        if definition.results:
            record["results"] = self.value_types(op.results)
        for name in property_names(type(op)):
            if (value := op.properties.get(name)) is not None:
                bases = definition.properties[name].constr.get_bases()
                record[name] = self.attribute(op, name, value, bases is not None and StringAttr not in bases)
        for (name, _), region in zip(definition.regions, op.regions, strict=True):
            if region.block.args:
                record["arguments"] = self.value_types(region.block.args)
            record[name] = [self.op(cast("IRDLOperation", inner)) for inner in region.block.ops]
        if others := {name: self.attribute(op, name, value) for name, value in op.attributes.items() if name != DEVICE}:
            record["attributes"] = others
        return record

    def value_types(self, values: Sequence[SSAValue]) -> Json:
        return {self.value_name(value): str(value.type) for value in values}

    def value_name(self, value: SSAValue) -> str:
        """Returns the name of a value in the text of the op; a number if it has none."""
        if value not in self.names:
            name, number = value.name_hint or "", len(self.names)
            is_free = name and name not in self.names.values()
            self.names[value] = name if is_free else f"{name}_{number}".removeprefix("_")
        return self.names[value]

    def attribute(self, op: IRDLOperation, path: str, value: Attribute, is_typed: bool = False) -> object:
        """Returns an attribute; `is_typed` is whether the definition of the op selects how its text is read."""
        found: Any = value
        match value:
            case StringAttr():
                return value.data
            case IntegerAttr() if found.type == i64:
                return found.value.data
            case FloatAttr() if found.type == f64 and isfinite(found.value.data):
                return found.value.data
            case ArrayAttr():
                return self.array(op, path, value)
            case ListAttr():
                items: ListAttr[Attribute] = value
                return [self.attribute(op, f"{path}[{k}]", one, is_typed) for k, one in enumerate(items)]
            case DictionaryAttr() if not any(names <= value.data.keys() for names in (ARRAY, OTHER)):
                return {name: self.attribute(op, f"{path}.{name}", one) for name, one in value.data.items()}
            case SymbolRefAttr() if is_typed and not value.nested_references:
                return value.root_reference.data
            case EnumAttribute() if is_typed:
                return str(found.data)
            case NoneType() if is_typed:
                return None
            case TypeAttribute() if is_typed:
                return str(value)
            case ParametrizedAttribute() if is_typed:
                names = [name for name, _ in value.get_irdl_definition().parameters]
                parts = zip(names, value.parameters, strict=True)
                return {name: self.attribute(op, f"{path}.{name}", one, is_typed) for name, one in parts}
            case _:
                return {"mlir": str(value)}

    def array(self, op: IRDLOperation, path: str, array: ArrayAttr) -> Json:
        """Returns an array, or its place in a file."""
        head = {"type": str(array.element), "shape": list(array.shape)}
        if array.data.size <= INLINE:
            return {**array_json(array.values), **head}
        file, content = f"arrays/{len(self.files):04}.npy", BytesIO()
        dump(content, array.values)
        self.files[file] = content.getvalue()
        return {**head, "file": file}


def chip_files(module: ModuleOp, chip: NoptOperation, device: Device, writer: OpWriter) -> dict[str, bytes]:
    """Returns the chip with its arrays, the updates of its neurons, and the device."""
    return {NETWORK: writer.text(chip).encode(), **writer.files, **shared_files(module, chip, device)}


# ---- reading


class OpReader(ChipReader):
    """Reader of the op of a chip. A target overrides `array` for arrays in files of its own."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics, code: Code = CHI023):
        super().__init__(files, diagnostics, code)
        self.values: dict[str, SSAValue] = {}
        self.operands: list[tuple[Operation, JsonNode]] = []

    def read(self, file: str, kind: type[NoptOperation]) -> ModuleOp:
        """Returns the module with the chip and its updates, which verifies."""
        return self.read_from(self.head(file, schema_of(kind)), kind)

    def read_from(self, head: JsonNode, kind: type[NoptOperation]) -> ModuleOp:
        node = head[member_of(kind)]
        self.dialect = kind.name.partition(".")[0]
        try:
            chip = self.op(node)
        except RecursionError:
            node.refuse("at most some hundred levels", "more levels")
        if not isinstance(chip, kind):
            node["op"].refuse(f'"{kind.name}"')
        for op, names in self.operands:
            op.operands = [self.value(name) for name in names.items()]
        self.updates = source.parse_module(self.context, self.text(UPDATES), UPDATES)
        return self.module(chip)

    def op(self, node: JsonNode) -> Operation:
        """Returns an op without its operands, which is not verified yet."""
        kind: Any = self.context.get_optional_op(node["op"].text())
        if kind is None or not issubclass(kind, NoptOperation):
            node["op"].refuse(f"an op of {self.dialect}")
        definition = kind.get_irdl_definition()
        regions = [name for name, _ in definition.regions]
        values = [name for name in ("operands", "results") if getattr(definition, name)]
        arguments = ["arguments"] if issubclass(kind, GraphOperation) else []
        known = ["op", *values, *property_names(kind), *arguments, *regions, "attributes"]
        if unknown := [name for name in node.entries() if name not in known]:
            node.refuse(f"the members {', '.join(known)}", unknown[0])
        properties = dict[str, Attribute]()
        for name, entry in definition.properties.items():
            if (value := node.optional(name)) is not None:
                properties[name] = self.attribute(value, entry.constr)
            elif not isinstance(entry, OptionalDef):
                node.refuse(f'an object with "{name}"', "no such member")
        others = node.optional("attributes")
        attributes = {} if others is None else {name: self.attribute(one) for name, one in others.members()}
        bodies = [Region(Block([self.op(inner) for inner in node[name].items()])) for name in regions]
        if arguments and (names := node.optional("arguments")) is not None:
            self.define(names, [bodies[0].block.insert_arg(type, k) for k, type in enumerate(self.types(names))])
        results = self.types(node["results"]) if "results" in values else []
        op = kind.create(result_types=results, properties=properties, attributes=attributes, regions=bodies)
        if results:
            self.define(node["results"], op.results)
        if "operands" in values:
            self.operands.append((op, node["operands"]))
        return op

    def types(self, node: JsonNode) -> list[Attribute]:
        return [self.type(entry) for _, entry in node.members()]

    def define(self, node: JsonNode, values: Sequence[SSAValue]) -> None:
        """Names values."""
        for (name, entry), value in zip(node.members(), values, strict=True):
            if name in self.values:
                entry.refuse("a name that no other value has", name)
            self.values[name] = value
            value.name_hint = SSAValue.extract_valid_name(name) if SSAValue.is_valid_name(name) else None

    def value(self, node: JsonNode) -> SSAValue:
        """Returns the value of a name."""
        if node.text() not in self.values:
            node.refuse("the name of a value")
        return self.values[node.text()]

    def attribute(self, node: JsonNode, constraint: AttrConstraint | None = None) -> Attribute:
        """Returns an attribute after a check that its class satisfies a constraint."""
        bases = (None if constraint is None else constraint.get_bases()) or set[type[Attribute]]()
        found = self.unchecked(node, constraint, bases)
        if bases and not isinstance(found, tuple(bases)):
            node.refuse(" or ".join(sorted(WORDS.get(base, base.name) for base in bases)))
        return found

    def unchecked(self, node: JsonNode, constraint: AttrConstraint | None, bases: set[type[Attribute]]) -> Attribute:
        match node.value:
            case None:
                return NoneType()
            case str() if bases and StringAttr not in bases:
                return self.from_text(node, bases)
            case str() as text:
                return StringAttr(text)
            case int() if not isinstance(node.value, bool) and FloatAttr not in bases:
                return IntegerAttr(node.integer(-(2**63)), i64)
            case bool():
                node.refuse("no truth value")
            case int() | float():
                return FloatAttr(read_real(node), f64)
            case list():
                return ListAttr([self.attribute(one, entry_constraint(constraint)) for one in node.items()])
            case _:
                return self.from_object(node, bases)

    def from_text(self, node: JsonNode, bases: set[type[Attribute]]) -> Attribute:
        """Returns the symbol, the case of an enumeration, or the type of a text."""
        if SymbolRefAttr in bases:
            return SymbolRefAttr(node.text())
        for base in bases:
            if issubclass(base, EnumAttribute):
                kind: Any = base
                if node.text() not in (cases := [str(one) for one in kind.enum_type]):
                    node.refuse(f"one of {', '.join(cases)}")
                return kind(kind.enum_type(node.text()))
        return StringAttr(node.text()) if bases <= WORDS.keys() else self.mlir(node)

    def from_object(self, node: JsonNode, bases: set[type[Attribute]]) -> Attribute:
        """Returns the array, the dictionary or the attribute with parameters of an object."""
        names = node.entries().keys()
        if names == OTHER:
            return self.mlir(node["mlir"])
        for base in bases - {ArrayAttr, DictionaryAttr}:
            if issubclass(base, ParametrizedAttribute):
                parts = base.get_irdl_definition().parameters
                given = [
                    self.attribute(node.at(f"{node.path}.{name}", node.entries().get(name)), one.constr)
                    for name, one in parts
                ]
                try:
                    return base.new(given)
                except VerifyException as wrong:
                    node.refuse(str(wrong))
        if names >= ARRAY:
            return self.array(node)
        return DictionaryAttr({name: self.attribute(one) for name, one in node.members()})

    def array(self, node: JsonNode) -> ArrayAttr:
        """Returns an array from the JSON file, or from a separate array file."""
        if node.optional("values") is not None:
            return super().array(node)
        file = node["file"].text()
        if not ARRAY_FILE.fullmatch(file):
            node["file"].refuse("arrays/NNNN.npy with decimal digits")
        content = self.content(file)
        try:
            values = read_npy(BytesIO(content), len(content))
        except (Unreadable, Pickled) as failure:
            self.refuse_file(file, "an array", str(failure))
        return self.matched(node, file, values)

    def matched(self, node: JsonNode, file: str, values: AnyArray) -> ArrayAttr:
        """Returns the array of a file, which has the type and shape that are declared for it."""
        dtype, shape = self.dtype(node), self.shape(node)
        if (values.dtype, values.shape) != (dtype, shape):
            expected, other = f"{dtype} of shape {list(shape)}", f"{values.dtype} of shape {list(values.shape)}"
            refuse(self.code, f"{file} holds another array", file=file, expected=expected, found=other, help=HELP)
        return self.typed(node, np.ascontiguousarray(values))


def loader_of(kind: type[ChipBase]) -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the loader of a target whose artefact is `network.json`, its arrays and the shared files."""

    def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
        return OpReader(files, diagnostics).read(NETWORK, kind)

    return load
