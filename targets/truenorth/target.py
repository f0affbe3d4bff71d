"""IBM's TrueNorth, and an open clone of its cores: crossbars of axons and neurons with integer potentials."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="truenorth",
    summary="IBM's TrueNorth and the open clone RANC: crossbars with four types of axons",
    source="Merolla et al., Science 345:668 (2014); Cassidy et al., IJCNN (2013); RANC",
    api_version=API_VERSION,
    package=__package__,
    device="ns1e",
    pipeline=mapped_to_cores("convert-machine-to-truenorth"),  # fills the rows of each core
    oracles={"ranc": "tests/oracle/truenorth"},
)
