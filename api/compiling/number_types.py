"""Types of numbers in a compilation: the precision that a target chooses, and the storage of quantised values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...core import registry
from ...core.device import device as devices
from ...core.device.device import Device
from ...core.target import Artefact
from ...passes.pipelines import SHORTHANDS
from ..discretisation import is_discretised
from ..options import Choices

QUANTIZED = {one.quantizer: one.values for one in SHORTHANDS}
"""Values quantised by the pass of each shorthand, under their names in `Artefact.storage`."""


def with_precision(choices: Choices, module: ModuleOp, device: Device) -> Choices:
    """Returns the choices, with the precision of the target if the user chose none and the network is in continuous time."""
    choose = registry.targets()[device.target]().precision
    if choose is None or choices.get("precision") is not None or is_discretised(module):
        return choices
    chosen = choose(module, device)
    return choices if chosen in (None, "f64") else {**choices, "precision": chosen}


def storage_notes(steps: Sequence[ModulePass], made: Artefact, device: Device) -> Iterator[str]:
    """Yields a line for each quantising pass that only rounds values: the artefact stores all or some of them as reals."""
    for step in steps:
        what = QUANTIZED.get(step.name)
        stored = made.storage.get(what, "") if what is not None else ""
        if what is not None and "f" in stored:
            others = integer_devices(device)
            hint = f"; for integers: --target {others[0]}" if others else ""
            are_reals = all("f" in one for one in stored.split(" and "))
            kept = "values rounded, storage unchanged" if are_reals else "the storage of some values is unchanged"
            yield f"{step.name}: {kept}: {what} are {stored}{hint}"


def integer_devices(device: Device) -> list[str]:
    """Returns the devices of the same target that define neurons, in the form of `--target`."""
    names = registry.devices().get(device.target, {})
    return [f"{device.target}/{name}" for name in names if devices.find_device(device.target, name).neuron is not None]
