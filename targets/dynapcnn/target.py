"""SynSense's DYNAP-CNN and Speck: convolutions and integrate-and-fire neurons on nine asynchronous cores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import DynapcnnModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `dynapcnn.configuration`."""
    from ...passes.pipelines import to_device_neurons

    return f"{to_device_neurons(device)},convert-ntensor-to-dynapcnn"  # a layer on each core


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints the vendor's configuration as JSON (`-t dynapcnn`)."""
    from .emitter import configuration_text

    return configuration_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the configuration for the vendor's library."""
    from .emitter import configuration_artefact

    return configuration_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the configuration back."""
    from .loader import load as load_files

    return load_files


def model() -> type[DynapcnnModel]:
    """Returns the class that runs a `dynapcnn.configuration`."""
    from .model import DynapcnnModel

    return DynapcnnModel


TARGET = HardwareTarget(
    slug="dynapcnn",
    summary="SynSense's Speck and DYNAP-CNN: convolutions and integrate-and-fire neurons on nine asynchronous cores",
    source="sinabs 3.1.3, backend/dynapcnn",
    api_version=API_VERSION,
    device="speck2f",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={"sinabs": "tests/oracle/dynapcnn"},
)
