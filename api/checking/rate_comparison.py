"""Comparison of firing rates: populations whose rate after passes, or on a device, differs from the rate in the network of reals.

Both networks run on the same input (`levelling`). A rate is the number of spikes of a neuron in a tick, over all neurons, ticks and samples.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...core.diagnostics import Code, Diagnostics, Severity
from ..running.level_records import Level

CHK016 = Code("CHK016", "population-rate-changed", "a population fires at another rate")
CHK017 = Code("CHK017", "population-becomes-silent", "a population becomes silent")

MAX_RATE_CHANGE = 0.2
"""Maximal relative change of the rate of a population."""


def rate_changes(last: Level) -> list[dict[str, Any]]:
    """Returns the populations whose rate differs from that of the first level by more than MAX_RATE_CHANGE.

    The change is relative to the first level; None if the population was silent there.
    """
    changes: list[dict[str, Any]] = []
    for name, one in last.populations.items():
        before, after = one.rate_before, one.rate
        if before is not None and after is not None and abs(after - before) > MAX_RATE_CHANGE * before:
            change = (after - before) / before if before else None
            changes.append({"population": name, "before": before, "after": after, "change": change})
    return changes


def compare_rates(
    last: Level,
    diagnostics: Diagnostics,
    where: str,
    severity: Severity = Severity.WARNING,
    named: Collection[str] = (),
) -> None:
    """Reports the populations whose rate differs from that of the first level, except those that another finding names. Warnings: CHK016, CHK017."""
    for one in rate_changes(last):
        name, before, after, change = one["population"], one["before"], one["after"], one["change"]
        if name in named:
            continue
        code, what = (CHK016, "fires at another rate") if after else (CHK017, "becomes silent")
        share = "" if change is None else f", {change:+.0%}"
        diagnostics.report(
            severity,
            code,
            f"the population {what} {where}",
            at=f'ntensor.neuron "{name}"',
            node=name,
            expected=f"about {before:.4g} spikes per neuron and tick, as before",
            found=f"{after:.4g} spikes per neuron and tick{share}" if after else "no spike",
            help=f"nopt explain {code}",
        )
