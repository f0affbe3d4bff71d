"""A network as functions, with the contract of its arguments and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Region
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface, SymbolTable
from xdsl.utils.str_enum import StrEnum

from ...core.arrays.arrays import ArrayAttr as Values
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import element_type, is_tensor, shape_of
from ..ntensor.probes import NodeProbe, ProbedOperation

FUN001 = Code("FUN001", "functions-inconsistent", "a program of functions has other functions, arguments or results")

TICK, RUN = "tick", "run"
"""The functions."""
COUNTS = 2
"""Arguments of `run` before its signals: the number of the first tick, and the number of ticks."""


class Role(StrEnum):
    """Role of an argument or a result."""

    INPUT = "input"
    CONSTANT = "constant"
    STATE = "state"
    OUTPUT = "output"
    PROBE = "probe"


ARGUMENTS, RESULTS = (Role.INPUT, Role.CONSTANT, Role.STATE), (Role.OUTPUT, Role.PROBE, Role.STATE)


@frozen(eq=False)
class Entry:
    """An argument or a result of `run`: a signal over ticks and samples, a state or a constant."""

    name: str
    role: Role
    type: Attribute
    is_spikes: bool = False
    values: NDArray[Any] | None = None
    """A constant, or a state before its first tick; broadcasts to the type."""

    @property
    def attributes(self) -> DictionaryAttr:
        """Returns the attributes of the argument or result."""
        found: dict[str, Attribute] = {"nopt.name": StringAttr(self.name), "nopt.role": StringAttr(self.role)}
        if self.is_spikes:
            found["nopt.spikes"] = UnitAttr()
        if self.values is not None:
            found["nopt.values"] = Values.of(np.asarray(self.values))
        return DictionaryAttr(found)

    @property
    def shape(self) -> tuple[int, ...]:
        return shape_of(self.type)

    @property
    def element(self) -> Attribute:
        return element_type(self.type)

    @staticmethod
    def of(attributes: Attribute | None, type: Attribute, roles: Sequence[Role]) -> Entry | None:
        """Reads the attributes of an argument or result; None if they are not those of a signal."""
        given: Mapping[str, Attribute] = attributes.data if isinstance(attributes, DictionaryAttr) else {}
        name, role = given.get("nopt.name"), given.get("nopt.role")
        values = given.get("nopt.values")
        if not isinstance(name, StringAttr) or not isinstance(role, StringAttr) or role.data not in roles:
            return None
        if not is_tensor(type):
            return None
        held = values.values if isinstance(values, Values) else None
        return Entry(name.data, Role(role.data), type, "nopt.spikes" in given, held)


@irdl_op_definition
class ProgramOp(ProbedOperation):
    """A network as the functions `tick` and `run`.

    Units: tick_ns [ns]. Errors: FUN001 other functions than these two, or an argument or result of `run` without name and role, or an array
    that does not fit it.
    """

    name = "functions.program"
    sym_name = prop_def(SymbolNameConstraint())
    tick_ns = prop_def(IntegerAttr.constr(i64))
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), SymbolTable(), IsolatedFromAbove(), NoTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    def __init__(self, name: str, tick_ns: int, body: Region):
        properties = {"sym_name": StringAttr(name), "tick_ns": IntegerAttr(tick_ns, i64)}
        super().__init__(properties=properties, regions=[body])

    def function(self, name: str) -> func.FuncOp:
        """Returns one of the functions."""
        return next(op for op in self.body.block.ops if isinstance(op, func.FuncOp) and op.sym_name.data == name)

    @property
    def given(self) -> list[Entry]:
        """The arguments of `run` after the counts, in their order."""
        return [signal for signal in self._read()[0] if signal is not None]

    @property
    def returned(self) -> list[Entry]:
        """The results of `run`, in their order."""
        return [signal for signal in self._read()[1] if signal is not None]

    @property
    def window(self) -> int:
        """The most ticks of a call."""
        return self._moving()[0]

    @property
    def samples(self) -> int:
        """The samples of a call."""
        return self._moving()[1]

    def places(self, probe: NodeProbe) -> list[str]:
        return [
            f"result {k} of {RUN}"
            for k, signal in enumerate(self.returned)
            if signal.role is Role.PROBE and signal.name == probe.array
        ]

    def _moving(self) -> tuple[int, int]:
        moving = [signal for signal in (*self.returned, *self.given) if signal.role not in (Role.STATE, Role.CONSTANT)]
        return (moving[0].shape[0], moving[0].shape[1]) if moving else (1, 1)

    def _read(self) -> tuple[list[Entry | None], list[Entry | None]]:
        run = self.function(RUN)
        sides: list[list[Entry | None]] = []
        for attributes, types, roles, first in (
            (run.arg_attrs, run.function_type.inputs.data, ARGUMENTS, COUNTS),
            (run.res_attrs, run.function_type.outputs.data, RESULTS, 0),
        ):
            given: Sequence[Attribute] = attributes.data if isinstance(attributes, ArrayAttr) else ()
            padded = [*given[first:], *[None] * len(types)]
            sides.append([Entry.of(one, type, roles) for one, type in zip(padded, types[first:], strict=False)])
        return sides[0], sides[1]

    def verify_(self) -> None:
        found = [op.sym_name.data if isinstance(op, func.FuncOp) else op.name for op in self.body.block.ops]
        if found != [TICK, RUN]:
            self.refuse("a program has other functions", f"func.func @{TICK}, then @{RUN}", ", ".join(found) or "none")
        for what, signals in zip(("argument", "result"), self._read(), strict=True):
            for k, signal in enumerate(signals):
                if signal is None:
                    message = f"{what} {k} of @{RUN} is not a tensor with a name and a role"
                    roles = ARGUMENTS if what == "argument" else RESULTS
                    self.refuse(message, f"nopt.name, and nopt.role of {', '.join(roles)}", "other attributes")
                elif what == "argument" and not fits(signal):
                    self.refuse(
                        f'"{signal.name}" has an array that does not fit it',
                        f"an array of a constant or state, of shape {signal.shape}",
                        "none" if signal.values is None else f"shape {signal.values.shape}, role {signal.role}",
                    )

    def refuse(self, message: str, expected: str, found: str) -> None:
        help = "build the functions with convert-ntensor-to-functions, which keeps them consistent"
        invalid(self, FUN001, message, expected=expected, found=found, help=help)


def fits(signal: Entry) -> bool:
    """Returns whether an argument has the array that its role needs: none for an input."""
    if signal.role is Role.INPUT or signal.values is None:
        return (signal.role is Role.INPUT) == (signal.values is None)
    if signal.role is Role.CONSTANT:
        return signal.values.shape == signal.shape
    try:
        return np.broadcast_shapes(signal.values.shape, signal.shape) == signal.shape
    except ValueError:
        return False
