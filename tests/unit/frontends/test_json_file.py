"""JSON graphs: round trips, the published schema, and damaged documents."""

from __future__ import annotations

import json
import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import nir
import numpy as np
import pytest
from extent import times
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from places import GOLDENS, ROOT
from test_nir_file import imported, networks, printed

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.frontends import nir_file
from nopt.frontends.json_arrays import NUMBER_FORMATS, Arrays, inline_text, objects
from nopt.frontends.json_file import emit, read, recognises
from nopt.frontends.limits import Limits
from nopt.frontends.nir_graph import PRIMITIVES

SCHEMA: Any = json.loads((ROOT / "frontends" / "graph.schema.json").read_text())
NET: Any = json.loads((GOLDENS / "frontends" / "inputs" / "net.json").read_text())


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("json")


def check_schema(document: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def assume_finite(graph: nir.NIRGraph) -> None:
    """Skips graphs with NaN or infinity in metadata, which JSON cannot represent."""
    assume("inf" not in repr(graph) and "nan" not in repr(graph))


@given(graph=networks())
@settings(max_examples=times(8), deadline=None)
def test_reads_back_the_same(folder: Path, graph: nir.NIRGraph) -> None:
    assume_finite(graph)
    module = imported(graph)
    text = emit(module, Diagnostics())
    path = folder / "net.json"
    path.write_text(text)
    again = read(path, Diagnostics())
    assert printed(again) == printed(module)
    assert emit(again, Diagnostics()) == text
    if "\\x00" not in repr(graph):  # HDF5 cannot represent it
        assert nir_file.emit(again, Diagnostics()) == nir_file.emit(module, Diagnostics())


@given(graph=networks())
@settings(max_examples=times(5), deadline=None)
def test_schema_takes_what_is_written(graph: nir.NIRGraph) -> None:
    assume_finite(graph)
    check_schema(json.loads(emit(imported(graph), Diagnostics())))


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    check_schema(NET)


@pytest.mark.parametrize("type", PRIMITIVES)
def test_schema_knows_every_parameter(type: str) -> None:
    known = {"type", "metadata", *PRIMITIVES[type].PARAMETERS}
    known |= {"Flatten": {"input_type"}, "Identity": {"shape"}}.get(type, set())
    assert set(SCHEMA["$defs"][type]["properties"]) == known
    assert {"$ref": f"#/$defs/{type}"} in SCHEMA["$defs"]["node"]["oneOf"]
    assert SCHEMA["$defs"]["inline"]["properties"]["dtype"]["enum"] == list(NUMBER_FORMATS)


def test_page_shows_a_graph_that_is_read(tmp_path: Path) -> None:
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "import.md").read_text(), re.DOTALL)
    shipped = ROOT / "frontends" / "node_types" / "proposals" / "depthwise_conv2d.json"
    (node,) = [block for block in blocks if "nopt.node/1" in block]
    assert json.loads(node) == json.loads(shipped.read_text())
    blocks.remove(node)
    for block, op in zip(blocks, ("nir.neuron", "nir.lif"), strict=True):
        check_schema(json.loads(block))
        (tmp_path / "net.json").write_text(block)
        assert op in printed(nopt.read(tmp_path / "net.json"))


def numbers(dtype: np.dtype[Any]) -> st.SearchStrategy[Any]:
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind == "f":
        return st.floats(allow_nan=False, allow_infinity=False, width=8 * dtype.itemsize)  # type: ignore[arg-type]
    return st.integers(int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))


