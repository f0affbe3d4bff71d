"""The engine `numpy_threads`: samples on threads, each in the reference model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nopt.core.engine import Demand, EngineDevice, EngineState, HostEngine, SumOrder, processor_device
from nopt.core.processors import processor_count

if TYPE_CHECKING:
    from nopt.dialects.ntensor import NetworkOp

    from .model import ThreadedModel


def probe() -> EngineState:
    """Returns the processor as the only device, if this process may use several of its threads."""
    if processor_count() < 2:
        return EngineState(
            "this process may use one thread only", help="run it with more processors: taskset, docker --cpus"
        )
    return EngineState(
        version=f"Python {sys.version_info.major}.{sys.version_info.minor}", devices=(processor_device(),)
    )


def start(
    network: NetworkOp,
    *,
    device: EngineDevice | None = None,
    record: Sequence[str] = (),
    sum_order: SumOrder = "index",
    samples: int = 1,
) -> ThreadedModel:
    """Returns the model of a network. Errors: those of `ThreadedModel`."""
    del device, samples
    from .model import ThreadedModel

    return ThreadedModel(network, record=record, sum_order=sum_order)


def differs(network: NetworkOp, device: EngineDevice) -> str | None:
    """Returns None: the threads run the reference."""
    del network, device
    return None


def demand(network: NetworkOp, device: EngineDevice, record: Sequence[str]) -> Demand:
    """Returns the arrays of the network, and states and values of the samples that run at once. Errors: those of `ThreadedModel`."""
    del device
    from nopt.simulation.network_bytes import constant_bytes, states_bytes, value_bytes

    from .model import TICKS, ThreadedModel

    ThreadedModel(network, record=record)  # refuses what it does not run
    row = value_bytes(network)
    return Demand(constant_bytes(network), states_bytes(network), row, window=TICKS, most_samples=processor_count())


ENGINE = HostEngine(
    name="numpy_threads",
    summary="the reference, with a sample on each thread; an example of a plug-in",
    needs="two threads of the processor",
    exactness="all networks without plasticity",
    speed=1,
    probe=probe,
    start=start,
    differs=differs,
    demand=demand,
    api_version=4,
)
