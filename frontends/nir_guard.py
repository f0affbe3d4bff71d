"""Reader of untrusted HDF5 files in a child process, so that a crash of the HDF5 library does not end nopt.

The child process checks links, types and sizes first. It reads only data that is stored in the file itself and within the limits, and
sends numbers and texts through a pipe. The file is refused if the process crashes, as the HDF5 library does on some damaged files, or
exceeds the limits of time and memory. If no process can be forked, the file is read without that protection.

Source: HDF5 File Format Specification 3.0; h5py 3, low-level API.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Callable
from math import prod
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, NoReturn

import numpy as np
from attrs import define

from ..core.diagnostics import Code, Finding, Refused, refuse
from .limits import Limits
from .nir_survey import NIF001, NIF027, NIF028, Entry, library, opened, surveyed
from .nir_values import Odd

NIF029 = Code(
    "NIF029",
    "the HDF5 library crashed on the file, or took too long",
    cause="While it read the file, the library terminated its process or exceeded the time limit. Damaged files can cause this.",
    remedy="Export the network again, or copy the file again. A file that is only large needs `--limit seconds=N`.",
)

CODES = {code.name: code for code in (NIF001, NIF027, NIF028, NIF029)}
SPARE_BYTES = 2**28
"""Memory in bytes that reading needs in addition to the arrays."""
PATIENCE = 2
"""Maximum ratio of elapsed time to processor time while reading, on a busy machine."""


class Contents(NamedTuple):
    """The group `node` as nested dictionaries, or None if it is missing, and the version."""

    node: Any
    version: str | None


def contents(path: Path, limits: Limits) -> Contents:
    """Reads the contents of a file under limits in a child process.

    Errors: NIF001, NIF027 to NIF029.
    """
    library()  # imported before the fork
    if not hasattr(os, "fork"):
        return unguarded(path, limits)
    ours, theirs = os.pipe()
    try:
        pid = forked()
    except OSError:  # the process limit of the user is reached
        os.close(ours)
        os.close(theirs)
        return unguarded(path, limits)
    if pid == 0:
        os.close(ours)
        child(path, limits, theirs)
    os.close(theirs)
    try:
        return received(Pipe(ours, monotonic() + PATIENCE * limits.seconds), path)
    except EOFError:
        os.kill(pid, signal.SIGKILL) if pid else None
        status, pid = os.waitpid(pid, 0)[1], 0
        refuse_death(path, limits, status)
    finally:
        os.close(ours)
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def forked() -> int:
    """Forks; the child only reads the file and exits, so that other threads of the caller do not affect it."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def refuse_death(path: Path, limits: Limits, status: int) -> NoReturn:
    code = os.waitstatus_to_exitcode(status)
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    late = code in (-signal.SIGKILL, -signal.SIGXCPU)
    refuse(
        NIF029,
        "the HDF5 library does not finish reading the file" if late else "the HDF5 library crashes on the file",
        file=str(path),
        expected=f"an end within {limits.seconds} s" if late else "a `.nir` file written by nir.write",
        found=f"none ({name})" if late else f"its process ended ({name})",
        help=f"--limit seconds={10 * limits.seconds}, or export the network again"
        if late
        else "export the network again",
    )


# ---- parent process


@define
class Pipe:
    """Reader of the child's messages until a deadline; raises EOFError at the end."""

    number: int
    deadline: float

    def fill(self, buffer: Any) -> None:
        view = memoryview(buffer).cast("B")
        ready = select.poll()  # unlike select.select it supports any number of open files
        ready.register(self.number, select.POLLIN)
        while len(view):
            if not ready.poll(max(0.0, 1000 * (self.deadline - monotonic()))):
                raise EOFError
            count = os.readv(self.number, [view])
            if not count:
                raise EOFError
            view = view[count:]

    def take(self, count: int) -> bytearray:
        buffer = bytearray(count)
        self.fill(buffer)
        return buffer

    def message(self) -> Any:
        return json.loads(self.take(int.from_bytes(self.take(8), "little")))

    def array(self, dtype: str, shape: list[int]) -> Any:
        found: Any = np.empty(shape, dtype)
        if found.size:
            self.fill(found.reshape(-1).view(np.uint8))
        return found


