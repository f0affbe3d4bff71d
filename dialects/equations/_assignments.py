"""Assignments of one block of scalar ops, as lines of the languages of equations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...core.expressions.tree import Expr, Name, walk
from ...core.neuron.tree import NOWHERE, Assign
from .. import fixed, ntensor
from ._declarations import assignment
from ._expressions import Reader, owner

REDUCING: dict[str, type[Operation]] = {"wrap": fixed.WrapOp, "saturate": fixed.SaturateOp}
"""The op that reduces a value to the width of a state, by the mode of the state."""


def mode_of(reduced: Iterable[Operation | None]) -> str:
    """Returns the mode of a state from the ops that produce its values: `wrap`, `saturate` or neither."""
    ops = list(reduced)
    return next((mode for mode, kind in REDUCING.items() if any(isinstance(op, kind) for op in ops)), "")


def assigning_ops(block: Block, name: str, type: Attribute) -> list[Operation | None]:
    """Returns the ops that produce the values of a state of that type in a block."""
    lets = (op for op in block.ops if isinstance(op, ntensor.LetOp) and op.variable.data == name and op.y.type == type)
    return [owner(let.x) for let in lets]


class Assignments:
    """The lines of a block, with the names that values have between them."""

    def __init__(self, reader: Reader, modes: Mapping[str, str]):
        self.reader, self.modes = reader, modes
        self.typed = set[str]()

    def line(self, let: ntensor.LetOp) -> Assign:
        """Returns the line that assigns a name."""
        name = let.variable.data
        if name in self.modes:
            declared, expr = None, self.stored(name, let.x)
        else:
            declared, expr = assignment(self.reader, let, always=name in self.typed)
            self.typed.update([name] if declared else [])
        self.reader.bind(let)
        return Assign(NOWHERE, name, declared, expr)

    def stored(self, name: str, value: SSAValue) -> Expr:
        """Returns the expression that is assigned to a state, before the reduction to the width of the state."""
        return self.reader.expr(self.before_mode(name, value))

    def before_mode(self, name: str, value: SSAValue) -> SSAValue:
        """Returns a value before it is reduced to the width of a state."""
        op = owner(value) if value not in self.reader.names else None
        is_reduced = isinstance(op, fixed.SaturateOp | fixed.WrapOp) and isinstance(
            op, REDUCING.get(self.modes[name], ())
        )
        return op.operands[0] if op is not None and (is_reduced or isinstance(op, fixed.WidenOp)) else value

    def last_lines(self, finals: Mapping[str, SSAValue]) -> Iterator[Assign]:
        """Yields assignments of final values that no line has named, so that each line reads the values before them.

        States that exchange their values need a copy of one: `x_0 = x`, `x = y`, `y = x_0`.
        """
        current = self.reader.current
        left = {name: value for name, value in finals.items() if current[name] is not value}
        while left:
            read = {name: self.names_read(name, value) for name, value in left.items()}
            free = next((name for name in left if not any(name in read[one] for one in left if one != name)), None)
            if free is None:
                first = next(iter(left))
                copy = next(one for k in range(len(current) + 1) if (one := f"{first}_{k}") not in current)
                yield Assign(NOWHERE, copy, None, Name(first))
                self.rename(current[first], copy)
                continue
            value = left.pop(free)
            yield Assign(NOWHERE, free, None, self.stored(free, value))
            current[free] = value
            self.reader.names.setdefault(value, free)

    def names_read(self, name: str, value: SSAValue) -> set[str]:
        """Returns the names in the expression that is assigned to a state."""
        return {part.name for part in walk(self.stored(name, value)) if isinstance(part, Name)}

    def rename(self, value: SSAValue, name: str) -> None:
        """Changes the name of a value."""
        self.reader.names[value] = name
        self.reader.current[name] = value
