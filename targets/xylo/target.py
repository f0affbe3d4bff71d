"""SynSense Xylo: one core of integer neurons whose states decay by bit shifts, with up to 31 spikes in a tick."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="xylo",
    summary="SynSense Xylo: audio and IMU cores with several spikes a tick, as rockpool configures them",
    source="rockpool 3.1.0 and xylosim 0.1.3 (SynSense)",
    api_version=API_VERSION,
    package=__package__,
    device="audio2",
    pipeline=mapped_to_cores("convert-machine-to-xylo"),  # numbers neurons, and fills their registers and weights
    oracles={"xylosim": "tests/oracle/xylo"},
)
