"""Measured energy, power and time of a real machine, next to the estimate of a build: the record `nopt.measured/1`.

    energy of a run     = sum over pairs of rows of the run of their mean power * the time between them
    idle power          = the mean over the time of the idle rows
    energy without idle = energy of a run - idle power * time of a run
    ratio               = measured / estimate, both of a sample

1. A pair of rows belongs to the phase of its first row. Where the phase changes, the power is that of the first row.
2. The estimate of a sample is the sum of a tick times the ticks of a sample: those of `# ticks:`, or of the calibration of the build.
3. If the estimate has no idle power, the energy without idle is compared where the log has an idle phase.

Units: J, W and s, as in the names of the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen

from ...core.arrays.numeric import Reals
from ...core.units import convert_value
from ..compiling.builds import require_report
from ..json_record import Record
from ..running.chip_records import Statistics
from .power_log import PowerLog, read_log

WHOLE = frozenset(["idle", "board", "running"])
"""Terms of power that a machine takes without a load as well."""
NO_TICKS = "the ticks of a sample are not known: # ticks: N in the log, or a build with --calib"


@frozen
class Rail(Record):
    """Measurements of one rail."""

    name: str
    mean_power_w: float | None
    """Of a run; None if it was not measured."""
    idle_power_w: float | None
    energy_j: float | None
    """Of all samples, with idle power."""
    sample_j: float | None
    """Energy of a sample, with idle power; None if the number of samples is not known."""
    net_sample_j: float | None
    """Energy of a sample without idle power; None without an idle phase."""
    samples_j: Statistics | None
    """Spread of the energy over samples, if each was measured."""
    ratio: float | None
    """Measured energy of a sample, divided by the estimate."""
    is_net: bool
    """Whether the ratio is of the energy without idle power."""


@frozen
class MeasuredTime(Record):
    """Duration of the run."""

    run_s: float | None
    idle_s: float | None
    sample_s: float | None
    samples_s: Statistics | None
    ratio: float | None
    """Measured time of a sample, divided by the estimate."""


@frozen
class SampleEstimate(Record):
    """The estimate of a build for a sample."""

    energy_j: float | None
    energy_reason: str | None
    """The reason for an absent estimate."""
    time_s: float | None
    time_reason: str | None
    unknown: tuple[str, ...]
    """Coefficients that the estimates leave out."""


@frozen(kw_only=True)
class Measured(Record):
    """Measurements of a real machine, next to the estimate of a build."""

    SCHEMA = "nopt.measured/1"
    device: str
    log: str
    sha256: str
    about: str | None
    """The measured rail, in the words of the log."""
    samples: int | None
    ticks: int | None
    """Ticks of a sample."""
    rails: tuple[Rail, ...]
    time: MeasuredTime
    estimate: SampleEstimate


def measurements(build: str | Path, log: str | Path) -> Measured:
    """Returns what a log of a real machine contains, next to the estimate of a build.

        nopt.measurements("build", "power.csv").rails[0].sample_j

    Errors: CMP009 another directory; MEA001 to MEA006 the log; those of reading.
    """
    return measure_log(require_report(Path(build)), read_log(log))


def measure_log(report: Mapping[str, Any], log: PowerLog) -> Measured:
    """Returns the measurements of a log, next to the estimate of a report."""
    calibration = report["calibration"]
    ticks = log.ticks if log.ticks is not None else None if calibration is None else calibration["ticks"]
    estimate = estimate_of(report["cost"], None if ticks is None else -(-ticks // report["network"]["frame_ticks"]))
    rails = trace_rails(log) if log.is_trace else table_rails(log)
    has_idle = bool(WHOLE.intersection(terms_of(report["cost"])))
    return Measured(
        device=report["device"]["name"],
        log=Path(log.path).name,
        sha256=log.sha256,
        about=log.rail,
        samples=log.samples,
        ticks=ticks,
        rails=tuple(compared(one, estimate.energy_j, has_idle) for one in rails),
        time=time_of(log, estimate.time_s),
        estimate=estimate,
    )


# ---- the estimate


def terms_of(cost: Mapping[str, Any]) -> set[str]:
    """Returns the terms of the estimated energy."""
    energy = cost["energy"]
    return set() if energy is None else {one["name"] for one in energy["terms"]}


def estimate_of(cost: Mapping[str, Any], ticks: int | None) -> SampleEstimate:
    """Returns the estimate of a sample."""
    energy, time = cost["energy"], cost["latency"]
    unknown = dict.fromkeys(name for one in (energy, time) if one is not None for name in one["unknown"])

    def value(entry: Mapping[str, Any] | None, unit: str, what: str) -> tuple[float | None, str | None]:
        if entry is None:
            return None, cost["reasons"][what]
        if ticks is None:
            return None, NO_TICKS
        return ticks * float(convert_value(float(entry["value"]), entry["unit"], unit)), None

    return SampleEstimate(*value(energy, "J", "energy"), *value(time, "s", "time"), tuple(unknown))


# ---- the measurement


def seconds_of(log: PowerLog, is_run: bool) -> Reals:
    """Returns the time after each row but the last, 0 for rows of the other phase."""
    assert log.time is not None  # of a trace
    return np.diff(log.time) * (log.is_run[:-1] == is_run)


def trace_rails(log: PowerLog) -> list[Rail]:
    """Returns the rails of a trace, without ratios."""
    run, idle = seconds_of(log, True), seconds_of(log, False)
    found: list[Rail] = []
    for name, power in log.power.items():
        means = np.where(log.is_run[:-1] == log.is_run[1:], (power[:-1] + power[1:]) / 2, power[:-1])
        energy, duration = float(means @ run), float(run.sum())
        idle_power = float(means @ idle) / float(idle.sum()) if idle.any() else None
        net = None if idle_power is None else energy - idle_power * duration
        sample, net_sample = (each(one, log.samples) for one in (energy, net))
        found.append(Rail(name, energy / duration, idle_power, energy, sample, net_sample, None, None, False))
    return found


def table_rails(log: PowerLog) -> list[Rail]:
    """Returns the rails of a table of samples, without ratios. Rows of idle samples have no run."""
    found: list[Rail] = []
    duration = None if log.time is None else float(log.time[log.is_run].sum())
    for name, values in log.energy.items():
        own = values[log.is_run]
        energy = float(own.sum())
        power = energy / duration if duration else None
        spread = Statistics.of(own.tolist())
        found.append(Rail(name, power, None, energy, each(energy, len(own)), None, spread, None, False))
    return found


def each(value: float | None, samples: int | None) -> float | None:
    return None if value is None or not samples else value / samples


def compared(rail: Rail, estimate: float | None, has_idle: bool) -> Rail:
    """Returns a rail with the ratio of the measured energy and the estimate; without idle power if the estimate has none."""
    is_net = not has_idle and rail.net_sample_j is not None
    energy = rail.net_sample_j if is_net else rail.sample_j
    return evolve(rail, ratio=ratio(energy, estimate), is_net=is_net)


def time_of(log: PowerLog, estimate: float | None) -> MeasuredTime:
    """Returns the duration of the run, and of a sample."""
    if log.time is None:
        return MeasuredTime(None, None, None, None, None)
    if not log.is_trace:
        own = log.time[log.is_run]
        sample = each(float(own.sum()), len(own))
        return MeasuredTime(float(own.sum()), None, sample, Statistics.of(own.tolist()), ratio(sample, estimate))
    run, idle = float(seconds_of(log, True).sum()), float(seconds_of(log, False).sum())
    sample = each(run, log.samples)
    return MeasuredTime(run, idle, sample, None, ratio(sample, estimate))


def ratio(value: float | None, estimate: float | None) -> float | None:
    return None if value is None or not estimate else value / estimate
