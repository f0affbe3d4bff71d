"""Reader and writer of JSON graphs, `nopt.graph/1`: a NIR network as a document, for build systems and other languages.

    {
      "schema": "nopt.graph/1",
      "name": "net",
      "nodes": {
        "input": {"type": "Input", "shape": [2]},
        "fc": {"type": "Linear", "weight": {"dtype": "float32", "shape": [1, 2], "values": [[0.5, -1.0]]}},
        "lif": {"type": "LIF", "tau": [0.02], "r": [1], "v_leak": [0], "v_threshold": [1], "v_reset": [0]},
        "output": {"type": "Output", "shape": [1]}
      },
      "edges": [["input", "fc"], ["fc", "lif"], ["lif", "output"]]
    }

Nodes have NIR's types and parameters; nested graphs have the type NIRGraph, with nodes and edges of their own. `json_arrays.py` defines
the form of arrays. The contents of the document are then processed like a `.nir` file, so that checks, inference and refusals
are the same; findings contain the place in the document. Unlike a `.nir` file, a JSON graph allows every name and stores the name of
the network.

Source: the `nir` package 1.0.8 for types and parameters; RFC 8259 for JSON; `graph.schema.json` in this folder.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
from attrs import evolve
from xdsl.dialects.builtin import ModuleOp, StringAttr

from ..core.diagnostics import Code, Diagnostics, Finding, Refused, refuse
from ..core.files import is_hdf5
from .json_arrays import FORMS, NIF032, Arrays, Object, as_list, below, inline_text, is_array, kind_of, objects
from .limits import DEFAULTS, NIF027, Limits, raised_limit
from .nir_network import NIF014
from .nir_values import DEEPEST, is_text, short, suggestion

NIF030 = Code("NIF030", "not-a-json-file", "the file is not JSON")
NIF031 = Code("NIF031", "json-graph-unsupported", "the document is not a supported graph")
NIF035 = Code("NIF035", "network-not-json-representable", "JSON cannot represent the network")

GRAPH_SCHEMA = "nopt.graph/1"
SWELLS = 32
"""Upper bound on the size of a document in memory, relative to the size of its text. The limit on bytes applies to both sizes."""
ROOT = ("schema", "name", "version", "metadata", "nodes", "edges")
START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*[\"}]")

Document = dict[str, Any]

IS_CONTINUOUS = True
"""Networks of this format are in continuous time: a network in ticks is converted before it is written."""


def recognises(head: bytes) -> bool:
    """Returns whether the first bytes start a JSON object. Textual IR never starts like this, but the user block of an HDF5 file may."""
    return START.match(head) is not None and not is_hdf5(head)


def read(path: Path, diagnostics: Diagnostics, limits: Limits = DEFAULTS) -> ModuleOp:
    """Reads a JSON graph. Remarks and warnings go to `diagnostics`.

    Errors: NIF030, NIF031, NIF027 at once; NIF032, NIF033, NIF034, NIF014 and NIF027 together; then those of a `.nir` file, NIF003 to NIF018,
    NIR001 to NIR003.
    """
    from .nir_module import build_module

    document = parse_document(path, limits)
    reading = Reading(path, limits)
    contents = reading.root(document)
    reading.arrays.problems.raise_errors()
    notes = Diagnostics()
    name = document.get("name", path.stem)
    try:
        module = build_module(contents, name, notes, str(path), limits)
    except Refused as refusal:
        raise Refused(*map(reading.placed, refusal.findings)) from None
    diagnostics.extend(map(reading.placed, notes.findings))
    if (version := document.get("version")) is not None:
        for op in module.ops:
            op.properties["version"] = StringAttr(version)
    return module


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Formats the network of a module as a JSON graph with inline arrays. Remarks and warnings go to `diagnostics`.

    Errors: NIF038, NIF039, NIF041, NIF042, NIF043, NIF044, NIF045 a network that NIR cannot represent; NIF035 metadata that JSON cannot represent, or a document
    that is too large.
    """
    from .nir_export import contents_of, network_in

    contents = contents_of(module, diagnostics)
    problems = Diagnostics()
    op = network_in(module)
    head: Document = {"schema": GRAPH_SCHEMA, "name": op.sym_name.data}
    if op.version is not None:
        head["version"] = op.version.data
    check_metadata(contents, "$", problems)
    problems.raise_errors()
    text = graph_text({**head, **contents}, "") + "\n"
    if (size := len(text.encode())) > (most := DEFAULTS.bytes // SWELLS):
        refuse(
            NIF035,
            "the network is too large for a JSON document",
            at="-t json",
            expected=f"at most {most} bytes",
            found=f"{size} bytes",
            help="-t mlir, or -t nir",
        )
    return text


# ---- in


def parse_document(path: Path, limits: Limits) -> Document:
    """Parses a document and returns its outermost object."""
    from ..core.ir.source import decode_text

    if (size := path.stat().st_size) > limits.bytes // SWELLS:
        refuse(
            NIF027,
            "the document is larger than the limit allows",
            file=str(path),
            expected=f"at most {limits.bytes // SWELLS} bytes, 1/32 of the limit of bytes",
            found=f"{size} bytes",
            help=raised_limit("bytes", size * SWELLS),
            notes=["large arrays can be stored in .npy files"],
        )
    text = decode_text(path.read_bytes(), str(path)).removeprefix("\ufeff")
    count = 0

    def counted(pairs: list[tuple[str, Any]]) -> Object:
        nonlocal count
        if (count := count + 1) > limits.entries:
            refuse_entries(path, limits)
        return objects(pairs)

    try:
        document: Any = json.loads(text, object_pairs_hook=counted)
    except json.JSONDecodeError as failure:
        place = f"{path}:{failure.lineno}:{failure.colno}"
        line = text.split("\n")[failure.lineno - 1]
        shown = line[max(0, failure.colno - 40) :][:80].strip()
        refuse(
            NIF030,
            failure.msg[0].lower() + failure.msg[1:],
            place=place,
            expected="a JSON document (RFC 8259)",
            found=shown or "the end of the line",
            help="correct the text at this place",
        )
    except RecursionError:
        unreadable(
            path,
            "the document is nested too deeply",
            f"graphs to at most {limits.depth} levels",
            "more levels than the parser supports",
        )
    except ValueError as failure:  # an integer of thousands of digits
        unreadable(path, "the document contains a number that cannot be read", "finite numbers", short(str(failure)))
    given: Any = cast(Any, document).get("schema") if isinstance(document, dict) else document
    if not isinstance(document, dict) or given != GRAPH_SCHEMA:
        refuse(
            NIF031,
            place=f"{path}:$.schema",
            expected=f'"schema": "{GRAPH_SCHEMA}"',
            found=kind_of(given) if given is not None else "no schema",
            help=f'add "schema": "{GRAPH_SCHEMA}" to the outermost object, if the document is a graph',
        )
    return cast(Document, document)


def refuse_entries(path: Path, limits: Limits) -> NoReturn:
    refuse(
        NIF027,
        "the file exceeds the limit of entries",
        file=str(path),
        expected=f"at most {limits.entries} objects, texts and arrays",
        found="more",
        help=f"--limit entries={10 * limits.entries}",
    )


def unreadable(path: Path, message: str, expected: str, found: str) -> NoReturn:
    help = "move large arrays to .npy files, and inner graphs to the outer ones"
    refuse(NIF030, message, file=str(path), expected=expected, found=found, help=help)


class Reading:
    """Conversion of one document to the dictionaries of a `.nir` file."""

    def __init__(self, path: Path, limits: Limits):
        self.file, self.limits = str(path), limits
        self.arrays = Arrays(self.file, path.parent, Diagnostics(), limits.bytes)
        self.places: dict[str, tuple[str, Object]] = {}
        """Place and object of each node. The key is the path of the node: the names of its enclosing graphs, then its own name."""
        self.count = self.entries = 0

    def form(self, place: str, message: str, expected: str, found: Any, help: str) -> None:
        self.arrays.refuse(NIF032, place, message, expected, kind_of(found), help)

    def object(self, value: Any, place: str, what: str) -> Object | None:
        """Returns an object whose keys are text, each once; refuses anything else."""
        if not isinstance(value, Object):
            self.form(place, f"{what} is not an object", "an object, in braces", value, "correct the document")
            return None
        if value.twice is not None:
            self.form(
                below(place, value.twice), "a key is used twice", "each key once", value.twice, "remove one of them"
            )
        for key in value:
            if not is_text(key):
                self.form(place, "a key is not text", "text in UTF-8", ascii(key), "correct the key")
                return None
        return value

    def root(self, document: Document) -> Document:
        if (checked := self.object(document, "$", "the document")) is None:
            return {}
        for key in checked:
            if key not in (*ROOT, "$schema"):
                known = ", ".join(ROOT)
                help = suggestion(key, ROOT, "remove it; notes belong in the metadata")
                self.form(below("$", key), "unknown key of a graph", f"one of {known}", key, help)
        for key in ("name", "version"):
            if key in checked and not is_text(checked[key]):
                self.form(below("$", key), f"the {key} is not text", "text", checked[key], "write it in quotes")
        graph = {"type": "NIRGraph", **{key: checked[key] for key in ("nodes", "edges", "metadata") if key in checked}}
        given = objects(list(graph.items()))
        self.places[""] = "$", given
        return self.node(given, "$", "", 0)

    def node(self, given: Object, place: str, path: str, depth: int) -> Document:
        """Converts a node or graph to the values of a `.nir` file."""
        found: Document = {}
        for key, value in given.items():
            here = below(place, key)
            if key == "metadata":
                if self.object(value, here, "metadata") is not None:
                    found[key] = self.group(value, here, 0)
            elif key == "type" or isinstance(value, str):
                found[key] = value
            elif given.get("type") == "NIRGraph" and key == "nodes":
                found[key] = self.nodes(value, here, path, depth)
            elif given.get("type") == "NIRGraph" and key == "edges":
                found[key] = self.edges(value, here)
            elif given.get("type") == "Neuron" and key == "params":
                if (params := self.object(value, here, "the parameters")) is not None:
                    found[key] = {name: self.arrays.array(one, below(here, name)) for name, one in params.items()}
            elif value is None:
                self.form(here, "a value is missing", "an array or text", None, "write the value, or remove the key")
            else:
                found[key] = self.arrays.array(value, here)
        return found

    def nodes(self, value: Any, place: str, path: str, depth: int) -> Document:
        found: Document = {}
        if depth > self.limits.depth:
            expected, help = (
                f"at most {self.limits.depth} levels",
                "move the nodes of the inner graphs to the outer ones",
            )
            self.arrays.refuse(NIF014, place, "graphs are nested too deeply", expected, "one more", help)
            return found
        if (given := self.object(value, place, "nodes")) is None:
            return found
        self.count += len(given)
        if self.count > (most := self.limits.nodes):
            message = "the file exceeds the limit of nodes"
            help = f"--limit nodes={self.count}"
            self.arrays.refuse(NIF027, place, message, f"at most {most} nodes", f"{self.count} nodes", help)
            return found
        for name, inner in given.items():
            here = below(place, name)
            if (node := self.object(inner, here, "a node")) is not None:
                self.places.setdefault(path + name, (here, node))
                found[name] = self.node(node, here, f"{path}{name}.", depth + 1)
        return found

    def edges(self, value: Any, place: str) -> list[Any]:
        """Returns the edges, which are pairs of names."""
        if (given := as_list(value)) is None:
            self.form(place, "edges is not a list", 'a list of pairs ["from", "to"]', value, "correct the document")
            return []
        for number, edge in enumerate(given):
            pair = as_list(edge)
            if pair is None or len(pair) != 2 or not all(map(is_text, pair)):
                self.form(
                    below(place, number), "an edge is not a pair of names", '["from", "to"]', edge, "correct the edge"
                )
        return given

    # ---- metadata

    def group(self, given: Object, place: str, depth: int) -> Document:
        return {key: self.metadata(value, below(place, key), depth) for key, value in given.items()}

    def metadata(self, value: Any, place: str, depth: int) -> Any:
        """Converts metadata to text, arrays, lists and groups; null is dropped later, with a warning."""
        self.entries += 1
        if self.entries > self.limits.entries:
            refuse_entries(Path(self.file), self.limits)
        if isinstance(value, str) or value is None or depth > DEEPEST:
            return value if isinstance(value, str) else None
        if isinstance(value, Object) and not is_array(value):
            return self.group(value, place, depth + 1) if self.object(value, place, "a group") is not None else None
        if (items := as_list(value)) is not None and not is_numeric(items):
            return [self.metadata(item, below(place, number), depth + 1) for number, item in enumerate(items)]
        return self.arrays.array(value, place)

    # ---- findings

    def placed(self, finding: Finding) -> Finding:
        """Adds a place in the document to a finding: the parameter that the message starts with, else the node."""
        place, given = self.places.get(finding.node or "", ("$", objects([])))
        word, found = finding.message.split(" ")[0], finding.found or ""
        edges = as_list(given.get("edges")) or []
        for number, edge in enumerate(edges if " -> " in found else ()):
            if found == f'"{edge[0]}" -> "{edge[1]}"':
                return evolve(finding, place=f"{self.file}:{below(below(place, 'edges'), number)}")
        key = word if word in given else found if found in given and finding.message.endswith(found) else None
        return evolve(finding, place=f"{self.file}:{place if key is None else below(place, key)}")


def is_numeric(items: list[Any]) -> bool:
    """Returns whether nested lists are an array: they contain only numbers."""
    waiting: list[Any] = [*items]
    while waiting:
        item = waiting.pop()
        if (inner := as_list(item)) is not None:
            waiting += inner
        elif not isinstance(item, int | float):  # bool is an int
            return False
    return True


# ---- out


def check_metadata(contents: Document, place: str, problems: Diagnostics) -> None:
    """Refuses metadata that JSON cannot represent, or that would be read back differently."""
    waiting: list[tuple[str, Any, bool]] = [(place, contents, False)]
    while waiting:
        here, value, is_metadata = waiting.pop()
        if isinstance(value, dict):
            group = cast(Document, value)
            waiting += [(below(here, key), item, is_metadata or key == "metadata") for key, item in group.items()]
        elif isinstance(value, list) and is_metadata:
            waiting += [(below(here, number), item, True) for number, item in enumerate(cast("list[Any]", value))]
        is_mistaken = is_metadata and isinstance(value, dict) and set(cast(Document, value)) in FORMS
        array: Any = cast(Any, value) if isinstance(value, np.ndarray) else np.zeros(0)
        is_finite = array.dtype.kind != "f" or bool(np.isfinite(array).all())
        if is_mistaken or not is_finite:
            problems.error(
                NIF035,
                "JSON cannot represent the metadata",
                at=here,
                expected="finite numbers" if not is_finite else "a group without exactly the keys of an array",
                found="NaN or infinity" if not is_finite else f"a group of {', '.join(cast(Document, value))}",
                help="-t mlir",
            )


def value_text(value: Any) -> str:
    """Formats a value of a node or of metadata on one line."""
    if isinstance(value, np.ndarray):
        return inline_text(cast(Any, value))
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key_text(key)}: {value_text(item)}' for key, item in cast(Document, value).items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, cast('list[Any]', value)))}]"
    return json.dumps(value, ensure_ascii=False)


def key_text(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)


def graph_text(contents: Document, indent: str) -> str:
    """Formats a graph with one line for each node and edge."""
    inner = indent + "  "
    lines: list[str] = []
    for key, value in contents.items():
        if key == "type" and not indent:  # the outermost object is always a graph
            continue
        if key == "nodes":
            nodes = [f"{inner}  {key_text(name)}: {node_text(node, inner + '  ')}" for name, node in value.items()]
            text = "{\n" + ",\n".join(nodes) + f"\n{inner}}}"
        elif key == "edges":
            edges = [f"{inner}  {json.dumps(edge, ensure_ascii=False)}" for edge in value]
            text = "[\n" + ",\n".join(edges) + f"\n{inner}]"
        else:
            text = value_text(value)
        lines.append(f"{inner}{key_text(key)}: {text}")
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def node_text(node: Document, indent: str) -> str:
    if node["type"] == "NIRGraph":
        return graph_text(node, indent)
    entries = [
        f"{key_text(key)}: {list(map(int, value)) if key in ('shape', 'input_type') else value_text(value)}"
        for key, value in node.items()
    ]
    return f"{{{', '.join(entries)}}}"
