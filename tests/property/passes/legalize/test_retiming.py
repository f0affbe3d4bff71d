"""Retiming is exact: under every preset, networks that it accepts without `early` and `lengthen` have the same entries after their latency."""

from __future__ import annotations

from collections.abc import Callable

import nir
import numpy as np
import pytest
from extent import seeds
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.latency import latency_of, output_latencies
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.registry import presets
from nopt.dialects import ntensor

WIDTH = 3
TICKS = 24
SEEDS = seeds(4)


def f32(values: object) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


def population(rng: np.random.Generator) -> nir.NIRNode:
    """Returns a population that rests at a value other than zero in half of the cases; such a population cannot be delayed."""

    def between(low: float, high: float) -> NDArray[np.float32]:
        return f32(rng.uniform(low, high, WIDTH))

    zero = f32(np.zeros(WIDTH))
    rest = zero if rng.random() < 0.7 else between(-0.25, 0.2)
    r, threshold = between(1, 3), between(0.25, 1)
    cells: list[Callable[[], nir.NIRNode]] = [
        lambda: nir.LIF(tau=between(1.5, 12), r=r, v_leak=rest, v_threshold=threshold, v_reset=zero),
        lambda: nir.CubaLIF(
            tau_syn=between(1.5, 12),
            tau_mem=between(1.5, 12),
            w_in=f32(np.ones(WIDTH)),
            r=r,
            v_leak=rest,
            v_threshold=threshold,
            v_reset=zero,
        ),
        lambda: nir.IF(r=r, v_threshold=threshold, v_reset=zero),
        lambda: nir.LI(tau=between(1.5, 12), r=r, v_leak=rest),
    ]
    return cells[rng.integers(len(cells))]()


def weights(rng: np.random.Generator) -> NDArray[np.float32]:
    return f32(rng.normal(0, 0.8, (WIDTH, WIDTH)))


def graph(seed: int) -> nir.NIRGraph:
    """Returns a chain of nodes with skip edges, and up to two backward edges."""
    rng = np.random.default_rng(seed)
    shape = np.array([WIDTH])
    nodes: dict[str, nir.NIRNode] = {"in": nir.Input({"input": shape}), "out": nir.Output({"output": shape})}
    names, edges = ["in"], list[tuple[str, str]]()
    kinds: dict[str, Callable[[], nir.NIRNode]] = {
        "pop": lambda: population(rng),
        "linear": lambda: nir.Linear(weight=weights(rng)),
        "affine": lambda: nir.Affine(weight=weights(rng), bias=f32(rng.normal(0, 0.5, WIDTH))),
        "delay": lambda: nir.Delay(delay=f32(rng.integers(0, 5, WIDTH))),
    }
    for k in range(rng.integers(2, 7)):
        kind = str(rng.choice(["pop", *kinds]))
        name = f"{kind}{k}"
        nodes[name] = kinds[kind]()
        edges += [(source, name) for source in dict.fromkeys(rng.choice(names[-3:], rng.integers(1, 3)).tolist())]
        names.append(name)
    for _ in range(rng.integers(0, 3)):
        first, last = sorted(rng.integers(1, len(names), 2).tolist())
        edges.append((names[last], names[first]))
    edges += [(source, "out") for source in (names[-1], str(rng.choice(names[1:])))]
    return nir.NIRGraph(nodes=nodes, edges=list(dict.fromkeys(edges)), type_check=False)


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def nodes(network: ntensor.NetworkOp) -> dict[str, int]:
    """Returns the latency of all recordable nodes that retiming does not split; it removes the biases of sums."""
    found: dict[str, int] = {}
    for op in network.body.block.ops:
        if isinstance(op, ntensor.NeuronOp):
            found |= dict.fromkeys(
                [op.node.data, *(f"{op.node.data}.{state}" for state in op.initial.data)], latency_of(op)
            )
        elif isinstance(op, ntensor.LinearOp) and op.bias is None:
            found[op.node.data] = latency_of(op)
    return found


def is_exact(before: ModuleOp, after: ModuleOp, seed: int) -> bool:
    """Asserts that all entries of all nodes and outputs are the same after the latency of the network."""
    late = output_latencies(network_of(after))
    lags = {
        **nodes(network_of(after)),
        **{name.data: late.get(name.data, 0) for name in network_of(after).output_names},
    }
    record = [name for name in nodes(network_of(before)) if name in lags]
    x = (np.random.default_rng(seed).random((TICKS, WIDTH)) < 0.4).astype(np.float32)
    longer = np.concatenate([x, f32(np.zeros((max(lags.values()), WIDTH)))])
    old = nopt.run(before, x, record=record, engine="numpy", diagnostics=Diagnostics())
    now = nopt.run(after, longer, record=record, engine="numpy", diagnostics=Diagnostics())
    for name in old:
        np.testing.assert_array_equal(now[name][lags[name] : lags[name] + TICKS], old[name], name)
    return any(lags.values())


def refusals(module: ModuleOp, step: str) -> set[str]:
    """Returns the codes with which a pass refuses a network."""
    try:
        nopt.apply(module, step, diagnostics=Diagnostics())
    except Refused as refusal:
        return {one.code.id for one in refusal.findings}
    return set()


@pytest.mark.parametrize("preset", sorted(presets()))
def test_retiming_is_exact_under_every_preset(preset: str) -> None:
    done = 0
    for seed in SEEDS:
        module = nopt.from_nir(graph(seed), diagnostics=Diagnostics())
        try:
            nopt.apply(module, f"convert-nir-to-ntensor{{dt-ns=1000000000 like={preset}}}", diagnostics=Diagnostics())
        except Refused:  # the preset does not define this neuron
            continue
        for ticks in (1, 3):
            after = module.clone()
            if codes := refusals(after, f"ntensor-retime{{op-ticks={ticks}}}"):
                assert codes <= {"LEG057", "LEG058"}  # a cycle has too little delay, or a population cannot be delayed
            else:
                done += is_exact(module, after, seed)
    assert done >= len(SEEDS) // 2
