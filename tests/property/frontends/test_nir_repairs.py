"""Every repair, tested on generated networks: the import of a damaged network restores the original one."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import nir
import numpy as np
import pytest
from extent import seeds

from nopt.core.diagnostics import Diagnostics, Refused, Severity
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.frontends.nir_file import from_nir, read

Random = np.random.Generator
Found = tuple[str, set[str]]
"""The text of a module, and the codes of its findings."""

POPULATIONS: dict[type[Any], tuple[str, ...]] = {
    nir.LIF: ("tau", "r", "v_leak", "v_threshold", "v_reset"),
    nir.IF: ("r", "v_threshold", "v_reset"),
    nir.LI: ("tau", "r", "v_leak"),
    nir.CubaLIF: ("tau_syn", "tau_mem", "r", "v_leak", "v_threshold", "v_reset", "w_in"),
    nir.Threshold: ("threshold",),
    nir.Scale: ("scale",),
    nir.Delay: ("delay",),
}
SEEDS = seeds(10)


# ---- networks


def population(random: Random, size: int) -> Any:
    """Returns a population of equal neurons, so that one entry can represent all."""
    type = list(POPULATIONS)[int(random.integers(len(POPULATIONS)))]
    values = {name: np.full(size, random.integers(1, 9) / 8, np.float32) for name in POPULATIONS[type]}
    node = type(**values)
    for name, value in values.items():
        setattr(node, name, value)  # the package changes the number format of some
    return node


def network(random: Random, depth: int = 1, ends: int | None = None) -> nir.NIRGraph:
    """Returns populations in a chain with synapses between them, some of them nested networks, and sometimes a cycle."""
    sizes = [ends or int(random.integers(2, 6)) for _ in range(int(random.integers(1, 4)))]
    first = ends or int(random.integers(2, 6))
    nodes: dict[str, Any] = {"source": nir.Input(np.array([first]))}
    edges: list[tuple[str, str]] = []
    last, width = "source", first
    for number, size in enumerate(sizes):
        weight = random.integers(-4, 5, (size, width)).astype(np.float32) / 4
        nodes[f"fc{number}"] = nir.Affine(weight, np.zeros(size, np.float32))
        is_nested = depth > 0 and random.random() < 0.3
        nodes[f"neurons{number}"] = network(random, depth - 1, size) if is_nested else population(random, size)
        edges += [(last, f"fc{number}"), (f"fc{number}", f"neurons{number}")]
        last, width = f"neurons{number}", size
        if random.random() < 0.4:
            nodes[f"loop{number}"] = nir.Linear(np.eye(size, dtype=np.float32))
            edges += [(last, f"loop{number}"), (f"loop{number}", last)]
    nodes["sink"] = nir.Output(np.array([width]))
    return nir.NIRGraph(nodes, [*edges, (last, "sink")], type_check=False)


def imported(graph: nir.NIRGraph) -> Found:
    diagnostics = Diagnostics()
    module = from_nir(graph, "net", diagnostics)
    source.check_module(module)
    assert all(finding.severity is Severity.REMARK and finding.help and finding.at for finding in diagnostics.findings)
    return source.format_module(NoptContext(), module), {finding.code.id for finding in diagnostics.findings}


def graphs(graph: nir.NIRGraph) -> list[nir.NIRGraph]:
    return [
        graph,
        *(inner for node in graph.nodes.values() if isinstance(node, nir.NIRGraph) for inner in graphs(node)),
    ]


def choose(random: Random, items: Any) -> Any:
    found = list(items)
    return found[int(random.integers(len(found)))]


# ---- defects: each modifies a copy in place


def rename_in_edges(graph: nir.NIRGraph, random: Random) -> None:
    """Renames a node in the edges of one graph."""
    inner = choose(random, graphs(graph))
    name = choose(random, inner.nodes)
    other = name + choose(random, ["1", "_0", ".lif", "x"])
    inner.edges[:] = [tuple(other if end == name else end for end in edge) for edge in inner.edges]


def rename_terminal(graph: nir.NIRGraph, random: Random) -> None:
    """Renames an Input or Output in the edges to its type."""
    inner = choose(random, graphs(graph))
    inner.edges[:] = [("input" if a == "source" else a, "output" if b == "sink" else b) for a, b in inner.edges]


def add_axes(graph: nir.NIRGraph, random: Random) -> None:
    """Adds axes for samples and time to the shape of an Output."""
    node = choose(random, graphs(graph)).nodes["sink"]
    shape = np.concatenate([random.integers(1, 9, int(random.integers(1, 4))), node.output_type["output"]])
    node.output_type = {"output": shape}


def add_input_axes(graph: nir.NIRGraph, random: Random) -> None:
    node = graph.nodes["source"]
    shape = np.concatenate([random.integers(1, 9, int(random.integers(1, 4))), node.input_type["input"]])
    node.input_type = {"input": shape}


def forget_input(graph: nir.NIRGraph, random: Random) -> None:
    graph.nodes["source"].input_type = {"input": None}


def change_input(graph: nir.NIRGraph, random: Random) -> None:
    node = graph.nodes["source"]
    node.input_type = {"input": node.input_type["input"] + random.integers(1, 4)}


def collapse(graph: nir.NIRGraph, random: Random) -> None:
    """Reduces parameters of a population to one entry, with one axis or none; sometimes not all parameters."""
    inner = next(
        inner for inner in reversed(graphs(graph)) if any(type(n) in POPULATIONS for n in inner.nodes.values())
    )
    node = choose(random, [node for node in inner.nodes.values() if type(node) in POPULATIONS])
    names = POPULATIONS[type(node)]
    shape = choose(random, [(), (1,)])
    for name in names[: int(random.integers(1, len(names) + 1))]:
        setattr(node, name, getattr(node, name)[0].reshape(shape))


def change_inner_input(graph: nir.NIRGraph, random: Random) -> None:
    node = choose(random, graphs(graph)[1:]).nodes["source"]
    node.input_type = {"input": node.input_type["input"] + random.integers(1, 4)}


def lead_with_ones(graph: nir.NIRGraph, random: Random) -> None:
    """Adds leading axes of size one to parameters of a population, as an axis of samples; sometimes not to all."""
    node = choose(random, populations(graph))
    names = POPULATIONS[type(node)]
    axes = (1,) * int(random.integers(1, 3))
    for name in names[: int(random.integers(1, len(names) + 1))]:
        setattr(node, name, getattr(node, name).reshape(*axes, -1))


def populations(graph: nir.NIRGraph) -> list[Any]:
    return [node for inner in graphs(graph) for node in inner.nodes.values() if type(node) in POPULATIONS]


def shuffle(graph: nir.NIRGraph, random: Random) -> None:
    for inner in graphs(graph):
        random.shuffle(inner.edges)


DAMAGES: dict[Callable[[nir.NIRGraph, Random], None], set[str]] = {
    rename_in_edges: {"NIF019"},
    rename_terminal: {"NIF019"},
    add_axes: {"NIF020"},
    add_input_axes: {"NIF021"},
    forget_input: {"NIF021"},
    change_input: {"NIF021"},
    change_inner_input: {"NIF021"},
    collapse: {"NIF022"},
    lead_with_ones: {"NIF022"},
    shuffle: set(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_repaired(damage: Callable[[nir.NIRGraph, Random], None]) -> None:
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        graph = network(random)
        if (damage in (collapse, lead_with_ones) and not populations(graph)) or (
            damage is change_inner_input and len(graphs(graph)) == 1
        ):
            continue
        damaged = deepcopy(graph)
        damage(damaged, random)
        assert imported(damaged) == (imported(graph)[0], DAMAGES[damage]), f"seed {seed}"


def test_all_damages_at_once_are_repaired() -> None:
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        graph = network(random)
        damaged = deepcopy(graph)
        for damage in (add_axes, change_input, rename_in_edges, shuffle):
            damage(damaged, random)
        assert imported(damaged) == (imported(graph)[0], {"NIF019", "NIF020", "NIF021"}), f"seed {seed}"


def test_terminals_that_only_edges_name_are_added() -> None:
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        graph = network(random)
        names = {"source": "input", "sink": "output"}
        whole = nir.NIRGraph(
            {names.get(name, name): node for name, node in graph.nodes.items()},
            [(names.get(a, a), names.get(b, b)) for a, b in graph.edges],
            type_check=False,
        )
        damaged = deepcopy(whole)
        del damaged.nodes["input"], damaged.nodes["output"]
        assert imported(damaged) == (imported(whole)[0], {"NIF025"})


def test_flatten_that_counts_samples_is_repaired() -> None:
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        shape = random.integers(2, 5, int(random.integers(2, 4)))
        start = int(random.integers(0, len(shape) - 1))
        kept, one = shape[:start], int(np.prod(shape[start:]))
        nodes: dict[str, Any] = {
            "x": nir.Input(shape),
            "flat": nir.Flatten({"input": None}, start, -1),
            "fc": nir.Linear(np.ones((*kept, 3, one), np.float32)),
            "y": nir.Output(np.array([*kept, 3])),
        }
        graph = nir.NIRGraph(nodes, [("x", "flat"), ("flat", "fc"), ("fc", "y")], type_check=False)
        damaged = deepcopy(graph)
        damaged.nodes["flat"].start_dim = start + 1  # type: ignore[attr-defined]
        assert imported(damaged) == (imported(graph)[0], {"NIF026"})


# ---- defects of files


def in_file(graph: nir.NIRGraph, path: Path, damage: Callable[[Any], None]) -> Found:
    nir.write(path, graph)
    with h5py.File(path, "r+") as file:
        damage(file["node"])
    diagnostics = Diagnostics()
    module = read(path, diagnostics)
    source.check_module(module)
    return source.format_module(NoptContext(), module), {finding.code.id for finding in diagnostics.findings}


def test_parameters_of_later_versions_are_taken(tmp_path: Path) -> None:
    """Files of older versions have no v_reset, no w_in, and no shape of a convolution's operand."""

    def age(group: Any) -> None:
        for name in ("v_reset", "w_in", "input_shape"):
            if name in group:
                del group[name]
        for inner in list(group.values()):
            if isinstance(inner, h5py.Group):
                age(inner)

    size = 3
    one, zero = np.ones(size), np.zeros(size)
    nodes: dict[str, Any] = {
        "x": nir.Input(np.array([1, 4])),
        "conv": nir.Conv1d(4, np.ones((1, 1, 2)), 1, 0, 1, 1, np.zeros(1)),
        "flat": nir.Flatten({"input": np.array([1, 3])}, 0, -1),
        "a": nir.LIF(one, one, zero, one, zero),
        "b": nir.IF(one, one, zero),
        "c": nir.CubaLIF(one, one, one, zero, one, zero, one),
        "y": nir.Output(np.array([size])),
    }
    names = list(nodes)
    graph = nir.NIRGraph(nodes, list(pairwise(names)), type_check=False)
    path = tmp_path / "net.nir"
    whole, said = in_file(graph, path, lambda group: None)
    assert said == set()
    assert in_file(graph, path, age) == (whole, {"NIF023"})


