"""SynSense DYNAP-SE: analogue neurons in current mode, 256 on a core, whose synapses select a subset of four currents."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="dynapse",
    summary="SynSense DYNAP-SE: analogue neurons whose synapses select currents, with the configuration that samna takes",
    source="rockpool 3.1.0 (SynSense); S. Moradi et al. (2018)",
    api_version=API_VERSION,
    package=__package__,
    device="se2",
    pipeline=mapped_to_cores("convert-machine-to-dynapse"),  # assigns tags, and fills the synapses of each core
    oracles={"dynapsim": "tests/oracle/dynapse"},
)
