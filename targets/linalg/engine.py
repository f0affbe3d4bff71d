"""The engine `iree`: functions of tensors, compiled by IREE for the devices of its runtime."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ...core.engine import (
    API_VERSION,
    CPU,
    Demand,
    EngineDevice,
    EngineState,
    HostEngine,
    SumOrder,
    processor_device,
    unusable_library,
)

if TYPE_CHECKING:
    from ...dialects.ntensor import NetworkOp
    from .hosted import HostedFunctions

DRIVERS = {
    "cuda": ("cuda", "CUDA"),
    "hip": ("rocm", "ROCm"),
    "metal": ("metal-spirv", "Metal"),
    "vulkan": ("vulkan-spirv", "Vulkan"),
    "local-task": ("llvm-cpu", CPU),
}
"""Backend of the compiler and interface by driver of the runtime, in the order of preference."""
EXTRA = "engine_iree"
MODULES = ("iree.compiler", "iree.runtime")


def probe() -> EngineState:
    """Returns the devices of the runtime's drivers whose libraries are on this machine; GPUs first, programs last."""
    if (unusable := unusable_library(MODULES, EXTRA)) is not None:
        return unusable
    atexit.unregister(gc.freeze)  # IREE prints a report of all objects that are not collected when the process ends
    shown = ", ".join(f"{name} {import_module(f'{name}.version').VERSION}" for name in MODULES)
    found = sorted(devices_of(import_module(MODULES[1])), key=lambda one: one.is_software)
    if not found:
        return EngineState(
            "the runtime of IREE has no device", shown, help="pip install 'nopt[engine_iree]' --force-reinstall"
        )
    return EngineState(version=shown, devices=tuple(found))


def devices_of(runtime: Any) -> Iterator[EngineDevice]:
    """Yields the devices of each driver that can be loaded."""
    offered = runtime.query_available_drivers()
    for name, (backend, interface) in DRIVERS.items():
        if name not in offered:
            continue
        try:
            driver = runtime.get_driver(name)
            listed = driver.query_available_devices()
        except (RuntimeError, ValueError):
            continue  # the library of the driver is not on this machine
        for one in listed:
            if interface == CPU:
                yield evolve(processor_device(f"{backend} {name}"), is_ieee=False)
                continue
            lines: list[str] = driver.dump_device_info(one["device_id"]).splitlines()
            parts = [line.partition(":") for line in lines]
            facts = {name.strip(): value.strip() for name, _, value in parts}
            yield EngineDevice(
                name=facts.get("name") or one["name"],
                interface=interface,
                is_software=facts.get("type") == "cpu",
                is_ieee=False,
                driver=" ".join(facts[key] for key in ("driver", "driver_info") if key in facts) or None,
                key=f"{backend} {name}://{one['path']}" if one["path"] else f"{backend} {name}",
            )


def start(
    network: NetworkOp,
    *,
    device: EngineDevice | None = None,
    record: Sequence[str] = (),
    sum_order: SumOrder = "index",
    samples: int = 1,
) -> HostedFunctions:
    """Returns the compiled functions of a network. Errors: those of `HostedFunctions`."""
    del sum_order
    from .hosted import HostedFunctions

    found = probe()
    return HostedFunctions(network, device or found.devices[0], record, samples, found.version or "")


def differs(network: NetworkOp, device: EngineDevice) -> str | None:
    """Returns the reason why last bits can differ: reals, whose sums and products the compiler may change."""
    from ...simulation.real_numbers import has_reals

    return f"IREE on {device.name} does not guarantee the last bits of reals" if has_reals(network) else None


def demand(network: NetworkOp, device: EngineDevice, record: Sequence[str]) -> Demand:
    """Returns the memory of the functions of a network. Errors: those of `functions_of`."""
    del device
    from .hosted import demand_of

    return demand_of(network, record)


ENGINE = HostEngine(
    name="iree",
    summary="functions of the target linalg, compiled by IREE for processors and GPUs",
    needs="iree-base-compiler and iree-base-runtime; for GPUs the driver of the device",
    exactness="networks of integers",
    speed=1,
    probe=probe,
    start=start,
    differs=differs,
    demand=demand,
    api_version=API_VERSION,
)
