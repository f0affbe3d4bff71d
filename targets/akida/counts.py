"""Counts of Akida: a tick of its models is one frame, which all layers compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device


def event_counts(module: ModuleOp, device: Device, mapping: Mapping[str, Any] | None) -> dict[str, float]:
    """Returns one frame in each tick."""
    return {"frame": 1.0}
