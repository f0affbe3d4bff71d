"""SpiNNaker 2: ARM cores that run the neurons of py-spinnaker2 in single precision, with signed weights in the memory of each core."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="spinnaker2",
    summary="SpiNNaker 2: ARM cores with the neurons of py-spinnaker2, with a script for py-spinnaker2",
    source="py-spinnaker2 as of the NIR paper (2024); documentation of py-spinnaker2 v0.8",
    api_version=API_VERSION,
    package=__package__,
    device="chip",
    pipeline=mapped_to_cores("convert-machine-to-spinnaker2"),  # lists the connections of each core
    oracles={"brian2": "tests/oracle/spinnaker2/test_spinnaker2_brian2.py"},
)
