"""Guarantees of `ntensor-pin-values`: the pinned numbers and nothing else change, canonical values follow from them, and a recorded
trace of a chip comes out of its own integers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import seeds, times
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.integer_ranges import IntegerRanges
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir.operation import element_type
from nopt.core.ir.pipeline import parse_pipeline, pass_text
from nopt.dialects import ntensor
from nopt.passes.legalize.numbers._pinned_parameters import follow_pins
from nopt.passes.legalize.numbers._pins import split_pins
from nopt.passes.pipelines import with_pins

SEEDS = seeds(4)
QUANTIZE = "ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron}"


def trained(seed: int, outputs: int = 12, inputs: int = 20) -> ModuleOp:
    """Returns a random layer of neurons with time constants and thresholds of their own; a third of the weights is 0."""
    rng = np.random.default_rng(seed)
    weight = rng.normal(0, 0.4, (outputs, inputs)) * (rng.random((outputs, inputs)) < 0.67)
    tau, threshold = rng.uniform(0.004, 0.05, outputs), rng.uniform(0.3, 2, outputs)

    def array(values: Any) -> str:
        shape = "x".join(map(str, np.shape(values)))
        return f"#nopt.array<{np.asarray(values, np.float32).tolist()} : tensor<{shape}xf32>>"

    zeros = np.zeros(outputs)
    return nopt.parse(f"""
nir.graph @net("in" %x: tensor<{inputs}xf32>) -> ("out": tensor<{outputs}xi1>) {{
  %y = nir.linear "fc" %x {{weight = {array(weight)}}} : tensor<{inputs}xf32> -> tensor<{outputs}xf32>
  %z = nir.lif "l.if" %y {{tau = {array(tau)}, r = {array(np.ones(outputs))}, v_leak = {array(zeros)}, v_threshold = {array(threshold)}, v_reset = {array(zeros)}}} : tensor<{outputs}xf32> -> tensor<{outputs}xi1>
  nir.output %z : tensor<{outputs}xi1>
}}""")


def converted(seed: int, to: str = "loihi") -> ModuleOp:
    module = trained(seed)
    nopt.apply(
        module, f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},{QUANTIZE},ntensor-set-neuron-model{{to={to}}}"
    )
    return module


def applied(module: ModuleOp, passes: str) -> ModuleOp:
    other = module.clone()
    nopt.apply(other, passes, diagnostics=Diagnostics())
    return other


def network(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def parts(module: ModuleOp) -> tuple[Any, ntensor.NeuronOp]:
    linear, neuron = (op for op in network(module).body.block.ops if op.results)
    assert isinstance(neuron, ntensor.NeuronOp)
    return linear, neuron


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_pinned_numbers_change(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = converted(seed)
    weight, dv, vth = int(rng.integers(-128, 128)), int(rng.integers(0, 4096)), int(rng.integers(0, 131072))
    after = applied(before, f'ntensor-pin-values{{values="fc.weight={weight},l.if.dv={dv},l.if.vth={vth}"}}')
    (old, was), (new, now) = parts(before), parts(after)
    assert np.array_equal(new.weight.values, np.where(old.weight.values != 0, weight, 0))
    assert new.quantized == old.quantized
    held, given = ({name: array.values for name, array in op.arrays(op.params)} for op in (was, now))
    assert given.pop("dv") == dv
    assert given.pop("vth") == vth
    assert all(np.array_equal(values, held[name]) for name, values in given.items())
    record = list(network(after).approximations or ())[-1]
    steps = old.weight.values[old.weight.values != 0].astype(np.int64)
    registers = [np.abs(np.broadcast_to(held[name], 12) - value) for name, value in (("dv", dv), ("vth", vth))]
    every = [np.abs(steps - weight), *registers]
    assert record.largest.value.data == max(map(np.max, every))  # type: ignore[union-attr]
    assert record.mean.value.data == pytest.approx(np.concatenate(every).mean())  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", SEEDS)
def test_canonical_values_follow(seed: int) -> None:
    """The decay is that of the register; the threshold keeps its volts per step, those of each neuron's weights."""
    before = converted(seed)
    after = applied(before, 'ntensor-pin-values{values="l.if.dv=163,l.if.vth=25"}')
    old, new = (
        {name: array.values for name, array in op.arrays(op.canonical)} for _, op in map(parts, (before, after))
    )  # type: ignore[arg-type]
    registers = dict(parts(before)[1].arrays(parts(before)[1].params))
    assert np.all(new["decay"] == (4096 - 163) / 4096)
    assert new["threshold"] == pytest.approx(old["threshold"] / registers["vth"].values * 25, rel=1e-12)
    assert np.array_equal(new["decay_i"], old["decay_i"])


