"""Sections of a build about its device: the map of cores, memory, energy and time; last its pipeline and hashes, folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....core.number_texts import number_text, percent_text, scaled_text
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
    """Yields energy and time of a tick by term, with the source of each coefficient."""
    cost: dict[str, Any] = report["cost"] or {}
    titles = {"energy": "Energy", "latency": "Time of a tick"}
    absent = [title for what, title in titles.items() if cost.get(what) is None]
    for what, title in titles.items():
        if (entry := cost.get(what)) is not None:
            unknown = f" Not known: {', '.join(entry['unknown'])}." if entry["unknown"] else ""
            text = f"{scaled_text(entry['value'], entry['unit'])} per {cost['per']}.{unknown}"
            yield Section(title, text=text, blocks=(term_table(entry),))
    if len(absent) == len(titles):
        yield Section("Energy and time", text="The device file has no coefficients, so that neither is estimated.")
    elif absent:
        yield Section(absent[0], text="The device file has no coefficients.")


def term_table(entry: Mapping[str, Any]) -> TableBlock:
    """Returns the terms of a sum; the shade of a value is its share."""
    total = entry["value"] or 1
    rows = tuple(
        (
            one["name"],
            number_text(one["count"]),
            scaled_text(one["coefficient"], one["unit"]),
            Cell(scaled_text(one["value"], entry["unit"]), BAR * min(1, (one["value"] or 0) / total), "after"),
            "-" if one["value"] is None else percent_text(one["value"] / total, 0),
            one["source"] or "-",
            one["confidence"] or "-",
        )
        for one in entry["terms"]
    )
    return TableBlock(
        ("term", "count", "coefficient", "value", "share", "source", "confidence"), rows, numbers=(1, 2, 3, 4)
    )


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
