"""IBM's TrueNorth, and an open clone of its cores: crossbars of axons and neurons with integer potentials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import TruenorthModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `truenorth.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-truenorth")  # fills the rows of each core


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `network.json` (`-t truenorth`)."""
    from .emitter import network_text

    return network_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the network for RANC and the memory rows."""
    from .emitter import chip_artefact

    return chip_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the network back."""
    from .loader import load as load_files

    return load_files


def model() -> type[TruenorthModel]:
    """Returns the class that runs a `truenorth.chip`."""
    from .model import TruenorthModel

    return TruenorthModel


TARGET = HardwareTarget(
    slug="truenorth",
    summary="IBM's TrueNorth and the open clone RANC: crossbars with four types of axons",
    source="Merolla et al., Science 345:668 (2014); Cassidy et al., IJCNN (2013); RANC",
    api_version=API_VERSION,
    device="ns1e",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
)
