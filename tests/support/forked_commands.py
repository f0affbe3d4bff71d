"""Commands of `nopt` in forks of this process, which has imported it: `Folder(path).run(("check", "net.nir"))`."""

from __future__ import annotations

import json
import os
import resource
import signal
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen
from warm import call

from nopt.tools.main import main

GROWTH = 4 << 30
"""Address space of a command [bytes] in addition to that of this process."""
PATIENCE = 10
"""Elapsed time of a command, as a multiple of its processor time, to allow for other load on the machine."""
TRACEBACK = "Traceback (most recent call last)"
JSON = ("--format", "json")


Command = tuple[str, ...]
Finding = Mapping[str, Any]


@frozen
class Reply:
    """Result of a command. `code` is None if it took too long."""

    code: int | None
    findings: Sequence[Finding] = ()
    said: str = ""
    """The output to standard error."""
    document: Mapping[str, Any] | None = None
    """The document that the command printed."""

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding["severity"] == "error"]

    @property
    def label(self) -> str:
        """Returns the codes of its errors, or the exit code."""
        names = ", ".join(dict.fromkeys(error["code"] for error in self.errors))
        return "took too long" if self.code is None else names or f"exit code {self.code}"


@frozen
class Folder:
    """A folder in which commands run, each within a number of seconds of processor time."""

    path: Path
    seconds: int

    def run(self, command: Command) -> Reply:
        """Runs a command and returns its exit code and findings. A traceback is a failure with exit code 3."""
        words = command if JSON[0] in command else (*command, *JSON)
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as printed:
            pid = start(words, self.path, printed.fileno(), said.fileno(), self.seconds)
            code = exit_code(pid, PATIENCE * self.seconds)
            errors, output = content(said), content(printed)
        if TRACEBACK in errors:
            return Reply(3, (), errors)
        document = parsed(output) if words[0] == "check" else parsed(errors)
        if code in (0, 1, 2) and document is None and (code or words[0] == "check"):
            return Reply(3, (), errors or "no document of findings")
        return Reply(code, document["findings"] if document else (), errors, document)


def start(command: Command, folder: Path, output: int, errors: int, seconds: int) -> int:
    """Starts a command in a fork, in a process group of its own, and returns its process id."""
    if pid := os.fork():
        return pid
    code = 125
    try:
        os.setpgid(0, 0)
        os.chdir(folder)
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + GROWTH, resource.RLIM_INFINITY))
        used = int(sum(os.times()[:2])) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, resource.RLIM_INFINITY))
        code = call(main, ["nopt", *command])
    finally:
        os._exit(code)


def exit_code(pid: int, seconds: float) -> int | None:
    """Waits for a process and ends its group. Returns its exit code, that of a signal, or None if it took too long.

    `seconds` is the limit of elapsed time; the process has one of processor time.
    """
    end = time.monotonic() + seconds
    wait = 0.002
    while not (result := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < end:
        time.sleep(wait)
        wait = min(2 * wait, 0.05)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    if result[0]:
        code = os.waitstatus_to_exitcode(result[1])
        return None if code == -signal.SIGXCPU else code
    os.waitpid(pid, 0)
    return None


def content(file: Any) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def parsed(text: str) -> dict[str, Any] | None:
    """Returns the document of findings that a text ends with; progress may come before it."""
    start = 0 if text.startswith("{") else text.find("\n{") + 1
    with suppress(ValueError):
        return json.loads(text[start:]) if text else None
    return None
