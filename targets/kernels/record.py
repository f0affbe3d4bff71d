"""The record of a target that prints kernels: all of them share their passes, model and emitter."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ...core.target import Artefact, HardwareTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...core.device.device import Device
    from ...core.diagnostics import Diagnostics


def emit_in(slug: str) -> Callable[[ModuleOp, Diagnostics], str]:
    """Returns the function that writes the kernels of a module as one text."""
    from .emitter import text_of

    return partial(text_of, slug)


def artefact_in(slug: str) -> Callable[[ModuleOp, Device, Diagnostics], Artefact]:
    """Returns the function that writes the directory of a compiled network."""
    from .emitter import artefact_of

    return partial(artefact_of, slug)


def model() -> Any:
    """Returns the class that runs the exit dialect."""
    from .model import Model

    return Model


def pipeline(device: Device) -> str:
    """Returns the passes from `ntensor` to kernels for a device."""
    from .pipelines import pipeline

    return pipeline(device)


def precision(module: ModuleOp, device: Device) -> Literal["f32", "f64"] | None:
    """Returns the default type of reals: that of the network's weights; f32 for a device without reals of 64 bits."""
    from .pipelines import precision_of

    return precision_of(module, device)


def kernel_target(slug: str, summary: str, source: str, api_version: int, package: str | None) -> HardwareTarget:
    """Returns the record of a language of kernels."""
    return HardwareTarget(
        slug=slug,
        summary=summary,
        source=source,
        api_version=api_version,
        package=package,
        emit=partial(emit_in, slug),
        pipeline=pipeline,
        precision=precision,
        artefact=partial(artefact_in, slug),
        model=model,
    )
