"""CUDA C++ kernels, also valid HIP, with a host program in C++."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..kernels.record import kernel_target

TARGET: HardwareTarget = kernel_target(
    slug="cuda",
    summary="CUDA C++ kernels, also valid HIP, with a host program in C++",
    source="CUDA C++ Programming Guide 13.0 (NVIDIA)",
    api_version=API_VERSION,
    package=__package__,
)
