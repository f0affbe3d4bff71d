"""Memory of a network on an engine, before anything is allocated."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.diagnostics import Code, Finding
from ...core.engine import Demand
from ...dialects.ntensor import NetworkOp
from ...simulation.memory_budget import format_bytes
from ...simulation.network_bytes import least_bytes
from ...simulation.runs import Unsuitable
from ..costing.estimates import over_limit
from .candidates import EngineCandidate

RUN026 = Code("RUN026", "engine-memory-exceeded", "a network does not fit into the memory of an engine's device")

MEMORY_MARGIN = 8
"""A network whose least memory, times this number, fits on a device needs no exact estimate."""


def samples_at_once(
    candidate: EngineCandidate,
    network: NetworkOp,
    samples: int,
    ticks: int,
    record: Sequence[str],
    most: int | None,
    data: int,
) -> int:
    """Returns how many samples fit into the memory of a device, and into `most` bytes with the `data` bytes of the input and the results.

    Errors, as reasons to choose another engine: RUN026 one sample does not fit; CMP012 it needs more than `most`; those of the engine.
    """
    device, free = candidate.device, candidate.device.memory_free_bytes or candidate.device.memory_total_bytes
    if most is None and (free is None or MEMORY_MARGIN * samples * least_bytes(network) <= free):
        return samples
    demand = candidate.engine.demand(network, device, record)
    needed = demand.total(min(1, samples), ticks)
    if over := over_limit(needed + data, most, f"on the engine {candidate.engine.name} with its input and results"):
        raise Unsuitable(*over)
    if free is not None and needed > free:
        raise Unsuitable(
            Finding(
                RUN026,
                f"the network does not fit into the memory of {device.name}",
                at=f"--engine {candidate.engine.name}",
                expected=f"at most {format_bytes(free)}",
                found=f"{format_bytes(needed)} for one sample",
                help="--engine auto",
            )
        )
    room = None if most is None else most - data
    return fitting_samples(demand, samples, ticks, min(one for one in (room, free) if one is not None))


def fitting_samples(demand: Demand, samples: int, ticks: int, room: int) -> int:
    """Returns the largest number of samples, at least 1 and at most all, whose memory fits."""
    low, high = min(1, samples), samples
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if demand.total(middle, ticks) <= room else (low, middle - 1)
    return low
