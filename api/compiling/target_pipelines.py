"""Pipelines from a discretised network to a device: their passes, their levels, and the targets with an artefact."""

from __future__ import annotations

from xdsl.passes import ModulePass

from ...core import registry
from ...core.device.records import Device
from ...core.ir import pipeline
from ...dialects.ntensor import NTENSOR
from ..modules import available_passes

DISCRETE = NTENSOR.name
"""The level of discretised networks, where the pipeline of every target starts."""


def steps_of(device: Device, until: str | None = None) -> list[ModulePass]:
    """Returns the passes of a device's target, up to the last pass with a result of the level `until`."""
    target = registry.targets()[device.target]()
    text = "" if target.pipeline is None else target.pipeline(device)
    steps = pipeline.parse_pipeline(text, available_passes()) if text else []
    results = pipeline.levels_after([step.name for step in steps], DISCRETE)
    return steps[: max((k for k, level in enumerate(results, 1) if until in (None, level)), default=0)]


def levels_of(device: Device) -> list[str]:
    """Returns the levels of the pipeline for a device, the exit dialect last; an empty list for a target without a pipeline."""
    names = [step.name for step in steps_of(device)]
    return list(dict.fromkeys([DISCRETE, *pipeline.levels_after(names, DISCRETE)])) if names else []


def compiled_targets() -> list[str]:
    """Returns the targets that write an artefact, in the form of `--target`: first the slugs that name a default device, then all other devices.

    Targets that run networks on this machine are the first: they compile most networks.
    """
    devices = {slug: registry.devices().get(slug, {}) for slug in compiled_slugs()}
    chosen = {slug: registry.default_device(slug) for slug in devices}
    targets = registry.usable_targets()
    short = sorted(
        (slug for slug, name in chosen.items() if name is not None), key=lambda slug: targets[slug].engine is None
    )
    others = [f"{slug}/{name}" for slug, names in devices.items() for name in names if name != chosen[slug]]
    return [*short, *others]


def compiled_slugs() -> list[str]:
    return [slug for slug, target in registry.usable_targets().items() if target.artefact is not None]
