"""Updates as code of Brian 2: a line for each equation of a neuron. Spikes are 0 and 1, and integers are whole numbers, all in double precision.

Exactness: each op is the one of the update, in its order. Integers are exact up to 2^53.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from attrs import define
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import Float32Type, i1
from xdsl.ir import Attribute, Operation

from ....core.diagnostics import Code, describe_op, refuse
from ....core.ir.operation import texts_of
from ....dialects import fixed, ntensor
from ....dialects.fixed import comparison_symbol
from ....simulation.host.python_functions import FunctionPrinter

BRI001 = Code("BRI001", "update-not-for-brian", "an update has no code for Brian 2")

EXPRESSIONS: Mapping[type[Operation], str] = {
    arith.AddfOp: "({} + {})",
    arith.SubfOp: "({} - {})",
    arith.MulfOp: "({} * {})",
    arith.DivfOp: "({} / {})",
    arith.NegfOp: "(-{})",
    arith.MinimumfOp: "least({}, {})",
    arith.MaximumfOp: "most({}, {})",
    arith.SelectOp: "choose({}, {}, {})",
    arith.AndIOp: "({} * {})",
    arith.OrIOp: "most({}, {})",
    arith.XOrIOp: "abs({} - {})",
    mathd.AbsFOp: "abs({})",
    mathd.CopySignOp: "with_sign({}, {})",
    mathd.ExpOp: "exp({})",
    mathd.LogOp: "log({})",
    mathd.SqrtOp: "sqrt({})",
    mathd.FloorOp: "down({})",
    mathd.CeilOp: "up({})",
    mathd.TruncOp: "toward_zero({})",
    mathd.RoundEvenOp: "nearest({})",
    fixed.AddOp: "({} + {})",
    fixed.SubOp: "({} - {})",
    fixed.MulOp: "({} * {})",
    fixed.NegOp: "(-{})",
    fixed.AbsOp: "abs({})",
    fixed.SignOp: "sign({})",
    fixed.MinOp: "least({}, {})",
    fixed.MaxOp: "most({}, {})",
    fixed.SelectOp: "choose({}, {}, {})",
    fixed.ToRealOp: "{}",
}
"""The expression of each scalar op, with its operands."""
ROUNDING_FUNCTIONS = {"floor": "down", "ceil": "up", "truncate": "toward_zero", "round": "nearest"}
BRIAN_UNITS = r"[yzafpnumcdhkMGTPEZY]?(metre|meter|m|second|s|gram|g|kilogram|kg|amp|ampere|A|kelvin|K|mole|mol|volt|V|ohm|siemens|S|farad|F|hertz|Hz|watt|W|joule|J|newton|N|coulomb|C|liter|litre|l|molar|M|cd|candle|pascal|Pa|tesla|T|weber|lumen|lux|becquerel|gray|sievert|katal|radian|steradian)[23]?"
BRIAN_VARIABLES = (
    "t",
    "i",
    "j",
    "N",
    "dt",
    "z",
    "e",
    "pi",
    "inf",
    "xi",
    "weight",
    "delay",
    "lastspike",
    "refractory",
    "not_refractory",
    "t_in_timesteps",
    "timestep",
    "stimulus",
)
FUNCTIONS = (
    "choose",
    "least",
    "most",
    "down",
    "up",
    "toward_zero",
    "nearest",
    "with_sign",
    "exp",
    "log",
    "sqrt",
    "abs",
    "sign",
    "int",
)
CONFUSED = (
    "sin",
    "cos",
    "tan",
    "floor",
    "ceil",
    "clip",
    "rand",
    "randn",
    "poisson",
    "log10",
    "exprel",
    "mod",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
)


def is_reserved(name: str) -> bool:
    """Returns whether a name has a meaning in equations of Brian 2, alone or by its end."""
    return (
        name.endswith(("_pre", "_post"))
        or name in (*BRIAN_VARIABLES, *FUNCTIONS, *CONFUSED)
        or re.fullmatch(BRIAN_UNITS, name) is not None
    )


def brian_name(text: str, taken: set[str]) -> str:
    """Returns a free name for equations that is similar to a text."""
    stem = re.sub(r"\W+|__+", "_", text, flags=re.ASCII).strip("_") or "value"
    stem = f"n{stem}" if stem[0].isdigit() or stem.startswith("xi_") else stem
    stem = f"{stem}_" if is_reserved(stem) else stem
    found, count = stem, 1
    while found in taken:
        count += 1
        found = f"{stem.rstrip('_')}_{count}"
    taken.add(found)
    return found


@define
class UpdateCode(FunctionPrinter):
    """The code of the update of one population."""

    update: ntensor.UpdateOp
    taken: set[str]

    def lines(self, inputs: list[str], states: list[str], params: list[str]) -> list[str]:
        """Returns the lines of a tick; the last ones set z and the states. Errors: BRI001."""
        block = self.update.step.block
        texts = [*inputs, *states, *params]
        self.values = dict(zip(block.args, texts, strict=True))
        *ops, last = block.ops
        lines = self.temporaries(ops)
        emitted, *others = (self.values[value] for value in last.operands)
        renewed = [brian_name(f"new_{state}", self.taken) for state in states]
        lines += [f"{new} = {text}" for new, text in zip(renewed, others, strict=False)]
        lines.append(f"z = {emitted}")
        return [*lines, *(f"{state} = {new}" for state, new in zip(states, renewed, strict=True))]

    def temporaries(self, ops: Iterable[Operation]) -> list[str]:
        """Returns a line for each result that has a name or several users; the values of others are parts of expressions. Errors: BRI001."""
        lines: list[str] = []
        for op in ops:
            result, text = op.results[0], self.expression(op)
            if not isinstance(op, ntensor.LetOp) and len(list(result.uses)) == 1:
                self.values[result] = text
                continue
            name = brian_name(op.variable.data if isinstance(op, ntensor.LetOp) else "part", self.taken)
            self.values[result] = name
            lines.append(f"{name} = {text}")
        return lines

    def expression(self, op: Operation) -> str:
        """Returns the expression of an op. Errors: BRI001 an op without one."""
        xs = [self.values[value] for value in op.operands]
        if any(isinstance(one.type, Float32Type) for one in (*op.operands, *op.results)):
            self.refuse("numbers of f64", "numbers of f32", "--precision f64")
        if (text := EXPRESSIONS.get(type(op))) is not None:
            return text.format(*xs)
        match op:
            case arith.ConstantOp() | fixed.ConstantOp():
                return constant_text(op.value, op.results[0].type)
            case ntensor.LetOp() | fixed.WidenOp():
                return xs[0]
            case arith.CmpfOp() | fixed.CmpOp() if comparison_symbol(op):
                return f"int({xs[0]} {comparison_symbol(op)} {xs[1]})"
            case fixed.FromRealOp():
                into = fixed.interval_of(op.y)
                return f"least(most({ROUNDING_FUNCTIONS[op.rounding.data.value]}({xs[0]}), {float(into.low)!r}), {float(into.high)!r})"
            case fixed.SaturateOp() | fixed.RefineOp():
                into = fixed.interval_of(op.y)
                return f"least(most({xs[0]}, {float(into.low)!r}), {float(into.high)!r})"
            case _:
                self.refuse(f"one of {', '.join(sorted(one.name for one in EXPRESSIONS))}", op.name, "nopt targets")

    def refuse(self, expected: str, found: str, help: str) -> NoReturn:
        refuse(BRI001, at=f"{describe_op(self.update)[0]}", expected=expected, found=found, help=help)


def constant_text(value: Any, type: Attribute) -> str:
    return real_text(float(abs(value.value.data) if type == i1 else value.value.data))


def real_text(number: float) -> str:
    text = "inf" if number == float("inf") else repr(number)
    return "(-inf)" if number == float("-inf") else f"({text})" if text.startswith("-") else text


def state_names(update: ntensor.UpdateOp) -> list[str]:
    return list(texts_of(update.states))
