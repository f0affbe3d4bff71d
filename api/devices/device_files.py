"""Device files: their check, their page, and the comparison of all devices."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from ...core import registry, units
from ...core.device import device as devices
from ...core.device.core_kinds import cores_at_position
from ...core.device.device import Device, Quantity
from ...core.device.numbers import numbers
from ...core.device.records import Naming
from ...core.device.topology import kind_of
from ...core.diagnostics import Code, Diagnostics, Finding, Refused, Severity
from ...core.progress import Progress, require_progress
from ..budgets import MaxTime, with_max_time
from ..capability.device_features import FeatureResult, feature_findings, feature_results
from ..catalogue.listing import target as entry_of
from .device_pages import page_of

DEV010 = Code("DEV010", "device-number-unpublished", "a number of a device is not published")
DEV012 = Code("DEV012", "fallback-without-device-neuron", "no neuron of the device serves a fallback")
DEV013 = Code("DEV013", "common-fallback-missing", "most networks need a fallback that the device does not name")

NAME = re.compile(r"[a-z][a-z0-9_]*")
EXAMPLES = {
    "spikes": '"pass_on": neuron pass_on; input x: s16 saturate; emit spike x > 0',
    "sums": '"pass_sum": neuron pass_sum; input x: s16 saturate; emit graded x',
}
"""Neurons that serve added populations."""


@frozen
class DeviceCheck:
    """Errors of a device file, and its unpublished numbers."""

    file: str
    device: Device | None
    """None if the file cannot be read."""
    findings: tuple[Finding, ...]
    features: tuple[FeatureResult, ...] | None = None
    """Results of small networks with one feature each on the device; None if they did not run."""

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": "nopt.device-check/1",
            "file": self.file,
            "device": self.device.key if self.device else None,
            "sha256": self.device.digest if self.device and not self.errors else None,
            "findings": [finding.as_json() for finding in self.findings],
            "features": None if self.features is None else [one.as_json() for one in self.features],
        }


def file_of(given: str | Path) -> Path:
    """Returns the file of a device: a path, or `TARGET/DEVICE` of this installation. Errors: API021, DEV005."""
    slug, slash, name = str(given).partition("/")
    if slash and NAME.fullmatch(slug) and NAME.fullmatch(name) and not os.path.exists(given):
        entry_of(slug)
        return devices.path_of(slug, name)
    return Path(given)


@with_max_time
def check_device(
    path: str | Path,
    set: Sequence[str] = (),
    features: bool = True,
    *,
    progress: Progress | None = None,
    max_time: MaxTime = None,
) -> DeviceCheck:
    """Checks a device file: structure, ranges, units, sources, consistency of its fields, the texts in it, and the features that it serves.

        nopt.check_device("my_chip.json").errors

    All findings are returned, each with its JSON path. `set` overrides fields of a valid file. `features` runs a small network with each
    feature through the device's fallbacks and its target's pipeline; `progress` counts them. Warnings: DEV012 a fallback that no neuron serves. Remarks: DEV010 an
    unpublished number; DEV013 a missing fallback that most networks need. Errors: API021, DEV005 an unknown `TARGET/DEVICE`; DEV004 a field
    of `set`; DEV017 a declared feature that is refused.
    """
    require_progress(progress)
    found = Diagnostics()
    file, device = file_of(path), None
    try:
        device = devices.read_device(file, found)
        if device is not None:
            entry_of(device.target)
            device = device if file != Path(path) else evolve(device, named_as=Naming(str(path)))
    except Refused as refusal:
        found.extend(finding.located(at="$.target", file=str(path)) for finding in refusal.findings)
    if device is not None and set and not found.errors:
        with found.collecting(except_misuse=True):
            device = devices.override_fields(device, set)
    for name, fact in unpublished_numbers(device) if device is not None else ():
        found.remark(
            DEV010, f"{name} is not published", file=str(path), at=f"$.{name}", found="null", notes=(fact.note or "",)
        )
    if device is not None and not found.errors:
        fallbacks = (*unserved_fallbacks(device), *missing_fallbacks(device))
        found.extend(evolve(finding, file=str(path)) for finding in fallbacks)
    results: tuple[FeatureResult, ...] | None = None
    if features and device is not None and not found.errors:
        results = tuple(feature_results(device, progress))
        found.extend(evolve(finding, file=str(path)) for finding in feature_findings(device, results))
    ordered = sorted(found.findings, key=lambda finding: finding.severity is not Severity.ERROR)
    return DeviceCheck(str(path), device, tuple(ordered), results)


def unserved_fallbacks(device: Device) -> Iterator[Finding]:
    """Yields fallbacks that add populations without a matching neuron on the device. Warnings: DEV012."""
    from ...passes.legalize.ntensor_check_device import unserved_helpers

    names = ", ".join(device.neuron.updates) if device.neuron is not None else ""
    kinds = device.spike.kinds if device.spike is not None else ()
    for feature, kind, what, duty in unserved_helpers(device):
        yield Finding(
            DEV012,
            f"no neuron of {device.key} serves {what}",
            Severity.WARNING,
            at=f"$.fallbacks.{feature}",
            expected=duty,
            found=names,
            source=device.cite("neuron.updates"),
            help=f"remove fallbacks.{feature}: partial sums are graded, and spike.kinds has only {', '.join(kinds)}"
            if kind == "sums" and kinds and "graded" not in kinds
            else f'add {EXAMPLES[kind]} to neuron.updates, with "families": []',
        )


def missing_fallbacks(device: Device) -> Iterator[Finding]:
    """Yields one finding with the features that layered networks with real inputs need and no fallback provides. Remarks: DEV013."""
    limits = {
        "activation_bits": device.spike is not None and bool(device.spike.kinds),
        "latency": bool(device.integer("synapse.delay.min")),
    }
    if missing := [name for name, is_limited in limits.items() if is_limited and name not in device.fallbacks]:
        yield Finding(
            DEV013,
            f"no fallback for {', '.join(missing)}",
            Severity.REMARK,
            at="$.fallbacks",
            found=", ".join(device.fallbacks) or "none",
        )


def unpublished_numbers(device: Device) -> Iterator[tuple[str, Quantity]]:
    """Yields the unpublished numbers of a device."""
    for name, fact, _ in numbers(device):
        if fact is not None and fact.value is None:
            yield name, fact


def device_doc(path: str | Path, set: Sequence[str] = ()) -> str:
    """Returns the page of a device, as Markdown.

        print(nopt.device_doc("my_chip.json"))

    Errors: those of `check_device`, all of them raised.
    """
    return page_of(devices.override_fields(devices.load_device(file_of(path)), set))


# ---- comparison

UNKNOWN, UNSPECIFIED = "?", "-"
"""An unpublished value; a value that the device file does not specify."""


def of_target(slug: str) -> list[Device]:
    """Returns the devices of a target, to be listed: the texts in their files are not checked."""
    return [devices.load_device(path, has_text_checks=False) for path in registry.devices().get(slug, {}).values()]


def described_devices(slug: str) -> list[dict[str, str]]:
    """Returns name and summary of each device of a target."""
    return [{"name": device.name, "summary": device.summary} for device in of_target(slug)]


def matrix(target: str | None = None) -> list[dict[str, str]]:
    """Returns the features of the devices of a target, or of all targets: a row for each, with the entries of COLUMNS.

    for row in nopt.matrix(): print(row["device"], row["weights"])
    """
    return [{name: entry(device) for name, entry in COLUMNS.items()} for device in device_columns(target)]


def device_columns(target: str | None = None) -> list[Device]:
    """Returns all devices, the devices of a target, or the single device `TARGET/DEVICE`. Errors: API021, DEV005."""
    if target is None:
        slugs = sorted({*registry.devices()} & {*registry.usable_targets()})
        return [device for slug in slugs for device in of_target(slug)]
    slug, slash, name = target.partition("/")
    entry_of(slug)
    return [devices.find_device(slug, name)] if slash else of_target(slug)


def number_text(device: Device, path: str) -> str:
    """Formats a number of a device for the matrix."""
    fact = device.quantity(path)
    return UNSPECIFIED if fact is None else UNKNOWN if fact.value is None else str(fact.value)


def range_text(low: str, high: str) -> str:
    return low if low == high else f"{low}..{high}"


def size_text(text: str) -> str:
    """Formats bytes in the largest unit in which they are an integer."""
    if not text.isdecimal():
        return text
    for unit in ("MiB", "KiB"):
        value = units.convert_value(int(text), "byte", unit)
        if isinstance(value, int) and value:
            return f"{value} {unit}"
    return f"{text} B"


def names_text(section: Any, field: str) -> str:
    """Formats a list of names in a section of a device; the section may be absent."""
    return ", ".join(getattr(section, field, None) or ()) or UNSPECIFIED


def topology_text(device: Device) -> str:
    """Formats the kind of a topology, with the size of a mesh on one chip and the cores at each of its positions."""
    topology = device.topology
    if topology is None:
        return UNSPECIFIED
    grid = topology.mesh
    sides: list[str] = (
        [] if grid is None else [number_text(device, f"topology.mesh.{side}") for side in ("width", "height")]
    )
    chips, each = device.integer("topology.chips") or 1, cores_at_position(device)
    text = " ".join([kind_of(device), *(["x".join(sides)] if sides else [])])
    text += "" if each == 1 else f", {UNKNOWN if each is None else each} cores each"
    return text if chips == 1 else f"{text}, {chips} chips"


def rules_text(device: Device) -> str:
    rules = device.plasticity
    return UNSPECIFIED if rules is None else ", ".join(sorted({one.rule for one in rules.values()})) or "none"


def execution_text(device: Device) -> str:
    """Formats the execution of a device: mode, unit of scheduling, and what is declared of step, barrier and clocked changes."""
    execution = device.execution
    if execution is None:
        return UNSPECIFIED
    parts = [execution.mode, execution.granularity]
    parts += [f"step {execution.step}"] if execution.step is not None else []
    parts += [f"barrier {execution.barrier}"] if execution.barrier is not None else []
    parts += [f"clock for {' and '.join(execution.clocked)}"] if execution.clocked else []
    return ", ".join(parts)


COLUMNS: dict[str, Callable[[Device], str]] = {
    "device": lambda device: device.key,
    "weights": lambda device: names_text(device.synapse, "dtypes"),
    "spikes": lambda device: names_text(device.spike, "kinds"),
    "fan-in": lambda device: number_text(device, "core.fan_in"),
    "fan-out": lambda device: number_text(device, "core.fan_out"),
    "delay": lambda device: range_text(*(number_text(device, f"synapse.delay.{end}") for end in ("min", "max"))),
    "plasticity": rules_text,
    "neurons/core": lambda device: number_text(device, "core.neurons"),
    "memory/core": lambda device: size_text(number_text(device, "core.memory_bytes")),
    "cores": lambda device: number_text(device, "topology.cores"),
    "topology": topology_text,
    "execution": execution_text,
    "fidelity": lambda device: device.fidelity.tier,
}
"""Columns of the matrix, with the entry of a device."""
