"""Formats of JSON that nopt writes, each with its JSON Schema: the field `schema` of a document names one."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from attrs import field, frozen

from ...core.diagnostics import Code, ExitCode
from ...core.json_schema import DIALECT
from ..field_schemas import INTEGER, TEXT, TRUTH, RecordSchemas, Schema, array_of, record_of, with_definitions
from ..json_record import Record, key
from .listing import refuse_unknown

API023 = Code("API023", "record-format-unknown", "a format of records is unknown", exit_code=ExitCode.MISUSED)


@frozen
class RecordFormat(Record):
    """One format of JSON documents."""

    name: str
    """Value of the field `schema`."""
    written_by: str
    """Command whose result it is."""
    make: Callable[[], Schema] = field(metadata=key(None))

    @property
    def file(self) -> str:
        """Name of the file in `docs/reference/`: `check.schema.json`."""
        return f"{self.name.removeprefix('nopt.').partition('/')[0]}.schema.json"

    def schema(self) -> Schema:
        """Returns the whole JSON Schema."""
        return {"$schema": DIALECT, "title": self.name} | self.make()


def of_class(module: str, name: str) -> Callable[[], Schema]:
    """Returns the function that makes the schema of a class of records."""

    def make() -> Schema:
        cls: type[Record] = getattr(import_module(module, __package__), name)
        return with_definitions(RecordSchemas().of(cls))

    return make


def of_function(module: str, name: str) -> Callable[[], Schema]:
    """Returns the function of a module that makes a schema; the module is imported when it is called."""
    return lambda: getattr(import_module(module, __package__), name)()


def report() -> Schema:
    from ..compiling.builds import REPORT_SCHEMA
    from ..report.report_schema import report_schema

    made = report_schema(RecordSchemas())
    return with_definitions(made | {"properties": made["properties"] | {"schema": {"const": REPORT_SCHEMA}}})


def findings() -> Schema:
    made = record_of(schema={"const": "nopt.findings/1"}, findings=array_of(RecordSchemas().finding()))
    return with_definitions(made)


def conformance() -> Schema:
    failure = record_of(case=TEXT, expected=TEXT, found=TEXT)
    states = {"type": "string", "enum": ["passed", "failed", "not_applicable", "not_asked"]}
    question = record_of(name=TEXT, question=TEXT, status=states, cases=INTEGER, failures=array_of(failure))
    device = record_of(
        **dict.fromkeys(("target", "device", "sha256", "fidelity"), TEXT),
        **dict.fromkeys(("seed", "networks"), INTEGER),
        conforms=TRUTH,
        questions=array_of(question),
    )
    return record_of(schema={"const": "nopt.conformance/1"}, nopt=TEXT, devices=array_of(device))


RECORD_FORMATS = tuple(
    RecordFormat(name, written_by, make)
    for name, written_by, make in (
        ("nopt.report/1", "`nopt compile` (`report.json` and `--format json`)", report),
        ("nopt.check/1", "`nopt check --format json`", of_class("..checking.check_results", "Check")),
        ("nopt.run/1", "`nopt run --format json`", of_class("..running.run_summary", "RunSummary")),
        ("nopt.levels/1", "`nopt run --levels --format json`", of_class("..running.level_comparison", "Levels")),
        ("nopt.chips/1", "`nopt run --chips N --format json`", of_class("..running.chip_records", "ChipRuns")),
        ("nopt.bench/1", "`nopt bench --format json`", of_class("..benching.bench", "Bench")),
        ("nopt.sweep/1", "`nopt sweep --format json`", of_class("..sweeping.result", "Sweep")),
        ("nopt.compare/1", "`nopt compare --format json`", of_class("..running.comparison", "Comparison")),
        ("nopt.diff/1", "`nopt diff --format json`", of_class("..report.build_differences", "BuildDifferences")),
        (
            "nopt.measured/1",
            "`nopt report BUILD --measured FILE --format json` (`measured`)",
            of_class("..measuring.measured", "Measured"),
        ),
        (
            "nopt.neurobench/1",
            "`nopt run --metrics --format json`, `nopt report BUILD --neurobench --format json` (`neurobench`)",
            of_class("..metrics.records", "NeuroBench"),
        ),
        ("nopt.conformance/1", "`nopt conform --format json`", conformance),
        ("nopt.why/1", "`nopt explain BUILD --why SUBJECT --format json`", of_class("..reasons.records", "Why")),
        ("nopt.findings/1", "every verb with `--format json`, on standard error", findings),
        (
            "nopt.mapping/1",
            "`nopt compile` (`mapping.json`)",
            of_function("..compiling.mappings.mapping_schema", "mapping_schema"),
        ),
        ("nopt.device/1", "you, and `nopt new device`", of_function("...core.device.schema", "schema")),
    )
)


def record_formats() -> tuple[RecordFormat, ...]:
    """Returns the formats of records that have a JSON Schema.

    [one.name for one in nopt.record_formats()]
    """
    return RECORD_FORMATS


def record_schema(name: str) -> dict[str, Any]:
    """Returns the JSON Schema of a format, by the value of the field `schema` of its documents.

        nopt.record_schema("nopt.check/1")["properties"]["findings"]

    Errors: API023 an unknown format.
    """
    known = {one.name: one for one in RECORD_FORMATS}
    if name not in known:
        near = get_close_matches(name, known, 3)
        refuse_unknown(API023, "format", name, near, f"one of {', '.join(known)}", "nopt explain", "--records")
    return known[name].schema()
