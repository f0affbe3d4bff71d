"""From NIR to ticks, quantised, to a file, and to ticks again: the same numbers in every tick, bit for bit."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import seeds, some, times
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from places import ROOT

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor import NetworkOp

sys.path.insert(0, str(Path(__file__).parents[1] / "discretize"))
from graphs import affine, graph, lif, linear
from test_random_graphs import graphs, module_of

PRESETS = ("norse", "snntorch", "nengo", "sinabs", "rockpool", "lava", "spyx", "euler", "spinnaker2", "spikingjelly")
EXAMPLES = sorted(ROOT.glob("examples/**/*.nir"))
PAIRS = some([*product(EXAMPLES, PRESETS)], 7)


def network_of(module: Any) -> NetworkOp:
    (network,) = (op for op in module.ops if isinstance(op, NetworkOp))
    return network


def stimulus(network: NetworkOp, ticks: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = [arg.type.get_shape() for arg in network.body.block.args]  # type: ignore[attr-defined]
    names = [name.data for name in network.input_names]
    return {name: (rng.random((ticks, *shape)) < 0.3) * 2.0 for name, shape in zip(names, shapes, strict=True)}


def states(network: NetworkOp) -> list[str]:
    """Returns all recordable states of populations."""
    from nopt.dialects.ntensor import NeuronOp

    found = [op for op in network.body.block.ops if isinstance(op, NeuronOp)]
    return [entry for op in found for entry in (op.node.data, *(f"{op.node.data}.{name}" for name in op.initial.data))]


def there_and_back(module: Any, conversion: str, passes: str, path: Path, ticks: int = 20) -> None:
    """Converts, quantises, writes, reads, converts, and compares outputs and states."""
    silent = Diagnostics()
    nopt.apply(module, f"{conversion},{passes}" if passes else conversion, diagnostics=silent)
    nopt.write(module, path, format="nir", diagnostics=silent)
    again = nopt.apply(nopt.read(path, diagnostics=silent), conversion, diagnostics=silent)
    network = network_of(module)
    x = stimulus(network, ticks)
    record = states(network)
    a, b = (nopt.run(m, x, record=record, engine="numpy", diagnostics=silent) for m in (module, again))
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.parametrize(("path", "like"), PAIRS, ids=[f"{path.stem}-{like}" for path, like in PAIRS])
def test_examples(path: Path, like: str, tmp_path: Path) -> None:
    module = nopt.read(path, diagnostics=Diagnostics())
    conversion = f"convert-nir-to-ntensor{{dt-ns=100000 like={like}}}"
    bits = 2 + len(like) % 15
    per = "row" if len(path.stem) % 2 else "tensor"
    there_and_back(module, conversion, f"ntensor-quantize-weights{{bits={bits} per={per}}}", tmp_path / "net.nir")


def test_samples(shared: Path, tmp_path: Path) -> None:
    found = sorted(shared.glob("samples/**/*.nir"))
    assert found
    for number, path in enumerate(found):
        module = nopt.read(path, diagnostics=Diagnostics())
        precision = ("f32", "f64")[number // 4 % 2]
        conversion = f"convert-nir-to-ntensor{{dt-ns=100000 like={PRESETS[number % 4]} precision={precision}}}"
        passes = f"ntensor-quantize-weights{{bits={2 + number % 15}}}"
        there_and_back(module, conversion, passes, tmp_path / "net.nir", ticks=8)


@settings(
    max_examples=times(20),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
    derandomize=True,
)
@given(graphs(), st.sampled_from(PRESETS), st.integers(2, 16), st.sampled_from(["tensor", "row"]))
def test_generated_networks(ops: list[str], like: str, bits: int, per: str) -> None:
    """The conversion back is refused only for sums of three or nested sums: their order, or the delays of their cycles."""
    module = module_of(ops, ops[-1])
    conversion = f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} reset=subtract}}"
    silent = Diagnostics()
    nopt.apply(module, conversion, diagnostics=silent)
    nopt.apply(module, f"ntensor-quantize-weights{{bits={bits} per={per}}}", diagnostics=silent)
    back = module.clone()
    try:
        nopt.apply(back, "convert-ntensor-to-nir", diagnostics=silent)
    except nopt.Refused as refusal:
        (finding,) = refusal.findings
        if finding.code.id == "NRM006":  # without populations the conversion approximates nothing and leaves no record
            assert not states(network_of(module))
            return
        assert finding.code.id == "NRM009"
        is_delay = finding.at.startswith("ntensor.delay") or ".delay" in (finding.expected or "") + (
            finding.found or ""
        )
        assert is_delay or "the sum in this order" in (finding.expected or "")
        return
    nopt.apply(back, conversion, diagnostics=silent)
    network = network_of(module)
    x, record = stimulus(network, 12), states(network)
    a, b = (nopt.run(m, x, record=record, engine="numpy", diagnostics=silent) for m in (module, back))
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def layers(seed: int) -> Any:
    """Returns layers of neurons, some recurrent, some with a second edge from the input; no node has more than two inputs."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 7, rng.integers(1, 4))
    nodes: dict[str, Any] = {}
    edges: list[tuple[str, str]] = []
    before, width = "input", 3
    for k, n in enumerate(map(int, sizes)):
        make = linear if rng.random() < 0.5 else affine
        nodes[f"{k}.w"], nodes[f"{k}.z"] = make(rng, n, width, 1.5), lif(rng, n)
        edges += [(before, f"{k}.w"), (f"{k}.w", f"{k}.z")]
        if rng.random() < 0.6:
            source, m = [(f"{k}.z", n), ("input", 3)][rng.integers(2)]
            nodes[f"{k}.more"] = affine(rng, n, m)
            edges += [(source, f"{k}.more"), (f"{k}.more", f"{k}.z")]
        before, width = f"{k}.z", n
    return graph(nodes, [*edges, (before, "output")], {"input": 3}, {"output": width})


