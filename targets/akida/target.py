"""BrainChip's Akida: layers of activations of a few bits on neural processors (NPs)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import AkidaModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to an `akida.model`, or to an `akida2.model` for processors of version 2."""
    from ...passes.pipelines import to_device_neurons

    convert = "convert-ntensor-to-akida2" if device.whole("features.ip_version") == 2 else "convert-ntensor-to-akida"
    return f"{to_device_neurons(device)},{convert}"  # one layer after the other, on processors


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints the model in the vendor's JSON form (`-t akida`)."""
    from .emitter import model_text

    return model_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the model for the vendor's tool."""
    from .emitter import model_artefact

    return model_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the model back."""
    from .loader import load as load_files

    return load_files


def model() -> type[AkidaModel]:
    """Returns the class that runs an `akida.model`."""
    from .model import AkidaModel

    return AkidaModel


TARGET = HardwareTarget(
    slug="akida",
    summary="BrainChip's Akida: layers with activations of a few bits on neural processors",
    source="BrainChip akida 2.19.3 and the MetaTF documentation",
    api_version=API_VERSION,
    device="akd1000",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={"akida": "tests/oracle/akida"},
)
