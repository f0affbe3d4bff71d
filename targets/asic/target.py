"""Any chip that is known only by its device file; so far it is checked, planned and mapped, and nothing is written for a loader."""

from __future__ import annotations

from ...core.target import HardwareTarget

TARGET = HardwareTarget(
    slug="asic",
    summary="any chip that a device file describes, by its own limits: --device FILE.json, or one of ours that are made for tests",
    source="the device file",
)
