"""From a network to its mapping: limits, faulty cores, broken routes, and `mapping.json` read by a script without nopt."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import some, times
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.api.compiling.mapping import mapping
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.source import verify
from nopt.dialects import machine

MAP = "convert-ntensor-to-machine,machine-place-vertices{moves=MOVES},machine-route-edges"
RULE = """ntensor.update @fire <spike> inputs ["x"] derive {
^bb0(%dt: f64):
  ntensor.derived
} step {
^bb0(%x: f32):
  %0 = arith.constant 0.5 : f32
  %z = arith.cmpf ogt, %x, %0 : f32
  ntensor.emit %z : i1
}
"""


def grid(root: Path, folder: Path, side: int = 6, faulty: tuple[tuple[int, int], ...] = (), **core: int) -> str:
    """Returns the path of the device `grid.json` with another side, faulty cores or limits."""
    data: dict[str, Any] = json.loads((root / "lit-tests/passes/place/inputs/grid.json").read_text(encoding="utf-8"))
    data["topology"]["cores"]["value"] = side * side
    for along in ("width", "height"):
        data["topology"]["mesh"][along]["value"] = side
    data["topology"]["faulty"] = [{"x": x, "y": y, "source": "synthetic"} for x, y in faulty]
    for name, value in core.items():
        data["core"][name] = {"value": value, "source": "synthetic", "confidence": "assumed"}
    path = folder / f"grid{side}.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def routed(module: ModuleOp, device: str, settings: str = "", moves: int = 2000) -> ModuleOp:
    nopt.apply(module, f'ntensor-plan-cores{{device="{device}"{settings}}},{MAP.replace("MOVES", str(moves))}')
    return module


def cnn(shared: Path) -> ModuleOp:
    module = nopt.read(shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir")
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}")
    return module


def graph_of(module: ModuleOp) -> machine.GraphOp:
    return next(op for op in module.ops if isinstance(op, machine.GraphOp))


def recomputed(text: str) -> float:
    """Recomputes the cost of a mapping from its file alone, and checks that every edge is delivered."""
    data: dict[str, Any] = json.loads(text)
    assert data["schema"] == "nopt.mapping/1"
    spots = {(core["chip"], core["id"]): (core["x"], core["y"]) for core in data["cores"]}
    place = {vertex["id"]: spots[vertex["chip"], vertex["core"]] for vertex in data["vertices"]}
    size = {vertex["id"]: vertex["neurons"] for vertex in data["vertices"]}
    reached: dict[tuple[str, tuple[int, int]], set[int]] = defaultdict(set)
    total = 0.0
    for route in data["routes"]:
        links = [tuple(link) for link in route["links"]]
        assert len(set(links)) == len(links)
        seen = {place[route["source"]]}
        for x0, y0, x1, y1 in links:
            assert abs(x0 - x1) + abs(y0 - y1) == 1
            assert (x0, y0) in seen
            seen.add((x1, y1))
        for spot in seen:
            neurons = route["neurons"]
            reached[route["source"], spot] |= {*(range(size[route["source"]]) if neurons is None else neurons)}
        total += route["activity"] * len(links) * data["cost"]["weights"]["hop"]
    for edge in data["edges"]:
        if place[edge["source"]] != place[edge["target"]]:
            assert len(reached[edge["source"], place[edge["target"]]]) >= edge["axons"] > 0
    assert all(size.values())
    return total


def test_cnn_of_the_nir_paper(root: Path, shared: Path) -> None:
    """The known figures: layer order 162,168, tiles in layer order 59,788, the best known 38,100."""
    module = cnn(shared)
    routed(module, str(root / "lit-tests/passes/place/inputs/grid.json"), moves=20_000)
    found = mapping(module)
    assert found is not None
    cost = found["cost"]
    assert recomputed(json.dumps(found)) == cost["value"]
    assert 19_000 < cost["bound"] <= cost["value"] <= 38_100
    assert len(found["cores"]) == 36
    assert [vertex["core"] for vertex in found["vertices"] if vertex["node"] == "input"] == [0]


@pytest.mark.parametrize("neurons", some([32, 48, 64, 100, 128, 200, 256, 300, 500, 1024], 5))
def test_no_vertex_is_beyond_a_limit(root: Path, shared: Path, tmp_path: Path, neurons: int) -> None:
    module = routed(cnn(shared), grid(root, tmp_path, 18), f' set="core.neurons={neurons}"', moves=300)
    used: dict[int, int] = defaultdict(int)
    inputs = graph_of(module).inputs
    for vertex in graph_of(module).vertices.values():
        assert vertex.place is not None
        if vertex.source.data not in inputs:
            used[vertex.place] += vertex.neurons
    assert max(used.values()) <= neurons
    assert sum(used.values()) == 4096 + 4096 + 512 + 256 + 10
    found = mapping(module)
    assert found is not None
    assert found["cost"]["bound"] <= found["cost"]["value"] == recomputed(json.dumps(found))


def test_faulty_cores_stay_unused(root: Path, shared: Path, tmp_path: Path) -> None:
    faulty = ((1, 1), (0, 3), (6, 5))
    module = routed(cnn(shared), grid(root, tmp_path, 7, faulty))
    placed = {name: vertex.place for name, vertex in graph_of(module).vertices.items() if name != "input/0"}
    assert not {*placed.values()} & {y * 7 + x for x, y in faulty}
    assert len({*placed.values()}) == len(placed) == 36


def test_broken_routes_are_named_with_edge_and_hop(root: Path, shared: Path) -> None:
    module = routed(cnn(shared), str(root / "lit-tests/passes/place/inputs/grid.json"))
    random = np.random.default_rng(0)
    routes = graph_of(module).routes
    assert not list(verify(module))
    for _ in range(30):
        route = routes[int(random.integers(len(routes)))]
        links = route.links.values
        broken, sizes, k = links.copy(), route.tree_sizes, int(random.integers(len(links)))
        if random.random() < 0.5:
            broken = np.delete(broken, k, axis=0)
            sizes[np.searchsorted(route.first_links, k, "right") - 1, 0] -= 1
        else:
            broken[k, 2:] = random.integers(0, 6, 2)
        if (broken.shape == links.shape and (broken == links).all()) or broken.shape[0] == 0:
            continue
        kept = route.trees
        route.links, route.trees = ArrayAttr.of(broken), None if kept is None else ArrayAttr.of(sizes)
        findings = list(verify(module))
        route.links, route.trees = ArrayAttr.of(links), kept
        said = "\n".join(map(str, findings))
        assert re.search(r"error\[MCH00[89]\]", said)
        assert re.search(r"hop \d+ of \d+", said)
        if findings[0].code.id == "MCH009":
            assert f'edge "{route.source.data}" -> ' in findings[0].message
    assert not list(verify(module))


def test_shuffled_neurons_cost_the_same(root: Path) -> None:
    """An unstructured network, its neurons in three orders: within 5 %."""
    neurons, synapses = 400, 8
    random = np.random.default_rng(0)
    key = np.unique(np.repeat(np.arange(neurons), synapses) * neurons + random.integers(0, neurons, neurons * synapses))
    costs = list[float]()
    for seed in range(1 + times(2)):
        order = np.random.default_rng(seed).permutation(neurons) if seed else np.arange(neurons)
        source, target = np.divmod(np.sort(order[key // neurons] * neurons + order[key % neurons]), neurons)
        module = routed(nopt.parse(recurrent(neurons, source.tolist(), target.tolist())), *device_of(root), moves=1500)
        found = mapping(module)
        assert found is not None
        costs.append(found["cost"]["value"])
    assert max(costs) < 1.05 * min(costs)


@pytest.mark.parametrize("size", [4, 20])
def test_two_cliques_with_one_bridge(root: Path, size: int) -> None:
    """Shuffled neurons on two cores that hold one clique each: each input of the remote clique uses a link, and so does the one spike between them."""
    cores = f' set="core.neurons={size}","topology.mesh.width=2","topology.mesh.height=1","topology.cores=2"'
    for seed in range(3):
        place = np.random.default_rng(seed).permutation(2 * size)
        pairs = [(a, b) for a in range(2 * size) for b in range(2 * size) if a // size == b // size and a != b]
        source, target = np.asarray(sorted((place[a], place[b]) for a, b in [*pairs, (0, size)])).T
        module = routed(nopt.parse(recurrent(2 * size, source.tolist(), target.tolist())), device_of(root)[0], cores)
        found = mapping(module)
        assert found is not None
        assert found["cost"]["value"] == found["cost"]["bound"] == recomputed(json.dumps(found)) == size + 1


def device_of(root: Path) -> tuple[str, str]:
    return str(root / "lit-tests/passes/place/inputs/grid.json"), ' set="core.neurons=40"'


def recurrent(neurons: int, source: list[int], target: list[int]) -> str:
    spikes, values, k = f"tensor<{neurons}xi1>", f"tensor<{neurons}xf32>", len(source)
    arrays = f"source = #nopt.array<{source} : tensor<{k}xi64>>, target = #nopt.array<{target} : tensor<{k}xi64>>"
    return f"""{RULE}ntensor.network @loop("in" %in: {values}) -> ("out": {spikes}) attributes {{tick_ns = 1000 : i64}} {{
  %d = ntensor.delay "wait" %z {{ticks = #nopt.array<1 : tensor<i64>>}} : {spikes}
  %y = ntensor.sparse_linear "rec" %d {{weight = #nopt.array<constant(value = 0.1) : tensor<{k}xf32>>, {arrays}}} : {spikes} -> {values}
  %i = ntensor.sum %in, %y : ({values}, {values}) -> {values}
  %z = ntensor.neuron "pop" @fire(%i) {{params = {{}}, initial = {{}}}} : ({values}) -> {spikes}
  ntensor.output %z : {spikes}
}}"""


@pytest.mark.parametrize("network", ["digits/fc.nir", "digits/conv.nir", "rhythm/rhythm.nir", "bars/bars.nir"])
def test_trained_networks_are_routed(root: Path, network: str) -> None:
    path = root / "examples" / network
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    module = nopt.read(path)
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    routed(module, str(root / "lit-tests/passes/place/inputs/grid.json"), ' set="core.neurons=64"', moves=500)
    found = mapping(module)
    assert found is not None
    assert found["cost"]["bound"] <= found["cost"]["value"] == recomputed(json.dumps(found))


def test_links_between_chips(root: Path) -> None:
    """Two chips of one core, a hop for 1 and a crossing for 10: each core by its chip, each link with both."""
    folder = root / "lit-tests" / "passes" / "place" / "inputs"
    text = (folder / "cliques.mlir").read_text(encoding="utf-8")
    module = nopt.parse(text.replace("DEVICE", f', machine.device = "{folder / "chips.json"}"'))
    nopt.apply(module, "machine-place-vertices,machine-route-edges")
    found = mapping(module)
    assert found is not None
    assert found["cost"]["value"] == 11
    assert found["cost"]["weights"] == {"hop": 1, "crossing": 10}
    assert found["cores"] == [{"id": 0, "chip": 0, "x": 0, "y": 0}, {"id": 0, "chip": 1, "x": 0, "y": 0}]
    assert [route["links"] for route in found["routes"]] == [[[0, 0, 0, 1, 0, 0]]]
    chips = {vertex["id"]: vertex["chip"] for vertex in found["vertices"]}
    assert chips["lif/0"] == chips["lif/2"] != chips["lif/1"] == chips["lif/3"]
