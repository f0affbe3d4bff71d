"""The compiler of a core: named by the preferences `compiler` and `flags`, verified before it measures a program.

A device file can name both, so flags are limited to those that select a core or optimise; none of them can load code or change results.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen

from ...core.diagnostics import Code, refuse
from ...core.help_text import Flag, Phrase
from .compiler import SECONDS, last_lines, run_compiler

CSR004 = Code("CSR004", "device-compiler-unusable", "the compiler of the device cannot be used")
CSR005 = Code("CSR005", "device-compiler-flags-invalid", "invalid flags of the device's compiler")

FLAGS = re.compile(r"-(m[\w=.+,-]+|O[0123sgz]|f[\w=.+-]+|D\w+(=\w*)?|g\d?|-target=[\w.+-]+)")
UNSAFE = re.compile(
    r"-f(plugin.*|fast-math|unsafe.*|finite-math-only|associative-math|reciprocal-math|no-signed-zeros|fp-contract=(fast|on)|short-.*|pack-struct.*)"
)
"""Flags that load code, change results, or change the size of types."""
EXAMPLE = "-mcpu=cortex-m4 -mthumb -O2"


@frozen
class Toolchain:
    """A compiler, and the flags for its core."""

    name: str
    """Its name as the user wrote it."""
    command: tuple[str, ...]
    version: str
    """The first line of its version output."""
    flags: tuple[str, ...]


def flags_of_device(preferences: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the flags of the device's compiler. Errors: CSR005."""
    text = str(preferences.get("flags", ""))
    try:
        flags = tuple(shlex.split(text))
    except ValueError:  # an unclosed quote
        flags = (text,)
    for flag in flags:
        if FLAGS.fullmatch(flag) is None or UNSAFE.fullmatch(flag) is not None:
            refuse(
                CSR005,
                "the flag loads code, changes results, or is unknown"
                if flag[:2] == "-f"
                else "the flag selects neither a core nor an optimisation",
                at=f"--set c.flags={shlex.quote(text)}",
                expected="-m…, -O…, -f… without fast mathematics and plug-ins, -D…, -g",
                found=flag,
                help=Phrase(Flag(f'flags="{EXAMPLE}"', f"--set c.flags={shlex.quote(EXAMPLE)}")),
            )
    return flags


def toolchain_of(preferences: Mapping[str, Any], required: Sequence[str]) -> Toolchain | None:
    """Returns the compiler that a device names; None if it names none.

    Errors: CSR004 it is not a command, or it does not compile an empty program with its flags, for example for an unknown core; CSR005.
    """
    name, flags = str(preferences.get("compiler", "")), flags_of_device(preferences)
    if not name and flags:
        refuse(
            CSR005,
            "the flags have no effect without a compiler",
            at=f"--set c.flags={shlex.quote(' '.join(flags))}",
            expected="flags with c.compiler, the compiler that they are for",
            found="no compiler",
            help=Phrase(Flag('compiler="arm-none-eabi-gcc"', "--set c.compiler=arm-none-eabi-gcc")),
        )
    if not name:
        return None
    at = f"--set c.compiler={shlex.quote(name)}"
    path = shutil.which(name)
    if path is None:
        refuse(
            CSR004,
            at=at,
            expected="a command on the path, such as arm-none-eabi-gcc",
            found=f"{name}, which is not a command",
            help=Phrase(Flag('compiler=""', "--set c.compiler=")),
        )
    path = os.path.abspath(path)
    try:
        with TemporaryDirectory(prefix="nopt-") as folder:
            (Path(folder) / "empty.c").write_text("#include <stdint.h>\nint32_t nopt_empty;\n", encoding="utf-8")
            command = [path, *flags, *required, "-c", "empty.c", "-o", "empty.o"]
            done = run_compiler(command, Path(folder), SECONDS)
            version = run_compiler([path, "--version"], Path(folder), SECONDS).stdout.splitlines()
            is_made = (Path(folder) / "empty.o").is_file()
    except (OSError, subprocess.TimeoutExpired) as failure:
        refuse(CSR004, at=at, expected="a C compiler that can be started", found=str(failure), help="--set c.compiler=")
    if done.returncode or not is_made:
        refuse(
            CSR004,
            "the compiler does not accept the flags of the device",
            at=f"{at} --set c.flags={shlex.quote(' '.join(flags))}",
            expected="flags of a core that it supports",
            found=f"exit code {done.returncode}",
            help=Phrase(Flag('flags=""', "--set c.flags=")),
            notes=last_lines(done.stderr),
        )
    return Toolchain(name, (path,), version[0].strip() if version else name, flags)
