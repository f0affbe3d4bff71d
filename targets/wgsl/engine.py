"""The engine `wgpu`: WGSL kernels on the devices of Vulkan, Metal and Direct3D 12."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...core.engine import EngineDevice, EngineState, unusable_library
from ..kernels.engine_record import kernel_engine

MODULE, EXTRA = "wgpu", "engine_wgpu"
KINDS = ("DiscreteGPU", "IntegratedGPU")
SOFTWARE = "CPU"
"""Types of adapters of WebGPU: GPUs with their own memory, GPUs with that of the machine, and programs."""
NAMES = {"shader-int64": "int64", "shader-f64": "fp64"}
"""Features of adapters, and those of the device file."""


def probe() -> EngineState:
    """Returns the adapters of wgpu, GPUs with their own memory first. OpenGL has no compute kernels that the host program can use."""
    if (unusable := unusable_library([MODULE], EXTRA)) is not None:
        return unusable
    wgpu: Any = import_module(MODULE)
    version = f"wgpu {wgpu.__version__}"
    adapters = [one for one in wgpu.gpu.enumerate_adapters_sync() if one.info["backend_type"] != "OpenGL"]
    if not adapters:
        return EngineState("no driver of Vulkan, Metal or Direct3D 12 has a device", version, help=DRIVERS)
    order = [*KINDS, "Unknown", SOFTWARE]
    adapters.sort(key=lambda one: order.index(one.info["adapter_type"]) if one.info["adapter_type"] in order else 2)
    return EngineState(version=version, devices=tuple(map(device_of, adapters)))


DRIVERS = "install the Vulkan driver of the device's vendor, or for this processor: apt install mesa-vulkan-drivers"


def device_of(adapter: Any) -> EngineDevice:
    """Returns a device. WebGPU reports no memory, and WGSL guarantees no last bits of reals."""
    info = adapter.info
    features = [name for feature, name in NAMES.items() if feature in adapter.features]
    return EngineDevice(
        name=info["device"],
        interface=info["backend_type"],
        is_unified={KINDS[0]: False, KINDS[1]: True, SOFTWARE: True}.get(info["adapter_type"]),
        is_software=info["adapter_type"] == SOFTWARE,
        is_ieee=False,
        driver=info["description"] or None,
        settings=tuple(f"features.{name}=true" for name in features),
        key=info["device"],
    )


ENGINE = kernel_engine(
    name="wgpu",
    slug="wgsl",
    language="WGSL",
    summary="kernels of the target wgsl on GPUs with Vulkan, Metal or Direct3D 12",
    needs="wgpu, and a driver of Vulkan, Metal or Direct3D 12",
    exactness="networks of integers",
    speed=4,
    probe=probe,
)
