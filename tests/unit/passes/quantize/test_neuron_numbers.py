"""Guarantees of the passes on the numbers of neurons: errors equal to NumPy's, states in fixed point, equations in the text."""

from __future__ import annotations

from itertools import product
from typing import Any

import nir
import numpy as np
import pytest
from extent import some
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, f64

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir.source import check_module
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects import ntensor
from nopt.dialects.equations.build import build_update
from nopt.dialects.equations.text import neuron_text, precision_of
from nopt.passes.quantize.neurons._state_widths import Width, narrowed
from nopt.simulation.update import Step, initial

NEURONS = 5
TICKS = 40
PRESETS = ("euler", "norse", "snntorch", "nengo", "sinabs", "rockpool", "lava", "spyx", "spinnaker2", "spikingjelly")
ROUNDED: dict[str, Any] = {"round": np.rint, "floor": np.floor, "ceil": np.ceil, "truncate": np.trunc}


def population(rng: np.random.Generator, kind: str) -> nir.NIRNode:
    def given(low: float, high: float) -> np.ndarray:
        return rng.uniform(low, high, NEURONS).astype(np.float32)

    common = {
        "r": given(0.5, 2),
        "v_leak": given(-0.2, 0.3),
        "v_threshold": given(0.5, 1),
        "v_reset": given(-0.3, 0.1),
    }
    if kind == "lif":
        return nir.LIF(tau=given(4e-3, 3e-2), **common)
    return nir.CubaLIF(tau_syn=given(2e-3, 9e-3), tau_mem=given(4e-3, 3e-2), w_in=given(0.5, 2), **common)


def network(seed: int, kind: str, like: str, precision: str = "f64") -> ModuleOp:
    """Returns a converted population after a layer."""
    rng = np.random.default_rng(seed)
    weight = rng.normal(0, 0.8, (NEURONS, 4)).astype(np.float32)
    nodes = {
        "in": nir.Input({"input": np.array([4])}),
        "fc": nir.Affine(weight=weight, bias=rng.normal(0, 0.3, NEURONS).astype(np.float32)),
        "pop": population(rng, kind),
        "out": nir.Output({"output": np.array([NEURONS])}),
    }
    graph = nir.NIRGraph(nodes=nodes, edges=[("in", "fc"), ("fc", "pop"), ("pop", "out")], type_check=False)
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    nopt.apply(
        module,
        f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} precision={precision}}}",
        diagnostics=Diagnostics(),
    )
    return module


def applied(module: ModuleOp, passes: str) -> ModuleOp:
    other = module.clone()
    nopt.apply(other, passes, diagnostics=Diagnostics())
    return other


def neuron_of(module: ModuleOp) -> ntensor.NeuronOp:
    return next(op for op in module.walk() if isinstance(op, ntensor.NeuronOp))


def update_of(module: ModuleOp) -> ntensor.UpdateOp:
    name = neuron_of(module).update.root_reference.data
    return next(op for op in module.ops if isinstance(op, ntensor.UpdateOp) and op.sym_name.data == name)


def records(module: ModuleOp) -> list[ntensor.ApproximationAttr]:
    found = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    return list(found.approximations or ())


def params(module: ModuleOp, entries: str = "params") -> dict[str, np.ndarray]:
    neuron = neuron_of(module)
    return {name: array.values for name, array in neuron.arrays(getattr(neuron, entries))}


def stimulus(seed: int, scale: float = 1.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.3, 1, (TICKS, 4)) * scale


