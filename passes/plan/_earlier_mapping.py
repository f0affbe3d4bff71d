"""Reading of `mapping.json` (`nopt.mapping/1`) of an earlier compilation: the slices of each layer, and the places of their cores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...core.diagnostics import Code, ExitCode
from ...core.files import read_bytes
from ...core.json_node import JsonNode
from ...core.json_schema import require_schema
from ...dialects.machine.kept_mapping import KeptLayer

MAP025 = Code(
    "MAP025", "earlier-mapping-invalid", "the file with an earlier mapping is invalid", exit_code=ExitCode.MISUSED
)

COUNT: Mapping[str, Any] = {"type": "integer", "minimum": 0}
TEXT: Mapping[str, Any] = {"type": "string"}


def list_of(items: Mapping[str, Any], least: int = 0) -> Mapping[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


def record_of(*optional: str, **fields: Mapping[str, Any]) -> Mapping[str, Any]:
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required}


SLICE = list_of({"type": "array", "items": COUNT, "minItems": 2, "maxItems": 2}, 1)
ORDER_SCHEMA: Mapping[str, Any] = {"anyOf": [list_of(COUNT), {"type": "null"}]}
EARLIER = record_of(
    schema={"const": "nopt.mapping/1"},
    device=TEXT,
    populations=list_of(record_of(node=TEXT, shape=list_of(COUNT), order=ORDER_SCHEMA, is_input={"type": "boolean"})),
    vertices=list_of(record_of(node=TEXT, slice=SLICE, core=COUNT, chip=COUNT)),
    cores=list_of(record_of("slot", id=COUNT, chip=COUNT, x=COUNT, y=COUNT, slot=COUNT)),
)
"""The part of the schema of `mapping.json` that is read."""


def read_earlier(path: str) -> tuple[str, dict[str, KeptLayer]]:
    """Returns the device of a mapping, and its populations by name. Errors: COR008 the file cannot be read; MAP025."""
    text = read_bytes(Path(path)).decode(errors="replace")
    node = JsonNode.parse(path, text, MAP025)
    require_schema(node, EARLIER)
    record: Any = node.value
    places = {
        (one["chip"], one["id"]): [one["chip"], one["x"], one["y"], one.get("slot", 0)] for one in record["cores"]
    }
    slices: dict[str, list[tuple[list[list[int]], list[int]]]] = {}
    for vertex, row in zip(node["vertices"].items(), record["vertices"], strict=True):
        if (place := places.get((row["chip"], row["core"]))) is None:
            vertex["core"].refuse("an id of cores")
        slices.setdefault(row["node"], []).append((row["slice"], place))
    layers = dict[str, KeptLayer]()
    for population, row in zip(node["populations"].items(), record["populations"], strict=True):
        if row["is_input"]:
            continue
        own, order = slices.get(row["node"], []), row["order"]
        axes = len(row["shape"]) if order is None else 1
        if not own or any(len(box) != axes for box, _ in own):
            population.refuse("vertices with a slice of the axes of the shape, or of the order")
        layers[row["node"]] = KeptLayer(
            row["node"],
            np.array([box for box, _ in own], np.int64),
            None if order is None else np.array(order, np.int64),
            np.array([place for _, place in own], np.int64),
        )
    return record["device"], layers
