"""Random networks of a framework, exported and run by that framework: the shared part of all frameworks.

Runs in the environment of the framework, so it imports numpy alone. `snntorch_networks.py` and its siblings call `main`:

python snntorch_networks.py FOLDER [--networks N] [--seed S]

For network K, FOLDER gets `K.nir` from the framework's own exporter, `K.npz` with the input `x` and the output of every spiking layer,
and `K.json` with the rest of `Network`. All arrays have the axes [samples, ticks, …]. Network K of a seed is the same for every N.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

SAMPLES, TICKS = 2, 60
ATTEMPTS = 40
"""Maximal number of draws of a network until every spiking layer is active."""
ACTIVE = 0.01, 0.95
"""Range of the share of spikes in the entries of a spiking layer."""

Arrays = dict[str, np.ndarray]
Shape = tuple[int, ...]


@dataclass
class Network:
    """A network of one framework.

    `run` takes the input and returns the output of every spiking layer by the name of its node in the file. `arguments` are what
    `nopt run` needs to compute the same; `gaps` maps a name without a value in the file to the code of
    the finding that must report that name.
    """

    layers: str
    options: str
    shape: Shape
    run: Callable[[np.ndarray], Arrays]
    export: Callable[[Path], None]
    arguments: list[str]
    gaps: dict[str, str] = field(default_factory=dict)


def is_active(found: Arrays) -> bool:
    low, high = ACTIVE
    return all(low < np.count_nonzero(spikes) / spikes.size < high for spikes in found.values())


def weights(rng: np.random.Generator, shape: Shape, gain: float, *, dyadic: bool) -> np.ndarray:
    """Returns weights, more of them positive; multiples of 1/64 if `dyadic`. Each row sums to about `gain`."""
    fan_in = max(int(np.prod(shape[1:])), 1)
    drawn = rng.uniform(-0.5, 1.0, shape) * gain * 4 / np.sqrt(fan_in) / 2
    return (np.round(drawn * 64) / 64 if dyadic else drawn).astype(np.float32)


def generate(
    folder: Path, number: int, seed: int, draw: Callable[[np.random.Generator], Network], reseed: Callable[[int], Any]
) -> None:
    """Draws one network until it is active, runs it, and exports it with the framework.

    `reseed` seeds the framework's own generator, which initialises the parameters that `draw` does not set.
    """
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng([seed, number, attempt])
        reseed(int(rng.integers(2**31)))
        network = draw(rng)
        x = (rng.random((SAMPLES, TICKS, *network.shape)) < rng.uniform(0.2, 0.6)).astype(np.float32)
        found = network.run(x)
        if is_active(found):
            break
    np.savez(folder / f"{number}.npz", x=x, **found)
    try:
        network.export(folder / f"{number}.nir")
        failure = ""
    except Exception as raised:  # the exporters raise errors of many classes, and each is a result
        failure = f"{type(raised).__name__}: {raised}"
    told = {"layers": network.layers, "options": network.options, "arguments": network.arguments}
    told |= {"gaps": network.gaps, "failure": failure, "is_active": is_active(found)}
    (folder / f"{number}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main(
    draw: Callable[[np.random.Generator], Network], *packages: str, reseed: Callable[[int], Any] = lambda seed: None
) -> None:
    """Runs the command line of a framework."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--networks", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.networks):
        generate(args.folder, number, args.seed, draw, reseed)
    print(json.dumps({name: version(name) for name in packages}))


def write_nir(path: Path, graph: Any) -> None:
    """Writes a graph with the `nir` package, which infers the shapes that an exporter omits."""
    import nir

    if any(shape is None for node in graph.nodes.values() for shape in (node.input_type or {}).values()):
        with redirect_stdout(StringIO()):  # it prints the inferred shapes
            graph.infer_types()
    nir.write(path, graph)
