"""From `ntensor` to routed `machine` IR: populations of N neurons in a circle, each with 50 synapses from itself and 50 from its predecessor.

python benchmarks/bench_mapping.py [--neurons N] [--device-neurons M] [--moves K] [--populations P] [--multicast neuron]
python benchmarks/bench_mapping.py --sizes 10000 100000 1000000

N is the number of neurons of one population; by default 100,000, which makes 10^8 synapses. One population has 100 synapses for each neuron, all from itself. The
synapses are rules, generated once for each slice; cores hold 4,096 neurons by default, on a mesh of 16 x 16. A vertex multicasts to the union of its
neurons' targets, or with `--multicast neuron` each neuron to its own; `--moves -1` leaves their number to the pass. Each step runs once, in one process; times are elapsed seconds, memory is the peak of the process. The counts do not depend
on the machine: ops, trials of annealing, links of all trees.

With `--sizes`, one population of each size is mapped in a process of its own, each neuron with its own targets, to as many cores at each size. The table has processor
seconds and memory, and their growth from size to size, of time relative to n log n. The result is 1 if time grows faster or the last size takes more than 6 GB.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, log
from pathlib import Path
from time import perf_counter, process_time

from mapping.square import FIRE, mesh_device

import nopt.api as nopt

POPULATIONS = 10
FAN_IN = 50
SIDE = 16
MOST_SECONDS, MOST_BYTES = 300, 4 * 2**30
"""Limits at the full size."""
CORES, MOST_SIZE_BYTES = 245, 6 * 10**9
"""Cores that hold a population of each size, and the limit of the largest."""


def network(neurons: int, populations: int = POPULATIONS) -> str:
    """Returns the network as text. Each population reads its own spikes and those of its predecessor, a tick later."""
    spikes, values = f"tensor<{neurons}xi1>", f"tensor<{neurons}xf32>"
    weight = f"#nopt.array<constant(value = 0.02) : tensor<{neurons}x{FAN_IN}xf32>>"

    def lines() -> Iterator[str]:
        yield f'ntensor.network @circle() -> ("out": {spikes}) attributes {{tick_ns = 1000000 : i64}} {{'
        for p in range(populations):
            yield f'%d{p} = ntensor.delay "axon{p}" %z{p} {{ticks = #nopt.array<1 : tensor<i64>>}} : {spikes}'
        for p in range(populations):
            for name, of, seed in (("own", p, 2 * p), ("before", (p - 1) % populations, 2 * p + 1)):
                rule = f"integers(low = 0, high = {neurons}, seed = {seed})"
                source = f"#nopt.array<{rule} : tensor<{neurons}x{FAN_IN}xi32>>"
                arrays = f"{{weight = {weight}, source = {source}}}"
                yield f'%{name}{p} = ntensor.fan_in_linear "{name}{p}" %d{of} {arrays} : {spikes} -> {values}'
            yield f"%s{p} = ntensor.sum %own{p}, %before{p} : ({values}, {values}) -> {values}"
            yield f'%z{p} = ntensor.neuron "pop{p}" @fire(%s{p}) {{params = {{}}, initial = {{}}}} : ({values}) -> {spikes}'
        yield f"ntensor.output %z0 : {spikes}"
        yield "}"

    return FIRE + "\n".join(lines())


def steps_of(device: Path, moves: int, multicast: str) -> list[str]:
    """Returns the passes of a mapping."""
    return [
        f'ntensor-plan-cores{{device="{device}"}}',
        f"convert-ntensor-to-machine{{multicast={multicast}}}",
        "machine-place-vertices" + (f"{{moves={moves}}}" if moves >= 0 else ""),
        "machine-route-edges",
    ]


def mapped(
    neurons: int,
    device_neurons: int,
    moves: int,
    folder: Path,
    populations: int = POPULATIONS,
    multicast: str = "vertex",
) -> tuple[dict[str, float], dict[str, float], str]:
    """Returns seconds by step, the counts, and the routed graph as text."""
    path = folder / "wide.json"
    path.write_text(json.dumps(mesh_device(SIDE, device_neurons)), encoding="utf-8")
    module = nopt.parse(network(neurons, populations))
    seconds: dict[str, float] = {}
    for step in steps_of(path, moves, multicast):
        start = perf_counter()
        nopt.apply(module, step)
        seconds[step.partition("{")[0]] = perf_counter() - start
    start = perf_counter()
    text = nopt.write(module)
    seconds["print"] = perf_counter() - start
    graph = next(op for op in module.ops if op.name == "machine.graph")
    count: dict[str, float] = {}
    for op in graph.walk():
        count[op.name] = count.get(op.name, 0) + 1
    for name in ("machine.placed", "machine.routed"):
        count |= {f"{name}.{key}": entry.value.data for key, entry in graph.attributes[name].data.items()}
    return seconds, count, text


def peak_bytes() -> int:
    """Returns the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure_size(neurons: int, folder: Path) -> dict[str, float]:
    """Returns the processor seconds of each step, without the text, and the peak memory."""
    path = folder / "wide.json"
    path.write_text(json.dumps(mesh_device(SIDE, ceil(neurons / CORES))), encoding="utf-8")
    module, found = nopt.parse(network(neurons, 1)), dict[str, float]()
    for step in steps_of(path, -1, "neuron"):
        start = process_time()
        nopt.apply(module, step)
        found[step.partition("{")[0]] = process_time() - start
    return {**found, "all": sum(found.values()), "bytes": peak_bytes()}


