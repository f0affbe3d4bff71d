"""The guarantee of every pass that quantises or legalises: unrecorded changes are exact, and recorded errors are not exceeded.

The passes are those of the registry, so new passes are included automatically; each needs an entry in `CASES`.

| result of a pass | requirement |
| --- | --- |
| no new record | outputs, events and states of all populations are the same, to the last bit, after the latency of the network |
| a record with an error | no weight, bias, delay, parameter or initial state has a larger error, array by array |
| a record without one | none |
| any record | there is one for each network, it names the pass with its options, and existing nodes |
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from extent import seeds, some
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.rewriter import Rewriter

import nopt.api as nopt
from nopt.analysis.latency import latency_of, output_latencies
from nopt.core import registry
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir.graph_region import are_equivalent
from nopt.core.ir.operation import element_type, shape_of
from nopt.core.ir.source import check_module
from nopt.dialects import ntensor
from nopt.dialects.nir.synapses import StdpAttr

FOLDERS = ("passes.quantize.", "passes.legalize.")
FRAMES = {
    "ntensor-encode-rates",
    "ntensor-quantize-counts",
    "ntensor-lower-pools",
    "ntensor-unroll-ticks",
    "ntensor-chain-layers",
    "ntensor-form-layers",
    "ntensor-relay-max-pools",
}
"""Passes of counts of frames: `legalize/test_layer_rates.py`, `legalize/test_unroll_ticks.py`, `legalize/test_fitted_responses.py`, `legalize/test_pool_layers.py`, `legalize/test_form_layers.py`."""
FITTED_RATES = {"ntensor-fit-rates", "ntensor-replace-reset", "ntensor-balance-thresholds"}
"""Passes whose errors are those of rates: `legalize/test_fit_rates.py`, `legalize/test_replace_reset.py`, `legalize/test_balanced_networks.py`."""
PASSES = [
    name
    for name, (module, *_) in registry.pass_modules().items()
    if module.removeprefix("nopt.").startswith(FOLDERS) and name not in FRAMES | FITTED_RATES
]

WEIGHTS = "ntensor-quantize-weights{bits=5 per=row scale=power-of-two}"
PLAN = 'ntensor-plan-cores{device="asic/mesh" set="core.neurons=2"}'
INTEGERS = (
    'ntensor-calibrate{data="DATA"},ntensor-quantize-inputs,ntensor-quantize-weights{bits=5 per=neuron},'
    "ntensor-quantize-bias,ntensor-set-neuron-model{to=int16}"
)
CASES: dict[str, list[tuple[str, str]]] = {
    "ntensor-calibrate": [("", 'data="DATA"')],
    "ntensor-check-device": [("", 'device="asic/multi" set="tick.max=1s"')],
    "ntensor-quantize-weights": [
        ("", "bits=4"),
        ("", "bits=8 per=row"),
        ("", "bits=3 per=column clip=90"),
        ("", "bits=6 per=neuron scale=power-of-two"),
        ("", "bits=10 per=population scale=power-of-two"),
        ("", "bits=1"),
        ("", "bits=6 per=neuron classes=2"),
        ("", "bits=4 grid=asymmetric"),
        ("", "bits=1 per=row grid=unsigned"),
        ("", "bits=8 per=neuron scale=power-of-two grid=asymmetric"),
        ("ntensor-quantize-weights{bits=6 grid=asymmetric}", "bits=4"),
        (WEIGHTS, "bits=5 per=row scale=power-of-two"),
        ('ntensor-calibrate{data="DATA" keep=8}', "bits=3 per=neuron method=gptq"),
        ('ntensor-calibrate{data="DATA" keep=8}', "bits=2 method=adaround"),
    ],
    "ntensor-fit-weight-masks": [("", ""), ("ntensor-fit-weight-masks", "")],
    "ntensor-quantize-layers": [("", ""), ("", "bits=4 bias-bits=6")],
    "ntensor-cluster-weights": [("", "count=4"), ("", "count=64")],
    "ntensor-prune-weights": [
        ("", ""),
        ("", "share=0.3 per=network"),
        ("ntensor-quantize-weights{bits=4 grid=asymmetric}", "share=0.8"),
        ("ntensor-prune-weights", ""),
    ],
    "ntensor-quantize-receptors": [
        ("", ""),
        ("", "per=neuron"),
        ("", "shift=3 rate=100 sigma=2"),
        ("ntensor-quantize-receptors", ""),
    ],
    "ntensor-quantize-inputs": [("", "kind=spike"), ("", "kind=integer bits=4")],
    "ntensor-quantize-bias": [
        (WEIGHTS, "bits=6"),
        (WEIGHTS, "bits=3"),
        ("", "scale=own bits=5"),
        ("", "scale=own bits=24"),
    ],
    "ntensor-quantize-decay": [("", "bits=6"), ("", "bits=1"), ("", "bits=4 mode=shift"), ("", "bits=24")],
    "ntensor-quantize-threshold": [
        ("ntensor-quantize-weights{bits=5 per=neuron scale=power-of-two}", "bits=10"),
        ('ntensor-calibrate{data="DATA"}', "bits=6"),
        ("", "bits=4 range=given low=-1 high=1"),
    ],
    "ntensor-quantize-state": [
        ("", "bits=20 fraction=14"),
        ("", "bits=6 fraction=5 overflow=wrap rounding=floor"),
        ('ntensor-calibrate{data="DATA"}', "bits=10"),
    ],
    "ntensor-round-reals": [
        ("", ""),
        ("", "to=bf16"),
        ("", "to=bf16 of=states"),
        ('ntensor-calibrate{data="DATA"}', "of=states"),
        ("", "of=values"),
    ],
    "ntensor-clamp-delays": [("", "max-delay=7"), ("", "max-delay=40")],
    "ntensor-hoist-delays": [("", "")],
    "ntensor-relay-delays": [("", "max-delay=7 reorder"), ("", "max-delay=40")],
    "ntensor-split-fan-in": [
        ("", "max-fan-in=4 reorder"),
        ("", "max-fan-in=1000"),
        ("", "max-fan-in=12 code=spikes"),
        ("", "max-fan-in=12 code=spikes join=true"),
    ],
    "ntensor-split-pools": [("ntensor-quantize-inputs{kind=spike}", ""), ("", "load=1")],
    "ntensor-lower-max-pools": [("", ""), ("", "by=sum")],
    "ntensor-move-max-pools": [("", "")],
    "ntensor-fit-axon-types": [
        ("", "types=2"),
        (PLAN, "types=4 copies=2"),
        (INTEGERS, "types=3 axons=48 bits=9"),
        ("ntensor-fit-axon-types{types=2}", "types=2"),
    ],
    "ntensor-linearize-leak": [("", "")],
    "ntensor-replace-leak": [("", "approximate=current,leak")],
    "ntensor-freeze-plasticity": [("", "")],
    "ntensor-replace-biases": [("", "")],
    "ntensor-share-parameters": [("", "max-classes=3"), ("", "max-classes=1000")],
    "ntensor-move-readout-to-host": [("", "")],
    "ntensor-set-probes": [("", "")],
    "ntensor-quantize-plasticity": [
        ("", 'device="loihi2/oheo_gulch"'),
        ("ntensor-quantize-weights", 'device="loihi2/loihi1" set="plasticity.pairs.mantissa_bits=2"'),
        ('ntensor-quantize-plasticity{device="loihi2/loihi1"}', 'device="loihi2/oheo_gulch"'),
    ],
    "ntensor-fit-plasticity": [("", 'device="loihi2/loihi1"')],
    "ntensor-quantize-rules": [
        ("ntensor-quantize-weights{bits=8 per=population}", 'device="c/int8"'),
        ("ntensor-quantize-weights{bits=8 per=population}", 'device="c/int16" rounding=nearest'),
    ],
    "ntensor-widen-sums": [("", "")],
    "ntensor-pad-inputs": [("", ""), ("", "channels=3")],
    "ntensor-split-signs": [(INTEGERS, "")],
    "ntensor-set-neuron-model": [("", "to=norse"), ("", "to=nengo approximate=initial,reset")],
    "ntensor-pin-values": [(INTEGERS, 'values="pop1.th=77,pop2.th=3"')],
    "ntensor-map-relays": [
        ("ntensor-relay-delays{max-delay=7 reorder}", 'device="asic/edge"'),
        ("", 'device="asic/edge"'),
    ],
    "ntensor-retime": [("", "op-ticks=1 allow-early"), ("", "op-ticks=3 stretch-loops allow-early")],
    "ntensor-replicate-fan-out": [(PLAN, "max-fan-out=4"), (PLAN, "max-fan-out=8")],
    "ntensor-split-fan-out": [(PLAN, "max-fan-out=2 allow-early stretch-loops"), (PLAN, "max-fan-out=8")],
    "ntensor-legalize": [("", 'device="asic/multi" keep=weight_bits')],
}
"""For each pass the passes before it, and its options; `DATA` is a file of sample input."""

COMPARED: dict[str, tuple[str, ...]] = {
    "ntensor-set-neuron-model": ("canonical",),
    "ntensor-pin-values": ("params",),
    "ntensor-share-parameters": ("canonical",),
    "ntensor-replace-leak": ("params",),  # v counts from the leak
    "ntensor-retime": ("params",),
    "ntensor-split-fan-out": ("params",),
}
"""Quantities of the errors in a record that are not parameters."""

SILENT = {
    "ntensor-calibrate",
    "ntensor-check-device",
    "ntensor-hoist-delays",
    "ntensor-move-readout-to-host",
    "ntensor-pad-inputs",
    "ntensor-replace-biases",
    "ntensor-set-probes",
    "ntensor-split-signs",
    "ntensor-widen-sums",
}
"""Passes that change no number, and never record anything."""

IDLE = {
    ("ntensor-widen-sums", ""),
    ("ntensor-quantize-weights", WEIGHTS),
    ("ntensor-cluster-weights", "count=64"),
    ("ntensor-prune-weights", "ntensor-prune-weights"),
    ("ntensor-quantize-receptors", "ntensor-quantize-receptors"),
    ("ntensor-fit-weight-masks", "ntensor-fit-weight-masks"),
    ("ntensor-check-device", 'device="asic/multi" set="tick.max=1s"'),
    ("ntensor-fit-axon-types", "ntensor-fit-axon-types{types=2}"),
    ("ntensor-clamp-delays", "max-delay=40"),
    ("ntensor-hoist-delays", ""),
    ("ntensor-relay-delays", "max-delay=40"),
    ("ntensor-lower-max-pools", ""),
    ("ntensor-lower-max-pools", "by=sum"),
    ("ntensor-move-max-pools", ""),
    ("ntensor-move-readout-to-host", ""),
    ("ntensor-set-probes", ""),
    ("ntensor-share-parameters", "max-classes=1000"),
    ("ntensor-split-fan-in", "max-fan-in=1000"),
    ("ntensor-set-neuron-model", "to=norse"),
    ("ntensor-map-relays", ""),
    ("ntensor-quantize-plasticity", 'ntensor-quantize-plasticity{device="loihi2/loihi1"}'),
    ("ntensor-fit-plasticity", 'device="loihi2/loihi1"'),
    ("ntensor-replicate-fan-out", "max-fan-out=8"),
    ("ntensor-split-fan-out", "max-fan-out=8"),
}
"""Cases in which the options or the earlier passes leave nothing to do in any network; all others change something."""

LEARNING = {
    "ntensor-freeze-plasticity",
    "ntensor-fit-plasticity",
    "ntensor-quantize-plasticity",
    "ntensor-quantize-rules",
}
"""Passes whose networks keep their learning rule."""

SEEDS = seeds(8)
FEW = some(SEEDS, 3)
"""Networks of each case; the last one has images."""
IMAGES = range(6, 8)
"""Seeds of networks with image inputs; the others have layers and cycles."""
SIZES = (6, 5, 4)
TICKS = 30


# ---- networks


def numbers(rng: np.random.Generator, shape: tuple[int, ...], is_dyadic: bool) -> np.ndarray:
    return (rng.integers(-8, 9, shape) / 8 if is_dyadic else rng.normal(0, 0.7, shape)).astype(np.float32)


def times(rng: np.random.Generator, n: int | tuple[int, ...], is_dyadic: bool) -> np.ndarray:
    """Returns time constants [s], some of which have decays that few bits represent."""
    return (2.0 ** rng.integers(1, 4, n) if is_dyadic else rng.uniform(1.5, 12, n)).astype(np.float32)


def population(rng: np.random.Generator, n: int | tuple[int, ...], is_dyadic: bool) -> nir.NIRNode:
    def uniform(low: float, high: float) -> np.ndarray:
        return (rng.integers(low * 8, high * 8, n) / 8 if is_dyadic else rng.uniform(low, high, n)).astype(np.float32)

    common = {
        "r": uniform(1, 3),
        "v_leak": uniform(-0.25, 0.5),
        "v_threshold": uniform(0.25, 1),
        "v_reset": np.zeros(n, np.float32),
    }
    match rng.integers(3):
        case 0:
            return nir.LIF(tau=times(rng, n, is_dyadic), **common)
        case 1:
            tau_syn, tau_mem = times(rng, n, is_dyadic), times(rng, n, is_dyadic)
            return nir.CubaLIF(tau_syn=tau_syn, tau_mem=tau_mem, w_in=np.ones(n, np.float32), **common)
        case _:
            return nir.IF(r=common["r"], v_threshold=common["v_threshold"], v_reset=common["v_reset"])


@cache
def network(seed: int) -> ModuleOp:
    """Returns a generated network; every other seed has short binary fractions only. Not to be changed."""
    rng = np.random.default_rng(seed)
    is_dyadic = seed % 2 == 1
    graph = images(rng, is_dyadic) if seed in IMAGES else layers(rng, is_dyadic)
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    precision = ("f64", "f32")[seed // 2 % 2]
    options = f"dt-ns=1000000000 like=norse loop-delay=spikes precision={precision}"
    nopt.apply(module, f"convert-nir-to-ntensor{{{options}}}", diagnostics=Diagnostics())
    if seed not in IMAGES:
        made_sparse(module, rng)
    check_module(module)
    return module


def layers(rng: np.random.Generator, is_dyadic: bool) -> nir.NIRGraph:
    """Returns two populations, a recurrence, delayed spikes."""
    a, b, c = SIZES
    nodes = {
        "in": nir.Input({"input": np.array([a])}),
        "fc1": nir.Affine(weight=numbers(rng, (b, a), is_dyadic), bias=numbers(rng, (b,), is_dyadic)),
        "pop1": population(rng, b, is_dyadic),
        "rec": nir.Linear(weight=numbers(rng, (b, b), is_dyadic) / 2),
        "late": nir.Delay(delay=rng.integers(0, 20, b).astype(np.float32)),
        "fc2": nir.Affine(weight=numbers(rng, (c, b), is_dyadic), bias=numbers(rng, (c,), is_dyadic) / 4),
        "pop2": population(rng, c, is_dyadic),
        "out": nir.Output({"output": np.array([c])}),
    }
    edges = [("in", "fc1"), ("fc1", "pop1"), ("pop1", "rec"), ("rec", "pop1"), ("pop1", "late")]
    edges += [("late", "fc2"), ("fc2", "pop2"), ("pop2", "out")]
    return nir.NIRGraph(nodes=nodes, edges=edges, type_check=False)


def images(rng: np.random.Generator, is_dyadic: bool) -> nir.NIRGraph:
    """Returns a convolution, a pool and a layer; spikes of the first population are delayed."""
    nodes = {
        "in": nir.Input({"input": np.array([2, 4, 4])}),
        "conv": nir.Conv2d(
            input_shape=(4, 4),
            weight=numbers(rng, (3, 2, 3, 3), is_dyadic),
            stride=1,
            padding=1,
            dilation=1,
            groups=1,
            bias=numbers(rng, (3,), is_dyadic),
        ),
        "pop1": population(rng, (3, 4, 4), is_dyadic),
        "late": nir.Delay(delay=rng.integers(0, 20, (3, 4, 4)).astype(np.float32)),
        "pool": nir.SumPool2d(kernel_size=np.array([2, 2]), stride=np.array([2, 2]), padding=np.array([0, 0])),
        "flat": nir.Flatten({"input": np.array([3, 2, 2])}, start_dim=0, end_dim=-1),
        "fc": nir.Affine(weight=numbers(rng, (5, 12), is_dyadic), bias=numbers(rng, (5,), is_dyadic)),
        "pop2": population(rng, 5, is_dyadic),
        "out": nir.Output({"output": np.array([5])}),
    }
    names = list(nodes)
    return nir.NIRGraph(nodes=nodes, edges=list(pairwise(names)), type_check=False)


def made_sparse(module: ModuleOp, rng: np.random.Generator) -> None:
    """Replaces the second layer by single synapses with individual delays, and adds plasticity to the recurrent one."""
    ops = {name_of(op): op for op in module.walk() if isinstance(op, ntensor.LinearOp)}
    ops["rec"].plasticity = StdpAttr.of(0.01, 0.012, 0.02, 0.02, -4.0, 4.0)
    old = ops["fc2"]
    weight = old.weight.values
    target, source = np.nonzero(np.where(rng.random(weight.shape) < 0.8, weight, 0))
    order = np.lexsort((target, source))
    source, target = source[order], target[order]
    new = ntensor.SparseLinearOp.create(
        operands=[old.x],
        result_types=[old.y.type],
        properties={
            **old.properties,
            "weight": ArrayAttr.of(weight[target, source]),
            "source": ArrayAttr.of(source.astype(np.int64)),
            "target": ArrayAttr.of(target.astype(np.int64)),
            "delay": ArrayAttr.of(rng.integers(0, 12, len(source))),
        },
    )
    Rewriter.replace_op(old, new)


def frozen(module: ModuleOp) -> ModuleOp:
    """Returns the network without plasticity, which no model supports yet."""
    other = module.clone()
    for op in other.walk():
        op.properties.pop("plasticity", None)
    return other


def stimulus(seed: int) -> np.ndarray:
    shape = (2, 4, 4) if seed in IMAGES else SIZES[:1]
    return (np.random.default_rng(seed + 100).random((TICKS, *shape)) < 0.4).astype(np.float32)


# ---- compared values


def name_of(op: Any) -> str:
    return str(getattr(op.properties.get("node"), "data", ""))


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def records(module: ModuleOp) -> list[ntensor.ApproximationAttr]:
    return list(network_of(module).approximations or ())


def differs(one: ModuleOp, other: ModuleOp) -> bool:
    """Returns whether two modules differ in more than their records."""
    networks = [network_of(one), network_of(other)]
    kept = [network.approximations for network in networks]
    for network in networks:
        network.approximations = None
    found = not are_equivalent(one, other)
    for network, records in zip(networks, kept, strict=True):
        network.approximations = records
    return found


def numbers_of(module: ModuleOp, kinds: tuple[str, ...] | None) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
    """Yields the numbers of a network, by node and name, in the units of the trained network."""
    for op in network_of(module).body.block.ops:
        node = name_of(op)
        if isinstance(op, ntensor.NeuronOp):
            for kind in kinds or ("params", "initial"):
                entries = getattr(op, kind)
                for name, array in op.arrays(entries) if entries is not None else ():
                    yield (node, f"{kind}.{name}"), array.values.astype(np.float64)
        elif kinds is None:
            for name in ("weight", "scale", "bias", "ticks", "delay"):
                if isinstance(array := op.properties.get(name), ArrayAttr):
                    is_weights = isinstance(op, ntensor.SynapseOpInterface) and name == op.WEIGHTS
                    array = op.weight_values() if is_weights else array
                    numbers = array.values.astype(np.float64) * unit_of(op, name)
                    yield (node, name), op.spread_outputs(numbers) if name == "bias" else numbers
            if isinstance(rule := op.properties.get("plasticity"), StdpAttr):
                yield (node, "plasticity"), np.array([*rule.values.values()])


def has_like_shape(a: np.ndarray, b: np.ndarray) -> bool:
    """Returns whether one of two arrays has a number for each of the other."""
    try:
        return np.broadcast_shapes(a.shape, b.shape) in (a.shape, b.shape)
    except ValueError:
        return False


def synapses_of(module: ModuleOp, node: str) -> np.ndarray:
    """Returns the sum of the weights of each pair of neurons of an op, in the units of the trained network. Shapes: [targets, sources]."""
    op = next(op for op in network_of(module).body.block.ops if name_of(op) == node)
    assert isinstance(op, ntensor.SynapseOpInterface)
    source, target, place = op.pairs()
    found = np.zeros((prod(shape_of(op.y)), prod(shape_of(op.x))))
    numbers = op.weight_values().values.astype(np.float64) * unit_of(op, "weight")
    np.add.at(found, (target, source), numbers.reshape(-1)[place])
    return found


def unit_of(op: Any, name: str) -> Any:
    """Returns the value of 1, if weights are integers."""
    is_real = isinstance(element_type(op.results[0]), Float32Type | Float64Type)
    quantized = op.properties.get("quantized")
    return quantized.scale.values if quantized is not None and not is_real and name in ("weight", "scale") else 1.0


def lags(module: ModuleOp) -> dict[str, int]:
    """Returns the latency of nodes and outputs in ticks, as recorded in the network."""
    found = {name_of(op): latency_of(op) for op in network_of(module).body.block.ops if latency_of(op)}
    return found | output_latencies(network_of(module))


def run(module: ModuleOp, x: np.ndarray, record: list[str]) -> dict[str, np.ndarray]:
    """Runs a network in the reference engine, which compiles nothing."""
    return nopt.run(frozen(module), x, record=record, engine="numpy", diagnostics=Diagnostics())


def states_of(module: ModuleOp) -> list[str]:
    found: list[str] = []
    for op in network_of(module).body.block.ops:
        if isinstance(op, ntensor.NeuronOp):
            found += [name_of(op), *(f"{name_of(op)}.{state}" for state in op.initial.data)]
    return found


# ---- the tests


def test_every_pass_has_its_cases() -> None:
    missing = [name for name in PASSES if not CASES.get(name)]
    assert not missing, (
        f"give {', '.join(missing)} options in CASES: each with what it records, and with what it does not"
    )


GIVEN = [
    pytest.param(name, before, options, id=f"{name}{{{options}}}")
    for name in PASSES
    for before, options in CASES.get(name, [])
]


@pytest.mark.parametrize(("name", "before", "options"), GIVEN)
def test_record_holds(name: str, before: str, options: str, tmp_path: Path) -> None:
    changed = 0
    for seed in FEW:
        data = tmp_path / f"{seed}.npy"
        np.save(data, stimulus(seed))
        module = network(seed).clone()
        if name not in LEARNING:
            module = frozen(module)
        if before:
            nopt.apply(module, before.replace("DATA", str(data)), diagnostics=Diagnostics())
        after = module.clone()
        step = f"{name}{{{options.replace('DATA', str(data))}}}" if options else name
        nopt.apply(after, step, diagnostics=Diagnostics())
        changed += differs(module, after)
        verify(name, module, after, stimulus(seed))
    is_idle = not IDLE.isdisjoint([(name, options), (name, before)])
    assert bool(changed) != is_idle


LATE = [
    ("", "ntensor-retime", 6),
    ("", "ntensor-retime{op-ticks=2}", 2),
    (PLAN, "ntensor-split-fan-out{max-fan-out=2}", 2),
]
"""The passes before, the pass, and the number of networks in which every population can be delayed and every cycle has slack."""


@pytest.mark.parametrize(("before", "step", "count"), LATE, ids=[step for _, step, _ in LATE])
def test_late_networks_are_exact(before: str, step: str, count: int) -> None:
    done = 0
    for seed in SEEDS:
        module = frozen(network(seed))
        if before:
            nopt.apply(module, before, diagnostics=Diagnostics())
        after = module.clone()
        try:
            nopt.apply(after, step, diagnostics=Diagnostics())
        except Refused:  # some population fires without input, or a cycle has too little delay
            continue
        assert records(after) == records(module)
        assert lags(after)
        verify(step.split("{")[0], module, after, stimulus(seed))
        done += 1
    assert done == count


def verify(name: str, module: ModuleOp, after: ModuleOp, x: np.ndarray) -> None:
    new = records(after)[len(records(module)) :]
    assert records(after)[: len(records(module))] == records(module), "a pass appends to the record"
    assert len(new) <= (0 if name in SILENT else 1)
    if not new:
        wanted, late = states_of(module), lags(after)
        longer = np.concatenate([x, np.zeros((max(late.values(), default=0), *x.shape[1:]), x.dtype)])
        old, now = run(module, x, wanted), run(after, longer, wanted)
        assert old.keys() == now.keys()
        for key in old:
            lag = late.get(key, late.get(key.rpartition(".")[0], 0))
            assert (old[key] == now[key][lag : lag + len(x)]).all(), f"{key} differs, and nothing is on record"
        return
    (record,) = new
    assert differs(module, after), "a record of nothing"
    assert record.step.data.split("{")[0] == name
    before = {name_of(op) for op in network_of(module).body.block.ops} | {
        n.data for n in network_of(module).input_names
    }
    assert {node.data for node in record.touched} <= before
    largest = getattr(getattr(record.largest, "value", None), "data", None)
    mean = getattr(getattr(record.mean, "value", None), "data", None)
    if largest is None:
        return
    assert np.isfinite(largest)
    assert mean is None or mean <= largest * (1 + 1e-12)
    old = dict(numbers_of(module, COMPARED.get(name)))
    for key, values in numbers_of(after, COMPARED.get(name)):
        if key in old:
            given = old[key]
            if not has_like_shape(given, values):  # the op became another one, with the same synapses or fewer
                given, values = (synapses_of(one, key[0]) for one in (module, after))
                if given.shape != values.shape:
                    continue
            with np.errstate(invalid="ignore"):
                error = float(np.abs(values - given).max(initial=0))
            assert error <= largest, f"{key} is off by {error}, and {largest} is on record"


def test_networks_are_worth_it() -> None:
    """The generated networks fire, contain all patterns of the passes, and half of them are on grids."""
    fired = 0
    for seed in SEEDS:
        module = network(seed)
        arrays = run(module, stimulus(seed), ["pop1", "pop2"])
        fired += bool(arrays["pop1"].any()) + bool(arrays["pop2"].any())
        kinds = {type(op).__name__ for op in module.walk()}
        own = {"Conv2dOp", "SumPool2dOp"} if seed in IMAGES else {"SparseLinearOp", "SumOp"}
        assert {"LinearOp", "DelayOp", "NeuronOp"} | own <= kinds
    assert fired > len(SEEDS)
    with pytest.raises(Refused):
        nopt.run(network(0), stimulus(0), diagnostics=Diagnostics())