def test_edges_by_number_are_read(tmp_path: Path) -> None:
    def number(group: Any) -> None:
        rows = [[int(end) for end in row] for row in group["edges"][()]]
        del group["edges"]
        group["edges"] = np.array(rows)

    for seed in SEEDS:
        graph = network(np.random.default_rng(seed), depth=0)
        names = {name: str(place) for place, name in enumerate(graph.nodes)}
        graph = nir.NIRGraph(
            {names[name]: node for name, node in graph.nodes.items()},
            [(names[a], names[b]) for a, b in graph.edges],
            type_check=False,
        )
        whole, _ = in_file(graph, tmp_path / "net.nir", lambda group: None)
        assert in_file(graph, tmp_path / "net.nir", number) == (whole, {"NIF024"})


# ---- ambiguous networks


def refused(graph: nir.NIRGraph) -> dict[str, str]:
    """Returns the help of each refusal by its code."""
    with pytest.raises(Refused) as refusal:
        from_nir(graph, "net", Diagnostics())
    return {finding.code.id: finding.help or "" for finding in refusal.value.findings}


def test_two_nodes_that_are_called_alike_are_choices() -> None:
    graph = network(np.random.default_rng(0), depth=0)
    lif = nir.Linear(np.eye(2, dtype=np.float32))
    graph.nodes |= {"odd_1": lif, "odd_2": lif}
    graph.edges += [("source", "odd"), ("odd", "sink")]
    assert refused(graph)["NIF006"] == 'use the name of one of these nodes: "odd_1", "odd_2"'


