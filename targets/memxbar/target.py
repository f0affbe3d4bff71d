"""Memristive crossbars: products of integers on arrays of conductances, with a digital periphery."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...core.target import API_VERSION, Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics
    from .model import MemxbarModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `memxbar.network` on tiles. Errors: MXB004 parameters that contradict each other."""
    from ...core.ir.pipeline import option_text
    from ...dialects.memxbar import Crossbar
    from ...passes.pipelines import to_device_neurons

    Crossbar.of(device)
    chosen = device.preferred
    data = f" data={option_text(str(chosen['calibration']))}" if chosen.get("calibration") else ""
    steps = (
        to_device_neurons(device),
        "convert-ntensor-to-memxbar",  # weights become matrices of integers; no number changes
        f"memxbar-choose-positions{{growth={chosen.get('growth', 1)}}}",  # unused cells compute further positions
        "memxbar-allocate-tiles",  # matrices are divided between arrays
        f"memxbar-calibrate-converters{{share={float(chosen.get('adc_share', 1))}{data}}}",  # ranges of converters
    )
    return ",".join(steps)


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that prints the description of the tiles (`-t memxbar`)."""
    from .emitter import crossbars_text

    return crossbars_text


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes conductances, converters, and the digital periphery."""
    from .emitter import crossbar_artefact

    return crossbar_artefact


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the files back."""
    from .loader import load as load_files

    return load_files


def model() -> type[MemxbarModel]:
    """Returns the class that runs a `memxbar.network`."""
    from .model import MemxbarModel

    return MemxbarModel


TARGET = HardwareTarget(
    slug="memxbar",
    summary="memristive crossbars: integer products on arrays of conductances, neurons in a digital periphery",
    source="NeuroSim V2.1, MNSIM 2.0, CrossSim and aihwkit 1.1.0",
    api_version=API_VERSION,
    device="array128",
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
    oracles={"aihwkit": "tests/oracle/memxbar"},
)
