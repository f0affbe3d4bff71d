"""Devices that declare a topology and little else."""

from __future__ import annotations

import json
from typing import Any

from nopt.core.device.device import from_record
from nopt.core.device.records import Device


def number(value: float | None) -> dict[str, Any]:
    """Returns a fact of a device file; None is an unpublished number."""
    if value is None:
        return {"value": None, "note": "not published"}
    return {"value": value, "source": "here", "confidence": "assumed"}


def device_with(topology: dict[str, Any], **more: Any) -> Device:
    """Returns a device with a topology and further sections."""
    record = {
        "schema": "nopt.device/1",
        "target": "asic",
        "name": "some",
        "summary": "some device",
        "sources": {"here": "this test"},
        "fidelity": {"tier": "exact", "source": "here"},
        "topology": topology,
        **more,
    }
    return from_record(json.dumps(record))