# ---- decays, thresholds, biases: comparison with NumPy


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("like", PRESETS)
@pytest.mark.parametrize("kind", ["lif", "cuba"])
@pytest.mark.parametrize("options", ["bits=7", "bits=5 mode=shift"])
def test_decays_are_on_the_grid(options: str, kind: str, like: str, precision: str) -> None:
    try:
        module = network(1, kind, like, precision)
    except Refused:
        pytest.skip(f"{like} has no {kind}")
    after = applied(module, f"ntensor-quantize-decay{{{options}}}")
    old, new = params(module), params(after)
    canonical = params(after, "canonical")
    bits = int(options[5])
    for name in {"decay", "decay_i"} & set(canonical):
        decay, before = canonical[name], params(module, "canonical")[name]
        points = decay * 2**bits
        assert (points == np.rint(points)).all()
        if "shift" in options:
            grid = 1 - 2.0 ** -np.arange(bits + 1)
            nearest = np.abs(before[..., np.newaxis] - grid).min(axis=-1)
            assert (np.frexp(1 - decay)[0] == 0.5).all()
        else:
            nearest = np.abs(before - np.rint(before * 2**bits) / 2**bits)
        np.testing.assert_allclose(np.abs(decay - before), nearest, rtol=1e-12)
    changed = [name for name in old if (old[name] != new[name]).any()]
    assert 1 <= len(changed) <= 4
    errors = [np.abs(new[name].astype(np.float64) - old[name].astype(np.float64)) for name in changed]
    record = records(after)[-1]
    assert record.largest.value.data == max(error.max() for error in errors)
    total, count = sum(float(error.sum()) for error in errors), sum(error.size for error in errors)
    assert record.mean.value.data == pytest.approx(total / count, rel=1e-12)
    for name in changed:  # only decays changed: each is a decay, or 1 minus one
        values = [decay for key, decay in canonical.items() if key in ("decay", "decay_i")]
        assert any((new[name] == decay).all() or (new[name] == 1 - decay).all() for decay in values)


@pytest.mark.parametrize("like", PRESETS)
def test_canonical_values_follow(like: str) -> None:
    """A network that is trained with the quantised time constants has the same canonical values, if they depend on k alone."""
    module = network(2, "lif", like)
    after = applied(module, "ntensor-quantize-decay{bits=7}")
    old, new = params(module, "canonical"), params(after, "canonical")
    factor = params(module)
    r = next(factor[name] for name in factor if name == "r") if "r" in factor else None
    if r is not None:
        np.testing.assert_allclose(new["gain"], (1 - new["decay"]) * r, rtol=1e-12)
    else:
        assert (new["gain"] == old["gain"]).all()
    assert (new["threshold"] == old["threshold"]).all()


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("kind", ["lif", "cuba"])
def test_thresholds_are_on_the_grid_of_the_weights(kind: str, precision: str) -> None:
    module = applied(network(3, kind, "norse", precision), "ntensor-quantize-weights{bits=5 per=row}")
    after = applied(module, "ntensor-quantize-threshold")
    fc = next(op for op in after.walk() if isinstance(op, ntensor.LinearOp))
    canonical = params(module, "canonical")
    assert fc.quantized is not None
    step = fc.quantized.scale.values.reshape(-1) * canonical["gain"] * canonical.get("gain_i", 1.0)
    old, new = params(module)["v_threshold"], params(after)["v_threshold"]
    assert (new == (np.rint(old.astype(np.float64) / step) * step).astype(new.dtype)).all()
    errors = np.abs(new.astype(np.float64) - old.astype(np.float64))
    record = records(after)[-1]
    assert (record.largest.value.data, record.mean.value.data) == (errors.max(), errors.mean())
    assert (params(after, "canonical")["threshold"] == new).all()


@pytest.mark.parametrize(("per", "shape"), [("tensor", (1, 1)), ("row", (NEURONS, 1))])
def test_biases_are_on_the_grid_of_the_weights(per: str, shape: tuple[int, int]) -> None:
    module = applied(network(4, "lif", "norse"), f"ntensor-quantize-weights{{bits=6 per={per}}}")
    after = applied(module, "ntensor-quantize-bias{bits=8}")
    old, new = (next(op for op in m.walk() if isinstance(op, ntensor.LinearOp)) for m in (module, after))
    assert new.quantized is not None
    scale = np.broadcast_to(new.quantized.scale.values, shape)[:, 0]
    before, now = old.bias.values, new.bias.values
    n = np.clip(np.rint(before.astype(np.float64) / scale), -128, 127)
    assert (now == (n * scale).astype(now.dtype)).all()
    errors = np.abs(now.astype(np.float64) - before.astype(np.float64))
    record = records(after)[-1]
    assert (record.largest.value.data, record.mean.value.data) == (errors.max(), errors.mean())


# ---- states


NARROWED = [
    "bits=12 fraction=6",
    "bits=12 fraction=6 rounding=floor",
    "bits=5 fraction=5 overflow=wrap rounding=truncate",
    "bits=4 fraction=4 rounding=ceil",
]


