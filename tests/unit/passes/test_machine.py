"""Machine graphs of real and random networks: they compute the results of the network, and respect the limits of their device."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import EXAMPLES
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.ir.operation import shape_of
from nopt.dialects import machine, ntensor
from nopt.passes.plan._slices import order_neurons, run_boxes

DIGITS = EXAMPLES / "digits"


def device(folder: Path, cores: int, neurons: int) -> str:
    """Writes a device file of a square of cores without limits other than neurons."""
    fact = {"source": "made", "confidence": "assumed"}
    side = int(np.ceil(np.sqrt(cores)))
    data = {
        "schema": "nopt.device/1",
        "target": "asic",
        "name": "square",
        "summary": "made for a test",
        "sources": {"made": "made for a test"},
        "fidelity": {"tier": "exact", "source": "made"},
        "topology": {
            "cores": {"value": side * side, **fact},
            "mesh": {"width": {"value": side, **fact}, "height": {"value": side, **fact}},
        },
        "core": {"neurons": {"value": neurons, **fact}},
    }
    path = folder / "square.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def graph_of(module: ModuleOp) -> machine.GraphOp:
    return next(op for op in module.ops if isinstance(op, machine.GraphOp))


def mapped(module: ModuleOp, where: str) -> ModuleOp:
    found = module.clone()
    nopt.apply(found, f'ntensor-plan-cores{{device="{where}"}},convert-ntensor-to-machine')
    return found


def check_same(module: ModuleOp, where: str, ticks: int = 20) -> machine.GraphOp:
    """Compares runs of a network and of its graph. Returns the graph."""
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    found = mapped(module, where)
    text = nopt.write(found)
    assert nopt.write(nopt.parse(text)) == text
    graph = graph_of(found)
    back = found.clone()
    nopt.apply(back, "convert-machine-to-ntensor")
    random = np.random.default_rng(0)
    x = {
        name.data: (random.random((ticks, *shape_of(type))) < 0.3).astype(np.uint8)
        for name, type in zip(network.input_names, network.function_type.inputs, strict=True)
    }
    record = [op.node.data for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp)]
    one, other = (nopt.run(either, x, record=record, engine="numpy") for either in (module, back))
    assert one.keys() == other.keys()
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)
    assert any(array.any() for array in one.values())
    return graph


@pytest.mark.parametrize(
    ("name", "like", "neurons"), [("fc", "norse", 8), ("fc", "norse", 33), ("conv", "norse", 64), ("conv", "norse", 20)]
)
def test_digits_compute_the_same(tmp_path: Path, name: str, like: str, neurons: int) -> None:
    module = nopt.read(DIGITS / f"{name}.nir")
    nopt.apply(module, f"convert-nir-to-ntensor{{dt-ns=1000000 like={like}}}")
    graph = check_same(module, device(tmp_path, 400, neurons))
    assert (
        max(vertex.neurons for vertex in graph.vertices.values() if vertex.source.data in graph.populations) <= neurons
    )


@pytest.mark.parametrize("neurons", [1, 2, 3, 5, 8, 13, 21, 64, 100, 1000])
def test_no_vertex_exceeds_its_core(tmp_path: Path, neurons: int) -> None:
    module = nopt.read(DIGITS / ("conv.nir" if neurons > 8 else "fc.nir"))
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    graph = graph_of(mapped(module, device(tmp_path, 2000, neurons)))
    sizes = [vertex.neurons for vertex in graph.vertices.values() if vertex.source.data in graph.populations]
    assert max(sizes) <= neurons
    assert sum(sizes) == sum(machine.size_of(one.type) for one in graph.populations.values())
    synapses = dict.fromkeys(graph.vertices, 0)
    for edge in graph.edges:
        synapses[edge.target.data] += edge.synapses.value.data
    assert all(synapses[name] == vertex.needed.get("synapses", 0) for name, vertex in graph.vertices.items())


def cliques(random: np.random.Generator, order: Any, count: int, size: int) -> str:
    """Returns cliques of neurons in a ring, joined by one synapse each, under any numbering."""
    n = count * size
    own = np.arange(n) // size
    matrix = own[:, None] == own[None]
    np.fill_diagonal(matrix, False)
    for k in range(count):
        matrix[k * size, (k + 1) % count * size] = True
    source, target = np.nonzero(matrix[np.ix_(order, order)])
    return f"""ntensor.update @pass <spike> inputs ["x"] derive {{
^bb0(%dt: f64):
  ntensor.derived
}} step {{
^bb0(%x: f32):
  %t = arith.constant 0.5 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}}
ntensor.network @ring("x" %x: tensor<{n}xf32>) -> ("o": tensor<{n}xi1>) attributes {{tick_ns = 1000}} {{
  %d = ntensor.delay "d" %z {{ticks = #nopt.array<1 : tensor<i64>>}} : tensor<{n}xi1>
  %r = ntensor.sparse_linear "rec" %d {{weight = #nopt.array<constant(value = 1.0) : tensor<{len(source)}xf32>>,
    source = #nopt.array<{source.tolist()} : tensor<{len(source)}xi32>>,
    target = #nopt.array<{target.tolist()} : tensor<{len(source)}xi32>>}} : tensor<{n}xi1> -> tensor<{n}xf32>
  %s = ntensor.sum %r, %x : (tensor<{n}xf32>, tensor<{n}xf32>) -> tensor<{n}xf32>
  %z = ntensor.neuron "p" @pass(%s) {{params = {{}}, initial = {{}}}} : (tensor<{n}xf32>) -> tensor<{n}xi1>
  ntensor.output %z : tensor<{n}xi1>
}}"""


@pytest.mark.parametrize(("count", "size"), [(2, 6), (4, 10), (8, 16)])
@pytest.mark.parametrize("seed", range(3))
def test_cliques_stay_together_under_any_numbering(tmp_path: Path, count: int, size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    module = nopt.parse(cliques(random, random.permutation(count * size), count, size))
    graph = check_same(module, device(tmp_path, count, size))
    between = [edge for edge in graph.edges if edge.source.data != edge.target.data and edge.projection.data == "rec"]
    assert sum(edge.synapses.value.data for edge in between) == count


def test_slices_do_not_depend_on_numbers() -> None:
    """Neurons that reach others at random: the number of synapses between slices does not depend on the numbering, within 5 %."""
    random = np.random.default_rng(1)
    n, many = 240, 2400
    source, target = random.integers(0, n, (2, many))
    cuts: list[float] = []
    for _ in range(4):
        number = random.permutation(n)
        found = order_neurons(n, number[source], number[target], run_boxes(n, 30)[:, 0, 1])
        own = np.empty(n, np.int64)
        own[found] = np.arange(n) // 30
        cuts.append(float((own[number[source]] != own[number[target]]).mean()))
    assert max(cuts) < 7 / 8  # the share of any partition into 8 slices
    assert max(cuts) / min(cuts) < 1.05
