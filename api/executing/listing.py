"""Engines of this machine: their usability, and their devices."""

from __future__ import annotations

from difflib import get_close_matches

from attrs import field, frozen

from ...core import registry
from ...core.diagnostics import Code, Diagnostics, ExitCode, Refused, refuse
from ...core.engine import EngineDevice, EngineState, HostEngine
from ...core.memory import available_bytes, installed_bytes
from ...core.plugins import leave_out
from ..json_record import Record, key

RUN014 = Code("RUN014", "unknown-engine", "unknown engine", exit_code=ExitCode.MISUSED)
RUN015 = Code("RUN015", "engine-unusable", "an engine cannot be used here")
RUN017 = Code("RUN017", "target-model-unusable", "the model of a target cannot run here")

AUTO, ANY = "auto", "any"
CHOICES = (AUTO, ANY)
"""Values of `--engine` that let nopt choose."""


@frozen
class Device(Record):
    """Processor on which an engine can run networks."""

    name: str
    interface: str
    memory_free_bytes: int | None
    memory_total_bytes: int | None
    is_unified: bool | None = field(metadata=key("unified"))
    is_software: bool = field(metadata=key("software"))
    driver: str | None


@frozen
class Engine(Record):
    """Engine that runs `ntensor` networks."""

    name: str
    is_usable: bool = field(metadata=key("usable"))
    reason: str | None
    """Reason why it cannot be used."""
    help: str | None
    """Command that makes it usable."""
    version: str | None
    memory_free_bytes: int | None
    """Memory of the machine."""
    memory_total_bytes: int | None
    devices: tuple[Device, ...] = ()
    """Its devices, the preferred one first."""
    summary: str = ""
    needs: str = ""
    exactness: str = ""


def engines() -> list[Engine]:
    """Returns the engines, the fastest first.

    [engine.name for engine in nopt.engines() if engine.is_usable]
    """
    return [found for engine in registry.engines() if (found := probe_engine(engine)) is not None]


def target_engine(slug: str) -> Engine | None:
    """Returns the engine that a target provides, with its usability on this machine; None if it provides none."""
    engine = registry.usable_targets()[slug].engine
    return None if engine is None else probe_engine(engine)


def unmeasured_chip(slug: str, diagnostics: Diagnostics) -> str | None:
    """Returns the reason why a target's model cannot run here, or None. The model has the same requirements as the target's engine. Remarks: RUN017."""
    engine = target_engine(slug)
    if engine is None or engine.is_usable:
        return None
    diagnostics.remark(
        RUN017,
        f"the level target is not measured: the model of {slug} cannot run here",
        at=f"--target {slug}",
        expected=f"the requirements of the engine {engine.name}",
        found=engine.reason,
        help="nopt engines",
    )
    return engine.reason


def probe(engine: HostEngine) -> EngineState | None:
    """Returns the usability of an engine on this machine; None if its plug-in is left out."""
    try:
        return engine.probe()
    except Refused as refusal:
        leave_out(engine.name, refusal)
        return None


def probe_engine(engine: HostEngine) -> Engine | None:
    """Returns an engine with its usability on this machine; None if its plug-in is left out."""
    if (found := probe(engine)) is None:
        return None
    return Engine(
        engine.name,
        found.reason is None,
        found.reason,
        found.help,
        found.version,
        available_bytes(),
        installed_bytes(),
        tuple(map(device_entry, found.devices)),
        engine.summary,
        engine.needs,
        engine.exactness,
    )


def device_entry(device: EngineDevice) -> Device:
    return Device(
        device.name,
        device.interface,
        device.memory_free_bytes,
        device.memory_total_bytes,
        device.is_unified,
        device.is_software,
        device.driver,
    )


def engine_record(name: str) -> tuple[HostEngine, EngineState]:
    """Returns an engine that can be used here, and its devices. Errors: RUN014 an unknown engine; RUN015 it cannot be used."""
    record = next((engine for engine in registry.engines() if engine.name == name), None)
    found = None if record is None else probe(record)
    if record is None or found is None:
        known = [engine.name for engine in engines()]
        near = get_close_matches(name, [*known, *CHOICES], 1)
        refuse(
            RUN014,
            f"unknown engine {name}",
            at=f"--engine {name}",
            expected=f"one of {', '.join(CHOICES)}, {', '.join(known)}",
            found=name,
            help=f"--engine {near[0] if near else AUTO}",
        )
    if found.reason is not None:
        usable = ", ".join(engine.name for engine in engines() if engine.is_usable) or "none"
        refuse(
            RUN015,
            f"the engine {name} cannot be used here",
            at=f"--engine {name}",
            expected=f"one of {usable}",
            found=found.reason,
            notes=[] if found.help is None else [f"to use it: {found.help}"],
            help=f"--engine {AUTO}",
        )
    return record, found
