"""A fork of the lit worker that runs the commands of goldens, one after another.

Each command gets the streams, folder and environment of its test, and the settings that the worker has: a process that a command has
changed runs no other one (`process_state`). Variables are compared after each golden. Only what functions cache is kept. A command that
changes its state on purpose runs in a fork of the process, which has the same caches.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from process_state import State
from warm import Entry, call, receive, send

UNCHANGED, CHANGED = b"=", b"#"
ASK_SETTINGS, ASK_VARIABLES, RUN, FORK = b"?", b"$", b"!", b"Y"


class GoldenProcess:
    """The process as the worker sees it: it starts a command, and waits for its exit code."""

    def __init__(self, tools: Mapping[str, Entry], seconds: int, state: State, others: Sequence[GoldenProcess]):
        """Forks this process; `state` is what a command has to find, and `others` are the other processes of the worker."""
        self.channel, theirs = socket.socketpair()
        self.code: int | None = None
        """The exit code of a process that has ended."""
        self.pid = os.fork()
        if not self.pid:
            try:
                for process in (self, *others):
                    process.channel.close()  # or it would not end when the worker closes it
                os.register_at_fork(after_in_child=theirs.close)  # or the worker would not see the end of this process
                serve(theirs, tools, seconds, state)
            finally:
                os._exit(125)
        theirs.close()

    def has_changed_variables(self) -> bool:
        """Whether the process is there, and its commands have changed variables."""
        return self.code is None and self.ask(ASK_VARIABLES) == CHANGED

    def is_unchanged(self) -> bool:
        """Whether the process is there, with the settings that a command has to find."""
        return self.code is None and self.ask(ASK_SETTINGS) == UNCHANGED

    def ask(self, question: bytes) -> bytes:
        self.channel.sendall(question)
        return self.channel.recv(1)

    def start(
        self, args: Sequence[str], streams: Sequence[Any], folder: Path, environment: Mapping[str, str], is_alone: bool
    ) -> None:
        """Starts a command, alone in a fork of the process or not; `streams` are its input, output and errors."""
        self.channel.sendall(FORK if is_alone else RUN)
        send(self.channel, args, str(folder), environment, [stream.fileno() for stream in streams])

    def wait(self) -> int:
        """Waits for the exit code of the command, which is that of the process if the command has ended it."""
        text = self.channel.recv(3)
        return int(text) if text else self.end()

    def end(self) -> int:
        """Ends the process, unless it has ended, and returns its exit code."""
        if self.code is None:
            self.channel.close()
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code


def call_in_time(entry: Entry, args: Sequence[str], seconds: int) -> int:
    """Runs a command in this process, which ends if it takes longer."""
    signal.alarm(seconds)
    code = call(entry, args)
    signal.alarm(0)
    return code


def call_in_fork(entry: Entry, args: Sequence[str], seconds: int) -> int:
    """Runs a command in a fork, and returns its exit code, or that of the signal that ended it."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    code = 125
    try:
        code = call_in_time(entry, args, seconds)
    finally:
        os._exit(code)


def serve(channel: socket.socket, tools: Mapping[str, Entry], seconds: int, state: State) -> NoReturn:
    """Runs commands in this process until the worker closes the channel."""
    nothing = os.open(os.devnull, os.O_RDWR)
    thresholds, mask = gc.get_threshold(), os.umask(0)
    os.umask(mask)
    state.keep_settings()
    while asked := channel.recv(1):
        if asked in (ASK_SETTINGS, ASK_VARIABLES):
            changes = state.changed_settings() if asked == ASK_SETTINGS else state.changed_variables()
            channel.sendall(CHANGED if any(changes) else UNCHANGED)
            continue
        os.umask(mask)
        gc.set_threshold(*thresholds)
        with warnings.catch_warnings():
            pass  # Python forgets which warnings it has shown once
        args = receive(channel)
        entry = tools[args[0]]
        code = call_in_fork(entry, args, seconds) if asked == FORK else call_in_time(entry, args, seconds)
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            with suppress(OSError):  # what its reader did not take would be written to the output of the next command
                stream.close()
        for number in (0, 1, 2):
            os.dup2(nothing, number)  # or the readers of a pipe would wait for more
        channel.sendall(b"%d" % code)
    os._exit(0)
