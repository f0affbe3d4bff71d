"""Base of all nodes of the nir dialect: a name, one input, one output, array parameters, and the rules for shapes and kinds.

A signal is a tensor with a static shape whose elements are `i1` (spikes) or `f32` (values). `NodeOp.result_shape` computes the
shape of the result from the parameters and the shape of the operand; `NodeOp.result_kind` computes its kind. Frontends infer
signals with the two methods, and the verifier checks signals with them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, NoReturn

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, StringAttr, TensorType, f32, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import ParsePropInAttrDict, base, operand_def, opt_prop_def, prop_def, result_def

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation, element_type, is_tensor, shape_of

NIR001 = Code("NIR001", "nir-parameter-shape-mismatch", "a parameter has the wrong shape")
NIR002 = Code("NIR002", "nir-parameter-out-of-range", "a parameter is out of range")
NIR003 = Code("NIR003", "nir-shapes-mismatch", "the shapes of operand and result do not fit the node")
NIR004 = Code("NIR004", "nir-signal-kind-mismatch", "a signal has the wrong kind")


# ---- signals


def is_spike(element: Attribute) -> bool:
    return element == i1


def is_value(element: Attribute) -> bool:
    return element == f32


def refuse_shape(op: Operation, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses shapes that do not fit the node. Errors: NIR003."""
    invalid(op, NIR003, message, expected=expected, found=found, help=help)


def refuse_parameter_shape(op: Operation, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses the shape of a parameter. Errors: NIR001."""
    invalid(op, NIR001, message, expected=expected, found=found, help=help)


def verify_signal(op: Operation, what: str, type: Attribute) -> None:
    """Refuses a type that is not a signal: a tensor of static shape with elements i1 or f32."""
    if not is_tensor(type) or not (is_spike(type.element_type) or is_value(type.element_type)):
        invalid(
            op,
            NIR004,
            f"{what} is not a signal",
            expected="a tensor of i1 (spikes) or f32 (values)",
            found=str(type),
            help="`tensor<38xi1>` for the spikes of 38 neurons, `tensor<38xf32>` for values",
        )
    if min(type.get_shape(), default=1) < 0:
        help = "specify the number of neurons along each axis"
        refuse_shape(op, f"{what} has no static shape", "a size for every axis", str(type), help)


def verify_kind(op: Operation, what: str, value: SSAValue, expected: Attribute) -> None:
    if (found := element_type(value)) != expected:
        shown = "spikes (i1)" if is_spike(expected) else "values (f32)"
        help = f"declare its type as a tensor of {expected}"
        invalid(op, NIR004, f"{what} has the wrong kind", expected=shown, found=str(found), help=help)


def verify_shape(op: Operation, what: str, found: Sequence[int], expected: Sequence[int]) -> None:
    if tuple(found) != tuple(expected):
        help = "correct the node before it, or its own parameters"
        refuse_shape(op, f"{what} does not fit the node", f"shape {tuple(expected)}", f"shape {tuple(found)}", help)


# ---- parameters


def verify_parameter(op: Operation, name: str, array: ArrayAttr, *allowed: Sequence[int], note: str = "") -> None:
    """Refuses a parameter unless its shape is among the allowed shapes."""
    if array.shape not in allowed:
        shapes = " or ".join(str(tuple(shape)) for shape in dict.fromkeys(allowed))
        help = f"change the shape of {name} to {tuple(allowed[-1])}"
        refuse_parameter_shape(op, f"{name} has the wrong shape", f"{shapes}{note}", str(array.shape), help)


def refuse_parameter(op: Operation, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses a parameter that is out of range. Errors: NIR002."""
    invalid(op, NIR002, message, expected=expected, found=found, help=help)


def verify_finite(op: Operation, name: str, array: ArrayAttr) -> None:
    if array.data.dtype.kind not in "fiu":
        message = f"{name} is not an array of numbers"
        help = f"convert {name} to f32"
        refuse_parameter(op, message, "floating-point or integer numbers", str(array.data.dtype), help)
    if (where := array.data.not_finite()) is not None:
        message = f"{name} is not finite"
        help = "export the network again from a training run that did not diverge"
        refuse_parameter(op, message, "finite numbers", f"{array.values[where]!s} at index {list(where)}", help)


def verify_sign(op: Operation, name: str, array: ArrayAttr, unit: str, *, is_positive: bool = False) -> None:
    """Refuses a parameter with a number that is negative (or 0, if the parameter has to be positive)."""
    if array.data.size and ((least := array.data.least(enough=0)) < 0 or (is_positive and least == 0)):
        must, expected = (
            ("be positive", f"more than 0 {unit}") if is_positive else ("not be negative", f"0 {unit} or more")
        )
        help = f"correct {name} where the network was exported"
        invalid(op, NIR002, f"{name} must {must}", expected=expected, found=f"{least!s} {unit}", help=help)


def verify_integers(op: Operation, name: str, array: ArrayAttr, rank: int, least: int) -> None:
    """Refuses a stride or kernel size that is neither one integer nor one integer per axis, or that is below `least`."""
    verify_parameter(op, name, array, (), (1,), (rank,))
    values = array.values
    if (values != np.round(values)).any() or (values < least).any():
        help = f"correct {name} where the network was exported"
        refuse_parameter(op, f"{name} is out of range", f"integers from {least}", str(values.tolist()), help)


def integers(array: ArrayAttr, rank: int) -> tuple[int, ...]:
    """Returns a stride or kernel size for each axis; a scalar applies to all axes."""
    return tuple(int(n) for n in np.broadcast_to(array.values.reshape(-1), (rank,)))


# ---- nodes


class NodeOp(NoptOperation, ABC):
    """A node with one input and one output. `metadata` is the metadata of the node in the file.

    Errors: NIR002 a parameter that is not finite; NIR003 a result whose shape differs from `result_shape`; NIR004 operand or
    result of another kind; and those of each op.
    """

    node = prop_def(StringAttr)
    metadata = opt_prop_def(DictionaryAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    PARAMETERS: ClassVar[tuple[str, ...]] = ()
    """Names of the array parameters, in the order of NIR."""

    def parameters(self) -> Iterator[tuple[str, ArrayAttr]]:
        """Yields name and value of each array parameter that is present."""
        for name in self.PARAMETERS:
            if isinstance(array := self.properties.get(name), ArrayAttr):
                yield name, array

    def verify_(self) -> None:
        verify_signal(self, "the operand", self.x.type)
        verify_signal(self, "the result", self.y.type)
        for name, array in self.parameters():
            verify_finite(self, name, array)
        self.verify_parameters()
        verify_kind(self, "the result", self.y, self.result_kind(element_type(self.x)))
        verify_shape(self, "the result", shape_of(self.y), self.result_shape(shape_of(self.x)))

    def verify_parameters(self) -> None:
        """Refuses parameters that are invalid for every operand."""

    def operand_shape(self) -> tuple[int, ...] | None:
        """Returns the operand shape that the parameters imply; None if they do not determine it."""
        return None

    @abstractmethod
    def result_kind(self, kind: Attribute) -> Attribute:
        """Returns the element type of the result for an operand of element type `kind`."""

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the shape of the result for an operand of this shape, and refuses an operand that does not fit.

        Requires parameters that `verify_parameters` accepts.
        """
        verify_shape(self, "the operand", shape, self.operand_shape() or shape)
        return shape