def received(pipe: Pipe, path: Path) -> Contents:
    """Receives the contents from the child process. Raises EOFError if the child ended early."""
    header = pipe.message()
    raise_refusal(header, path)
    blob = memoryview(pipe.take(header["small"]))

    def large(dtype: str, shape: list[int]) -> Any:
        raise_refusal(pipe.message(), path)
        return pipe.array(dtype, shape)

    return assembled([Entry(*entry) for entry in header["entries"]], header["version"], blob, large)


def raise_refusal(message: dict[str, Any], path: Path) -> None:
    if "refused" in message:
        code, text, parts = message["refused"]
        refuse(CODES[code], text, file=str(path), **parts)


def assembled(
    entries: list[Entry], version: str | None, blob: memoryview, large: Callable[[str, list[int]], Any]
) -> Contents:
    """Builds nested dictionaries from entries; each entry follows its group."""
    values: list[Any] = []
    offset = 0
    for entry in entries:
        match entry.kind:
            case "group":
                value: Any = {}
            case "texts":
                shape, texts = entry.value
                value = np.empty(len(texts), object)
                value[:] = [bytes.fromhex(text[1:]) if text[0] == "x" else text[1:] for text in texts]
                value = value.reshape(shape)
            case "text":
                value = bytes.fromhex(entry.value[1:]) if entry.value[0] == "x" else entry.value[1:]
            case "small":
                dtype, shape = entry.value
                count = prod(shape) * np.dtype(dtype).itemsize
                value = np.frombuffer(blob[offset : offset + count], dtype).reshape(shape).copy()
                value, offset = value if shape else value[()], offset + count
            case "large":
                value = large(*entry.value)
            case _:
                value = Odd(entry.value)
        values.append(value)
        if entry.parent >= 0:
            values[entry.parent][entry.name] = value
    return Contents(values[0] if values else None, version)


# ---- child process


def child(path: Path, limits: Limits, pipe: int) -> NoReturn:
    """Reads the file, writes its contents to the pipe, and exits the process."""
    import gc

    code = 1
    try:
        gc.disable()
        confine(limits)
        with open(pipe, "wb", buffering=2**20) as out:
            send(path, limits, out)
        code = 0
    finally:
        os._exit(code)


def confine(limits: Limits) -> None:
    """Disables the terminal and core dumps of this process, and limits its time and memory."""
    import faulthandler
    import resource

    faulthandler.disable()
    silence = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(silence, number)
    now = 0
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_AS, now + 2 * limits.bytes + SPARE_BYTES if now else resource.RLIM_INFINITY),
    ):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def send(path: Path, limits: Limits, out: Any) -> None:
    """Writes the header, the small arrays, and each large array after a message that it was read; or writes the refusal."""

    def message(value: Any) -> None:
        text = json.dumps(value).encode()
        out.write(len(text).to_bytes(8, "little") + text)

    try:
        with opened(path) as file:
            survey = surveyed(file, limits)
            entries = survey.entries
            message({"version": survey.version, "small": len(survey.small), "entries": entries})
            out.write(survey.small)
            for values in survey.arrays():
                message({})
                out.write(memoryview(values.reshape(-1).view(np.uint8)))
    except Refused as refusal:
        message({"refused": carried(refusal.findings[0])})


def carried(finding: Finding) -> tuple[str, str, dict[str, Any]]:
    parts = {name: getattr(finding, name) for name in ("at", "expected", "found", "help")}
    return finding.code.name, finding.message, parts


def unguarded(path: Path, limits: Limits) -> Contents:
    """Reads the contents of a file within this process."""
    try:
        with opened(path) as file:
            survey = surveyed(file, limits)
            arrays = survey.arrays()

            def large(dtype: str, shape: list[int]) -> Any:
                return next(arrays)

            return assembled(survey.entries, survey.version, memoryview(survey.small), large)
    except Refused as refusal:
        raise Refused(*(finding.located(file=str(path)) for finding in refusal.findings)) from None
