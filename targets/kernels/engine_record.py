"""The record of an engine that runs kernels: all of them share their start, their promise and their memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ...core.engine import API_VERSION, Demand, EngineDevice, EngineState, HostEngine, SumOrder

if TYPE_CHECKING:
    from ...dialects.ntensor import NetworkOp
    from .hosted import KernelRunner


def start_kernels(
    slug: str,
    probe: Callable[[], EngineState],
    network: NetworkOp,
    *,
    device: EngineDevice | None = None,
    record: Sequence[str] = (),
    sum_order: SumOrder = "index",
    samples: int = 1,
) -> KernelRunner:
    """Returns the kernels of a network on a device. Errors: those of `KernelRunner`."""
    del sum_order, samples
    from .hosted import KernelRunner

    return KernelRunner(network, slug, device or probe().devices[0], record)


def difference_of_kernels(language: str, network: NetworkOp, device: EngineDevice) -> str | None:
    """Returns the reason why last bits can differ: functions of the driver, or reals that are not rounded as IEEE 754 requires."""
    from .hosted import differs_on

    return differs_on(network, device, language)


def demand_of_kernels(slug: str, network: NetworkOp, device: EngineDevice, record: Sequence[str]) -> Demand:
    """Returns the memory of the kernels of a network. Errors: those of `kernels_of`."""
    from .hosted import demand_of

    return demand_of(network, slug, device, record)


def kernel_engine(
    *,
    name: str,
    slug: str,
    language: str,
    summary: str,
    needs: str,
    exactness: str,
    speed: int,
    probe: Callable[[], EngineState],
) -> HostEngine:
    """Returns the record of an engine that runs the kernels of the target `slug`."""
    return HostEngine(
        name=name,
        summary=summary,
        needs=needs,
        exactness=exactness,
        speed=speed,
        probe=probe,
        start=partial(start_kernels, slug, probe),
        differs=partial(difference_of_kernels, language),
        demand=partial(demand_of_kernels, slug),
        api_version=API_VERSION,
    )
