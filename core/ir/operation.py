"""Base class of nopt's ops: refusals carry their op, and unknown properties are refused."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeGuard, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, ShapedType, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Data, Dialect, Operation, SSAValue
from xdsl.irdl import IRDLOperation, traits_def, var_operand_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, OpTrait
from xdsl.utils.exceptions import VerifyException

from ..diagnostics import Code, describe_op, invalid, refuse

COR009 = Code("COR009", "op-property-unknown", "an op has an unknown property")
COR010 = Code("COR010", "value-used-before-definition", "a value is used before it is defined")
COR011 = Code(
    "COR011", "node-name-character-invalid", "the name of a node contains a character that passes cannot name"
)

UNUSABLE_LETTERS = "\r\v\f"
"""Characters that no text of a pipeline can contain."""
NAME_PROPERTIES = ("node", "input_names", "output_names")
"""Properties with names of nodes."""

Sought = TypeVar("Sought", bound=Operation)


def only_op(module: Operation, kind: type[Sought], code: Code, name: str, none: str, **parts: Any) -> Sought:
    """Returns the only op of a kind in a module. `name` is the plural of the kind, and `none` the message if the module has no such op."""
    ops = list(module.regions[0].block.ops)
    found = [op for op in ops if isinstance(op, kind)]
    if len(found) == 1:
        return found[0]
    symbols = ", ".join(describe_op(op)[0].rpartition(" ")[2] for op in found)
    held = symbols or ", ".join(sorted({op.name for op in ops})) or "an empty module"
    refuse(code, f"{len(found)} {name} in one module" if found else none, found=held, **parts)


def texts_of(names: Iterable[StringAttr]) -> list[str]:
    """Returns the texts of an attribute that is a list of names."""
    return [name.data for name in names]


class KnownAttributes(OpTrait):
    """Trait that refuses a misspelt property, which xDSL would keep as a discardable attribute; dotted names are allowed."""

    def verify(self, op: Operation) -> None:
        if not op.attributes or not isinstance(op, IRDLOperation):
            return
        definition = type(op).get_irdl_definition()
        known = {*definition.attributes, *definition.properties}
        if stray := [name for name in op.attributes if "." not in name and name not in known]:
            expected = f"one of {', '.join(sorted(known)) or 'none'}, or a name with a dot"
            help = "correct the spelling, or put a dot into the name of an annotation of your own"
            invalid(op, COR009, f"{op.name} has no property '{stray[0]}'", expected=expected, found=stray[0], help=help)


class NamedNodes(OpTrait):
    """Trait that refuses node names with characters that are not allowed in pass options."""

    def verify(self, op: Operation) -> None:
        for name in node_names(op):
            if wrong := next((letter for letter in UNUSABLE_LETTERS if letter in name), ""):
                message = f'the name "{name}" contains a character that passes cannot name'
                expected, found = "a name without carriage returns and form feeds", f"the character U+{ord(wrong):04X}"
                invalid(
                    op, COR011, message, expected=expected, found=found, help="rename the node, and export it again"
                )


def node_names(op: Operation) -> Iterator[str]:
    """Yields the names of nodes in the properties of an op."""
    for key in NAME_PROPERTIES:
        match op.properties.get(key):
            case StringAttr(data=name):
                yield name
            case ArrayAttr() as names:
                yield from (name.data for name in cast("ArrayAttr[Attribute]", names) if isinstance(name, StringAttr))
            case _:
                pass


@dataclass(frozen=True)
class HasParentNamed(OpTrait):
    """Trait that requires a parent op with a given name: xDSL's `HasParent`, without an import of the parent's class."""

    parent: str

    def verify(self, op: Operation) -> None:
        if (parent := op.parent_op()) is not None and parent.name != self.parent:
            raise VerifyException(f"'{op.name}' expects parent op '{self.parent}'")


class VerifiesLast(OpTrait):
    """Trait of an op whose verifier reads the ops in it: it is verified after them, and only if they verify."""


class ComputesInOrder(OpTrait):
    """Trait that refuses a value that is used before its definition, in the regions of an op and in nested ones."""

    def verify(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                verify_order(op, block)


def verify_order(op: Operation, block: Block) -> None:
    """Checks the order of a block. Errors: COR010 a value of the block is used before it is defined."""
    defined: set[Operation] = set()
    for step in block.ops:
        for user in step.walk():
            for value in user.operands:
                if (owner := value.owner) in defined or not isinstance(owner, Operation) or owner.parent is not block:
                    continue
                invalid(
                    op,
                    COR010,
                    f"{user.name} uses a value before it is defined",
                    expected=f"{owner.name} above {user.name}"
                    if owner is not step
                    else "values that are defined above it",
                    found=f"{owner.name} below it" if owner is not step else "a value of its own",
                    help=f"move {owner.name} above {user.name}" if owner is not step else "give it another operand",
                )
        for region in step.regions:
            for inner in region.blocks:
                verify_order(op, inner)
        defined.add(step)


class NoptOperation(IRDLOperation, ABC):
    """Base class of nopt's ops. A refusal stores its op; xDSL's own refusal would print the whole module into a note."""

    traits = traits_def(KnownAttributes(), NamedNodes())  # joined with the traits of every subclass

    def emit_error(self, message: str, underlying_error: Exception) -> NoReturn:
        raise underlying_error


class BracketedAttribute(Data[Any]):
    """Base that writes the parameter of an attribute in angle brackets: `#machine.stage<placed>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)  # pyrefly: ignore[abstract-method-call]

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)  # pyrefly: ignore[abstract-method-call]


def define_dialect(name: str, *namespaces: Mapping[str, Any]) -> Dialect:
    """Returns the dialect with all its ops and attributes in the given module namespaces, in their order."""
    kinds = dict.fromkeys(kind for names in namespaces for kind in names.values() if isinstance(kind, type))
    own = [kind for kind in kinds if str(vars(kind).get("name")).startswith(f"{name}.")]
    operations = [kind for kind in own if issubclass(kind, Operation)]
    return Dialect(name, operations, [kind for kind in own if issubclass(kind, Attribute)])


class TerminatorOperation(NoptOperation):
    """Base of the terminators of regions, with any number of operands."""

    values = var_operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


def shape_of(value: SSAValue | Attribute) -> tuple[int, ...]:
    """Returns the shape of a tensor value or type. It narrows the static type of operands, `SSAValue[Attribute]`, in one place."""
    type: Any = value.type if isinstance(value, SSAValue) else value
    assert isinstance(type, ShapedType)  # guaranteed by the op's constraints
    return type.get_shape()


def is_tensor(type: Attribute) -> TypeGuard[TensorType[Attribute]]:
    """Returns whether a type is a tensor type with any element type."""
    return isinstance(type, TensorType)


def element_type(value: SSAValue | Attribute) -> Attribute:
    """Returns the element type of a tensor value or type."""
    type: Any = value.type if isinstance(value, SSAValue) else value
    return type.get_element_type()
