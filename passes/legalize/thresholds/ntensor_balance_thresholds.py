"""Balances the thresholds of a network that was converted from a trained network of activations, so that no layer saturates or dies.

    %x = ntensor.linear "fc1" %in {…}                                              threshold 1: most neurons spike in every tick
    %z = ntensor.neuron "if1" @if(%x) {canonical = {threshold = 1.0, …}}
    %y = ntensor.linear "fc2" %z {weight = [[0.5, …]]}
      =>
    %z = ntensor.neuron "if1" @if(%x) {canonical = {threshold = 6.2, …}}           a spike stands for an activation of 6.2
    %y = ntensor.linear "fc2" %z {weight = [[3.1, …]]}

1. The network is read as the trained network of which it is a conversion: each population with a threshold is a rectified linear unit, and its activation is the rate
   in spikes per tick for the mean input of a sample, without a limit (`_activation_run.py`). The samples are those that the network keeps (`ntensor-calibrate{keep=…}`).
2. Populations are balanced in the order of the network; each one reads those before it as they are after the change. Half of the samples choose factors, and the others judge them.
3. The factor of a layer, or of each channel, is a percentile of its activations, or the one with the least squared error of the rates (`_threshold_factors.py`). Channels of
   the last populations share a factor, since outputs compare their spikes.
4. The distance of the threshold from the leak is multiplied by the factor, and so are the weights of the readers. Biases stay: activations mean the same as before. An output
   keeps its spikes, and the population holds the factor of a spike as `machine.count_unit`.
5. With `shift=half`, the potential starts half of the way to the threshold further, so that rates are rounded to the nearest instead of down.
6. Never worse: a population keeps its threshold if its rates are nearer to the activations with it, on the samples that judge. The network stays as it was if the values before its
   outputs are nearer to those of the trained network, or if these decide more of the samples alike. The remark LEG193 states this.
7. The ranges and rates of the calibration are observed again, with the kept samples.

Exactness: recorded. The errors are those of the rates, times the factor, against the activations, on the samples that judge [activation].

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; LEG190 a loop, or a population without a threshold before others; LEG191 a threshold or a potential
that no parameter holds; LEG192 no samples, or no population with a threshold; LEG194 a percentile out of range; LEG195 options that contradict each other.
Remarks: LEG193 thresholds that stay.
Source: `_threshold_factors.py`. Half a threshold: Deng and Gu (2021). Samples that judge, and the decision layer by layer, are our own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.node_selection import check_names
from ....core.diagnostics import Code, ExitCode, refuse
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....dialects.ntensor.network import networks
from ._activation_run import is_rate_coded
from ._network_balance import Balance
from ._population_balance import Choice
from ._threshold_factors import FactorGroups

LEG194 = Code(
    "LEG194",
    "activation-percentile-out-of-range",
    "the percentile of activations is out of range",
    exit_code=ExitCode.MISUSED,
)
LEG195 = Code(
    "LEG195", "balance-options-conflict", "options of a balance contradict each other", exit_code=ExitCode.MISUSED
)

PERCENTILE = 99.9
BALANCE_SAMPLES = 256
"""Number of samples that a calibration keeps for a balance."""


@dataclass(frozen=True)
class NtensorBalanceThresholdsPass(NoptPass):
    """Balances the thresholds of every `ntensor.network`.

    Options:
        by: `percentile` of the activations, or `error`, the least squared error of the rates; default percentile.
        per: `layer`, or `channel`, the first axis of a population: each neuron of a dense layer has a factor; default layer.
        percentile: percentage of the activations of a layer or channel that do not saturate, above 0 to 100; default 99.9. With `by=percentile` only.
        shift: `half` starts the potential half a threshold further; default none.
        nodes: the populations whose thresholds change; default all that have one.
    """

    name = "ntensor-balance-thresholds"
    APPROXIMATES = ("threshold",)
    restores_rates = True
    by: Literal["percentile", "error"] = "percentile"
    per: Literal["layer", "channel"] = "layer"
    percentile: float | None = None
    shift: Literal["none", "half"] = "none"
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check()
        check_names(op, self.nodes, is_rate_coded, self.name)
        for network in networks(op):
            balance = Balance.of(op, network, self.choice)
            balance.choose()
            balance.conclude(op, pass_text(self), diagnostics_of(ctx))

    @property
    def kept_samples(self) -> int:
        return BALANCE_SAMPLES

    @property
    def approximations(self) -> tuple[str, ...]:
        return ("initial", *self.APPROXIMATES) if self.shift == "half" else self.APPROXIMATES

    @property
    def choice(self) -> Choice:
        """Returns the options of the balance of a population."""
        percentile = None if self.by == "error" else PERCENTILE if self.percentile is None else self.percentile
        return Choice(percentile, FactorGroups(self.per == "channel"), self.shift == "half", self.nodes)

    def check(self) -> None:
        """Refuses options that are out of range, or contradict each other. Errors: LEG194, LEG195."""
        if self.percentile is None:
            return
        if not 0 < self.percentile <= 100:
            refuse(
                LEG194,
                at=f"percentile={self.percentile}",
                expected="above 0 and up to 100",
                found=str(self.percentile),
                help=suggest_pass(replace(self, percentile=PERCENTILE)),
            )
        if self.by == "error":
            refuse(
                LEG195,
                at=f"by=error percentile={self.percentile}",
                expected="a percentile with by=percentile only",
                found="by=error",
                help=suggest_pass(replace(self, percentile=None)),
            )
