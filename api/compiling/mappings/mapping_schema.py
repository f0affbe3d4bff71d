"""The JSON Schema of `mapping.json`: the contract of `nopt.mapping/1` for loaders.

Further fields may be added, so additional properties are allowed; the listed fields always exist, except fields of specific topologies.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....core.json_schema import DIALECT
from ...field_schemas import NUMBER, TEXT, TRUTH, array_of

PLACE = {"type": "integer", "minimum": 0}
RATE = {"type": "number", "minimum": 0}


def object_of(optional: Sequence[str] = (), **fields: tuple[dict[str, Any], str]) -> dict[str, Any]:
    """Returns the schema of an object with these fields, each with its schema and meaning."""
    properties = {name: {**given, "description": text} for name, (given, text) in fields.items()}
    return {"type": "object", "properties": properties, "required": [name for name in fields if name not in optional]}


POPULATION = object_of(
    node=(TEXT, "the name of a population or an input"),
    shape=(array_of(PLACE), "its shape; flat indices count in row-major order"),
    is_input=(TRUTH, "whether it is an input of the network: it has a vertex, and no neurons on a core"),
    order=(
        {"anyOf": [array_of(PLACE), {"type": "null"}]},
        "a permutation of the flat indices whose runs are the slices; null: slices are boxes of the shape",
    ),
    rate=(
        {"anyOf": [RATE, {"type": "null"}]},
        "events of one neuron in one tick, as a calibration observed them; null: not observed, and one is assumed",
    ),
)
VERTEX = object_of(
    id=(TEXT, "its name: NODE/K"),
    node=(TEXT, "its population or input, an entry of `populations`"),
    slice=(
        array_of({"type": "array", "items": PLACE, "minItems": 2, "maxItems": 2}),
        "for each axis of the shape the first index and the index after the last; if `ordered`, one such pair of positions in `order`",
    ),
    ordered=(TRUTH, "whether `slice` is a run of the population's `order`"),
    neurons=(PLACE, "neurons; neuron k is the k-th of the slice, in row-major order or in that of `order`"),
    core=(PLACE, "the core, an `id` of `cores`"),
    chip=(PLACE, "the chip of that core"),
)
CORE = object_of(
    id=(
        PLACE,
        "its number on its chip: y * width + x; (y * width + x) * cores + slot if several cores share each position",
    ),
    chip=(PLACE, "the chip, along x first"),
    x=(PLACE, "its column"),
    y=(PLACE, "its row; 0 unless the cores are on a grid"),
    slot=(PLACE, "its number among the cores of its position, from 0; only if several cores share each position"),
    optional=["slot"],
)
EDGE = object_of(
    source=(TEXT, "the `id` of the source vertex"),
    target=(TEXT, "the `id` of the target vertex"),
    projection=(TEXT, "the synapses between them"),
    synapses=(PLACE, "synapses between both, with nonzero weights"),
    axons=(PLACE, "neurons of the source with a synapse into the target"),
    activity=(RATE, "events per tick over the edge"),
    format=(
        {"anyOf": [TEXT, {"type": "null"}]},
        "the format of `synapse.formats` that stores them with least memory; null: the device specifies none",
    ),
    entries=(
        PLACE,
        "stored entries that the target reads if each of the axons has an event: in a dense layout axons times neurons, else the synapses",
    ),
)
ROUTE = object_of(
    source=(TEXT, "the `id` of the source vertex"),
    neurons=(
        {"anyOf": [array_of(PLACE), {"type": "null"}]},
        "positions in the vertex of the neurons whose spikes use this route; null: all of them",
    ),
    shared=(
        TRUTH,
        "whether some of these neurons have no target on a core that the route leads to: a router holds fewer routes, or knows only vertices",
    ),
    activity=(RATE, "events per tick of these neurons together"),
    links=(
        array_of({"type": "array", "items": PLACE, "minItems": 1}),
        "each link of the tree once; none if the targets share the router of the source. On a mesh [x0, y0, x1, y1], on several chips [chip0, x0, y0, chip1, x1, y1]; on a hex-torus "
        "[position, link 0 to 5]; hierarchy and all-to-all [core, next core]; on a bus [0]",
    ),
)
DELIVERY = object_of(
    source=(TEXT, "the `id` of the vertex that sends"),
    core=(PLACE, "the core that receives, an `id` of `cores`; it may be the core of the source"),
    chip=(PLACE, "the chip of that core"),
    neurons=(PLACE, "neurons of the source with a synapse into the core"),
    activity=(RATE, "events per tick of these neurons together"),
)
COST = object_of(
    objective=(TEXT, "the quantity of the value"),
    value=(RATE, "sum over routes of activity * (links * hop + links between chips * crossing)"),
    bound=(RATE, "no placement and routing of these vertices costs less; another partition may"),
    network_bound=(RATE, "no partition, placement and routing of the network costs less"),
    weights=(
        object_of(hop=(NUMBER, "a spike over a link"), crossing=(NUMBER, "a spike from chip to chip")),
        "of the sum",
    ),
)
PLACEMENT = object_of(
    objective=(
        TEXT,
        "the quantity that places of vertices lower: that of `--objective`, or of the device file, or hops",
    ),
    unit=(TEXT, "the unit of the value"),
    value=(RATE, "the quantity for these routes"),
    bound=(
        {"anyOf": [RATE, {"type": "null"}]},
        "no placement of these vertices has less; null: no such bound is known",
    ),
    reason=({"anyOf": [TEXT, {"type": "null"}]}, "why the bound is null"),
)
RECORDS = {
    "populations": (POPULATION, "Populations and inputs, with the data that a loader needs to find a neuron."),
    "vertices": (VERTEX, "Slices of populations and inputs, each on a core."),
    "cores": (CORE, "The cores in use."),
    "edges": (EDGE, "Pairs of vertices with synapses between them."),
    "routes": (ROUTE, "Multicast trees. A vertex whose spikes stay on its core has none."),
    "deliveries": (DELIVERY, "The events of each vertex that each core receives."),
}
PLACEMENT_TEXT = "Objective of the placement."


def mapping_schema() -> dict[str, Any]:
    """Returns the whole schema."""
    head = object_of(
        schema=({"const": "nopt.mapping/1"}, "this format"),
        network=(TEXT, "the network's name"),
        device=(TEXT, "TARGET/NAME"),
    )
    lists = {name: {"description": text, **array_of(one)} for name, (one, text) in RECORDS.items()}
    properties = {**head["properties"], **lists, "cost": {**COST, "description": "Cost of the routes."}}
    properties |= {"placement": {**PLACEMENT, "description": PLACEMENT_TEXT}}
    return {
        "$schema": DIALECT,
        "title": "nopt.mapping/1",
        "description": "Cores of the neurons of a network, and routes of their spikes.",
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def mapping_fields() -> str:
    """Returns the tables of all fields, in Markdown."""
    return "\n\n".join(field_tables())


def field_tables() -> Iterator[str]:
    for name, (one, text) in {
        **RECORDS,
        "cost": (COST, "Cost of the routes."),
        "placement": (PLACEMENT, PLACEMENT_TEXT),
    }.items():
        rows = [
            f"| `{field}` | {given['description'].replace('|', '/')} |" for field, given in one["properties"].items()
        ]
        yield "\n".join([f"**`{name}`**: {text}\n", "| field | meaning |", "| --- | --- |", *rows])
