"""Code size and stack depth of a program, measured with a compiler.

The program is compiled with the flags of its Makefile, for this machine. Without a compiler, or with one that does not report these
values, they are None. The stack is that of one `net_step`: its own frame, that of the deepest function it calls, and that of the deepest helper.

Source: System V ABI, chapter 4, for object files; GCC manual, `-fstack-usage`.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from .compiler import SECONDS, find_compiler, run_compiler
from .printing.scalars import HELPERS

OPTIMISED = ("-O2",)
"""Optimisation flag of the Makefile."""


@frozen
class Measured:
    """Bytes, and the compiler that produced them."""

    text_bytes: int | None = None
    stack_bytes: int | None = None
    compiler: str | None = None
    flags: str | None = None


def measure(files: Mapping[str, str], prefix: str, flags: Sequence[str]) -> Measured:
    """Compiles a program and measures the result."""
    compiler = find_compiler().compiler
    if compiler is None:
        return Measured()
    given = (*OPTIMISED, *flags)
    with TemporaryDirectory(prefix="nopt-") as name:
        folder = Path(name)
        for file in (f"{prefix}.h", f"{prefix}.c"):
            (folder / file).write_text(files[file], encoding="utf-8")
        made = folder / "made.o"
        command = [*compiler.command, *given, "-c", f"{prefix}.c", "-o", made.name]
        try:
            done = run_compiler([*command, "-fstack-usage"], folder, SECONDS)
            done = run_compiler(command, folder, SECONDS) if done.returncode else done
            failed = done.returncode != 0 or not made.is_file()
        except (OSError, subprocess.TimeoutExpired):
            failed = True
        if failed:
            return Measured(compiler=compiler.version, flags=" ".join(given))
        usage = made.with_suffix(".su")
        return Measured(
            text_bytes_of(made.read_bytes()),
            stack_bytes_of(usage.read_text(encoding="utf-8"), prefix) if usage.is_file() else None,
            compiler.version,
            " ".join(given),
        )


def text_bytes_of(data: bytes) -> int | None:
    """Returns the bytes of the sections that hold instructions; None for other files than ELF."""
    if data[:4] != b"\x7fELF":
        return None
    order = "<" if data[5] == 1 else ">"
    wide = data[4] == 2
    start = struct.unpack_from(f"{order}{'Q' if wide else 'I'}", data, 40 if wide else 32)[0]
    size, count = struct.unpack_from(f"{order}HH", data, 58 if wide else 46)
    total = 0
    for k in range(count):
        at = start + k * size
        kind, flags, length = (
            struct.unpack_from(f"{order}4xIQ8x8xQ", data, at)
            if wide
            else struct.unpack_from(f"{order}4xII4x4xI", data, at)
        )
        if kind == PROGBITS and flags & EXECUTABLE:
            total += length
    return total


PROGBITS, EXECUTABLE = 1, 4
"""Flags of sections: present in the file, and executable."""


def stack_bytes_of(usage: str, prefix: str) -> int | None:
    """Returns the bytes of stack of a call of `net_step`, from GCC's report about each function."""
    frames: dict[str, int] = {}
    for line in usage.splitlines():
        place, bytes, *_ = line.split("\t")
        frames[place.rsplit(":", 1)[-1]] = int(bytes)
    if f"{prefix}_step" not in frames:
        return None
    shared = {f"{prefix}_{name}" for name in ("init", "reset", "step", "save", "load", "size", "run", "head")}
    helpers = {f"{prefix}_{name}" for name in HELPERS}
    ops = max((size for name, size in frames.items() if name not in shared | helpers), default=0)
    deepest = max((size for name, size in frames.items() if name in helpers), default=0)
    return frames[f"{prefix}_step"] + ops + deepest
