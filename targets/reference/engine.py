"""The engine `numpy`: the reference model, which runs every network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.engine import API_VERSION, Demand, EngineDevice, EngineState, HostEngine, SumOrder, processor_device

if TYPE_CHECKING:
    from ...dialects.ntensor import NetworkOp
    from .model import ReferenceModel


def probe() -> EngineState:
    """Returns the version of NumPy, which is always installed."""
    import numpy as np

    return EngineState(version=np.__version__, devices=(processor_device(),))


def start(
    network: NetworkOp,
    *,
    device: EngineDevice | None = None,
    record: Sequence[str] = (),
    sum_order: SumOrder = "index",
    samples: int = 1,
) -> ReferenceModel:
    """Returns the model of a network. Errors: those of `ReferenceModel`."""
    del device, samples
    from .model import ReferenceModel

    return ReferenceModel(network, record=record, sum_order=sum_order)


def differs(network: NetworkOp, device: EngineDevice) -> str | None:
    """Returns None: all other engines are compared with this one."""
    del network, device
    return None


def demand(network: NetworkOp, device: EngineDevice, record: Sequence[str]) -> Demand:
    """Returns the arrays of a network, the states of all samples, and the values of a block of samples and ticks. Errors: SIM017, SIM024."""
    del device
    from ...simulation.network_bytes import constant_bytes, states_bytes, value_bytes
    from .model import BLOCK_BYTES, LEAST_TICKS, ReferenceModel

    ReferenceModel(network, record=record)  # refuses what it does not run
    row = value_bytes(network)
    return Demand(
        constant_bytes(network),
        states_bytes(network),
        row,
        MOST_TICKS,
        most_row_bytes=max(BLOCK_BYTES, LEAST_TICKS * row),
    )


MOST_TICKS = 2**31
"""Ticks of a block: the limit of a block are its bytes."""
ENGINE = HostEngine(
    name="numpy",
    summary="the reference, which all other engines are compared with",
    needs="nothing",
    exactness="all networks",
    speed=0,
    probe=probe,
    start=start,
    differs=differs,
    demand=demand,
    api_version=API_VERSION,
)
