"""One case of the fuzz suite: a command of `nopt` in a fork of this process, within bounds of time and memory, and the verdict on its
result."""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

SECONDS = 10
"""Processor time limit of a command."""
PATIENCE = 60
"""Elapsed time limit; it is larger, to allow for other load on the machine."""
GROWTH = 1 << 30
"""Limit of address space [bytes] in addition to that of this process."""
OUT_OF_TIME = 4
"""Exit code of a command whose own time budget ended."""
RAN_OUT = ("MemoryError", "annot allocate", "nable to allocate", "memory allocation failed", "out of memory")
"""Messages on stderr that mean that the memory limit was reached, for any exit code."""
BYTECODE = "__pycache__"
"""Folder that Python adds next to an imported file."""
SHOWN = 5
"""Number of changed files that a fault names."""
MOST = 1 << 24
"""Number of bytes of a command's output that are read."""

Entry = Callable[[], int | None]


@dataclass(frozen=True)
class Trial:
    """Environment of a command: its folder, its input, and the files that it may leave."""

    folder: Path
    allowed: frozenset[str] = frozenset()
    """Files that are allowed after exit code 0."""
    always: frozenset[str] = frozenset()
    standard_input: bytes = b""
    temporary: Path | None = None
    """Its folder for temporary files, which must be empty afterwards."""


@dataclass(frozen=True)
class Verdict:
    """Result of a command: its exit code, its output, and its faults."""

    code: int
    printed: bytes
    said: bytes
    seconds: float
    faults: tuple[str, ...] = field(default=())

    @property
    def errors(self) -> str:
        """Returns its output to standard error."""
        return self.said.decode("utf-8", "replace")

    def with_faults(self, faults: Sequence[str]) -> Verdict:
        return replace(self, faults=tuple(faults))


def address_space() -> int:
    """Returns the bytes of address space of this process."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def tried(entry: Entry, arguments: Sequence[str], trial: Trial) -> Verdict:
    """Runs `entry` with the arguments of a command and judges it.

    Valid results have exit codes 0, 1 and 2, or 4 after a time budget, within the bounds, no traceback, and neither an output nor a changed file after a refusal.
    """
    (verdict,) = tried_in_turn(entry, [(arguments, trial)])
    return verdict


def tried_in_turn(entry: Entry, commands: Sequence[tuple[Sequence[str], Trial]]) -> list[Verdict]:
    """Runs commands in turn, each in its own folder, and judges each as `tried` does.

    A fork runs as many as it survives; another fork runs those after a command that ends its process or that is late.
    """
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        streams = [
            tuple(stack.enter_context(tempfile.TemporaryFile()) for _ in ("input", "output", "errors"))
            for _ in commands
        ]
        for (_, trial), (read, *_) in zip(commands, streams, strict=True):
            read.write(trial.standard_input)
            read.seek(0)
        before = [contents(trial.folder) for _, trial in commands]
        while (first := len(verdicts)) < len(commands):
            results, sent = os.pipe()
            pid = os.fork()
            if not pid:
                try:
                    for (arguments, trial), files in zip(commands[first:], streams[first:], strict=True):
                        os.write(sent, bytes([called(entry, arguments, trial, *files)]))
                finally:
                    os._exit(125)
            os.close(sent)
            has_ended = False
            while not has_ended and (number := len(verdicts)) < len(commands):
                started = time.monotonic()
                code, is_late, has_ended = result(pid, results)
                printed, said = map(content, streams[number][1:])
                verdict = Verdict(code, printed, said, time.monotonic() - started)
                verdicts.append(judged(verdict, commands[number][1], before[number], is_late))
            os.close(results)
            if not has_ended:
                os.waitpid(pid, 0)
    return verdicts


def result(pid: int, results: int) -> tuple[int, bool, bool]:
    """Returns the exit code of the next command of a fork, whether it exceeded the time limit, and whether the fork ended."""
    is_late = not select.select([results], [], [], PATIENCE)[0]
    if not is_late and (sent := os.read(results, 1)):
        return sent[0], False, False
    if is_late:
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), is_late, True


def content(file: Any) -> bytes:
    """Returns the output of a command."""
    file.seek(0)
    return file.read(MOST)


def contents(folder: Path) -> dict[str, tuple[int, ...]]:
    """Returns the files below a folder by their paths, with what changes when they are written."""
    found: dict[str, tuple[int, ...]] = {}
    for here, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(here, name)
            status = path.lstat()
            is_folder = name in folders
            found[str(path.relative_to(folder))] = (
                () if is_folder else (status.st_ino, status.st_size, status.st_mtime_ns)
            )
    return found


def is_in(path: str, names: Collection[str]) -> bool:
    """Returns whether a file or one of its folders is among names; `*` stands for all."""
    return "*" in names or any(str(one) in names for one in (Path(path), *Path(path).parents))


def judged(verdict: Verdict, trial: Trial, before: Mapping[str, tuple[int, ...]], is_late: bool) -> Verdict:
    """Returns the verdict on a result with its faults; `before` are the files that its folder held."""
    code, text = verdict.code, verdict.errors
    faults: list[str] = []
    if is_late or code == -signal.SIGXCPU:
        faults.append(f"took more than {PATIENCE if is_late else SECONDS} s")
    elif code not in (0, 1, 2) and not (code == OUT_OF_TIME and b"time-budget" in verdict.said + verdict.printed):
        faults.append(f"ended with exit code {code}")
    if "Traceback (most recent call last)" in text:
        faults.append("printed a traceback")
    if any(words in text for words in RAN_OUT):
        faults.append(f"took more than {GROWTH >> 20} MiB")
    after = contents(trial.folder)
    allowed = {*trial.always, *(trial.allowed if code == 0 else ())}
    new = {name for name in after.keys() - before.keys() if BYTECODE not in Path(name).parts}
    left = {name for name in new if not is_in(name, allowed)}
    left -= {name for name in left if not left.isdisjoint(map(str, Path(name).parents))}
    changed = [name for name, status in before.items() if after.get(name) != status and not is_in(name, allowed)]
    if trial.temporary is not None:
        left |= {f"tmp/{name}" for name in os.listdir(trial.temporary)}
    if left:
        faults.append(f"left {', '.join(ascii(name)[1:-1] for name in sorted(left))}")
    if changed:
        faults.append(f"changed {', '.join(ascii(name)[1:-1] for name in sorted(changed)[:SHOWN])}")
    if code in (1, 2) and not (text + verdict.printed.decode("utf-8", "replace")).strip():
        faults.append("refused without a message")
    return verdict.with_faults(faults)


def called(entry: Entry, arguments: Sequence[str], trial: Trial, *streams: Any) -> int:
    """Runs in the fork; returns the exit code."""
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    os.chdir(trial.folder)
    if trial.temporary is not None:
        tempfile.tempdir = str(trial.temporary)
        os.environ["TMPDIR"] = str(trial.temporary)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (they live as long as the command)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = ["nopt", *arguments]
    sys.warnoptions[:] = ["error::RuntimeWarning"]
    warnings.simplefilter("error", RuntimeWarning)  # a warning is a defect: users do not see it
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    used = int(sum(os.times()[:2])) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (address_space() + GROWTH, resource.RLIM_INFINITY))
    try:
        code = entry() or 0
    except SystemExit as exit:
        code = exit.code if isinstance(exit.code, int) else 125
    except BaseException:
        traceback.print_exc()
        code = 125
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    return code & 0xFF
