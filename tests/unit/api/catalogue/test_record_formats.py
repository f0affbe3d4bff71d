"""The published JSON Schemas hold for the outputs of the verbs, and list all of their fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from attrs import evolve, field, frozen
from places import ROOT

import nopt
from nopt.api.field_schemas import RecordSchemas
from nopt.api.json_record import Record, key
from nopt.core.diagnostics import Code, Diagnostics, Finding, Refused, Severity

BARS = ROOT / "examples" / "bars"
NET, SAMPLE = BARS / "bars.nir", BARS / "input.npy"
CHOICES: dict[str, Any] = {"dt": "1ms", "like": "norse", "reset": "subtract"}
EXAMPLE = Finding(Code("TST001", "an-example", "an example"), limit=3, notes=("a note",))


@frozen
class Nested(Record):
    """An example.

    More of it.
    """

    text: str
    """Its text,
    over two lines."""
    figure: float | None
    kind: Severity
    pairs: dict[str, tuple[int, ...]]
    anything: Any
    findings: tuple[Finding, ...] = ()
    hidden: object = field(default=None, metadata=key(None))


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Compiles a network for a target without and one with a mapping, each with a sample, and for a machine whose chips are drawn."""
    folder = tmp_path_factory.mktemp("builds")
    made = [folder / "c", folder / "mesh", folder / "array", folder / "brief"]
    quiet: dict[str, Any] = {"diagnostics": Diagnostics(), **CHOICES}
    nopt.compile(NET, target="c/int8", out=made[0], calib=SAMPLE, labels=[0, 1] * 4, **quiet)
    nopt.compile(NET, target="asic/mesh", out=made[1], calib=SAMPLE, **quiet)
    nopt.compile(NET, target="memxbar", out=made[2], calib=SAMPLE, draw=nopt.Draw(2, 0), **quiet)
    nopt.compile(NET, target="asic/mesh", out=made[3], **quiet)
    return made


LOGS = (
    "# rail: core\n# samples: 2\ntime_s,core_mW,phase\n0,1,idle\n1,2,run\n2,2,run\n",
    "sample,energy_uJ,time_ms\n0,12,1\n1,13,1.1\n",
)
"""A trace of power with an idle phase, and a table of samples."""


def measure(build: Path, text: str) -> Any:
    """Returns the measurements of a log next to the estimate of a build."""
    log = build.parent / "log.csv"
    log.write_text(text)
    return nopt.measurements(build, log).as_json()


def check_reports(builds: list[Path]) -> list[Any]:
    return [json.loads((folder / "report.json").read_text()) for folder in builds]


EMULATED = evolve(
    nopt.Bench(1, 1, None, 0, ()),
    core=nopt.CoreBench(
        "cortex-m4", "mps2-an386", "c/int8", 2, 2, 10.5, 12, 100, 20, None, (nopt.OpBench("clear", 2.5),)
    ),
).as_json()
"""A network on an emulated core; the emulator is missing on most machines."""


DOCUMENTS: dict[str, Callable[[list[Path]], list[Any]]] = {
    "nopt.report/1": check_reports,
    "nopt.mapping/1": lambda builds: [json.loads((builds[1] / "mapping.json").read_text())],
    "nopt.device/1": lambda builds: [json.loads((folder / "device.json").read_text()) for folder in builds],
    "nopt.check/1": lambda builds: [
        nopt.check(NET, **CHOICES).as_json(),
        nopt.check(NET, SAMPLE, target="auto", **CHOICES).as_json(),
        nopt.check(NET).as_json(),
    ],
    "nopt.run/1": lambda builds: [nopt.execute(builds[0], SAMPLE).as_json()],
    "nopt.bench/1": lambda builds: [nopt.bench(builds[0], SAMPLE, engine="numpy", seconds=0.1).as_json(), EMULATED],
    "nopt.levels/1": lambda builds: [
        nopt.levels(NET, SAMPLE, passes="ntensor-quantize-weights{bits=4}", labels=[0, 1] * 4, **CHOICES).as_json(),
        nopt.levels(NET, SAMPLE, **CHOICES).as_json(),
    ],
    "nopt.chips/1": lambda builds: [nopt.run_chips(builds[2], SAMPLE, chips=2).as_json()],
    "nopt.sweep/1": lambda builds: [
        nopt.sweep(NET, SAMPLE, {"weights.bits": [2, 8]}, **CHOICES).as_json(),
        nopt.sweep(NET, SAMPLE, {"weights.bits": [8, 4]}, goal="count_error-0.5", **CHOICES).as_json(),
        nopt.sweep(NET, vary={"core.neurons": [1, 256]}, target="asic/mesh,c", **CHOICES).as_json(),
    ],
    "nopt.compare/1": lambda builds: [
        nopt.compare({"a": np.eye(2)}, {"a": np.ones((2, 2)), "b": np.eye(2)}).as_json(),
        nopt.compare({"a": np.eye(2)}, {"a": np.eye(3)}).as_json(),
    ],
    "nopt.diff/1": lambda builds: [
        nopt.diff(builds[0], builds[1]).as_json(),
        nopt.diff(builds[0], builds[0], SAMPLE).as_json(),
    ],
    "nopt.measured/1": lambda builds: [measure(build, log) for log in LOGS for build in builds[:2]],
    "nopt.neurobench/1": lambda builds: [
        nopt.neurobench(NET, SAMPLE, choices=CHOICES).as_json(),
        *(one.as_json() for one in nopt.build_metrics(builds[1], SAMPLE)),
    ],
    "nopt.conformance/1": lambda builds: [
        nopt.conform("asic/edge", only=["dtypes"], networks=1).as_json(),
        nopt.conform("asic/edge", set=["core.neurons=1"], only=["equivalence", "plasticity"], networks=1).as_json(),
    ],
    "nopt.why/1": lambda builds: [
        nopt.why(builds[1], one).as_json() for one in ("limit", "latency", "core 0", "voters")
    ],
    "nopt.findings/1": lambda builds: [{"schema": "nopt.findings/1", "findings": [EXAMPLE.as_json()]}],
}
"""Documents of each format."""


