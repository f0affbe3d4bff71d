"""Hand edits of the IR of an exit dialect: each number, list and name of its ops, replaced by another one.

    for edit in edits_of(module): edit.place, edit.what, edit.apply(module)

An edit changes one attribute, or removes or repeats one op. Numbers become the lowest and the highest of their storage, their neighbours, zero,
and reals that no chip has. Arrays also change their rank, length and type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr, ModuleOp, StringAttr, TensorType, f64, i1
from xdsl.ir import Attribute, Operation
from xdsl.traits import IsTerminator

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.operation import shape_of
from nopt.dialects.ntensor import CountType, UpdateOp

INTEGERS: Mapping[str, Callable[[int], int]] = {
    "lowest": lambda n: -(2**31),
    "highest": lambda n: 2**31 - 1,
    "below": lambda n: n - 1,
    "above": lambda n: n + 1,
    "zero": lambda n: 0,
    "absurd": lambda n: 99999999999,
}
REALS: Mapping[str, Callable[[float], float]] = {
    "lowest": lambda x: -1e30,
    "highest": lambda x: 1e30,
    "below": lambda x: float(np.nextafter(x, -np.inf)),
    "opposite": lambda x: -x,
    "zero": lambda x: 0.0,
    "infinite": lambda x: np.inf,
    "absurd": lambda x: np.nan,
}
SHAPES: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "rank 0": lambda a: a.reshape(-1)[0].reshape(()),
    "rank + 1": lambda a: a[None],
    "flat": lambda a: a.reshape(-1),
    "empty": lambda a: a.reshape(-1)[:0],
    "shorter": lambda a: a[:-1],
    "longer": lambda a: np.concatenate([a, a[-1:]]),
}
NAME = "an unknown name"
RECORDS = ("approximations", "canonical", "family")
"""Attributes that no chip reads."""


@frozen
class Edit:
    """An edit of an op. `place` is the attribute, as `op.attribute` or `op.attribute.entry`, and `what` the kind of the edit."""

    number: int
    """The op, among those of the chip."""
    place: str
    what: str
    path: tuple[str, ...] = ()
    """The attribute, and the entry of a dictionary; none if the edit is one of the op."""
    after: Attribute | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"

    def apply(self, module: ModuleOp) -> ModuleOp:
        """Returns an edited copy of a module."""
        made = module.clone()
        op = exit_ops(made)[self.number]
        if not self.path:
            block = op.parent_block()
            assert block is not None  # a part of the chip
            if self.what == "op removed":
                op.detach()
                op.erase(safe_erase=False)
            else:
                block.insert_op_after(op.clone(), op)
        elif len(self.path) == 1:
            change(op.properties, self.path[0], self.after)
        else:
            name, entry = self.path
            held = dict(cast("DictionaryAttr", op.properties[name]).data)
            change(held, entry, self.after)
            op.properties[name] = DictionaryAttr(held)
        return made


def change(given: dict[str, Attribute], name: str, value: Attribute | None) -> None:
    if value is None:
        del given[name]
    else:
        given[name] = value


def edits_of(module: ModuleOp) -> Iterator[Edit]:
    """Yields every edit of every attribute of the exit ops of a module, in their order."""
    for number, op in enumerate(exit_ops(module)):
        for name, attribute in op.properties.items():
            for path, value in entries(name, attribute):
                for what, after in replacements(value):
                    if after != value:
                        yield Edit(number, ".".join((op.name, *path)), what, path, after)
        if op.parent_op() is not module and not op.results and not op.has_trait(IsTerminator):
            for what in ("op removed", "op repeated"):
                yield Edit(number, op.name, what)


def exit_ops(module: ModuleOp) -> list[Operation]:
    """Returns the chip of a module, and all ops in it."""
    (chip,) = (op for op in module.ops if not isinstance(op, UpdateOp))
    return [*chip.walk()]


def entries(name: str, attribute: Attribute) -> Iterator[tuple[tuple[str, ...], Attribute]]:
    """Yields an attribute, or each entry of a dictionary, with its path. Records of passes carry no number of the chip."""
    if isinstance(attribute, DictionaryAttr):
        for key, value in attribute.data.items():
            yield (name, key), value
    elif name not in RECORDS:
        yield (name,), attribute


def replacements(attribute: Attribute) -> Iterator[tuple[str, Attribute | None]]:
    """Yields the kind and the result of each edit of an attribute."""
    yield "removed", None
    match attribute:
        case IntegerAttr():
            for what, change in INTEGERS.items():
                yield what, IntegerAttr(change(attribute.value.data), attribute.type)
        case FloatAttr():
            for what, real in REALS.items():
                yield what, FloatAttr(real(attribute.value.data), f64)
        case StringAttr():
            yield "renamed", StringAttr(NAME)
        case TensorType():
            tensor: TensorType[Attribute] = attribute
            shape, element = list(shape_of(tensor)), tensor.get_element_type()
            yield "longer", TensorType(element, [*shape[:-1], shape[-1] + 1])
            yield "wider", TensorType(CountType(7) if element == i1 else i1, shape)
        case ArrayAttr():
            yield from array_replacements(attribute.values)
        case _:
            pass


def array_replacements(values: np.ndarray) -> Iterator[tuple[str, Attribute]]:
    """Yields the kind and the result of each edit of an array: of its first number, its last one, its shape and its type."""
    is_real = values.dtype.kind == "f"
    if values.size:
        changes: Mapping[str, Any] = REALS if is_real else INTEGERS
        for what, change in changes.items():
            for place in sorted({0, values.size - 1}):
                wide = values.astype(np.float64 if is_real else np.int64)
                wide.reshape(-1)[place] = change(wide.reshape(-1)[place].item())
                kept = wide.astype(values.dtype) if np.array_equal(wide.astype(values.dtype), wide) or is_real else wide
                yield f"{what} at {place}" if values.size > 1 else what, ArrayAttr.of(kept)
        if values.size > 1:
            yield "reversed", ArrayAttr.of(values.reshape(-1)[::-1].reshape(values.shape).copy())
    for what, reshape in SHAPES.items():
        if (values.size and values.ndim) or what == "rank + 1":
            yield what, ArrayAttr.of(np.ascontiguousarray(reshape(values)))
    yield (
        "real" if not is_real else "integer",
        ArrayAttr.of(
            np.clip(np.nan_to_num(values), -9e15, 9e15).astype(np.int64) if is_real else values.astype(np.float64)
        ),
    )
