"""The parameter of a population's update that follows from the threshold of its node."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, OpResult, SSAValue

from ...core.ir.operation import texts_of
from ...dialects import ntensor


def threshold_parameter(update: ntensor.UpdateOp, comparisons: Iterable[Operation]) -> str | None:
    """Returns the parameter that the comparisons of a spike read next to the state, if it is computed from the threshold of the node."""
    varying = len(update.inputs) + len(update.states)
    args = update.step.block.args
    derived = dict(zip(texts_of(update.params), last_operands(update), strict=False))
    raw: dict[SSAValue, str] = dict(zip(update.derive.block.args[1:], texts_of(update.raw), strict=False))
    names: set[str] = set()
    for value in (x for one in comparisons for x in one.operands):
        reads = read_values(value)
        if any(arg in reads for arg in args[:varying]):
            continue
        for arg, name in zip(args[varying:], texts_of(update.params), strict=True):
            if arg in reads and any(raw.get(one, "").endswith("threshold") for one in read_values(derived[name])):
                names.add(name)
    return names.pop() if len(names) == 1 else None


def last_operands(update: ntensor.UpdateOp) -> list[SSAValue]:
    last = update.derive.block.last_op
    return [] if last is None else list(last.operands)


def read_values(value: SSAValue) -> set[SSAValue]:
    """Returns the arguments of a region that a value is computed from."""
    found, todo, known = set[SSAValue](), [value], set[SSAValue]()
    while todo:
        one = todo.pop()
        if one in known:
            continue
        known.add(one)
        if isinstance(one, OpResult):
            todo += one.op.operands
        else:
            found.add(one)
    return found
