"""Loss of a network on each device that it fits on, measured on one input.

The reference, the network of reals in ticks, runs once. A device runs its network after the passes; if the device promises less than equal bits (`fidelity`), it
runs its model, as the level `target` of a compilation does. Devices with the same network in ticks share one run.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from attrs import define, field
from xdsl.dialects.builtin import ModuleOp

from ...analysis.calibration_records import OBSERVED
from ...core import registry
from ...core.arrays.values import Array
from ...core.device.device import Device
from ...core.device.device_attr import DEVICE
from ...core.diagnostics import Diagnostics
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...dialects import ntensor
from ...simulation.host.hosted_model import chip_model
from ..compiling.device_fit import Fit
from ..executing.listing import unmeasured_chip
from ..running.level_records import Level, Stage
from ..running.shared_reference import SharedReference

ORIGINS = (DEVICE, "machine.steps", OBSERVED)
"""Attributes of a network that no run depends on."""


@define
class DeviceLosses:
    """Levels of the devices, compared with one reference."""

    reference: SharedReference
    first: Level
    """The level of the reference."""
    levels: dict[str, Level] = field(factory=dict[str, Level])
    """Levels of the networks that ran, by the hash of the network."""

    @staticmethod
    def of(reference: SharedReference) -> DeviceLosses:
        first = reference.level()
        return DeviceLosses(reference, first, {network_hash(reference.stage.module): first})

    def compare(self, module: ModuleOp) -> Level:
        """Returns the level of a network in ticks. Errors: those of a run."""
        key = network_hash(module)
        if key not in self.levels:
            self.levels[key] = self.reference.compare(Stage("target", None, module))
        return self.levels[key]

    def measure(self, device: Device, fitted: Fit, ready: ModuleOp, lowered: ModuleOp) -> Level:
        """Returns the level of a device. `ready` is the network before its passes, `lowered` the module after all of them. Errors: those of a run."""
        network = fitted.network or ready
        if (chip := model_of(device, lowered)) is not None:
            return self.reference.compare(Stage("target", None, network, chip))
        return self.compare(network)


def model_of(device: Device, lowered: ModuleOp) -> Callable[..., Any] | None:
    """Returns the function that creates the model of a device; None if the model equals the network, or cannot run here."""
    model = registry.targets()[device.target]().model
    if model is None or device.fidelity.tier == "exact" or unmeasured_chip(device.target, Diagnostics()):
        return None
    return chip_model(model(), lowered, device)


def network_hash(module: ModuleOp) -> str:
    """Returns a hash that equal networks have in common, whatever device or pass they come from."""
    copy, arrays = module.clone(), dict[str, Array]()
    for op in copy.ops:
        if isinstance(op, ntensor.NetworkOp):
            op.approximations = None
            for name in ORIGINS:
                op.attributes.pop(name, None)
    text = source.format_module(NoptContext(), copy, outside=arrays)
    return sha256(text.encode()).hexdigest()
