"""Damaged files of builds are refused by `report`, `diff` and `run`, and the schema of reports holds for those of all targets."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from places import GOLDENS

import nopt
from nopt.api.compiling.builds import CMP011, require_mapping, require_report
from nopt.api.report.build_differences import diff
from nopt.api.report.pages import write_report
from nopt.api.report.report_schema import REPORT
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.json_node import JsonNode
from nopt.core.json_schema import require_schema

LIF = GOLDENS / "tools" / "inputs" / "lif.mlir"
VALUES: list[Any] = [None, True, -1, 10**30, 1.5, float("inf"), "x", [], {}, [1], {"a": 1}]
BROKEN = ["", "{", "[" * 2000, "null", "[]", '"a"', "NaN"]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compiles a network with its levels and its mapping."""
    folder = tmp_path_factory.mktemp("damaged") / "build"
    given = {"target": "asic/mesh", "dt": "1ms", "like": "norse"}
    nopt.compile(LIF, out=folder, calib=np.ones((2, 5, 2), bool), diagnostics=Diagnostics(), **given)
    return folder


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the path of each part of a document; of a list, those of the first entry."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, part in parts:
        yield from paths(part, (*path, key))


def damaged(record: Any, path: tuple[Any, ...], rng: random.Random) -> Any:
    """Returns a document without a part, or with another value for it."""
    found = copy.deepcopy(record)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    if rng.random() < 0.4:
        del inner[path[-1]]
    else:
        inner[path[-1]] = rng.choice(VALUES)
    return found


def read_all(folder: Path, other: Path, page: Path) -> None:
    """Reads a build in each way; refusals are accepted."""
    for read in (lambda: write_report(page, folder, diagnostics=Diagnostics()), lambda: diff(other, folder)):
        with Diagnostics().collecting():
            read()


@pytest.mark.parametrize("name", ["report.json", "mapping.json", "device.json"])
def test_a_damaged_file_is_refused_or_read(name: str, build: Path, tmp_path: Path) -> None:
    rng, record = random.Random(name), json.loads((build / name).read_text())
    copied = shutil.copytree(build, tmp_path / "copy")
    for path in rng.sample(sorted(paths(record), key=str), 25):
        (copied / name).write_text(json.dumps(damaged(record, path, rng)))
        read_all(copied, build, tmp_path / "page.html")
    for text in BROKEN:
        (copied / name).write_text(text)
        with pytest.raises(Refused):
            write_report(tmp_path / "page.html", copied, diagnostics=Diagnostics())


def test_the_part_of_a_damaged_report_is_named(build: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(build, tmp_path / "copy")
    record = json.loads((copied / "report.json").read_text())
    del record["approximations"][0]["unit"]
    (copied / "report.json").write_text(json.dumps(record))
    with pytest.raises(Refused) as refusal:
        require_report(copied)
    (finding,) = refusal.value.findings
    assert (finding.code, finding.at) == (CMP011, "$.approximations[0]")
    assert finding.expected == 'an object with "unit"'


def test_the_schema_holds_for_a_build(build: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(REPORT)
    jsonschema.validate(require_report(build), REPORT)
    assert require_mapping(build)["schema"] == "nopt.mapping/1"


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (1, {"type": "string"}),
        (True, {"type": "integer"}),
        (10**30, {"type": "integer"}),
        ({}, {"type": "object", "required": ["a"]}),
        ({"a": 1}, {"type": "object", "properties": {"a": {"type": "null"}}}),
        ({"b": 1}, {"type": "object", "additionalProperties": {"type": "string"}}),
        ([1, "x"], {"type": "array", "items": {"type": "integer"}}),
        ([1], {"type": "array", "minItems": 2}),
        (1, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (-1, {"type": "integer", "minimum": 0}),
        ("b", {"const": "a"}),
        ("b", {"type": "string", "enum": ["a"]}),
    ],
    ids=range(12),
)
def test_a_value_of_another_schema_is_refused(value: Any, schema: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="CMP011"):
        require_schema(JsonNode("a.json", "$", value, CMP011), schema)
