"""Integer networks agree with networks of equal reals: a network whose weights and thresholds are powers of two keeps every spike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects import ntensor

NEURONS = """
neuron whole_if for nir.if
param unit, threshold
param th: s24 = clip(round(threshold / unit), 0, 8388607)
canonical decay = 1, leak = 0, threshold = real(th) * unit
state v: s32 saturate = 0
input a: s24
v = v + a
z = v > th
v = v - th if z else v
emit spike z

neuron whole_lif for nir.lif, nir.cuba_lif
param unit, threshold, decay, decay_i
param th: s24 = clip(round(threshold / unit), 0, 8388607)
param shift: u5 = clip(round(-log(1 - decay) / log(2)), 1, 16)
param shift_i: u5 = clip(round(-log(1 - decay_i) / log(2)), 0, 16)
canonical decay = 1 - 1 / real(1 << shift), decay_i = 1 - 1 / real(1 << shift_i), threshold = real(th) * unit
state v: s32 saturate = 0, i: s32 saturate = 0
input a: s24
i = i - (i >> shift_i) + a
v = v - (v >> shift) + i
z = v > th
v = v - th if z else v
emit spike z

neuron whole_counting for nir.if
param unit, threshold
param th: s24 in 1..8388607 = clip(round(threshold / unit), 1, 8388607)
canonical decay = 1, leak = 0, threshold = real(th) * unit
state v: s32 saturate = 0
input a: s40 saturate
v = v + a
n = clip(floor(v / th), 0, 2147483647)
v = max(v - n * th, -th)
emit count n
"""
N = 12


def array(values: object, type: str = "f64") -> str:
    found = np.asarray(values)
    return f"#nopt.array<{found.tolist()} : tensor<{''.join(f'{n}x' for n in found.shape)}{type}>>"


def network(seed: int, family: str, scale: Callable[[np.random.Generator], NDArray[np.float64]]) -> str:
    """Returns two ops that end at a recurrent population, a bias in one, and another population; each row has its scale."""
    rng = np.random.default_rng(seed)
    rows = scale(rng)
    fc, rec = (rng.integers(-7, 8, (N, N)) * rows[:, None] for _ in range(2))
    fc[:, 0] = rec[:, 0] = 7 * rows
    two = rng.integers(-7, 8, (N, N)) / 8
    two[:, 1] = 7 / 8
    bias = rng.integers(-2, 3, N) * rows
    extra = "" if family == "if" else f"v_leak = {array(0.0)}, "
    if family == "lif":
        extra += f"tau = {array(0.004)}, "
    if family == "cuba_lif":
        extra += f"tau_mem = {array(0.004)}, tau_syn = {array(0.002)}, w_in = {array(np.full(N, 0.5))}, "
    neuron = f"{{r = {array(np.full(N, 2.0))}, {extra}v_threshold = {array(np.full(N, 4.0))}, v_reset = {array(0.0)}}}"
    return f"""
