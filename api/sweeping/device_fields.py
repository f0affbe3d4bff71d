"""Devices in a sweep: the fields named by keys, and the figures of a network on a device.

The figures equal the report of `nopt compile` for the same device, passes and calibration.

| figure | meaning |
| --- | --- |
| fits, approximations | whether the network compiles for the device, `exact` or `approximate` with these names |
| cores | cores in use; a device without cores has none |
| memory_bytes | bytes of all memory that the report lists |
| energy_pj, latency_ns, power_mw | energy and time of a step (a frame of `frame_ticks` ticks of the input, or a tick), and mean power in real time; each with `_low_` and `_high_`, without the coefficients in `unpublished` |
| latency_ticks | the largest latency of an output |
| accuracy, loss, rate_cosine, bin_cosine | those of the level `target`: the model of the chip, compared with the network before any pass |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...core import registry
from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects import ntensor
from ...simulation.host.hosted_model import chip_model
from ...simulation.host.readout_files import write_artefact
from ...simulation.stimuli import Given
from ..compiling.device_fit import fit
from ..compiling.mapping import mapping
from ..costing.amounts import Amount, step_amounts
from ..costing.chip_costs import chip_cost
from ..costing.estimates import memory_use, unknown_of
from ..modules import only_network
from ..permissions.permitted_fit import with_approximations
from ..running.level_comparison import measure_one
from ..running.level_records import Stage
from ..running.run import Result
from .figures import level_figures
from .ranges import RANGES


@frozen
class OnDevice:
    """A network that a target's pipeline has compiled for a device."""

    device: Device
    module: ModuleOp
    """The last level."""
    lowered: ModuleOp
    """The network in ticks that the target runs."""
    figures: dict[str, Any]

    @property
    def network(self) -> ntensor.NetworkOp:
        return only_network(self.lowered)

    def loss(
        self, start: ModuleOp, reference: Result, given: Given, labels: NDArray[Any] | None, engine: str
    ) -> dict[str, Any]:
        """Returns the loss relative to a run of `start`, measured on the chip's model, else on the network that the target runs."""
        exit = registry.targets()[self.device.target]()
        chip = None if exit.model is None else chip_model(exit.model(), self.module, self.device)
        level = measure_one(Stage("target", None, self.lowered, chip), start, reference, given, labels, engine)
        return level_figures(level)


def run_device(
    module: ModuleOp,
    device: Device,
    diagnostics: Diagnostics,
    steps: Sequence[ModulePass] = (),
    repairs: Sequence[str] = (),
    needed: Sequence[str] = (),
) -> OnDevice:
    """Compiles a network in ticks for a device, in place; `steps` ran before, and permissions add `repairs` (`fit`) for what is `needed`. Errors: all limits that the network exceeds; those of the target."""
    given = module.clone()
    fitted = with_approximations(fit(module, device, repairs=repairs, is_brief=False), steps, needed)
    diagnostics.extend(fitted.findings)
    diagnostics.raise_errors()
    exit = registry.targets()[device.target]()
    write = exit.artefact
    made = Artefact({}, {}) if write is None else write_artefact(write(), module, device, diagnostics)
    diagnostics.raise_errors()
    graph = fitted.graph
    mapped = None if graph is None else mapping(graph)
    memory = made.memory or ({} if graph is None else memory_use(graph))
    sizes = list(memory.values())
    network = only_network(fitted.network or given)
    tick_ns, frame_ticks = network.tick_ns.value.data, network.frame_ticks
    cost = chip_cost(module, device, mapped, tick_ns, frame_ticks=frame_ticks)
    amounts = step_amounts(cost, tick_ns)
    figures = {
        "fits": fitted.fits,
        "approximations": fitted.approximations,
        "cores": fitted.cores,
        "memory_bytes": None if not sizes or None in sizes else sum(n for n in sizes if n is not None),
        **{name: figure for what in RANGES for name, figure in range_figures(what, amounts.get(what)).items()},
        "per": cost["per"],
        "frame_ticks": frame_ticks,
        "latency_ticks": max({**fitted.latency_ticks, **made.latency_ticks}.values(), default=0),
        "unpublished": unknown_of(cost),
    }
    return OnDevice(device, module, fitted.network or given, figures)


def range_figures(what: str, amount: Amount | None) -> dict[str, float | None]:
    """Returns the figures of a range, by the names of the fields of a point; None if it is not known."""
    entries = (None, None, None) if amount is None else (amount.value, amount.low, amount.high)
    return dict(zip(RANGES[what].names, entries, strict=True))
