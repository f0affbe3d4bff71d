"""One large network on several threads: the balanced network with 100,000 neurons and 10^8 synapses on the engine `native`.

python benchmarks/bench_threads.py [--neurons N] [--share F] [--ticks N] [--rounds N] [--threads N,...]

Each round runs the network with one thread and with each other number of threads, and copies 256 MiB with as many threads: the gain of a copy is
limited by the memory of the machine alone. All runs have the same spikes. The table has the medians of the rounds, the fastest rounds, and the gain of
both. Other processes on the machine delay all threads of a tick, so the fastest rounds are those of a quiet machine.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from statistics import median
from time import perf_counter, sleep

import balanced as net
import numpy as np
from bench_balanced import network
from ratios import keep_ratio

from nopt.dialects.ntensor import NetworkOp
from nopt.targets.c.model import NativeModel

COPIED_BYTES = 2**28
PAUSE_SECONDS = 0.2
"""Time between two runs, in which other processes of the machine catch up."""


class Copy:
    """A copy of a large array, in equal parts by several threads."""

    def __init__(self) -> None:
        self.source, self.target = np.ones(COPIED_BYTES, np.uint8), np.zeros(COPIED_BYTES, np.uint8)

    def run(self, threads: int) -> float:
        """Returns the duration of the copy."""
        bounds = np.linspace(0, COPIED_BYTES, threads + 1).astype(int)
        parts = [slice(a, b) for a, b in pairwise(bounds)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda _: sleep(0.01), parts))  # starts the threads
            start = perf_counter()
            list(pool.map(lambda part: np.copyto(self.target[part], self.source[part]), parts))
            return perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neurons", type=int, default=100_000)
    parser.add_argument("--share", type=float, default=0.01, help="share of the neurons that each neuron listens to")
    parser.add_argument("--ticks", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", default="2", help="numbers of threads, separated by commas")
    args = parser.parse_args()
    numbers = [1, *(int(n) for n in args.threads.split(","))]
    made = net.balanced(args.neurons, args.share)
    synapses = len(made.source)
    module = network(made)
    (op,) = [op for op in module.ops if isinstance(op, NetworkOp)]
    start = perf_counter()
    models = {n: NativeModel(op, threads=n) for n in numbers}
    print(
        f"{args.neurons} neurons, {synapses} synapses, {args.ticks} ticks; prepared in {perf_counter() - start:.1f} s"
    )
    copy = Copy()
    times: dict[int, list[float]] = {n: [] for n in numbers}
    copies: dict[int, list[float]] = {n: [] for n in numbers}
    spikes: list[np.ndarray] = []
    for model in models.values():  # the first run of several threads finds the boundaries of their synapses
        spikes.append(model.run({}, ticks=args.ticks)["output"])
    assert all(np.array_equal(spikes[0], other) for other in spikes[1:])
    for _ in range(args.rounds):
        for n, model in models.items():
            sleep(PAUSE_SECONDS)
            start = perf_counter()
            model.run({}, ticks=args.ticks)
            times[n].append(perf_counter() - start)
            copies[n].append(copy.run(n))
    print(f"{'threads':>7} {'ms a tick':>10} {'gain':>6} {'copy':>6} {'fastest':>10} {'gain':>6} {'copy':>6}")
    for n in numbers:
        cells: list[str] = []
        for name, pick in (("median", median), ("fastest", min)):
            gain, copied = pick(times[1]) / pick(times[n]), pick(copies[1]) / pick(copies[n])
            cells.append(f"{1e3 * pick(times[n]) / args.ticks:10.3f} {gain:6.2f} {copied:6.2f}")
            if n > 1:
                keep_ratio(f"threads: gain of {n}, {name}", gain)
                keep_ratio(f"threads: gain of {n} of a copy, {name}", copied)
        print(f"{n:7} {' '.join(cells)}")


if __name__ == "__main__":
    main()
