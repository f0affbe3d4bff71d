"""Types of NumPy arrays, by the kind of their elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
Reals = NDArray[np.float64]
Ints = NDArray[np.int64]
Indices = NDArray[np.int32]
"""Many indices below 2^31, in half the memory of `Ints`; products of them need `Ints`."""
Bools = NDArray[np.bool_]
Counts = Reals
"""Numbers of paths: integers, as reals because those are multiplied faster; exact below 2^53."""
NamedArrays = Mapping[str, AnyArray]
NamedReals = Mapping[str, Reals]
