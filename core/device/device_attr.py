"""Device attribute: the name of a device, and the digest of its record, which the file carries in its last section.

    attributes {machine.device = #nopt.device<"asic/edge", digest = d0c1d2…>}
    …
    {-# dialect_resources: { nopt: { d0c1d2…: "0x7b22…" } } #-}

The record is the complete description as JSON, after all overrides, so that IR means the same where the device file is missing or differs.
The name is `TARGET/NAME` or the path of the device file; help lines use it. A record is read at its first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from attrs import evolve, field, frozen
from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..arrays.arrays import ArrayResources, first_in_text
from ..diagnostics import Code, refuse

if TYPE_CHECKING:
    from .records import Device

DEV014 = Code("DEV014", "device-record-missing", "the record of a device is missing, or is another one")

DEVICE, SETTINGS = "machine.device", "machine.set"
"""Attributes of an op: its device, and fields to override."""
KEY = re.compile(r"d[0-9a-f]{32}")
CACHED_RECORDS = 128
"""The number of devices that are cached."""


class DeviceRecord:
    """The text of a record, or None until it is parsed."""

    __slots__ = ("__weakref__", "digest", "text")

    def __init__(self, digest: str, text: str | None = None):
        self.digest, self.text = digest, text


DEVICES: dict[str, Device] = {}
"""Devices as their records describe them, by the text of the record, oldest first."""
RECORDS: WeakValueDictionary[str, DeviceRecord] = WeakValueDictionary()
"""Records that were parsed or printed last, by digest. A global is safe, since a digest determines its record."""


def digest_of(text: str) -> str:
    """Returns `d` and 32 hexadecimal digits of the SHA-256 of a record."""
    return f"d{sha256(text.encode()).hexdigest()[:32]}"


def record_of(device: Device) -> DeviceRecord:
    """Returns the record of a device."""
    digest = digest_of(device.text)
    known = RECORDS.get(digest)
    if known is None or known.text is None:
        known = RECORDS[digest] = DeviceRecord(digest, device.text)
    if device.text not in DEVICES:
        if len(DEVICES) >= CACHED_RECORDS:
            del DEVICES[next(iter(DEVICES))]
        DEVICES[device.text] = as_recorded(device)
    return known


def as_recorded(device: Device) -> Device:
    """Returns a device as its record describes it: the texts of its updates are in the record, and in no file."""
    if device.neuron is None:
        return evolve(device, named_as=None)
    updates = {name: evolve(update, file=None) for name, update in device.neuron.updates.items()}
    return evolve(device, named_as=None, neuron=evolve(device.neuron, updates=updates))


def read_record(text: str) -> Device:
    """Returns the device of a record. Errors: those of reading a device file."""
    from .device import from_record

    return DEVICES[text] if text in DEVICES else from_record(text)


@lru_cache(CACHED_RECORDS)
def read_named_record(name: str, text: str) -> Device:
    """Returns the device of a record under a name. Errors: DEV014 the record of another device; those of reading a device file."""
    from .records import Naming

    device = read_record(text)
    if name != device.key and not name.endswith(".json"):
        help = f'machine.device = "{name}"'
        refuse(DEV014, "the record describes another device", expected=name, found=device.key, help=help)
    settings = tuple(f"{path}={setting_value(value)}" for path, value in device.overridden.items())
    return evolve(device, named_as=Naming(name, settings))


@frozen
class NamedRecord:
    """The name of a device and its record."""

    name: str
    digest: str
    record: DeviceRecord = field(eq=False, repr=False)


@irdl_attr_definition
class DeviceAttr(Data[NamedRecord]):
    """A device by its name and the digest of its record."""

    name = "nopt.device"

    @staticmethod
    def of(device: Device) -> DeviceAttr:
        record = record_of(device)
        return DeviceAttr(NamedRecord(device.naming.key, record.digest, record))

    @property
    def device(self) -> Device:
        """Returns the device. Errors: DEV014 a missing record, or another device; those of reading a device file."""
        name, text = self.data.name, self.data.record.text
        if text is None:
            expected = f"{self.data.digest} in the section `dialect_resources: {{ nopt: … }}` of the file"
            help = "write the file again with `nopt FILE -o OUT`"
            refuse(DEV014, "the record of the device is missing", expected=expected, found="no such entry", help=help)
        return read_named_record(name, text)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> NamedRecord:
        with parser.in_angle_brackets():
            name = parser.parse_str_literal(" as the name of a device")
            parser.parse_punctuation(",")
            parser.parse_keyword("digest")
            parser.parse_punctuation("=")
            start = parser.pos
            digest = parser.parse_identifier(context_msg=" as the digest of the record")
            if not KEY.fullmatch(digest):
                parser.raise_error("expected a digest: d and 32 hexadecimal digits", start, parser.pos)
            return NamedRecord(name, digest, first_in_text(parser, RECORDS, digest, DeviceRecord(digest)))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data.name)
            printer.print_string(", digest = ")
            RECORDS[self.data.digest] = self.data.record
            printer.print_resource_handle("nopt", self.data.digest)


def setting_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class NoptResources(ArrayResources):
    """Transfer of arrays and device records between the file's last section and memory."""

    def parse_resource(self, key: str, val: str) -> None:
        if (record := RECORDS.get(key)) is None:
            return super().parse_resource(key, val)
        try:
            text = bytes.fromhex(val.removeprefix("0x")).decode()
        except ValueError:
            text = ""
        if digest_of(text) != key:
            message = "the record of the device does not match its digest"
            found = f"{len(text)} characters whose digest is {digest_of(text)}"
            help = "write the file again with `nopt FILE -o OUT`"
            refuse(DEV014, message, expected=f"a record whose digest is {key}", found=found, help=help)
        record.text = text

    def build_resources(self, keys: Iterable[str]) -> dict[str, str]:
        listed = list(keys)
        records = {key: RECORDS[key].text for key in listed if key in RECORDS}
        arrays = super().build_resources(key for key in listed if key not in records)
        return arrays | {key: "0x" + text.encode().hex() for key, text in records.items() if text is not None}
