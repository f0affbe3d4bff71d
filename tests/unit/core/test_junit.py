"""Test cases are well-formed XML of the structure that CI servers read, whatever the findings contain."""

from __future__ import annotations

from xml.etree import ElementTree as Tree

import pytest

from nopt.core.diagnostics import Code, ExitCode, Finding, Severity
from nopt.core.junit import Case, junit

ERROR = Code("TST001", "an-error", "an error")
MISUSE = Code("TST002", "a-misuse", "a misuse", exit_code=ExitCode.MISUSED)
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"classname", "name"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set[str](),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}
"""Structure of junit-10.xsd, of the parts that nopt writes."""


def parsed(cases: list[Case]) -> Tree.Element:
    """Returns the parsed document; its structure and its numbers are right."""
    root = Tree.fromstring(junit("nopt check", cases))
    assert root.tag == "testsuites"
    for element in root.iter():
        assert set(element.attrib) == ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for group in (root, *root):
        tested = list(group.iter("testcase"))
        assert int(group.attrib["tests"]) == len(tested)
        for counted, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(group.attrib[counted]) == sum(case.find(tag) is not None for case in tested)
        assert all(len(case.findall("*")) <= 2 for case in tested)
    return root


def test_states_of_cases() -> None:
    cases = [
        Case("net.nir", "passed"),
        Case("net.nir", "warned", [Finding(ERROR, severity=Severity.WARNING)]),
        Case("net.nir", "failed", [Finding(ERROR, "first", at="a"), Finding(ERROR, "second")]),
        Case("net.nir", "misused", [Finding(ERROR), Finding(MISUSE)]),
        Case("net.nir", "skipped", skipped="not checked"),
        Case("net.nir", "failed, not skipped", [Finding(ERROR)], skipped="not checked"),
    ]
    root = parsed(cases)
    found = [[child.tag for child in case] for case in root.iter("testcase")]
    assert found == [[], ["system-out"], ["failure"], ["error"], ["skipped"], ["failure"]]
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.attrib == {"message": "first", "type": "TST001"}
    assert failure.text == "error[TST001]: first [an-error]\n  at: a\nerror[TST001]: second [an-error]"


def test_suites_are_runs_of_one_subject() -> None:
    root = parsed([Case("a", "1"), Case("a", "2"), Case("b", "1")])
    assert [(suite.attrib["name"], len(suite)) for suite in root] == [("a", 2), ("b", 1)]


def test_a_document_without_cases_is_whole() -> None:
    assert len(parsed([])) == 0


@pytest.mark.parametrize(
    "text", ["<b> & \"q\" 'a' ]]>", "\x00\x1b[31m\x7f", "\ud800\udfff", "\u202e\ufffe\uffff", "ä 漢 🧠"]
)
def test_texts_are_escaped(text: str) -> None:
    """XML 1.0 allows no control characters and surrogates, even as references."""
    finding = Finding(ERROR, text, at=text)
    root = parsed(
        [Case(text, text, [finding]), Case(text, text, [Finding(ERROR, text, Severity.REMARK)], skipped=text)]
    )
    assert len(root) == 1
    if text.isprintable():
        assert root[0][0].attrib["name"] == text


def test_equal_results_are_equal_bytes() -> None:
    cases = [Case("a", "1", [Finding(ERROR)])]
    assert junit("nopt check", cases) == junit("nopt check", cases)
