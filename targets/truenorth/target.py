"""IBM's TrueNorth, and an open clone of its cores: crossbars of axons and neurons with integer potentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.target import API_VERSION, HardwareTarget

if TYPE_CHECKING:
    from ...core.device.device import Device


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a routed machine graph; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device)


TARGET = HardwareTarget(
    slug="truenorth",
    summary="IBM's TrueNorth and the open clone RANC: crossbars with four types of axons",
    source="Merolla et al., Science 345:668 (2014); Cassidy et al., IJCNN (2013); RANC",
    api_version=API_VERSION,
    device="ns1e",
    pipeline=pipeline,
)
