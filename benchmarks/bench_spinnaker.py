"""From `ntensor` to routing tables of SpiNNaker: 80,000 excitatory and 20,000 inhibitory neurons with 1,000 random synapses each.

python benchmarks/bench_spinnaker.py [--neurons N] [--fan-in K] [--core-neurons M]      default: 100000, 1000 and 256, on 24 boards

The synapses are rules, generated once for each slice; their weights are reals, so the device is `spinnaker/boards24` with real weights and without its
neurons. Any two slices are connected, and each router gets an entry for each slice whose spikes pass it. The verifier sends the keys of all
slices through all tables. Each step runs once, in one process; times are elapsed seconds and those of the processor, memory is the peak of the
process. The counts do not depend on the machine: links of all trees, entries of tables.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import nopt.api as nopt
from nopt.core.device.named_device import resolve_device

ROOT = Path(__file__).parent.parent
BASE = ROOT / "targets" / "spinnaker" / "devices" / "boards24"
EXCITATORY = 0.8
NEURONS, FAN_IN = 100_000, 1000
MOST_SECONDS, MOST_BYTES = 300, 4 * 2**30
"""Limits at the full size; the seconds are those of the processor, as other processes may run."""

RULE = """
ntensor.update @fire <spike> inputs ["excitatory", "inhibitory"] step {
^bb0(%x: f32, %y: f32):
  %z = arith.cmpf ogt, %x, %y : f32
  ntensor.emit %z : i1
}
"""


def network(neurons: int, fan_in: int) -> str:
    """Returns the network as text. Each population reads both, a tick later."""
    excitatory = round(EXCITATORY * neurons)
    sizes = {"excitatory": excitatory, "inhibitory": neurons - excitatory}
    own = round(EXCITATORY * fan_in)
    counts = {"excitatory": own, "inhibitory": fan_in - own}

    def lines() -> Iterator[str]:
        yield f'ntensor.network @balanced() -> ("out": tensor<{excitatory}xi1>) attributes {{tick_ns = 1000000 : i64}} {{'
        for name, size in sizes.items():
            ticks = "{ticks = #nopt.array<1 : tensor<i64>>}"
            yield f'%d_{name} = ntensor.delay "axon_{name}" %z_{name} {ticks} : tensor<{size}xi1>'
        for seed, (name, size) in enumerate(sizes.items()):
            for k, (source, others) in enumerate(sizes.items()):
                shape = f"{size}x{counts[source]}"
                weight = f"#nopt.array<constant(value = 0.02) : tensor<{shape}xf32>>"
                rule = f"integers(low = 0, high = {others}, seed = {2 * seed + k})"
                arrays = f"{{weight = {weight}, source = #nopt.array<{rule} : tensor<{shape}xi32>>}}"
                types = f"tensor<{others}xi1> -> tensor<{size}xf32>"
                yield f'%{source}_{name} = ntensor.fan_in_linear "{source}_{name}" %d_{source} {arrays} : {types}'
            values = f"tensor<{size}xf32>"
            given = f"@fire(%excitatory_{name}, %inhibitory_{name}) {{params = {{}}, initial = {{}}}}"
            yield f'%z_{name} = ntensor.neuron "{name}" {given} : ({values}, {values}) -> tensor<{size}xi1>'
        yield f"ntensor.output %z_excitatory : tensor<{excitatory}xi1>"
        yield "}"

    return RULE + "\n".join(lines())


def device() -> dict[str, Any]:
    """Returns the machine with real weights, and without neurons."""
    bits = {"value": 32, "unit": "bit", "source": "spynnaker", "confidence": "assumed"}
    return {
        "schema": "nopt.device/1",
        "target": "spinnaker",
        "name": "reals",
        "extends": str(BASE),
        "summary": "24 boards, with real weights",
        "neuron": None,
        "synapse": {"dtypes": ["f32"], "bits": bits, "formats": {"row": {"dtype": "f32"}}},
    }


def mapped(
    neurons: int, fan_in: int, core_neurons: int, folder: Path
) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """Returns elapsed and processor seconds by step, and the counts."""
    path = folder / "reals.json"
    path.write_text(json.dumps(device()), encoding="utf-8")
    module = nopt.parse(network(neurons, fan_in))
    seconds: dict[str, tuple[float, float]] = {}
    for step in (
        f'ntensor-plan-cores{{device="{path}" set="core.neurons={core_neurons}"}}',
        "convert-ntensor-to-machine",
        "machine-place-vertices",
        "machine-route-edges",
        "machine-make-tables",
    ):
        start = perf_counter(), process_time()
        nopt.apply(module, step)
        seconds[step.partition("{")[0]] = perf_counter() - start[0], process_time() - start[1]
    graph = next(op for op in module.ops if op.name == "machine.graph")
    count: dict[str, float] = {}
    for op in graph.walk():
        count[op.name] = count.get(op.name, 0) + 1
    for name in ("machine.placed", "machine.routed", "machine.tabled"):
        count |= {f"{name}.{key}": entry.value.data for key, entry in graph.attributes[name].data.items()}
    return seconds, count


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--neurons", type=int, default=NEURONS)
    parser.add_argument("--fan-in", type=int, default=FAN_IN)
    parser.add_argument("--core-neurons", type=int, default=256)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds, count = mapped(given.neurons, given.fan_in, given.core_neurons, Path(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    synapses = given.neurons * given.fan_in
    print(f"{synapses:,} synapses, {count['machine.vertex']:,} vertices, {count['machine.edge']:,} edges")
    for step, (took, busy) in seconds.items():
        print(f"  {step:28} {took:8.2f} s elapsed {busy:8.2f} s of the processor")
    all_seconds, busy = (sum(column) for column in zip(*seconds.values(), strict=True))
    print(f"  {'all':28} {all_seconds:8.2f} s elapsed {busy:8.2f} s of the processor, at most {peak / 2**30:.2f} GiB")
    for name in ("machine.placed.cost", "machine.placed.bound", "machine.routed.links"):
        print(f"  {name:28} {count[name]:,.0f}")
    entries, largest = count["machine.tabled.original"], int(count["machine.tabled.most"])
    most = resolve_device("spinnaker/boards24").integer("topology.routers.entries") or 0
    print(
        f"  {count['machine.table']:,} tables: {entries:,} entries before compression, {count['machine.tabled.entries']:,} after it"
    )
    print(f"  largest table                {largest} of {most} entries")
    print(
        f"ratio to the limits: {busy / MOST_SECONDS:.2f} of {MOST_SECONDS} s of the processor, {peak / MOST_BYTES:.2f} of {MOST_BYTES / 2**30:g} GiB"
    )
    is_full = synapses <= NEURONS * FAN_IN
    return int(largest > most or (is_full and (busy > MOST_SECONDS or peak > MOST_BYTES)))


if __name__ == "__main__":
    sys.exit(main())