# every third: all pairs of two parameters
@pytest.mark.parametrize(
    ("kind", "like", "precision", "options"),
    some([*product(["lif", "cuba"], PRESETS, ["f32", "f64"], NARROWED)], 3),
)
def test_a_tick_adds_no_more_than_is_recorded(kind: str, like: str, precision: str, options: str) -> None:
    """Compares every tick with the step before the pass, from the same states: a multiple of the step, within the bounds, and within the recorded error."""
    try:
        module = network(5, kind, like, precision)
    except Refused:
        pytest.skip(f"{like} has no {kind}")
    after = applied(module, f"ntensor-quantize-state{{{options}}}")
    record = records(after)[-1]
    given = dict(option.split("=") for option in options.split())
    bits, fraction = int(given["bits"]), int(given["fraction"])
    size = 2.0**-fraction
    assert record.largest.value.data == (size if "rounding" in given else size / 2)
    plain, narrow = update_of(module), update_of(after)
    names = [name.data for name in plain.states]
    values = {name: np.broadcast_to(v, (1, NEURONS)).copy() for name, v in params(after, "initial").items()}
    for name, v in initial(narrow, params(after)).items():
        assert (values[name] == v).all()
    one, other = (Step(update, params(module), (1, NEURONS)) for update in (plain, narrow))
    rng, ends = np.random.default_rng(6), 0
    for _ in range(TICKS):
        x = rng.normal(0.5, 2, (1, NEURONS))
        exact = {name: v.copy() for name, v in values.items()}
        one([x], exact)
        other([x], values)
        for name in names:
            state, wanted = values[name].astype(np.float64), exact[name].astype(np.float64)
            n = ROUNDED[given.get("rounding", "round")](wanted / size)
            inside = (n >= -(2 ** (bits - 1))) & (n < 2 ** (bits - 1))
            if given.get("overflow") == "wrap":
                n = (n + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
            else:
                n = np.clip(n, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            assert (state == n * size).all(), name
            assert (np.abs(state - wanted)[inside] <= record.largest.value.data).all(), name
            ends += int((~inside).sum())
    assert ends or bits > 5  # narrow states reach their bounds, wide ones do not


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("options", ["bits=10 fraction=6", "bits=5 fraction=5 overflow=wrap rounding=truncate"])
@pytest.mark.parametrize("like", PRESETS)
def test_text_says_the_same_update(like: str, options: str, precision: str) -> None:
    """An update that is built from the equations of a rewritten update has the same results."""
    try:
        module = network(7, "cuba", like, precision)
    except Refused:
        pytest.skip(f"{like} has no cuba")
    after = applied(module, f"ntensor-quantize-state{{{options}}}")
    update = update_of(after)
    (read,) = parse_neurons(neuron_text(update)).neurons
    built = build_update(read, options={}, precision=precision_of(update))
    given = params(after)
    steps = [Step(one, given, (1, NEURONS)) for one in (update, built)]
    states = [
        {name: np.broadcast_to(v, (1, NEURONS)).copy() for name, v in initial(one, given).items()}
        for one in (update, built)
    ]
    rng = np.random.default_rng(8)
    for _ in range(TICKS):
        x = rng.normal(0.5, 2, (1, NEURONS))
        emitted = [step([x], held).value.copy() for step, held in zip(steps, states, strict=True)]
        assert (emitted[0] == emitted[1]).all()
        for name in states[0]:
            assert states[0][name].tobytes() == states[1][name].tobytes()


def test_wide_states_run_like_the_reals() -> None:
    """53 bits of f64: if rounding affects only bits below the last bit of a state, only the sign of zero changes."""
    module = network(9, "lif", "norse")
    after = applied(module, "ntensor-quantize-state{bits=53 fraction=50}")
    x = stimulus(9)
    before = nopt.run(module, x, record=["pop.v"], engine="numpy", diagnostics=Diagnostics())
    now = nopt.run(after, x, record=["pop.v"], engine="numpy", diagnostics=Diagnostics())
    assert (before["out"] == now["out"]).all()
    np.testing.assert_allclose(before["pop.v"], now["pop.v"], atol=TICKS * 2.0**-51)


def test_a_calibration_gives_the_widths(tmp_path: Any) -> None:
    """The steps are the finest that cover the observed range, state by state."""
    module = network(10, "cuba", "norse")
    np.save(tmp_path / "x.npy", stimulus(10).astype(np.float32))
    after = applied(module, f'ntensor-calibrate{{data="{tmp_path / "x.npy"}"}},ntensor-quantize-state{{bits=9}}')
    seen = neuron_of(after).attributes["ntensor.observed"].data
    widths = update_of(after).attributes["ntensor.widths"].data
    for name in ("i", "v"):
        lowest, highest = seen[name].values
        size = 2.0 ** -widths[name].data["fraction"].value.data
        assert -256 * size <= lowest <= highest <= 255 * size
        assert not -256 * size / 2 <= lowest <= highest <= 255 * size / 2


# ---- special cases


def test_integers_are_stored_reals() -> None:
    """Parameters and initial states of reals may be stored as integers; they become reals."""
    module = network(11, "lif", "norse")
    neuron = neuron_of(module)
    whole = {"v_threshold": ArrayAttr.of(np.array(3)), "v_leak": ArrayAttr.of(np.array(1))}
    neuron.params = DictionaryAttr({**neuron.params.data, **whole})
    neuron.canonical = DictionaryAttr({**neuron.canonical.data, "threshold": ArrayAttr.of(np.array(3.0))})
    neuron.initial = DictionaryAttr({"v": ArrayAttr.of(np.array(1))})
    after = applied(
        module,
        "ntensor-quantize-threshold{bits=2 range=given low=-1 high=1},ntensor-quantize-state{bits=2 fraction=1}",
    )
    assert params(after)["v_threshold"] == 1.0
    assert params(after, "initial")["v"] == 0.5
    assert params(after, "initial")["v"].dtype == np.float64


@pytest.mark.parametrize("value", [1e-320, 1e-30, 1e30, 1e300])
def test_numbers_of_any_size(value: float) -> None:
    """Ranges and biases at the ends of f64: finite numbers, and findings instead of exceptions."""
    module = network(12, "lif", "norse")
    neuron = neuron_of(module)
    neuron.attributes["ntensor.observed"] = DictionaryAttr({"v": ArrayAttr.of(np.array([-value, value]))})
    fc = next(op for op in module.walk() if isinstance(op, ntensor.LinearOp))
    fc.bias = ArrayAttr.of(np.full(NEURONS, value))
    found = Diagnostics()
    for passes in (
        "ntensor-quantize-bias{scale=own bits=4}",
        "ntensor-quantize-weights{bits=4 per=row},ntensor-quantize-bias",
        "ntensor-quantize-threshold{range=observed bits=4}",
        "ntensor-quantize-state{bits=4}",
        "ntensor-quantize-state{bits=4 fraction=0}",
    ):
        after = module.clone()
        nopt.apply(after, passes, diagnostics=found)
        (*_, record) = records(after)
        assert np.isfinite(record.largest.value.data)
        for values in (*params(after).values(), *params(after, "initial").values()):
            assert np.isfinite(values).all()
        assert np.isfinite(nopt.run(after, stimulus(12), engine="numpy", diagnostics=Diagnostics())["out"]).all()
    assert {"QUA037", "ANA026"} & {finding.code.id for finding in found.findings} or value < 1


def test_records_read_where_they_stand() -> None:
    """A record precedes the rounding; an emitted state equals the stored one."""
    text = """
neuron shown for nir.lif
param tau, r, v_leak, v_threshold, v_reset
param k = dt / tau
state v = v_leak
input x
v = v + k * (v_leak - v + r * x)
record u = v
record w = v * 2
emit value v
"""
    (read,) = parse_neurons(text).neurons
    update = build_update(read, options={}, precision=f64)
    made = narrowed(update, {"v": Width(8, 4, "saturate", "round")})
    check_module(ModuleOp([made.clone()]))
    last = made.step.block.last_op
    assert last is not None
    emitted, state, u, w = last.operands
    assert emitted is state
    assert state not in (u, w)
    lines = neuron_text(made).splitlines()
    kept = lines.index("v = clip(real(round(v * 16)) * 0.0625, -8, 7.9375)")
    assert lines.index("record u = v") < lines.index("record w = v * 2") < kept < lines.index("emit value v")
