"""Work in a child process, so that a crash, an endless loop or the memory of a library does not end nopt.

The child process writes bytes to a pipe and exits. Its terminal and core dumps are disabled, and its time and memory are limited.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable
from time import monotonic
from typing import Any, NoReturn

PATIENCE = 2
"""Maximum ratio of elapsed time to processor time, on a busy machine."""

Work = Callable[[Any], None]
"""A function that writes bytes to a file."""


def run_in_child(work: Work, seconds: int, memory: int | None = None) -> bytearray | int | None:
    """Runs a function in a child process. Returns the bytes that it writes, or the exit code if the process failed.

    Returns None if no process can be forked. `memory` is the number of bytes that the process may need in addition to its own.
    """
    if not hasattr(os, "fork"):
        return None
    ours, theirs = os.pipe()
    try:
        pid = fork()
    except OSError:  # the process limit of the user is reached
        os.close(ours)
        os.close(theirs)
        return None
    if pid == 0:
        os.close(ours)
        run_child(work, seconds, memory, theirs)
    os.close(theirs)
    status = -1
    try:
        if (data := receive(ours, monotonic() + PATIENCE * seconds)) is not None:
            status, pid = os.waitpid(pid, 0)[1], 0
    finally:
        os.close(ours)
        if pid:
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
    return os.waitstatus_to_exitcode(status) if data is None or status else data


def is_late(code: int) -> bool:
    """Returns whether an exit code means that the process exceeded its time limit."""
    return code in (-signal.SIGKILL, -signal.SIGXCPU)


def name_exit(code: int) -> str:
    """Returns the words for an exit code, or for the signal that ended the process."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def fork() -> int:
    """Forks a child that only does its work and exits, so that other threads of the caller do not affect it."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def receive(pipe: int, deadline: float) -> bytearray | None:
    """Returns all bytes that the child process sends; None if it does not end before the deadline."""
    ready = select.poll()  # unlike select.select it supports any number of open files
    ready.register(pipe, select.POLLIN)
    data = bytearray()
    while ready.poll(max(0.0, 1000 * (deadline - monotonic()))):
        if not (part := os.read(pipe, 2**20)):
            return data
        data += part
    return None


def run_child(work: Work, seconds: int, memory: int | None, pipe: int) -> NoReturn:
    """Does the work, and exits the process."""
    import gc

    code = 1
    try:
        gc.disable()
        limit_process(seconds, memory)
        with open(pipe, "wb", buffering=2**20) as out:
            work(out)
        code = 0
    finally:
        os._exit(code)


def limit_process(seconds: int, memory: int | None) -> None:
    """Disables the terminal and core dumps of this process, and limits its time and memory."""
    import faulthandler
    import resource

    faulthandler.disable()
    silence = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(silence, number)
    now = 0
    if sys.platform == "linux" and memory is not None:
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, now + memory if now and memory is not None else resource.RLIM_INFINITY),
    ):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
