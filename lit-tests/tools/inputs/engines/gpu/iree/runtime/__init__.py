"""An imitation of the runtime of IREE, with the processor as its only device."""

from __future__ import annotations

from types import SimpleNamespace


def query_available_drivers() -> list[str]:
    return ["local-task", "vulkan"]


def get_driver(name: str) -> object:
    if name == "vulkan":
        raise RuntimeError("no library of Vulkan")
    return SimpleNamespace(query_available_devices=lambda: [{"device_id": 0, "path": "", "name": "default"}])
