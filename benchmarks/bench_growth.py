"""Growth of work with the size of a network: exponents from counts that do not depend on the machine.

python benchmarks/bench_growth.py [--scale K]     K multiplies all sizes; default 1

Networks of `growth.py` are written as `.nir` into a temporary folder. Each step runs for two sizes, one three times the other. The counts are the
function calls of Python, and the bytes that GCC allocates for a source (`-ftime-report`), which are proportional to its work. An exponent is that
of the counts in the size of the network: populations and edges, or weights. At these sizes, n log n has an exponent of about 1.2, and n^2 of 2. Work
inside of a NumPy call is not counted; processor seconds, including children, are printed in addition.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Callable
from cProfile import Profile
from math import log
from pathlib import Path
from time import process_time
from typing import Any

import nir
from growth import NETWORKS
from ratios import keep_ratio

import nopt.api as nopt
from nopt.dialects.ntensor import NetworkOp
from nopt.targets.c.source import generate

RULE = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
MAPPING = (
    "ntensor-legalize{device=asic/mesh}",
    "ntensor-plan-cores",
    "convert-ntensor-to-machine",
    "machine-place-vertices",
    "machine-route-edges",
)
FEW, TIMES = 60, 3
SIZES = {"full": 20, "dense": 400, "different": 100}
"""The smaller size, if it is not `FEW`."""
SQUARES = ("full", "dense", "different")
"""Networks whose edges or weights grow with the square of their size."""
GCC = ("gcc", "-std=c99", "-ffp-contract=off", "-O3", "-DNET_RUN", "-c", "net.c", "-o", "net.o", "-ftime-report")
UNITS = {"": 1, "k": 2**10, "M": 2**20, "G": 2**30}


def read(path: Path) -> Any:
    """Returns a network in ticks."""
    quiet = nopt.Diagnostics()
    module = nopt.read(path, diagnostics=quiet)
    nopt.apply(module, RULE, diagnostics=quiet)
    return module


def counted(step: Callable[[], object]) -> tuple[int, float]:
    """Returns the function calls of Python, and seconds without the profiler."""
    start = process_time()
    step()
    seconds = process_time() - start
    profile = Profile()
    profile.runcall(step)
    return sum(entry.callcount for entry in profile.getstats()), seconds


def to_c(path: Path) -> tuple[int, float]:
    network = next(op for op in read(path).ops if isinstance(op, NetworkOp))
    return counted(lambda: generate(network))


def retimed(path: Path) -> tuple[int, float]:
    modules = [read(path), read(path)]
    return counted(lambda: nopt.apply(modules.pop(), "ntensor-retime", diagnostics=nopt.Diagnostics()))


def mapped(path: Path) -> tuple[int, float]:
    modules = [read(path), read(path)]

    def run() -> None:
        module = modules.pop()
        for step in MAPPING:
            nopt.apply(module, step, diagnostics=nopt.Diagnostics())

    return counted(run)


def discretised(path: Path) -> tuple[int, float]:
    return counted(lambda: read(path))


def compiled(path: Path) -> tuple[int, float]:
    """Returns the bytes that GCC allocates, and its seconds."""
    network = next(op for op in read(path).ops if isinstance(op, NetworkOp))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in generate(network).files.items():
            (Path(folder) / name).write_text(text)
        said = subprocess.run(GCC, cwd=folder, check=True, capture_output=True, text=True).stderr
    total = re.search(r"TOTAL\s*:\s*([\d.]+)\s+[\d.]+\s+[\d.]+\s+(\d+)([kMG]?)", said)
    assert total is not None  # GCC prints it last
    return int(total[2]) * UNITS[total[3]], float(total[1])


STEPS: dict[str, tuple[Callable[[Path], tuple[int, float]], tuple[str, ...]]] = {
    "nir to ntensor": (discretised, tuple(NETWORKS)),
    "ntensor to C": (to_c, tuple(NETWORKS)),
    "GCC": (compiled, tuple(NETWORKS)),
    "ntensor-retime": (retimed, ("chain of linear layers", "star", "gather", "loops", "full")),
    "mapping": (mapped, ("full",)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=1)
    scale = parser.parse_args().scale
    print(f"{'step':16} {'network':24} {'sizes':>12} {'count':>14} {'count':>14} {'exponent':>9} {'seconds':>8}")
    with tempfile.TemporaryDirectory() as folder:
        paths: dict[tuple[str, int], Path] = {}
        for kind, make in NETWORKS.items():
            for size in (FEW // 10, *(SIZES.get(kind, FEW) * scale * times for times in (1, TIMES))):
                paths[kind, size] = Path(folder) / f"{len(paths)}.nir"
                nir.write(paths[kind, size], make(size))
        for step, (count, kinds) in STEPS.items():
            for kind in kinds:
                few = SIZES.get(kind, FEW) * scale
                count(paths[kind, FEW // 10])  # imports, and fills caches
                (before, _), (after, seconds) = (count(paths[kind, size]) for size in (few, TIMES * few))
                exponent = log(after / before) / log(TIMES) / (2 if kind in SQUARES else 1)
                sizes = f"{few}, {TIMES * few}"
                print(
                    f"{step:16} {kind:24} {sizes:>12} {before:14,} {after:14,} {exponent:9.2f} {seconds:8.2f}",
                    flush=True,
                )
                keep_ratio(f"growth: exponent of {step}, {kind}", exponent)


if __name__ == "__main__":
    main()
