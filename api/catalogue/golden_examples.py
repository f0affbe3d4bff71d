"""Examples of codes for users: the command of a golden and the message that it prints, without the marks of the test.

# RUN: exits 1 nopt run %t.dir/net.nir --input x.npy 2>&1 | filecheck %s --check-prefix=OPEN
# OPEN:      error[ANA033]: the time step is not given
# OPEN-NEXT:   expected: --dt TIME, {{.*}}
=>
$ nopt run net.nir --input x.npy
error[ANA033]: the time step is not given [time-step-missing]
  expected: --dt TIME, …
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from ...core.diagnostics import Code

CHECKED = re.compile(r"^(?:#|//) (?P<prefix>[\w-]+?)(?:-NEXT|-SAME|-DAG)?:\s?(?P<text>.*)$")
EXPECTED = re.compile(
    r"^\s*// expected-(?P<severity>error|warning|remark)(?:-re)? @\S+ \{\{(?P<text>\[[A-Z]{3}\d{3}\].*)\}\}\s*$"
)
RUN = re.compile(
    r"^(?:#|//) RUN: (?:exits \d |not )?(?P<command>nopt [^|;&]*?)(?: 2>&1)? \| filecheck %s(?P<options>.*)$"
)
PREFIX = re.compile(r"--check-prefix=(\S+)")
MESSAGE = re.compile(r"(?:error|warning|remark)\[(?P<code>[A-Z]{3}\d{3})\]: \S")
PART = re.compile(r"(?:place|at|expected|found|help|note): ")
PATTERN = re.compile(r"\{\{.*?\}\}+|\[\[.*?\]\]+")
TEST_ONLY = re.compile(r" --(?:split-input-file|verify-diagnostics)\b| -o /dev/null\b")
SOURCE, OUTPUT = re.compile(r"%s\b"), re.compile(r"%t(?=\s|$)")
FOLDERS = re.compile(r"%(?:S|root|t|shared)(?:[\w.]*/)?(?:\.\./)*(?:[\w-]+/)*")


@frozen(order=True)
class Example:
    """Example of a code. The order prefers a command, then a help line, then many parts, then few characters."""

    has_no_command: bool
    has_no_help: bool
    missing_parts: int
    length: int
    place: str
    lines: tuple[str, ...]


def example_of(goldens: Mapping[Path, str], root: Path, code: Code) -> Example | None:
    """Returns the best example of a code in the goldens; None if no golden prints its message."""
    found = (
        example
        for path, text in goldens.items()
        if f"[{code.id}]" in text
        for example in examples_of(text, path.relative_to(root).as_posix(), code)
    )
    return min(found, default=None)


def examples_of(golden: str, place: str, code: Code) -> Iterator[Example]:
    """Yields the examples of a code in the text of a golden."""
    lines = golden.splitlines()
    commands = {
        named[1] if (named := PREFIX.search(run["options"])) else "CHECK": clean_command(run["command"])
        for line in lines
        if (run := RUN.match(line)) is not None
    }
    for k, line in enumerate(lines):
        if (expected := EXPECTED.match(line)) is not None and expected["text"].startswith(f"[{code.id}]"):
            words = clean(expected["text"].partition("]")[2].removeprefix(":")) or code.summary
            yield make_example(place, None, [f"{expected['severity']}[{code.id}]: {words} [{code.name}]"])
        checked = CHECKED.match(line)
        if checked is None or (message := MESSAGE.search(checked["text"])) is None or message["code"] != code.id:
            continue
        shown = [f"{clean(checked['text'][message.start() :]).removesuffix(f' [{code.name}]')} [{code.name}]"]
        for later in lines[k + 1 :]:
            part = CHECKED.match(later)
            if part is None or part["prefix"] != checked["prefix"] or not PART.match(part["text"].strip()):
                break
            if not part["text"].lstrip().startswith("place: "):
                shown.append(f"  {clean(part['text'])}")
        yield make_example(place, commands.get(checked["prefix"]), shown)


def make_example(place: str, command: str | None, message: list[str]) -> Example:
    has_help = any(line.startswith("  help: ") for line in message)
    lines = (*([f"$ {command}"] if command else []), *message)
    return Example(command is None, not has_help, -len(message), sum(map(len, lines)), place, lines)


def clean(text: str) -> str:
    """Returns the text of an expectation, with patterns as ellipses."""
    return PATTERN.sub("…", text.strip())


def clean_command(command: str) -> str:
    """Returns the command of a golden on files of a user."""
    named = OUTPUT.sub("build", SOURCE.sub("net.mlir", TEST_ONLY.sub("", command)))
    return re.sub(r"(?<=\s)\.", "net.", FOLDERS.sub("", named)).strip()
