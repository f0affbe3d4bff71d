"""Plain C: a network as C99 source without dependencies, for any machine that has a C compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from ...core.target import API_VERSION, Artefact, Emulation, HardwareTarget, Sample
from .engine import ENGINE

if TYPE_CHECKING:
    from pathlib import Path

    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics


def emit() -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that writes one C text, of a `c.program` or of a network in ticks (`-t c`)."""
    from .source import text_of

    return text_of


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to a `c.program`, with the preferences of the device; through integers where it has neurons."""
    from ...passes.pipelines import to_device_neurons
    from .source import passes_of

    return ",".join(filter(None, (to_device_neurons(device), passes_of(device.preferred))))


def precision(module: ModuleOp, device: Device) -> Literal["f32", "f64"] | None:
    """Returns the default type of reals for compilation: the type of the network's weights."""
    from .arithmetic import precision_of

    return precision_of(module, device)


def artefact() -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the directory of a compiled network."""
    from .artefact import artefact_of

    return artefact_of


def vectors() -> Callable[[ModuleOp, Device, Sample | None], Artefact]:
    """Returns the function that writes test vectors."""
    from .vectors import vectors_of

    return vectors_of


def emulate() -> Callable[[Path, str], Emulation]:
    """Returns the function that runs test vectors on an emulated core."""
    from .emulation.emulator import emulate

    return emulate


TARGET = HardwareTarget(
    slug="c",
    summary="self-contained C99 source: no libraries, no heap, event-driven, the same bits as the reference",
    source="ISO/IEC 9899:1999",
    api_version=API_VERSION,
    package=__package__,
    engine=ENGINE,
    emit=emit,
    pipeline=pipeline,
    precision=precision,
    artefact=artefact,
    vectors=vectors,
    emulate=emulate,
)
