"""Pipelines of chips with cores, for the records of targets: they are declared without an import of what they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.device.device import Device


def mapped_to_cores(*lower: str) -> Callable[[Device], str]:
    """Returns the pipeline from a network in ticks to a routed machine graph, and on through passes; it is empty for a device without cores."""

    def pipeline(device: Device) -> str:
        from ..passes.pipelines import map_to_cores

        return map_to_cores(device, *lower)

    return pipeline
