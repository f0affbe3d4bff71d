"""Section of a build about a real machine: measured energy, power and time next to the estimate."""

from __future__ import annotations

from collections.abc import Iterator

from ....core.number_texts import counted_text, number_text, scaled_text
from ...measuring.measured import Measured, Rail
from ..sections import Section, TableBlock

RAIL_HEAD = (
    "rail",
    "mean power",
    "idle power",
    "energy of a sample",
    "without idle",
    "estimate",
    "measured / estimate",
)
TIME_HEAD = ("time of a sample", "estimate", "measured / estimate")


def measured_section(measured: Measured) -> Section:
    """Returns the rails and the duration of a run, with the estimates."""
    rails = TableBlock(RAIL_HEAD, tuple(rail_row(one, measured) for one in measured.rails), numbers=tuple(range(1, 7)))
    time = TableBlock(TIME_HEAD, (time_row(measured),), numbers=(0, 1, 2))
    blocks = (*((rails,) if measured.rails else ()), time)
    return Section("Measured on the machine", text=" ".join(measured_lines(measured)), blocks=blocks)


def rail_row(rail: Rail, measured: Measured) -> tuple[str, ...]:
    estimate = measured.estimate
    shown = "no estimate" if estimate.energy_j is None else scaled_text(estimate.energy_j, "J")
    powers = (scaled_text(one, "W") for one in (rail.mean_power_w, rail.idle_power_w))
    energies = (scaled_text(one, "J") for one in (rail.sample_j, rail.net_sample_j))
    return rail.name, *powers, *energies, shown, number_text(rail.ratio)


def time_row(measured: Measured) -> tuple[str, ...]:
    estimate, time = measured.estimate, measured.time
    shown = "no estimate" if estimate.time_s is None else scaled_text(estimate.time_s, "s")
    return scaled_text(time.sample_s, "s"), shown, number_text(time.ratio)


def measured_lines(measured: Measured) -> Iterator[str]:
    """Yields sentences about the log, and the reasons for figures that are missing."""
    about = f": {measured.about}" if measured.about else ""
    samples = "an unknown number of samples" if measured.samples is None else counted_text(measured.samples, "sample")
    run = "" if measured.time.run_s is None else f" in {scaled_text(measured.time.run_s, 's')}"
    yield f"{measured.log}{about}; {samples}{run}."
    if measured.samples is None:
        yield "The energy of a sample needs # samples: N in the log, or its column sample."
    estimate = measured.estimate
    for reason in dict.fromkeys(filter(None, (estimate.energy_reason, estimate.time_reason))):
        yield f"No estimate: {reason}."
    if estimate.unknown and (estimate.energy_j is not None or estimate.time_s is not None):
        yield f"The estimate leaves out {', '.join(estimate.unknown)}."
    if any(one.is_net and one.ratio is not None for one in measured.rails):
        yield "The estimate has no idle power, so the energy without idle is compared."
