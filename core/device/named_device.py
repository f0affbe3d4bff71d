"""Device of a network or machine graph: the discardable attribute `machine.device`, which every pass and verifier reads.

    attributes {machine.device = #nopt.device<"asic/mesh", digest = …>}
    attributes {machine.device = "asic/mesh", machine.set = ["core.neurons=64"]}

The second form is a request in a text or of Python code: the name of an installed device or the path of a device file, and fields that are
overridden. It is replaced by the first form when a text is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

from attrs import evolve
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from .. import registry
from ..diagnostics import Code, describe_op, refuse
from .device import CACHED_DEVICES, FilesRead, Slot, load_device, override_fields, path_of
from .device_attr import DEVICE, SETTINGS, DeviceAttr
from .records import Device, Naming

DEV023 = Code("DEV023", "device-not-specified", "no device is specified")


def resolve_device(key: str, settings: Sequence[str] = ()) -> Device:
    """Returns a device by its key or by the path of its file, from a cache unless one of its files has changed.

    Errors: those of reading a device file and of `--set`.
    """
    slot = cached_device(key, tuple(settings))
    if not slot.is_current():
        target, _, name = key.partition("/")
        path = Path(key) if key.endswith(".json") else path_of(target, name or None)
        files: FilesRead = {}
        device = load_device(path, files)
        if key.endswith(".json"):
            device = evolve(device, named_as=Naming(key))
        slot.device, slot.files = override_fields(device, settings), files
    assert slot.device is not None
    return slot.device


@lru_cache(CACHED_DEVICES)
def cached_device(key: str, settings: tuple[str, ...]) -> Slot:
    """Returns the place of a device in the cache."""
    del key, settings
    return Slot()


registry.CACHED.append(cached_device)


def name_device(op: Operation, device: Device) -> None:
    """Sets the device of an op."""
    op.attributes[DEVICE] = DeviceAttr.of(device)
    op.attributes.pop(SETTINGS, None)


def resolve_request(op: Operation) -> None:
    """Replaces the name and the overrides of a device by its record. Errors: those of reading a device file and of `--set`."""
    key, given = op.attributes.get(DEVICE), op.attributes.get(SETTINGS)
    listed = list(cast("ListAttr[Attribute]", given)) if isinstance(given, ListAttr) else []
    settings = [one.data for one in listed if isinstance(one, StringAttr)]
    if isinstance(key, StringAttr):
        name_device(op, resolve_device(key.data, settings))
    elif isinstance(key, DeviceAttr) and settings:
        name_device(op, override_fields(key.device, settings))


def device_named(op: Operation) -> Device | None:
    """Returns the device of an op, or None. Errors: those of reading a device."""
    resolve_request(op)
    found = op.attributes.get(DEVICE)
    return found.device if isinstance(found, DeviceAttr) else None


def device_of(op: Operation) -> Device:
    """Returns the device of an op. Errors: DEV023 no device is specified; those of reading a device."""
    found = device_named(op)
    if found is None:
        refuse(
            DEV023,
            at=describe_op(op)[0],
            expected=f'{DEVICE} = "TARGET/NAME" or "FILE.json"',
            found="none",
            help=f'the option device=TARGET/NAME of the pass, or {DEVICE} = "TARGET/NAME" among the attributes of the network',
        )
    return found
