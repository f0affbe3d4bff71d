"""BrainChip's Akida: layers of activations of a few bits on neural processors (NPs)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.target import API_VERSION, HardwareTarget

if TYPE_CHECKING:
    from ...core.device.device import Device


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to an `akida.model`, or to an `akida2.model` for processors of version 2."""
    from ...passes.pipelines import to_device_neurons

    convert = "convert-ntensor-to-akida2" if device.integer("features.ip_version") == 2 else "convert-ntensor-to-akida"
    return f"{to_device_neurons(device)},{convert}"  # one layer after the other, on processors


TARGET = HardwareTarget(
    slug="akida",
    summary="BrainChip's Akida: layers with activations of a few bits on neural processors",
    source="BrainChip akida 2.19.3 and the MetaTF documentation",
    api_version=API_VERSION,
    package=__package__,
    device="akd1000",
    pipeline=pipeline,
    oracles={"akida": "tests/oracle/akida"},
)
