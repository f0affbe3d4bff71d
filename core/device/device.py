"""Device descriptions: limits and preferences of a machine, as data with sources (schema `nopt.device/1`).

    {"schema": "nopt.device/1", "target": "c", "name": "generic", "summary": "…",
     "sources": {"iso": "ISO/IEC 9899:1999"},
     "fidelity": {"tier": "exact", "source": "iso"},
     "preferences": {"unroll": {"value": 4, "source": "iso", "note": "…"}}}

Every number cites its origin by a key of `sources`; a number without a source is refused. An unpublished number is null, with a note.
A preference changes the generated code; a preference without effect is a defect of the target. The records are defined in `records`;
docs/devices.md explains them.

Source: the format is ours.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn, cast

import attrs
from attrs import Factory, define, evolve

from .. import registry, units
from ..contradictions import find_contradiction
from ..diagnostics import Code, Diagnostics, ExitCode, choices_text, refuse
from ..files import reason_of, similar_files
from ..help_text import Flag, Phrase, WithoutOptions, other_key
from .checks import Checks
from .cost.records import Coefficient
from .faulty_cores import FAULTY, with_faulty_cores
from .fields import BY_USER, Quantity, Range, Scalar
from .neuron_records import Update
from .numbers import numbers
from .reader import LARGEST_NUMBER, Reader, member_path
from .records import Device
from .text_checks import DEV009

DEV001 = Code("DEV001", "device-file-unreadable", "a device file cannot be read")
DEV004 = Code("DEV004", "device-field-unknown", "a device has no such field", exit_code=ExitCode.MISUSED)
DEV005 = Code("DEV005", "unknown-device", "unknown device", exit_code=ExitCode.MISUSED)
DEV011 = Code("DEV011", "several-devices-in-target", "the target has several devices", exit_code=ExitCode.MISUSED)
DEV018 = Code("DEV018", "device-file-extends-itself", "a device file extends itself")
DEV020 = Code("DEV020", "device-field-set-twice", "a field of a device is set twice", exit_code=ExitCode.MISUSED)

NUMBER = re.compile(r"([-+]?[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]{1,3})?)\s*([A-Za-zµ/0-9]*)")
EXTENDS = "extends"
"""The field that names a base device file in the same folder; fields missing in a file are inherited from its base."""

FilesRead = dict[Path, bytes]
"""Contents of the files from which a device was read."""
CACHED_DEVICES = 64
"""Number of cached devices; it exceeds the number of installed ones."""
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""Pattern of half of a surrogate pair, as JSON escapes it or as a character."""


@define
class Slot:
    """A device that was read, with the bytes of its files."""

    device: Device | None = None
    files: FilesRead = Factory(FilesRead)

    def is_current(self) -> bool:
        """Returns whether the device was read, and its files have the same bytes."""
        try:
            return self.device is not None and all(path.read_bytes() == data for path, data in self.files.items())
        except OSError:
            return False


# ---- reading


class Repeated(ValueError):
    """Duplicate key of a JSON object."""

    def __init__(self, key: str):
        super().__init__(f"the key {json.dumps(key)} occurs twice in one object")
        self.key = key


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise Repeated(key)
        made[key] = value
    return made


def no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def unprintable(data: Any, path: str = "$") -> str | None:
    """Returns the path of a text with half of a surrogate pair, which JSON can escape but no encoding can write."""
    members = cast("dict[str, Any]", data).items() if isinstance(data, dict) else ()
    items = enumerate(cast("list[Any]", data)) if isinstance(data, list) else ()
    texts = [key for key, _ in members] + ([data] if isinstance(data, str) else [])
    if any("\ud800" <= sign <= "\udfff" for text in texts for sign in text):
        return path
    inner = [(item, member_path(path, key)) for key, item in members] + [(item, f"{path}[{k}]") for k, item in items]
    return next(filter(None, (unprintable(item, place) for item, place in inner)), None)


def read_text(path: Path, files: FilesRead) -> str:
    """Returns the text of a file, which is added to `files`."""
    files[path] = path.read_bytes()
    return files[path].decode()


def similar_devices(path: Path) -> Iterator[str]:
    """Yields notes for a missing file: files with similar names, and installed devices with the same name."""
    if near := similar_files(path):
        yield f"similar names: {', '.join(near)}"
    if named := [f"{target}/{path.stem}" for target, files in registry.devices().items() if path.stem in files]:
        yield f"installed devices of this name: {', '.join(named)}"


