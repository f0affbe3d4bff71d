"""Networks that fit according to `check` differ from the float network only by the recorded approximations: generated networks for every preset, family, reset and device.

    python tests/property/passes/legalize/legalised.py --networks 200

Presets, families, reset rules and devices are those of the registry. A network that fits is legalised, and

1. the passes of its records, and those that quantise exactly, applied to the float network, produce the same spikes, after the recorded latency;
2. without any one of them the spikes, the states or the parameters differ, or the next pass refuses;
3. if all numbers are exact and the rule is the same, without a leak, the spikes are those of the float network, bit for bit.

A network that does not fit has a finding with a help line. If the help line uses `approximate`, it must work.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from functools import cache
from itertools import pairwise, product
from typing import Any

import nir
import numpy as np
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import ModuleOp, StringAttr

import nopt.api as nopt
from nopt.analysis.latency import latencies, output_latencies
from nopt.api.compiling.device_fit import Fit, fit, passes_of_help
from nopt.api.conformance.networks import newest_presets
from nopt.core import registry
from nopt.core.device.device import find_device
from nopt.core.device.device_attr import DEVICE
from nopt.core.diagnostics import Diagnostics, Refused, Severity
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects import ntensor
from nopt.passes.legalize._legalization import LEGALIZED_STEPS
from nopt.passes.legalize.updates._canonical_parameters import canonical_of

SIZES = (6, 5, 4)
TICKS = 40
FAMILIES = {"if": nir.IF, "lif": nir.LIF, "cuba_lif": nir.CubaLIF}
ALLOWED = re.compile(r"ntensor-legalize\{.*approximate=.*\}")


class Broken(AssertionError):
    """A violated guarantee."""


@cache
def cases() -> list[tuple[str, str, str, str]]:
    """Returns preset, family, reset rule and device with cores, in an order in which consecutive cases differ in all of them."""
    devices = [
        f"{slug}/{name}"
        for slug, known in sorted(registry.devices().items())
        for name in known
        if (device := find_device(slug, name)).topology is not None
        and (device.execution is None or device.execution.granularity != "layer")
    ]
    rules: list[tuple[str, str, str]] = []
    for preset in sorted(newest_presets()):  # another preset for earlier versions changes no case
        path = registry.presets()[preset]
        for neuron in parse_neurons(path.read_text(encoding="utf-8"), str(path)).neurons:
            for family in FAMILIES:
                if neuron.serves(family):
                    rules += [(preset, family, reset) for reset in neuron.options.get("reset", ())]
    found = [(*rule, device) for rule, device in product(dict.fromkeys(rules), devices)]
    return [found[k] for k in np.random.default_rng(0).permutation(len(found))]


def network(seed: int) -> tuple[ModuleOp, np.ndarray, str, tuple[str, str, str, str]]:
    """Returns the float network of a seed in ticks, its input, its device, and the random choices."""
    preset, family, reset, device = cases()[seed % len(cases())]
    rng = np.random.default_rng(seed)
    found = find_device(*device.split("/"))
    steps = 2 ** ((found.integer("quantization.weight_bits") or 8) - 1)
    is_exact = rng.random() < 0.5

    def weights(rows: int, columns: int) -> np.ndarray:
        w = (
            rng.integers(1 - steps, steps, (rows, columns)) / steps
            if is_exact
            else rng.normal(0.2, 0.5, (rows, columns))
        )
        w[:, 0] = (steps - 1) / steps  # each row has the whole range, so its scale is a power of two
        return w.astype(np.float64)

    v_reset, v_leak = (value if rng.random() < 0.3 else 0.0 for value in (-0.25, 0.25))
    taus = {"lif": ("tau",), "cuba_lif": ("tau_syn", "tau_mem")}.get(family, ())
    times = {name: rng.uniform(2e-3, 8e-3) for name in taus}

    def population(n: int, r: float) -> Any:
        values = {
            "r": np.full(n, r),
            "v_threshold": np.ones(n) if is_exact else rng.uniform(0.5, 1.5, n),
            "v_reset": np.full(n, v_reset),
        }
        values |= {name: np.full(n, tau) for name, tau in times.items()}
        if family != "if":
            values["v_leak"] = np.full(n, v_leak)
        if family == "cuba_lif":
            values["w_in"] = np.ones(n)
        return FAMILIES[family](**values)

    a, b, c = SIZES
    fc1, fc2, state = weights(b, a), weights(c, b), rng.bit_generator.state

    def discretised(r: float) -> ModuleOp:
        rng.bit_generator.state = state
        nodes = {
            "in": nir.Input({"input": np.array([a])}),
            "fc1": nir.Linear(weight=fc1),
            "pop1": population(b, r),
            "fc2": nir.Linear(weight=fc2),
            "pop2": population(c, r),
            "out": nir.Output({"output": np.array([c])}),
        }
        graph = nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes)), type_check=False)
        convert = f"convert-nir-to-ntensor{{dt-ns=1000000 like={preset} reset={reset}}}"
        module = nopt.from_nir(graph, diagnostics=Diagnostics())
        return nopt.apply(module, f"{convert},ntensor-quantize-inputs{{kind=spike}}", diagnostics=Diagnostics())

    # an input of 1 adds 1 to v under every rule
    first = next(op for op in discretised(1.0).walk() if isinstance(op, ntensor.NeuronOp))
    canonical = canonical_of(first)
    module = discretised(float(1 / (canonical["gain"] * canonical["gain_i"]).max()))
    return module, rng.random((TICKS, a)) < 0.4, device, (preset, family, reset, device)


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def records(module: ModuleOp) -> list[ntensor.ApproximationAttr]:
    return list(network_of(module).approximations or ())


def outputs(module: ModuleOp, x: np.ndarray) -> np.ndarray:
    """Returns the outputs without their latency."""
    late = max(output_latencies(network_of(module)).values(), default=0)
    longer = np.concatenate([x, np.zeros((late, *x.shape[1:]), x.dtype)])
    (found,) = nopt.run(module, longer, engine="numpy", diagnostics=Diagnostics()).values()
    return found[late : late + len(x)].astype(np.float64)


def states(module: ModuleOp, x: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the states of populations without their latency: the state of a population that is ahead of its input differs where no spike does."""
    network = network_of(module)
    late = latencies(network)
    names = {
        f"{op.node.data}.{state}": late.get(op.node.data, 0) for op in network.populations for state in op.initial.data
    }
    longer = np.concatenate([x, np.zeros((max(late.values(), default=0), *x.shape[1:]), x.dtype)])
    found = nopt.run(module, longer, record=[*names], engine="numpy", diagnostics=Diagnostics())
    return {name: found[name][lag : lag + len(x)] for name, lag in names.items()}


