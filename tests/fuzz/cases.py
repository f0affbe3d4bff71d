"""The cases of the fuzz suite: a damaged file with a command, made from a seed and a number alone."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random

import file_mutations
import text_mutations
from seeds import TO_TICKS, Seeds
from trial import Verdict, tried

from nopt.tools.main import main

COMMANDS = (
    ("-o", "{out}"),
    ("-o", "{out}"),
    ("-p", TO_TICKS, "-o", "{out}"),
    ("-p", TO_TICKS, "-o", "{out}"),
    ("--print-op-generic", "-o", "{out}"),
    ("--print-debuginfo", "-o", "{out}"),
    ("--format", "json", "-o", "{out}"),
    ("--strict", "-o", "{out}"),
)
TEXT_COMMANDS = (
    ("--split-input-file", "-o", "{out}"),
    ("--allow-unregistered-dialect", "-o", "{out}"),
    ("-p", "canonicalize", "-o", "{out}"),
)
IMPORTED = ("h5py", "lark", "nir", "nir.serialization")
"""What a command imports when it needs it; here once, before the forks, so that they start at once."""


@dataclass(frozen=True)
class Case:
    """The bytes of a file and the command that reads it."""

    data: bytes
    suffix: str
    command: tuple[str, ...]
    how: str

    def arguments(self, file: Path, output: Path) -> list[str]:
        return [str(file), *(str(output) if part == "{out}" else part for part in self.command)]

    def shown(self, file: Path) -> str:
        """The command as it can be typed."""
        return shlex.join([str(file), *("/dev/null" if part == "{out}" else part for part in self.command)])


class Suite:
    """Cases by number. Good files that are alike stand side by side, so a case takes one of all with equal chance."""

    def __init__(self, seeds: Seeds, seed: int):
        self.seeds, self.seed, self.entry = seeds, seed, main
        for name in IMPORTED:
            import_module(name)

    def case(self, number: int) -> Case:
        """The same case for the same seeds, seed and number."""
        random = Random(f"{self.seed}/{number}")
        if number % 3 == 0:  # text has more ways to be wrong
            which = random.randrange(len(self.seeds.files))
            data = file_mutations.damaged(random, self.seeds.files[which], self.seeds.files)
            return Case(data, ".nir", random.choice(COMMANDS), f"file {which}")
        which = random.randrange(len(self.seeds.texts))
        data = text_mutations.damaged(random, self.seeds.texts[which], self.seeds.texts)
        return Case(data, ".mlir", random.choice((*COMMANDS, *TEXT_COMMANDS)), f"text {which}")

    def tried(self, case: Case, folder: Path) -> Verdict:
        """Runs a case in an empty folder."""
        file, output = folder / f"case{case.suffix}", folder / "out.mlir"
        file.write_bytes(case.data)
        verdict = tried(self.entry, case.arguments(file, output), folder, output)
        output.unlink(missing_ok=True)
        file.unlink()
        return verdict
