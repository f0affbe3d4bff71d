"""Network inputs: their observations, their readers, and a change of their type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import frozen
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.calibration_records import find_observation
from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import element_type, shape_of
from ...dialects import ntensor

Kind = Literal["spike", "count", "graded", "integer"]
MOST_BITS = 63
LEAST = {"spike": 1, "count": 1, "graded": 1, "integer": 2}
MOST = {"spike": 1, "count": MOST_BITS, "graded": MOST_BITS, "integer": MOST_BITS}
"""Bits of each kind, the sign included."""


@frozen
class Observed:
    """The observations of an input from a calibration."""

    low: float
    high: float
    is_integral: bool

    @property
    def kind(self) -> Kind:
        return "integer" if self.low < 0 else "spike" if self.high <= 1 else "count"

    def bits(self, kind: Kind) -> int:
        """Returns the fewest bits that hold the observed values."""
        size = max(int(self.high).bit_length(), (~int(self.low)).bit_length() if self.low < 0 else 0)
        return max(size + (kind in ("graded", "integer")), LEAST[kind])


def inputs_of(network: ntensor.NetworkOp) -> Iterator[tuple[str, SSAValue]]:
    """Yields the inputs that take reals."""
    for name, arg in zip(network.input_names, network.body.block.args, strict=True):
        if isinstance(element_type(arg), Float32Type | Float64Type):
            yield name.data, arg


def observed(network: ntensor.NetworkOp, name: str) -> Observed | None:
    """Returns the observations that a calibration stored for an input."""
    entries = find_observation(network, "inputs", name)
    if not isinstance(entries, DictionaryAttr):
        return None
    span, integral = entries.data.get("range"), entries.data.get("integral")
    if not isinstance(span, ArrayAttr) or span.shape != (2,) or not isinstance(integral, IntegerAttr):
        return None
    low, high = (float(end) for end in span.values)
    return Observed(low, high, bool(integral.value.data))


def readers(value: SSAValue) -> Iterator[Operation]:
    """Yields the readers of a value, also through reshapes and delays, each op once."""
    seen: dict[Operation, None] = {}
    work = [value]
    while work:
        for use in work.pop().uses:
            if use.operation not in seen:
                seen[use.operation] = None
                if isinstance(use.operation, ntensor.ReshapeOp | ntensor.DelayOp):
                    work.append(use.operation.y)
    yield from seen


def taken(reader: Operation, value: SSAValue) -> list[Attribute]:
    """Returns the types of reals that a reader computes in."""
    if isinstance(reader, ntensor.NeuronOp):
        return [element_type(x) for x in reader.xs if isinstance(element_type(x), Float32Type | Float64Type)]
    return [element_type(result) for result in reader.results]


def retype(value: SSAValue, element: Attribute) -> None:
    """Changes the element type of a value, and of the reshapes and delays of it."""
    passed = [op for op in readers(value) if isinstance(op, ntensor.ReshapeOp | ntensor.DelayOp)]
    for each in (value, *(op.y for op in passed)):
        Rewriter.replace_value_with_new_type(each, TensorType(element, shape_of(each)))