def closed(schema: Any) -> Any:
    """Returns a schema that allows no fields other than those that it lists."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(one) for name, one in schema.items()}
    return made | {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else made


@pytest.mark.parametrize("name", [one.name for one in nopt.record_formats()])
def test_documents_have_the_fields_of_their_schema(name: str, builds: list[Path]) -> None:
    schema = nopt.record_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    documents = DOCUMENTS[name](builds)
    for document in documents:
        jsonschema.validate(json.loads(json.dumps(document)), schema)
        assert document["schema"] == name
    if name not in ("nopt.report/1", "nopt.mapping/1", "nopt.device/1"):
        for document in documents:
            jsonschema.validate(json.loads(json.dumps(document)), closed(schema))


def test_reports_have_no_other_fields_than_those_of_targets(builds: list[Path]) -> None:
    """Further entries of a report are facts of its target, such as the compiler."""
    schema = nopt.record_schema("nopt.report/1")
    known = set(schema["properties"])
    extras = [set(report) - known for report in check_reports(builds)]
    assert extras == [{"compiler", "flags", "measured_for"}, set(), extras[2], set()]
    for report in check_reports(builds):
        jsonschema.validate(report, closed(schema) | {"additionalProperties": True})


@pytest.mark.parametrize("format", [one.name for one in nopt.record_formats()])
def test_a_document_without_a_field_is_refused(format: str, builds: list[Path]) -> None:
    schema = nopt.record_schema(format)
    document = DOCUMENTS[format](builds)[0]
    for name in schema.get("required", schema.get("else", {}).get("required")):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({key: value for key, value in document.items() if key != name}, schema)


def test_types_become_schemas() -> None:
    made = RecordSchemas().of(Nested)
    assert made["description"] == "An example."
    assert made["required"] == ["text", "figure", "kind", "pairs", "anything", "findings"]
    fields = made["properties"]
    assert fields["text"] == {"type": "string", "description": "Its text, over two lines."}
    infinities = {"type": "string", "enum": ["nan", "inf", "-inf"]}
    assert fields["figure"] == {"anyOf": [{"type": "number"}, infinities, {"type": "null"}]}
    assert fields["kind"] == {"type": "string", "enum": [str(one) for one in Severity]}
    assert fields["pairs"] == {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "integer"}},
    }
    assert fields["anything"] == {}
    assert fields["findings"]["items"]["required"] == list(EXAMPLE.as_json())


def test_repeated_records_are_defined_once() -> None:
    levels = nopt.record_schema("nopt.levels/1")
    assert levels["properties"]["levels"]["items"] == {"$ref": "#/$defs/Level"}
    assert "Loss" in levels["$defs"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": "nopt.levels/1", "samples": 1, "ticks": 1, "levels": [{}]}, levels)


def test_descriptions_are_left_out() -> None:
    assert "description" not in json.dumps(RecordSchemas(is_described=False).of(Nested))


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(Refused, match="API023") as refusal:
        nopt.record_schema("nopt.chek/1")
    assert refusal.value.findings[0].help == "nopt explain nopt.check/1"
    assert refusal.value.exit_code == 2