def print_growth(sizes: Sequence[int]) -> int:
    """Maps populations of some sizes, each in its own process; returns 1 if time or memory exceed their limits."""
    found = dict[int, dict[str, float]]()
    for neurons in sizes:
        done = subprocess.run([sys.executable, __file__, "--measure", str(neurons)], check=True, capture_output=True)
        found[neurons] = json.loads(done.stdout)
        names = [name for name in found[neurons] if name != "bytes"]
        if len(found) == 1:
            print(f"| neurons | synapses | {' | '.join(names)} | GiB |", "| --: " * (len(names) + 3) + "|", sep="\n")
        seconds = " | ".join(f"{found[neurons][name]:.1f}" for name in names)
        print(
            f"| {neurons:,} | {neurons * 2 * FAN_IN:,} | {seconds} | {found[neurons]['bytes'] / 2**30:.2f} |",
            flush=True,
        )
    is_slow = False
    for few, many in pairwise(sizes):
        time, memory = (found[many][key] / found[few][key] for key in ("all", "bytes"))
        growth = many * log(many) / (few * log(few))
        is_slow |= time > growth
        print(
            f"{few:,} to {many:,}: {time:.2f} times the time, {time / growth:.2f} of n log n; {memory:.2f} times the memory"
        )
    return int(is_slow or found[sizes[-1]]["bytes"] > MOST_SIZE_BYTES)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--neurons", type=int, default=100_000)
    parser.add_argument("--device-neurons", type=int, default=4096)
    parser.add_argument("--moves", type=int, default=20_000)
    parser.add_argument("--populations", type=int, default=POPULATIONS)
    parser.add_argument("--multicast", choices=("vertex", "neuron"), default="vertex")
    parser.add_argument("--sizes", type=int, nargs="+", default=())
    parser.add_argument("--measure", type=int, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.sizes:
        return print_growth(sorted(given.sizes))
    if given.measure is not None:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure_size(given.measure, Path(folder))))
        return 0
    sizes = (given.neurons, given.device_neurons, given.moves)
    with tempfile.TemporaryDirectory() as folder:
        seconds, count, text = mapped(*sizes, Path(folder), given.populations, given.multicast)
    peak = peak_bytes()
    print(
        f"{given.populations * given.neurons * 2 * FAN_IN:,} synapses, {count['machine.vertex']:,} vertices, {count['machine.edge']:,} edges"
    )
    for step, took in seconds.items():
        print(f"  {step:28} {took:8.2f} s")
    print(
        f"  {'all':28} {sum(seconds.values()):8.2f} s, at most {peak / 2**30:.2f} GiB, {len(text) / 2**20:.1f} MiB of text"
    )
    for name in ("machine.placed.cost", "machine.placed.bound", "machine.placed.tried", "machine.routed.links"):
        print(f"  {name:28} {count[name]:,.0f}")
    is_full = given.neurons * given.populations <= 1_000_000 and given.multicast == "vertex"
    return int(is_full and (sum(seconds.values()) > MOST_SECONDS or peak > MOST_BYTES))


if __name__ == "__main__":
    sys.exit(main())
