"""Results, builds and modules in a notebook, and the names of the user in a page."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nir
import numpy as np
import pytest

import nopt
from nopt.api.report.drawings import raster, rates
from nopt.api.report.figures.charts import histogram_chart
from nopt.api.report.figures.density import flat_neurons
from nopt.api.report.pages import render
from nopt.api.report.schematics.graph_nodes import graph_nodes
from nopt.api.report.sections import BlockGroup, Lines
from nopt.api.report.sections import Section as PageSection

HOSTILE = "</script><script>alert(1)</script>"


def network(name: str) -> nir.NIRGraph:
    ones = np.ones(3, np.float32)
    nodes = {
        "input": nir.Input({"input": np.array([3])}),
        name: nir.LIF(tau=0.01 * ones, r=ones, v_leak=0 * ones, v_threshold=ones, v_reset=0 * ones),
        "output": nir.Output({"output": np.array([3])}),
    }
    return nir.NIRGraph(nodes, [("input", name), (name, "output")])


def test_result_shows_its_arrays() -> None:
    result = nopt.execute(
        nopt.from_nir(network("lif")), np.full((20, 3), 6.0), record=["lif.v"], choices={"dt": "1ms", "like": "norse"}
    )
    text = result._repr_html_()
    assert "1 sample x 20 ticks" in text
    assert text.count('<svg class="chart"') == 2


def test_build_shows_its_page(tmp_path: Path) -> None:
    build = nopt.compile(
        nopt.from_nir(network("lif")),
        out=tmp_path / "b",
        target="c",
        dt="1ms",
        like="norse",
        diagnostics=nopt.Diagnostics(),
    )
    text = build._repr_html_()
    assert text.startswith("<iframe srcdoc=")
    assert "<h3>Hashes</h3>" in unescape(text)


def test_extension_shows_modules_as_graphs() -> None:
    shown: dict[type, Any] = {}
    formatter = SimpleNamespace(for_type=shown.__setitem__)
    nopt.load_ipython_extension(SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": formatter})))
    module = nopt.from_nir(network("lif"))
    assert "graph of the network" in shown[type(module)](module)


def test_names_of_the_user_are_escaped(tmp_path: Path) -> None:
    nopt.write_report(tmp_path / "r.html", nopt.from_nir(network(HOSTILE)), np.ones((5, 3)), dt="1ms", like="norse")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "alert(1)" in text
    assert "<script>alert" not in text
    page = render(
        HOSTILE,
        [PageSection(HOSTILE, HOSTILE, (BlockGroup(HOSTILE, (Lines((HOSTILE,)),)),), data={"vertices": HOSTILE})],
    )
    assert "<script>alert" not in page


def test_graph_has_inputs_ops_and_outputs() -> None:
    nodes = graph_nodes(nopt.from_nir(network("lif")))
    assert [(node.name, node.sources) for node in nodes] == [("input", ()), ("lif", (0,)), ("output", (1,))]


@pytest.mark.parametrize("shape", [(0,), (5,), (5, 0), (5, 3), (2, 0, 3)])
def test_arrays_of_any_shape_are_drawn(shape: tuple[int, ...]) -> None:
    flat = flat_neurons(np.zeros(shape), has_samples=len(shape) > 2)
    assert flat.ndim == 3
    assert raster(flat).lstrip().startswith(b"<?xml")
    assert histogram_chart({"before": flat, "after": np.array([np.nan, np.inf])}, "weights", "weight").startswith(
        "<svg"
    )


def test_rates_are_drawn_without_arrays() -> None:
    assert rates({}).lstrip().startswith(b"<?xml")