@pytest.mark.parametrize("to", ["loihi", "int32"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_own_numbers_change_nothing(seed: int, to: str, tmp_path: Path) -> None:
    """A parameter that keeps its value has the canonical values that the conversion derived, up to a rounding."""
    module = trained(seed)
    np.save(tmp_path / "x.npy", np.random.default_rng(seed).random((2, 30, 20)) < 0.3)
    calibrate = f'ntensor-calibrate{{data="{tmp_path / "x.npy"}"}}'
    nopt.apply(
        module,
        f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},{calibrate},{QUANTIZE},ntensor-set-neuron-model{{to={to}}}",
        diagnostics=Diagnostics(),
    )
    _, op = parts(module)
    update = ntensor.find_updates(module)[op.update_name]
    for name, array in op.arrays(op.params):
        if array.shape or array.values.dtype.kind not in "iu":
            continue
        found = follow_pins(op, update, network(module).dt, {name: int(array.values)})
        assert not found.initial
        canonical = dict(op.arrays(op.canonical))  # type: ignore[arg-type]
        for key, values in found.canonical.items():
            assert values == pytest.approx(canonical[key].values, rel=1e-12)


@pytest.mark.parametrize("seed", seeds(6))
def test_sums_hold_what_pinned_weights_make(seed: int) -> None:
    """The type of each sum holds its range for any weight, and its numbers are those of 64 bits."""
    rng = np.random.default_rng(seed)
    before = converted(seed, "loihi")
    for _ in range(times(6)):
        weight = int(rng.integers(-128, 128))
        after = applied(before, f'ntensor-pin-values{{values="fc.weight={weight}"}}')
        linear, _ = parts(after)
        ranges = IntegerRanges(network(after)).sums(linear)
        held = ntensor.interval_of(element_type(linear.y))
        assert ranges is not None
        assert held is not None
        assert held.holds(ranges.result)
        x = rng.random((1, 20, 20)) < 0.7
        found = nopt.run(after, x, record=["fc", "l.if"], engine="numpy", diagnostics=Diagnostics())
        assert np.array_equal(found["fc"], x.astype(np.int64) @ linear.weight.values.T.astype(np.int64))


def test_names_with_dots_commas_and_signs() -> None:
    nodes = ["a", "a.b", "c,d", "e=1,f"]

    def keys(text: str) -> list[str]:
        return [f"{key}={value}" for _, key, value in split_pins(text, nodes)]

    assert keys("a.b.dv=1, a.dv=2,c,d.vth=-3") == ["a.b.dv=1", "a.dv=2", "c,d.vth=-3"]
    assert keys("e=1,f.weight=4,a.x=5") == ["e=1,f.weight=4", "a.x=5"]
    assert keys("z.dv=1,a.dv=2") == ["z.dv=1", "a.dv=2"]
    assert keys("a.dv") == keys("") == ["="]


def test_each_bad_pin_is_reported() -> None:
    before = converted(0)
    with pytest.raises(Refused) as refused:
        applied(before, 'ntensor-pin-values{values="l.if.dv=4096,l.if.dw=1,fc.weight=128,l.if.vth=7"}')
    assert [finding.code.id for finding in refused.value.findings] == ["LEG075", "LEG074", "LEG075"]


def test_the_recorded_trace_of_loihi_comes_from_pins(shared: Path) -> None:
    """The network of the NIR paper with the integers of the recording: every spike and every v of 1000 ticks. Without pins the spikes are equal."""
    folder = shared / "samples" / "nir_paper" / "lif"
    x, v, z = np.loadtxt(folder / "lif_lava_cpu_fixed.csv", delimiter=",").T
    steps = f"{QUANTIZE},ntensor-set-neuron-model{{to=loihi}}"
    for pins in ("", ',ntensor-pin-values{values="0.weight=10,1.du=4095,1.dv=163,1.vth=25"}'):
        module = nopt.read(folder / "lif_norse.nir", diagnostics=Diagnostics())
        nopt.apply(module, "convert-nir-to-ntensor{dt-ns=100000 like=norse synapse-delay=1}," + steps + pins)
        found = nopt.run(module, x[:, None] != 0, record=["1", "1.v"], diagnostics=Diagnostics())
        assert np.array_equal(found["1"][:, 0], z)
        assert np.array_equal(found["1.v"][:, 0], v) == bool(pins)


def test_pins_go_to_the_legalisation_or_first() -> None:
    def text(steps: str, *pins: str) -> str:
        return ",".join(map(pass_text, with_pins(parse_pipeline(steps, registry.passes()), pins)))

    legal = 'ntensor-legalize{device="asic/edge"},convert-ntensor-to-machine'
    assert text(legal) == legal
    assert text(legal, "a.b=1", "c.d=2") == (
        'ntensor-legalize{device="asic/edge" pin-values="a.b=1","c.d=2"},convert-ntensor-to-machine'
    )
    assert text("convert-ntensor-to-c", "a.b=1") == 'ntensor-pin-values{values="a.b=1"},convert-ntensor-to-c'
    assert text("", "a.b=1") == 'ntensor-pin-values{values="a.b=1"}'
