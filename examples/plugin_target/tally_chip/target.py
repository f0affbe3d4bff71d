"""The target `tally`: nine cores that add weights of four bits, in a package outside of nopt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from nopt.core.target import Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from nopt.core.device.device import Device
    from nopt.core.diagnostics import Diagnostics

    from .model import TallyModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `tally.chip`; empty for a device without cores."""
    from nopt.passes.pipelines import map_to_cores

    return map_to_cores(
        device,
        "convert-machine-to-tally",  # lists the synapses of each core
        "tally-drop-zeros",  # a weight of 0 takes room in a table and adds nothing
    )


def model() -> type[TallyModel]:
    """Returns the class that runs a `tally.chip`."""
    from .model import TallyModel

    return TallyModel


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that writes a `tally.chip` as JSON (`-t tally`)."""
    from .emitter import text_of

    return text_of


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the files of the loader."""
    from .emitter import artefact_of

    return artefact_of


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads these files back."""
    from .loader import load as load_files

    return load_files


TARGET = HardwareTarget(
    slug="tally",
    summary="nine cores that add weights of four bits; an example of a plug-in",
    source="synthetic; not available in silicon",
    api_version=2,
    emit=emit,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
)
