"""Engines and devices that can run a network on this machine, in the order of their speed where no time is known."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ...core import registry
from ...core.engine import INTERFACES, EngineDevice, EngineState, HostEngine
from ...dialects.ntensor import NetworkOp
from ...simulation.runs import Unsuitable
from ..json_record import Record
from .listing import ANY, probe


@frozen
class EngineCandidate:
    """An engine with one of its devices."""

    engine: HostEngine
    device: EngineDevice
    version: str = ""
    difference: str | None = None
    """Reason why its last bits can differ from those of the reference."""

    @property
    def key(self) -> str:
        """Identifies engine, device and their versions."""
        return " | ".join((self.engine.name, self.version, self.device.name, self.device.driver or ""))


@frozen
class Passed:
    """An engine that is not taken."""

    name: str
    reason: str
    notes: Sequence[str] = ()
    help: str | None = None
    is_silent: bool = False
    """Whether no remark mentions it: its packages are not installed, or it has software devices only."""
    rank: tuple[int, int] = (0, 0)
    """Its place among the engines by speed."""


def rank(engine: HostEngine, device: EngineDevice | None) -> tuple[int, int]:
    """Returns the place of an engine among all engines where no time is known: by the interface of its device, then by its number."""
    if not engine.speed:
        return len(INTERFACES) + 1, 0
    known = 0 if device is None else (*INTERFACES, device.interface).index(device.interface)
    return known, -engine.speed


def find_candidates(network: NetworkOp, choice: str) -> tuple[list[EngineCandidate], list[Passed]]:
    """Returns the engines other than the reference that `auto` or `any` may take for a network, the fastest first, and the others with the reason."""
    found: list[EngineCandidate] = []
    passed: list[Passed] = []
    for engine in registry.engines()[:-1]:
        state = probe(engine)
        if state is None:
            continue
        device = hardware_device(state)
        place = rank(engine, device)
        if state.reason is not None:
            hidden = state.is_absent
            passed.append(Passed(engine.name, state.reason, help="nopt engines", is_silent=hidden, rank=place))
        elif device is None:
            names = ", ".join(one.name for one in state.devices)
            reason = f"its devices are software: {names}"
            passed.append(Passed(engine.name, reason, help=f"--engine {engine.name}", is_silent=True, rank=place))
        else:
            difference = engine.differs(network, device)
            if difference is not None and choice != ANY:
                passed.append(Passed(engine.name, difference, help="nopt engines", rank=place))
            else:
                found.append(EngineCandidate(engine, device, state.version or "", difference))
    return sorted(found, key=lambda one: rank(one.engine, one.device)), passed


@frozen
class AutoChoice(Record):
    """The engine that `auto` prefers where no network is known."""

    engine: str
    device: str
    reason: str


def auto_choice() -> AutoChoice:
    """Returns the engine that `auto` prefers on this machine, and why. On a network, it compares the engines that guarantee its bits."""
    states = [(engine, state) for engine in registry.engines() if (state := probe(engine)) is not None]
    usable = [(engine, hardware_device(state)) for engine, state in states if state.reason is None]
    found = sorted(((engine, device) for engine, device in usable if device is not None), key=lambda one: rank(*one))
    engine, device = found[0]
    others = [one.name for one, _ in found[1:] if one.speed]
    reason = f"the first of {', '.join(INTERFACES)} with a hardware device here"
    if others:
        reason += f"; a run compares it with {', '.join(others)} where they guarantee the bits of the reference too"
    return AutoChoice(engine.name, device.name, reason)


def hardware_device(state: EngineState) -> EngineDevice | None:
    """Returns the first hardware device; None if the processor emulates all of them."""
    return next((one for one in state.devices if not one.is_software), None)


def reference_candidate() -> EngineCandidate:
    """Returns the reference, which runs every network."""
    engine = registry.engines()[-1]
    state = engine.probe()
    return EngineCandidate(engine, state.devices[0], state.version or "")


def unsuitable(candidate: EngineCandidate, refusal: Unsuitable) -> Passed:
    """Returns why an engine cannot run a network, with the node."""
    first = refusal.findings[0]
    at = f'"{first.node}": ' if first.node else ""
    found = f", found {first.found}" if first.found else ""
    text = f"{at}{first.message}{found}"
    place = rank(candidate.engine, candidate.device)
    return Passed(candidate.engine.name, text, first.notes, first.help, rank=place)
