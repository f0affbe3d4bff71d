"""Results of passes that several runs begin with: each sequence of passes runs once on equal modules.

A module is identified by its contents, a pass by its text. The last results are kept.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from attrs import define, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..diagnostics import Finding, Refused
from .contents import OpContents, entries


@frozen(eq=False)
class PassResult:
    """A module after a pass, and the findings of the pass."""

    module: ModuleOp
    findings: tuple[Finding, ...]


@define(eq=False)
class PassResults:
    """The last results of passes."""

    most: int
    """Results that are kept."""
    results: dict[Hashable, PassResult] = field(init=False, factory=dict[Hashable, PassResult])
    """The least recently used one is the first."""
    modules: dict[OpContents, int] = field(init=False, factory=dict[OpContents, int])
    """Numbers of the modules that passes start from, by their contents."""

    def find(self, key: Hashable) -> PassResult | None:
        """Returns a result."""
        result = self.results.pop(key, None)
        if result is not None:
            self.results[key] = result
        return result

    def keep(self, key: Hashable, result: PassResult) -> None:
        """Keeps a result, in place of the least recently used one."""
        self.results[key] = result
        if len(self.results) > self.most:
            del self.results[next(iter(self.results))]

    def number_of(self, module: ModuleOp) -> int | None:
        """Returns the number of a module, which modules of equal contents share; None if it has an array that cannot be read."""
        try:
            return self.modules.setdefault(module_contents(module), len(self.modules))
        except Refused:
            return None


def replace_ops(module: ModuleOp, other: ModuleOp) -> None:
    """Replaces the ops and the attributes of a module by copies of those of another one."""
    for op in list(module.ops):
        op.detach()
    copy = other.clone()
    module.attributes = copy.attributes
    for op in list(copy.ops):
        op.detach()
        module.body.block.add_op(op)


def module_contents(module: ModuleOp) -> OpContents:
    """Returns the contents of a module, which are equal for equal modules. Errors: those of reading an array, when they are hashed."""
    numbers: dict[SSAValue, int] = {}
    ops = list(module.walk())
    for op in ops:
        for value in (*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)):
            numbers[value] = len(numbers)
    return tuple(op_contents(op, numbers) for op in ops)


def op_contents(op: Operation, numbers: dict[SSAValue, int]) -> OpContents:
    """Returns the contents of an op without those of inner ops, of which it has the numbers."""
    regions: Any = tuple(
        tuple((block.arg_types, sum(1 for _ in block.ops)) for block in region.blocks) for region in op.regions
    )
    operands = tuple(numbers[value] for value in op.operands)
    return type(op), operands, op.result_types, entries(op.properties), entries(op.attributes), regions
