"""The engine `native`: a network as C, compiled by the system's compiler and run in this process."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from ...core.engine import (
    API_VERSION,
    Demand,
    EngineDevice,
    EngineState,
    HostEngine,
    SumOrder,
    processor_device,
)
from ...core.processors import processor_count

if TYPE_CHECKING:
    from ...dialects.ntensor import NetworkOp
    from .model import NativeModel


def probe() -> EngineState:
    """Returns whether this machine has a compiler that passes the trial."""
    from .compiler import find_compiler

    found = find_compiler()
    version = None if found.compiler is None else found.compiler.version
    return EngineState(found.reason, version, (processor_device(),), None if found.reason is None else INSTALL)


def start(
    network: NetworkOp,
    *,
    device: EngineDevice | None = None,
    record: Sequence[str] = (),
    sum_order: SumOrder = "index",
    samples: int = 1,
) -> NativeModel:
    """Returns the compiled network. Errors: those of `NativeModel`."""
    del device, samples
    from .model import NativeModel

    return NativeModel(network, record=record, sum_order=sum_order)


def differs(network: NetworkOp, device: EngineDevice) -> str | None:
    """Returns the reason why last bits can differ: a function of the C library."""
    del device
    from .model import NativeModel

    return NativeModel.differs(network)


def demand(network: NetworkOp, device: EngineDevice, record: Sequence[str]) -> Demand:
    """Returns the constants, and the states and rows of the samples that run at once, one for each processor. Errors: those of `NativeModel`."""
    del device
    from numpy import dtype

    from ...core.ir.operation import shape_of
    from ...simulation.records import Records
    from .model import WINDOW_BYTES, source_of

    records = Records(network)
    names = [name for name in records.watched(record) if name not in records.outputs]
    manifest = source_of(network, names).manifest
    sizes, threads = manifest["bytes"], processor_count()
    row = sum(
        prod(shape_of(records.arguments[one["name"]])) * dtype(one["dtype"]).itemsize for one in manifest["inputs"]
    )
    instance = sizes["state"] + sizes["scratch"]
    return Demand(sizes["constants"], instance, row, MOST_TICKS, threads, threads * WINDOW_BYTES)


MOST_TICKS = 2**31
"""Ticks of a window: the limit of a window are its bytes."""
INSTALL = "install a C compiler, such as gcc or clang, or name one: CC=clang nopt engines"
ENGINE = HostEngine(
    name="native",
    summary="a network as C, compiled for this processor; samples, or the neurons of one large network, run in parallel",
    needs="a C compiler",
    exactness="all networks without exp and log",
    speed=2,
    probe=probe,
    start=start,
    differs=differs,
    demand=demand,
    api_version=API_VERSION,
)
