"""Chips known only by a device file: verifiers, tables and memory images follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import AsicModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to an `asic.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-asic")  # fills the tables of each core


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `chip.json` (`-t asic`)."""
    from .emitter import text_of

    return text_of


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the tables of each core."""
    from .emitter import artefact_of

    return artefact_of


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads them back."""
    from .loader import load as load_files

    return load_files


def model() -> type[AsicModel]:
    """Returns the class that runs an `asic.chip`."""
    from .model import AsicModel

    return AsicModel


TARGET = HardwareTarget(
    slug="asic",
    summary="any chip described by a device file: --device FILE.json, or a synthetic device for tests",
    source="the device file",
    api_version=API_VERSION,
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
)
