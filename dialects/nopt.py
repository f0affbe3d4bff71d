"""The `nopt` dialect: what all levels share. So far the array attribute of `core/arrays.py` and the home of its resources."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..core.arrays import ArrayAttr, ArrayResources

NOPT = Dialect("nopt", [], [ArrayAttr], [ArrayResources()])
