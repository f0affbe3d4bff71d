"""Networks of `structured_networks` through the commands that a user types, with the help of a refusal typed once more.

    attempt = compile_file(file, "loihi2/oheo_gulch", made.choices, folder / "build")
    attempt.is_built, attempt.codes, attempt.remedies

A remedy is the last choice of the help line of an error: `--passes`, or a pass that replaces the one that was typed before. A network that is
still refused has the code of its first error.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from attrs import field, frozen
from comparison import call

ERROR = re.compile(r"^error\[(?P<code>\w+)\].*(?:\n  .*)*?\n  help: (?P<help>.*(?:\n    nopt .*)*)", re.MULTILINE)


@frozen
class Attempt:
    """The compilation of a file, with the remedies that were typed."""

    build: Path
    code: str = ""
    """The code of the last refusal, empty if there is a build."""
    errors: str = ""
    remedies: list[str] = field(factory=list[str])

    @property
    def is_built(self) -> bool:
        return not self.code


def compile_file(
    file: Path, target: str, choices: Mapping[str, str], build: Path, more: Sequence[object] = ()
) -> Attempt:
    """Compiles a file, and types the remedies of its refusals."""
    words = [
        "compile",
        str(file),
        "--target",
        target,
        *(w for name, value in choices.items() for w in (f"--{name}", value)),
    ]
    words += [*map(str, more), "-o", str(build)]
    typed = list[list[str]]()
    while True:
        code, _, errors = call(*words)
        remedies = [value for flag, value in pairwise(words) if flag in ("-p", "--passes")]
        if not code:
            return Attempt(build, remedies=remedies)
        first = ERROR.search(errors)
        assert first, errors
        typed.append(words)
        helps = [shlex.split(line) for line in first["help"].splitlines() if line.strip().startswith("nopt compile ")]
        words = next((help[1:] for help in helps if ("--target", target) in pairwise(help)), [])
        if not words or words in typed:
            return Attempt(build, first["code"], errors, remedies)


def run_build(build: Path, inputs: Path, record: Sequence[str], out: Path, *more: str) -> dict[str, np.ndarray]:
    """Returns what `nopt run` computes for a build."""
    code, _, errors = call("run", build, "--input", inputs, "--record", ",".join(record), "-o", out, *more)
    assert not code, errors
    with np.load(out) as found:
        return {name: found[name] for name in found.files}
