"""Peak memory of compilations of one dense layer for every kind of target, as multiples of its weights, and processor time as multiples of that of C.

python benchmarks/bench_dense.py [--weights N] [--targets T,…]

The layer has 10^7 weights of f32, or as many as the device holds. Each compilation is a process of its own. The multiple of a smaller layer is that of
the memory above the peak of a layer of 100 weights, since the interpreter and its modules are larger than such a layer.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from math import isqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import nir
import numpy as np
from ratios import keep_ratio

WEIGHTS = 10**7
LEAKY = ("--approximate", "decay")  # the neurons of the device leak
ALL = ("--approximate", "all")


class Case(NamedTuple):
    """A device, and what a compilation of the layer for it needs."""

    options: tuple[str, ...] = ()
    shape: tuple[int, int] | None = None
    """Outputs and inputs of a layer that the device holds; None: a square one of the number of weights."""
    is_calibrated: bool = False
    has_signs: bool = False
    """Whether the weights are 1 and -1."""


CASES = {
    "c": Case(),
    "c/int8": Case(is_calibrated=True),
    "c/int4": Case(is_calibrated=True),
    "loihi2/loihi1": Case(),
    "loihi2/oheo_gulch": Case(),
    "asic/mesh": Case(),
    "asic/edge": Case(ALL, (256, 256)),
    "spinnaker/spinn5": Case(LEAKY),
    "spinnaker/boards24": Case(LEAKY),
    "spinnaker2/board48": Case(),
    "memxbar/array128": Case(("--set", "topology.cores=1250"), is_calibrated=True),
    "truenorth/ns1e": Case(ALL, (2048, 128), has_signs=True),
    "dynapse/se2": Case(ALL, (1000, 60), has_signs=True),
    "opencl": Case(),
    "linalg": Case(),
}
"""Devices of each way to store weights. The other languages of kernels, and the other devices of a target, store them in the same way."""


def write_layer(path: Path, outputs: int, inputs: int, *, has_signs: bool = False) -> int:
    """Writes a network of one dense layer and a sample input of it, and returns the bytes of its weights."""
    random = np.random.default_rng(0)
    ones, zeros = np.ones(outputs, np.float32), np.zeros(outputs, np.float32)
    drawn = random.standard_normal((outputs, inputs))
    weight = (np.where(drawn < 0, -1, 1) if has_signs else drawn / 50).astype(np.float32)
    threshold = ones * (4 if has_signs else 1)
    nodes = {
        "input": nir.Input({"input": np.array([inputs])}),
        "fc": nir.Linear(weight),
        "if": nir.IF(r=ones, v_threshold=threshold, v_reset=zeros),
        "output": nir.Output({"output": np.array([outputs])}),
    }
    nir.write(path, nir.NIRGraph(nodes, [("input", "fc"), ("fc", "if"), ("if", "output")]))
    np.save(sample_of(path), random.random((2, 4, inputs)) < 0.1)
    return weight.nbytes


def sample_of(path: Path) -> Path:
    return path.with_suffix(".npy")


def compile_for(network: Path, target: str, folder: Path, case: Case) -> tuple[float, int]:
    """Compiles a network, and returns the processor time [s] and the peak memory [bytes] of the process."""
    command = ["compile", str(network), "--dt", "1ms", "--like", "norse", "--reset", "value", "--target", target]
    command += [*case.options, *(("--calib", str(sample_of(network))) if case.is_calibrated else ())]
    program = [sys.executable, "-m", "nopt.tools.main", *command, "-o", str(folder)]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"nopt compile --target {target} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=int, default=WEIGHTS, help=f"number of weights; default {WEIGHTS}")
    parser.add_argument("--targets", default=",".join(CASES), help="the devices; default all")
    args = parser.parse_args()
    side = isqrt(args.weights)
    with TemporaryDirectory() as name:
        folder, base = Path(name), 0.0
        small = folder / "small.nir"
        write_layer(small, 10, 10)
        _, least = compile_for(small, "c", folder / "small", Case())
        print(f"a layer of 100 weights: peak {least / 2**20:.0f} MiB")
        for target in args.targets.split(","):
            case, network = CASES[target], folder / "layer.nir"
            size = write_layer(network, *(case.shape or (side, side)), has_signs=case.has_signs)
            seconds, peak = compile_for(network, target, folder / target.replace("/", "-"), case)
            base = base or seconds
            above = least if case.shape else 0
            ratio, shown = (peak - above) / size, f"{size / 4:,.0f} weights, " if case.shape else ""
            print(f"{target}: {shown}{seconds:.1f} s, {seconds / base:.1f} times c; peak {ratio:.1f} times the weights")
            keep_ratio(f"dense: peak of {target} / weights", ratio)
            keep_ratio(f"dense: time of {target} / c", seconds / base)


if __name__ == "__main__":
    main()
