"""SynSense Xylo: one core of integer neurons whose states decay by bit shifts, with up to 31 spikes in a tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import XyloModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `xylo.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-xylo")  # numbers neurons, and fills their registers and weights


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `specification.json` (`-t xylo`)."""
    from .emitter import specification_text

    return specification_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the specification, and a script that applies it."""
    from .emitter import xylo_artefact

    return xylo_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the chip back."""
    from .loader import load as load_files

    return load_files


def model() -> type[XyloModel]:
    """Returns the class that runs a `xylo.chip`."""
    from .model import XyloModel

    return XyloModel


TARGET = HardwareTarget(
    slug="xylo",
    summary="SynSense Xylo: audio and IMU cores with several spikes a tick, as rockpool configures them",
    source="rockpool 3.1.0 and xylosim 0.1.3 (SynSense)",
    api_version=API_VERSION,
    device="audio2",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={"xylosim": "tests/oracle/xylo/test_xylo_xylosim.py"},
)
