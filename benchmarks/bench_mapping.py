"""From `ntensor` to routed `machine` IR: 10 populations of N neurons in a circle, each with 50 synapses from itself and 50 from its predecessor.

python benchmarks/bench_mapping.py [--neurons N] [--device-neurons M] [--moves K]      N of one population; default 100000: 10^8 synapses

The synapses are rules, generated once for each slice; cores hold 4,096 neurons by default, on a mesh of 16 x 16, and a vertex multicasts to the union of
its neurons' targets. Each step runs once, in one process; times are elapsed seconds, memory is the peak of the process. The counts do not depend
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
from typing import Any

import nopt.api as nopt

POPULATIONS = 10
FAN_IN = 50
SIDE = 16
MOST_SECONDS, MOST_BYTES = 300, 4 * 2**30
"""Limits at the full size."""

RULE = """
ntensor.update @fire <spike> inputs ["x"] step {
^bb0(%x: f32):
  %0 = arith.constant 0.5 : f32
  %z = arith.cmpf ogt, %x, %0 : f32
  ntensor.emit %z : i1
}
"""


def network(neurons: int) -> str:
    """Returns the network as text. Each population reads its own spikes and those of its predecessor, a tick later."""
    spikes, values = f"tensor<{neurons}xi1>", f"tensor<{neurons}xf32>"
    weight = f"#nopt.array<constant(value = 0.02) : tensor<{neurons}x{FAN_IN}xf32>>"

    def lines() -> Iterator[str]:
        yield f'ntensor.network @circle() -> ("out": {spikes}) attributes {{tick_ns = 1000000 : i64}} {{'
        for p in range(POPULATIONS):
            yield f'%d{p} = ntensor.delay "axon{p}" %z{p} {{ticks = #nopt.array<1 : tensor<i64>>}} : {spikes}'
        for p in range(POPULATIONS):
            for name, of, seed in (("own", p, 2 * p), ("before", (p - 1) % POPULATIONS, 2 * p + 1)):
                rule = f"integers(low = 0, high = {neurons}, seed = {seed})"
                source = f"#nopt.array<{rule} : tensor<{neurons}x{FAN_IN}xi32>>"
                arrays = f"{{weight = {weight}, source = {source}}}"
                yield f'%{name}{p} = ntensor.fan_in_linear "{name}{p}" %d{of} {arrays} : {spikes} -> {values}'
            yield f"%s{p} = ntensor.sum %own{p}, %before{p} : ({values}, {values}) -> {values}"
            yield f'%z{p} = ntensor.neuron "pop{p}" @fire(%s{p}) {{params = {{}}, initial = {{}}}} : ({values}) -> {spikes}'
        yield f"ntensor.output %z0 : {spikes}"
        yield "}"

    return RULE + "\n".join(lines())


def device(neurons: int) -> dict[str, Any]:
    """Returns a mesh of cores with this number of neurons, without any other limit."""

    def number(value: int) -> dict[str, Any]:
        return {"value": value, "source": "made", "confidence": "assumed"}

    return {
        "schema": "nopt.device/1",
        "target": "asic",
        "name": "wide",
        "summary": "16 x 16 cores",
        "sources": {"made": "made for this benchmark"},
        "fidelity": {"tier": "exact", "source": "made"},
        "topology": {
            "chips": number(1),
            "cores": number(SIDE * SIDE),
            "mesh": {"width": number(SIDE), "height": number(SIDE)},
        },
        "core": {"neurons": number(neurons)},
    }


def mapped(
    neurons: int, device_neurons: int, moves: int, folder: Path
) -> tuple[dict[str, float], dict[str, float], str]:
    """Returns seconds by step, the counts, and the routed graph as text."""
    path = folder / "wide.json"
    path.write_text(json.dumps(device(device_neurons)), encoding="utf-8")
    module = nopt.parse(network(neurons))
    seconds: dict[str, float] = {}
    for step in (
        f'ntensor-plan-cores{{device="{path}"}}',
        "convert-ntensor-to-machine{multicast=vertex}",
        f"machine-place-vertices{{moves={moves}}}",
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
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds, count, text = mapped(given.neurons, given.device_neurons, given.moves, Path(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"{POPULATIONS * given.neurons * 2 * FAN_IN:,} synapses, {count['machine.vertex']:,} vertices, {count['machine.edge']:,} edges"
    )
    for step, took in seconds.items():
        print(f"  {step:28} {took:8.2f} s")
    print(
        f"  {'all':28} {sum(seconds.values()):8.2f} s, at most {peak / 2**30:.2f} GiB, {len(text) / 2**20:.1f} MiB of text"
    )
    for name in ("machine.placed.cost", "machine.placed.bound", "machine.placed.tried", "machine.routed.links"):
        print(f"  {name:28} {count[name]:,.0f}")
    is_full = given.neurons <= 100_000
    return int(is_full and (sum(seconds.values()) > MOST_SECONDS or peak > MOST_BYTES))


if __name__ == "__main__":
    sys.exit(main())
