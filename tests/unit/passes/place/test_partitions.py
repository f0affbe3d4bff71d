"""The bound of a network holds for every partition: on tiny networks, against all of them. Mappings follow their JSON Schema."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import jsonschema
import nir
import numpy as np
import pytest
from test_mapping import grid, routed

import nopt.api as nopt
from nopt.api.compiling.mapping import mapping
from nopt.core.diagnostics import Diagnostics

SIZES = (2, 3, 2)
SIDE, ROOM = 2, 2


def weights(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    found = rng.random((rows, columns)) < rng.choice([0.4, 0.8, 1.0])
    found[0, 0] = True
    return found.astype(np.float32)


def network(seed: int) -> tuple[nir.NIRGraph, list[tuple[str, str, np.ndarray]]]:
    """Returns an input, two populations, and sometimes a cycle; and its synapses, by source and target."""
    rng = np.random.default_rng(seed)
    a, b, c = SIZES

    def lif(n: int) -> nir.LIF:
        one = np.ones(n, np.float32)
        return nir.LIF(tau=one / 50, r=one, v_leak=one * 0, v_threshold=one, v_reset=one * 0)

    links = [("in", "a", weights(rng, b, a)), ("a", "b", weights(rng, c, b))]
    links += [("a", "a", weights(rng, b, b))] if seed % 2 else []
    nodes = {"in": nir.Input({"input": np.array([a])}), "a": lif(b), "b": lif(c)}
    nodes |= {"out": nir.Output({"output": np.array([c])})}
    edges = [("b", "out")]
    for source, target, weight in links:
        nodes[f"{source}{target}"] = nir.Linear(weight=weight)
        edges += [(source, f"{source}{target}"), (f"{source}{target}", target)]
    return nir.NIRGraph(nodes=nodes, edges=edges, type_check=False), links


def tree(source: int, targets: set[int]) -> int:
    """Returns the number of links of the tree along x first, then along y."""
    x, y = source % SIDE, source // SIDE
    columns = {t % SIDE: {u // SIDE for u in targets if u % SIDE == t % SIDE} for t in targets}
    trunk = max([0, *(abs(at - x) for at in columns)])  # two columns have one side only
    return trunk + sum(max(abs(row - y) for row in rows) for rows in columns.values())


def cheapest(links: list[tuple[str, str, np.ndarray]]) -> int:
    """Returns the least cost of all partitions; the input enters at core 0, and each source sends once per tick."""
    _, b, c = SIZES
    reached: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for source, target, weight in links:
        for t, s in zip(*np.nonzero(weight), strict=True):
            reached.setdefault((source, int(s)), set()).add((target, int(t)))
    names = [("a", k) for k in range(b)] + [("b", k) for k in range(c)]
    best = 10**6
    for chosen in product(range(SIDE * SIDE), repeat=len(names)):
        if max(np.bincount(chosen)) <= ROOM:
            core = dict(zip(names, chosen, strict=True))
            cost = sum(tree(core.get(one, 0), {core[to] for to in targets}) for one, targets in reached.items())
            best = min(best, cost)
    return best


def mapped(root: Path, folder: Path, seed: int, settings: str = "") -> tuple[dict[str, object], int]:
    graph, links = network(seed)
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    options = "dt-ns=1000000 like=norse loop-delay=spikes"
    nopt.apply(module, f"convert-nir-to-ntensor{{{options}}}", diagnostics=Diagnostics())
    found = mapping(routed(module, grid(root, folder, SIDE, neurons=ROOM), settings))
    assert found is not None
    return found, cheapest(links)


@pytest.mark.parametrize("seed", range(8))
def test_the_bound_holds_for_every_partition(root: Path, tmp_path: Path, seed: int) -> None:
    found, best = mapped(root, tmp_path, seed)
    cost = found["cost"]
    assert isinstance(cost, dict)
    assert cost["network_bound"] <= best <= cost["value"]
    assert cost["bound"] <= cost["value"]
    schema = json.loads((root / "docs/reference/mapping.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(found)))


def test_most_tiny_networks_have_the_least_cost(root: Path, tmp_path: Path) -> None:
    """With default effort, over all partitions and placements."""
    found = [mapped(root, tmp_path, seed) for seed in range(8)]
    assert sum(one["cost"]["value"] == best for one, best in found) >= 7  # type: ignore[index]


def test_the_bound_says_something(root: Path, tmp_path: Path) -> None:
    """Each input reaches three neurons, each of these two others, and a core has room for two: ceil(3 / 2) - 1 + ceil((2 + 1) / 2) - 1."""
    graph = [mapped(root, tmp_path, seed) for seed in range(8)]
    assert max(found["cost"]["network_bound"] for found, _ in graph) >= 3  # type: ignore[index]


def test_an_input_is_far_from_its_last_core(root: Path, tmp_path: Path) -> None:
    """One input entry reaches 6 neurons of a layer, 2 on each core: a tree to three cores has two links, and the mean path is (0 + 0 + 1 + 1 + 1 + 1) / 6.

    Three more layers fill 3 x 3 cores. With 16 targets on 8 cores, the mean path (2 * (1 + 1 + 2 + 2 + 2 + 3 + 3)) / 16 = 1.75 is less than the 7 links. Where 8 entries have two
    targets each, a tree needs no link, and the path costs 8 * 1.75.
    """
    folder = tmp_path

    def bound(weight: np.ndarray) -> float:
        rows, columns = weight.shape
        one = np.ones(rows, np.float32)
        lif = nir.LIF(tau=one / 50, r=one, v_leak=one * 0, v_threshold=one, v_reset=one * 0)
        nodes = {"in": nir.Input({"input": np.array([columns])}), "w": nir.Linear(weight=weight.astype(np.float32))}
        nodes |= {"a": lif, "out": nir.Output({"output": np.array([rows])})}
        module = nopt.from_nir(nir.NIRGraph(nodes, [("in", "w"), ("w", "a"), ("a", "out")]), diagnostics=Diagnostics())
        nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
        found = mapping(routed(module, grid(root, folder, 3, neurons=ROOM), ""))
        assert found is not None
        assert found["cost"]["network_bound"] <= found["cost"]["value"]
        return float(found["cost"]["network_bound"])

    assert bound(np.ones((6, 1))) == 2
    assert bound(np.ones((16, 1))) == 7
    assert bound(np.kron(np.eye(8), np.ones((2, 1)))) == pytest.approx(8 * 1.75)


def test_a_loader_places_neurons_that_are_sliced_by_index(root: Path) -> None:
    """Two cliques whose indices alternate: the mapping alone determines the core of each neuron."""
    folder = root / "lit-tests/passes/plan/inputs"
    module = nopt.read(folder / "cliques.mlir")
    nopt.apply(module, "ntensor-quantize-weights{bits=8}", diagnostics=Diagnostics())
    found = mapping(routed(module, str(folder / "small.json"), ' set="core.neurons=6"'))
    assert found is not None
    shapes = {one["node"]: one for one in found["populations"]}
    cores = {
        shapes["two"]["order"][place]: vertex["core"]
        for vertex in found["vertices"]
        if vertex["ordered"]
        for place in range(*vertex["slice"][0])
    }
    assert shapes["two"]["shape"] == [12]
    assert sorted(cores) == list(range(12))
    assert len({cores[k] for k in range(0, 12, 2)}) == len({cores[k] for k in range(1, 12, 2)}) == 1
