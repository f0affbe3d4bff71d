"""Device of a network or machine graph, named by two discardable attributes that every pass reads.

    attributes {machine.device = "asic/mesh", machine.set = ["core.neurons=64"]}

`machine.device` is `TARGET/NAME`, or the path of a device file, which ends in `.json`; `machine.set` overrides its fields.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from ..diagnostics import Code, described, refuse
from ..ir.graph_region import names
from .device import find, load, overridden
from .records import Device

PLN001 = Code(
    "PLN001",
    "no device is specified",
    cause="Planning, legalising and mapping need the limits of a device. The network has no attribute `machine.device`.",
    remedy='Specify it: `ntensor-plan-cores{device=TARGET/NAME}`, or `machine.device = "FILE.json"` among the attributes of the network.',
)

DEVICE, SETTINGS = "machine.device", "machine.set"
NAMED = 16
"""The number of devices that are cached."""


def resolved(key: str, settings: Sequence[str] = ()) -> Device:
    """Returns a device by its key or by the path of its file. Errors: those of reading a device file and of `--set`."""
    path = Path(key)
    written = path.stat().st_mtime_ns if key.endswith(".json") and os.path.isfile(path) else 0
    return kept(key, tuple(settings), written)


@lru_cache(NAMED)
def kept(key: str, settings: tuple[str, ...], written: int) -> Device:
    """Returns the same from a cache; `written` is the modification time of the file."""
    if key.endswith(".json"):
        return overridden(load(Path(key)), settings)
    target, _, name = key.partition("/")
    return overridden(find(target, name or None), settings)


def name_device(op: Operation, key: str, settings: Sequence[str] = ()) -> None:
    """Sets the attributes that name the device of an op."""
    op.attributes[DEVICE] = StringAttr(key)
    op.attributes.pop(SETTINGS, None)
    if settings:
        op.attributes[SETTINGS] = names(settings)


def named(op: Operation) -> dict[str, Attribute]:
    """Returns the attributes that name the device of an op, for a copy to another op."""
    return {name: op.attributes[name] for name in (DEVICE, SETTINGS) if name in op.attributes}


def device_named(op: Operation) -> Device | None:
    """Returns the device that an op names, or None. Errors: those of reading a device."""
    key, given = op.attributes.get(DEVICE), op.attributes.get(SETTINGS)
    if not isinstance(key, StringAttr):
        return None
    listed = list(cast("ListAttr[Attribute]", given)) if isinstance(given, ListAttr) else []
    settings = [one.data for one in listed if isinstance(one, StringAttr)]
    return resolved(key.data, settings)


def device_of(op: Operation) -> Device:
    """Returns the device that an op names. Errors: PLN001 no device is specified; those of reading a device."""
    found = device_named(op)
    if found is None:
        refuse(
            PLN001,
            "no device is specified",
            at=described(op)[0],
            expected=f'{DEVICE} = "TARGET/NAME" or "FILE.json"',
            found="none",
            help=f'the option device=TARGET/NAME of the pass, or {DEVICE} = "TARGET/NAME" among the attributes of the network',
        )
    return found
