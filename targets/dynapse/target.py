"""SynSense DYNAP-SE: analogue neurons in current mode, 256 on a core, whose synapses select a subset of four currents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import DynapseModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `dynapse.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-dynapse")  # assigns tags, and fills the synapses of each core


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `configuration.json` (`-t dynapse`)."""
    from .emitter import configuration_text

    return configuration_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the configuration of the chips."""
    from .emitter import dynapse_artefact

    return dynapse_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the configuration back."""
    from .loader import load as load_files

    return load_files


def model() -> type[DynapseModel]:
    """Returns the class that runs a `dynapse.chip`."""
    from .model import DynapseModel

    return DynapseModel


TARGET = HardwareTarget(
    slug="dynapse",
    summary="SynSense DYNAP-SE: analogue neurons whose synapses select currents, with the configuration that samna takes",
    source="rockpool 3.1.0 (SynSense); S. Moradi et al. (2018)",
    api_version=API_VERSION,
    device="se2",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={"dynapsim": "tests/oracle/dynapse"},
)
