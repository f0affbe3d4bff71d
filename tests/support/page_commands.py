"""Commands of pages, run in a shell. Programs that write inputs run once in a test process, because several pages have the same."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

WRITER = re.compile(r"python (?P<program>examples/encoder\.py \w+|make_network\.py)(?P<names>(?: [\w.]+)*)")
"""A program whose files depend on its text and arguments alone. The encoder writes the files that it is given."""


@dataclass(frozen=True)
class Done:
    """Output of a program, the files that it wrote, and the names in its arguments."""

    printed: str
    files: Mapping[str, bytes]
    names: tuple[str, ...]


KNOWN: dict[tuple[str, bytes, str], Done] = {}
"""Results by the program with its argument, its text, and the folders of programs."""


def run_command(command: str, folder: Path, environment: Mapping[str, str], seconds: int) -> str:
    """Runs a command in a folder within a time limit, and returns its output with its errors."""
    writer = WRITER.fullmatch(command)
    if writer is None:
        return run_shell(command, folder, environment, seconds)
    script, names = folder / writer["program"].split()[0], tuple(writer["names"].split())
    key = writer["program"], script.read_bytes(), environment["PATH"]
    if (known := KNOWN.get(key)) is not None and len(names) <= len(known.names):
        renamed = dict(zip(known.names, names, strict=False))
        for name, data in known.files.items():
            if name in renamed or name not in known.names:
                (folder / renamed.get(name, name)).write_bytes(data)
        return known.printed
    before = {path.name for path in folder.iterdir()} - {*names}
    printed = run_shell(command, folder, environment, seconds)
    written = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name not in before}
    KNOWN[key] = Done(printed, written, names)
    return printed


def run_shell(command: str, folder: Path, environment: Mapping[str, str], seconds: int) -> str:
    done = subprocess.run(
        command,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=seconds,
        cwd=folder,
        env=environment,
        check=False,
    )
    return done.stdout
