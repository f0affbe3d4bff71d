"""From `ntensor` to routed `machine` IR: populations of N neurons in a circle, each with 50 synapses from itself and 50 from its predecessor.

python benchmarks/bench_mapping.py [--neurons N] [--device-neurons M] [--moves K] [--populations P] [--multicast neuron]

N is the number of neurons of one population; by default 100,000, which makes 10^8 synapses. One population has 100 synapses for each neuron, all from itself. The
synapses are rules, generated once for each slice; cores hold 4,096 neurons by default, on a mesh of 16 x 16. A vertex multicasts to the union of its
neurons' targets, or with `--multicast neuron` each neuron to its own; `--moves -1` leaves their number to the pass. Each step runs once, in one process; times are elapsed seconds, memory is the peak of the process. The counts do not depend
on the machine: ops, trials of annealing, links of all trees.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from mapping.square import FIRE, mesh_device

import nopt.api as nopt

POPULATIONS = 10
FAN_IN = 50
SIDE = 16
MOST_SECONDS, MOST_BYTES = 300, 4 * 2**30
"""Limits at the full size."""


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
    for step in (
        f'ntensor-plan-cores{{device="{path}"}}',
        f"convert-ntensor-to-machine{{multicast={multicast}}}",
        "machine-place-vertices" + (f"{{moves={moves}}}" if moves >= 0 else ""),
        "machine-route-edges",
    ):
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--neurons", type=int, default=100_000)
    parser.add_argument("--device-neurons", type=int, default=4096)
    parser.add_argument("--moves", type=int, default=20_000)
    parser.add_argument("--populations", type=int, default=POPULATIONS)
    parser.add_argument("--multicast", choices=("vertex", "neuron"), default="vertex")
    given = parser.parse_args()
    sizes = (given.neurons, given.device_neurons, given.moves)
    with tempfile.TemporaryDirectory() as folder:
        seconds, count, text = mapped(*sizes, Path(folder), given.populations, given.multicast)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
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
