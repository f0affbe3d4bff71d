"""An imitation of cupy without a driver of CUDA."""

from __future__ import annotations

from types import SimpleNamespace

__version__ = "0.3"


class CUDARuntimeError(RuntimeError):
    """An error of the runtime."""


def fail() -> int:
    raise CUDARuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")


cuda = SimpleNamespace(
    runtime=SimpleNamespace(CUDARuntimeError=CUDARuntimeError, getDeviceCount=fail, driverGetVersion=fail)
)
