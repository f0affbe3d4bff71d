"""The map of a chip that computes layers: each unit is a box in its layer, and edges follow the network."""

from __future__ import annotations

from typing import Any

from nopt.api.report.schematics.graph_nodes import GraphNode
from nopt.api.report.schematics.layer_drawing import layer_record, layer_svg, layers_of

NODES = [
    GraphNode("x", "input 4", (), "end"),
    GraphNode("a", "linear 8", (0,)),
    GraphNode("a.lif", "neuron 8", (1,), "population"),
    GraphNode("b", "linear 8", (0,)),
    GraphNode("b.lif", "neuron 8", (3,), "population"),
    GraphNode("sum", "add 8", (2, 4)),
    GraphNode("c", "linear 2", (5,)),
    GraphNode("y", "output 2", (6,), "end"),
]


def unit(name: str, layer: str, used: int = 3) -> dict[str, Any]:
    uses = [
        {"quantity": "synapse_bytes", "used": used, "limit": 12, "fields": []},
        {"quantity": "fan_out", "used": 2, "limit": 2, "fields": []},
    ]
    return {"unit": name, "layers": [layer], "uses": uses}


UNITS = [unit("array 0", "a"), unit("array 1", "a", 12), unit("array 2", "b"), unit("array 3", "c")]


def test_layers_read_the_layers_of_the_network() -> None:
    layers = layers_of(UNITS, NODES)
    assert [layer.name for layer in layers] == ["x", "a", "b", "c", "y"]
    assert [layer.sources for layer in layers] == [(), (0,), (0,), (1, 2), (3,)]
    assert [len(layer.units) for layer in layers] == [0, 2, 1, 1, 0]


def test_every_unit_is_drawn_with_its_fullest_capacity() -> None:
    layers = layers_of(UNITS, NODES)
    drawn = layer_svg(layers)
    assert [f'data-core="{one["unit"]}"' in drawn for one in UNITS] == [True] * 4
    assert drawn.count('class="core full-1"') == 3
    assert 'aria-label="array 1: synapse_bytes: 12 of 12 (100 %)"' in drawn
    assert drawn.count('class="edge"') == 5


def test_a_unit_leads_to_the_units_that_read_it() -> None:
    record = layer_record(layers_of(UNITS, NODES))
    assert record["array 0"]["reached"] == ["array 3"]
    assert record["array 3"]["reached"] == []
    assert record["array 1"]["lines"][:2] == ["layer a", "synapse_bytes: 12 of 12 (100 %)"]


def test_units_without_a_network_have_no_edges() -> None:
    layers = layers_of(UNITS, [])
    assert [layer.sources for layer in layers] == [(), (), ()]
    assert layer_svg(layers).count("data-core=") == 4
