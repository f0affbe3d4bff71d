"""Any chip that is known only by its device file: it is checked, planned and mapped, and no file is written for a loader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.target import API_VERSION, HardwareTarget

if TYPE_CHECKING:
    from ...core.device.device import Device


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a routed machine graph."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device)


TARGET = HardwareTarget(
    slug="asic",
    summary="any chip that a device file describes, by its own limits: --device FILE.json, or one of ours that are made for tests",
    source="the device file",
    api_version=API_VERSION,
    pipeline=pipeline,
)
