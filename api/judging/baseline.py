"""Comparison of a build with an earlier one, the baseline, and limits of its memory and energy: for jobs of continuous integration.

| figure | worse than the baseline by more than | without a threshold of the user |
| --- | --- | --- |
| accuracy | `accuracy` of `--max-loss`, in points | 1 point |
| agreement, spike agreement | the distance of the threshold from 1: 0.02 for `agreement=0.98` | 0.05; spike agreement: not compared |
| count error, relative error | the threshold | 0.1 |
| memory | `GROWTH` | 5 % |
| ROM | not compared if `--max-rom` limits it | 5 % |
| energy, the upper end of its range | not compared if `--max-energy` limits it | 5 % |
| latency of an output | 0 ticks | |

A figure that the baseline does not have is not compared. A figure that the baseline has and the build does not is an error, as a limit of a figure that is not
known: it cannot be checked. Losses on generated input are remarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from attrs import evolve, frozen

from ...core.diagnostics import Code, Finding, Severity, quote_names, refuse
from ...core.files import read_bytes
from ...core.json_node import JsonNode
from ...core.json_schema import require_schema
from ...core.number_texts import counted_text, number_text, percent_text, scaled_text
from ..compiling.builds import REPORT, REPORT_SCHEMA
from ..costing.estimates import total_bytes
from ..field_schemas import INFINITIES, INTEGER, NUMBER, TEXT, map_of, maybe, record_of
from ..unit_values import energy_pj, memory_bytes
from .loss_findings import GENERATED
from .thresholds import LOSS_FIGURES, Figure, Thresholds, points_text

BAS001 = Code("BAS001", "baseline-unreadable", "the baseline is not a report of nopt compile")
BAS002 = Code("BAS002", "baseline-of-another-network", "the baseline belongs to another network")
BAS003 = Code("BAS003", "worse-than-baseline", "the build is worse than the baseline")
BAS004 = Code("BAS004", "limit-of-build-exceeded", "the build exceeds a limit")
BAS005 = Code("BAS005", "figure-not-known", "a figure is not known, so it cannot be checked")
BAS006 = Code("BAS006", "baseline-differs", "the baseline was built in another way")

BASELINE = "--baseline"
GROWTH = 0.05
"""Largest growth of memory and energy, relative to the baseline."""
SCHEMA = record_of(
    "schema",
    "network",
    "device",
    "latency_ticks",
    "inputs",
    "loss",
    "memory",
    "cost",
    schema=TEXT,
    network=record_of(name=TEXT, tick_ns=INTEGER),
    device=record_of(name=TEXT),
    latency_ticks=map_of(INTEGER),
    loss=maybe(
        record_of("measured_on", measured_on=TEXT, **{one.name: maybe(NUMBER, INFINITIES) for one in LOSS_FIGURES})
    ),
    memory=maybe(map_of(maybe(INTEGER))),
    cost=maybe(record_of(energy=maybe(record_of(value=NUMBER, unknown={"type": "array", "items": TEXT})))),
    inputs={"type": "array", "items": record_of(role=TEXT, name=TEXT, sha256=TEXT)},
)
"""The schema of the parts of a report that are compared."""
SAMPLE = "calib"
"""Role of the sample input in a report."""


@frozen
class Gate:
    """Conditions that a build must meet, besides the thresholds of its loss."""

    path: str | None = None
    """The baseline as the user names it."""
    baseline: Mapping[str, Any] | None = None
    """The report of the baseline."""
    max_rom: int | None = None
    """Largest ROM [bytes]."""
    max_energy: float | None = None
    """Largest energy of a tick or frame [pJ], for the upper end of its range."""


def read_baseline(path: str | Path) -> dict[str, Any]:
    """Returns the report of an earlier build, from its file or its directory. Errors: COR008; BAS001 another file, or another version of the record."""
    place = Path(path) / REPORT if Path(path).is_dir() else Path(path)
    try:
        text = read_bytes(place).decode()
    except UnicodeDecodeError:
        text = ""
    node = JsonNode.parse(str(place), text, BAS001)
    value: object = node.value
    record = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    name = record.get("schema")
    if name != REPORT_SCHEMA:
        refuse(
            BAS001,
            file=str(place),
            expected=f'"schema": "{REPORT_SCHEMA}", the record of nopt compile',
            found=f"a record {name}" if isinstance(name, str) else "no record of nopt",
            help="--baseline DIR/report.json",
        )
    require_schema(node, SCHEMA)
    return record


def read_gate(baseline: str | Path | None, max_rom: int | str | None, max_energy: str | None) -> Gate:
    """Returns the conditions of the user. Errors: COR008, BAS001 the baseline; API022 a limit."""
    return Gate(
        None if baseline is None else str(baseline),
        None if baseline is None else read_baseline(baseline),
        None if max_rom is None else memory_bytes(max_rom, "--max-rom"),
        None if max_energy is None else energy_pj(max_energy, "--max-energy"),
    )


def require_same_network(gate: Gate, network: Mapping[str, Any], outputs: Sequence[str]) -> None:
    """Refuses a baseline whose network has another name, tick or outputs. Errors: BAS002."""
    if gate.baseline is None:
        return
    old = gate.baseline["network"]
    pairs = [
        (f"the network {old['name']}", f"the network {network['name']}"),
        (f"a tick of {scaled_text(old['tick_ns'], 'ns')}", f"a tick of {scaled_text(network['tick_ns'], 'ns')}"),
        (
            f"the outputs {quote_names(sorted(gate.baseline['latency_ticks']))}",
            f"the outputs {quote_names(sorted(outputs))}",
        ),
    ]
    for found, expected in pairs:
        if found != expected:
            refuse(
                BAS002,
                at=f"{BASELINE} {gate.path}",
                expected=expected,
                found=found,
                help="nopt explain BAS002",
            )


def judge_build(gate: Gate, report: Mapping[str, Any], thresholds: Thresholds) -> Iterator[Finding]:
    """Yields a finding for each limit that a build exceeds, and for each figure that is worse than that of the baseline. Errors: BAS003 to BAS005. Remarks: BAS003, BAS006."""
    yield from limits(gate, report)
    if gate.baseline is not None:
        found = (
            *other_conditions(gate, report),
            *worse_losses(gate.baseline, report, thresholds),
            *larger_figures(gate, report),
        )
        yield from (evolve(one, source=f"{BASELINE} {gate.path}") for one in found)


# ---- limits of the user


def limits(gate: Gate, report: Mapping[str, Any]) -> Iterator[Finding]:
    """Yields the limits of ROM and energy that a build exceeds. Errors: BAS004; BAS005 the figure is not known."""
    for one in QUANTITIES:
        limit: float | None = None if one.limit is None else getattr(gate, one.limit)
        if limit is None:
            continue
        value, flag = one.value_of(report), one.flag
        if value is None:
            reason = one.reason_of(report)
            yield Finding(
                BAS005,
                f"the {one.named(report)} is not known, so {flag} cannot be checked: {reason}",
                path=one.name,
                source=flag,
            )
        elif value > limit:
            yield Finding(
                BAS004,
                f"the {one.named(report)} is {one.text(value)}, but {flag} allows {one.text(limit)}",
                path=one.name,
                limit=limit,
                value=value,
                source=flag,
            )
        for name in one.left_out(report) if value is not None else ():
            yield Finding(
                BAS005,
                f"the {one.named(report)} is checked without {name}, which the device file does not specify",
                Severity.REMARK,
                path=one.name,
                source=flag,
            )


# ---- the baseline


def other_conditions(gate: Gate, report: Mapping[str, Any]) -> Iterator[Finding]:
    """Yields a remark about each condition that differs from that of the baseline. Remarks: BAS006."""
    assert gate.baseline is not None
    old, new = gate.baseline["device"]["name"], report["device"]["name"]
    if old != new:
        yield Finding(BAS006, f"the baseline was built for {old}, this build is for {new}", Severity.REMARK)
    samples = [sample_of(one) for one in (gate.baseline, report)]
    if None not in samples and samples[0] != samples[1]:
        yield Finding(BAS006, "the baseline was measured on another sample input", Severity.REMARK)


def sample_of(report: Mapping[str, Any]) -> str | None:
    """Returns the hash of the sample input; None without one."""
    return next((one["sha256"] for one in report["inputs"] if one["role"] == SAMPLE), None)


def worse_losses(old: Mapping[str, Any], new: Mapping[str, Any], thresholds: Thresholds) -> Iterator[Finding]:
    """Yields a finding for each figure of loss that is worse than before by more than its threshold. Errors: BAS003, BAS005. Remarks: BAS003."""
    before: Mapping[str, Any] = old["loss"] or {}
    after: Mapping[str, Any] = new["loss"] or {}
    kinds = [one.get("measured_on") for one in (before, after)]
    is_generated = GENERATED in kinds
    if kinds[0] not in (None, GENERATED, kinds[1]):
        how = "not measured" if kinds[1] is None else f"measured on {GENERATED}"
        text = f"the loss is {how}, that of the baseline on a sample input, so they cannot be compared"
        yield Finding(BAS005, text, path="loss", help="--calib X")
        return
    for figure in LOSS_FIGURES:
        threshold = thresholds.limits.get(figure)
        first, last = number_of(before.get(figure.name)), number_of(after.get(figure.name))
        if threshold is None or first is None:
            continue
        if last is None:
            yield Finding(
                BAS005,
                f"the {figure.words} is not known, so it cannot be compared with that of the baseline, {loss_text(figure, first)}",
                Severity.REMARK if is_generated else Severity.ERROR,
                path=f"loss.{figure.name}",
                help="--labels Y" if figure.unit else None,
            )
            continue
        allowed = allowed_change(figure, threshold)
        change = round(first - last if is_score(figure) else last - first, 9)
        if not change <= allowed:  # NaN is worse
            yield Finding(
                BAS003,
                f"the {figure.words} is {loss_text(figure, last)}, that of the baseline {loss_text(figure, first)}"
                f": worse by more than {change_text(figure, allowed)}{' on generated input' * is_generated}",
                Severity.REMARK if is_generated else Severity.ERROR,
                path=f"loss.{figure.name}",
                limit=round(first - allowed if is_score(figure) else first + allowed, 9),
                value=last,
            )


def number_of(value: float | str | None) -> float | None:
    """Returns a number of a record, in which NaN and infinity are texts."""
    return None if value is None else float(value)


def is_score(figure: Figure) -> bool:
    """Returns whether a larger figure is better. The threshold of the accuracy limits its fall."""
    return figure.is_share or bool(figure.unit)


def allowed_change(figure: Figure, threshold: float) -> float:
    """Returns the largest change for the worse, from the threshold of a figure."""
    if figure.unit:
        return threshold / 100
    return round(1 - threshold, 9) if figure.is_share else threshold


def loss_text(figure: Figure, value: float) -> str:
    return percent_text(value) if figure.unit else number_text(value)


def change_text(figure: Figure, change: float) -> str:
    return points_text(100 * change) if figure.unit else number_text(change)


# ---- memory, energy and latency


def bytes_text(value: float) -> str:
    return counted_text(int(value), "byte")


def energy_text(value: float) -> str:
    return f"{number_text(value, 6)} pJ"


def memory_of(report: Mapping[str, Any]) -> float | None:
    """Returns the memory of a build; None if it is not known, or known as ROM and RAM."""
    memory: Mapping[str, int | None] = report["memory"] or {}
    return None if ROM in memory else total_bytes(memory)


def energy_of(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the record of the energy of a step, empty if no coefficient is known."""
    energy: Mapping[str, Any] = (report["cost"] or {}).get("energy") or {}
    return energy if energy.get("terms") else {}


