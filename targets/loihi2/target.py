"""Intel's Loihi 1 and 2: neuro-cores with integer compartments, whose neurons equal those of Lava."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="loihi2",
    summary="Intel's Loihi 1 and 2: neuro-cores, with a script for Lava",
    source="Davies et al., IEEE Micro 38:82 (2018); Lava 0.10.0; nengo-loihi 1.1.0",
    api_version=API_VERSION,
    package=__package__,
    device="oheo_gulch",
    pipeline=mapped_to_cores("convert-machine-to-loihi2"),  # fills the registers of each core
    oracles={
        "lava": "tests/oracle/loihi2",
        "nengo_loihi": "tests/oracle/loihi2/test_loihi2_nengo.py",
        "brian2_loihi": "tests/oracle/loihi2/test_loihi2_brian.py",
        "sanafe": "tests/oracle/loihi2/test_loihi2_sanafe.py",
    },
)