def test_two_strange_names_for_one_node_are_refused() -> None:
    graph = network(np.random.default_rng(0), depth=0)
    graph.nodes["odd"] = nir.Linear(np.eye(2, dtype=np.float32))
    graph.edges += [("source", "odd1"), ("odd2", "sink")]
    assert "NIF006" in refused(graph)


def test_an_output_of_other_sizes_is_refused() -> None:
    graph = network(np.random.default_rng(0), depth=0)
    graph.nodes["sink"].output_type = {"output": np.array([99])}
    assert "NIF015" in refused(graph)


def fires(shape: tuple[int, ...]) -> nir.NIRGraph:
    """Returns a network with equal thresholds of a shape for neurons of the shape (2, 3, 4)."""
    nodes = {"x": nir.Input(np.array([2, 3, 5])), "fc": nir.Linear(np.ones((2, 3, 4, 5), np.float32))}
    nodes |= {"fire": nir.Threshold(np.ones(shape, np.float32)), "y": nir.Output(np.array([2, 3, 4]))}
    return nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False)


@pytest.mark.parametrize("shape", [(2,), (3, 4), (2, 4)])
def test_equal_entries_in_fewer_axes_are_broadcast(shape: tuple[int, ...]) -> None:
    assert imported(fires(shape)) == (imported(fires((2, 3, 4)))[0], {"NIF022"})


@pytest.mark.parametrize("shape", [(5,), (4, 3), (4, 2, 3), (5, 2, 3, 4)])
def test_equal_entries_of_other_sizes_are_refused(shape: tuple[int, ...]) -> None:
    assert "NIR003" in refused(fires(shape))


def test_one_input_for_many_neurons_is_refused() -> None:
    graph = network(np.random.default_rng(0), depth=0)
    graph.nodes["source"].input_type = {"input": np.array([1])}
    assert "NIR003" in refused(graph)