@frozen
class Quantity:
    """A quantity of a build that costs."""

    name: str
    words: str
    value_of: Callable[[Mapping[str, Any]], float | None]
    """Returns the value in a report; None if it is not known."""
    text: Callable[[float], str]
    limit: Literal["max_rom", "max_energy"] | None = None
    """The field of `Gate` that limits it."""
    reason_of: Callable[[Mapping[str, Any]], str] = lambda report: ""
    """Returns why the value of a report is not known."""
    left_out: Callable[[Mapping[str, Any]], list[str]] = lambda report: list[str]()
    """Returns the names of coefficients that the value does not include."""

    def named(self, report: Mapping[str, Any]) -> str:
        """Returns the words for the quantity of a build, of a tick or of a frame."""
        return self.words.format(per=(report["cost"] or {}).get("per", "tick"))

    @property
    def flag(self) -> str:
        return f"--{(self.limit or '').replace('_', '-')}"


ROM, RAM = "rom", "ram"
QUANTITIES = (
    Quantity(
        "memory.rom",
        "ROM",
        lambda report: (report["memory"] or {}).get(ROM),
        bytes_text,
        "max_rom",
        lambda _: (
            "only a build of C with a toolchain for the microcontroller (--set c.toolchain=NAME) measures it; --max-memory limits all memory"
        ),
    ),
    Quantity("memory.ram", "RAM", lambda report: (report["memory"] or {}).get(RAM), bytes_text),
    Quantity("memory", "memory", memory_of, bytes_text),
    Quantity(
        "cost.energy",
        "energy of a {per}",
        lambda report: energy_of(report).get("high", energy_of(report).get("value")),  # a report of old has no range
        energy_text,
        "max_energy",
        lambda report: report["cost"]["reasons"]["energy"],
        lambda report: energy_of(report).get("unknown", []),
    ),
)


