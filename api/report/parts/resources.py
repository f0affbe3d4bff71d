"""Sections of a build about its device: the map of cores, memory, energy and time; last its pipeline and hashes, folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....core.device.cost.records import MEANINGS, POWERS
from ....core.diagnostics import quote_names
from ....core.number_texts import number_text, percent_text, range_text, scaled_text
from ..build_differences import split_passes
from ..sections import Block, BlockGroup, Cell, Lines, Section, TableBlock

BAR = 0.5
"""Share of the colour in a cell with the whole of a sum."""


def memory_section(report: Mapping[str, Any]) -> Section:
    """Returns the memory by region."""
    memory: dict[str, int | None] = report["memory"] or {}
    known = {name: n for name, n in memory.items() if n is not None}
    if not known:
        return Section("Memory", text="The target reports no memory.")
    rows = tuple((name, "not measured" if n is None else scaled_text(n, "byte")) for name, n in memory.items())
    return Section("Memory", blocks=(TableBlock(("region", "size"), rows, numbers=(1,)),))


def cost_sections(report: Mapping[str, Any]) -> Iterator[Section]:
    """Yields energy and time of a tick or frame by term, with the source of each coefficient, its events, and those of a sample."""
    cost: dict[str, Any] = report["cost"]
    reasons = cost["reasons"]
    is_shared = reasons["energy"] is not None and reasons["energy"] == reasons["time"]
    if is_shared:
        yield Section("Energy and time", text=f"Not known: {reasons['energy']}.")
    parts = (("energy", "energy", "Energy"), ("time", "latency", f"Time of a {cost['per']}"))
    for what, part, title in () if is_shared else parts:
        if (entry := cost[part]) is None:
            yield Section(title, text=f"Not known: {reasons[what]}.")
            continue
        unknown = f" Not known: {', '.join(entry['unknown'])}." if entry["unknown"] else ""
        bound = "At least " if unknown else ""
        text = f"{bound}{range_text(entry['low'], entry['high'], entry['unit'])} per {cost['per']}.{unknown}"
        if part == "latency" and entry["high"] > entry["tick"]:
            state = "the device is slower than real time" if entry["low"] > entry["tick"] else "within this range"
            text += f" A {cost['per']} of this network is {scaled_text(entry['tick'], 'ns')}: {state}."
        blocks: tuple[Block, ...] = (term_table(entry),)
        if part == "energy" and cost["others"]:
            rows = tuple(
                (one["name"], one["about"], range_text(one["low"], one["high"], one["unit"])) for one in cost["others"]
            )
            blocks += (BlockGroup("By other sources", (TableBlock(("source", "about", "value"), rows, numbers=(2,)),)),)
        yield Section(title, text=text, blocks=blocks)
    if cost["events"]:
        yield events_section(cost)
    if cost["sample"] is not None:
        yield sample_section(cost["sample"], cost["per"], is_bound=bool((cost["energy"] or {}).get("unknown")))
    if cost["inferences"]:
        rows = tuple(
            (one["network"], scaled_text(one["energy_pj"], "pJ"), scaled_text(one["time_ns"], "ns"), one["source"])
            for one in cost["inferences"]
        )
        table = TableBlock(("network", "energy", "time", "source"), rows, numbers=(1, 2))
        yield Section("Inferences of other networks that were measured on this device", blocks=(table,))


def events_section(cost: Mapping[str, Any]) -> Section:
    """Returns the events of a tick or frame: their number, times the coefficient, is their energy."""
    rows = tuple(
        (
            one["name"],
            one["about"],
            number_text(one["count"]),
            one["reason"] if one["coefficient"] is None else scaled_text(one["coefficient"], f"pJ/{one['unit']}"),
            "-" if one["energy"] is None else range_text(one["energy"]["low"], one["energy"]["high"], "pJ"),
        )
        for one in cost["events"]
    )
    text = ""
    if cost["assumed"]:
        text = f"Without an observation, each neuron of {quote_names(cost['assumed'])} counts as one spike per {cost['per']}."
    table = TableBlock(("event", "about", "count", "coefficient", "energy"), rows, numbers=(2, 3, 4))
    return Section(f"Events of a {cost['per']}", text=text, blocks=(table,))


def sample_section(sample: Mapping[str, Any], per: str, *, is_bound: bool) -> Section:
    """Returns time, energy and power of a sample at each length of a tick or frame; energy and power may be lower bounds."""
    is_slower = sample["fastest"] is not None and sample["fastest"]["tick_ns"] > sample["real_time"]["tick_ns"]
    real_time = "in real time, if the device reaches it" if is_slower else "in real time"
    paces = ((real_time, sample["real_time"]), ("as fast as the device computes", sample["fastest"]))
    rows = tuple((name, *pace_cells(pace)) for name, pace in paces if pace is not None)
    head = ("pace", per, "time of a sample", "energy of a sample", "mean power")
    text = "Energy and power are at least these: some coefficients are not known." if is_bound else ""
    if (answer := sample["per_correct"]) is not None:
        text = f"A correct answer costs {range_text(answer['low'], answer['high'], answer['unit'])}, in real time. {text}".strip()
    return Section("Cost of a sample", text=text, blocks=(TableBlock(head, rows, numbers=(1, 2, 3, 4)),))


def pace_cells(pace: Mapping[str, Any]) -> tuple[str, str, str, str]:
    energy, power = pace["energy"], pace["power_mw"]
    return (
        scaled_text(pace["tick_ns"], "ns"),
        scaled_text(pace["time_ns"], "ns"),
        "-" if energy is None else range_text(energy["low"], energy["high"], energy["unit"]),
        "-" if power is None else range_text(power["low"], power["high"], "mW"),
    )


def term_table(entry: Mapping[str, Any]) -> TableBlock:
    """Returns the terms of a sum; the shade of a value is its share."""
    total: float = entry["value"] or 1
    terms: list[dict[str, Any]] = entry["terms"]
    rows: tuple[tuple[str | Cell, ...], ...] = tuple(
        (
            term_title(one["name"]),
            scaled_text(one["count"], "ns") if one["name"] in POWERS else number_text(one["count"]),
            scaled_text(one["coefficient"], one["unit"]),
            Cell(
                range_text(one["low"], one["high"], entry["unit"]), BAR * min(1, (one["value"] or 0) / total), "after"
            ),
            percent_text(one["value"] / total, 0),
            one["scope"],
            one["condition"] or "-",
            one["source"],
            f"{one['basis']}, {one['confidence']}" if one["basis"] else one["confidence"] or "-",
        )
        for one in terms
    )
    return TableBlock(
        ("term", "count", "coefficient", "value", "share", "scope", "condition", "source", "basis"),
        rows,
        numbers=(1, 2, 3, 4),
    )


def term_title(name: str) -> str:
    """Returns the name of a term with its meaning."""
    about, _ = {**MEANINGS, **POWERS}.get(name, ("", ""))
    return f"{name}: {about}" if about else name


def making_section(report: Mapping[str, Any]) -> Section:
    """Returns how the build was made: notes, its pipeline, and the hashes of its inputs and files."""
    head = ("role", "name", "SHA-256")
    rows = [("nopt", report["nopt"], ""), ("device", report["device"]["name"], report["device"]["sha256"])]
    rows += [(one["role"], one["name"], one["sha256"]) for one in report["inputs"]]
    files = tuple(f"{one['sha256']}  {one['name']}" for one in report["files"])
    blocks: Sequence[Block] = (
        *((BlockGroup("Notes", (Lines(tuple(report["notes"])),)),) if report["notes"] else ()),
        BlockGroup("Pipeline", (Lines(tuple(split_passes(report["pipeline"]))),)),
        BlockGroup("Hashes", (TableBlock(head, tuple(rows)),)),
        BlockGroup("Hashes of the files", (Lines(files),), text="In the form of sha256sum -c."),
    )
    return Section("How it was made: pipeline and hashes", blocks=tuple(blocks), is_folded=True)
