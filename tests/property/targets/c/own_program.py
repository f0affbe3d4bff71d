"""Runs the C of an artefact in a program of its own, which is made from `manifest.json` and `net.h` alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from programs import called

WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffp-contract=off")
CHECKS = {
    "gcc": ("-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"),
    "clang": ("-O2", "-fsanitize=undefined", "-fsanitize-trap=undefined"),
}
"""Checks of undefined behaviour; those of clang trap, which needs no library."""

MAIN = """#include <stdio.h>
#include <stdlib.h>
#include "net.h"
static net_state state;
ARRAYS
int main(int count, char **words) {
    const long ticks = count > 1 ? atol(words[1]) : 0;
    net_init(&state);
    for (long t = 0; t < ticks; ++t) {
READ
        net_step(&state, ARGUMENTS);
WRITE
    }
    return 0;
}
"""


def row_bytes(row: Mapping[str, Any]) -> int:
    return int(np.prod(row["shape"], dtype=np.int64)) * np.dtype(row["dtype"]).itemsize


def main_text(manifest: Mapping[str, Any]) -> str:
    """Returns a program that reads the rows of a tick, steps, and writes the rows of the tick."""
    ins, outs = manifest["inputs"], manifest["outputs"]
    parts: dict[str, list[str]] = {"ARRAYS": [], "READ": [], "WRITE": [], "ARGUMENTS": []}
    for prefix, rows in (("in", ins), ("out", outs)):
        for k, row in enumerate(rows):
            name, size = f"{prefix}_{k}", int(np.prod(row["shape"], dtype=np.int64))
            kind = {"float32": "float", "float64": "double"}.get(row["dtype"], f"{row['dtype']}_t")
            parts["ARRAYS"].append(f"static {kind} {name}[{size}];")
            parts["ARGUMENTS"].append(name)
            read = f"        if (fread({name}, sizeof *{name}, {size}, stdin) != {size}) {{ return 2; }}"
            write = f"        if (fwrite({name}, sizeof *{name}, {size}, stdout) != {size}) {{ return 3; }}"
            parts["READ" if prefix == "in" else "WRITE"].append(read if prefix == "in" else write)
    text = MAIN
    for word, lines in parts.items():
        text = text.replace(word, (", " if word == "ARGUMENTS" else "\n").join(lines))
    return text


def run(
    artefact: Path, inputs: Mapping[str, np.ndarray], compiler: str, checks: Sequence[str] = ()
) -> dict[str, np.ndarray]:
    """Returns the outputs of the artefact, compiled with all warnings as errors and with checks of undefined behaviour, or other ones."""
    manifest = json.loads((artefact / "manifest.json").read_text(encoding="utf-8"))
    folder = artefact.parent / f"own_{compiler}"
    folder.mkdir()
    (folder / "own.c").write_text(main_text(manifest), encoding="utf-8")
    files = [folder / "own.c", artefact / "net.c"]
    called(compiler, *WARNINGS, *(checks or CHECKS[compiler]), "-I", artefact, *files, "-o", folder / "own", "-lm")
    rows = [inputs[row["name"]].astype(row["dtype"]) for row in manifest["inputs"]]
    ticks = len(rows[0])
    stdin = b"".join(np.ascontiguousarray(row[t]).tobytes() for t in range(ticks) for row in rows)
    printed = called(folder / "own", str(ticks), stdin=stdin)
    records = np.dtype([(row["name"], row["dtype"], tuple(row["shape"])) for row in manifest["outputs"]])
    assert len(printed) == ticks * records.itemsize
    return {name: np.frombuffer(printed, records)[name] for name in records.names or ()}
