"""Section of the core map: its sentences, its drawing, and the record for the script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ....core.device.device import load_device
from ....core.number_texts import counted_text, number_text
from ...compiling.builds import DEVICE, require_mapping
from ..sections import Figure, Section
from .core_drawing import map_svg
from .core_map import CoreMap, core_map, map_record

TITLE = "Cores and links"
STYLE, SCRIPT = "style.css.in", "script.js.in"


def page_part(name: str) -> str:
    """Returns the style or the script of schematics."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def map_section(folder: Path, report: Mapping[str, Any]) -> Section:
    """Returns the section of the map of a build. Errors: CMP009."""
    if (summary := report["mapping"]) is None:
        return Section(TITLE, text="The target places no neurons on cores.")
    mapping = require_mapping(folder)
    found = core_map(mapping, summary, load_device(folder / DEVICE))
    return Section(
        TITLE,
        text=" ".join(sentences(found, summary)),
        blocks=(Figure("", map_svg(found), is_wide=True),),
        data=map_record(found, mapping, summary),
    )


def sentences(found: CoreMap, summary: Mapping[str, Any]) -> Iterator[str]:
    """Yields the sentences about a map; those about links only where links have load."""
    counts = [counted_text(summary["vertices"], "vertex"), counted_text(summary["cores"], "core")]
    yield f"{counts[0]} on {counts[1]} of {number_text(found.topology.cores)}."
    if any(box.fullness is not None for box in found.boxes):
        yield "The shade of a core is the share of its fullest capacity: neurons, axons, synapses or memory."
    if found.fold > 1:
        yield f"A box stands for up to {counted_text(found.fold, 'core')}, and its shade for the fullest of them."
    if found.links:
        yield f"Width and shade of a link are its events per tick, over {counted_text(found.loads, 'link')} with load."
    if found.hidden:
        yield (
            f"{counted_text(found.hidden, 'link')} inside of boxes are not drawn."
            if found.hidden > 1
            else "One link inside of a box is not drawn."
        )
    if any(link.is_wrapped for link in found.links):
        yield "A link around a border of the machine is two stubs."
    busiest = summary["links"]["busiest"]
    if busiest is not None:
        yield f"Busiest link: {busiest['name']}, {number_text(busiest['load'])} events per tick."
    yield "Select a core (arrow keys and Enter, or a click) to see its vertices" + (
        " and their routes." if found.links else "."
    )
