"""BrainChip's Akida: layers of activations of a few bits on neural processors (NPs)."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget

TARGET = HardwareTarget(
    slug="akida",
    summary="BrainChip's Akida: layers with activations of 1, 2 or 4 bits on neural processors",
    source="BrainChip akida 2.19.3 and the MetaTF documentation",
    api_version=API_VERSION,
    device="akd1000",
)
