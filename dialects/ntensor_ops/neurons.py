"""Neurons: the arithmetic of one tick as a symbol (`ntensor.update`), and a population that applies it (`ntensor.neuron`).

The body of an update is scalar: `arith` and `math` on f32, f64 and i1, `fixed` on integers, and `ntensor.let` to keep the names of
the equations. `dialects/equations` builds updates from the neuron language and converts them back into text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    Float32Type,
    Float64Type,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    f64,
    i1,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AtLeast,
    ParsePropInAttrDict,
    RangeOf,
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
    var_operand_def,
    var_region_def,
)
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, Pure, SymbolOpInterface

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, invalid
from ...core.ir.graph_region import names
from ...core.ir.operation import ComputesInOrder, NoptOperation, element_type, shape_of
from ..fixed import IntType
from .signals import (
    NTE003,
    CountType,
    Emits,
    EmitsAttr,
    GradedType,
    TermsType,
    holds,
    interval_of,
    is_event,
    is_value,
    verify_array,
    verify_shape,
)

NTE005 = Code(
    "NTE005",
    "a neuron does not match its update",
    cause="`ntensor.neuron` refers to an `ntensor.update` that is not in the module, or has other inputs, parameters or states than it.",
    remedy="Change the neuron to the declarations of the update; the message lists both.",
)
NTE007 = Code(
    "NTE007",
    "an update is not consistent",
    cause="The regions of an `ntensor.update` do not match its lists of names and its kind of emission.",
    remedy="Build updates from the neuron language; it keeps them consistent.",
)


# ---- updates


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


class UpdateTerminatorOp(NoptOperation):
    """Base of the terminators of the regions of an update."""

    values = var_operand_def()
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(UpdateOp)))
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class DerivedOp(UpdateTerminatorOp):
    """Terminator of `derive`: the parameters of the other regions, then the canonical ones, in the order of their names."""

    name = "ntensor.derived"


@irdl_op_definition
class InitialOp(UpdateTerminatorOp):
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


@irdl_op_definition
class UpdateOp(NoptOperation):
    """The arithmetic of one neuron, as scalar ops; one symbol for each rule, choice of options, and precision.

    An update has three regions. `derive` takes dt [s] and the raw parameters in f64. It computes once the parameters of the other two
    regions and the canonical parameters, in f64. `initial` takes the parameters and computes the states before the first tick. `step`
    takes inputs, states and parameters. It computes the output of the neuron, its next states, and its records. A record is shown as
    `NODE.NAME` in place of the state of this name.

    Inputs in `each` accumulate event by event, before the step. For each of them and each of its terms in order, its `accumulate` region
    takes the term and the state named by `into`, and computes the new state. A term of 0 is not an event and is skipped. These inputs are
    not arguments of the step. In the operands of a neuron they follow the other inputs.

    Errors: OPS002 a value that is used before it is defined; NTE007 a region that does not match the lists of names, a name that is used
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
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), ComputesInOrder())
    assembly_format = (
        "$sym_name $emits `inputs` $inputs `states` $states `params` $params `raw` $raw `canonical` $canonical"
        " `records` $records `derive` $derive `initial` $initial `step` $step"
        " (`each` $each^ `into` $into `accumulate` $accumulate)? attr-dict"
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
    def input_types(self) -> list[Attribute]:
        return [arg.type for arg in self.step.block.args[: len(self.inputs)]]

    @property
    def operand_names(self) -> list[str]:
        """Returns the names of a neuron's operands: the inputs of the step, then those that accumulate event by event."""
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
        self, what: str, terminator: type[UpdateTerminatorOp], block: Block, takes: int, gives: int
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


# ---- populations


@irdl_op_definition
class NeuronOp(NoptOperation):
    """A population: an update applied to every neuron. Not `Pure`: it has state.

    Operands are the inputs of the update, then those that accumulate event by event. Spikes and counts enter as numbers; values must
    convert exactly. `family` and `canonical` describe the update in the terms of NIR; legalisation reads them, models do not.

    Shapes: operands and result have the shape of the population; every entry of `params`, `initial` and `canonical` has it or is ().
    Errors: NTE002 an operand or parameter of another shape; NTE003 a parameter, initial state or operand that would change in the
    type of the update, or a result of another type than it emits; NTE005 names other than those of the update.
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
        """Yields name and array of each entry of `params`, `initial` or `canonical`."""
        for name, entry in entries.data.items():
            if not isinstance(entry, ArrayAttr):
                help = "write it as #nopt.array<VALUES : TYPE>"
                invalid(
                    self, NTE005, f"entry {name} is not an array", expected="#nopt.array", found=str(entry), help=help
                )
            yield name, entry

    def verify_(self) -> None:
        shape = shape_of(self.z)
        for x in self.xs:
            verify_shape(self, "an operand", shape_of(x), shape)
        for entries in (self.params, self.initial, self.canonical or DictionaryAttr({})):
            for name, array in self.arrays(entries):
                verify_shape(self, name, array.shape, (), shape)

    def verify_against(self, update: UpdateOp | None) -> None:
        """Refuses a neuron that does not match its update. The network calls this, since it has access to the module.

        Requires an update that verifies.
        """
        if update is None:
            invalid(
                self,
                NTE005,
                "the update is not in the module",
                expected="an ntensor.update of this module",
                found=str(self.update),
                help=f"define ntensor.update {self.update} in the module of the network",
            )
        symbol = f"@{update.sym_name.data}"
        for what, declared, given in (
            ("parameters", update.params, self.params),
            ("states", update.states, self.initial),
            ("canonical parameters", update.canonical, self.canonical),
        ):
            if given is None:
                continue
            wanted = [name.data for name in declared]
            if sorted(wanted) != sorted(given.data):
                invalid(
                    self,
                    NTE005,
                    f"the {what} of the neuron differ from those of {symbol}",
                    expected=", ".join(wanted) or "none",
                    found=", ".join(given.data) or "none",
                    help=f"list exactly the {what} that {symbol} declares",
                )
        if len(self.xs) != len(update.operand_names):
            invalid(
                self,
                NTE005,
                f"the number of operands differs from the number of inputs of {symbol}",
                expected=f"{len(update.operand_names)}: {', '.join(update.operand_names)}",
                found=str(len(self.xs)),
                help="list one operand for each input",
            )
        for name, x, type in zip(update.inputs, self.xs, update.input_types, strict=False):
            if not enters(element_type(x), type):
                invalid(
                    self,
                    NTE003,
                    f"the operand does not fit input {name.data} of {symbol}",
                    expected=f"numbers that {type} holds",
                    found=str(element_type(x)),
                    help=remedy(name.data, element_type(x), type),
                )
        for (name, _, block), x in zip(update.accumulators, self.xs[len(update.inputs) :], strict=True):
            terms = element_type(x)
            if not isinstance(terms, TermsType) or not holds(block.args[0].type, terms):
                invalid(
                    self,
                    NTE003,
                    f"input {name} of {symbol} accumulates terms, and the operand is not terms within its type",
                    expected=f"!ntensor.terms within {block.args[0].type}",
                    found=str(terms),
                    help="declare the result of its synapses as !ntensor.terms<N>",
                )
        for types, entries in ((update.param_types, self.params), (update.state_types, self.initial)):
            for name, array in entries.data.items():
                if isinstance(array, ArrayAttr):  # `verify_` refuses anything else
                    verify_array(self, name, array, types[name])
        emitted, wanted = element_type(self.z), emission_type(update)
        if emitted != wanted:
            invalid(
                self,
                NTE003,
                f"the result type differs from the output of {symbol}",
                expected=str(wanted),
                found=str(emitted),
                help=f"declare the result as a tensor of {wanted}",
            )


def remedy(name: str, element: Attribute, type: Attribute) -> str:
    """Returns the help line for an operand that does not fit its input."""
    given = interval_of(element)
    if isinstance(type, IntType) and given is not None:
        bits = 1 + max(given.high.bit_length(), (~given.low).bit_length())
        return f"input {name}: s{bits} in the neuron, or a narrower type that wraps or saturates"
    return "convert the network with one precision"


def enters(element: Attribute, type: Attribute) -> bool:
    """Returns whether a signal may be an operand of an input type. An integer input with a mode (wrap, saturate) holds all integers."""
    if isinstance(type, IntType):
        return (is_event(element) or is_value(element)) and holds(type, element)
    return is_event(element) or (is_value(element) and holds(type, element)) if is_value(type) else element == type
