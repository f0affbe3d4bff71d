"""A lit format that tries the help lines of what the goldens refuse.

Every `nopt` of a RUN line runs as in `fork_format`. Then the same fork tries the help of each error and warning that the command
made: as typed in the verb that was typed, on the same files, in the same folder. A help for a chunk of a split file is tried on
that chunk. A help with `--traceback` is to print the Python traceback. One JSON line for each finding goes to `log`: where it is from,
what was tried, and what became of it. `tests/property/help_lines.py` judges them.

    {"golden": "…/lif.test", "argv": ["check", "x.nir"], "code": "ANA033", "help": "…", "kind": "command", "outcome": "solved"}
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from fork_format import Chain, ForkTest, Stage
from help_sample import is_needed
from help_trials import Trial, trials

BYTES = 2**32
"""Memory of a trial that reads a larger file."""
SECONDS = 20
"""For one trial; a longer one counts as solved, because the refusals come before the work."""


LOSS = "LOS001"
"""A finding whose help may reduce the loss without removing the finding."""
TRACEBACK = b"Traceback (most recent call last)"


@dataclass
class Heard:
    """The findings of one command, each with the chunk that it is about."""

    findings: dict[Any, tuple[str, int] | None] = field(default_factory=dict)

    def add(self, findings: Sequence[Any], chunk: tuple[str, int] | None = None) -> None:
        for finding in findings:
            if self.findings.get(finding) is None:
                self.findings[finding] = chunk


def listen(heard: Heard, argv: Sequence[str]) -> None:
    """Notes every finding that the command `argv` of this process reports, in the words of its verb, without those of its trials."""
    from nopt.api import driver
    from nopt.tools import check, command, opt, repeated, spelling

    report, look, process, repeat = command.report, check.check, driver.Driver.chunk, repeated.main

    def reported(findings: Sequence[Any], format: str, *facts: Any, **options: Any) -> None:
        heard.add(findings)
        report(findings, format, *facts, **options)

    def checked(*args: Any, **options: Any) -> Any:
        found = look(*args, **options)
        heard.add([spelling.spell(finding, command.typed_command(check, argv[1:])) for finding in found.findings])
        return found

    def processed(self: Any, chunk: Any, number: int, diagnostics: Any) -> Any:
        output = process(self, chunk, number, diagnostics)
        heard.add(
            [spelling.spell(finding, command.typed_command(opt, argv)) for finding in diagnostics.findings],
            (chunk.text, chunk.offset) if chunk.text else None,
        )
        return output

    def tried(words: Sequence[str]) -> int:
        before = dict(heard.findings)
        code = repeat(words)
        heard.findings = before
        return code

    command.report, check.check, driver.Driver.chunk, repeated.main = reported, checked, processed, tried


class HelpTest(ForkTest):
    """Runs every line of a golden whatever the line before did, and tries the helps of what is refused."""

    def __init__(
        self,
        tools: Mapping[str, Callable[[], int | None]],
        seconds: int,
        log: Path,
        sample: Mapping[str, Sequence[str]] | None = None,
    ):
        super().__init__(tools, seconds)
        self.log = log
        self.sample = sample
        """The codes to try in each golden, once; None for all findings."""
        self.text = ""
        self.golden = ""

    def execute(self, test: Any, litConfig: Any) -> Any:
        self.golden = "/".join(test.path_in_suite)
        self.text = Path(test.getSourcePath()).read_text(encoding="utf-8", errors="replace")
        return super().execute(test, litConfig)

    def run(self, lines: Sequence[Chain], folder: Path, environment: Mapping[str, str]) -> Any:
        codes = None if self.sample is None else self.sample.get(self.golden, ())
        for line in lines if codes is None else [line for line in lines if is_needed(line, self.text, codes)]:
            super().run([line], folder, environment)
        return super().run([], folder, environment)

    def is_shared(self, stage: Stage) -> bool:
        return False  # `listen` changes the modules of a process

    def call_tool(self, stage: Stage) -> int:
        if stage.args[0] != "nopt":
            return super().call_tool(stage)
        typed = b""
        if "-" in stage.args:
            with open(0, "rb", closefd=False) as pipe:  # `sys.stdin` of a worker has another descriptor
                typed = pipe.read()
            renew_input(typed)
        heard = Heard()
        listen(heard, stage.args[1:])
        code = super().call_tool(stage)
        signal.alarm(0)
        for finding, chunk in list(heard.findings.items()):
            if str(finding.severity) != "remark" and finding.help and self.is_open(finding.code.id):
                self.judge(stage, finding, chunk, typed)
        return code

    def is_open(self, code: str) -> bool:
        """Whether the help of a code is to be tried: in a sample, once in the golden that was chosen for it."""
        if self.sample is None:
            return True
        if code not in self.sample.get(self.golden, ()):
            return False
        tried = self.log.read_text(encoding="utf-8").splitlines() if self.log.is_file() else []
        return not any(record["code"] == code and record["tried"] for record in map(json.loads, tried))

    def judge(self, stage: Stage, finding: Any, chunk: tuple[str, int] | None, typed: bytes) -> None:
        kind, outcome, tried = "prose", "prose", []
        for trial in trials(stage.args[1:], finding, chunk):
            if trial.argv is None:
                kind, outcome = ("form", "form") if kind == "prose" else (kind, outcome)
                continue
            if outcome == "solved" and not trial.is_needed:
                break
            kind, tried = "command", trial.argv
            outcome = self.outcome(trial, trial.argv, finding, typed)
            if outcome != "solved" and trial.is_needed:
                break
        record = {
            "golden": self.golden, "argv": stage.args[1:], "code": finding.code.id, "node": finding.node,
            "severity": str(finding.severity), "message": finding.message,
            "help": finding.help, "kind": kind, "outcome": outcome, "tried": tried,
        }  # fmt: skip
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")

    def outcome(self, trial: Trial, argv: list[str], finding: Any, typed: bytes) -> str:
        """Runs one trial in a fork of its own."""
        outputs = [arg for flag, arg in pairwise(argv) if flag == "-o"]
        before = set(filter(os.path.exists, outputs))
        with tempfile.TemporaryFile("w+") as result:
            if not (pid := os.fork()):
                try:
                    signal.alarm(SECONDS)
                    result.write(self.tried(trial, argv, finding, typed))
                    result.flush()
                finally:
                    os._exit(0)
            _, status = os.waitpid(pid, 0)
            for name in trial.files:
                Path(name).unlink(missing_ok=True)
            if os.waitstatus_to_exitcode(status) == -signal.SIGALRM:
                return "solved"
            for made in set(filter(os.path.exists, outputs)) - before:
                shutil.rmtree(made) if os.path.isdir(made) else os.remove(made)
            result.seek(0)
            return result.read() or "unknown"

    def tried(self, trial: Trial, argv: list[str], finding: Any, typed: bytes) -> str:
        nothing, errors = os.open(os.devnull, os.O_RDWR), os.memfd_create("errors")
        for number, stream in enumerate((nothing, nothing, errors)):
            os.dup2(stream, number)
        if typed:
            renew_input(typed)
        for name, text in trial.files.items():
            Path(name).write_text(text)
        heard = Heard()
        listen(heard, argv)
        if "--limit" in argv:  # a file that is larger than memory is refused, not read
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        code = super().call_tool(Stage(["nopt", *argv], ""))
        left = [f for f in heard.findings if str(f.severity) != "remark"]
        if "--traceback" in argv:
            return "solved" if TRACEBACK in os.pread(errors, BYTES, 0) else "stays: no traceback"
        if code == 3:
            return "broke"
        same = [f for f in left if f.code.id == finding.code.id and (f.node, f.place) == (finding.node, finding.place)]
        if same and not does_as_promised(finding, same[0]):
            return f"stays: {same[0].message}"
        if code == 2 and finding.code.exit_code != 2:
            return f"misused: {next((f.message for f in left), '')}"
        return "solved"


def does_as_promised(before: Any, after: Any) -> bool:
    """Returns whether a loss that stays beyond its threshold is the smaller one that the finding before reports about its help."""
    figure = (after.found or "").partition(",")[0]
    return before.code.id == LOSS and before.found != after.found and any(figure in note for note in before.notes)


def renew_input(typed: bytes) -> None:
    """Standard input from its start again, after it was read."""
    with tempfile.TemporaryFile() as file:
        file.write(typed)
        file.flush()
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        os.dup2(file.fileno(), 0)
