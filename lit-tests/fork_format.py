"""A lit format for goldens: the `nopt` commands of goldens run in a fork of a worker that has imported it already.

lit itself reads the file (RUN, REQUIRES, UNSUPPORTED, XFAIL, substitutions) and parses its commands; only how a process
starts differs, so a test means the same here as under lit's own shell, at a twentieth of the time. Real pipes join the
commands of a line.

    // RUN: nopt %s -p 'some-pass' | filecheck %s
    // RUN: exits 2 nopt %s -p 'no-such-pass' 2>&1 | filecheck %s --check-prefix=MISUSED
    // RUN: not nopt %s > %t 2>&1

`not` inverts an exit code (a signal fails), `exits N` asks for exactly N.

A command runs in the first of these processes that fits it:

1. `filecheck` at the end of a line keeps no state, so it runs in the worker itself.
2. Every command of a golden that says `SEPARATE: reason`, and one with a PYTHONPATH, runs in a fork of the worker.
3. Any other `nopt` or `python` runs in the process of its worker, after those of earlier lines and goldens, in a second one if the line has two.
   After a command that ends the process (an exit, a signal) or leaves other settings behind (`process_state`), the worker starts a new one.
   A golden that leaves other variables behind runs again, with each command in a fork of the worker.
   A `nopt` with one of the words in `ALONE`, and a `python` that imports nopt or has options, change the state of their process on purpose:
   they run in a fork of this process.
4. Other programs are started from the test's PATH, also those that start `nopt` (`sh`).
5. Variables of `env`, patterns of files, and the folder of `cd` are those of lit's own shell. What else changes the shell (`export`, …)
   or needs more than the redirections below goes to that shell, the whole test at once.

`make golden-slow` runs each command as a process of its own. If a golden passes here and fails there, the command takes something
from an earlier one that `process_state` does not compare.
A golden that fails only after others shows the same: `lit` with that golden alone passes.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir
from dataclasses import dataclass, replace
from functools import cache, partial
from io import BufferedRandom
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import lit.formats
import lit.Test
from golden_process import GoldenProcess
from lit.ShCommands import Command, GlobItem, Pipeline, Seq
from lit.ShUtil import ShParser
from lit.TestRunner import (
    IntegratedTestKeywordParser,
    ParserKind,
    applySubstitutions,
    getDefaultSubstitutions,
    getTempPaths,
    kPdbgRegex,
    parseIntegratedTestScript,
)
from process_state import State
from warm import Entry, call, search

STATEFUL = frozenset(["!", ":", "@echo", "cd", "env", "export", "popd", "pushd", "ulimit", "umask"])
"""Words of lit's own shell; this format has `cd FOLDER` as a command of its own, and `env NAME=VALUE… COMMAND`."""
SEARCHED = "PYTHONPATH"
"""The variable whose folders a process searches for modules from its start."""
REDIRECTIONS = frozenset([("<",), (">",), (">>",), (">", 2), (">&", 2)])
LONGEST_REPORT = 20_000
STATELESS = frozenset(["filecheck"])
"""Tools that keep no state, so that a worker can call them again and again."""
ALONE = frozenset(["--load-target", "--load-node", "--scheduler", "import"])
"""Options and verbs that change the state of their process on purpose."""


def end_processes() -> None:
    """Ends the processes of this worker, and waits for each."""
    while PROCESSES:
        PROCESSES.pop().end()


@dataclass
class Stage:
    """One command of a pipeline: `not`, `exits N` and `env` taken off, redirections by file descriptor."""

    args: list[str]
    text: str
    wanted: int | None = 0
    """The exit code that counts as success; None: any but 0."""
    files: tuple[tuple[int, str, str], ...] = ()
    """(file descriptor, path, mode)"""
    merged: bool = False
    """Standard error goes where standard output goes."""
    variables: tuple[tuple[str, str], ...] = ()
    """The variables of `env`."""
    patterns: tuple[tuple[str, GlobItem], ...] = ()
    """The arguments that are patterns of files."""

    def expanded(self, folder: Path) -> Stage:
        """The command with the names of files in place of patterns, as they are now."""
        patterns = dict(self.patterns)
        return replace(self, args=[one for arg in self.args for one in found_files(patterns.get(arg), arg, folder)])

    def accepts(self, code: int) -> bool:
        return code > 0 if self.wanted is None else code == self.wanted


