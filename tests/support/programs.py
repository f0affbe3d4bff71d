"""Compilation of generated C with the tests' own options, and runs as a library in this process or as a separate program.

Compiled programs are kept in `build/cache/tests` under a digest of the compiler, its options and the text, so that no program is
compiled twice.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from places import ROOT

from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.library import Instance, Library, address
from nopt.targets.c.source import CSource
from nopt.targets.reference.model import ReferenceModel

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror")
SANITIZED = ("-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
"""The level that removes no access and no operation before it is checked; it takes gcc a quarter of the time of -O1 -g."""
PROGRAMS = ROOT / "build" / "cache" / "tests"
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="no gcc or clang on the path")

MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "@.h"
/* main TICKS: reads the rows of every input from standard input, one input after the other, and writes those of every output. */
int main(int count, char **words) {
    static const size_t ins[] = {INS}, outs[] = {OUTS};
    const size_t ticks = (size_t)atol(words[count - 1]);
    void *in[NIN], *out[NOUT];
    @_state *net = malloc(sizeof *net);
    for (size_t k = 0; k < NIN; ++k) {
        in[k] = malloc(ins[k] * ticks + 1);
        if (fread(in[k], ins[k], ticks, stdin) != ticks) {
            return 2;
        }
    }
    for (size_t k = 0; k < NOUT; ++k) {
        out[k] = malloc(outs[k] * ticks + 1);
    }
    @_init(net);
    @_run(net, (int64_t)ticks, (const void *const *)in, out);
    for (size_t k = 0; k < NOUT; ++k) {
        fwrite(out[k], outs[k], ticks, stdout);
        free(out[k]);
    }
    for (size_t k = 0; k < NIN; ++k) {
        free(in[k]);
    }
    free(net);
    return 0;
}
"""


def write(source: CSource, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in source.files.items():
        (folder / name).write_text(text, encoding="utf-8")


def called(*command: str | Path, stdin: bytes = b"") -> bytes:
    """Returns the output of a command; a failure shows its error output."""
    done = subprocess.run([str(word) for word in command], input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-3000:]
    return done.stdout


@cache
def version(compiler: str) -> bytes:
    return called(compiler, "--version")


def compiled(source: CSource, words: Sequence[str], compiler: str, kept: Path, others: Mapping[str, str]) -> Path:
    """Returns the program of a network and other files, compiled and linked with all warnings."""
    prefix = source.manifest["prefix"]
    files = {**others, **{name: source.files[name] for name in (f"{prefix}.c", f"{prefix}.h")}}
    command = [compiler, *STRICT, *source.flags, *words, "-DNET_RUN"]
    key = sha256(repr((version(compiler), command, sorted(files.items()))).encode()).hexdigest()
    if not (path := kept / key).exists():
        kept.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept) as name:
            folder = Path(name)
            for file, text in files.items():
                (folder / file).write_text(text, encoding="utf-8")
            texts = [folder / file for file in files if file.endswith(".c")]
            called(*command, "-I", folder, *texts, "-o", folder / "program", "-lm")
            os.replace(folder / "program", path)  # whole, even if two tests compile it at once
    return path


def library(
    source: CSource, *flags: str, compiler: str = COMPILERS[0] if COMPILERS else "", kept: Path = PROGRAMS
) -> Library:
    """Returns the program compiled with the test's flags and all warnings."""
    path = compiled(source, [*flags, "-fPIC", "-shared"], compiler, kept, {})
    return Library(ctypes.CDLL(str(path)), source.manifest["prefix"])


def rows_in(source: CSource, inputs: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """Returns the rows of one sample in C's layout: `[ticks, *shape]` by input."""
    return [np.ascontiguousarray(inputs[row["name"]].astype(row["dtype"])) for row in source.manifest["inputs"]]


def rows_out(source: CSource, ticks: int) -> dict[str, np.ndarray]:
    rows = [*source.manifest["outputs"], *source.manifest["records"]]
    return {row["name"]: np.empty((ticks, *row["shape"]), row["dtype"]) for row in rows}


def run(
    source: CSource, instance: Instance, inputs: Mapping[str, np.ndarray], ticks: slice | None = None
) -> dict[str, np.ndarray]:
    """Runs one sample, or a part of it, from the current state of an instance."""
    rows = rows_in(source, inputs if ticks is None else {name: x[ticks] for name, x in inputs.items()})
    count = len(rows[0])
    outs = rows_out(source, count)
    instance.run(count, [address(x) for x in rows], [address(x) for x in outs.values()])
    return outs


def run_alone(
    source: CSource,
    inputs: Mapping[str, np.ndarray],
    *flags: str,
    compiler: str = COMPILERS[0] if COMPILERS else "",
    kept: Path = PROGRAMS,
) -> dict[str, np.ndarray]:
    """Runs one sample in a separate program."""
    prefix, rows = source.manifest["prefix"], rows_in(source, inputs)
    ticks = len(rows[0])
    outs = rows_out(source, ticks)
    sizes = {"INS": rows, "OUTS": list(outs.values())}
    text = MAIN.replace("@", prefix)
    for name, arrays in sizes.items():
        text = text.replace(f"{{{name}}}", f"{{{', '.join(str(x[0].nbytes) for x in arrays)}}}").replace(
            f"N{name[:-1]}", str(len(arrays))
        )
    program = compiled(source, flags, compiler, kept, {"alone.c": text})
    printed = called(program, str(ticks), stdin=b"".join(x.tobytes() for x in rows))
    for name, array in outs.items():
        size = array.nbytes
        outs[name] = np.frombuffer(printed[:size], array.dtype).reshape(array.shape)
        printed = printed[size:]
    assert not printed
    return outs


def reference(network: NetworkOp, inputs: Mapping[str, np.ndarray], record: Sequence[str]) -> dict[str, Any]:
    """Returns the results of the reference for one sample."""
    signals = {name: DenseSignal(x[None]) for name, x in inputs.items()}
    return {name: array[0] for name, array in ReferenceModel(network, record=record).run(signals).items()}


def different(found: Mapping[str, np.ndarray], wanted: Mapping[str, np.ndarray]) -> list[str]:
    """Returns names whose arrays differ in a bit; spikes are bytes in C and bools elsewhere."""
    assert list(found) == list(wanted)
    return [
        name
        for name, array in wanted.items()
        if array.view(np.uint8 if array.dtype == bool else array.dtype).tobytes() != found[name].tobytes()
    ]
