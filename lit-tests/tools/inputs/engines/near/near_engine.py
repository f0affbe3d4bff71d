"""Engines of a package of its own: the reference, with facts that a test needs.

`near` has a device of CUDA, and adds 1 to the first entry of each result where the network has reals. `small` has a device with 1,000 bytes.
`broken` has a driver that fails. `odd` starts no network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from nopt.core.diagnostics import Code, Finding
from nopt.core.engine import Demand, EngineDevice, EngineState, HostEngine
from nopt.simulation.real_numbers import has_reals
from nopt.simulation.runs import Unsuitable
from nopt.targets.reference.model import ReferenceModel

NER001 = Code("NER001", "near-op-unsupported", "an op that the engine does not support")


class Near:
    """The reference, with another first entry."""

    def __init__(self, network: Any, record: Sequence[str]):
        self.model, self.differs = ReferenceModel(network, record=record), has_reals(network)

    def run(self, signals: Mapping[str, Any], *, ticks: int | None = None, progress: Any = None) -> dict[str, Any]:
        found = self.model.run(signals, ticks=ticks, progress=progress)
        for values in found.values():
            if self.differs and values.size:
                values.reshape(-1)[0] += 1
        return found


def differs(network: Any, device: EngineDevice) -> str | None:
    return "the first entry of reals is another" if has_reals(network) else None


def start(
    network: Any, *, device: Any = None, record: Sequence[str] = (), sum_order: str = "index", samples: int = 1
) -> Near:
    return Near(network, record)


def refuse(network: Any, **options: Any) -> Near:
    op = network.populations[0]
    raise Unsuitable(Finding(NER001, "neurons are not supported", at=f'{op.name} "lif"', node="lif", found=op.name))


NEAR = HostEngine(
    name="near",
    summary="the reference with another first entry",
    needs="nothing",
    exactness="networks of integers",
    speed=8,
    probe=lambda: EngineState(version="near 1", devices=(EngineDevice("N1", "CUDA", 2**40, 2**40, driver="near 2"),)),
    start=start,
    differs=differs,
    demand=lambda network, device, record: Demand(600, 300, 10, 2),
    api_version=4,
)
SMALL = evolve(
    NEAR,
    name="small",
    differs=lambda network, device: None,
    probe=lambda: EngineState(version="small 1", devices=(EngineDevice("S1", "ROCm", 1000, 900),)),
)
BROKEN = evolve(
    NEAR, name="broken", probe=lambda: EngineState("its driver fails", "broken 1", help="install the driver")
)
ODD = evolve(NEAR, name="odd", start=refuse, differs=lambda network, device: None)
OLD = evolve(NEAR, name="old", api_version=3)
