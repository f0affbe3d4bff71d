"""Conversion of an `ntensor.update` to a neuron of the neuron language, so that IR can be read as equations.

    ntensor.let "v" (v + k * (r * x - v))   =>   v = v + k * (r * x - v)

An update that the language cannot express is refused. The text parses, and builds the same update. It contains no options, families,
units, bounds of reals and comments, because an update does not contain them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue

from ...core.expressions.tree import Expr
from ...core.ir.operation import texts_of
from ...core.neuron.tree import (
    NOWHERE,
    Declaration,
    Declarations,
    Emit,
    Item,
    Neuron,
    NeuronFile,
    Record,
    format,
)
from .. import fixed, ntensor
from ._assignments import Assignments, assigning_ops, mode_of
from ._declarations import declaration, derivation, initial_states
from ._expressions import ANYTHING, Reader, accumulated_state, declared_as, is_number, owner, precision_of, strip_name


def neuron_of(update: ntensor.UpdateOp) -> Neuron:
    """Returns the neuron that an update was built from, without the parts that an update does not contain.

    Errors: NEU024 an update that the language cannot express.
    """
    name = re.sub(r"\W", "_", update.sym_name.data)
    step = Step(update)
    items = (*derivation(update), *step.declarations(), *step.lines())
    return Neuron(name, (), items=items)


def neuron_text(update: ntensor.UpdateOp) -> str:
    """Returns an update as text in the neuron language; the text builds the same update. Errors: NEU024."""
    return format(NeuronFile(None, (neuron_of(update),)))


class Step:
    """Conversion of the step to declarations and lines, with each line at a place where its names have the right values."""

    def __init__(self, update: ntensor.UpdateOp):
        self.update = update
        self.precision = precision_of(update)
        self.inputs, self.states = texts_of(update.inputs), texts_of(update.states)
        self.block = update.step.block
        self.reader = Reader(update, self.block, self.precision, [*self.inputs, *self.states, *texts_of(update.params)])
        self.ops = list(self.block.ops)
        self.lets = {op: k for k, op in enumerate(self.ops) if isinstance(op, ntensor.LetOp)}
        self.modes = {name: self.mode(name, arg.type) for name, arg in zip(self.states, self.state_args, strict=True)}
        self.received: set[ntensor.LetOp] = set()

    @property
    def state_args(self) -> list[BlockArgument]:
        return list(self.block.args)[len(self.inputs) : len(self.inputs) + len(self.states)]

    def mode(self, name: str, type: Attribute) -> str:
        """Returns how accumulations and assignments reduce a state to its width: `wrap`, `saturate` or neither."""
        added = [accumulated_state(block) for _, into, block in self.update.accumulators if into == name]
        reduced = [*assigning_ops(self.block, name, type), *(owner(strip_name(x)) for x in added)]
        return mode_of(reduced) or ("saturate" if added else "")

    def declarations(self) -> Iterator[Item]:
        types = {name: arg.type for name, arg in zip(self.states, self.state_args, strict=True)}
        if states := initial_states(self.update, types, self.modes):
            yield Declarations(NOWHERE, "state", tuple(states.values()))
        inputs = [self.input(name, arg) for name, arg in zip(self.inputs, self.block.args, strict=False)]
        inputs += [self.accumulator(*one) for one in self.update.accumulators]
        if inputs:
            yield Declarations(NOWHERE, "input", tuple(inputs))

    def input(self, name: str, arg: BlockArgument) -> Declaration:
        """Returns the declaration of an input, which includes the wrap or saturation of its sum."""
        uses = [use.operation for use in arg.uses]
        first = uses[0] if len(uses) == 1 and self.reader.integers(arg) == ANYTHING else None
        if isinstance(first, fixed.SaturateOp | fixed.WrapOp):
            lets = [use.operation for use in first.y.uses]
            let = lets[0] if len(lets) == 1 else None
            if isinstance(let, ntensor.LetOp) and let.variable.data == name:
                self.received.add(let)
                self.reader.bind(let)
                mode = "wrap" if isinstance(first, fixed.WrapOp) else "saturate"
                return Declaration(name, declared=declared_as(fixed.interval_of(first.y), mode))
        return Declaration(name, declared=declaration(arg.type, self.precision))

    def accumulator(self, name: str, into: str, block: Block) -> Declaration:
        """Returns the declaration of an accumulating input.

        Its terms may be reduced to a width. They are added to the state, and the sum is reduced to the width of the state.
        """
        arg, state = block.args
        sum = strip_name(accumulated_state(block))
        met = owner(sum)
        if isinstance(met, fixed.SaturateOp | fixed.WrapOp | fixed.WidenOp):
            sum = strip_name(met.x)
        added = owner(sum)
        operands = list(map(strip_name, added.operands)) if isinstance(added, fixed.AddOp) else []
        meets = fixed.WrapOp if self.modes[into] == "wrap" else fixed.SaturateOp
        if operands[:1] != [state] or not isinstance(met, meets | fixed.WidenOp):
            self.reader.cannot(f"accumulation of {name} other than {into} + {name}")
        declared, first = declaration(arg.type, self.precision), owner(operands[1])
        if isinstance(first, fixed.SaturateOp | fixed.WrapOp) and self.reader.integers(arg) == ANYTHING:
            declared = declared_as(
                fixed.interval_of(first.y), "wrap" if isinstance(first, fixed.WrapOp) else "saturate"
            )
            operands[1] = strip_name(first.x)
        if operands[1] is not arg:
            self.reader.cannot(f"accumulation of {name} other than {into} + {name}")
        return Declaration(name, declared=declared, into=into)

    def latest(self, value: SSAValue) -> float:
        """Returns the last op position where the name of a value still denotes this value."""
        if value not in self.reader.names and not isinstance(owner(value), ntensor.LetOp):
            op = owner(value)
            assert op is not None  # every argument has a name
            return self.ops.index(op)
        let = owner(value)
        name = let.variable.data if isinstance(let, ntensor.LetOp) else self.reader.names[value]
        start = self.lets[let] if isinstance(let, ntensor.LetOp) else -1
        rebound = [
            k for let, k in self.lets.items() if let.variable.data == name and k > start and let not in self.received
        ]
        return min(rebound, default=len(self.ops)) - 0.5

    def lines(self) -> Iterator[Item]:
        last = self.ops[-1]
        emitted, finals = last.operands[0], list(last.operands)[1 : 1 + len(self.states)]
        records = list(zip(texts_of(self.update.records), list(last.operands)[1 + len(self.states) :], strict=True))
        placed: list[tuple[float, int, int, Any]] = [
            (k, 0, 0, let) for let, k in self.lets.items() if let not in self.received
        ]
        placed.append((self.latest(emitted), 2, 0, None))
        bound = math.inf  # records keep their order
        for k, (name, value) in reversed(list(enumerate(records))):
            bound = min(bound, self.latest(value))
            placed.append((bound, 1, k, (name, value)))
        written = Assignments(self.reader, self.modes)
        for _, kind, _, held in sorted(placed, key=lambda line: line[:3]):
            if kind == 0:
                yield written.line(held)
            elif kind == 1:
                yield Record(NOWHERE, held[0], self.recorded(held[1]))
            else:
                yield Emit(NOWHERE, str(self.update.emits.data), self.reader.expr(emitted))
        yield from written.last_lines(dict(zip(self.states, finals, strict=True)))

    def recorded(self, value: SSAValue) -> Expr:
        expr = self.reader.expr(value)
        numbers = is_number(expr) and isinstance(value.type, Float32Type | Float64Type)
        return self.reader.call(self.reader.real(value.type), expr) if numbers else expr
