"""Networks of `make bench-map`, with the meshes that they are mapped to.

Unstructured networks are one population with synapses in files; those of the samples are read where the folder exists.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import nir
import numpy as np
from attrs import frozen
from square import FIRE
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.arrays.files import digest_start, key_of
from nopt.core.diagnostics import Diagnostics

OUT_DEGREE = 40
"""Synapses that a neuron of the small world and of the balanced network has on average."""
COLUMN = (2068, 583, 2191, 547, 485, 106, 1439, 294)
"""Neurons of the populations L2/3e, L2/3i, L4e, … L6i of the cortical microcircuit (Potjans and Diesmann, Cerebral Cortex 24:785, 2014) at 10 %."""
PROBABILITY = (
    (0.1009, 0.1689, 0.0437, 0.0818, 0.0323, 0.0, 0.0076, 0.0),
    (0.1346, 0.1371, 0.0316, 0.0515, 0.0755, 0.0, 0.0042, 0.0),
    (0.0077, 0.0059, 0.0497, 0.135, 0.0067, 0.0003, 0.0453, 0.0),
    (0.0691, 0.0029, 0.0794, 0.1597, 0.0033, 0.0, 0.1057, 0.0),
    (0.1004, 0.0622, 0.0505, 0.0057, 0.0831, 0.3726, 0.0204, 0.0),
    (0.0548, 0.0269, 0.0257, 0.0022, 0.06, 0.3158, 0.0086, 0.0),
    (0.0156, 0.0066, 0.0211, 0.0166, 0.0572, 0.0197, 0.0396, 0.2252),
    (0.0364, 0.001, 0.0034, 0.0005, 0.0277, 0.008, 0.0658, 0.1443),
)
"""Probabilities of a synapse, by target, then by source population (their Table 5)."""


@frozen
class Network:
    """A network and its meshes: the side of the mesh and the neurons of a core, which None chooses from the size."""

    name: str
    read: Callable[[Path], ModuleOp]
    meshes: tuple[tuple[int, int | None], ...]


def balanced(neurons: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the sources and targets of synapses at random."""
    random = np.random.default_rng(8)
    count = random.binomial(neurons, OUT_DEGREE / neurons, neurons)
    return np.repeat(np.arange(neurons), count), random.integers(0, neurons, count.sum())


