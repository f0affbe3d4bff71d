"""Partitions a hypergraph with Mt-KaHyPar, in its own environment: python partition.py HYPERGRAPH.npz PART.npz

HYPERGRAPH has `index` [edges + 1], `pins`, `nodes`, `parts` and `imbalance`; PART gets `part` [nodes] and `seconds`. The objective is km1: the sum over
edges of the parts that an edge reaches, minus one.
"""

from __future__ import annotations

import itertools
import sys
from time import perf_counter

import mtkahypar  # pyrefly: ignore[missing-import]
import numpy as np


def main(source: str, result: str) -> None:
    given = np.load(source)
    index, pins, nodes = given["index"], given["pins"], int(given["nodes"])
    tool = mtkahypar.initialize(1)
    context = tool.context_from_preset(mtkahypar.PresetType.DEFAULT)
    context.set_partitioning_parameters(int(given["parts"]), float(given["imbalance"]), mtkahypar.Objective.KM1)
    mtkahypar.set_seed(0)
    context.logging = False
    edges = [pins[low:high].tolist() for low, high in itertools.pairwise(index)]
    start = perf_counter()
    found = tool.create_hypergraph(context, nodes, len(edges), edges).partition(context)
    seconds = perf_counter() - start
    np.savez(result, part=np.array([found.block_id(node) for node in range(nodes)]), seconds=seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
