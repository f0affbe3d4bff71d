"""Choice of the engine of a run: a named one, or the fastest with the bits of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from ...core import registry
from ...core.diagnostics import Code, Diagnostics
from ...core.engine import Runner
from ...dialects.ntensor import NetworkOp
from ...simulation.runs import Unsuitable
from .listing import AUTO, engine_record, probe

RUN016 = Code("RUN016", "fastest-engine-unused", "the fastest engine is not used")


@frozen
class Passed:
    """An engine that `auto` does not take."""

    name: str
    reason: str
    notes: Sequence[str] = ()
    help: str | None = None


def start_engine(name: str, network: NetworkOp, diagnostics: Diagnostics, **options: Any) -> tuple[Runner, str, str]:
    """Returns an engine for a network, its name, and the reason; `auto` selects the fastest usable one with the bits of the reference.

    Errors: RUN014, RUN015; those of the engine. Remarks: RUN016 the fastest engine is not used.
    """
    if name != AUTO:
        record, found = engine_record(name)
        runner = record.start(network, device=found.devices[0], **options)
        return take_findings(runner, diagnostics), name, f"--engine {name}"
    passed: list[Passed] = []
    *others, last = registry.engines()
    for engine in others:
        found = probe(engine)
        if found is None:
            continue
        if found.reason is not None:
            passed.append(Passed(engine.name, found.reason, help="nopt engines"))
            continue
        why = engine.differs(network, found.devices[0])
        if why is not None:
            passed.append(Passed(engine.name, why, help="nopt engines"))
            continue
        try:
            runner = take_findings(engine.start(network, device=found.devices[0], **options), diagnostics)
            return runner, engine.name, "the fastest engine here with the bits of the reference"
        except Unsuitable as refusal:
            passed.append(unsuitable(engine.name, refusal))
    _, found = engine_record(last.name)
    runner = last.start(network, device=found.devices[0], **options)
    for one in passed:
        diagnostics.remark(
            RUN016,
            f"{last.name} runs this network, not {one.name}",
            at=f"--engine {AUTO}",
            found=one.reason,
            help=one.help,
            notes=one.notes,
        )
    reason = "; ".join(f"{one.name} does not run it: {one.reason}" for one in passed)
    return runner, last.name, reason or "the only engine here"


def unsuitable(name: str, refusal: Unsuitable) -> Passed:
    """Returns why an engine cannot run a network, with the node."""
    first = refusal.findings[0]
    at = f'"{first.node}": ' if first.node else ""
    found = f", found {first.found}" if first.found else ""
    return Passed(name, f"{at}{first.message}{found}", first.notes, first.help)


def take_findings(runner: Any, diagnostics: Diagnostics) -> Any:
    """Adds the remarks of an engine about its start, and returns the engine."""
    diagnostics.extend(getattr(runner, "findings", ()))
    return runner
