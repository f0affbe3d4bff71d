"""One case of the fuzz suite: a command of `nopt` in a fork of this process, within bounds of time and memory, and the verdict on its
result."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

SECONDS = 10
"""Processor time limit of a command."""
PATIENCE = 60
"""Elapsed time limit; it is larger, to allow for other load on the machine."""
GROWTH = 1 << 30
"""Limit of address space [bytes] in addition to that of this process."""
RAN_OUT = ("MemoryError", "annot allocate", "nable to allocate", "memory allocation failed", "out of memory")
"""Messages on stderr that mean that the memory limit was reached, for any exit code."""
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

    Valid results have exit codes 0, 1 and 2 within the bounds, no traceback, and no output after a refusal.
    """
    before = set(os.listdir(trial.folder))
    started = time.monotonic()
    with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as output:
        read.write(trial.standard_input)
        read.seek(0)
        pid = os.fork()
        if not pid:
            called(entry, arguments, trial, read, output, errors)
        status, is_late = waited(pid)
        code = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        printed, said = output.read(MOST), errors.read(MOST)
    text = said.decode("utf-8", "replace")
    faults: list[str] = []
    if is_late or code == -signal.SIGXCPU:
        faults.append(f"took more than {PATIENCE if is_late else SECONDS} s")
    elif code not in (0, 1, 2):
        faults.append(f"ended with exit code {code}")
    if "Traceback (most recent call last)" in text:
        faults.append("printed a traceback")
    if any(words in text for words in RAN_OUT):
        faults.append(f"took more than {GROWTH >> 20} MiB")
    left = set(os.listdir(trial.folder)) - before - trial.always
    if code == 0:
        left -= trial.allowed
    if trial.temporary is not None:
        left |= {f"tmp/{name}" for name in os.listdir(trial.temporary)}
    if left:
        faults.append(f"left {', '.join(ascii(name)[1:-1] for name in sorted(left))}")
    if code in (1, 2) and not (text + printed.decode("utf-8", "replace")).strip():
        faults.append("refused without a message")
    return Verdict(code, printed, said, time.monotonic() - started, tuple(faults))


def waited(pid: int) -> tuple[int, bool]:
    """Returns the exit status of a fork, and whether it exceeded the time limit and was killed."""
    deadline = time.monotonic() + PATIENCE
    pause = 0.001
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status, False
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1], True


def called(entry: Entry, arguments: Sequence[str], trial: Trial, read: Any, printed: Any, errors: Any) -> None:
    """Runs in the fork; never returns."""
    code = 125
    try:
        for number, stream in enumerate((read, printed, errors)):
            os.dup2(stream.fileno(), number)
        os.chdir(trial.folder)
        if trial.temporary is not None:
            tempfile.tempdir = str(trial.temporary)
            os.environ["TMPDIR"] = str(trial.temporary)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (they live as long as the process)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        sys.argv = ["nopt", *arguments]
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        used = int(sum(os.times()[:2])) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, used + 2 * SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + GROWTH, resource.RLIM_INFINITY))
        try:
            code = entry() or 0
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else 125
        except BaseException:
            traceback.print_exc()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
    finally:
        os._exit(code & 0xFF)
