"""Updates: the arithmetic of one tick of a neuron, as a symbol (`ntensor.update`).

The body of an update is scalar: `arith` and `math` on f32, f64 and i1, `fixed` on integers, and `ntensor.let` to keep the names of
the equations. `dialects/equations` builds updates from the neuron language and converts them back into text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    bf16,
    f16,
    f64,
    i1,
)
from xdsl.ir import Attribute, Block, OpResult, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_region_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    RegionVariable,
    VariadicRegionVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, Pure, SymbolOpInterface

from ...core.diagnostics import Code, invalid
from ...core.half_precision import Half
from ...core.ir.contents import VerifiesByContents
from ...core.ir.graph_region import names
from ...core.ir.operation import ComputesInOrder, NoptOperation, TerminatorOperation
from ..fixed import IntType
from .signals import CountType, Emits, EmitsAttr, GradedType

RECEPTORS = ("excitatory", "inhibitory")
"""The inputs of an update that reads weights of each sign on its own, as magnitudes."""

NTE007 = Code("NTE007", "update-inconsistent", "an update is not consistent")


@irdl_op_definition
class LetOp(NoptOperation):
    """Name of an assignment of the neuron language, so that an update can be printed as equations."""

    T: ClassVar = VarConstraint("T", base(Attribute))

    name = "ntensor.let"
    variable = prop_def(StringAttr)
    x = operand_def(T)
    y = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$variable $x attr-dict `:` type($x)"

    def __init__(self, variable: str, x: SSAValue):
        super().__init__(operands=[x], result_types=[x.type], properties={"variable": StringAttr(variable)})


HALF_TYPES: dict[Half, Float16Type | BFloat16Type] = {"f16": f16, "bf16": bf16}
"""The type of each format of 16 bits."""


@irdl_op_definition
class RoundRealOp(NoptOperation):
    """The nearest number of a format of 16 bits, ties to even, as a real of the same type: `y = bf16(x)`.

    Numbers beyond the format become infinite. A state whose next value is this op needs 16 bits of memory.
    """

    T: ClassVar = VarConstraint("T", base(Float32Type) | base(Float64Type))

    name = "ntensor.round_real"
    into = prop_def(base(Float16Type) | base(BFloat16Type))
    x = operand_def(T)
    y = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$into $x attr-dict `:` type($x)"

    def __init__(self, format: Half, x: SSAValue):
        super().__init__(operands=[x], result_types=[x.type], properties={"into": HALF_TYPES[format]})

    @property
    def format(self) -> Half:
        return "f16" if isinstance(self.into, Float16Type) else "bf16"


def rounding_of(value: SSAValue) -> RoundRealOp | None:
    """Returns the op that rounds a value to a format of 16 bits; None if another op produces the value."""
    while isinstance(value, OpResult) and isinstance(value.op, LetOp):
        value = value.op.x
    return value.op if isinstance(value, OpResult) and isinstance(value.op, RoundRealOp) else None


class EquationsOp(NoptOperation):
    """Base of the ops with the regions `derive` and `initial`: updates and learning rules."""

    name = "ntensor.update"
    """The op that messages name."""


class UpdateTerminatorOp(TerminatorOperation):
    """Base of the terminators of the regions that only an update has."""

    traits = lazy_traits_def(lambda: (HasParent(UpdateOp),))


class SharedTerminatorOp(TerminatorOperation):
    """Base of the terminators of the regions that updates and learning rules have."""

    traits = lazy_traits_def(lambda: (HasParent(EquationsOp),))


@irdl_op_definition
class DerivedOp(SharedTerminatorOp):
    """Terminator of `derive`: the parameters of the other regions, then the canonical ones, in the order of their names."""

    name = "ntensor.derived"


@irdl_op_definition
class InitialOp(SharedTerminatorOp):
    """Terminator of `initial`: one value for each state."""

    name = "ntensor.initial"


@irdl_op_definition
class AccumulatedOp(UpdateTerminatorOp):
    """Terminator of an `accumulate` region: the state after one term."""

    name = "ntensor.accumulated"


@irdl_op_definition
class EmitOp(UpdateTerminatorOp):
    """Terminator of `step`: the output of the neuron, then its next states, then its records."""

    name = "ntensor.emit"


EMITTED: dict[Emits, str] = {
    Emits.SPIKE: "i1",
    Emits.COUNT: "!fixed.int<0, N> with N below 2^63",
    Emits.GRADED: "!fixed.int within 63 signed bits",
    Emits.VALUE: "f32, f64 or !fixed.int",
}
"""The type of the output of a step, for each kind of emission."""


@irdl_custom_directive
class NameList(CustomDirective):
    """A property that lists names, after its own name as a keyword; an empty list is omitted: `states ["v"]`."""

    names: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword(self.names.name):
            self.names.parse(parser, state)
        else:
            self.names.set(state, names(()))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        if self.names.get(op) != names(()):
            state.print_whitespace(printer)
            printer.print_string(self.names.name)
            self.names.print(printer, state, op)


@irdl_custom_directive
class Section(CustomDirective):
    """The region `derive` or `initial`, after its name as a keyword; a region that computes nothing is omitted."""

    region: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword(self.region.name):
            self.region.parse(parser, state)
        else:
            self.region.set(state, empty_section(self.region.name))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        if not self.region.get(op).is_structurally_equivalent(empty_section(self.region.name)):
            state.print_whitespace(printer)
            printer.print_string(self.region.name)
            self.region.print(printer, state, op)


def empty_section(name: str) -> Region:
    """Returns the region `derive` or `initial` of an update that has no parameters and no states."""
    if name == "initial":
        return Region(Block([InitialOp()]))
    block = Block([DerivedOp()], arg_types=[f64])
    block.args[0].name_hint = "dt"
    return Region(block)


@irdl_custom_directive
class Regions(CustomDirective):
    """Several regions without commas between them, which xDSL 0.74 prints without commas, and 0.75 with them."""

    regions: VariadicRegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        found: list[Region] = []
        while (region := parser.parse_optional_region()) is not None:
            found.append(region)
        self.regions.set(state, found)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        for region in self.regions.get(op):
            state.print_whitespace(printer)
            printer.print_region(region)

    def set_empty(self, state: ParsingState) -> None:
        self.regions.set_empty(state)


@irdl_op_definition
class UpdateOp(EquationsOp):
    """The arithmetic of one neuron, as scalar ops; one symbol for each rule, choice of options, and precision.

    An update has three regions. `derive` takes dt [s] and the raw parameters in f64. It computes once the parameters of the other two
    regions and the canonical parameters, in f64. `initial` takes the parameters and computes the states before the first tick. `step`
    takes inputs, states and parameters. It computes the output of the neuron, its next states, and its records. A record is shown as
    `NODE.NAME` in place of the state of this name.

    Inputs in `each` accumulate event by event, before the step. For each of them and each of its terms in order, its `accumulate` region
    takes the term and the state named by `into`, and computes the new state. A term of 0 is not an event and is skipped. These inputs are
    not arguments of the step. In the operands of a neuron they follow the other inputs.

    The text omits empty lists of names, and the regions `derive` and `initial` if they compute nothing:

        ntensor.update @pass <spike> inputs ["x"] step {
        ^bb0(%x: i1):
          ntensor.emit %x : i1
        }

    Errors: COR010 a value that is used before it is defined; NTE007 a region that does not match the lists of names, a name that is used
    twice, a type that differs from the declared one.
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
    each = opt_prop_def(base(ListAttr[StringAttr]))
    into = opt_prop_def(base(ListAttr[StringAttr]))
    derive = region_def("single_block")
    initial = region_def("single_block")
    step = region_def("single_block")
    accumulate = var_region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), ComputesInOrder(), VerifiesByContents())
    custom_directives = (NameList, Section, Regions)
    assembly_format = (
        "$sym_name $emits custom<NameList>($inputs) custom<NameList>($states) custom<NameList>($params) custom<NameList>($raw)"
        " custom<NameList>($canonical) custom<NameList>($records) custom<Section>($derive) custom<Section>($initial) `step` $step"
        " (`each` $each^ `into` $into `accumulate` custom<Regions>($accumulate))? attr-dict"
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
        each: Mapping[str, str] | None = None,
        accumulate: Sequence[Region] = (),
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
        if each:
            properties |= {"each": names(each), "into": names(each.values())}
        super().__init__(properties=properties, regions=[derive, initial, step, accumulate])

    @property
    def emitted(self) -> SSAValue:
        """Returns the value that the step emits."""
        last = self.step.block.last_op
        assert last is not None
        return last.operands[0]

    @property
    def takes_integers(self) -> bool:
        """Whether an input is an integer, or accumulates event by event."""
        return any(isinstance(type, IntType) for type in self.input_types) or bool(self.accumulate)

    def is_equal(self, other: UpdateOp) -> bool:
        """Returns whether two updates are equal except for their symbols."""
        return (
            {**self.properties, "sym_name": other.sym_name} == other.properties
            and self.attributes == other.attributes
            and len(self.regions) == len(other.regions)
            and all(map(Region.is_structurally_equivalent, self.regions, other.regions))
            and self.emitted.type == other.emitted.type
        )

    @property
    def has_receptors(self) -> bool:
        """Whether the update has a separate input for the weights of each sign."""
        return tuple(self.operand_names) == RECEPTORS

    @property
    def input_types(self) -> list[Attribute]:
        return [arg.type for arg in self.step.block.args[: len(self.inputs)]]

    @property
    def operand_names(self) -> list[str]:
        """Returns the names of a neuron's operands: first the inputs of the step, then the inputs that are accumulated event by event."""
        return [name.data for name in (*self.inputs, *(self.each or ()))]

    @property
    def accumulators(self) -> list[tuple[str, str, Block]]:
        """Returns name, state and block of each input that accumulates event by event."""
        pairs = zip(self.each or (), self.into or (), self.accumulate, strict=True)
        return [(name.data, state.data, region.block) for name, state, region in pairs]

    @property
    def state_types(self) -> dict[str, Attribute]:
        first = len(self.inputs)
        args = self.step.block.args[first : first + len(self.states)]
        return {name.data: arg.type for name, arg in zip(self.states, args, strict=True)}

    @property
    def stored_types(self) -> dict[str, Attribute]:
        """Returns the memory type of each state: a 16-bit format if step and initial value are rounded to it, else the type of the state."""
        last, first = self.step.block.last_op, self.initial.block.last_op
        assert last is not None  # verified
        assert first is not None
        found: dict[str, Attribute] = {}
        for k, (name, type) in enumerate(self.state_types.items()):
            after, before = rounding_of(last.operands[1 + k]), rounding_of(first.operands[k])
            found[name] = type
            if after is not None and before is not None and after.into == before.into:
                found[name] = after.into
        return found

    @property
    def param_types(self) -> dict[str, Attribute]:
        args = self.step.block.args[len(self.inputs) + len(self.states) :]
        return {name.data: arg.type for name, arg in zip(self.params, args, strict=True)}

    def verify_(self) -> None:
        self.verify_names()
        inputs, states, params = len(self.inputs), len(self.states), len(self.params)
        derived = self.ends("derive", DerivedOp, self.derive.block, 1 + len(self.raw), params + len(self.canonical))
        initial = self.ends("initial", InitialOp, self.initial.block, params, states)
        step = self.ends("step", EmitOp, self.step.block, inputs + states + params, 1 + states + len(self.records))
        for arg in (*self.step.block.args, *self.initial.block.args):
            if arg.type != i1 and not isinstance(arg.type, Float32Type | Float64Type | IntType):
                self.refuse("an argument of the update is not a number", "f32, f64, i1 or !fixed.int", str(arg.type))
        for value in (*self.derive.block.args, *derived):
            if value.type != f64:
                self.refuse("a value of region derive is not f64", "f64", str(value.type))
        for arg, (name, wanted) in zip(self.initial.block.args, self.param_types.items(), strict=True):
            self.same(f"parameter {name} of region initial", arg.type, wanted)
        for k, (name, held) in enumerate(self.state_types.items()):
            self.same(f"the next value of state {name}", step[1 + k].type, held)
            self.same(f"the initial value of state {name}", initial[k].type, held)
        self.verify_accumulation()
        if not is_emission(self.emits.data, step[0].type):
            message = f"the output of the step is not of kind {self.emits.data}"
            self.refuse(message, EMITTED[self.emits.data], str(step[0].type))

    def verify_accumulation(self) -> None:
        counts = len(self.each or ()), len(self.into or ()), len(self.accumulate)
        if len(set(counts)) > 1:
            found = "{} inputs, {} states, {} regions".format(*counts)
            message = "the numbers of accumulating inputs, their states and their regions differ"
            self.refuse(message, "equal numbers", found)
        for name, state, block in self.accumulators:
            held = self.state_types.get(state)
            if held is None:
                known = ", ".join(self.state_types) or "none"
                self.refuse(f"input {name} accumulates into an unknown state", f"one of {known}", state)
                return
            (after,) = self.ends(f"accumulate of {name}", AccumulatedOp, block, 2, 1) or (None,)
            if after is not None:
                self.same(f"the state that {name} adds to", block.args[1].type, held)
                self.same(f"the state after a term of {name}", after.type, held)
                if not isinstance(block.args[0].type, IntType) or not isinstance(held, IntType):
                    message = f"input {name} accumulates numbers that are not integers"
                    self.refuse(message, "!fixed.int", str(block.args[0].type))

    def refuse(self, message: str, expected: str, found: str) -> None:
        help = "build the update from the neuron language, which keeps it consistent"
        invalid(self, NTE007, message, expected=expected, found=found, help=help)

    def same(self, what: str, found: Attribute, wanted: Attribute) -> None:
        if found != wanted:
            self.refuse(f"the type of {what} differs from its type in the step", str(wanted), str(found))

    def verify_names(self) -> None:
        for what, listed in (
            ("inputs, states or parameters", (*self.inputs, *(self.each or ()), *self.states, *self.params)),
            ("raw parameters", self.raw),
            ("canonical parameters", self.canonical),
            ("records", self.records),
        ):
            found = [name.data for name in listed]
            if len(set(found)) != len(found):
                self.refuse(f"two {what} have the same name", f"{len(found)} different names", ", ".join(found))

    def ends(
        self, what: str, terminator: type[TerminatorOperation], block: Block, takes: int, gives: int
    ) -> Sequence[SSAValue]:
        """Returns the operands of a region's terminator; refuses a region with other numbers of arguments or operands."""
        last = block.last_op
        values = last.values if isinstance(last, terminator) else None
        if values is None or (len(block.args), len(values)) != (takes, gives):
            given = f"{terminator.name} with {len(values)}" if values is not None else "another terminator"
            self.refuse(
                f"region {what} does not match the names that the update declares",
                f"{takes} arguments, and {terminator.name} with {gives} operands",
                f"{len(block.args)} arguments, and {given}",
            )
            return ()
        return values


def is_emission(kind: Emits, type: Attribute) -> bool:
    """Returns whether a value of this type can be emitted as this kind."""
    match kind, type:
        case Emits.SPIKE, _:
            return type == i1
        case Emits.COUNT, IntType():
            return type.lower >= 0
        case Emits.GRADED, IntType():
            return type.lower >= -(2**62) and type.upper < 2**62
        case Emits.VALUE, _:
            return isinstance(type, Float32Type | Float64Type | IntType)
        case _:
            return False


def emission_type(update: UpdateOp) -> Attribute:
    """Returns the element type of a neuron's output: the narrowest type of its kind that holds the emitted interval."""
    type = update.emitted.type
    if not isinstance(type, IntType):
        return type
    signed = max((~type.lower).bit_length() if type.lower < 0 else 0, type.upper.bit_length()) + 1
    match update.emits.data:
        case Emits.COUNT:
            return CountType(max(1, type.upper.bit_length()))
        case Emits.GRADED:
            return GradedType(signed)
        case _:
            return IntegerType(next(width for width in (8, 16, 32, 64) if signed <= width))
