"""Comparison of firing rates: populations whose rate after passes, or on a device, differs from the rate in the network of reals.

Both networks run on the same input (`levelling`). A rate is the number of spikes of a neuron in a tick, over all neurons, ticks and samples.
"""

from __future__ import annotations

from attrs import evolve
from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, Diagnostics, Refused, Severity
from ...simulation.stimuli import Given
from ..running.level_comparison import measure
from ..running.level_records import Level, Stage

CHK016 = Code("CHK016", "population-rate-changed", "a population fires at another rate")
CHK017 = Code("CHK017", "population-becomes-silent", "a population becomes silent")
CHK018 = Code("CHK018", "rates-not-compared", "the rates were not compared")

MAX_RATE_CHANGE = 0.2
"""Maximal relative change of the rate of a population."""


def check_rates(before: ModuleOp, after: ModuleOp, given: Given, diagnostics: Diagnostics, where: str) -> float | None:
    """Runs both networks and warns about populations whose rates differ; `where` describes the second network.

    Returns the rate cosine of the outputs; None if it is not defined.

    Warnings: CHK016, CHK017, CHK018.
    """
    stages = [Stage("discretized", None, before), Stage("target", None, after)]
    try:
        first, last = measure(stages, given, diagnostics=Diagnostics()).levels
    except Refused as refusal:
        finding = refusal.findings[0]
        diagnostics.add(
            evolve(
                finding,
                code=CHK018,
                severity=Severity.WARNING,
                message=f"the rates {where} were not compared",
                notes=(f"{finding.code}: {finding.message}", *finding.notes),
                help=finding.help or f"nopt explain {CHK018}",
            )
        )
        return None
    compare_rates(first, last, diagnostics, where)
    return last.rate_cosine


def compare_rates(first: Level, last: Level, diagnostics: Diagnostics, where: str) -> None:
    for name, likeness in first.populations.items():
        was, now = likeness.rate, last.populations[name].rate if name in last.populations else None
        if was is None or now is None or abs(now - was) <= MAX_RATE_CHANGE * was:
            continue
        change = f", {now / was - 1:+.0%}" if was else ""
        code, what = (CHK016, "fires at another rate") if now else (CHK017, "becomes silent")
        diagnostics.warning(
            code,
            f"the population {what} {where}",
            at=f'ntensor.neuron "{name}"',
            node=name,
            expected=f"about {was:.4g} spikes per neuron and tick, as before",
            found=f"{now:.4g} spikes per neuron and tick{change}" if now else "no spike",
            help=f"nopt explain {code}",
        )
