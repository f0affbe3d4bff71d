"""Mapping problems for several tests, without IR: the CNN of the NIR paper, cliques, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from nopt.analysis.placement.placement_problem import Problem, problem_from
from nopt.core.topology.mesh import MeshTopology

Slices = Callable[[int, int, int], int]
"""The vertex of channel, y and x, within its population of 16 x 16 x 16."""


def square(channel: int, y: int, x: int) -> int:
    """Returns the tile of 4 x 4 positions with all channels."""
    return y // 4 * 4 + x // 4


def by_index(channel: int, y: int, x: int) -> int:
    """Returns the run of 256 indices, one channel each."""
    return channel


def reached(place: int, kernel: int, stride: int, outputs: int) -> list[int]:
    """Returns the outputs of a convolution along one axis that an input reaches; padding 1."""
    return [o for o in range(outputs) if 0 <= place + 1 - o * stride < kernel]


def cnn(slices: Slices = square, slices6: Slices = lambda c, y, x: y // 4, mesh: MeshTopology | None = None) -> Problem:
    """Returns `cnn_sinabs.nir` on cores of 256 neurons, every source once per tick, the inputs on core 0, pooling part of the next layer.

    2 x 34 x 34 inputs; 5 x 5, stride 2: 16 x 16 x 16; 3 x 3: 16 x 16 x 16; pooled by 2, 3 x 3: 8 x 8 x 8; pooled by 2, dense: 256; dense: 10.
    """
    inputs, conv1, conv3, conv6, dense10, dense12 = 0, 1, 17, 33, 35, 36
    nets: dict[tuple[int, tuple[int, ...]], int] = {}

    def add(source: int, targets: Iterable[int]) -> None:
        key = source, tuple(sorted(set(targets)))
        nets[key] = nets.get(key, 0) + 1

    wide = [reached(place, 5, 2, 16) for place in range(34)]
    near = [reached(place, 3, 1, 16) for place in range(16)]
    pooled = [reached(place // 2, 3, 1, 8) for place in range(16)]
    every = range(16)
    for y, x in np.ndindex(34, 34):
        for _ in range(2):
            add(inputs, [conv1 + slices(c, a, b) for a in wide[y] for b in wide[x] for c in every])
    for c0, y, x in np.ndindex(16, 16, 16):
        add(conv1 + slices(c0, y, x), [conv3 + slices(c, a, b) for a in near[y] for b in near[x] for c in every])
        add(
            conv3 + slices(c0, y, x), [conv6 + slices6(c, a, b) for a in pooled[y] for b in pooled[x] for c in range(8)]
        )
    for c, y, x in np.ndindex(8, 8, 8):
        add(conv6 + slices6(c, y, x), [dense10])
    for _ in range(256):
        add(dense10, [dense12])
    names = ["input/0", *(f"{n}/{k}" for n, size in ((1, 16), (3, 16), (6, 2), (10, 1), (12, 1)) for k in range(size))]
    load = np.array([0, *[256] * 35, 10])
    listed = [(source, targets, float(activity)) for (source, targets), activity in sorted(nets.items())]
    return problem_from(mesh or MeshTopology(6, 6), names, load, 256, listed, {0: 0})


def cliques(size: int, seed: int) -> Problem:
    """Returns two cliques of single neurons with one synapse between them, in random order, on two cores with room for one clique each."""
    place = np.random.default_rng(seed).permutation(2 * size).tolist()
    nets: list[tuple[int, list[int], float]] = []
    for v in range(2 * size):
        others = [w for w in range(2 * size) if w // size == v // size and w != v] + ([size] if v == 0 else [])
        nets.append((place[v], [place[w] for w in others], 1.0))
    return problem_from(
        MeshTopology(2, 1), [f"n/{v}" for v in range(2 * size)], np.ones(2 * size, np.int64), size, nets
    )


def scattered(random: np.random.Generator, mesh: MeshTopology, vertices: int = 12, nets: int = 20) -> Problem:
    """Returns a random problem whose vertices share cores."""
    load = np.stack([random.integers(0, 5, vertices), random.integers(0, 30, vertices)], axis=1)
    listed: list[tuple[int, list[int], float]] = []
    for _ in range(nets):
        targets = random.choice(vertices, int(random.integers(1, 6)), replace=False).tolist()
        listed.append((int(random.integers(vertices)), targets, float(random.integers(1, 9))))
    return problem_from(
        mesh, [f"v/{k}" for k in range(vertices)], load, [8, 60], listed, {}, ("core.neurons", "core.memory_bytes")
    )