def small_world(neurons: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the synapses of a ring with OUT_DEGREE neighbours, 10 % rewired, with shuffled labels."""
    random = np.random.default_rng(8)
    half = OUT_DEGREE // 2
    steps = np.concatenate([np.arange(1, half + 1), -np.arange(1, half + 1)])
    source = np.repeat(np.arange(neurons), OUT_DEGREE)
    target = (source + np.tile(steps, neurons)) % neurons
    is_far = random.random(len(target)) < 0.1
    target[is_far] = random.integers(0, neurons, is_far.sum())
    label = random.permutation(neurons)
    return label[source], label[target]


def microcircuit() -> tuple[np.ndarray, np.ndarray]:
    """Returns the synapses of the cortical microcircuit with 10 % of its neurons, with shuffled labels."""
    random = np.random.default_rng(8)
    base = np.concatenate([[0], np.cumsum(COLUMN)])
    sources, targets = list[np.ndarray](), list[np.ndarray]()
    for post, row in enumerate(PROBABILITY):
        for pre, probability in enumerate(row):
            count = random.binomial(COLUMN[post] * COLUMN[pre], probability)
            sources.append(random.integers(base[pre], base[pre + 1], count))
            targets.append(random.integers(base[post], base[post + 1], count))
    label = random.permutation(int(base[-1]))
    return label[np.concatenate(sources)], label[np.concatenate(targets)]


def recurrent(neurons: int, synapses: tuple[np.ndarray, np.ndarray], folder: Path) -> ModuleOp:
    """Returns a population with these synapses, each pair once and none to itself."""
    source, target = synapses
    source, target = np.divmod(np.unique((source * neurons + target)[source != target]), neurons)
    arrays = folder / "arrays"
    arrays.mkdir(exist_ok=True)
    texts = list[str]()
    for name, values in (("source", source), ("target", target)):
        listed = values.astype(np.int32)
        content = digest_start(listed.shape, listed.dtype)
        content.update(listed.tobytes())
        np.save(arrays / f"{key_of(content)}.npy", listed)
        texts.append(f"{name} = #nopt.array<{key_of(content)} : tensor<{len(listed)}xi32>>")
    weight = f"weight = #nopt.array<constant(value = 1.0) : tensor<{len(source)}xf32>>"
    spikes, values = f"tensor<{neurons}xi1>", f"tensor<{neurons}xf32>"
    lines = [
        FIRE,
        f'ntensor.network @recurrent() -> ("out": {spikes}) attributes {{tick_ns = 1000000 : i64}} {{',
        f'%d = ntensor.delay "axon" %z {{ticks = #nopt.array<1 : tensor<i64>>}} : {spikes}',
        f'%s = ntensor.sparse_linear "synapses" %d {{{", ".join([weight, *texts])}}} : {spikes} -> {values}',
        f'%z = ntensor.neuron "neurons" @fire(%s) {{params = {{}}, initial = {{}}}} : ({values}) -> {spikes}',
        f"ntensor.output %z : {spikes}",
        "}",
    ]
    path = folder / "network.mlir"
    path.write_text("\n".join(lines), encoding="utf-8")
    return nopt.read(path)


def in_ticks(module: ModuleOp) -> ModuleOp:
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=spikes}", diagnostics=Diagnostics())
    return module


def layered(path: Path) -> ModuleOp:
    """Returns the linear layers of a file of `snn_bench`, each with leaky neurons."""
    layers = json.loads(path.read_text(encoding="utf-8"))["layers"]
    matrices = [np.array(layer["weights"], np.float32) for layer in layers]
    nodes: dict[str, nir.NIRNode] = {"input": nir.Input({"input": np.array([matrices[0].shape[1]])})}
    for k, matrix in enumerate(matrices):
        one = np.ones(len(matrix), np.float32)
        nodes[f"fc{k}"] = nir.Linear(matrix)
        nodes[f"lif{k}"] = nir.LIF(tau=one / 50, r=one, v_leak=one * 0, v_threshold=one, v_reset=one * 0)
    nodes["output"] = nir.Output({"output": np.array([len(matrices[-1])])})
    names = list(nodes)
    graph = nir.NIRGraph(nodes, list(itertools.pairwise(names)), type_check=False)
    return in_ticks(nopt.from_nir(graph, diagnostics=Diagnostics()))


def generated() -> Iterator[Network]:
    """Yields the networks that need no file."""
    for neurons, meshes in ((2_000, ((4, 128), (8, 32))), (4_000, ((4, 256), (8, 64))), (20_000, ((8, 320), (16, 80)))):
        for name, rule in (("small world", small_world), ("balanced", balanced)):
            yield Network(
                f"{name} {neurons}",
                lambda folder, neurons=neurons, rule=rule: recurrent(neurons, rule(neurons), folder),
                meshes,
            )
    yield Network(
        "microcircuit 10 %", lambda folder: recurrent(sum(COLUMN), microcircuit(), folder), ((4, 512), (8, 128))
    )


def networks(samples: Path | None) -> Iterator[Network]:
    """Yields all networks; those of the samples only with their folder."""
    yield from generated()
    if samples is None or not samples.is_dir():
        return
    cnn = samples / "nir_paper" / "cnn" / "cnn_sinabs.nir"
    yield Network("cnn_sinabs", lambda _: in_ticks(nopt.read(cnn)), ((6, 256), (3, 1024), (16, 64)))
    for path in sorted((samples / "snn_bench").glob("*.json")):
        yield Network(f"snn_bench {path.stem}", lambda _, path=path: layered(path), ((4, None),))
