"""Many samples from a file of events: 10,000 of the size of N-MNIST through the CNN of the NIR paper, by the public command.

python benchmarks/bench_samples.py [--shared DIR] [--samples N]

34 x 34 pixels of two polarities, 300 ticks, 0.6 % of the inputs spike in a tick: 41.6 million events in an `.npz`. `nopt run` reads the
file, runs all samples on the machine's cores and writes the output. The time is from start to end of the command, the memory is the
peak of its process. The input alone would need 6.9 GB as a dense array.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter

import numpy as np

ROOT = Path(__file__).parent.parent
SAMPLE = Path("samples/nir_paper/cnn/cnn_sinabs.nir")
TICKS, SHAPE, DENSITY = 300, (2, 34, 34), 0.006


def events(samples: int, path: Path) -> int:
    """Writes the events of all samples, unordered. Returns their number."""
    rng = np.random.default_rng(0)
    inputs = int(np.prod(SHAPE))
    count = rng.binomial(TICKS * inputs, DENSITY, samples)
    sample = np.repeat(np.arange(samples, dtype=np.int32), count)
    place = rng.integers(0, TICKS * inputs, len(sample), dtype=np.int32)
    both = np.unique(sample.astype(np.int64) * (TICKS * inputs) + place)  # each spike exists once
    sample, place = (both // (TICKS * inputs)).astype(np.uint16), both % (TICKS * inputs)
    tick, index = (place // inputs).astype(np.uint16), (place % inputs).astype(np.uint16)
    np.savez(path, tick=tick, index=index, sample=sample, samples=samples, shape=SHAPE, ticks=TICKS)
    return len(both)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="the folder that holds samples/")
    parser.add_argument("--samples", type=int, default=10_000)
    args = parser.parse_args()
    sample = args.shared / SAMPLE
    if not sample.is_file():
        print(f"bench_samples: skipped, {SAMPLE} is not there; --shared DIR names its folder")
        return
    with tempfile.TemporaryDirectory() as folder:
        # in a separate process: a child starts with the peak of its parent
        with ProcessPoolExecutor(1) as pool:
            count = pool.submit(events, args.samples, Path(folder) / "x.npz").result()
        command = [sys.executable, "-m", "nopt.tools.main", "run", str(sample), "--input", f"{folder}/x.npz"]
        options = [
            "--dt",
            "1ms",
            "--like",
            "norse",
            "--precision",
            "f32",
            "--engine",
            "native",
            "-o",
            f"{folder}/z.npz",
        ]
        start = perf_counter()
        running = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(running.pid, 0)
        seconds = perf_counter() - start
        if status:
            sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    peak = used.ru_maxrss / 2**20
    print(
        f"{args.samples} samples, {count / 1e6:.1f} million events, {os.cpu_count()} cores: {seconds:.1f} s, peak {peak:.2f} GiB"
    )


if __name__ == "__main__":
    main()
