"""The `nopt` dialect, shared by all levels: arrays (`core/arrays/arrays.py`), devices (`core/device/device_attr.py`) and their resources."""

from __future__ import annotations

from xdsl.ir import Dialect

from ...core.arrays.arrays import ArrayAttr
from ...core.device.device_attr import DeviceAttr, NoptResources

NOPT = Dialect("nopt", [], [ArrayAttr, DeviceAttr], [NoptResources()])
