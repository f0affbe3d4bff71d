"""Intel's Loihi 1 and 2: neuro-cores with integer compartments, whose neurons equal those of Lava."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import Loihi2Model


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `loihi2.chip`; empty for a device without cores."""
    from ...passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-loihi2")  # fills the registers of each core


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints `network.json` (`-t loihi2`)."""
    from .emitter import network_text

    return network_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the network for Lava."""
    from .emitter import artefact_of

    return artefact_of


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the network back."""
    from .loader import load as load_files

    return load_files


def model() -> type[Loihi2Model]:
    """Returns the class that runs a `loihi2.chip`."""
    from .model import Loihi2Model

    return Loihi2Model


TARGET = HardwareTarget(
    slug="loihi2",
    summary="Intel's Loihi 1 and 2: neuro-cores, with a script for Lava",
    source="Davies et al., IEEE Micro 38:82 (2018); Lava 0.10.0; nengo-loihi 1.1.0",
    api_version=API_VERSION,
    device="oheo_gulch",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={
        "lava": "tests/oracle/loihi2/test_loihi2_lava.py",
        "nengo_loihi": "tests/oracle/loihi2/test_loihi2_nengo.py",
        "brian2_loihi": "tests/oracle/loihi2/test_loihi2_brian.py",
        "sanafe": "tests/oracle/loihi2/test_loihi2_sanafe.py",
    },
)
