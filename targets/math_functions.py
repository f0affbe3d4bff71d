"""Functions of the C library for ops on reals, which languages for kernels have, too, or spell in another way."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import math as mathd
from xdsl.ir import Operation

from ..core.fixed_point import Rounding

MATH_FUNCTIONS: Mapping[type[Operation], str] = {
    mathd.AbsFOp: "fabs",
    mathd.CopySignOp: "copysign",
    mathd.ExpOp: "exp",
    mathd.LogOp: "log",
    mathd.SqrtOp: "sqrt",
    mathd.FloorOp: "floor",
    mathd.CeilOp: "ceil",
    mathd.TruncOp: "trunc",
    mathd.RoundEvenOp: "rint",
}
ROUNDERS: Mapping[Rounding, str] = {
    Rounding.FLOOR: "floor",
    Rounding.CEIL: "ceil",
    Rounding.TRUNCATE: "trunc",
    Rounding.ROUND: "rint",
}
