"""Metal kernels; the source alone."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..kernels.record import kernel_target

TARGET: HardwareTarget = kernel_target(
    slug="metal",
    summary="Metal kernels; the source alone",
    source="Metal Shading Language Specification 3.2 (Apple)",
    api_version=API_VERSION,
    package=__package__,
)
