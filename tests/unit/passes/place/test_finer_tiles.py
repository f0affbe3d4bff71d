"""Finer tiles: halves and joins of boxes, and a placement that costs less than that of the planned tiles."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from test_mapping import cnn, graph_of, grid, routed
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, ModuleOp

import nopt.api as nopt
from nopt.api.compiling.mapping import mapping
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.source import verify
from nopt.dialects import machine
from nopt.passes.place._finer_tiles import halves_of, joined_boxes


def cost(graph: machine.GraphOp) -> float:
    entries = graph.attributes["machine.placed"]
    assert isinstance(entries, DictionaryAttr)
    value = entries.data["cost"]
    assert isinstance(value, FloatAttr)
    return value.value.data


def test_halves_form_the_box_again() -> None:
    box = np.array([[0, 16], [4, 8], [0, 7]])
    halves = halves_of(box)
    assert halves.tolist() == [[[0, 16], [4, 8], [0, 3]], [[0, 16], [4, 8], [3, 7]]]
    assert [one.tolist() for one in joined_boxes([*halves])] == [box.tolist()]


def test_a_box_of_one_position_is_not_halved() -> None:
    """The first axis is that of channels, which stay together."""
    box = np.array([[0, 16], [4, 5], [2, 3]])
    assert halves_of(box).tolist() == [box.tolist()]


def test_boxes_that_form_no_box_stay() -> None:
    corner = [np.array([[0, 1], [0, 2], [0, 2]]), np.array([[0, 1], [2, 4], [2, 4]])]
    assert len(joined_boxes(corner)) == 2
    shape_of_an_l = [*corner, np.array([[0, 1], [0, 2], [2, 4]])]
    assert sorted(one.tolist() for one in joined_boxes(shape_of_an_l)) == [
        [[0, 1], [0, 2], [0, 4]],
        [[0, 1], [2, 4], [2, 4]],
    ]


def test_the_cnn_on_few_large_cores(root: Path, shared: Path, tmp_path: Path) -> None:
    """15,192 links with tiles as planned; each neuron stays in one slice, and no core has more neurons than it holds."""
    module = routed(cnn(shared), grid(root, tmp_path, 3, neurons=1024), moves=20_000)
    verify(module)
    graph = graph_of(module)
    assert cost(graph) <= 14_300
    used = np.zeros(9, np.int64)
    for vertex in graph.vertices.values():
        if vertex.source.data in graph.populations:
            assert vertex.place is not None
            used[vertex.place] += vertex.neurons
    assert used.max() <= 1024
    assert used.sum() == 8970


def test_pins_keep_the_planned_tiles(root: Path, shared: Path, tmp_path: Path) -> None:
    module = cnn(shared)
    path = grid(root, tmp_path, 3, neurons=1024)
    nopt.apply(
        module,
        f'ntensor-plan-cores{{device="{path}"}},convert-ntensor-to-machine,machine-place-vertices{{moves=20000 pin="1/0=8"}}',
    )
    graph = graph_of(module)
    assert graph.vertices["1/0"].place == 8
    assert len([one for one in graph.vertices.values() if one.source.data == "1"]) == 4


def test_new_layers_among_kept_ones_are_cut_finer(root: Path, tmp_path: Path) -> None:
    """The detectors move and find a placement as cheap as the earlier one, which tiles as planned do not have; the voters keep their core."""

    def ticks() -> ModuleOp:
        module = nopt.read(root / "examples/bars/bars.nir")
        nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
        return module

    device = grid(root, tmp_path, 2, neurons=40)
    earlier = routed(ticks(), device, moves=20_000)
    path, module = tmp_path / "mapping.json", ticks()
    path.write_text(json.dumps(mapping(earlier)), encoding="utf-8")
    nopt.apply(module, f'ntensor-keep-mapping{{mapping="{path}" move=detectors}}')
    verify(routed(module, device, moves=20_000))
    before, after = graph_of(earlier), graph_of(module)
    placed = after.attributes["machine.placed"]
    assert isinstance(placed, DictionaryAttr)
    assert {"finer", "kept"} <= {*placed.data}
    assert cost(after) == cost(before) == 336
    assert after.vertices["voters/0"].place == before.vertices["voters/0"].place


@pytest.mark.parametrize("neurons", [40, 64, 80])
def test_no_core_is_too_full(root: Path, tmp_path: Path, neurons: int) -> None:
    """Two levels of finer tiles; all other vertices start where the level before put them."""
    module = nopt.read(root / "examples/bars/bars.nir")
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
    verify(routed(module, grid(root, tmp_path, 2, neurons=neurons), moves=20_000))
