"""SARIF logs contain the findings in the terms of the standard; a third-party model of SARIF accepts them, and code hosts show all results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sarif_pydantic

from nopt.core.diagnostics import Code, ExitCode, Finding, Severity
from nopt.core.explanations import find_explanation
from nopt.core.plugins import COR019
from nopt.core.sarif import rule, sarif, uri

DELAY = Code("TST001", "long-delay", "a delay is long")
WEIGHT = Code("TST002", "large-weight", "a weight is large", exit_code=ExitCode.MISUSED)
FINDINGS = (
    Finding(
        WEIGHT, "the weight is large", Severity.WARNING, node="fc", file="a dir/net.nir", expected="1", source="x.json"
    ),
    Finding(DELAY, "the delay is long", at='nir.delay "d"', node="d", place="net.mlir:3:7", notes=["one", "two"]),
    Finding(DELAY, "the delay is chosen", Severity.REMARK, node="lif"),
    Finding(DELAY, "from a pipe", Severity.REMARK, place="<stdin>:1:1"),
    Finding(DELAY, "in a document", Severity.REMARK, node="fc", place="net.json:$.nodes.fc"),
    Finding(DELAY, "no column", Severity.REMARK, place="C:net.mlir:9:0"),
)


def accepted(log: dict[str, Any]) -> sarif_pydantic.Run:
    """Returns the run of a log that passed through text and the model without loss, and that code hosts show: each result has a file and a line."""
    model = sarif_pydantic.Sarif.model_validate_json(json.dumps(log))
    assert json.loads(model.model_dump_json(by_alias=True, exclude_unset=True)) == log
    assert model.version == "2.1.0"
    (run,) = model.runs
    for result in run.results or ():
        (place,) = result.locations or ()
        physical = place.physical_location
        assert physical is not None
        assert physical.artifact_location is not None
        assert physical.region is not None
        assert physical.artifact_location.uri
        assert (physical.region.start_line or 0) >= 1
    return run


def test_every_finding_is_a_result() -> None:
    run = accepted(sarif(FINDINGS, "net.nir"))
    assert [(result.rule_id, result.level and result.level.value) for result in run.results or ()] == [
        ("TST002", "warning"),
        ("TST001", "error"),
        *[("TST001", "note")] * 4,
    ]


def test_rules_are_the_codes_once_each() -> None:
    run = accepted(sarif(FINDINGS, "net.nir"))
    rules = run.tool.driver.rules or []
    assert [rule.id for rule in rules] == ["TST001", "TST002"]
    assert all(rules[result.rule_index or 0].id == result.rule_id for result in run.results or ())


def test_message_says_what_the_text_says() -> None:
    first, second = (result.message.text for result in (accepted(sarif(FINDINGS, "net.nir")).results or ())[:2])
    assert first == 'the weight is large\nat: "fc" (a dir/net.nir)\nexpected: 1 (x.json)'
    assert second == 'the delay is long\nat: nir.delay "d"\nnote: one\nnote: two'


def test_locations() -> None:
    weight, delay, chosen, pipe, document, column = sarif(FINDINGS, "nets/net.nir")["runs"][0]["results"]
    assert weight["locations"] == [
        {
            "physicalLocation": {"artifactLocation": {"uri": "a%20dir/net.nir"}, "region": {"startLine": 1}},
            "logicalLocations": [{"fullyQualifiedName": "fc", "kind": "member"}],
        }
    ]
    place = delay["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "net.mlir"}, "region": {"startLine": 3, "startColumn": 7}}
    assert chosen["locations"] == [
        {
            "physicalLocation": {"artifactLocation": {"uri": "nets/net.nir"}, "region": {"startLine": 1}},
            "logicalLocations": [{"fullyQualifiedName": "lif", "kind": "member"}],
        }
    ]
    assert pipe["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "-"}
    assert document["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "net.json"}
    assert column["locations"][0]["physicalLocation"]["region"]["startColumn"] == 1


def test_findings_about_the_run_are_notifications() -> None:
    """A misused command, a defect, and a finding of a command without a file are not results of a file."""
    option = Code("TST003", "unknown-option", "an option is unknown", exit_code=ExitCode.MISUSED)
    late = Code("TST004", "out-of-time", "the time is used up", exit_code=ExitCode.OUT_OF_TIME)
    findings = (Finding(option, "no such option"), Finding(late), Finding(DELAY, "of no file"))
    log = sarif(findings)
    assert accepted(log).results == []
    (run,) = log["runs"]
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    notes = [invocation[f"tool{kind}Notifications"] for kind in ("Configuration", "Execution")]
    assert [[one["message"]["text"] for one in some] for some in notes] == [
        ["no such option"],
        ["the time is used up", "of no file"],
    ]
    rules = run["tool"]["driver"]["rules"]
    assert all(
        rules[one["associatedRule"]["index"]]["id"] == one["associatedRule"]["id"] for some in notes for one in some
    )
    (result,) = accepted(sarif(findings, "net.nir")).results or ()
    assert result.rule_id == "TST001"


def test_unsuccessful_runs_have_an_error_of_the_run() -> None:
    """Results are the purpose of a run; only errors about the run itself make it unsuccessful."""
    misuse = Code("TST003", "unknown-option", "an option is unknown", exit_code=ExitCode.MISUSED)
    runs = [
        accepted(sarif([finding], "net.nir"))
        for finding in (FINDINGS[1], Finding(misuse), Finding(misuse, severity=Severity.WARNING))
    ]
    assert [run.invocations and run.invocations[0].execution_successful for run in runs] == [True, False, True]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("\udcff.nir", "%FF.nir"),
        ("/a/\udcff", "file:" + "///a/%FF"),
        ("\ud800", "%EF%BF%BD"),
        ("/\udfff", "file:" + "///%EF%BF%BD"),
    ],
)
def test_paths_that_are_not_unicode_are_uris(file: str, expected: str) -> None:
    """Bytes of a name are lone surrogates of Python; the others are not bytes."""
    assert uri(file) == expected


def test_absolute_paths_are_uris(tmp_path: Path) -> None:
    assert uri(str(tmp_path / "ä.nir")).startswith("file:" + "///")


def test_a_log_without_findings_is_whole() -> None:
    run = accepted(sarif(()))
    assert run.results == []
    assert run.tool.driver.information_uri
    assert run.invocations is not None
    assert run.invocations[0].execution_successful


def test_rules_have_the_explanation_of_their_code() -> None:
    explained, unexplained = (rule(code) for code in (COR019, DELAY))
    found = find_explanation("COR019")
    assert found is not None
    assert explained["fullDescription"]["text"] == found.cause
    assert explained["help"]["text"] == found.remedy
    assert unexplained == {"id": "TST001", "name": "long-delay", "shortDescription": {"text": "a delay is long"}}
