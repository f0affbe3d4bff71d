"""Updates as functions of Python: a line for each scalar op, whose expression depends on the library of arrays."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from keyword import kwlist

from attrs import define, field
from xdsl.ir import Block, Operation, SSAValue

from ...core.names import Names
from ...dialects import ntensor


class VariableNames:
    """Names of variables, each once. None is a keyword of Python, or one of `taken`."""

    def __init__(self, taken: Iterable[str] = ()):
        self.names = Names((*kwlist, *taken), start=2)

    def take(self, text: str) -> str:
        """Returns a free name of Python that is similar to a text."""
        name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "value"
        return self.names.take(f"n{name}" if name[0].isdigit() else name)


@define
class FunctionPrinter:
    """The lines of a function, with the names of its values."""

    names: VariableNames = field(init=False, factory=VariableNames)
    values: dict[SSAValue, str] = field(init=False, factory=dict[SSAValue, str])

    def begin(self, taken: Iterable[str]) -> None:
        """Begins a function that uses other names, too."""
        self.names, self.values = VariableNames(taken), dict[SSAValue, str]()

    def arguments(self, args: Iterable[SSAValue], texts: Iterable[str]) -> list[str]:
        """Returns the names of arguments."""
        for arg, text in zip(args, texts, strict=True):
            self.values[arg] = self.names.take(text)
        return [self.values[arg] for arg in args]

    def body(self, block: Block, results: int | None = None) -> Iterator[str]:
        """Yields the lines of a block, and the return of its results, or of the first ones."""
        *ops, last = block.ops
        for op in ops:
            result = op.results[0]
            if (text := self.inlined(op)) is not None:
                self.values[result] = text
                continue
            text = self.expression(op)
            self.values[result] = self.names.take(op.variable.data if isinstance(op, ntensor.LetOp) else "t")
            yield f"    {self.values[result]} = {text}"
        yield f"    return {', '.join(self.values[value] for value in last.operands[:results])}"

    def inlined(self, op: Operation) -> str | None:
        """Returns the text that replaces the result of an op in other lines; None for an op with a line of its own."""
        return None

    @abstractmethod
    def expression(self, op: Operation) -> str:
        """Returns the expression of an op."""
