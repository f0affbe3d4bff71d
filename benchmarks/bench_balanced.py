"""A random balanced network of 10,000 neurons and 10^7 synapses, one second: nopt's native engine against Brian 2 and NEST.

python benchmarks/bench_balanced.py [--neurons N] [--ticks N]

All simulators use the same synapses, the same initial membrane potentials and a constant current (`balanced.py`), and run on one thread in the
same run. They report their firing rates, which must agree within 2 % for the times to be comparable. Times are those of the
simulation alone, without building or compiling. Missing simulators are skipped with the reason; `make peers` installs them.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

import balanced as net
import numpy as np
from ratios import keep_ratio
from xdsl.dialects.builtin import DictionaryAttr, FunctionType, ModuleOp, StringAttr, TensorType, f32, i1
from xdsl.ir import Block, Region

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.graph_region import Signature, names
from nopt.core.neuron import neuron
from nopt.dialects import ntensor
from nopt.dialects.equations.build import build_update
from nopt.simulation.update import derive
from nopt.targets.c.instructions.profile import own_profile
from nopt.targets.c.library import includes_constants
from nopt.targets.c.model import CompiledModel
from nopt.targets.c.source import generate

ROOT = Path(__file__).parent.parent
PEERS = ("balanced_brian2.py", "balanced_nest.py")
MOST_APART = 0.02
ROUNDS = 5

BRUNEL = """
neuron brunel
param tau [s], drive, threshold, v_reset, refractory: u16
param a = exp(-dt / tau), c = (1 - a) * drive
state v = 0, rest: u16 = 0
input x
v = a * v + c + x if rest == 0 else v
z = v > threshold
v = v_reset if z else v
rest = refractory if z else max(rest - 1, 0)
emit spike z
"""


def network(made: net.Balanced, weight_mv: float = net.J_MV) -> ModuleOp:
    """Returns the network as `ntensor`: spikes are delayed, then excitation and inhibition are added."""
    (rule,) = neuron.parse_neurons(BRUNEL, "brunel").neurons
    update = build_update(rule, options={}, precision=f32)
    raw = {
        "tau": net.TAU_MS / 1e3,
        "drive": net.DRIVE_MV,
        "threshold": net.THRESHOLD_MV,
        "v_reset": net.RESET_MV,
        "refractory": round(net.REFRACTORY_MS / net.DT_MS),
    }
    derived = derive(update, net.DT_MS / 1e3, {name: np.asarray(value, float) for name, value in raw.items()})
    params = {
        name.data: ArrayAttr.of(
            derived[name.data] if derived[name.data].dtype.kind == "i" else derived[name.data].astype(np.float32)
        )
        for name in update.params
    }
    n = made.neurons
    values, spikes = TensorType(f32, [n]), TensorType(i1, [n])
    block = Block()
    start = Block(arg_types=[spikes])  # placeholder for the recurrent value
    waits = ntensor.DelayOp.create(
        operands=[start.args[0]],
        result_types=[spikes],
        properties={"node": StringAttr("axon"), "ticks": ArrayAttr.of(np.int64(round(net.DELAY_MS / net.DT_MS)))},
    )
    halves: list[ntensor.SparseLinearOp] = []
    is_excitatory = made.source < made.excitatory
    for name, weight, chosen in (("excite", weight_mv, is_excitatory), ("inhibit", -net.G * weight_mv, ~is_excitatory)):
        properties = {
            "node": StringAttr(name),
            "weight": ArrayAttr.of(np.full(int(chosen.sum()), weight, np.float32)),
            "source": ArrayAttr.of(made.source[chosen]),
            "target": ArrayAttr.of(made.target[chosen]),
        }
        halves.append(
            ntensor.SparseLinearOp.create(operands=[waits.results[0]], result_types=[values], properties=properties)
        )
    total = ntensor.SumOp.create(operands=[half.results[0] for half in halves], result_types=[values])
    initial = {"v": ArrayAttr.of(made.v.astype(np.float32)), "rest": ArrayAttr.of(np.int64(0))}
    cells = ntensor.NeuronOp(
        "cells",
        "brunel.f32",
        [total.results[0]],
        spikes,
        params=DictionaryAttr(params),
        initial=DictionaryAttr(initial),
    )
    waits.operands[0] = cells.z
    block.add_ops([*halves, total, cells, waits, ntensor.OutputOp(cells.z)])
    signature = Signature(names(()), names(["output"]), FunctionType.from_lists([], [spikes]))
    return ModuleOp([update, ntensor.NetworkOp("balanced", signature, round(net.DT_MS * 1e6), Region(block))])


def compare_bitmaps(module: ModuleOp, ticks: int) -> None:
    """Prints the time of the engine with rows of bitmaps, as it chooses for this network, and with the indices of targets, alternately on one thread."""
    (op,) = [op for op in module.ops if isinstance(op, ntensor.NetworkOp)]
    models: dict[str, CompiledModel] = {}
    for name, has_bitmaps in (("indices", False), ("bitmaps", True)):
        preferences = {"profile": own_profile().name, "bitmaps": has_bitmaps}
        source = generate(op, preferences=preferences, has_constants=not includes_constants())
        models[name] = CompiledModel(op, lambda _, source=source: source, threads=1)
    times: dict[str, list[float]] = {name: [] for name in models}
    events: list[np.ndarray] = []
    for _ in range(ROUNDS):
        for name, model in models.items():
            start = process_time()
            events.append(model.run({}, ticks=ticks)["output"])
            times[name].append(process_time() - start)
    assert all(np.array_equal(events[0], other) for other in events[1:])
    synapses = (
        float(events[0].sum())
        * sum(len(half.weight.values) for half in op.walk() if isinstance(half, ntensor.SparseLinearOp))
        / events[0].shape[-1]
    )
    indices, bitmaps = (median(times[name]) for name in ("indices", "bitmaps"))
    print(
        f"{1e9 * indices / synapses:.2f} ns for each synaptic event with indices of targets, {1e9 * bitmaps / synapses:.2f} ns with bitmaps, neurons included"
    )
    keep_ratio("balanced: indices of targets / bitmaps", indices / bitmaps)


def peak_bytes() -> int:
    """Returns the peak memory of this process, without its compilers."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neurons", type=int, default=10_000)
    parser.add_argument("--ticks", type=int, default=net.TICKS)
    args = parser.parse_args()
    made = net.balanced(args.neurons)
    rows: list[dict[str, float | str]] = []
    module = network(made)
    nopt.verify(module)
    before = peak_bytes()
    result = nopt.execute(module, {}, ticks=args.ticks, engine="native", diagnostics=nopt.Diagnostics())
    added = (peak_bytes() - before) / len(made.source)
    print(
        f"nopt prepares in {result.start_seconds:.2f} s, and adds {added:.0f} bytes for each synapse to its peak memory"
    )
    keep_ratio("balanced: preparation / simulation", result.start_seconds / result.seconds)
    keep_ratio("balanced: bytes of peak memory / synapse", added)
    rate = float(result.total("output")) / made.neurons / (args.ticks * net.DT_MS / 1e3)
    compare_bitmaps(module, args.ticks // 5)
    rows.append({"peer": "nopt, engine native", "seconds": result.seconds, "rate_hz": rate})
    python = ROOT / ".venv-peers" / "bin" / "python"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.npz"
        made.save(path)
        for script in PEERS:
            if not python.exists():
                print(f"bench_balanced: {script} is skipped, .venv-peers is not there (make peers)")
                continue
            command = [str(python), str(ROOT / "benchmarks" / "peers" / script), str(path), str(args.ticks)]
            done = subprocess.run(command, capture_output=True, text=True)
            lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
            if done.returncode or not lines:
                print(f"bench_balanced: {script} is skipped, {(done.stderr.strip().splitlines() or ['no output'])[-1]}")
                continue
            rows.append(json.loads(lines[-1]))
    own = rows[0]
    print(f"\n{made.neurons} neurons, {len(made.source)} synapses, {args.ticks} ticks of {net.DT_MS} ms, one thread")
    for row in rows:
        print(
            f"{row['peer']:28} {row['seconds']:8.3f} s {row['rate_hz']:8.2f} Hz  {float(row['seconds']) / float(own['seconds']):6.2f} x"
        )
        if row is not own:
            keep_ratio(f"balanced: {row['peer']} / nopt", float(row["seconds"]) / float(own["seconds"]))
    apart = max(abs(float(row["rate_hz"]) / rate - 1) for row in rows)
    print(f"rates agree within {apart:.2%}")
    if apart > MOST_APART:
        sys.exit(f"the rates are {apart:.1%} apart, so the times cannot be compared")


if __name__ == "__main__":
    main()
