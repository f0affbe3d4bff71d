"""Release of the memory of unused modules.

Ops refer to each other, so that an unused module is freed by garbage collection alone, which may run long after its arrays are needed
elsewhere.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache
from typing import Any

from xdsl.ir import Operation

from .arrays.arrays import ArrayAttr
from .arrays.values import RuleArray

LARGE_BYTES = 2**24
"""Smallest size of the arrays of a network for which a collection takes little time compared with the passes."""


def free_modules(module: Operation) -> None:
    """Frees unused modules, if `module`, a module or network of the same compilation, has large arrays."""
    if stored_bytes(module) >= LARGE_BYTES:
        gc.collect()
        if (trim := trim_function()) is not None:
            trim(0)


def stored_bytes(module: Operation) -> int:
    """Returns the bytes of the arrays in an op. Shared arrays count once, and rules not at all."""
    found = {
        id(value.data): value.data.size * value.data.dtype.itemsize
        for op in module.walk()
        for value in op.properties.values()
        if isinstance(value, ArrayAttr) and not isinstance(value.data, RuleArray)
    }
    return sum(found.values())


@cache
def trim_function() -> Any | None:
    """Returns the function of the C library that returns free memory to the system; None if it has no such function."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
