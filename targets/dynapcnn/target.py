"""SynSense's DYNAP-CNN and Speck: convolutions and integrate-and-fire neurons on nine asynchronous cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.target import API_VERSION, HardwareTarget

if TYPE_CHECKING:
    from ...core.device.device import Device


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `dynapcnn.configuration`."""
    from ...passes.pipelines import to_device_neurons

    return f"{to_device_neurons(device)},convert-ntensor-to-dynapcnn"  # a layer on each core


TARGET = HardwareTarget(
    slug="dynapcnn",
    summary="SynSense's Speck and DYNAP-CNN: convolutions and integrate-and-fire neurons on nine asynchronous cores",
    source="sinabs 3.1.3, backend/dynapcnn",
    api_version=API_VERSION,
    package=__package__,
    device="speck2f",
    pipeline=pipeline,
    oracles={"sinabs": "tests/oracle/dynapcnn"},
)
