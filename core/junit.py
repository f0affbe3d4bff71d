"""Results of a command as test cases in the JUnit format, which continuous-integration servers show.

    <testsuites name="nopt check"><testsuite name="net.nir" tests="2" failures="1" errors="0" skipped="0">
      <testcase classname="net.nir" name="network"/>
      <testcase classname="net.nir" name="loihi2/oheo_gulch"><failure message="…" type="LEG020">…</failure></testcase>

A case with an error has a `failure`, and an `error` if the command was misused or did not end. Warnings and remarks of a case are its `system-out`. The document has no
times, so that the same results are the same bytes.

Source: Jenkins, xunit-plugin, junit-10.xsd.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from xml.etree import ElementTree as Tree

from attrs import frozen

from .diagnostics import ExitCode, Finding, Severity
from .output import printable

NONCHARACTERS = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}
"""Escapes of the characters that `printable` keeps and XML does not allow."""


def xml_text(text: str) -> str:
    """Returns a text with an escape for each character that XML 1.0 does not allow, even as a reference."""
    return printable(text).translate(NONCHARACTERS)


@frozen
class Case:
    """One test case: a device, a question, or a part of a command."""

    suite: str
    """The network or device that is tested."""
    name: str
    findings: Sequence[Finding] = ()
    skipped: str = ""
    """Why the case was not tested; empty for a case that was."""

    @property
    def errors(self) -> list[Finding]:
        return [one for one in self.findings if one.severity is Severity.ERROR]

    @property
    def state(self) -> str:
        """Returns the element of the result: `failure`, `error`, `skipped`, or the empty text for a case that passed."""
        if not self.errors:
            return "skipped" if self.skipped else ""
        return "failure" if all(one.code.exit_code is ExitCode.REFUSED for one in self.errors) else "error"

    def element(self) -> Tree.Element:
        """Returns the case as an element. Other findings than errors are its output."""
        made = Tree.Element("testcase", {"classname": xml_text(self.suite), "name": xml_text(self.name)})
        if self.state:
            first = self.errors[0] if self.errors else None
            parts = {"message": self.skipped} if first is None else {"message": first.message, "type": first.code.id}
            result = Tree.SubElement(made, self.state, {name: xml_text(text) for name, text in parts.items()})
            result.text = xml_text("\n".join(map(str, self.errors))) or None
        others = [str(one) for one in self.findings if one.severity is not Severity.ERROR]
        if others:
            Tree.SubElement(made, "system-out").text = xml_text("\n".join(others))
        return made


def junit(command: str, cases: Sequence[Case]) -> bytes:
    """Returns the document of a command, with a test suite for each run of cases of one network or device."""
    root = Tree.Element("testsuites", {"name": command, **counts_of(cases)})
    for suite, some in groupby(cases, key=lambda case: case.suite):
        tested = list(some)
        group = Tree.SubElement(root, "testsuite", {"name": xml_text(suite), **counts_of(tested)})
        group.extend(case.element() for case in tested)
    Tree.indent(root)
    text: Any = Tree.tostring(root, "utf-8", xml_declaration=True)
    return text + b"\n"


def counts_of(cases: Sequence[Case]) -> dict[str, str]:
    """Returns the numbers of cases by state."""
    states = [case.state for case in cases]
    named = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {"tests": str(len(cases)), **{name: str(states.count(state)) for name, state in named.items()}}
