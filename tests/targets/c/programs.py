"""Compilation of generated C with the tests' own options, and runs as a library in this process or as a separate program."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.library import Instance, Library, address
from nopt.targets.c.source import CSource
from nopt.targets.reference.model import ReferenceModel

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror")
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


def library(source: CSource, folder: Path, *flags: str, compiler: str = COMPILERS[0] if COMPILERS else "") -> Library:
    """Returns the program compiled with the test's flags and all warnings."""
    write(source, folder)
    prefix = source.manifest["prefix"]
    words = [*STRICT, *source.flags, *flags, "-DNET_RUN", "-fPIC", "-shared"]
    called(compiler, *words, folder / f"{prefix}.c", "-o", folder / "library.so", "-lm")
    return Library(ctypes.CDLL(str(folder / "library.so")), prefix)


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
    folder: Path,
    inputs: Mapping[str, np.ndarray],
    *flags: str,
    compiler: str = COMPILERS[0] if COMPILERS else "",
) -> dict[str, np.ndarray]:
    """Runs one sample in a separate program."""
    write(source, folder)
    prefix, rows = source.manifest["prefix"], rows_in(source, inputs)
    ticks = len(rows[0])
    outs = rows_out(source, ticks)
    sizes = {"INS": rows, "OUTS": list(outs.values())}
    text = MAIN.replace("@", prefix)
    for name, arrays in sizes.items():
        text = text.replace(f"{{{name}}}", f"{{{', '.join(str(x[0].nbytes) for x in arrays)}}}").replace(
            f"N{name[:-1]}", str(len(arrays))
        )
    (folder / "alone.c").write_text(text, encoding="utf-8")
    files = [folder / "alone.c", folder / f"{prefix}.c"]
    called(compiler, *STRICT, *source.flags, *flags, "-DNET_RUN", "-I", folder, *files, "-o", folder / "alone", "-lm")
    printed = called(folder / "alone", str(ticks), stdin=b"".join(x.tobytes() for x in rows))
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
