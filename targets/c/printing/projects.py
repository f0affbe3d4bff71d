"""Files of build systems, and the arrangement of the sources that each expects: make, CMake, an Arduino library, a Zephyr application."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from attrs import frozen

from ....core.diagnostics import refuse
from ....core.help_text import Flag, Phrase
from ....dialects import c
from ....dialects.c import Kind
from ..lowering import CSR011
from .text import c_type, fill_template

PROJECTS = ("make", "cmake", "arduino", "zephyr")
Content = TypeVar("Content")
STACK_BYTES = 2048
"""Stack of the main thread of a Zephyr application, without that of the network."""
ROUNDED = '#pragma GCC optimize("fp-contract=off") /* Arduino passes no flags of a library */\n'


@frozen
class Project:
    """A build system, and what its files contain."""

    kind: str
    program: c.ProgramOp
    flags: tuple[str, ...]
    """Required flags of the compiler."""
    sources: tuple[str, ...]
    """C files of the network."""
    stack_bytes: int = 0

    def files(self) -> dict[str, str]:
        """Returns the files of the build system, in addition to the Makefile."""
        prefix = self.program.prefix.data
        texts = {
            "PROGRAM": prefix,
            "@": prefix,
            "SOURCES": " ".join(self.sources),
            "FLAGS": " ".join(self.flags),
            "LISTED": ";".join(self.flags),
            "TICK_NS": str(self.program.tick_ns.value.data),
            "ROWS": "\n".join(rows_of(self.program)),
            "ARGUMENTS": ", ".join(
                ["&state", *(f"row_{b.label.data}" for b in self.program.of_kind(Kind.INPUT, Kind.OUTPUT, Kind.PROBE))]
            ),
            "BYTES": str(STACK_BYTES + self.stack_bytes),
        }
        templates = {
            "make": dict[str, str](),
            "cmake": {"CMakeLists.txt": "CMakeLists.cmake.in"},
            "zephyr": {"CMakeLists.txt": "CMakeLists.zephyr.in", "prj.conf": "prj.conf.in", "app.c": "app.c.in"},
            "arduino": {
                "library.properties": "library.properties.in",
                f"examples/{prefix}/{prefix}.ino": "sketch.ino.in",
            },
        }[self.kind]
        return {path: fill_template(template, texts) for path, template in templates.items()}


def project_of(preferred: str) -> str:
    """Returns the build system. Errors: CSR011."""
    return known_value("project", preferred, PROJECTS)


def known_value(name: str, preferred: str, known: Sequence[str]) -> str:
    """Returns the value of a preference, the first of `known` by default. Errors: CSR011."""
    if preferred not in known:
        option = f"{name}={known[0]}"
        refuse(
            CSR011,
            f"invalid value of {name}",
            at=f"--set c.{name}={preferred}",
            expected=", ".join(known),
            found=preferred,
            help=Phrase(Flag(option, f"--set c.{option}")),
        )
    return preferred


def rows_of(program: c.ProgramOp) -> Sequence[str]:
    """Returns the definition of a row for each input, output and probe."""
    return [
        f"static {c_type(b.element)} row_{b.label.data}[{b.row_length}];"
        for b in program.of_kind(Kind.INPUT, Kind.OUTPUT, Kind.PROBE)
    ]


def arrange(kind: str, files: Mapping[str, Content]) -> dict[str, Content]:
    """Returns files under the paths that a build system expects: an Arduino library compiles all of `src`, and neither has a main function."""
    if kind != "arduino":
        return dict(files)
    kept = {name: content for name, content in files.items() if name not in ("main.c", "Makefile")}
    return {arduino_path(name): content for name, content in kept.items()}


def arduino_path(name: str) -> str:
    """Returns the path of a file in an Arduino library."""
    if name.startswith("vectors."):
        return f"extras/{name}"
    return f"src/{name}" if name.endswith((".c", ".h")) else name
