"""Section of the core map: its sentences, its drawing, and the record for the script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ....core.device.device import load_device
from ....core.device.records import Device
from ....core.device.topology import topology_of
from ....core.number_texts import counted_text, number_text
from ...compiling.builds import DEVICE, require_mapping
from ..sections import Figure, Section
from .core_drawing import map_svg
from .core_map import CoreMap, core_map, map_record
from .graph_nodes import graph_nodes
from .layer_drawing import layer_record, layer_svg, layers_of

TITLE = "Cores and links"
SHADE = "A shade is the share of the fullest capacity: neurons, axons, synapses or memory."
STYLE, SCRIPT = "style.css.in", "script.js.in"


def page_part(name: str) -> str:
    """Returns the style or the script of schematics."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def map_section(folder: Path, report: Mapping[str, Any], network: ModuleOp | None) -> Section:
    """Returns the section of the map of a build. `network` is the network in ticks after all passes, if the build has one. Errors: CMP009."""
    if (summary := report["mapping"]) is None:
        if not report["units"]:
            return Section(TITLE, text="The target places no neurons on cores.")
        return units_section(report["units"], load_device(folder / DEVICE), network)
    mapping = require_mapping(folder)
    found = core_map(mapping, summary, load_device(folder / DEVICE))
    return Section(
        TITLE,
        text=" ".join(sentences(found, summary)),
        blocks=(Figure("", map_svg(found), is_wide=True),),
        data=map_record(found, mapping, summary),
    )


def units_section(units: Sequence[Mapping[str, Any]], device: Device, network: ModuleOp | None) -> Section:
    """Returns the section of a chip that computes layers."""
    layers = layers_of(units, [] if network is None else graph_nodes(network))
    every = topology_of(device).is_usable.sum() if device.integer("topology.cores") else None
    of = "" if every is None else f" of {number_text(int(every))}"
    count = counted_text(len([layer for layer in layers if layer.units]), "layer")
    text = f"{count} on {counted_text(len(units), 'unit')}{of}: cores, processors or arrays of the chip. {SHADE} Select a unit to see its use of resources."
    return Section(TITLE, text=text, blocks=(Figure("", layer_svg(layers), is_wide=True),), data=layer_record(layers))


def sentences(found: CoreMap, summary: Mapping[str, Any]) -> Iterator[str]:
    """Yields the sentences about a map; those about links only where links have load."""
    counts = [counted_text(summary["vertices"], "vertex"), counted_text(summary["cores"], "core")]
    yield f"{counts[0]} on {counts[1]} of {number_text(found.topology.cores)}."
    if any(box.fullness is not None for box in found.boxes):
        yield SHADE
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
