"""Peak memory of compilations of one dense layer, as multiples of its weights, and processor time as multiples of that of C.

python benchmarks/bench_dense.py [--weights N]

The layer has 10^7 weights of f32. Each compilation is a process of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from math import isqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import nir
import numpy as np
from ratios import keep_ratio

TARGETS = ("c", "loihi2/loihi1", "asic/mesh", "spinnaker/spinn5")
OPTIONS = {"spinnaker/spinn5": ("--approximate", "decay")}  # its neurons leak
WEIGHTS = 10**7


def write_layer(path: Path, weights: int) -> int:
    """Writes a network of one dense layer, and returns the bytes of its weights."""
    size = isqrt(weights)
    ones, zeros = np.ones(size, np.float32), np.zeros(size, np.float32)
    weight = (np.random.default_rng(0).standard_normal((size, size)) / 50).astype(np.float32)
    nodes = {
        "input": nir.Input({"input": np.array([size])}),
        "fc": nir.Linear(weight),
        "if": nir.IF(r=ones, v_threshold=ones, v_reset=zeros),
        "output": nir.Output({"output": np.array([size])}),
    }
    nir.write(path, nir.NIRGraph(nodes, [("input", "fc"), ("fc", "if"), ("if", "output")]))
    return weight.nbytes


def compile_for(network: Path, target: str, folder: Path) -> tuple[float, int]:
    """Compiles a network, and returns the processor time [s] and the peak memory [bytes] of the process."""
    command = ["compile", str(network), "--dt", "1ms", "--like", "norse", "--reset", "value", "--target", target]
    command += OPTIONS.get(target, ())
    program = [sys.executable, "-m", "nopt.tools.main", *command, "-o", str(folder)]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"nopt compile --target {target} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=int, default=WEIGHTS, help=f"number of weights; default {WEIGHTS}")
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        network, base = Path(folder) / "layer.nir", 0.0
        size = write_layer(network, args.weights)
        for target in TARGETS:
            seconds, peak = compile_for(network, target, Path(folder) / target.replace("/", "-"))
            base = base or seconds
            print(f"{target}: {seconds:.1f} s, {seconds / base:.1f} times c; peak {peak / size:.1f} times the weights")
            keep_ratio(f"dense: peak of {target} / weights", peak / size)
            keep_ratio(f"dense: time of {target} / c", seconds / base)


if __name__ == "__main__":
    main()
