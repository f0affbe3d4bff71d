"""Node types that become small graphs: a JSON document whose nodes take their parameters from the entries of a node.

    {
      "schema": "nopt.node/1",
      "types": ["DepthwiseConv2d"],
      "nodes": {
        "input": {"type": "Input"},
        "conv": {"type": "Conv2d", "weight": {"entry": "weight"}, "groups": {"size": "weight", "axis": 0}, …},
        "output": {"type": "Output"}
      },
      "edges": [["input", "conv"], ["conv", "output"]]
    }

| parameter | value |
| --- | --- |
| `{"entry": NAME}`, `{"entry": NAME, "default": VALUE}` | the entry of the node, or the default if the node has none |
| `{"size": NAME, "axis": K}` | the size of an axis of the entry |
| numbers, lists, text | themselves |
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
from attrs import frozen

from ...core.diagnostics import Code, first_of, refuse
from ...core.ir.source import decode_text

NIF054 = Code("NIF054", "node-template-invalid", "a file of nodes is not a graph with entries")
NIF055 = Code("NIF055", "template-entries-mismatch", "the entries of a node are not those of its template")

NODE_SCHEMA = "nopt.node/1"
MOST_TEMPLATE_BYTES = 2**20
REFERENCES = ({"entry"}, {"entry", "default"}, {"size", "axis"})


@frozen
class NodeTemplate:
    """A graph whose parameters are entries of a node."""

    file: str
    nodes: Mapping[str, Mapping[str, Any]]
    edges: list[list[str]]

    def contents(self, type: str, data: Mapping[Any, Any]) -> dict[Any, Any]:
        """Returns a node of the type as a nested graph. Errors: NIF055 a missing or an unused entry."""
        own = {name: value for name, value in data.items() if name not in ("type", "metadata")}
        known = {name: needed for parameter in self.parameters() for name, needed in entries_read(parameter)}
        wrong = [f"no {name}" for name, needed in known.items() if needed and name not in own]
        wrong += [str(name) for name in own if name not in known]
        if wrong:
            expected = f"{type} with {', '.join(known) or 'no entry'}, as {Path(self.file).name} reads it"
            refuse(
                NIF055, at=type, expected=expected, found=first_of(wrong, 4), help=f"change the entries in {self.file}"
            )
        nodes = {
            name: {key: value if key == "type" else entry_value(value, own) for key, value in node.items()}
            for name, node in self.nodes.items()
        }
        found: dict[Any, Any] = {"type": "NIRGraph", "nodes": nodes, "edges": [tuple(edge) for edge in self.edges]}
        return found | ({"metadata": data["metadata"]} if "metadata" in data else {})

    def parameters(self) -> Iterator[Any]:
        for node in self.nodes.values():
            yield from (value for key, value in node.items() if key != "type")


def entries_read(value: Any) -> Iterator[tuple[str, bool]]:
    """Yields the entry that a parameter reads, with whether it is needed."""
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        yield str(given.get("entry", given.get("size"))), "default" not in given


def entry_value(value: Any, entries: Mapping[Any, Any]) -> Any:
    """Returns a parameter, with references replaced by the entries of a node."""
    if not isinstance(value, dict):
        return np.asarray(cast("Any", value)) if isinstance(value, list) else value
    given = cast("dict[str, Any]", value)
    if "size" in given:
        shape = np.shape(entries[given["size"]])
        axis = int(given["axis"])
        if axis >= len(shape):
            refuse(NIF055, at=given["size"], expected=f"an array with an axis {axis}", found=f"shape {list(shape)}")
        return np.asarray(shape[axis])
    found = entries.get(given["entry"], given.get("default"))
    return np.asarray(cast("Any", found)) if isinstance(found, list) else found


def templates_of(path: Path) -> dict[str, NodeTemplate]:
    """Returns the template of each type that a file declares. Errors: NIF054."""
    data = path.read_bytes()
    if len(data) > MOST_TEMPLATE_BYTES:
        refuse_document(path, f"at most {MOST_TEMPLATE_BYTES} bytes", f"{len(data)} bytes")
    try:
        document: Any = json.loads(decode_text(data, str(path)))
    except (json.JSONDecodeError, RecursionError) as error:
        refuse_document(path, "a JSON document", str(error) or "a deep nesting")
    keys = {"schema", "types", "nodes", "edges"}
    content: dict[str, Any] = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    if set(content) != keys or content["schema"] != NODE_SCHEMA:
        refuse_document(
            path, f"an object with {', '.join(sorted(keys))}, and the schema {NODE_SCHEMA}", "another document"
        )
    types: list[str] = content["types"]
    nodes: dict[str, dict[str, Any]] = content["nodes"]
    edges: list[list[str]] = content["edges"]
    if not is_list_with(types, str) or not types:
        refuse_document(path, "a list of names under types", json.dumps(types)[:60])
    if not isinstance(content["nodes"], dict) or not all(is_typed_node(one) for one in nodes.values()):
        refuse_document(path, "an object of nodes with a type under nodes", "another value")
    if not isinstance(content["edges"], list) or not all(is_list_with(one, str) and len(one) == 2 for one in edges):
        refuse_document(path, "a list of pairs of names under edges", json.dumps(edges)[:60])
    template = NodeTemplate(str(path), nodes, edges)
    for value in template.parameters():
        if isinstance(value, dict) and set(cast("dict[str, Any]", value)) not in REFERENCES:
            refuse_document(
                path,
                '{"entry": NAME}, {"entry": NAME, "default": VALUE} or {"size": NAME, "axis": K}',
                json.dumps(cast("Any", value))[:60],
            )
    return dict.fromkeys(types, template)


def is_typed_node(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(cast("dict[str, Any]", value).get("type"), str)


def is_list_with(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in cast("list[Any]", value))


def refuse_document(path: Path, expected: str, found: str) -> NoReturn:
    refuse(NIF054, at=str(path), expected=expected, found=found)
