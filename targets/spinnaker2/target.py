"""SpiNNaker 2: ARM cores that run the neurons of py-spinnaker2 in single precision, with signed weights in the memory of each core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import Spinnaker2Model


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `spinnaker2.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-spinnaker2")  # lists the connections of each core


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `network.json` (`-t spinnaker2`)."""
    from .emitter import connections_text

    return connections_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the network, and a script for py-spinnaker2."""
    from .emitter import spinnaker2_artefact

    return spinnaker2_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the network back."""
    from .loader import load as load_files

    return load_files


def model() -> type[Spinnaker2Model]:
    """Returns the class that runs a `spinnaker2.chip`."""
    from .model import Spinnaker2Model

    return Spinnaker2Model


TARGET = HardwareTarget(
    slug="spinnaker2",
    summary="SpiNNaker 2: ARM cores with the neurons of py-spinnaker2, with a script for py-spinnaker2",
    source="py-spinnaker2 as of the NIR paper (2024); documentation of py-spinnaker2 v0.8",
    api_version=API_VERSION,
    device="chip",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={"brian2": "tests/oracle/spinnaker2/test_spinnaker2_brian2.py"},
)