def data_of(path: Path, text: str | None = None, files: FilesRead | None = None) -> dict[str, Any]:
    """Returns the object in a JSON file, or in the given text of it. Errors: DEV001."""
    at, place = "$", None
    try:
        text = read_text(path, {} if files is None else files) if text is None else text
        data = json.loads(text, object_pairs_hook=unique_members, parse_constant=no_number)
        if SURROGATE.search(text) and (broken := unprintable(data)) is not None:
            at = broken
            raise ValueError("half of a surrogate pair, which is not a character")
    except (OSError, ValueError, RecursionError) as failure:
        if isinstance(failure, Repeated):
            at = f"$..{failure.key}" if failure.key.isidentifier() else f"$..[{json.dumps(failure.key)}]"
        if isinstance(failure, json.JSONDecodeError):
            place = f"{path}:{failure.lineno}:{failure.colno}"
        message = "the device file cannot be read"
        found = "it is nested too deeply" if isinstance(failure, RecursionError) else reason_of(failure)
        is_missing = isinstance(failure, FileNotFoundError)
        refuse(
            DEV001,
            message,
            file=str(path),
            at=at,
            place=place,
            expected="a JSON object",
            found=found,
            help=f"ls -l {path.parent}" if is_missing else f"python -m json.tool {path}",
            notes=list(similar_devices(path)) if is_missing else [],
        )
    if not isinstance(data, dict):
        message = "the device file does not contain a JSON object"
        refuse(DEV001, message, file=str(path), at="$", expected="{…}", found=type(data).__name__)
    return cast("dict[str, Any]", data)


def extended(path: Path, files: FilesRead, inner: Sequence[Path] = ()) -> dict[str, Any]:
    """Merges the fields of a device file into the fields of the file that it `extends`.

    Errors: DEV001 the file or an extended one; DEV018 a file that extends itself.
    """
    data = data_of(path, files=files)
    if EXTENDS not in data:
        return data
    chain, other = [*inner, path], data[EXTENDS]
    file = path.parent / f"{other}.json"
    if file in chain:
        names = " -> ".join(one.stem for one in [*chain, file])
        refuse(DEV018, file=str(path), at=f"$.{EXTENDS}", expected="another device", found=names)
    base = extended(file, files, chain)
    return merged(base, {name: value for name, value in data.items() if name != EXTENDS})


def merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Merges two objects recursively. Null removes a member, and a number with its source is replaced as a whole.

    Source: JSON Merge Patch, RFC 7396.
    """
    found = dict(base)
    for name, value in own.items():
        if value is None:
            found.pop(name, None)
            continue
        given = cast("dict[str, Any]", value) if isinstance(value, dict) else None
        if given is not None and isinstance(before := found.get(name), dict) and "value" not in given:
            found[name] = merged(cast("dict[str, Any]", before), given)
        else:
            found[name] = value
    return found


def read_device(
    path: Path, found: Diagnostics, files: FilesRead | None = None, *, has_text_checks: bool = True
) -> Device | None:
    """Reads and checks a device file, and adds all findings to `found`. Returns None if a required section is missing.

    Adds each file that it reads to `files`. Without `has_text_checks`, the neurons and passes in it are not parsed, which takes most of the time.

    Errors: DEV001 not a JSON object; DEV002, DEV003, DEV006 to DEV009, DEV015, and those of the texts in it, as findings.
    """
    files = {} if files is None else files
    device = Reader(str(path), found).device(extended(path, files))
    if device is None:
        return None
    device = with_texts(device, path, found, files)
    Checks(device, str(path), found).run(has_text_checks)
    return device


def load_device(path: Path, files: FilesRead | None = None, *, has_text_checks: bool = True) -> Device:
    """Reads and checks a device file, as `read_device`, or returns the same device again unless one of its files has changed.

    Errors: DEV001 not a JSON object; DEV002 another structure; DEV003 a number without a source; DEV006, DEV007 ranges and units; DEV008
    contradictions; DEV009 updates; DEV015 a topology; those of the texts in it.
    """
    slot = loaded_device(path, has_text_checks)
    if not slot.is_current():
        found, read = Diagnostics(), FilesRead()
        device = read_device(path, found, read, has_text_checks=has_text_checks)
        found.raise_errors()
        slot.device, slot.files = device, read
    if files is not None:
        files.update(slot.files)
    assert slot.device is not None  # a missing section is an error in `found`
    return slot.device


@lru_cache(CACHED_DEVICES)
def loaded_device(path: Path, has_text_checks: bool) -> Slot:
    """Returns the place of a device file in the cache."""
    del path, has_text_checks
    return Slot()


@lru_cache(CACHED_DEVICES)
def from_record(text: str) -> Device:
    """Reads the record of a device, as `Device.as_json` writes it. It refers to no other file. Errors: as `load`."""
    found, name = Diagnostics(), "the record of a device"
    device = Reader(name, found).device(data_of(Path(name), text))
    if device is not None:
        Checks(device, name, found).run()
    found.raise_errors()
    assert device is not None  # a missing section is an error in `found`
    return device


registry.CACHED += [loaded_device, from_record]


def with_texts(device: Device, path: Path, found: Diagnostics, files: FilesRead) -> Device:
    """Returns the device with the texts of the updates that are stored in separate files."""
    if device.neuron is None:
        return device
    updates: dict[str, Update] = {}
    for name, update in device.neuron.updates.items():
        updates[name] = update
        at = f"$.neuron.updates.{name}.file"
        if update.file is None:
            continue
        if update.text:
            found.error(
                DEV009, "an update has a text and a file", file=str(path), at=at, expected="one of them", found="both"
            )
            continue
        try:
            file = registry.neurons().get(update.file) or path.parent / update.file
            text = read_text(file, files)
        except (OSError, ValueError) as failure:
            found.error(
                DEV009,
                "the file of an update cannot be read",
                file=str(path),
                at=at,
                expected=f"a .neuron file in the folder of the device file, or {choices_text(registry.neurons())}",
                found=f"{update.file}: {reason_of(failure)}",
            )
            continue
        updates[name] = evolve(update, text=tuple(text.splitlines()))
    return evolve(device, neuron=evolve(device.neuron, updates=updates))


def find_device(target: str, name: str | None = None) -> Device:
    """Returns a device of a target in this installation; without a name, the one that the target declares, else the only one.

    Errors: DEV005 unknown name; DEV011 no name, and several devices; those of `load`.
    """
    return load_device(path_of(target, name))


def path_of(target: str, name: str | None = None) -> Path:
    """Returns the file of a device of a target. Errors: DEV005, DEV011."""
    known = registry.devices().get(target, {})
    chosen = registry.default_device(target) if name is None else name
    if chosen is None and len(known) > 1:
        keys = [f"{target}/{one}" for one in known]
        message = f"{target} has several devices"
        found = f"{target} without a device"
        help = f"--target NAME, where NAME is one of {choices_text(keys)}"
        refuse(DEV011, message, at=f"--target {target}", expected=f"one of {', '.join(keys)}", found=found, help=help)
    if chosen is None or chosen not in known:
        near = get_close_matches(name or "", known, 1, 0)
        refuse(
            DEV005,
            f"{target} has no device {name}" if name else f"{target} has no device",
            at=f"--target {target}/{name}" if name else f"--target {target}",
            expected=", ".join(f"{target}/{one}" for one in known) or "a device file: --device FILE.json",
            found=name or "none",
            help=f"--target {target}/{near[0]}" if near else "--device FILE.json",
        )
    return known[chosen]


# ---- overriding


def override_fields(device: Device, settings: Sequence[str]) -> Device:
    """Returns the device with the facts that the user sets: `core.neurons=4096`, `preferences.unroll=4`, or `TARGET.unroll=4`;
    and with more faulty cores: `topology.faulty=5+9/3`.

    Settings of an earlier call are replaced. Errors: DEV004 a field that the device does not have, or a value of another kind; DEV019 a core that it
    does not have; DEV008 a contradiction with other fields; DEV020 two values of one field.
    """
    fields = {one: path_of_field(device, one.partition("=")[0]) for one in (*settings, *device.naming.settings)}
    values = [(fields[one], one.partition("=")[2]) for one in settings if fields[one] != FAULTY]  # faulty cores add up
    if (wrong := find_contradiction(values)) is not None:
        refuse_two_values(device, *wrong)
    for setting in settings:
        device = override_field(device, setting)
    if settings:
        naming, replaced = device.naming, dict(values)
        kept = [one for one in naming.settings if fields[one] not in replaced]
        device = evolve(device, named_as=evolve(naming, settings=(*kept, *settings)))
        found = Diagnostics()
        Checks(device, f"{device.key} with {' '.join(f'--set {one}' for one in settings)}", found).run()
        found.raise_errors()
    return device


def refuse_two_values(device: Device, path: str, first: Scalar, second: Scalar) -> NoReturn:
    """Refuses two values of a field. Errors: DEV020."""
    refuse(
        DEV020,
        f"{path} of {device.key} is set to two values",
        at=f"--set {path}={first}",
        expected="one value of each field",
        found=f"{first} and {second}",
        help=Phrase(WithoutOptions(("--set",), f"{path}={first}")),
    )


def override_field(device: Device, setting: str) -> Device:
    path, equals, text = setting.partition("=")
    if equals and path == FAULTY:
        return with_faulty_cores(device, text)
    place = path_of_field(device, path)
    fields = {at: (held, range) for at, held, range in numbers(device)}
    if not equals or place not in fields:
        refuse_field(device, setting, fields)
    held, range = fields[place]
    value = (
        value_of_setting(device, setting, held, text)
        if range is None
        else number_of_setting(device, setting, held, range, text)
    )
    unit = None if held is None else held.unit
    if range is not None:
        unit = range.unit if range.unit != "1" else None
    given: Any = {"value": value, "source": BY_USER, "unit": unit, "confidence": "assumed", "note": "set by the user"}
    # a coefficient keeps its scope, and what it contains; its band and condition are those of the former value
    fact = evolve(held, **given, band=None, condition=None) if isinstance(held, Coefficient) else Quantity(**given)
    return evolve(
        replace_fact(device, place.split("."), fact),
        sources={**device.sources, BY_USER: "set by the user"},
        overridden={**device.overridden, place: value},
    )


def refuse_field(device: Device, setting: str, fields: Iterable[str]) -> NoReturn:
    """Refuses a field that the device does not have, and lists the fields of the same section, if any. Errors: DEV004."""
    path, _, text = setting.partition("=")
    section, _, name = path.partition(".")
    prefix = f"{path_of_field(device, path).partition('.')[0]}."
    own = {
        field.removeprefix(prefix): f"{section}.{field.removeprefix(prefix)}"
        for field in fields
        if field.startswith(prefix)
    }
    known = own or {field: field for field in fields}
    near = get_close_matches(name if own else path, known, 1)
    refuse(
        DEV004,
        f"{device.key} has no field {path}",
        at=f"--set {setting}",
        expected=", ".join(known.values()) or "no field: the device has no field that can be set",
        found=path,
        help=Phrase(
            other_key("--set", path, other := known[near[0]], text or "VALUE", f'set="{other}={text or "VALUE"}"')
        )
        if near
        else None,
    )


def path_of_field(device: Device, name: str) -> str:
    """Returns the path of a field that the user names; a preference may have the target in place of its section."""
    section, _, field = name.partition(".")
    if section == device.target and section not in attrs.fields_dict(Device):
        section = "preferences"
    return f"{section}.{field}"


def fields_that_can_be_set(device: Device) -> list[str]:
    """Returns the paths that `override_fields` accepts."""
    return [*(path for path, _, _ in numbers(device)), *([FAULTY] if device.topology is not None else [])]


def overriding(path: str, value: str) -> Phrase:
    """Returns the option that overrides a field."""
    return Phrase(Flag(f'set="{path}={value}"', f"--set {shlex.quote(f'{path}={value}')}"))


def replace_fact(record: Any, steps: Sequence[str], fact: Quantity) -> Any:
    """Returns the record with the fact at a path replaced."""
    if not steps:
        return fact
    first, *rest = steps
    if isinstance(record, dict):
        members = cast("dict[str, Any]", record)
        return {**members, first: replace_fact(members[first], rest, fact)}
    return evolve(record, **{first: replace_fact(getattr(record, first), rest, fact)})


def refuse_value(device: Device, setting: str, expected: str, held: Quantity | None) -> NoReturn:
    field, _, text = setting.partition("=")
    message, help = f"{device.key} requires a value of another type", f"nopt device doc {device.key}"
    if held is not None and held.value is not None:
        help = overriding(field, str(held.value).lower() if isinstance(held.value, bool) else str(held.value))
    refuse(DEV004, message, at=f"--set {setting}", expected=expected, found=text or "nothing", help=help)


def number_of_setting(device: Device, setting: str, held: Quantity | None, range: Range, text: str) -> int | float:
    """Returns a text as a number of a field, in its unit. Errors: DEV004."""
    found = NUMBER.fullmatch(text.strip())
    expected = str(range) + ("" if range.unit == "1" else f", in {range.unit}")
    try:
        digits, unit = (found[1], found[2] or range.unit) if found else ("", "")
        given = float(digits) if set(digits) & {*".eE"} else int(digits)
        if abs(given) <= LARGEST_NUMBER:
            exact = units.convert_value(given, unit, range.unit)
            value = exact if isinstance(exact, int) else float(exact)
            if range.holds(value):
                return value
    except ValueError:
        pass
    refuse_value(device, setting, expected, held)


def value_of_setting(device: Device, setting: str, held: Quantity | None, text: str) -> Scalar:
    """Parses a text as a value of the field's type, or as an integer if the field has no value. Errors: DEV004."""
    kinds: Mapping[type[Any], Any] = {
        type(None): int,
        bool: {"true": True, "false": False}.__getitem__,
        int: int,
        float: float,
        str: str,
    }
    kind = str if held is None else type(held.value)
    try:
        return cast("Scalar", kinds[kind](text))
    except (KeyError, ValueError):
        expected = {"bool": "true or false", "float": "a number"}.get(kind.__name__, "an integer")
        refuse_value(device, setting, expected, held)