Chain = list[Stage] | tuple[str, "Chain", "Chain"]
"""A pipeline, or two chains and the operator between them."""


def found_files(pattern: GlobItem | None, arg: str, folder: Path) -> list[str]:
    return [arg] if pattern is None else pattern.resolve(str(folder))


class Unfit(Exception):
    """The test needs lit's own shell."""


def tail(stream: Any) -> str:
    """The end of what a stage printed."""
    return stream.read().decode("utf-8", "replace")[-LONGEST_REPORT:]


initial_state = cache(State)

PROCESSES: list[GoldenProcess] = []
"""Those of the worker, for the first, second, … of the commands in a pipeline that they can run; lit copies the format for each test."""


class ForkTest(lit.formats.ShTest):
    """Runs the commands in `tools` as forks of the lit worker; any test that takes longer than `seconds` fails."""

    def __init__(self, tools: Mapping[str, Entry], seconds: int, caches: Sequence[str] = ()):
        """`caches` are variables and late modules of the tools that do not count as state (`process_state`)."""
        super().__init__(execute_external=False)
        self.tools = dict(tools)
        self.seconds = seconds
        self.packages = frozenset(entry.__module__.partition(".")[0] for entry in self.tools.values())
        self.caches = frozenset(caches)
        initial_state(self.packages, self.caches)  # once for all workers
        self.is_separate = False
        """Whether each command of the golden that runs has a fork of its own."""
        self.folder = Path()
        """Where the next command of the golden runs."""

    def execute(self, test: Any, litConfig: Any) -> Any:
        if test.config.unsupported:
            return lit.Test.Result(lit.Test.UNSUPPORTED, "Test is unsupported")
        separate = IntegratedTestKeywordParser("SEPARATE:", ParserKind.LIST)
        script = parseIntegratedTestScript(test, [separate])
        self.is_separate = bool(separate.getValue())
        if isinstance(script, lit.Test.Result):
            return script
        if litConfig.noExecute:
            return lit.Test.Result(lit.Test.PASS)
        folder, base = getTempPaths(test)
        script = applySubstitutions(
            script,
            getDefaultSubstitutions(test, folder, base),
            dict.fromkeys(test.config.available_features, True),
            recursion_limit=test.config.recursiveExpansionLimit,
        )
        try:
            lines = [self.parsed(line, test.config.environment["PATH"]) for line in script]
        except Unfit:
            return super().execute(test, litConfig)
        Path(folder).mkdir(parents=True, exist_ok=True)
        result = self.run(lines, Path(test.getExecPath()).parent, test.config.environment)
        if any(process.has_changed_variables() for process in PROCESSES):  # a later command may have found them
            end_processes()
            for path in Path(folder).glob(f"{Path(base).name}*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            self.is_separate = True
            result = self.run(lines, Path(test.getExecPath()).parent, test.config.environment)
        return result

    def parsed(self, line: str, path: str) -> Chain:
        """The line's pipelines and how they are joined; raises `Unfit` for what only lit's own shell can do."""
        match = re.fullmatch(kPdbgRegex, line)
        text = match.group(2) if match else line
        if "%{readfile:" in text:
            raise Unfit
        try:
            return self.chain(ShParser(text, pipefail=True).parse(), path)
        except ValueError as error:  # lit's own shell words the syntax error
            raise Unfit from error

    def chain(self, node: Any, path: str) -> Chain:
        match node:
            case Seq(op="&&" | "||" | ";" as op):
                return (op, self.chain(node.lhs, path), self.chain(node.rhs, path))
            case Pipeline(negate=False, commands=[Command(args=["cd", str() as folder], redirects=[])]):
                return [Stage(["cd", folder], f"cd {folder}")]
            case Pipeline(negate=False):
                return [self.stage(command, path) for command in node.commands]
            case _:
                raise Unfit

    def stage(self, command: Command, path: str) -> Stage:
        patterns = tuple((arg.pattern, arg) for arg in command.args if isinstance(arg, GlobItem))
        args, wanted = [arg.pattern if isinstance(arg, GlobItem) else arg for arg in command.args], 0
        while args and args[0] in ("not", "exits"):
            if wanted != 0 or args[1:2] == ["--crash"]:
                raise Unfit
            if args[0] == "not":
                args, wanted = args[1:], None
            else:
                if len(args) < 2 or not args[1].isdecimal():
                    raise Unfit
                args, wanted = args[2:], int(args[1])
                if wanted == 0:
                    break
        variables: list[tuple[str, str]] = []
        if args and args[0] == "env":
            while args[1:] and "=" in args[1] and not args[1].startswith("-"):
                name, _, value = args.pop(1).partition("=")
                variables.append((name, value))
            args = args[1:] if variables else args
        if (
            not args
            or args[0] in (*STATEFUL, "not", "exits")
            or (args[0] not in self.tools and not shutil.which(args[0], path=path))
        ):
            raise Unfit
        kinds = [kind for kind, _ in command.redirects]
        if not REDIRECTIONS.issuperset(kinds) or any(
            kind == (">&", 2) and name != "1" for kind, name in command.redirects
        ):
            raise Unfit
        modes = {("<",): (0, "rb"), (">",): (1, "wb"), (">>",): (1, "ab"), (">", 2): (2, "wb")}
        return Stage(
            args,
            " ".join(shlex.quote(str(arg)) for arg in command.args),
            wanted,
            tuple((modes[kind][0], name, modes[kind][1]) for kind, name in command.redirects if kind in modes),
            (">&", 2) in kinds,
            tuple(variables),
            patterns,
        )

    def run(self, lines: Sequence[Chain], folder: Path, environment: Mapping[str, str]) -> Any:
        report: list[str] = []
        self.folder = folder
        for line in lines:
            worst = self.follow(line, environment, report)
            if worst == -signal.SIGALRM:
                return lit.Test.Result(lit.Test.TIMEOUT, f"longer than {self.seconds} s\n" + "\n".join(report))
            if worst:
                return lit.Test.Result(lit.Test.FAIL, "\n".join(report))
        return lit.Test.Result(lit.Test.PASS, "\n".join(report))

    def follow(self, chain: Chain, environment: Mapping[str, str], report: list[str]) -> int:
        if isinstance(chain, list):
            if chain[0].args[0] == "cd":
                self.folder /= chain[0].args[1]
                return 0
            return self.pipeline([stage.expanded(self.folder) for stage in chain], self.folder, environment, report)
        joint, first, second = chain
        code = self.follow(first, environment, report)
        if joint == ";" or (joint == "&&") == (code == 0):
            code = self.follow(second, environment, report)
        return code

    def pipeline(self, stages: Sequence[Stage], folder: Path, given: Mapping[str, str], report: list[str]) -> int:
        """Starts every stage, waits for all of them; the last failure of the line is its exit code."""
        processes = self.ready(sum(map(self.is_shared, stages)))  # before a pipe is open, which they would keep open
        with ExitStack() as stack:
            source: Any = stack.enter_context(open(os.devnull, "rb"))
            ends: list[Callable[[], int]] = []
            """Of each stage: waits for its exit code."""
            errors: list[BufferedRandom] = []
            output: Any = None
            for stage in stages:
                environment = {**given, **dict(stage.variables)}
                opened = {number: stack.enter_context(open(folder / name, mode)) for number, name, mode in stage.files}
                errors.append(stack.enter_context(tempfile.TemporaryFile()))
                following: Any = stack.enter_context(open(os.devnull, "rb"))
                output = opened.get(1)
                if output is None and stage is not stages[-1]:
                    reader, writer = os.pipe()
                    following = stack.enter_context(open(reader, "rb"))
                    output = stack.enter_context(open(writer, "wb"))
                elif output is None:
                    output = stack.enter_context(tempfile.TemporaryFile())
                streams = (opened.get(0, source), output, output if stage.merged else opened.get(2, errors[-1]))
                if stage is stages[-1] and stage.args[0] in STATELESS & self.tools.keys():
                    code = self.finished(stage, streams, folder)
                    ends.append(lambda code=code: code)
                elif self.is_shared(stage):
                    process = next(processes)
                    process.start(stage.args, streams, folder, environment, self.is_alone(stage))
                    ends.append(process.wait)
                elif stage.args[0] in self.tools:
                    pid = self.started(stage, streams, following, folder, environment)
                    ends.append(lambda pid=pid: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                else:
                    program = subprocess.Popen(stage.args, -1, None, *streams, cwd=folder, env=environment)
                    ends.append(partial(self.ended, program))
                source.close()
                if stage is not stages[-1]:
                    output.close()
                source = following
            codes = [wait() for wait in ends]
            worst = 0
            for stage, code, error in zip(stages, codes, errors, strict=True):
                error.seek(0)
                report.append(f"$ {stage.text}\n[exit {code}]\n{tail(error)}")
                if code == -signal.SIGALRM:
                    return code
                worst = worst if stage.accepts(code) else code or 1
            if worst and output.readable():
                output.seek(0)
                report.append(tail(output))
            return worst

    def is_shared(self, stage: Stage) -> bool:
        """Whether a command runs in a process after other commands, or in a fork of it."""
        return not (
            self.is_separate or stage.args[0] not in self.tools.keys() - STATELESS or SEARCHED in dict(stage.variables)
        )

    def is_alone(self, stage: Stage) -> bool:
        """Whether a command changes the state of its process on purpose."""
        if stage.args[0] == "python":
            first = "".join(stage.args[1:2])  # another option starts a new interpreter
            return (first.startswith("-") and first not in ("-c", "-m")) or self.imports_tools(stage.args)
        return not ALONE.isdisjoint(arg.partition("=")[0] for arg in stage.args)

    def imports_tools(self, args: Sequence[str]) -> bool:
        """Whether a `python` has the name of a package of the tools in its arguments, other than as a part of a path, or its file imports it."""
        file = self.folder / args[1] if args[1:] else self.folder
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        names = "|".join(map(re.escape, sorted(self.packages)))
        named = (re.search(rf"(?<![\w/-])({names})(?![\w-])", arg) for arg in args[1:])
        return any(named) or bool(re.search(rf"(import|from) +({names})\b|import_module|__import__", text))

    def ready(self, count: int) -> Iterator[GoldenProcess]:
        """As many processes as a pipeline needs, each in the state of a new one."""
        state = initial_state(self.packages, self.caches)
        if count and not PROCESSES:
            Finalize(None, end_processes, exitpriority=0)  # of a worker of lit, which calls no `atexit`
        for number in range(count):
            if number < len(PROCESSES) and PROCESSES[number].is_unchanged():
                continue
            for process in PROCESSES[number : number + 1]:
                process.end()
            others = PROCESSES[:number] + PROCESSES[number + 1 :]
            PROCESSES[number : number + 1] = [GoldenProcess(self.tools, self.seconds, state, others)]
        return iter(PROCESSES[:count])

    def finished(self, stage: Stage, streams: Sequence[Any], folder: Path) -> int:
        """Runs one command in the worker, and returns its exit code, or that of the signal if it takes too long."""
        expired: list[int] = []

        def expire(number: int, frame: object) -> None:
            expired.append(-number)
            raise TimeoutError

        kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
        before = signal.signal(signal.SIGALRM, expire)
        try:
            signal.alarm(self.seconds)
            with chdir(folder):
                code = call(self.tools[stage.args[0]], stage.args, [stream.fileno() for stream in streams])
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
            sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
        return expired[0] if expired else code

    def ended(self, program: subprocess.Popen[bytes]) -> int:
        """Waits for a program, and returns its exit code; one that takes too long gets the signal of the clock."""
        before = signal.signal(signal.SIGALRM, lambda number, _: program.send_signal(number))
        try:
            signal.alarm(self.seconds)
            return program.wait()
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)

    def started(
        self, stage: Stage, streams: Sequence[Any], following: Any, folder: Path, environment: Mapping[str, str]
    ) -> int:
        """Starts one of the tools in a fork and returns its process id; the fork never returns."""
        if pid := os.fork():
            return pid
        code = 125
        try:
            following.close()  # or this stage would never see that its reader is gone
            for number, stream in enumerate(streams):
                os.dup2(stream.fileno(), number)
            os.chdir(folder)
            signal.alarm(self.seconds)
            os.environ.clear()
            os.environ.update(environment)
            search(dict(stage.variables).get(SEARCHED, ""))
            code = self.call_tool(stage)
        finally:
            os._exit(code)

    def call_tool(self, stage: Stage) -> int:
        """Runs one of the tools in this process, and returns its exit code."""
        return call(self.tools[stage.args[0]], stage.args)
