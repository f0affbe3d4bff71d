"""Sections of two builds side by side: their cards, the figures that differ, the outputs of both as an overlay, and their maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, Diagnostics, refuse
from ....core.number_texts import counted_text, number_text
from ...judging.loss_texts import TITLES, known_figures, loss_text
from ...running.comparison import Comparison, Difference
from ..build_differences import BuildDifferences, Change, change_text
from ..figures.charts import Strip, raster_chart, trace_chart
from ..figures.density import overlay
from ..measurements import Pair, Recorded, pairs_of, telling_neurons
from ..schematics.graph_nodes import GraphNode, graph_nodes, nearest_sources
from ..schematics.map_section import map_section
from ..sections import Block, BlockGroup, Figure, Legend, Section, TableBlock
from .card import card_section

API024 = Code("API024", "builds-of-different-networks", "two builds are of different networks")
API025 = Code("API025", "builds-of-changed-network", "two builds are of networks whose files differ")

SIDES = ("A", "B")
BOTH: Legend = (("both", "same in both"), ("before", "A only"), ("after", "B only"))
RUNS: Legend = (("before", "A"), ("after", "B"))
MOST_PLACES = 200
"""Largest number of vertices whose cores are listed."""
VERTEX_PLACE = "core of "


@frozen(eq=False)
class Build:
    """A build of a comparison."""

    folder: Path
    report: dict[str, Any]
    stages: Sequence[tuple[str, ModuleOp]]

    @property
    def ends(self) -> list[tuple[str, str]]:
        """Returns the inputs and outputs of the network with their shapes, or its outputs alone if the build has no network in ticks."""
        if not self.stages:
            return [(name, "output") for name in self.report["latency_ticks"]]
        return [(node.name, node.kind) for node in graph_nodes(self.stages[0][1]) if node.role == "end"]

    @property
    def network_hash(self) -> str | None:
        """Returns the hash of the file of the network; None for a network from Python."""
        return next((one["sha256"] for one in self.report["inputs"] if one["role"] == "network"), None)


def require_same_network(a: Build, b: Build, diagnostics: Diagnostics) -> bool:
    """Returns whether the files of both networks are equal, and warns if not. Errors: API024 other inputs or outputs."""
    if a.ends != b.ends:
        refuse(
            API024,
            at=str(b.folder),
            expected=f"{ends_text(a.ends)}, as in {a.folder}",
            found=ends_text(b.ends),
            help=f"nopt report {b.folder}",
        )
    if a.network_hash == b.network_hash:
        return True
    diagnostics.warning(
        API025,
        at=str(b.folder),
        expected=f"a network file with the hash {change_text(a.network_hash)}, as in {a.folder}",
        found=change_text(b.network_hash),
        help=f"nopt diff {a.folder} {b.folder}",
    )
    return False


def ends_text(ends: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f'{kind} "{name}"' for name, kind in ends)


def comparison_sections(
    a: Build, b: Build, differences: BuildDifferences, runs: tuple[Recorded, Recorded] | None, *, is_same_network: bool
) -> list[Section]:
    """Returns the sections of two builds. `runs` are the records of both on the input, if one was given."""
    builds = (a, b)
    other = "" if is_same_network else " The files of the networks differ: figures can differ for this reason alone."
    cards = tuple(side_section(side, build) for side, build in zip(SIDES, builds, strict=True))
    sections = [Section("Two builds", text=f"Inputs and outputs are the same.{other}", sides=cards)]
    if runs is None:
        sections.append(
            Section("Outputs", text="No input was given: nopt report A B --input X draws the outputs of both.")
        )
    else:
        sections.append(outputs_section(a, runs, differences))
    sections.append(differences_section(differences.changes))
    maps = tuple(
        evolve(
            map_section(build.folder, build.report, build.stages[-1][1] if build.stages else None),
            title=f"{side}: {build.folder.name}",
        )
        for side, build in zip(SIDES, builds, strict=True)
    )
    return [*sections, Section("Cores and links", sides=maps)]


def side_section(side: str, build: Build) -> Section:
    return evolve(card_section(build.report), title=f"{side}: {build.folder.name}")


# ---- figures


def differences_section(changes: Sequence[Change]) -> Section:
    """Returns the figures that differ; the places of vertices and the passes are folded."""
    places = [one for one in changes if one.what.startswith(VERTEX_PLACE)]
    passes = [one for one in changes if one.topic in ("pipeline", "approximations")]
    others = [one for one in changes if one not in places and one not in passes]
    blocks: list[Block] = [change_table(others, "figures that differ")] if others else []
    if passes:
        blocks.append(
            BlockGroup(
                "Passes and approximations",
                (change_table(passes, "those of one build alone, or with another error"),),
                is_folded=True,
            )
        )
    if places:
        shown = places[:MOST_PLACES]
        text = f"The first {len(shown)} of {counted_text(len(places), 'vertex')}." if len(places) > len(shown) else ""
        table = change_table(shown, "cores of vertices")
        blocks.append(BlockGroup("Places of vertices", (table,), text=text, is_folded=True))
    text = "All figures are equal." if not changes else f"{counted_text(len(changes), 'figure')} differ."
    return Section("Differences", text=text, blocks=tuple(blocks))


def change_table(changes: Sequence[Change], caption: str) -> TableBlock:
    rows = tuple((one.topic, one.what, change_text(one.a), change_text(one.b)) for one in changes)
    return TableBlock(("topic", "figure", *SIDES), rows, caption=caption, numbers=(2, 3))


# ---- outputs


def outputs_section(a: Build, runs: tuple[Recorded, Recorded], differences: BuildDifferences) -> Section:
    """Returns the overlay of the outputs of both builds for the first sample, and the comparison of all samples."""
    names = output_populations(graph_nodes(a.stages[-1][1]))
    blocks: list[Block] = []
    for pair in aligned_pairs(*runs):
        if pair.name in names:
            late = (
                f"Ticks are compared after a latency of {counted_text(pair.latency, 'tick')}." if pair.latency else ""
            )
            blocks.append(BlockGroup(pair.name, tuple(pair_figures(pair)), text=late))
    if (loss := differences.loss.between) is not None and (figures := known_figures([loss])):
        cells = tuple(loss_text(name, getattr(loss, name)) for name in figures)
        blocks.insert(
            0, TableBlock(tuple(TITLES[name] for name in figures), (cells,), caption="B against A, all samples")
        )
    if differences.outputs is not None:
        blocks.append(output_table(differences.outputs))
    text = f"Sample 0 of {runs[0].extent}."
    return Section("Outputs", text=text, blocks=tuple(blocks))


def output_populations(nodes: Sequence[GraphNode]) -> set[str]:
    """Returns the populations whose events or values are outputs."""
    index = {k for k, node in enumerate(nodes) if node.role in ("population", "helper")}
    ends = [k for k, node in enumerate(nodes) if node.role == "end" and node.sources]
    return {nodes[k].name for end in ends for k in nearest_sources(nodes, end, index)}


def aligned_pairs(a: Recorded, b: Recorded) -> Iterator[Pair]:
    """Yields the populations of both runs; the ticks of the later one are moved."""
    backward = {pair.name: pair for pair in pairs_of(b, a)}
    for pair in pairs_of(a, b):
        other = backward[pair.name]
        yield evolve(other, before=other.after, after=other.before) if other.latency else pair


def pair_figures(pair: Pair) -> Iterator[Figure]:
    """Yields the raster of the events of both builds, or the values of some neurons."""
    if pair.before is None or pair.after is None:
        return
    a, b = (one.events for one in (pair.before, pair.after))
    if a is not None and b is not None and a[0].shape == b[0].shape:
        yield raster_figure(pair.name, a[0], b[0])
    values = [one.values for one in (pair.before, pair.after)]
    neurons = telling_neurons(pair)
    if values[0] is not None and values[1] is not None and neurons:
        yield value_figure(pair, values[0], values[1], neurons)


def raster_figure(name: str, a: NDArray[np.int64], b: NDArray[np.int64]) -> Figure:
    """Returns the raster of two runs. Shapes: [ticks, neurons]."""
    cells = overlay(a, b)
    both, only_a, only_b = (int(part.sum()) for part in (cells.both, cells.before, cells.after))
    caption = f"{both + only_a:,} events in A, {both + only_b:,} in B; same neuron and tick: {both:,}, only A: {only_a:,}, only B: {only_b:,}."
    ticks, neurons = map(int, a.shape)
    return Figure(caption, raster_chart(cells, ticks, neurons, f"raster of {name}. {caption}"), BOTH)


def value_figure(pair: Pair, a: Reals, b: Reals, neurons: Sequence[int]) -> Figure:
    """Returns the values of the neurons that differ most. Shapes: a and b [samples, ticks, neurons]."""
    strips = [Strip(f"neuron {n}", {"before": a[0, :, n], "after": b[0, :, n]}, {}) for n in neurons]
    is_scaled = all(one is not None and one.is_scaled for one in (pair.before, pair.after))
    unit = "the network" if is_scaled else "each chip, which are not known: they can differ"
    return Figure(f"Values in units of {unit}.", trace_chart(strips, f"values of {pair.name}"), RUNS)


def output_table(outputs: Comparison) -> TableBlock:
    """Returns the comparison of the outputs of all samples, as `nopt diff` reports it."""
    rows = [(name, *difference_cells(one)) for name, one in outputs.arrays.items()]
    rows += [(name, "only in A", "-", "-") for name in outputs.only_in_a]
    rows += [(name, "only in B", "-", "-") for name in outputs.only_in_b]
    head = ("output", "entries that differ", "largest difference", "first difference")
    return TableBlock(head, tuple(rows), caption="all samples, tick by tick, in units of the network", numbers=(1, 2))


def difference_cells(one: Difference) -> tuple[str, str, str]:
    if one.shape_a != one.shape_b:
        return "-", "-", f"shapes {one.shape_a} and {one.shape_b}"
    first = one.first
    where = "none"
    if first is not None:
        where = f"{first.place}: {number_text(first.a)} and {number_text(first.b)}"
    return number_text(one.differing), number_text(one.max_abs), where