@pytest.mark.parametrize(("like", "passes"), some([*product(PRESETS, ["", "weights", "threshold"])], 4))
def test_layers_always_find_back(like: str, passes: str, tmp_path: Path) -> None:
    for seed in {0, 1 + len(like) % 2}:
        module = nopt.from_nir(layers(seed), diagnostics=Diagnostics())
        precision = "f32" if seed == 1 else "f64"
        conversion = f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} precision={precision}}}"
        more = " range=given low=-1 high=1" if passes == "threshold" else ""
        step = f"ntensor-quantize-{passes}{{bits={3 + 2 * seed}{more}}}" if passes else ""
        there_and_back(module, conversion, step, tmp_path / "net.nir")


@pytest.mark.parametrize("bits", [4, 8, 12])
def test_quantized_decays_find_back_or_are_named(bits: int, tmp_path: Path) -> None:
    """Not every multiple of a power of two is dt / tau for some float; in f32 it is."""
    for seed in seeds(2):
        for precision in ("f32", "f64"):
            module = nopt.from_nir(layers(seed), diagnostics=Diagnostics())
            conversion = f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse precision={precision}}}"
            codes: list[str] = []
            try:
                there_and_back(module, conversion, f"ntensor-quantize-decay{{bits={bits}}}", tmp_path / "net.nir")
            except nopt.Refused as refusal:
                codes = [finding.code.id for finding in refusal.findings]
            assert codes in ([], ["NRM008"] if precision == "f64" else [])


def test_file_is_the_same_where_nothing_was_quantized(tmp_path: Path) -> None:
    """Parameters are unchanged if the rule reads all of them, including their number format."""
    for seed in range(4):
        module = nopt.from_nir(layers(seed), name="net", diagnostics=Diagnostics())
        text = nopt.write(module)
        nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}", diagnostics=Diagnostics())
        nopt.apply(module, "convert-ntensor-to-nir", diagnostics=Diagnostics())
        back = nopt.write(module)
        arrays = [sorted(line.split("{", 1)[1] for line in t.splitlines() if "{weight" in line) for t in (text, back)]
        assert arrays[0] == arrays[1]


def test_large_populations_of_different_neurons() -> None:
    """Every row is solved once."""
    rng = np.random.default_rng(0)
    nodes = {"w": linear(rng, 400, 3), "z": lif(rng, 400)}
    module = nopt.from_nir(graph(nodes, [("input", "w"), ("w", "z"), ("z", "output")], {"input": 3}, {"output": 400}))
    taus = module.body.block.first_op.body.block.first_op.next_op.tau  # type: ignore[union-attr]
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}", diagnostics=Diagnostics())
    nopt.apply(module, "convert-ntensor-to-nir", diagnostics=Diagnostics())
    (graph_op,) = module.ops
    (found,) = (op.tau for op in graph_op.body.block.ops if op.name == "nir.lif")  # type: ignore[union-attr]
    np.testing.assert_array_equal(found.values, taus.values)
