"""Chapter "On a real machine" of each target page: its files are written, its commands are those of the scripts, its versions those of the oracles."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import count

import pytest
from places import ROOT

from nopt.api.conformance.subject import Subject
from nopt.core import registry
from nopt.core.device.device import find_device

HEADING = "On a real machine"
PARTS = ["Never run on silicon", "Send a log"]
QUESTIONS = ["machine", "files", "packages", "command", "records"]
NAME = re.compile(r"`([\w/.-]+\.\w+)`")
SCRIPT = re.compile(r"`python (\w+\.py)([^`]*)`")
NUMBER = re.compile(r"\d{4,}|(?<=core-)\d")
PACKAGE = re.compile(r"([A-Za-z][\w-]+) (\d+(?:\.\d+)+)")
DEVICES = {"asic": "edge", "loihi2": "loihi1"}
"""Devices of targets without a default, or whose default lacks a file of the page."""
TARGETS = [slug for slug, one in registry.usable_targets().items() if one.artefact is not None]
PINS = {
    name.lower(): version
    for path in (ROOT / "tests" / "oracle" / "requirements").glob("*.txt")
    for name, version in re.findall(r"^([\w-]+)==(?:\d+!)?([\w.]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    if name.lower() != "numpy"  # each tool has one of its own
}


def section(slug: str) -> str:
    text = (ROOT / "docs" / "targets" / f"{slug}.md").read_text(encoding="utf-8")
    assert text.count(f"\n## {HEADING}\n") == 1
    return re.split(r"\n## ", text.partition(f"\n## {HEADING}\n")[2])[0]


def rows(text: str) -> list[list[str]]:
    """Returns the rows of the first table of a text, without its head."""
    lines = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert lines is not None
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[0].splitlines()[2:]]


@cache
def files(slug: str) -> dict[str, bytes]:
    """Returns the files of the artefact of the first generated network that fits the target."""
    subject = Subject(find_device(slug, DEVICES.get(slug) or registry.default_device(slug)), 1, 0)
    drawn = filter(None, map(subject.draw, count()))
    compiled = next(one for one in map(subject.follow, drawn) if one.fit.is_fitting)
    return subject.files(compiled)


@pytest.mark.parametrize("slug", TARGETS)
def test_every_page_has_the_same_parts(slug: str) -> None:
    head, *parts = re.split(r"\n### ", section(slug))
    assert [one.partition("\n")[0] for one in parts] == PARTS
    assert [question for question, _ in rows(head)] == QUESTIONS
    assert all(len(row) == 2 and all(row) for part in (head, *parts) for row in rows(part))


@pytest.mark.parametrize("slug", TARGETS)
def test_named_files_are_written(slug: str) -> None:
    answers = dict(rows(section(slug)))
    written = {NUMBER.sub(lambda match: "N" * len(match[0]), name) for name in files(slug)}
    named = {*NAME.findall(answers["files"])}
    scripts = {name for name, _ in SCRIPT.findall(answers["command"])}
    assert named
    assert named | scripts <= written
    assert {name for name in written if name.endswith(".py")} <= scripts


@pytest.mark.parametrize("slug", TARGETS)
def test_commands_are_those_of_the_scripts(slug: str) -> None:
    """The places of a command are those of the script's first lines, and it has every option."""
    for script, words in SCRIPT.findall(dict(rows(section(slug)))["command"]):
        doc = ast.get_docstring(ast.parse(files(slug)[script])) or ""
        places, *options = words.split(" --")
        assert f"python {script}{places}" in doc
        assert all(f"--{option.split()[0]}" in doc for option in options)


@pytest.mark.parametrize("slug", TARGETS)
def test_versions_are_those_that_oracles_install(slug: str) -> None:
    for name, version in PACKAGE.findall(section(slug)):
        assert PINS.get(name.lower(), version) == version


def test_some_versions_are_pinned() -> None:
    named = {name.lower() for slug in TARGETS for name, _ in PACKAGE.findall(section(slug))}
    assert len(named & PINS.keys()) >= 4