nir.graph @net("in" %x: tensor<{N}xi1>) -> ("out": tensor<{N}xi1>) {{
  %a = nir.affine "fc" %x {{weight = {array(fc)}, bias = {array(bias)}}} : tensor<{N}xi1> -> tensor<{N}xf32>
  %s = nir.sum %a, %r : (tensor<{N}xf32>, tensor<{N}xf32>) -> tensor<{N}xf32>
  %z = nir.{family} "first" %s {neuron} : tensor<{N}xf32> -> tensor<{N}xi1>
  %r = nir.linear "rec" %z {{weight = {array(rec)}}} : tensor<{N}xi1> -> tensor<{N}xf32>
  %b = nir.linear "two" %z {{weight = {array(two)}}} : tensor<{N}xi1> -> tensor<{N}xf32>
  %y = nir.{family} "second" %b {neuron} : tensor<{N}xf32> -> tensor<{N}xi1>
  nir.output %y : tensor<{N}xi1>
}}
"""


def halves(rng: np.random.Generator) -> NDArray[np.float64]:
    """Returns a power of two for each row."""
    return 2.0 ** rng.integers(-5, -1, N)


def discretised(text: str, reset: str = "subtract") -> ModuleOp:
    module = nopt.parse(text)
    nopt.apply(
        module,
        f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse reset={reset}}},ntensor-quantize-weights{{bits=4 per=neuron}},ntensor-quantize-bias",
    )
    return module


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "whole.neuron"
    path.write_text(NEURONS, encoding="utf-8")
    return path


def spikes(seed: int) -> NDArray[np.bool_]:
    return np.random.default_rng(seed + 100).random((2, 60, N)) < 0.3


def of_network(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


@pytest.mark.parametrize("accumulator", ["", " accumulator=20"])
@pytest.mark.parametrize("seed", range(4))
def test_integers_of_the_same_numbers_spike_alike(file: Path, seed: int, accumulator: str) -> None:
    """The unit of a neuron is its scale times the gain r = 2: v in units is the membrane of the reals, to the bit."""
    before = discretised(network(seed, "if", halves))
    after = before.clone()
    nopt.apply(after, f'ntensor-set-neuron-model{{to="{file}"{accumulator}}}')
    record = ["first", "second", "first.v"]
    there, here = (nopt.run(module, spikes(seed), record=record, engine="numpy") for module in (before, after))
    assert there["second"].any()
    np.testing.assert_array_equal(here["first"], there["first"])
    np.testing.assert_array_equal(here["out"], there["out"])
    rows = halves(np.random.default_rng(seed))
    np.testing.assert_array_equal(here["first.v"] * rows * 2, there["first.v"])
    last = (of_network(after).approximations or ()).data[-1]
    assert "decay, leak, threshold exact" in last.what.data
    assert (last.largest.value.data, last.mean.value.data) == (0, 0)


@pytest.mark.parametrize(("family", "gain"), [("lif", 0.25 * 2), ("cuba_lif", 0.25 * 2 * 0.5 * 0.5)])
def test_unit_is_scale_times_gains(file: Path, family: str, gain: float) -> None:
    """lif: gain = dt / tau r = 0.25 * 2; cuba_lif: times gain_i = dt / tau_syn w_in = 0.5 * 0.5. th = round(4 / unit)."""
    module = discretised(network(0, family, halves))
    nopt.apply(module, f'ntensor-set-neuron-model{{to="{file}"}}')
    rows = halves(np.random.default_rng(0))
    first = next(op for op in module.walk() if isinstance(op, ntensor.NeuronOp))
    params = {name: array.values for name, array in first.arrays(first.params)}
    np.testing.assert_array_equal(np.broadcast_to(params["th"], N), np.rint(4 / (rows * gain)))
    assert params["shift"] == 2
    assert params["shift_i"] == (1 if family == "cuba_lif" else 0)


def test_record_is_what_numpy_computes(file: Path) -> None:
    """Rows with any scale: thresholds are rounded to whole units."""
    before = discretised(network(3, "lif", lambda rng: rng.uniform(0.05, 0.3, N)))
    after = before.clone()
    nopt.apply(after, f'ntensor-set-neuron-model{{to="{file}"}}')
    errors: dict[str, list[NDArray[np.float64]]] = {}
    for old, new in zip(
        *([op for op in module.walk() if isinstance(op, ntensor.NeuronOp)] for module in (before, after)), strict=True
    ):
        assert old.canonical is not None
        assert new.canonical is not None
        there, here = (
            {name: array.values for name, array in op.arrays(given)}
            for op, given in ((old, old.canonical), (new, new.canonical))
        )
        for name in ("decay", "threshold"):
            errors.setdefault(name, []).append(np.broadcast_to(np.abs(there[name] - here[name]), N))
    every = np.concatenate([part for found in errors.values() for part in found])
    last = (of_network(after).approximations or ()).data[-1]
    assert every.max() > 0
    assert last.largest.value.data == every.max()
    assert last.mean.value.data == pytest.approx(every.mean(), rel=1e-12)


def test_widths_hold_the_worst_case(file: Path) -> None:
    """All synapses at once: sums stay in their types; otherwise the run would be refused."""
    module = discretised(network(2, "if", halves))
    nopt.apply(module, f'ntensor-set-neuron-model{{to="{file}"}}')
    everything = np.ones((1, 30, N), bool)
    assert nopt.run(module, everything)["out"].any()


def test_clipped_parameters_are_refused_or_recorded(file: Path) -> None:
    """Of rows with tiny scales the threshold 4 is more than 2^23 units, in other rows it is not."""
    module = discretised(network(1, "if", lambda rng: np.where(np.arange(N) < 3, 2.0**-30, 0.25)))
    with pytest.raises(Refused) as refusal:
        nopt.apply(module.clone(), f'ntensor-set-neuron-model{{to="{file}"}}')
    (finding,) = refusal.value.findings
    assert finding.code.id == "LEG048"
    assert finding.node == "first"
    assert finding.expected == "0..8388607"
    assert finding.found == f"{4 / 2.0**-29:g}, in 3 of {N} neurons"
    nopt.apply(module, f'ntensor-set-neuron-model{{to="{file}" approximate=threshold}}')
    last = (of_network(module).approximations or ()).data[-1]
    assert f"threshold differs (th is clipped to 0..8388607, {4 / 2.0**-29:g} wanted)" in last.what.data
    assert "the rule is the same" not in last.what.data


NEURON = """neuron one for nir.lif
param unit, decay, threshold, v_reset
param fine: u3 = clip(round(log(threshold / unit) / log(2)), 0, 7)
param step: u3 = clip(round(decay * {steps}), 0, 7)
param th: s24 = clip(round(threshold / unit * real(1 << fine)), 0, 8388607)
param to: s16 = clip(round(v_reset / unit * real(1 << fine)), -128, 127)
canonical decay = real(step) / {steps}, threshold = real(th) * unit / real(1 << fine), leak = 0
state v: s32 saturate = 0
input a: s16
v = truncate(v * step / {steps}) + (a << fine)
z = v > th
v = to if z else v
emit spike z
"""


@pytest.mark.parametrize(
    ("steps", "v_reset", "property"),
    [(8, 0.0, None), (16, 0.0, "decay"), (8, -2.0, "reset")],
    ids=["a finer grid alone", "a decay of 12 of 16 steps in 3 bits", "a reset below the register"],
)
def test_a_clip_is_named_by_its_effect(tmp_path: Path, steps: int, v_reset: float, property: str | None) -> None:
    """The threshold 4 is 2^10 units of 2^-7 / 2, so that `fine` is clipped from 10 to 7, without an effect. decay = 0.75."""
    text = network(1, "lif", lambda rng: np.full(N, 2.0**-7)).replace(
        f"v_reset = {array(0.0)}", f"v_reset = {array(v_reset)}"
    )
    (tmp_path / "one.neuron").write_text(NEURON.format(steps=steps), encoding="utf-8")
    module = discretised(text, "value")
    if property is None:
        nopt.apply(module, f'ntensor-set-neuron-model{{to="{tmp_path}/one.neuron"}}')
        return
    with pytest.raises(Refused) as refusal:
        nopt.apply(module, f'ntensor-set-neuron-model{{to="{tmp_path}/one.neuron"}}')
    assert {finding.code.id for finding in refusal.value.findings} == {"LEG048"}
    assert all(finding.message.endswith(f"is clipped: {property}") for finding in refusal.value.findings)


def test_a_step_of_a_wide_register_is_no_clip() -> None:
    """With a strong weight and 200 weak ones, the factor is 2^31 on SpiNNaker, whose register ends at 2^31 - 1."""
    weight = array(np.where(np.arange(201) == 0, 75.0, 5e-4)[None])
    parameters = {"tau": 0.01, "r": 1.0, "v_leak": 0.0, "v_threshold": 0.02, "v_reset": 0.0}
    given = ", ".join(f"{name} = {array(value)}" for name, value in parameters.items())
    module = nopt.parse(f"""
        nir.graph @net("in" %x: tensor<201xi1>) -> ("out": tensor<1xi1>) {{
          %a = nir.linear "fc" %x {{weight = {weight}}} : tensor<201xi1> -> tensor<1xf32>
          %y = nir.lif "lif" %a {{{given}}} : tensor<1xf32> -> tensor<1xi1>
          nir.output %y : tensor<1xi1>
        }}""")
    steps = "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=zero},ntensor-quantize-receptors"
    nopt.apply(module, f'{steps},ntensor-set-neuron-model{{to="spinnaker/spinn5"}}', diagnostics=Diagnostics())
    (population,) = of_network(module).populations
    r_membrane = population.params.data["r_membrane"]
    assert isinstance(r_membrane, ArrayAttr)
    assert r_membrane.values.max() == 2**31 - 1


def test_convolutions_pools_and_counts_are_exact(file: Path, root: Path) -> None:
    """The trained digits with scales that are powers of two: every count of every layer stays, and v in units."""
    rng = np.random.default_rng(0)
    before = nopt.read(root / "examples" / "digits" / "conv.nir")
    passes = [
        "convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}",
        "ntensor-quantize-inputs{kind=spike}",
        "ntensor-quantize-weights{bits=8 per=neuron scale=power-of-two}",
    ]
    nopt.apply(before, ",".join(passes), diagnostics=Diagnostics())
    after = before.clone()
    nopt.apply(after, f'ntensor-set-neuron-model{{to="{file}" neuron=whole_counting}}')
    record = ["1", "4", "8"]
    x = rng.random((3, 16, 1, 8, 8)) < 0.4
    there, here = (nopt.run(module, x, record=record, engine="numpy") for module in (before, after))
    for name in ("output", *record):
        assert there[name].any()
        np.testing.assert_array_equal(here[name], there[name], name)


def test_neurons_with_own_scales_have_own_steps(root: Path, tmp_path: Path) -> None:
    """Twice the largest potential of each neuron in the calibration fits into 16 bits; one scale for all neurons leaves one step for all."""
    data = tmp_path / "x.npy"
    np.save(data, np.random.default_rng(0).random((4, 40, 64)) < 0.2)
    steps = {}
    for per in ("neuron", "population"):
        module = nopt.apply(
            nopt.read(root / "examples" / "digits" / "fc.nir"),
            f'convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},ntensor-calibrate{{data="{data}"}},ntensor-quantize-inputs,'
            f"ntensor-quantize-weights{{per={per}}},ntensor-quantize-bias",
        )
        first = next(op for op in module.walk() if isinstance(op, ntensor.NeuronOp))
        seen = first.attributes["ntensor.observed"].data["neurons"].data["v"].values
        nopt.apply(module, "ntensor-set-neuron-model{to=int16}")
        op = next(op for op in module.walk() if isinstance(op, ntensor.NeuronOp))
        params, canonical = dict(op.arrays(op.params)), dict(op.arrays(op.canonical))
        threshold = np.asarray(canonical["threshold"].values, np.float64)
        steps[per] = np.broadcast_to(threshold / np.asarray(params["th"].values, np.float64), (128,))
        peaks = np.abs(seen).max(axis=0)
        assert (np.minimum(2 * peaks, peaks.max()) <= 32767 * steps[per] * 1.0001).all()
    assert len(np.unique(steps["population"])) == 1
    assert len(np.unique(steps["neuron"])) > 1
