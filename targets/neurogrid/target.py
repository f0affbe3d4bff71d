"""Neurogrid: 16 Neurocores of 65,536 analogue neurons with shared parameters, synapse populations without weights, and arbors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import NeurogridModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `neurogrid.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-neurogrid")  # places neurons on sites, and lists their terminals


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `network.json` (`-t neurogrid`)."""
    from .emitter import somas_text

    return somas_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the network, and a script for Brian 2."""
    from .emitter import neurogrid_artefact

    return neurogrid_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the network back."""
    from .loader import load as load_files

    return load_files


def model() -> type[NeurogridModel]:
    """Returns the class that runs a `neurogrid.chip`."""
    from .model import NeurogridModel

    return NeurogridModel


TARGET = HardwareTarget(
    slug="neurogrid",
    summary="Neurogrid: a million analogue neurons that share parameters by the core, without weights of synapses",
    source="Benjamin et al., Proc. IEEE 102(5), 2014; Gao, Benjamin and Boahen, IEEE TCAS-I 59(11), 2012",
    api_version=API_VERSION,
    device="board",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={"brian2": "tests/oracle/neurogrid/test_neurogrid_brian2.py"},
)
