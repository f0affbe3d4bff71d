"""The engine `opencl`: kernels of the target on the devices of this machine's OpenCL drivers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...core.engine import EngineDevice, EngineState, unusable_library
from ..kernels.engine_record import kernel_engine

MODULE, EXTRA = "pyopencl", "engine_opencl"
LARGEST_GROUP, LOCAL_BYTES = 256, 32768
"""Invocations and memory of a workgroup in the device file, which assumes them; a device may have less."""


def probe() -> EngineState:
    """Returns the OpenCL devices of all drivers, GPUs first."""
    if (unusable := unusable_library([MODULE], EXTRA)) is not None:
        return unusable
    pyopencl: Any = import_module(MODULE)
    version = f"pyopencl {pyopencl.VERSION_TEXT}"
    found: list[EngineDevice] = []
    failures: list[str] = []
    try:
        for platform in pyopencl.get_platforms():
            try:
                found += [device_of(pyopencl, platform, device) for device in platform.get_devices()]
            except pyopencl.Error as error:  # another driver may have devices
                failures.append(f"{platform.name.strip()}: {error}")
    except pyopencl.Error as error:
        return EngineState(f"no OpenCL driver: {error}", version, help=DRIVERS)
    if not found:
        return EngineState("; ".join(["no OpenCL driver has a device", *failures]), version, help=DRIVERS)
    return EngineState(version=version, devices=tuple(sorted(found, key=lambda one: one.is_software)))


DRIVERS = "install the OpenCL driver of the device's vendor, or for this processor: apt install pocl-opencl-icd"


def device_of(cl: Any, platform: Any, device: Any) -> EngineDevice:
    """Returns a device; a processor of OpenCL counts as software, since it emulates a GPU."""
    bits, has = device.single_fp_config, cl.device_fp_config
    exact = has.ROUND_TO_NEAREST | has.DENORM | has.CORRECTLY_ROUNDED_DIVIDE_SQRT
    settings = [f"features.fp64={'true' if 'cl_khr_fp64' in device.extensions.split() else 'false'}"]
    if device.max_work_group_size < LARGEST_GROUP:
        settings += [
            f"limits.{name}={device.max_work_group_size}" for name in ("workgroup_size", "workgroup_invocations")
        ]
    if device.local_mem_size < LOCAL_BYTES:
        settings.append(f"limits.shared_bytes={device.local_mem_size}")
    return EngineDevice(
        name=device.name.strip(),
        interface="OpenCL",
        memory_total_bytes=device.global_mem_size,
        is_unified=bool(device.host_unified_memory),
        is_software=bool(device.type & cl.device_type.CPU),
        is_ieee=bits & exact == exact,
        driver=f"{platform.name.strip()} {device.driver_version.strip()}",
        settings=tuple(settings),
        key=device.name,
    )


ENGINE = kernel_engine(
    name="opencl",
    slug="opencl",
    language="OpenCL",
    summary="kernels of the target opencl on GPUs and other devices with an OpenCL driver",
    needs="pyopencl, and the OpenCL driver of a device",
    exactness="networks of integers; networks of reals without exp and log where the device rounds as IEEE 754 requires",
    speed=3,
    probe=probe,
)
