"""Code size and stack depth of a program, measured with a compiler.

The program is compiled with the flags of its Makefile, by the compiler of the device, or by that of this machine. Without a compiler, or with
one that does not report these values, they are None. The stack is that of one `net_step`: its own frame, that of the deepest function it
calls, and that of the deepest helper. Functions of libraries are not counted: memcpy, and arithmetic that the core lacks.

Source: System V ABI, chapter 4, for object files; GCC manual, `-fstack-usage`.
"""

from __future__ import annotations

import shlex
import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from ...core.diagnostics import refuse
from .compiler import CSR003, SECONDS, Compiler, find_compiler, last_lines, run_compiler
from .cross import Toolchain
from .printing.scalars import HELPERS

OPTIMISED = ("-O2",)
"""Optimisation flag of the Makefile."""


@frozen
class Sections:
    """Bytes of the sections of an object file that are loaded, as `size` counts them."""

    code: int = 0
    constants: int = 0
    data: int = 0
    bss: int = 0


@frozen
class Measured:
    """Bytes, and the compiler that produced them."""

    sections: Sections | None = None
    stack_bytes: int | None = None
    compiler: str | None = None
    flags: str | None = None

    @property
    def text_bytes(self) -> int | None:
        """Returns the bytes of instructions."""
        return None if self.sections is None else self.sections.code


def optimised(flags: Sequence[str]) -> tuple[str, ...]:
    """Returns the flags with an optimisation level; if they contain none, the level of the Makefile is added."""
    return tuple(flags) if any(flag.startswith("-O") for flag in flags) else (*OPTIMISED, *flags)


def measure(
    files: Mapping[str, str], prefix: str, flags: Sequence[str], toolchain: Toolchain | None = None
) -> Measured:
    """Compiles a program and measures the result. Errors: CSR003 the compiler of the device fails."""
    compiler: Compiler | Toolchain | None = toolchain or find_compiler().compiler
    if compiler is None:
        return Measured()
    given = optimised((*(toolchain.flags if toolchain else ()), *flags))
    seen = Measured(compiler=compiler.version, flags=" ".join(given))
    with TemporaryDirectory(prefix="nopt-") as name:
        folder = Path(name)
        for file in (*(name for name in files if name.endswith(".h")), f"{prefix}.c"):
            (folder / file).write_text(files[file], encoding="utf-8")
        made = folder / "made.o"
        command = [*compiler.command, *given, "-c", f"{prefix}.c", "-o", made.name]
        try:
            done = run_compiler([*command, "-fstack-usage"], folder, SECONDS)
            done = run_compiler(command, folder, SECONDS) if done.returncode else done
        except (OSError, subprocess.TimeoutExpired):
            return seen
        if done.returncode or not made.is_file():
            if toolchain is not None:
                refuse(
                    CSR003,
                    at=shlex.join(command),
                    expected="an object file",
                    found=f"exit code {done.returncode}",
                    help="--set c.compiler=",
                    notes=last_lines(done.stderr),
                )
            return seen
        usage = made.with_suffix(".su")
        return Measured(
            sections_of(made.read_bytes()),
            stack_bytes_of(usage.read_text(encoding="utf-8"), prefix) if usage.is_file() else None,
            seen.compiler,
            seen.flags,
        )


def sections_of(data: bytes) -> Sections | None:
    """Returns the bytes of the sections of an object file; None for other files than ELF."""
    if data[:4] != b"\x7fELF":
        return None
    order = "<" if data[5] == 1 else ">"
    wide = data[4] == 2
    start = struct.unpack_from(f"{order}{'Q' if wide else 'I'}", data, 40 if wide else 32)[0]
    size, count = struct.unpack_from(f"{order}HH", data, 58 if wide else 46)
    total = {"code": 0, "constants": 0, "data": 0, "bss": 0}
    for k in range(count):
        at = start + k * size
        kind, flags, length = (
            struct.unpack_from(f"{order}4xIQ8x8xQ", data, at)
            if wide
            else struct.unpack_from(f"{order}4xII4x4xI", data, at)
        )
        if flags & LOADED:
            section = (
                "bss"
                if kind == NOBITS
                else "code"
                if flags & EXECUTABLE
                else "data"
                if flags & WRITABLE
                else "constants"
            )
            total[section] += length
    return Sections(**total)


NOBITS = 8
WRITABLE, LOADED, EXECUTABLE = 1, 2, 4
"""Kind and flags of sections: without content in the file; writable, in memory, and with instructions."""


def stack_bytes_of(usage: str, prefix: str) -> int | None:
    """Returns the bytes of stack of a call of `net_step`, from GCC's report about each function."""
    frames: dict[str, int] = {}
    for line in usage.splitlines():
        place, bytes, *_ = line.split("\t")
        frames[place.rsplit(":", 1)[-1]] = int(bytes)
    if f"{prefix}_step" not in frames:
        return None
    shared = {
        f"{prefix}_{name}"
        for name in ("init", "reset", "step", "save", "load", "size", "run", "head", "io_init", "io_step")
    }
    helpers = {f"{prefix}_{name}" for name in HELPERS}
    ops = max((size for name, size in frames.items() if name not in shared | helpers), default=0)
    deepest = max((size for name, size in frames.items() if name in helpers), default=0)
    return frames[f"{prefix}_step"] + frames.get(f"{prefix}_io_step", 0) + ops + deepest
