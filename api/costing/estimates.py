"""Estimates of a network on a device that it fits on: energy and time of a step, and memory. None is an unknown value.

| estimate | from |
| --- | --- |
| energy, time | the coefficients of the device file, for the mapping without optimisation (`costing/`) |
| memory | all regions of the artefact, or the contents of the cores |

The spikes of a network without an input are not known: one per neuron and tick is assumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from attrs import evolve
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.device.device import Device
from ...core.device.outside_memory import STORE
from ...core.diagnostics import Code, Diagnostics, Finding, Severity
from ...dialects import machine, ntensor
from ...simulation.elements import result_dtype
from ...simulation.network_bytes import least_bytes
from ...simulation.records import Records
from ...simulation.stimuli import Stimulus
from ..compiling.device_fit import Estimate, Fit, needs_of, own_vertices
from ..compiling.mapping import mapping
from ..modules import only_network
from .chip_costs import chip_cost

CMP012 = Code("CMP012", "max-memory-exceeded", "the network needs more memory than --max-memory")

CONFIDENCES = ("measured", "documented", "secondary", "assumed")
"""From the most to the least certain."""
AT_LEAST = "at least"
"""Begin of the note on an estimate whose coefficients are not all known."""
TOTALS = ("rom", "ram")
"""Regions of an artefact that are sums of others."""


def with_estimate(fitted: Fit, device: Device, before: ModuleOp, exit: ModuleOp, most: int | None = None) -> Fit:
    """Returns a fit with the estimates, or with the refusal of its artefact, or of memory beyond `most` bytes.

    `before` is the network in ticks, and `exit` the module after all passes. Errors: CMP012; those of the artefact.
    """
    if not fitted.is_fitting or not fitted.steps:
        return fitted
    found = Diagnostics()
    write = registry.usable_targets()[device.target].artefact
    memory: Mapping[str, int | None] | None = None
    with found.collecting():
        memory = None if write is None else write()(exit, device, Diagnostics()).memory
    if not memory and fitted.graph is not None:
        memory = memory_use(fitted.graph)
    needed = None if memory is None else total_bytes(memory)
    errors = [*found.errors, *over_limit(needed, most, f"on {device.key}")]
    if errors:
        own = tuple(evolve(one, target=device.target, device=device.key) for one in errors)
        return evolve(fitted, fits="no", findings=(*fitted.findings, *own))
    mapped = None if fitted.graph is None else mapping(fitted.graph)
    network = only_network(fitted.network or before)
    tick_ns, frame_ticks = network.tick_ns.value.data, network.frame_ticks
    cost = chip_cost(exit, device, mapped, tick_ns, frame_ticks=frame_ticks)
    energy, time = part_of(cost, "energy", "energy"), part_of(cost, "latency", "time")
    return evolve(fitted, estimate=Estimate(*energy, *time, needed, cost["per"], frame_ticks, unknown_of(cost)))


def over_limit(needed: int | None, most: int | None, where: str) -> list[Finding]:
    """Returns the refusal of memory beyond a limit; unknown memory is not refused. Errors: CMP012."""
    if needed is None or most is None or needed <= most:
        return []
    return [
        Finding(
            CMP012,
            f"the network needs {needed} bytes {where}, {needed - most} more than --max-memory",
            Severity.ERROR,
            at=f"--max-memory {most}B",
            expected=f"at most {most} bytes",
            found=f"{needed} bytes",
            help=f"--max-memory {needed}B",
        )
    ]


def require_memory(network: ntensor.NetworkOp, most: int | None, data: int) -> None:
    """Refuses a network that needs more than `most` bytes in every engine, with the bytes of its `data`. Errors: CMP012."""
    if most is not None:
        what = "in every engine with its input and results"
        Diagnostics(over_limit(least_bytes(network) + data, most, what)).raise_errors()


def data_bytes(network: ntensor.NetworkOp, fed: Stimulus, ticks: int, record: Sequence[str]) -> int:
    """Returns the bytes of the input and the results of a run. Errors: SIM017."""
    watched = Records(network).watched(record).values()
    row = sum(prod(one.shape) * result_dtype(one.type).itemsize for one in watched)
    return sum(signal.nbytes for signal in fed.signals.values()) + fed.samples * ticks * row


def part_of(
    cost: Mapping[str, Any], part: str, what: str
) -> tuple[float | None, float | None, float | None, str | None]:
    """Returns energy or time of a step with its lowest and highest value and its provenance; without a known coefficient the reason."""
    found = cost[part]
    if found is None:
        return None, None, None, cost["reasons"][what]
    worst = max((one["confidence"] or CONFIDENCES[-1] for one in found["terms"]), key=CONFIDENCES.index)
    notes = [worst]
    if found["unknown"]:
        notes.append(f"{AT_LEAST}, without {', '.join(one.rpartition('.')[2] for one in found['unknown'])}")
    if cost["assumed"]:
        notes.append("one spike per neuron and tick")
    return float(found["value"]), float(found["low"]), float(found["high"]), "; ".join(notes)


def unknown_of(cost: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the coefficients that the sums of a cost leave out."""
    parts = (cost[name] for name in ("energy", "latency"))
    return tuple(dict.fromkeys(path for part in parts if part is not None for path in part["unknown"]))


def total_bytes(memory: Mapping[str, int | None]) -> int | None:
    """Returns the sum of the totals if the artefact has them, else of all regions; None if one of these was not measured."""
    chosen = [memory[name] for name in TOTALS] if all(name in memory for name in TOTALS) else [*memory.values()]
    known = [one for one in chosen if one is not None]
    return sum(known) if len(known) == len(chosen) and known else None


def memory_use(module: ModuleOp) -> dict[str, int | None]:
    """Returns the bytes of the vertices of all cores, by content; contents of unknown size are left out."""
    total: dict[str, int | None] = {}
    graph = next(op for op in module.ops if isinstance(op, machine.GraphOp))
    for vertex in own_vertices(graph):
        for name, n in needs_of(vertex).items():
            if name.startswith(STORE):
                total["synapses"] = (total.get("synapses") or 0) + n
            elif name.endswith("_bytes"):
                kind = {"synapse": "synapses", "neuron": "neurons", "axon": "axons"}[name.removesuffix("_bytes")]
                total[kind] = (total.get(kind) or 0) + n
    return total
