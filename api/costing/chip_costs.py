"""Cost of a compiled network, with what its target counts on the chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.device.device import Device
from .costs import cost_of


def chip_cost(
    module: ModuleOp,
    device: Device,
    mapping: Mapping[str, Any] | None,
    tick_ns: int,
    ticks: int | None = None,
    accuracy: float | None = None,
    frame_ticks: int = 1,
) -> dict[str, Any]:
    """Returns the cost (`cost_of`) of a network in the exit dialect of its target."""
    count = registry.usable_targets()[device.target].counts
    counts = {} if count is None else count()(module, device, mapping)
    return cost_of(device, mapping, tick_ns, ticks, counts, accuracy, frame_ticks)
