"""The `nopt` dialect, shared by all levels: the array attribute of `core/arrays/arrays.py` and its resources."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..core.arrays.arrays import ArrayAttr, ArrayResources

NOPT = Dialect("nopt", [], [ArrayAttr], [ArrayResources()])
