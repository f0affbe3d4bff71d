"""The Braille network of the NIR paper on Loihi 2: our model of the chip compared with Lava's simulation of the emitted script.

python benchmarks/bench_loihi2.py [--shared DIR] [--samples N] [--oracles DIR]

140 samples of 256 ticks are made from the one sample by shuffling its channels. nopt compiles the network and runs the artefact; Lava 0.10.0
runs the script of the same artefact, one process of the machine for each process of Lava. The time is that of the run alone, without imports,
reading and the start of processes; every spike and state of both is compared. Without the samples, or if Lava cannot be installed in
ORACLES (`make oracles`), nothing is measured.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from ratios import keep_ratio

import nopt.api as nopt

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from environments import CHIP_TOOLS, UnavailableError, prepare  # noqa: E402

FOLDER = Path("samples/nir_paper/braille")
POPULATIONS = ("lif1.lif", "lif2", "clock")
REPEATS = 3
GOAL = 20
TIMES = re.compile(r"^\d+ samples x \d+ ticks: ([\d.]+) s, and ([\d.]+) s", re.MULTILINE)


def samples_of(sample: np.ndarray, count: int) -> np.ndarray:
    """Returns the sample with its channels in other orders. Shapes: [samples, ticks, channels]."""
    rng = np.random.default_rng(0)
    return np.stack([sample[:, rng.permutation(sample.shape[1])] for _ in range(count)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the folder that holds samples/")
    parser.add_argument("--samples", type=int, default=140)
    parser.add_argument("--oracles", type=Path, default=ROOT / ".venv-oracles", help="the folder of the environments")
    args = parser.parse_args()
    net = args.shared / FOLDER / "braille_noDelay_bias_zero.nir"
    if not net.is_file():
        print(f"bench_loihi2: skipped, {FOLDER} is not there; --shared DIR names its folder")
        return
    try:
        python = prepare(CHIP_TOOLS["lava"], args.oracles.resolve())
    except UnavailableError as reason:
        print(f"bench_loihi2: skipped, Lava cannot be installed: {reason}")
        return
    quiet = nopt.Diagnostics()
    x = samples_of(np.load(args.shared / FOLDER / "input_sample0.npy"), args.samples)
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        build = there / "build"
        nopt.compile(
            net, target="loihi2/oheo_gulch", dt="0.1ms", like="snntorch", reset="zero", out=build, diagnostics=quiet
        )
        record = [name + suffix for name in POPULATIONS for suffix in ("", ".i", ".v")]
        runs = [nopt.execute(build, x, record=record, model="chip", diagnostics=quiet) for _ in range(REPEATS)]
        ours = min(runs, key=lambda run: run.seconds)
        np.savez(there / "x.npz", input=x)
        command = [python, build / "artefact" / "lava_network.py", there / "x.npz", there / "z.npz"]
        command += ["--record", ",".join(record)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        times = TIMES.search(printed)
        assert times is not None
        with np.load(there / "z.npz") as found:
            equal = all(np.array_equal(found[name], values) for name, values in ours.arrays.items())
    spikes = sum(int(ours.arrays[name].sum()) for name in POPULATIONS)
    print(f"{x.shape[0]} samples x {x.shape[1]} ticks, {spikes} spikes, {os.cpu_count()} cores, all values recorded")
    show(ours.seconds, float(times[1]), float(times[2]), equal)
    if not equal:
        sys.exit("bench_loihi2: the results differ")


def show(ours: float, theirs: float, start: float, equal: bool) -> None:
    print(f"nopt, model of the chip       {ours:8.2f} s")
    print(
        f"Lava, script of the artefact  {theirs:8.2f} s, and {start:.2f} s to start, and to reset states between samples"
    )
    keep_ratio("loihi2: Lava / nopt", theirs / ours)
    print(f"ratio {theirs / ours:.0f} (goal: at least {GOAL}); {'all values equal' if equal else 'values DIFFER'}")


if __name__ == "__main__":
    main()
