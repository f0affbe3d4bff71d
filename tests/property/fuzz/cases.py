"""The cases of the fuzz suite: files with a command, determined by a seed and a number."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random

import file_mutations
import judge
import text_mutations
from material import Material
from seeds import TO_TICKS, Seeds
from trial import Trial, Verdict, tried
from verbs import Verbs

from nopt.tools.main import main
from nopt.tools.verbs import VERBS, verb_module

COMMANDS = (
    ("-o", "out"),
    ("-o", "out"),
    ("-p", TO_TICKS, "-o", "out"),
    ("-p", TO_TICKS, "-o", "out"),
    ("--print-op-generic", "-o", "out"),
    ("--print-debuginfo", "-o", "out"),
    ("--format", "json", "-o", "out"),
    ("--strict", "-o", "out"),
)
TEXT_COMMANDS = (
    ("--split-input-file", "-o", "out"),
    ("--allow-unregistered-dialect", "-o", "out"),
    ("-p", "canonicalize", "-o", "out"),
)
IMPORTED = ("h5py", "lark", "nir", "nir.serialization", "rich.console", "difflib", "jinja2", "matplotlib.figure")
"""Modules that commands import lazily; imported once before the forks, so that they start quickly."""


@dataclass(frozen=True)
class Case:
    """The files of a folder and the command that runs there."""

    files: tuple[tuple[str, bytes], ...]
    arguments: tuple[str, ...]
    how: str
    format: str = "text"
    standard_input: bytes = b""
    allowed: frozenset[str] = frozenset({"out"})
    """Files that may exist in the folder after success."""
    always: frozenset[str] = field(default=frozenset())
    """Files that may exist there after a refusal, too."""
    is_good: bool = False
    """Whether nothing in it is damaged or unusual."""
    answer: str = ""
    """Regular expression of the output of a success with exit code 1."""

    @property
    def kind(self) -> str:
        """Returns the name of its maker."""
        return self.how.split()[0]

    def succeeds(self, verdict: Verdict) -> bool:
        """Returns whether the command did what it was asked for."""
        text = (verdict.printed + verdict.said).decode("utf-8", "replace")
        return verdict.code == 0 or bool(verdict.code == 1 and self.answer and re.search(self.answer, text))

    @property
    def emits_source(self) -> bool:
        """Returns whether the textual driver prints one module as C."""
        words = self.arguments
        return ("-t", "c") in pairwise(words) and "--split-input-file" not in words

    def write(self, folder: Path) -> None:
        """Writes the files to a folder."""
        for name, data in self.files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def shown(self) -> str:
        """Returns the command as it can be typed in the folder."""
        words = shlex.join(word.encode("utf-8", "backslashreplace").decode() for word in self.arguments)
        return f"nopt {words}" + (" < stdin" if self.standard_input else "")


class Suite:
    """Cases by number. Similar good files are grouped, so a case chooses among all of them with equal probability."""

    def __init__(self, seeds: Seeds, seed: int, material: Material | None = None):
        self.seeds, self.seed, self.entry = seeds, seed, main
        self.material = material
        self.verbs = None if material is None else Verbs(material)
        for name in IMPORTED:
            import_module(name)
        for verb in (*VERBS, "opt", "levels"):
            verb_module(verb)

    def case(self, number: int) -> Case:
        """Returns the case of a number, which is the same for the same seeds and seed; every fourth damages one file for the textual driver."""
        random = Random(f"{self.seed}/{number}")
        if self.verbs is not None and number % 4:
            draft, how = self.verbs.draft(random)
            files = tuple(draft.files.items())
            return Case(
                files,
                tuple(word.replace("\0", "0") for word in draft.arguments),
                how,
                draft.format,
                draft.standard_input,
                frozenset(draft.allowed),
                frozenset(draft.always),
                draft.is_good,
                draft.answer,
            )
        if random.random() < 0.33:  # text has more kinds of errors
            which = random.randrange(len(self.seeds.files))
            data = file_mutations.damaged(random, self.seeds.files[which], self.seeds.files)
            return self.driven("case.nir", data, random.choice(COMMANDS), f"file {which}")
        which = random.randrange(len(self.seeds.texts))
        data = text_mutations.damaged(random, self.seeds.texts[which], self.seeds.texts)
        return self.driven("case.mlir", data, random.choice((*COMMANDS, *TEXT_COMMANDS)), f"text {which}")

    @staticmethod
    def driven(name: str, data: bytes, command: tuple[str, ...], how: str) -> Case:
        return Case(((name, data),), (name, *command), how, "json" if "json" in command else "text")

    def tried(self, case: Case, folder: Path) -> Verdict:
        """Runs a case in an empty folder, and empties it again."""
        work, temporary = folder / "work", folder / "tmp"
        work.mkdir()
        temporary.mkdir()
        case.write(work)
        trial = Trial(work, case.allowed, case.always, case.standard_input, temporary)
        verdict = tried(self.entry, case.arguments, trial)
        found = list(verdict.faults)
        found += judge.faults(case.format, verdict.printed, verdict.said)
        if verdict.code == 0 and "out" in case.allowed:
            made = work / "out"
            paths = [made] if case.emits_source and made.is_file() else sorted((made / "artefact").glob("*.c"))
            if fault := judge.source_fault(paths):
                found.append(fault)
        shutil.rmtree(work)
        shutil.rmtree(temporary)
        return verdict.with_faults(found)


def keep(case: Case, verdict: Verdict, folder: Path) -> None:
    """Writes the files of a case, its command and its output, for manual repetition."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    case.write(folder)
    if case.standard_input:
        (folder / "stdin").write_bytes(case.standard_input)
    (folder / "command.sh").write_text(f"{case.shown()}\n", encoding="utf-8")
    (folder / "command.sh").chmod(0o755)
    (folder / "faults.txt").write_text(
        "\n".join([*verdict.faults, "", verdict.errors]), encoding="utf-8", errors="replace"
    )


def quiet_environment(cache: Path) -> None:
    """Disables colours, and sets a separate cache."""
    os.environ["XDG_CACHE_HOME"] = str(cache)
    os.environ["NO_COLOR"] = "1"
