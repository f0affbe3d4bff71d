"""Simpler parameters: arrays of zeros, of ones, of one number, of round numbers, and ops without optional properties."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, OptionalDef

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...dialects import nir

Place = tuple[int, str, str | None]
"""Number of the op in the module, name of its property, and name of the entry if that is a dictionary."""

ROUNDED = 4
"""Index of the simpler form with rounded numbers."""


def places(module: ModuleOp) -> Iterator[Place]:
    """Yields the places of the arrays of a module."""
    for number, op in enumerate(module.walk()):
        for name, value in op.properties.items():
            match value:
                case ArrayAttr():
                    yield number, name, None
                case DictionaryAttr():
                    yield from ((number, name, key) for key, one in value.data.items() if isinstance(one, ArrayAttr))
                case _:
                    pass


def op_at(module: ModuleOp, number: int) -> Operation:
    return next(op for k, op in enumerate(module.walk()) if k == number)


def array_at(op: Operation, name: str, key: str | None) -> ArrayAttr:
    value = op.properties[name]
    if key is not None:
        assert isinstance(value, DictionaryAttr)
        value = value.data[key]
    assert isinstance(value, ArrayAttr)
    return value


def simpler(values: AnyArray) -> Iterator[AnyArray]:
    """Yields simpler arrays of the same type, the simplest first: a scalar, zeros, ones, one number for all, round numbers."""
    if not values.size or values.dtype.kind not in "iuf":
        return
    first = values.reshape(-1)[0]
    is_uniform = bool((values == first).all())
    if is_uniform and values.ndim:
        yield np.asarray(first, values.dtype)
    rank = simplicity(values)
    forms = (np.zeros_like(values), np.ones_like(values), with_one_digit(np.full_like(values, first)))
    for k, form in enumerate((*forms, np.full_like(values, first), with_one_digit(values))):
        if k < rank:
            yield form


def simplicity(values: AnyArray) -> int:
    """Returns the rank of an array's present form among the forms of `simpler`."""
    first = values.reshape(-1)[0]
    is_uniform, is_round = bool((values == first).all()), bool((values == with_one_digit(values)).all())
    if is_uniform:
        return 0 if first == 0 else 1 if first == 1 else 2 if is_round else 3
    return ROUNDED if is_round else ROUNDED + 1


def with_one_digit(values: AnyArray) -> AnyArray:
    """Returns the numbers with one significant digit."""
    given = values.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scale = 10.0 ** np.floor(np.log10(np.abs(given)))
        found = np.where(np.isfinite(scale) & (scale > 0), np.round(given / scale) * scale, given)
    digits = [float(f"{number:.0e}") for number in found.reshape(-1).tolist()]
    return np.array(digits).reshape(values.shape).astype(values.dtype)


def replace_array(module: ModuleOp, place: Place, values: AnyArray) -> bool:
    """Sets an array."""
    number, name, key = place
    op, made = op_at(module, number), ArrayAttr.of(values)
    if key is None:
        op.properties[name] = made
    else:
        entries = op.properties[name]
        assert isinstance(entries, DictionaryAttr)
        op.properties[name] = DictionaryAttr({**entries.data, key: made})
    return True


def optional_parts(module: ModuleOp) -> list[tuple[int, str]]:
    """Returns the optional properties and the annotations of all ops."""
    found: list[tuple[int, str]] = []
    for number, op in enumerate(module.walk()):
        if isinstance(op, IRDLOperation):
            known = type(op).get_irdl_definition().properties
            found += [(number, name) for name in op.properties if isinstance(known.get(name), OptionalDef)]
        found += [(number, name) for name in op.attributes]
    return found


def remove_part(module: ModuleOp, number: int, name: str) -> bool:
    """Removes an optional property, or an annotation."""
    op = op_at(module, number)
    if op.properties.pop(name, None) is None:
        del op.attributes[name]
    return True


def biased(module: ModuleOp) -> list[int]:
    """Returns the numbers of the affine maps."""
    return [number for number, op in enumerate(module.walk()) if isinstance(op, nir.AffineOp)]


def remove_bias(module: ModuleOp, number: int) -> bool:
    """Replaces an affine map by a linear one."""
    op = op_at(module, number)
    left = {name: value for name, value in op.properties.items() if name != "bias"}
    made = nir.LinearOp.create(operands=op.operands, result_types=op.result_types, properties=left)
    block = op.parent
    assert block is not None
    block.insert_op_before(made, op)
    op.results[0].replace_all_uses_with(made.y)
    block.detach_op(op)
    op.drop_all_references()
    return True
