"""SpiNNaker 1: ARM cores that run sPyNNaker's neurons in s16.15, with synaptic rows in the memory of a chip and routing by keys."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="spinnaker",
    summary="SpiNNaker 1: ARM cores with sPyNNaker's neurons, with a script for sPyNNaker",
    source="S. B. Furber et al., Proceedings of the IEEE 102(5):652 (2014); sPyNNaker 7.4.1",
    api_version=API_VERSION,
    package=__package__,
    device="spinn5",
    pipeline=mapped_to_cores(
        "machine-make-tables",  # assigns keys, and a compressed table to each router
        "convert-machine-to-spinnaker",  # fills the rows of each core
    ),
    oracles={
        "spynnaker": "tests/oracle/spinnaker",
        "pacman": "tests/oracle/spinnaker/test_spinnaker_pacman.py",
        "nest": "tests/oracle/spinnaker/test_spinnaker_nest.py",
    },
)
