"""Fit of all populations of a network to axon types, and the choice between a fit of weights alone and one by the inputs of the neurons.

1. All populations are fitted with the least error of their weights. If no weight changes, or if the network keeps no samples, this fit stays.
2. Else a copy of the network is fitted in the order of its populations, each by the moments of its sources with those before it fitted already, for half of
   the samples. The outputs of both fits are compared with those of the network before them, on the other half. If counts and decisions of the copy are as
   good, and the sum of the measures is lower, it is fitted again with all samples, unless that is worse; the network takes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field
from xdsl.dialects.builtin import ModuleOp

from ....analysis.approximation_errors import Errors
from ....analysis.calibration_records import fit_samples, judge_samples, kept_samples
from ....analysis.wiring import wiring_of
from ....core.arrays.numeric import AnyArray
from ....core.diagnostics import Diagnostics
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ....simulation.output_errors import OutputErrors, compared, firing_of
from ....simulation.recorded_run import RecordedRun
from ...pipelines import MERGE_SUMS
from ._population_axons import KnownFits, Limits, PopulationFit

Samples = Mapping[str, AnyArray]


@define(eq=False)
class NetworkFit:
    """The fit of one network."""

    network: ntensor.NetworkOp
    errors: Errors = field(factory=Errors)
    costs: list[str] = field(factory=list[str])
    """Lines about duplicated axons."""
    diagnostics: Diagnostics = field(factory=Diagnostics)
    text: str = ""
    """The choice between two fits, for the record."""

    def run(self, limits: Limits, nodes: tuple[str, ...], known: KnownFits, samples: Samples | None = None) -> None:
        """Fits all populations, by samples if there are some."""
        wiring = wiring_of(self.network, MERGE_SUMS)
        for name in wiring.neurons:
            if not nodes or name in nodes:
                run = None if samples is None else RecordedRun.of(self.network, samples)
                fit = PopulationFit(wiring, name, limits, self.errors, known, self.diagnostics, run)
                fit.run()
                self.costs += fit.costs


def fit_network(network: ntensor.NetworkOp, limits: Limits, nodes: tuple[str, ...]) -> NetworkFit:
    """Fits a network, and returns what was changed."""
    known: KnownFits = {}
    judged = judge_samples(network)
    before = twin_of(network) if judged else None
    nearest = NetworkFit(network)
    nearest.run(limits, nodes, known)
    if before is None or not nearest.errors.touched:  # 1
        return nearest
    wanted = firing_of(RecordedRun.of(before, judged))

    def errors_of(fitted: ntensor.NetworkOp) -> OutputErrors:
        return compared(firing_of(RecordedRun.of(fitted, judged)), wanted)

    def fitted(samples: Samples) -> tuple[NetworkFit, OutputErrors]:
        found = NetworkFit(twin_of(before))
        found.run(limits, nodes, known, samples)
        return found, errors_of(found.network)

    former = errors_of(network)  # 2
    best, reached = fitted(fit_samples(before))
    samples, count = kept_samples(before), count_of(fit_samples(before))
    on = f"on {count_of(judged)} samples"
    if not (reached.is_no_worse(former) and reached.loss < former.loss):
        nearest.text = f"; by their errors alone, since {count} samples do not improve on that, {on}: {former.text}"
        return nearest
    other, tried = fitted(samples)
    if tried.is_no_worse(reached):
        best, reached, count = other, tried, count_of(samples)
    take_body(network, best.network)
    best.network = network
    best.text = (
        f"; by the inputs of {count} samples, {on}: {reached.text}; by the errors of weights alone: {former.text}"
    )
    return best


def count_of(samples: Samples) -> int:
    return len(next(iter(samples.values())))


def twin_of(network: ntensor.NetworkOp) -> ntensor.NetworkOp:
    """Returns a copy of a network in a copy of its module, which holds the updates of its neurons."""
    module = network.get_toplevel_object()
    assert isinstance(module, ModuleOp)
    return next(one for one in networks(module.clone()) if one.sym_name == network.sym_name)


def take_body(network: ntensor.NetworkOp, other: ntensor.NetworkOp) -> None:
    """Replaces the ops of a network by those of a copy."""
    for block in list(network.body.blocks):
        network.body.erase_block(block, safe_erase=False)
    other.body.move_blocks(network.body)
