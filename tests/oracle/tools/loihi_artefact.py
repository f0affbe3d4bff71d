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


class AnyUpdate(dict[str, Any]):
    """Updates whose parameters are taken as they are."""

    def __contains__(self, digest: object) -> bool:
        return True

    def __missing__(self, digest: str) -> Callable[..., Any]:
        def values(registers: dict[str, Any], states: dict[str, Any], **configuration: int) -> Any:
            return "", {**configuration, **registers}, states

        return values


class Artefact:
    """The network of a folder, and an input of it [ticks, neurons]."""

    def __init__(self, folder: Path, inputs: Path):
        sys.path.insert(0, str(folder))
        self.script: Any = import_module("lava_network")
        self.script.UPDATES = AnyUpdate()
        self.network = self.script.Network()
        self.inputs, _, self.ticks, _ = self.script.read_inputs(inputs, self.network, None)

    @property
    def sources(self) -> list[Any]:
        return self.network.sources

    @cached_property
    def blocks(self) -> list[Any]:
        """Returns the compartments of each group with the same configuration; `place` is their place in the group."""
        return [part for block in self.network.blocks for part in parts_of(block)]

    def spikes(self, source: Any) -> np.ndarray:
        """Returns the spikes of an input. Shapes: [ticks, neurons]."""
        return self.inputs[source.source][:, source.index]

    def connections(self, block: Any) -> Iterator[tuple[Any, dict[str, Any], np.ndarray, np.ndarray]]:
        """Yields sender, table, weights and delays of all synapses into a block. Shapes: weights and delays [targets, sources]."""
        shape = self.script.array_of(block.group["index"]).size
        for table in self.script.ops_in(block.group, "dense", "sparse"):
            for sender in [*self.sources, *self.blocks]:
                if block.core in sender.axons:
                    synapses = self.script.synapses_of(table, *sender.axons[block.core])
                    for matrices in self.script.matrices_of(*synapses, (shape, len(sender.index)), table["sign_mode"]):
                        yield sender, table, *(matrix[block.place] for matrix in matrices)

    def save(self, out: Path, found: dict[Any, tuple[Any, Any, Any]]) -> None:
        """Writes spikes, i and v of each population. Shapes: of each block [ticks, neurons]."""
        arrays: dict[str, np.ndarray] = {}
        for name, shape in self.network.populations.items():
            for k, suffix in enumerate(("", ".i", ".v")):
                values = np.zeros((self.ticks, int(np.prod(shape))), np.int64)
                for block in (one for one in self.blocks if one.source == name):
                    values[:, block.index] = found[block][k]
                arrays[name + suffix] = values.reshape(self.ticks, *shape)
        np.savez(out, **arrays)


def parts_of(block: Any) -> Iterator[Any]:
    """Yields the compartments of a block with the same configuration."""
    size = len(block.index)
    columns = [np.broadcast_to(values, size) for values in block.values.values()]
    _, kind = np.unique(np.stack([*columns, np.zeros(size, np.int64)]), axis=1, return_inverse=True)
    for number in range(kind.max(initial=-1) + 1):
        part = copy(block)
        part.place = np.flatnonzero(kind.reshape(-1) == number)
        part.index = block.index[part.place]
        part.values = {
            name: np.broadcast_to(values, size)[part.place[0]].item() for name, values in block.values.items()
        }
        part.initial = {name: np.broadcast_to(states, size)[part.place] for name, states in block.initial.items()}
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
