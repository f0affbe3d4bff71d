"""The target `ring`: a chip outside of nopt with a topology of its own, and the exit dialect of `asic`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from nopt.core.target import Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from nopt.core.device.device import Device
    from nopt.core.diagnostics import Diagnostics
    from nopt.targets.asic.model import AsicModel


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to an `asic.chip`."""
    from nopt.passes.pipelines import map_to_cores

    return map_to_cores(device, "convert-machine-to-asic")


def model() -> type[AsicModel]:
    """Returns the class that runs an `asic.chip`."""
    from nopt.targets.asic.model import AsicModel

    return AsicModel


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the files of the loader."""
    from nopt.targets.asic.emitter import artefact_of

    return artefact_of


def load() -> Callable[[Mapping[str, bytes], Diagnostics], ModuleOp]:
    """Returns the function that reads the files."""
    from nopt.targets.asic.loader import load

    return load


TARGET = HardwareTarget(
    slug="ring",
    summary="cores in a ring; made for the tests of nopt",
    source="synthetic; not available in silicon",
    api_version=2,
    pipeline=pipeline,
    artefact=artefact,
    load=load,
    model=model,
)
