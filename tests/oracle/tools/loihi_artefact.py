"""An artefact of Loihi for other tools than Lava: its neurons and synapses, read by the script of the artefact.

Runs in the environment of a tool, so it imports numpy alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
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

    @property
    def blocks(self) -> list[Any]:
        """Returns the compartments of each group with the same configuration."""
        return self.network.blocks

    def spikes(self, source: Any) -> np.ndarray:
        """Returns the spikes of an input. Shapes: [ticks, neurons]."""
        return self.inputs[source.source][:, source.index]

    def connections(self, block: Any) -> Iterator[tuple[Any, dict[str, Any], np.ndarray, np.ndarray]]:
        """Yields sender, table, weights and delays of all synapses into a block. Shapes: weights and delays [targets, sources]."""
        place = np.full(self.script.size_of(block.group), -1)
        place[block.place] = np.arange(len(block.place))
        for table in self.script.ops_in(block.group, "dense", "sparse"):
            for sender in [*self.sources, *self.blocks]:
                if block.core in sender.axons:
                    found = self.script.synapses_of(table, place, *sender.axons[block.core])
                    shape = len(block.place), len(sender.place)
                    for matrices in self.script.matrices_of(*found, shape, table["sign_mode"]):
                        yield sender, table, *matrices

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


def main(run: Callable[[Artefact], dict[Any, tuple[Any, Any, Any]]], about: str | None) -> None:
    """Runs a tool: `python TOOL.py ARTEFACT IN.npz OUT.npz`."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("artefact", "inputs", "outputs"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    artefact = Artefact(args.artefact, args.inputs)
    artefact.save(args.outputs, run(artefact))
