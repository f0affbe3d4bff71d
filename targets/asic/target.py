"""Chips known only by a device file: verifiers, tables and memory images follow from it."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="asic",
    summary="any chip described by a device file: --device FILE.json, or a synthetic device for tests",
    source="the device file",
    api_version=API_VERSION,
    package=__package__,
    pipeline=mapped_to_cores("convert-machine-to-asic"),  # fills the tables of each core
)
