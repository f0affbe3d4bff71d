"""The target `ring`: a chip outside of nopt with a topology of its own, and the exit dialect and rooms of `asic`."""

from __future__ import annotations

from nopt.core.target import HardwareTarget
from nopt.targets.core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="ring",
    summary="cores in a ring; made for the tests of nopt",
    source="synthetic; not available in silicon",
    api_version=4,
    package="nopt.targets.asic",
    pipeline=mapped_to_cores("convert-machine-to-asic"),
)
