"""Values of neurons: parameters, registers and initial states, compared with their types and with the ranges that a chip declares.

A value has the type of its parameter or state in the update of the neurons. A dialect declares the registers of neurons without an update, and
the ranges of reals. A real is finite; one that an update divides by is not 0, and one whose logarithm or root it takes is positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from attrs import evolve, frozen
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code
from ...core.ir.operation import NoptOperation
from ..fixed import IntType
from ..ntensor import LetOp, UpdateOp, interval_of, numbers_outside
from .parts import CHI002, refuse_chip

CHI007 = Code("CHI007", "neuron-value-out-of-range", "a value of a neuron is out of its range")


@frozen
class Range:
    """The reals from `low` to `high`, without the ends that are open."""

    low: float = -np.inf
    high: float = np.inf
    is_open: tuple[bool, bool] = (False, False)
    has_zero: bool = True

    def holds(self, array: ArrayAttr) -> bool:
        """Returns whether all numbers of an array are in the range."""
        values = array.values.astype(np.float64)
        after = values > self.low if self.is_open[0] else values >= self.low
        before = values < self.high if self.is_open[1] else values <= self.high
        return bool((after & before).all() and (self.has_zero or values.all()))

    def __str__(self) -> str:
        ends = [
            f"{'above' if self.is_open[0] else 'from'} {self.low:g}" if self.low > -np.inf else "",
            f"{'below' if self.is_open[1] else 'up to'} {self.high:g}" if self.high < np.inf else "",
            "" if self.has_zero or self.low > 0 or (self.low == 0 and self.is_open[0]) else "other than 0",
        ]
        return f"numbers {' '.join(filter(None, ends))}"


POSITIVE = Range(0, is_open=(True, False))
NOT_NEGATIVE = Range(0)
SHARE = Range(0, 1)
"""A share, such as the part of a state that a tick keeps."""


def verify_shapes(
    op: NoptOperation, what: str, given: DictionaryAttr, size: int, code: Code = CHI002, numbers: str = ""
) -> None:
    """Refuses entries that are not one number or one for each neuron. Errors: CHI002, or the given code."""
    for name, array in given.data.items():
        if not isinstance(array, ArrayAttr) or array.shape not in ((), (size,)):
            found = str(list(array.shape)) if isinstance(array, ArrayAttr) else str(array)
            refuse_chip(op, f"{what} {name} has another shape".strip(), f"{numbers}[] or [{size}]", found, code)


def verify_values(
    op: NoptOperation, given: Mapping[str, ArrayAttr], types: Mapping[str, Attribute], code: Code = CHI007
) -> None:
    """Refuses numbers that their type does not hold, and reals that are not finite. Errors: CHI007, or the given code."""
    for name, array in given.items():
        if (found := numbers_outside(array, types[name])) is not None:
            refuse_chip(op, f"{name} is out of range", numbers_of(types[name]), found, code)
        if array.data.dtype.kind == "f" and not (is_finite := np.isfinite(array.values)).all():
            refuse_chip(op, f"{name} is out of range", "finite numbers", f"{array.values[~is_finite][0]}", code)


def numbers_of(type: Attribute) -> str:
    """Returns the numbers of a type, for messages."""
    held = interval_of(type)
    return f"numbers of {type}" if held is None else f"{held.low} to {held.high}"


def verify_ranges(
    op: NoptOperation, given: Mapping[str, ArrayAttr], ranges: Mapping[str, Range], code: Code = CHI007
) -> None:
    """Refuses numbers outside of the ranges that are declared for some names. Errors: CHI007, or the given code."""
    for name, range in ranges.items():
        if name in given and not range.holds(given[name]):
            array = given[name].values
            found = f"{array.min():g}" if array.min() == array.max() else f"{array.min():g} to {array.max():g}"
            refuse_chip(op, f"{name} is out of range", str(range), found, code)


def register_types(ranges: Mapping[str, tuple[int, int]]) -> dict[str, Attribute]:
    """Returns the types of registers that are declared by their least and greatest integer."""
    return {name: IntType(*ends) for name, ends in ranges.items()}


# ---- what an update needs


def needed_ranges(update: UpdateOp) -> dict[str, Range]:
    """Returns the ranges of the parameters without which a step is not defined: divisors, and operands of logarithms and roots."""
    found: dict[str, Range] = {}
    for value, range in needed_operands(update):
        origin = unwrapped(value)
        if isinstance(origin, BlockArgument) and origin.owner is update.step.block:
            names = [*update.operand_names[: len(update.inputs)], *update.state_types, *update.param_types]
            name = names[origin.index]
            if name in update.param_types:
                found[name] = joined(found.get(name, Range()), range)
    return found


def needed_operands(update: UpdateOp) -> Iterator[tuple[SSAValue, Range]]:
    """Yields the operands of an update that not all reals may be, with their ranges."""
    for op in update.step.block.ops:
        match op:
            case arith.DivfOp():
                yield op.rhs, Range(has_zero=False)
            case mathd.LogOp():
                yield op.operand, POSITIVE
            case mathd.SqrtOp():
                yield op.operand, NOT_NEGATIVE
            case _:
                pass


def unwrapped(value: SSAValue) -> SSAValue:
    """Returns the value that a name or another precision was given to."""
    while isinstance(owner := value.owner, LetOp | arith.ExtFOp | arith.TruncFOp):
        value = owner.operands[0]
    return value


def joined(first: Range, second: Range) -> Range:
    """Returns the intersection of two ranges without an upper end."""
    lower = max((first, second), key=lambda one: (one.low, one.is_open[0]))
    return evolve(lower, has_zero=first.has_zero and second.has_zero)


def arrays_in(*given: DictionaryAttr) -> dict[str, ArrayAttr]:
    """Returns the arrays of dictionaries by name."""
    pairs: Iterable[tuple[str, Attribute]] = (pair for one in given for pair in one.data.items())
    return {name: array for name, array in pairs if isinstance(array, ArrayAttr)}
