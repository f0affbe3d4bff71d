"""Targets read the parts of a machine graph a fixed number of times, so that their work grows as the graph, not as its square."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from counted_work import NETWORKS

import nopt.api as nopt
from nopt.core import registry
from nopt.core.diagnostics import Refused
from nopt.dialects.machine import GraphOp

DEVICES = [
    f"{slug}/{one.device or next(iter(registry.devices()[slug]))}"
    for slug, one in registry.usable_targets().items()
    if one.artefact is not None
]
FEW = 4


def integrate(width: int) -> nir.IF:
    ones = np.ones(width)
    return nir.IF(r=ones, v_threshold=ones)


def filter_twice(width: int) -> nir.CubaLIF:
    ones, time = np.ones(width), 0.02 * np.ones(width)
    return nir.CubaLIF(tau_mem=time, tau_syn=time, r=ones, v_leak=0 * ones, v_threshold=ones, w_in=ones)


CHAINS: tuple[tuple[Callable[[int], Any] | None, str], ...] = (
    (None, "norse"),
    (integrate, "norse"),
    (integrate, "sinabs"),
    (filter_twice, "rockpool"),
)
"""Neurons of a chain in place of `lif`, and presets."""


def chain(populations: int, make: Callable[[int], Any] | None) -> nir.NIRGraph:
    """Returns a chain of populations."""
    network = NETWORKS["chain of linear layers"](populations)
    nodes = {
        name: make(len(node.v_threshold)) if make is not None and isinstance(node, nir.LIF) else node
        for name, node in network.nodes.items()
    }
    return nir.NIRGraph(nodes, network.edges)


def count_walks(monkeypatch: pytest.MonkeyPatch, step: Callable[[], object]) -> int:
    """Returns how often a step lists the parts of a machine graph."""
    walks, parts = list[Any](), GraphOp.parts

    def counted(graph: GraphOp, kind: Any) -> list[Any]:
        walks.append(kind)
        return parts(graph, kind)

    with monkeypatch.context() as patched:
        patched.setattr(GraphOp, "parts", counted)
        step()
    return len(walks)


@pytest.mark.parametrize("device", DEVICES)
def test_graphs_are_walked_a_fixed_number_of_times(
    device: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def compile_chain(populations: int, make: Callable[[int], Any] | None, preset: str) -> None:
        quiet = nopt.Diagnostics()
        nopt.compile(
            chain(populations, make),
            out=tmp_path / str(populations),
            target=device,
            dt="1ms",
            like=preset,
            diagnostics=quiet,
        )

    for make, preset in CHAINS:
        try:
            compile_chain(FEW, make, preset)
        except Refused:
            continue
        few, many = (count_walks(monkeypatch, partial(compile_chain, k * FEW, make, preset)) for k in (1, 2))
        assert few == many
        return
    pytest.skip("no chain of these neurons compiles without a calibration")
