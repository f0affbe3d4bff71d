"""GLSL compute shaders for Vulkan, with a host program in Python."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..kernels.record import kernel_target

TARGET: HardwareTarget = kernel_target(
    slug="glsl",
    summary="GLSL compute shaders for Vulkan, with a host program in Python",
    source="OpenGL Shading Language 4.50.7 and GL_KHR_vulkan_glsl",
    api_version=API_VERSION,
    package=__package__,
)
