"""Updates as functions of PyTorch: a line for each scalar op, with the expression of the table.

Spikes and integers are whole numbers in `float64`. A comparison that decides about the output of a step has a surrogate gradient; every other
comparison has none. The functions that the lines call are those of `chip.py.in`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import Float32Type, f32, i1
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ...core.diagnostics import Code, describe_op, refuse
from ...core.ir.operation import texts_of
from ...dialects import fixed, ntensor
from ...dialects.fixed import comparison_symbol
from ...simulation.host.python_functions import FunctionPrinter

PYT001 = Code("PYT001", "update-not-differentiable", "an update cannot be differentiated")
EXPRESSIONS: Mapping[type[Operation], str] = {
    arith.AddfOp: "{} + {}",
    arith.SubfOp: "{} - {}",
    arith.MulfOp: "{} * {}",
    arith.DivfOp: "divide({}, {})",
    arith.NegfOp: "-{}",
    arith.MinimumfOp: "torch.minimum({}, {})",
    arith.MaximumfOp: "torch.maximum({}, {})",
    arith.SelectOp: "choose({}, {}, {})",
    arith.AndIOp: "{} * {}",
    arith.OrIOp: "torch.maximum({}, {})",
    arith.XOrIOp: "({} - {}).abs()",
    arith.ExtFOp: "{}.to(torch.float64)",
    arith.TruncFOp: "{}.to(torch.float32)",
    mathd.AbsFOp: "{}.abs()",
    mathd.CopySignOp: "torch.copysign({}, {})",
    mathd.ExpOp: "torch.exp(finite({}))",
    mathd.LogOp: "torch.log(finite({}))",
    mathd.SqrtOp: "torch.sqrt(finite({}))",
    mathd.FloorOp: "floor({})",
    mathd.CeilOp: "ceil({})",
    mathd.TruncOp: "truncate({})",
    mathd.RoundEvenOp: "round_even({})",
    fixed.AddOp: "{} + {}",
    fixed.SubOp: "{} - {}",
    fixed.MulOp: "{} * {}",
    fixed.NegOp: "-{}",
    fixed.AbsOp: "{}.abs()",
    fixed.SignOp: "torch.sign({})",
    fixed.MinOp: "torch.minimum({}, {})",
    fixed.MaxOp: "torch.maximum({}, {})",
    fixed.ShlOp: "{} * power({})",
    fixed.ShrOp: "floor({} * power(-{}))",
    fixed.SelectOp: "choose({}, {}, {})",
}
"""The expression of each scalar op, with its operands."""
ORDERED = ("<", "<=", ">", ">=")
"""Relations with a surrogate gradient."""
TEMPLATE = Path(__file__).parent / "chip.py.in"
RESERVED = frozenset(
    {"torch", "np", "nn", "functional", "chain", "prod", "w", "s", "x", "self"}
    | {*re.findall(r"^(?:def |class )?(\w+)", TEMPLATE.read_text(), re.MULTILINE)}
)
"""Names with a meaning in the file."""


def dtype_text(type: Attribute) -> str:
    """Returns the type of PyTorch that holds a scalar type or an element type."""
    return "torch.float32" if isinstance(type, Float32Type) else "torch.float64"


def shown(op: Operation) -> str:
    """Returns an op as an expression of the names of its operands, for messages."""
    return f"{op.name}({', '.join(value_name(x) for x in op.operands)})"


def value_name(value: SSAValue) -> str:
    if isinstance(value, OpResult) and isinstance(value.op, ntensor.LetOp):
        return value.op.variable.data
    return value.name_hint or (value.op.name if isinstance(value, OpResult) else "an operand")


def deciding(update: ntensor.UpdateOp) -> tuple[set[Operation], set[SSAValue]]:
    """Returns the comparisons that decide about the output of a step, and all values on the path from them to the output."""
    comparisons, known = set[Operation](), set[SSAValue]()
    todo = [update.emitted]
    while todo:
        value = todo.pop()
        if value in known or not isinstance(value, OpResult):
            continue
        known.add(value)
        op = value.op
        if isinstance(op, arith.CmpfOp | fixed.CmpOp):
            comparisons.add(op)
        elif value.type == i1 or isinstance(op, arith.SelectOp | fixed.SelectOp | ntensor.LetOp | fixed.WidenOp):
            todo += op.operands
    return comparisons, known


@define
class UpdatePrinter(FunctionPrinter):
    """The functions of an update: its step, and one for each input that accumulates event by event."""

    update: ntensor.UpdateOp
    name: str
    constants: dict[str, str]
    """Constants of the file, by their names; the printer adds those of the update."""
    detaches_reset: bool = False
    comparisons: set[Operation] = field(init=False)
    path: set[SSAValue] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.comparisons, self.path = deciding(self.update)
        if self.update.emitted.type == i1 and not any(self.is_smooth(op) for op in self.comparisons):
            refuse(
                PYT001,
                "the spike of an update has no threshold, and so no gradient",
                at=describe_op(self.update)[0],
                expected="a spike that follows from <, <=, > or >=",
                found=", ".join(f"{comparison_symbol_of(op)} in {shown(op)}" for op in self.comparisons)
                or "no comparison",
                help="nopt targets",
                notes=["another device"],
            )

    def is_smooth(self, op: Operation) -> bool:
        return comparison_symbol_of(op) in ORDERED

    @property
    def smooth(self) -> list[Operation]:
        """The comparisons with a surrogate gradient, in the order of the step."""
        return [op for op in self.update.step.block.ops if op in self.comparisons and self.is_smooth(op)]

    def lines(self) -> Iterator[str]:
        """Yields the lines of the functions. Errors: PYT001."""
        update = self.update
        for name, _, block in update.accumulators:
            self.begin([*RESERVED, *self.constants])
            yield from ("", "", f"def {self.name}_{name}({', '.join(self.arguments(block.args, ('term', 'state')))}):")
            yield from self.body(block)
        self.begin([*RESERVED, *self.constants, "reach"])
        texts = [*texts_of(update.inputs), *texts_of(update.states), *texts_of(update.params)]
        arguments = self.arguments(update.step.block.args, texts)
        yield from ("", "", f"def {self.name}({', '.join([*arguments, 'reach'])}):")
        yield from self.body(update.step.block)

    def inlined(self, op: Operation) -> str | None:
        """Returns the name of a constant, and the operand of an op that changes no number."""
        if isinstance(op, arith.ConstantOp | fixed.ConstantOp):
            return self.constant(op)
        return self.values[op.operands[0]] if isinstance(op, fixed.WidenOp) else None

    def constant(self, op: arith.ConstantOp | fixed.ConstantOp) -> str:
        """Returns the name of a constant of the file."""
        type = op.results[0].type
        given: Any = op.value
        number = float(abs(given.value.data) if type == i1 else given.value.data)
        text = (
            f"float({str(number)!r})" if number != number or number in (float("inf"), -float("inf")) else repr(number)
        )
        made = f"torch.tensor({text}, dtype={dtype_text(type)})"
        known = next((name for name, one in self.constants.items() if one == made), None)
        if known is not None:
            return known
        suffix = "_F32" if type == f32 else ""
        stem = "C_" + re.sub(r"\W", "_", text.replace("-", "minus_").replace(".0", "")) + suffix
        self.constants[stem] = made
        return stem

    def operand(self, value: SSAValue, op: Operation) -> str:
        """Returns the text of an operand; a detached one if a spike decides about a reset."""
        text = self.values[value]
        is_reset = value.type == i1 and value in self.path and op.results[0] not in self.path
        return f"{text}.detach()" if self.detaches_reset and is_reset else text

    def expression(self, op: Operation) -> str:
        """Returns the expression of an op. Errors: PYT001 an op without one."""
        xs = [self.operand(value, op) for value in op.operands]
        if (text := EXPRESSIONS.get(type(op))) is not None:
            return text.format(*xs)
        match op:
            case ntensor.LetOp():
                return xs[0]
            case arith.CmpfOp() | fixed.CmpOp() if comparison_symbol(op):
                relation = comparison_symbol(op)
                if op in self.comparisons and relation in ORDERED:
                    return f"spike({xs[0]}, {xs[1]}, {relation!r}, reach[{self.smooth.index(op)}])"
                return f"compare({xs[0]}, {xs[1]}, {relation!r})"
            case fixed.ToRealOp():
                return f"{xs[0]}.to({dtype_text(op.results[0].type)})"
            case fixed.DivOp():
                return f"quotient({xs[0]}, {xs[1]}, {op.rounding.data.value!r})"
            case fixed.FromRealOp():
                into = fixed.interval_of(op.y)
                return f"whole({xs[0]}, {op.rounding.data.value!r}, {into.low}, {into.high})"
            case fixed.SaturateOp() | fixed.RefineOp():
                into = fixed.interval_of(op.y)
                return f"saturate({xs[0]}, {into.low}, {into.high})"
            case fixed.WrapOp():
                into = fixed.interval_of(op.y)
                return f"wrap({xs[0]}, {into.low}, {into.size})"
            case ntensor.RoundRealOp():
                return f"half({xs[0]}, {op.format!r})"
            case _:
                refuse(
                    PYT001,
                    at=describe_op(self.update)[0],
                    expected=f"one of {', '.join(sorted(one.name for one in EXPRESSIONS))}",
                    found=shown(op),
                    help="nopt targets",
                    notes=["another device"],
                )


def comparison_symbol_of(op: Operation) -> str:
    return comparison_symbol(op) if isinstance(op, arith.CmpfOp | fixed.CmpOp) else ""