@given(st.data())
def test_every_bit_of_an_array_comes_back(data: st.DataObject) -> None:
    dtype = NUMBER_FORMATS[data.draw(st.sampled_from(sorted(NUMBER_FORMATS)))]
    shape = tuple(data.draw(st.lists(st.integers(0, 3), max_size=3)))
    size = int(np.prod(shape))
    flat = data.draw(st.lists(numbers(dtype), min_size=size, max_size=size))
    array = np.array(flat, dtype).reshape(shape)
    problems = Diagnostics()
    value = json.loads(inline_text(array), object_pairs_hook=objects)
    again = Arrays("net.json", Path(), problems, 0).array(value, "$")
    assert not problems.findings
    assert again is not None
    assert (again.dtype, again.shape, again.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_every_half_comes_back() -> None:
    """Tests all finite numbers of 16 bits."""
    values = np.arange(2**16, dtype=np.uint16).view(np.float16)
    values = values[np.isfinite(values)]
    value = json.loads(inline_text(values), object_pairs_hook=objects)
    again = Arrays("net.json", Path(), Diagnostics(), 0).array(value, "$")
    assert again is not None
    assert again.tobytes() == values.tobytes()


@pytest.mark.parametrize(
    ("head", "is_graph"),
    [
        (b'{"schema"', True),
        (b'\xef\xbb\xbf \n\t{\r\n  "nodes"', True),
        (b"{}", True),
        (b'"builtin.module"() ({', False),
        (b"{-# dialect_resources", False),
        (b"module {", False),
        (b"", False),
        (b"[]", False),
    ],
)
def test_recognises_by_content(head: bytes, is_graph: bool) -> None:
    assert recognises(head) == is_graph


def test_array_of_a_file_is_taken_as_it_is(tmp_path: Path) -> None:
    document = deepcopy(NET)
    weight = np.random.default_rng(0).normal(size=(1, 2)).astype(np.float32)
    (tmp_path / "weights").mkdir()
    np.save(tmp_path / "weights" / "fc.npy", weight)
    document["nodes"]["fc"]["weight"] = {"dtype": "float32", "shape": [1, 2], "file": "weights/fc.npy"}
    (tmp_path / "net.json").write_text(json.dumps(document))
    module = nopt.read(tmp_path / "net.json")
    (op,) = (op for op in module.walk() if op.name == "nir.linear")
    assert op.properties["weight"].values.tobytes() == weight.tobytes()  # type: ignore[attr-defined]


def test_limits_are_kept(tmp_path: Path) -> None:
    """At a limit the document is read, one below it is refused: nodes, bytes in files, bytes of the document."""
    path = tmp_path / "net.json"
    path.write_text(json.dumps(NET))
    check_limit(path, "nodes", 4)
    check_limit(path, "entries", 8)
    check_limit(path, "bytes", 32 * path.stat().st_size)
    document = deepcopy(NET)
    np.save(tmp_path / "notes.npy", np.ones(20000, np.int8))
    document["metadata"] = {"notes": {"dtype": "int8", "shape": [20000], "file": "notes.npy"}}
    path.write_text(json.dumps(document))
    check_limit(path, "bytes", 20000)


def check_limit(path: Path, name: str, most: int) -> None:
    read(path, Diagnostics(), Limits(**{name: most}))
    with pytest.raises(Refused) as refusal:
        read(path, Diagnostics(), Limits(**{name: most - 1}))
    assert [finding.code.id for finding in refusal.value.findings] == ["NIF027"]


def damaged(document: Any, dice: random.Random) -> Any:
    """Returns a document in which one value is changed, removed, or moved to another key."""
    document = deepcopy(document)
    places: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        here = waiting.pop()
        for key in list(here) if isinstance(here, dict) else range(len(here)):
            places.append((here, key))
            if isinstance(here[key], dict | list):
                waiting.append(here[key])
    here, key = dice.choice(places)
    odd = [
        None,
        True,
        -1,
        0,
        2**70,
        1e400,
        -0.0,
        "",
        "\ud800",
        "a/b",
        [],
        [[]],
        {},
        [1, [2]],
        {"a": None},
        deepcopy(here),
    ]
    match dice.randrange(3):
        case 0:
            here[key] = dice.choice(odd)
        case 1:
            del here[key]
        case _ if isinstance(here, dict):
            here[dice.choice([f"{key}_", "type", "shape", "nodes", "metadata"])] = here.pop(key)
        case _:
            here.append(here[key])
    return document


def test_damaged_documents_are_read_or_refused(tmp_path: Path) -> None:
    """The result is a module or findings with their location."""
    dice = random.Random(0)
    path = tmp_path / "net.json"
    refused = read_in = 0
    nested = deepcopy(NET)
    inner = {"type": "NIRGraph", "nodes": deepcopy(NET["nodes"]), "edges": NET["edges"]}
    nested["nodes"] = {"in": {"type": "Input", "shape": [2]}, "block": inner, "out": {"type": "Output"}}
    nested["edges"] = [["in", "block"], ["block", "out"]]
    for number in range(300):
        document = damaged(nested if number % 2 else NET, dice)
        path.write_text(json.dumps(document))
        try:
            nopt.read(path, diagnostics=Diagnostics())
        except Refused as refusal:
            refused += all(finding.place or finding.file for finding in refusal.findings)
        else:
            read_in += 1
    assert refused + read_in == 300
    assert min(refused, read_in) > 50


def test_cut_documents_are_refused(tmp_path: Path) -> None:
    text = json.dumps(NET)
    path = tmp_path / "net.json"
    for length in range(2, len(text), 17):
        path.write_text(text[:length])
        with pytest.raises(Refused) as refusal:
            read(path, Diagnostics())
        assert {finding.code.id for finding in refusal.value.findings} == {"NIF030"}
