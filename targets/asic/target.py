"""Chips known only by a device file: they are checked, planned and mapped; no file for a loader is written."""

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
    summary="any chip described by a device file: --device FILE.json, or a synthetic device for tests",
    source="the device file",
    api_version=API_VERSION,
    pipeline=pipeline,
)
