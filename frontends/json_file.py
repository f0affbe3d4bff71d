"""Reads and writes JSON graphs, `nopt.graph/1`: a network of NIR as a document, for build systems and other languages.

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

Nodes have NIR's types and parameters, nested graphs the type NIRGraph with nodes and edges of their own. Arrays are said in
`json_arrays.py`. The document goes the way of a `.nir` file from there on, so that checks, inference and refusals are the same;
findings name the place in the document. Unlike a `.nir` file it takes every name, and it keeps the name of the network.

Source: the `nir` package 1.0.8 for types and parameters; RFC 8259 for JSON; `graph.schema.json` beside this file.
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
from .json_arrays import FORMS, JSG003, Arrays, Object, as_list, below, inline_text, is_array, kind_of, objects
from .limits import Limits
from .nir_guard import NIF027
from .nir_network import NIF014
from .nir_values import DEEPEST, is_text, short, suggestion

JSG001 = Code(
    "JSG001",
    "the file is not JSON",
    cause="The file begins as a JSON document but does not follow its grammar, or nests too deep to be read as one.",
    remedy="Correct the place that the message names.",
)
JSG002 = Code(
    "JSG002",
    "the document is no graph that nopt reads",
    cause="JSON documents are of many kinds, so a graph says what it is. This one says nothing, or another version of the format.",
    remedy='Write `"schema": "nopt.graph/1"` into the outermost object.',
)
JSG006 = Code(
    "JSG006",
    "a network cannot be said in JSON",
    cause="JSON has no NaN and no infinity; a group of metadata with exactly the keys of an array would read back as an array; and a "
    "document with all its arrays in line may be too large to be read back.",
    remedy="Take the entry out, or keep the network as textual IR (`-t mlir`) or as a `.nir` file.",
)

SCHEMA = "nopt.graph/1"
SWELLS = 32
"""How many times larger than its text a document may become in memory, so that the limit of bytes holds for both."""
ROOT = ("schema", "name", "version", "metadata", "nodes", "edges")
START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*[\"}]")

Document = dict[str, Any]

IS_CONTINUOUS = True
"""Its networks are in continuous time: one in ticks is converted before it is written."""


def recognises(head: bytes) -> bool:
    """Whether the first bytes are those of a JSON object; textual IR never begins so."""
    return START.match(head) is not None


def read(path: Path, diagnostics: Diagnostics) -> ModuleOp:
    """Reads a JSON graph under the usual limits; see `read_within`."""
    return read_within(path, diagnostics, Limits())


def read_within(path: Path, diagnostics: Diagnostics, limits: Limits) -> ModuleOp:
    """Reads a JSON graph. Remarks and warnings go to `diagnostics`.

    Errors: JSG001, JSG002, NIF027 at once; JSG003 to JSG005, NIF014 and NIF027 together; then those of a `.nir` file, NIF003 to NIF018,
    NIR001 to NIR003.
    """
    from .nir_file import module_of
    from .nir_hdf5 import graph_of

    document = parsed(path, limits)
    reading = Reading(path, limits)
    contents = reading.root(document)
    reading.arrays.problems.check()
    notes, problems = Diagnostics(), Diagnostics()
    name = document.get("name", path.stem)
    try:
        graph = graph_of(contents, "the network", "", 0, problems, limits.depth)
        module = module_of(graph, name, notes, problems, str(path), limits)
    except Refused as refusal:
        raise Refused(*map(reading.placed, refusal.findings)) from None
    for finding in notes.findings:
        diagnostics.add(reading.placed(finding))
    if (version := document.get("version")) is not None:
        for op in module.ops:
            op.properties["version"] = StringAttr(version)
    return module


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """The network of a module as a JSON graph, every array in line. Remarks and warnings go to `diagnostics`.

    Errors: NIX001, NIX002, NIX004 to NIX008 what NIR cannot say; JSG006 what JSON cannot say, and a document that is too large.
    """
    from .nir_export import contents_of, network_in

    contents = contents_of(module, diagnostics)
    problems = Diagnostics()
    op = network_in(module)
    head: Document = {"schema": SCHEMA, "name": op.sym_name.data}
    if op.version is not None:
        head["version"] = op.version.data
    check_metadata(contents, "$", problems)
    problems.check()
    text = graph_text({**head, **contents}, "") + "\n"
    if (size := len(text.encode())) > (most := Limits().bytes // SWELLS):
        refuse(
            JSG006,
            "the network is too large for a JSON document",
            at="-t json",
            expected=f"at most {most} bytes",
            found=f"{size} bytes",
            help="-t mlir, or -t nir",
        )
    return text


# ---- in


def parsed(path: Path, limits: Limits) -> Document:
    """The outermost object of a document.

    Errors: JSG001, JSG002, NIF027; SRC003 the file is not UTF-8.
    """
    from ..core.ir.source import decoded

    if (size := path.stat().st_size) > limits.bytes // SWELLS:
        refuse(
            NIF027,
            "the document is larger than the limit allows",
            file=str(path),
            expected=f"at most {limits.bytes // SWELLS} bytes, 1/32 of the limit of bytes",
            found=f"{size} bytes",
            help=f"--limit bytes={size * SWELLS}",
            notes=["large arrays can be in .npy files"],
        )
    text = decoded(path.read_bytes(), str(path)).removeprefix("\ufeff")
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
            JSG001,
            failure.msg[0].lower() + failure.msg[1:],
            place=place,
            expected="a JSON document (RFC 8259)",
            found=shown or "the end of the line",
            help="correct the text at this place",
        )
    except RecursionError:
        unreadable(
            path,
            "the document is nested too deep",
            f"graphs to at most {limits.depth} levels",
            "more levels than can be read",
        )
    except ValueError as failure:  # an integer of thousands of digits
        unreadable(path, "the document holds a number that cannot be read", "finite numbers", short(str(failure)))
    given: Any = cast(Any, document).get("schema") if isinstance(document, dict) else document
    if not isinstance(document, dict) or given != SCHEMA:
        refuse(
            JSG002,
            "the document is no graph that nopt reads",
            place=f"{path}:$.schema",
            expected=f'"schema": "{SCHEMA}"',
            found=kind_of(given) if given is not None else "no schema",
            help=f'write "schema": "{SCHEMA}" into the outermost object, if the document is one',
        )
    return cast(Document, document)


def refuse_entries(path: Path, limits: Limits) -> NoReturn:
    refuse(
        NIF027,
        "the file asks for more entries than the limit allows",
        file=str(path),
        expected=f"at most {limits.entries} objects, texts and arrays",
        found="more",
        help=f"--limit entries={10 * limits.entries}",
    )


def unreadable(path: Path, message: str, expected: str, found: str) -> NoReturn:
    help = "put large arrays into .npy files, inner graphs into the outer ones"
    refuse(JSG001, message, file=str(path), expected=expected, found=found, help=help)


class Reading:
    """One document on its way to what a `.nir` file holds."""

    def __init__(self, path: Path, limits: Limits):
        self.file, self.limits = str(path), limits
        self.arrays = Arrays(self.file, path.parent, Diagnostics(), limits.bytes)
        self.places: dict[str, tuple[str, Object]] = {}
        """Place and object of each node, by the names of the graphs around it and its own."""
        self.count = self.entries = 0

    def form(self, place: str, message: str, expected: str, found: Any, help: str) -> None:
        self.arrays.refuse(JSG003, place, message, expected, kind_of(found), help)

    def object(self, value: Any, place: str, what: str) -> Object | None:
        """An object whose keys are text, each once."""
        if not isinstance(value, Object):
            self.form(place, f"{what} is no object", "an object, in braces", value, "correct the document")
            return None
        if value.twice is not None:
            self.form(
                below(place, value.twice), "a key is there twice", "each key once", value.twice, "remove one of them"
            )
        for key in value:
            if not is_text(key):
                self.form(place, "a key is no text", "text in UTF-8", ascii(key), "correct the key")
                return None
        return value

    def root(self, document: Document) -> Document:
        if (checked := self.object(document, "$", "the document")) is None:
            return {}
        for key in checked:
            if key not in (*ROOT, "$schema"):
                known = ", ".join(ROOT)
                help = suggestion(key, ROOT, "remove it; notes go into the metadata")
                self.form(below("$", key), "a graph has no such key", f"one of {known}", key, help)
        for key in ("name", "version"):
            if key in checked and not is_text(checked[key]):
                self.form(below("$", key), f"the {key} is no text", "text", checked[key], "put it into quotes")
        graph = {"type": "NIRGraph", **{key: checked[key] for key in ("nodes", "edges", "metadata") if key in checked}}
        given = objects(list(graph.items()))
        self.places[""] = "$", given
        return self.node(given, "$", "", 0)

    def node(self, given: Object, place: str, path: str, depth: int) -> Document:
        """A node or graph, its values as a file holds them."""
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
            else:
                array = self.arrays.array(value, here) if value is not None else None
                found[key] = array
                if value is None:
                    self.form(
                        here, "a value is missing", "an array or text", None, "write the value, or remove the key"
                    )
        return found

    def nodes(self, value: Any, place: str, path: str, depth: int) -> Document:
        found: Document = {}
        if depth > self.limits.depth:
            expected, help = (
                f"at most {self.limits.depth} levels",
                "put the nodes of the inner graphs into the outer ones",
            )
            self.arrays.refuse(NIF014, place, "graphs are nested too deep", expected, "one more", help)
            return found
        if (given := self.object(value, place, "nodes")) is None:
            return found
        self.count += len(given)
        if self.count > (most := self.limits.nodes):
            message = "the file asks for more nodes than the limit allows"
            help = f"--limit nodes={self.count}"
            self.arrays.refuse(NIF027, place, message, f"at most {most} nodes", f"{self.count} nodes", help)
            return found
        for name, inner in given.items():
            here = below(place, name)
            if (node := self.object(inner, here, "a node")) is not None:
                self.places.setdefault(path + name, (here, node))
                found[name] = self.node(node, here, f"{path}{name}.", depth + 1)
        return found

    def edges(self, value: Any, place: str) -> Any:
        """Pairs of names."""
        if (given := as_list(value)) is None:
            self.form(place, "edges is no list", 'a list of pairs ["from", "to"]', value, "correct the document")
            return []
        for number, edge in enumerate(given):
            pair = as_list(edge)
            if pair is None or len(pair) != 2 or not all(map(is_text, pair)):
                self.form(
                    below(place, number), "an edge is no pair of names", '["from", "to"]', edge, "correct the edge"
                )
        rows = [edge for edge in given if as_list(edge) is not None and len(edge) == 2]
        edges = np.empty((len(rows), 2), object)
        for row, edge in zip(edges, rows, strict=True):
            row[:] = edge
        return edges

    # ---- metadata

    def group(self, given: Object, place: str, depth: int) -> Document:
        return {key: self.metadata(value, below(place, key), depth) for key, value in given.items()}

    def metadata(self, value: Any, place: str, depth: int) -> Any:
        """Metadata as a file holds them: text, arrays, lists and groups; null is left out later, with a warning."""
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
        """A finding about a node with its place in the document, down to the parameter that it begins with."""
        place, given = self.places.get(finding.node or "", ("$", objects([])))
        word, found = finding.message.split(" ")[0], finding.found or ""
        edges = as_list(given.get("edges")) or []
        for number, edge in enumerate(edges if " -> " in found else ()):
            if found == f'"{edge[0]}" -> "{edge[1]}"':
                return evolve(finding, place=f"{self.file}:{below(below(place, 'edges'), number)}")
        key = word if word in given else found if found in given and finding.message.endswith(found) else None
        return evolve(finding, place=f"{self.file}:{place if key is None else below(place, key)}")


def is_numeric(items: list[Any]) -> bool:
    """Whether nested lists hold numbers only, so that they are an array."""
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
    """Refuses metadata that JSON cannot say, or that would read back as something else."""
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
                JSG006,
                "metadata cannot be said in JSON",
                at=here,
                expected="finite numbers" if not is_finite else "a group that is not like an array",
                found="NaN or infinity" if not is_finite else f"a group of {', '.join(cast(Document, value))}",
                help="-t mlir",
            )


def value_text(value: Any) -> str:
    """A value of a node or of metadata on one line."""
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
    """A graph: a line for each node and edge."""
    inner = indent + "  "
    lines: list[str] = []
    for key, value in contents.items():
        if key == "type" and not indent:  # the outermost object is a graph in any case
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
