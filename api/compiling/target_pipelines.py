"""Pipelines of a compilation: the passes before those of the target, those of the target with their levels, and the targets with an artefact."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.passes import ModulePass

from ...analysis.requantised_layers import has_requantised_layers
from ...core import registry
from ...core.device.core_kinds import has_host_readout
from ...core.device.device_pass import on_device
from ...core.device.recipes import Effort
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.graph_region import GraphOperation
from ...dialects.ntensor import NTENSOR, NetworkOp
from ...passes.pipeline_edits import step_text, takes_options
from ...passes.pipelines import FORM_LAYERS, LEGALIZE, REPAIRS, computes_layers
from ..discretisation import conversion_pass, is_discretised, refuse_choices, repair_passes, split_by_level
from ..modules import available_passes
from ..options import Choices
from .legalized_networks import legalized_device

CMP022 = Code("CMP022", "requantised-layers-formed", "the integers of a model become layers of the device")

EFFORT = "effort"
"""Option of passes that search."""
DISCRETE = NTENSOR.name
"""The level of discretised networks, where the pipeline of every target starts."""


def passes_before_target(
    module: ModuleOp, choices: Choices, passes: str, device: Device, short: Sequence[ModulePass] = ()
) -> tuple[list[ModulePass], list[ModulePass]]:
    """Returns the passes before the target's passes in two lists: first up to the passes that engines require, then all further passes of the user.

    A pass that depends on a device and names none is run for the target's device. A readout that the device leaves to the host moves there before
    the passes of the user, and before the passes `short` of other options.

    Errors: API006 choices for a discretised network; API022, COR012, COR013, COR014.
    """
    steps: list[ModulePass] = []
    early, late = split_by_level(pipeline.parse_pipeline(passes, available_passes()), module)
    if is_discretised(module):
        refuse_choices(choices)
    else:
        steps += [*repair_passes(choices), *early, conversion_pass(choices)]
    first, late = pipeline.split_enabling(on_device(late, device))
    return [*steps, *first, *readout_passes(module, [*short, *late], device)], late


def readout_passes(module: ModuleOp, steps: Sequence[ModulePass], device: Device) -> list[ModulePass]:
    """Returns the pass that moves a readout to the host before other passes on a network in ticks; none if all of the network stays on the device."""
    named = any(step.name in (REPAIRS["readout"], FORM_LAYERS) for step in steps)  # layers are formed before
    if (
        not steps
        or named
        or legalized_device(module) is not None
        or not has_host_readout(device)
        or not has_values(module)
    ):
        return []
    return on_device(pipeline.parse_pipeline(REPAIRS["readout"], available_passes()), device)


def with_formed_layers(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> ModuleOp:
    """Returns a network of requantised integers, as an ONNX model has it, as layers of counts for a device of such layers; any other network itself.

    The device reads the integers of an input, so a comparison with its network does, too. Remarks: CMP022.
    """
    networks = [op for op in module.ops if isinstance(op, NetworkOp)]
    if not computes_layers(device) or not any(map(has_requantised_layers, networks)):
        return module
    formed = module.clone()
    steps = pipeline.parse_pipeline(FORM_LAYERS, available_passes())
    pass_manager.run_passes(steps, NoptContext(diagnostics=diagnostics), formed)
    records = [one for op in formed.ops if isinstance(op, NetworkOp) for one in op.approximations or ()]
    diagnostics.remark(
        CMP022,
        at=device.key,
        expected="layers of counts",
        found=next(one.what.data for one in records if one.step.data == FORM_LAYERS),
    )
    return formed


def has_values(module: ModuleOp) -> bool:
    """Returns whether an output of a network has reals."""
    signatures = [op.signature for op in module.ops if isinstance(op, GraphOperation)]
    types = [type for signature in signatures for type in signature.type.outputs]
    return any(isinstance(getattr(type, "element_type", None), Float32Type | Float64Type) for type in types)


def steps_of(device: Device, until: str | None = None) -> list[ModulePass]:
    """Returns the passes of a device's target, up to the last pass with a result of the level `until`."""
    target = registry.targets()[device.target]()
    text = "" if target.pipeline is None else target.pipeline(device)
    steps = pipeline.parse_pipeline(text, available_passes()) if text else []
    results = pipeline.levels_after([step.name for step in steps], DISCRETE)
    return steps[: max((k for k, level in enumerate(results, 1) if until in (None, level)), default=0)]


def effort_passes(device: Device, effort: Effort, until: str | None = None) -> list[str]:
    """Returns the passes of a device's target that take an effort, as the placement on cores does, with this one."""
    return [
        step_text(step.name, {EFFORT: (effort,)})
        for step in steps_of(device, until)
        if takes_options(step.name, [EFFORT])
    ]


def exact_steps(device: Device) -> list[ModulePass]:
    """Returns the passes on a network in ticks that a device runs after its legalisation. They change no number, but depend on weights."""
    steps = steps_of(device)
    results = pipeline.levels_after([step.name for step in steps], DISCRETE)
    return [step for step, level in zip(steps, results, strict=True) if level == DISCRETE and step.name != LEGALIZE]


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
