"""Rows of samples that kernels read and write, and the sizes by which kernels choose their way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

Rows = NDArray[Any]


Kernel = Callable[..., Rows]


SCRATCH_BYTES = 2**20
"""Bytes that a kernel processes at a time, about half of a second-level cache."""


BLAS_SHARE = 0.05
"""Share of events from which BLAS is faster than event by event."""
