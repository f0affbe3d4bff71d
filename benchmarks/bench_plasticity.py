"""A balanced network of 10,000 neurons and 10^6 plastic synapses, one second: nopt's native engine against Brian 2 and NEST.

    python benchmarks/bench_plasticity.py

The network is that of `balanced.py` with an eighth of its synapses. Excitatory weights learn by all pairs of spikes, additively, and stay between 0 and
2 mV. The ratio is that of the processor time of the simulation alone,
on one thread, which the load of a machine changes less than the time of a clock. Missing simulators are skipped with the reason; `make peers` installs them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import balanced as net
from bench_balanced import network
from ratios import keep_ratio
from xdsl.dialects.builtin import ModuleOp, f32

import nopt
from nopt.core.registry import synapses
from nopt.core.synapse.synapse import parse_synapses
from nopt.dialects import ntensor
from nopt.dialects.equations.rules import build_rule
from nopt.targets.c.model import NativeModel

ROOT = Path(__file__).parent.parent
PEERS = ("plasticity_brian2.py", "plasticity_nest.py")
MOST_APART = 0.1
"""Largest relative difference of two rates: simulators differ in the order of events within a tick."""


def learning(module: ModuleOp) -> ntensor.NetworkOp:
    """Returns the network of a module, whose excitatory weights learn."""
    path = synapses()["stdp"]
    rule = parse_synapses(path.read_text(encoding="utf-8"), path.name).named("stdp")
    assert rule is not None  # a shipped file has the rule of its name
    built = build_rule(rule, options={}, precision=f32)
    first = module.body.block.first_op
    assert first is not None  # the update
    module.body.block.insert_op_before(built, first)
    tau = net.TAU_STDP_MS / 1e3
    values = {"a_plus": net.A_PLUS, "a_minus": net.A_MINUS, "tau_plus": tau, "tau_minus": tau}
    values |= {"w_min": 0.0, "w_max": net.MOST_MV}
    for op in module.walk():
        if isinstance(op, ntensor.SparseLinearOp) and op.node.data == "excite":
            op.properties["plasticity"] = ntensor.LearningAttr.of(built.sym_name.data, values, {})
    nopt.verify(module)
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def main() -> None:
    made = net.balanced(share=net.PLASTIC_SHARE)
    model = NativeModel(learning(network(made, net.PLASTIC_MV)), threads=1)
    start, cpu_start = perf_counter(), process_time()
    total = float(model.run({}, ticks=net.TICKS)["output"].sum())
    seconds, cpu_seconds = perf_counter() - start, process_time() - cpu_start
    rate = total / made.neurons / (net.TICKS * net.DT_MS / 1e3)
    rows: list[dict[str, float | str]] = [
        {"peer": "nopt, engine native", "seconds": seconds, "cpu_seconds": cpu_seconds, "rate_hz": rate}
    ]
    python = ROOT / ".venv-peers" / "bin" / "python"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.npz"
        made.save(path)
        for script in PEERS:
            if not python.exists():
                print(f"bench_plasticity: {script} is skipped, .venv-peers is not there (make peers)")
                continue
            command = [str(python), str(ROOT / "benchmarks" / "peers" / script), str(path), str(net.TICKS)]
            done = subprocess.run(command, capture_output=True, text=True)
            lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
            if done.returncode or not lines:
                reason = (done.stderr.strip().splitlines() or ["no output"])[-1]
                print(f"bench_plasticity: {script} is skipped, {reason}")
                continue
            rows.append(json.loads(lines[-1]))
    plastic = int((made.source < made.excitatory).sum())
    print(f"\n{made.neurons} neurons, {plastic} plastic synapses, {net.TICKS} ticks of {net.DT_MS} ms, one thread")
    for row in rows:
        ratio = float(row["cpu_seconds"]) / cpu_seconds
        times = f"{row['seconds']:8.3f} s {row['cpu_seconds']:8.3f} s of the processor"
        print(f"{row['peer']:28} {times} {row['rate_hz']:8.2f} Hz  {ratio:6.2f} x")
        if row is not rows[0]:
            keep_ratio(f"plasticity: {row['peer']} / nopt", ratio)
    apart = max(abs(float(row["rate_hz"]) / rate - 1) for row in rows)
    print(f"rates agree within {apart:.2%}")
    if apart > MOST_APART:
        sys.exit(f"the rates are {apart:.1%} apart, so the times cannot be compared")


if __name__ == "__main__":
    main()
