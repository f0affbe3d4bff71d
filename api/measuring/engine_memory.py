"""Memory of a network on an engine, as a verb: before anything is allocated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from attrs import frozen

from ...core.diagnostics import Diagnostics
from ..executing.candidates import hardware_device
from ..executing.listing import engine_record
from ..executing.memory import fitting_samples
from ..json_record import Record
from ..modules import Network, default_diagnostics, module_of
from ..options import Choices
from ..recording.record_names import record_names
from ..running.run import discretise
from ..unit_values import refuse_option


@frozen
class EngineMemory(Record):
    """Memory that an engine needs for a network, besides inputs and results. Units: [bytes]."""

    engine: str
    device: str
    constant_bytes: int
    """Weights, parameters and the program."""
    sample_bytes: int
    """States and values of one sample."""
    tick_bytes: int
    """Rows of inputs and results of one sample in one tick."""
    total_bytes: int
    """For all samples and ticks at once."""
    free_bytes: int | None
    """Free memory of the device, or all of it where only that is reported; None if neither is."""
    samples_at_once: int
    """Samples that fit into the free memory at once; 0 if not even one fits."""


def estimate(
    network: Network,
    engine: str,
    *,
    samples: int = 1,
    ticks: int = 1,
    record: Sequence[str] = (),
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> EngineMemory:
    """Returns the memory that an engine needs for a network, before anything is allocated.

        nopt.estimate("net.nir", "native", samples=100, ticks=50, dt="1ms", like="norse").total_bytes

    The network is lowered for the engine, but neither compiled nor sent to a device.
    Errors: RUN014, RUN015; API022 samples or ticks below 1; those of reading, of the conversion and of the engine.
    """
    found = default_diagnostics(diagnostics)
    for option, value in (("samples", samples), ("ticks", ticks)):
        if value < 1:
            refuse_option(option, value, "1 or more", "100")
    chosen, state = engine_record(engine)
    device = hardware_device(state) or state.devices[0]
    graph = discretise(module_of(network, diagnostics=found), choices, found)
    demand = chosen.demand(graph, device, record_names(record, graph))
    free = device.memory_free_bytes if device.memory_free_bytes is not None else device.memory_total_bytes
    fits = free is None or demand.total(1, ticks) <= free
    return EngineMemory(
        chosen.name,
        device.name,
        demand.constant_bytes,
        demand.sample_bytes,
        demand.tick_bytes,
        demand.total(samples, ticks),
        free,
        fitting_samples(demand, samples, ticks, free) if fits and free is not None else samples if fits else 0,
    )
