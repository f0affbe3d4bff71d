"""Neurogrid: 16 Neurocores of 65,536 analogue neurons with shared parameters, synapse populations without weights, and arbors."""

from __future__ import annotations

from ...core.target import API_VERSION, HardwareTarget
from ..core_pipelines import mapped_to_cores

TARGET = HardwareTarget(
    slug="neurogrid",
    summary="Neurogrid: a million analogue neurons that share parameters by the core, without weights of synapses",
    source="Benjamin et al., Proc. IEEE 102(5), 2014; Gao, Benjamin and Boahen, IEEE TCAS-I 59(11), 2012",
    api_version=API_VERSION,
    package=__package__,
    device="board",
    pipeline=mapped_to_cores("convert-machine-to-neurogrid"),  # places neurons on sites, and lists their terminals
    oracles={"brian2": "tests/oracle/neurogrid/test_neurogrid_brian2.py"},
)
