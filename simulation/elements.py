"""Storage of signal elements: the type during a run, and the type in results.

| element | during a run | in results |
| --- | --- | --- |
| `i1` | bool | bool |
| `f32`, `f64` | itself | itself |
| `iN`, `!ntensor.count`, `!ntensor.graded`, `!fixed.int` | int64 | int32 if it holds all values, else int64 |
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, i1
from xdsl.ir import Attribute

from ..core.fixed_point import Interval
from ..dialects.ntensor import interval_of


def working_dtype(element: Attribute) -> np.dtype[Any] | None:
    """Returns the dtype of a signal during a run; None for an unsupported type, including integers beyond 64 signed bits."""
    match element:
        case Float32Type():
            return np.dtype(np.float32)
        case Float64Type():
            return np.dtype(np.float64)
        case _ if element == i1:
            return np.dtype(np.bool_)
        case _:
            held = interval_of(element)
            return np.dtype(np.int64) if held is not None and held.fits else None


def result_dtype(element: Attribute) -> np.dtype[Any]:
    """Returns the dtype of a signal in results. `element` has a working dtype."""
    dtype = working_dtype(element)
    held = interval_of(element)
    assert dtype is not None  # guaranteed by the caller
    if dtype.kind == "i" and held is not None and Interval.signed(32).holds(held):
        return np.dtype(np.int32)
    return dtype
