"""Neurons: a population (`ntensor.neuron`) that applies the arithmetic of an `ntensor.update` in every tick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr, FlatSymbolRefAttrConstr, StringAttr, SymbolRefAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AtLeast,
    ParsePropInAttrDict,
    RangeOf,
    base,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ..fixed import IntType
from ._updates import (
    HALF_TYPES,
    RECEPTORS,
    AccumulatedOp,
    DerivedOp,
    EmitOp,
    EquationsOp,
    InitialOp,
    LetOp,
    NameList,
    Regions,
    RoundRealOp,
    Section,
    UpdateOp,
    emission_type,
    rounding_of,
)
from .signals import (
    NTE003,
    TermsType,
    interval_of,
    is_event,
    is_value,
    refuse_result,
    represents_all,
    verify_array,
    verify_shape,
)

__all__ = [
    "HALF_TYPES",
    "RECEPTORS",
    "AccumulatedOp",
    "DerivedOp",
    "EmitOp",
    "EquationsOp",
    "InitialOp",
    "LetOp",
    "NameList",
    "NeuronOp",
    "Regions",
    "RoundRealOp",
    "Section",
    "UpdateOp",
    "array_dictionary",
    "emission_type",
    "rounding_of",
]

NTE005 = Code("NTE005", "neuron-mismatches-update", "a neuron does not match its update")


def refuse_mismatch(op: NeuronOp, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses a neuron that does not match its update. Errors: NTE005."""
    invalid(op, NTE005, message, expected=expected, found=found, help=help)


def array_dictionary(entries: Mapping[str, NDArray[np.generic]]) -> DictionaryAttr:
    """Returns arrays by name as an attribute: parameters, initial states or canonical values of a population."""
    return DictionaryAttr({name: ArrayAttr.of(array) for name, array in entries.items()})


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

    @property
    def update_name(self) -> str:
        """The symbol of the update."""
        return self.update.root_reference.data

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
            expected = "an ntensor.update of this module"
            help = f"define ntensor.update {self.update} in the module of the network"
            refuse_mismatch(self, "the update is not in the module", expected, str(self.update), help)
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
                expected = ", ".join(wanted) or "none"
                found = ", ".join(given.data) or "none"
                help = f"list exactly the {what} that {symbol} declares"
                refuse_mismatch(self, f"the {what} of the neuron differ from those of {symbol}", expected, found, help)
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
            if not isinstance(terms, TermsType) or not represents_all(block.args[0].type, terms):
                invalid(
                    self,
                    NTE003,
                    f"input {name} of {symbol} accumulates terms, and the operand is not terms within its type",
                    expected=f"!ntensor.terms within {block.args[0].type}",
                    found=str(terms),
                    help="declare the result of its synapses as !ntensor.terms<N>",
                )
        for types, entries in ((update.param_types, self.params), (update.stored_types, self.initial)):
            for name, array in entries.data.items():
                if isinstance(array, ArrayAttr):  # `verify_` refuses anything else
                    verify_array(self, name, array, types[name])
        emitted, wanted = element_type(self.z), emission_type(update)
        if emitted != wanted:
            message = f"the result type differs from the output of {symbol}"
            refuse_result(self, message, str(wanted), emitted, wanted)


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
        return (is_event(element) or is_value(element)) and represents_all(type, element)
    return (
        is_event(element) or (is_value(element) and represents_all(type, element))
        if is_value(type)
        else element == type
    )
