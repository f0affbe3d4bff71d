"""The reference: not a chip, but this machine, without limits."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from .engine import ENGINE

TARGET = HardwareTarget(
    slug="reference",
    summary="the NumPy engine that all others are compared with; runs any network, has no limits",
    source="the definitions of the ntensor dialect",
    api_version=API_VERSION,
    engine=ENGINE,
)