def larger_figures(gate: Gate, report: Mapping[str, Any]) -> Iterator[Finding]:
    """Yields a finding for each quantity that grew by more than `GROWTH`, and each output with a larger latency. Errors: BAS003, BAS005. Remarks: BAS006."""
    assert gate.baseline is not None
    for one in QUANTITIES:
        first, last = one.value_of(gate.baseline), one.value_of(report)
        if first is None or (one.limit is not None and getattr(gate, one.limit) is not None):
            continue
        if last is None:
            yield Finding(
                BAS005,
                f"the {one.named(report)} is not known, so it cannot be compared with that of the baseline, {one.text(first)}",
                path=one.name,
            )
        elif one.left_out(gate.baseline) != one.left_out(report):
            text = f"the {one.named(report)} has other coefficients than that of the baseline, so they are not compared"
            yield Finding(BAS006, text, Severity.REMARK, path=one.name)
        elif last > first * (1 + GROWTH):
            growth = f"{percent_text((last - first) / first)} more" if first else "more"
            yield Finding(
                BAS003,
                f"the {one.named(report)} is {one.text(last)}, that of the baseline {one.text(first)}: {growth}, at most {percent_text(GROWTH, 0)} is allowed",
                path=one.name,
                limit=round(first * (1 + GROWTH), 9),
                value=last,
            )
    for name, ticks in report["latency_ticks"].items():
        old: int = gate.baseline["latency_ticks"].get(name, ticks)
        if ticks > old:
            texts = [counted_text(count, "tick") for count in (ticks, old)]
            text = f'the latency of the output "{name}" is {texts[0]}, that of the baseline {texts[1]}'
            yield Finding(BAS003, text, path=f"latency_ticks.{name}", limit=old, value=ticks)
