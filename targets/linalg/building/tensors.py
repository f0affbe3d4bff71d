"""Functions on tensors under construction: `linalg.generic`, slices, and shapes. The first axis of every signal is that of the samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine.affine_expr import AffineExpr
from xdsl.ir.affine.affine_map import AffineMap

from ....core.ir.operation import element_type, shape_of
from ....core.ir.upstream.linalg import GenericOp
from .bodies import Body

Index = Sequence[AffineExpr | int]
"""The place of an element by the loops; a number is the loop of this position."""
Make = Callable[[Body, list[SSAValue]], Sequence[SSAValue]]
INDEX = IndexType()


def d(k: int) -> AffineExpr:
    """Returns the loop of a position."""
    return AffineExpr.dimension(k)


def reassociate(groups: Sequence[Sequence[int]]) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr([ArrayAttr([IntegerAttr(k, i64) for k in group]) for group in groups])


class Tensors:
    """The block of a function."""

    def __init__(self, block: Block):
        self.block = block

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def empty(self, shape: Sequence[int], element: Attribute) -> SSAValue:
        return self.add(tensor.EmptyOp((), TensorType(element, shape)))

    def number(self, value: Any, element: Attribute) -> SSAValue:
        if isinstance(element, AnyFloat):
            return self.add(arith.ConstantOp(FloatAttr(float(value), element)))
        assert isinstance(element, IntegerType | IndexType)  # no other type is computed
        return self.add(arith.ConstantOp(IntegerAttr(int(value), element)))

    def filled(self, value: Any, shape: Sequence[int], element: Attribute) -> SSAValue:
        op = linalg.FillOp([self.number(value, element)], [self.empty(shape, element)])
        return self.add(op)

    def generic(
        self,
        ins: Sequence[tuple[SSAValue, Index]],
        outs: Sequence[tuple[SSAValue, Index]],
        loops: int,
        reductions: int,
        make: Make,
    ) -> list[SSAValue]:
        """Adds a `linalg.generic`; the last loops reduce. `make` returns the elements of the results."""
        given = [*ins, *outs]
        maps = [
            AffineMapAttr(AffineMap(loops, 0, tuple(d(k) if isinstance(k, int) else k for k in index)))
            for _, index in given
        ]
        kinds = [IteratorTypeAttr.parallel()] * (loops - reductions) + [IteratorTypeAttr.reduction()] * reductions
        block = Block(arg_types=[element_type(x) for x, _ in given])
        block.add_op(linalg.YieldOp(*make(Body(block), list(block.args))))
        op = GenericOp(
            [x for x, _ in ins],
            [x for x, _ in outs],
            Region(block),
            ArrayAttr(maps),
            ArrayAttr(kinds),
            [x.type for x, _ in outs],
        )
        self.block.add_op(op)
        return list(op.results)

    def each(
        self, ins: Sequence[tuple[SSAValue, Index]], shape: Sequence[int], elements: Sequence[Attribute], make: Make
    ) -> list[SSAValue]:
        """Computes tensors of a shape element by element."""
        every = range(len(shape))
        outs = [(self.empty(shape, element), [*every]) for element in elements]
        return self.generic(ins, outs, len(shape), 0, make)

    def widened(self, x: SSAValue, element: Attribute) -> SSAValue:
        """Returns integers in a type that holds them."""
        if element_type(x) == element:
            return x
        shape = shape_of(x)
        return self.each([(x, [*range(len(shape))])], shape, [element], lambda b, xs: [b.to_width(xs[0], element)])[0]

    # ---- shapes

    def reshaped(self, x: SSAValue, shape: Sequence[int]) -> SSAValue:
        """Returns the elements of a signal in another shape; the first axis stays."""
        if shape_of(x) == tuple(shape):
            return x
        flat = self.collapsed(x, [[0], [*range(1, len(shape_of(x)))]])
        return self.expanded(flat, shape, [[0], [*range(1, len(shape))]])

    def collapsed(self, x: SSAValue, groups: Sequence[Sequence[int]]) -> SSAValue:
        shape = shape_of(x)
        if len(shape) == len(groups):
            return x
        if not groups[-1]:  # one neuron without an axis
            return self.expanded(x, (*shape, 1), [[0, 1]])
        sizes = [prod(shape[k] for k in group) for group in groups]
        op = tensor.CollapseShapeOp(
            operands=[x],
            result_types=[TensorType(element_type(x), sizes)],
            properties={"reassociation": reassociate(groups)},
        )
        return self.add(op)

    def expanded(self, x: SSAValue, shape: Sequence[int], groups: Sequence[Sequence[int]]) -> SSAValue:
        if shape_of(x) == tuple(shape):
            return x
        if not groups[-1]:  # to one neuron without an axis
            op = tensor.CollapseShapeOp(
                operands=[x],
                result_types=[TensorType(element_type(x), shape)],
                properties={"reassociation": reassociate([[0, 1]])},
            )
            return self.add(op)
        return self.add(
            tensor.ExpandShapeOp(x, (), reassociate(groups), list(shape), TensorType(element_type(x), shape))
        )

    # ---- slices

    def inserted(
        self, x: SSAValue, into: SSAValue, offsets: Sequence[SSAValue | int], strides: Sequence[int] | None = None
    ) -> SSAValue:
        """Returns a tensor with another one in a place. The first axes of `into` that `x` lacks have one row there."""
        sizes = shape_of(x)
        lead = len(offsets) - len(sizes)
        fixed, moving = split(offsets)
        properties = {
            "static_offsets": fixed,
            "static_sizes": list_of([*[1] * lead, *sizes]),
            "static_strides": list_of(strides or [1] * len(offsets)),
        }
        return self.add(
            tensor.InsertSliceOp.build(
                operands=[x, into, moving, [], []], result_types=[into.type], properties=properties
            )
        )

    def taken(self, x: SSAValue, offsets: Sequence[SSAValue | int], shape: Sequence[int]) -> SSAValue:
        """Returns a row of a tensor: the first axes that `shape` lacks have one row."""
        lead = len(offsets) - len(shape)
        op = tensor.ExtractSliceOp(
            x, offsets, [*[1] * lead, *shape], [1] * len(offsets), TensorType(element_type(x), shape)
        )
        return self.add(op)


def list_of(values: Sequence[int]) -> Any:
    return DenseArrayBase.from_list(i64, list(values))


def split(offsets: Sequence[SSAValue | int]) -> tuple[Any, list[SSAValue]]:
    fixed = [one if isinstance(one, int) else tensor.DYNAMIC_INDEX for one in offsets]
    return list_of(fixed), [one for one in offsets if isinstance(one, SSAValue)]
