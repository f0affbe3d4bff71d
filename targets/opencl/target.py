"""OpenCL C 1.2: kernels for GPUs and CPUs, with a host program in Python."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..kernels.record import kernel_target

TARGET: HardwareTarget = kernel_target(
    slug="opencl",
    summary="OpenCL C 1.2: kernels for GPUs and CPUs, with a host program in Python",
    source="Khronos OpenCL 1.2 and the OpenCL C language, revision 19",
    api_version=API_VERSION,
    package=__package__,
)
