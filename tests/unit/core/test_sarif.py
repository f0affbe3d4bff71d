"""SARIF logs contain the findings in the terms of the standard; a third-party model of SARIF accepts them."""

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
    Finding(DELAY, "the delay is chosen", Severity.REMARK),
    Finding(DELAY, "from a pipe", Severity.REMARK, place="<stdin>:1:1"),
    Finding(DELAY, "in a document", Severity.REMARK, node="fc", place="net.json:$.nodes.fc"),
    Finding(DELAY, "no column", Severity.REMARK, place="C:net.mlir:9:0"),
)


def accepted(log: dict[str, Any]) -> sarif_pydantic.Run:
    """Returns the run of a log that passed through text and the model without loss."""
    model = sarif_pydantic.Sarif.model_validate_json(json.dumps(log))
    assert json.loads(model.model_dump_json(by_alias=True, exclude_unset=True)) == log
    assert model.version == "2.1.0"
    (run,) = model.runs
    return run


def test_every_finding_is_a_result() -> None:
    run = accepted(sarif(FINDINGS))
    assert [(result.rule_id, result.level and result.level.value) for result in run.results or ()] == [
        ("TST002", "warning"),
        ("TST001", "error"),
        *[("TST001", "note")] * 4,
    ]


def test_rules_are_the_codes_once_each() -> None:
    run = accepted(sarif(FINDINGS))
    rules = run.tool.driver.rules or []
    assert [rule.id for rule in rules] == ["TST001", "TST002"]
    assert all(rules[result.rule_index or 0].id == result.rule_id for result in run.results or ())


def test_message_says_what_the_text_says() -> None:
    first, second = (result.message.text for result in (accepted(sarif(FINDINGS)).results or ())[:2])
    assert first == 'the weight is large\nat: "fc" (a dir/net.nir)\nexpected: 1 (x.json)'
    assert second == 'the delay is long\nat: nir.delay "d"\nnote: one\nnote: two'


def test_locations() -> None:
    weight, delay, nowhere, pipe, document, column = sarif(FINDINGS)["runs"][0]["results"]
    assert weight["locations"] == [
        {
            "physicalLocation": {"artifactLocation": {"uri": "a%20dir/net.nir"}},
            "logicalLocations": [{"fullyQualifiedName": "fc", "kind": "member"}],
        }
    ]
    place = delay["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "net.mlir"}, "region": {"startLine": 3, "startColumn": 7}}
    assert nowhere["locations"] == pipe["locations"] == []
    assert document["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "net.json"}}
    assert column["locations"][0]["physicalLocation"]["region"]["startColumn"] == 1


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


@pytest.mark.parametrize("is_done", [True, False])
def test_a_log_without_findings_is_whole(is_done: bool) -> None:
    run = accepted(sarif((), is_done))
    assert run.results == []
    assert run.invocations is not None
    assert run.invocations[0].execution_successful is is_done


def test_rules_have_the_explanation_of_their_code() -> None:
    explained, unexplained = (rule(code) for code in (COR019, DELAY))
    found = find_explanation("COR019")
    assert found is not None
    assert explained["fullDescription"]["text"] == found.cause
    assert explained["help"]["text"] == found.remedy
    assert unexplained == {"id": "TST001", "name": "long-delay", "shortDescription": {"text": "a delay is long"}}
