"""An artefact of Loihi for other tools than Lava: its neurons and synapses, read by the script of the artefact.

Runs in the environment of a tool, so it imports numpy alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np


class Artefact:
    """The network of a folder, and an input of it [ticks, neurons]."""

    def __init__(self, folder: Path, inputs: Path):
        sys.path.insert(0, str(folder))
        self.script: Any = import_module("lava_network")
        self.network = self.script.Network()
        shapes = {one.source: one.shape for one in self.sources}
        self.inputs, self.ticks, _ = self.script.read_inputs(inputs, shapes, None)

    @property
    def sources(self) -> list[Any]:
        return self.network.sources

    @cached_property
    def blocks(self) -> list[Any]:
        """Returns the compartments of each population with the same parameters; `place` is their place in the population."""
        return [part for block in self.network.blocks for part in parts_of(block)]

    def spikes(self, source: Any) -> np.ndarray:
        """Returns the spikes of an input. Shapes: [ticks, neurons]."""
        return self.inputs[source.source].reshape(self.ticks, -1)[:, source.index]

    def connections(self, block: Any) -> Iterator[tuple[Any, dict[str, Any], np.ndarray, np.ndarray]]:
        """Yields sender, table, weights and delays of all synapses into a block. Shapes: weights and delays [targets, sources]."""
        for (core, group), start in zip(block.groups, block.starts, strict=True):
            for table in self.script.ops_in(group, "dense", "sparse"):
                for sender in [*self.sources, *self.blocks]:
                    if core["place"] in sender.axons:
                        found = self.script.synapses_of(table, *sender.axons[core["place"]])
                        yield from self.matrices(block, start, sender, table, found)

    def matrices(
        self, block: Any, start: int, sender: Any, table: dict[str, Any], found: Any
    ) -> Iterator[tuple[Any, dict[str, Any], np.ndarray, np.ndarray]]:
        """Yields the synapses of a table from a sender into the compartments of a block."""
        source, target, weight, delay = found
        shape = block.size, len(sender.index)
        for pair in self.script.matrices_of(source, start + target, weight, delay, shape, table["sign_mode"]):
            weights, delays = (matrix[block.place] for matrix in pair)
            if weights.any():
                yield sender, table, weights, delays

    def save(self, out: Path, found: dict[Any, tuple[Any, Any, Any]]) -> None:
        """Writes spikes, i and v of each population. Shapes: of each block [ticks, neurons]."""
        arrays: dict[str, np.ndarray] = {}
        for name, shape in {one.source: one.shape for one in self.blocks}.items():
            for k, suffix in enumerate(("", ".i", ".v")):
                values = np.zeros((self.ticks, int(np.prod(shape))), np.int64)
                for block in (one for one in self.blocks if one.source == name):
                    values[:, block.index] = found[block][k]
                arrays[name + suffix] = values.reshape(self.ticks, *shape)
        np.savez(out, **arrays)


def parts_of(block: Any) -> Iterator[Any]:
    """Yields the compartments of a block with the same parameters."""
    columns = np.stack([*block.params.values(), np.zeros(len(block.index), np.int64)])
    _, kind = np.unique(columns, axis=1, return_inverse=True)
    for number in range(kind.max(initial=-1) + 1):
        part = copy(block)
        part.size, part.place = len(block.index), np.flatnonzero(kind.reshape(-1) == number)
        part.index = block.index[part.place]
        part.values = {name: values[part.place[0]].item() for name, values in block.params.items()}
        part.initial = {name: states[part.place] for name, states in block.initial.items()}
        part.axons = {}
        for core, (neuron, axon) in block.axons.items():
            if (is_part := np.isin(neuron, part.place)).any():
                part.axons[core] = np.searchsorted(part.place, neuron[is_part]), axon[is_part]
        yield part


def main(run: Callable[[Artefact], dict[Any, tuple[Any, Any, Any]]], about: str | None) -> None:
    """Runs a tool: `python TOOL.py ARTEFACT IN.npz OUT.npz`."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("artefact", "inputs", "outputs"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    artefact = Artefact(args.artefact, args.inputs)
    artefact.save(args.outputs, run(artefact))
