"""Base class of passes for a device, with options that specify the device."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..ir.pipeline import NoptPass
from .device import override_fields
from .device_attr import DEVICE
from .named_device import device_of, resolve_device
from .records import Device


@dataclass(frozen=True)
class DevicePass(NoptPass):
    """A pass with the options `device`, which replaces the network's device, and `set`, which overrides fields of the device."""

    device: str | None = None
    set: tuple[str, ...] = ()

    def device_for(self, op: Operation) -> Device:
        """Returns the device that the options specify for an op. Errors: as `device_of`, and those of `--set`."""
        settings = [one for text in self.set for one in text.split(",") if one]
        return resolve_device(self.device, settings) if self.device else override_fields(device_of(op), settings)

    def optional_device(self, op: Operation) -> Device | None:
        """Returns the device that the options specify for an op; None if neither they nor the op name one. Errors: those of `device_for`."""
        has_device = self.device is not None or bool(self.set) or DEVICE in op.attributes
        return self.device_for(op) if has_device else None


def asks_device(step: ModulePass) -> bool:
    """Returns whether a pass needs a device and its options name none."""
    return isinstance(step, DevicePass) and step.device is None


def on_device(steps: Iterable[ModulePass], device: Device) -> list[ModulePass]:
    """Returns the passes with the device and its overridden fields as options. A pass whose options name another device is unchanged."""
    key, settings = device.naming.key, device.naming.settings
    return [
        replace(step, device=key, set=(*settings, *step.set))
        if isinstance(step, DevicePass) and step.device in (None, "", key)
        else step
        for step in steps
    ]
