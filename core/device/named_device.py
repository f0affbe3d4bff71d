"""Which device a network or machine graph is for: two discardable attributes say it, and every pass reads it there.

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
    "no device is named",
    cause="Planning, legalising and mapping ask a device for its limits. The network names none: it has no attribute `machine.device`.",
    remedy='Name it: `ntensor-plan-cores{device=TARGET/NAME}`, or `machine.device = "FILE.json"` among the attributes of the network.',
)

DEVICE, SETTINGS = "machine.device", "machine.set"
NAMED = 16
"""Devices that are kept once read."""


def resolved(key: str, settings: Sequence[str] = ()) -> Device:
    """A device by its key or by the path of its file. Errors: those of reading a device file and of `--set`."""
    path = Path(key)
    written = path.stat().st_mtime_ns if key.endswith(".json") and os.path.isfile(path) else 0
    return kept(key, tuple(settings), written)


@lru_cache(NAMED)
def kept(key: str, settings: tuple[str, ...], written: int) -> Device:
    """The same, read once; `written` is when its file was."""
    if key.endswith(".json"):
        return overridden(load(Path(key)), settings)
    target, _, name = key.partition("/")
    return overridden(find(target, name or None), settings)


def name_device(op: Operation, key: str, settings: Sequence[str] = ()) -> None:
    """Says which device an op is for."""
    op.attributes[DEVICE] = StringAttr(key)
    op.attributes.pop(SETTINGS, None)
    if settings:
        op.attributes[SETTINGS] = names(settings)


def named(op: Operation) -> dict[str, Attribute]:
    """The attributes that name the device of an op, to be carried over to another."""
    return {name: op.attributes[name] for name in (DEVICE, SETTINGS) if name in op.attributes}


def device_named(op: Operation) -> Device | None:
    """The device that an op names; None where it names none. Errors: those of reading a device."""
    key, given = op.attributes.get(DEVICE), op.attributes.get(SETTINGS)
    if not isinstance(key, StringAttr):
        return None
    listed = list(cast("ListAttr[Attribute]", given)) if isinstance(given, ListAttr) else []
    settings = [one.data for one in listed if isinstance(one, StringAttr)]
    return resolved(key.data, settings)


def device_of(op: Operation) -> Device:
    """The device that an op names. Errors: PLN001 it names none; those of reading a device."""
    found = device_named(op)
    if found is None:
        refuse(
            PLN001,
            "no device is named",
            at=described(op)[0],
            expected=f'{DEVICE} = "TARGET/NAME" or "FILE.json"',
            found="none",
            help=f'the option device=TARGET/NAME of the pass, or {DEVICE} = "TARGET/NAME" among the attributes of the network',
        )
    return found
