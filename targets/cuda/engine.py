"""The engine `cuda`: kernels of the target on GPUs of NVIDIA, and of AMD with cupy for ROCm, compiled at run time."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...core.engine import EngineDevice, EngineState, unusable_library
from ..kernels.engine_record import kernel_engine

MODULE, EXTRA = "cupy", "engine_cuda"
INSTALL = f"pip install 'nopt[{EXTRA}]' --force-reinstall"


def probe() -> EngineState:
    """Returns the GPUs of cupy, if the driver and the compiler of the run time can be loaded."""
    if (unusable := unusable_library([MODULE], EXTRA)) is not None:
        return unusable
    cupy: Any = import_module(MODULE)
    runtime, version = cupy.cuda.runtime, f"cupy {cupy.__version__}"
    try:
        numbers = range(runtime.getDeviceCount())
        driver = runtime.driverGetVersion()
    except runtime.CUDARuntimeError as error:
        return EngineState(f"no driver of CUDA or ROCm: {error}", version, help=DRIVERS)
    if not numbers:
        return EngineState("the driver of CUDA or ROCm has no device", version, help=DRIVERS)
    try:
        cupy.cuda.nvrtc.getVersion()
    except (ImportError, OSError, RuntimeError) as error:
        return EngineState(f"the compiler of the run time cannot be loaded: {error}", version, help=INSTALL)
    return EngineState(version=version, devices=tuple(device_of(cupy, number, driver) for number in numbers))


DRIVERS = "install the driver of the GPU from its vendor"


def device_of(cupy: Any, number: int, driver: int) -> EngineDevice:
    """Returns a device. Reals are rounded as IEEE 754 requires, since nothing is fused and quotients and roots are exact by default."""
    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(number)
    with cupy.cuda.Device(number):
        free, total = runtime.memGetInfo()
    name = properties["name"].decode()
    return EngineDevice(
        name=name,
        interface="ROCm" if runtime.is_hip else "CUDA",
        memory_total_bytes=int(total),
        memory_free_bytes=int(free),
        is_unified=bool(properties.get("integrated", 0)),
        is_ieee=not runtime.is_hip,  # not verified for the compiler of HIP
        driver=f"{'ROCm' if runtime.is_hip else 'CUDA'} {driver}",
        key=name,
    )


ENGINE = kernel_engine(
    name="cuda",
    slug="cuda",
    language="HIP",
    summary="kernels of the target cuda on GPUs of NVIDIA, and of AMD with cupy for ROCm",
    needs="cupy, the driver of the GPU, and the compiler of the run time (nvrtc)",
    exactness="networks of integers; networks of reals without exp and log on CUDA",
    speed=6,
    probe=probe,
)
