"""WGSL compute shaders for WebGPU, with a host program in Python."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..kernels.record import kernel_target

TARGET: HardwareTarget = kernel_target(
    slug="wgsl",
    summary="WGSL compute shaders for WebGPU, with a host program in Python",
    source="W3C WebGPU and WGSL, candidate recommendation of 2024",
    api_version=API_VERSION,
    package=__package__,
)