def have_equal_states(one: ModuleOp, other: ModuleOp, x: np.ndarray) -> bool:
    a, b = states(one, x), states(other, x)
    return a.keys() == b.keys() and all(np.array_equal(values, b[name], equal_nan=True) for name, values in a.items())


def numbers(module: ModuleOp) -> dict[str, Any]:
    """Returns weights, parameters and initial states by node, and the types of the inputs."""
    found: dict[str, Any] = {"": str(network_of(module).function_type.inputs)}
    for op in network_of(module).body.block.ops:
        name = op.properties.get("node")
        if isinstance(name, StringAttr) and not name.data.count("."):
            found[name.data] = [str(op.properties.get(part)) for part in ("weight", "params", "initial", "update")]
    return found


def legalised(module: ModuleOp, device: str) -> tuple[Fit, ModuleOp | None]:
    found = fit(module.clone(), find_device(*device.split("/")))
    return found, found.network


def examine(seed: int) -> str:
    """Returns the outcome of a network. Raises `Broken`."""
    module, x, device, drawn = network(seed)
    found, legal = legalised(module, device)
    how = "fits"
    if not found.is_fitting:
        errors = [one for one in found.findings if one.severity is Severity.ERROR]
        if not errors or not all(one.help for one in errors):
            raise Broken(f"{drawn}: an error without help")
        texts = (text for one in errors for text in passes_of_help(one))
        allowed = next((text for text in texts if ALLOWED.fullmatch(text)), None)
        if allowed is None:
            return f"refused {errors[0].code}"
        try:
            legal = nopt.apply(module.clone(), allowed, diagnostics=Diagnostics())
        except Refused as refusal:
            if any(str(one.code) == "LEG020" for one in refusal.findings):
                raise Broken(f"{drawn}: the help is refused: {refusal}") from None
            return f"refused {refusal.findings[0].code}"
        if not any(" differs (" in one.what.data for one in records(legal)):
            raise Broken(f"{drawn}: allowed, and not on record")
        how = "fits with approximate"
    assert legal is not None
    verify(module, legal, x, drawn)
    return how


def verify(module: ModuleOp, legal: ModuleOp, x: np.ndarray, drawn: tuple[str, ...]) -> None:
    wanted = outputs(legal, x)
    new = records(legal)[len(records(module)) :]
    recorded = [one.step.data for one in new]
    ran = [one.data for one in network_of(legal).attributes.get(LEGALIZED_STEPS, ListAttr([]))]
    if missing := [step for step in recorded if step not in ran]:
        raise Broken(f"{drawn}: {missing} on record did not run")
    # numbers that are already on a grid are exact and not recorded; integers require this
    steps = [step for step in ran if step in recorded or step.startswith(("ntensor-quantize", "ntensor-plan-cores"))]
    named = module.clone()  # the fit of axon types follows the plan for the cores of the device
    if (device := network_of(legal).attributes.get(DEVICE)) is not None:
        network_of(named).attributes[DEVICE] = device
    again = nopt.apply(named.clone(), ",".join(steps), diagnostics=Diagnostics()) if steps else module
    if not (outputs(again, x) == wanted).all():  # 1
        raise Broken(f"{drawn}: {','.join(steps)} on the float network produces other spikes")
    for left in recorded:  # 2
        rest = [step for step in steps if step != left]
        try:
            other = nopt.apply(named.clone(), ",".join(rest), diagnostics=Diagnostics()) if rest else module
        except Refused:
            continue
        is_same = numbers(other) == numbers(again) and (outputs(other, x) == wanted).all()
        if is_same and not (left.startswith("ntensor-retime") and not have_equal_states(other, again, x)):
            raise Broken(f"{drawn}: {left} is on record and does nothing")
    texts = [one.what.data for one in new]
    is_exact = all(getattr(getattr(one.largest, "value", None), "data", 0.0) == 0 for one in new)
    is_same = not any(" differs " in text for text in texts)
    if drawn[1] == "if" and is_exact and is_same and not (outputs(module, x) == wanted).all():  # 3
        raise Broken(f"{drawn}: nothing differs on record, and the spikes do")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1000, help="of the first network")
    args = parser.parse_args()
    ended, broken = Counter[str](), 0
    for seed in range(args.seed, args.seed + args.networks):
        try:
            ended[examine(seed)] += 1
        except Broken as found:
            broken += 1
            print(f"seed {seed}: {found}", flush=True)
    counts = ", ".join(f"{count} {how}" for how, count in sorted(ended.items()))
    print(f"legalised: {args.networks} networks: {counts}; {broken} broken")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
