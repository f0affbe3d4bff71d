"""SpiNNaker 1: ARM cores that run sPyNNaker's neurons in s16.15, with synaptic rows in the memory of a chip and routing by keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import SpinnakerModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `spinnaker.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(
        device,
        "machine-make-tables",  # assigns keys, and a compressed table to each router
        "convert-machine-to-spinnaker",  # fills the rows of each core
    )


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `network.json` (`-t spinnaker`)."""
    from .emitter import network_text

    return network_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the regions of the cores, and a script for sPyNNaker."""
    from .emitter import spinnaker_artefact

    return spinnaker_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the network back."""
    from .loader import load as load_files

    return load_files


def model() -> type[SpinnakerModel]:
    """Returns the class that runs a `spinnaker.chip`."""
    from .model import SpinnakerModel

    return SpinnakerModel


TARGET = HardwareTarget(
    slug="spinnaker",
    summary="SpiNNaker 1: ARM cores with sPyNNaker's neurons, with a script for sPyNNaker",
    source="S. B. Furber et al., Proceedings of the IEEE 102(5):652 (2014); sPyNNaker 7.4.1",
    api_version=API_VERSION,
    device="spinn5",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={
        "spynnaker": "tests/oracle/spinnaker/test_spinnaker_spynnaker.py",
        "pacman": "tests/oracle/spinnaker/test_spinnaker_pacman.py",
        "nest": "tests/oracle/spinnaker/test_spinnaker_nest.py",
    },
)
