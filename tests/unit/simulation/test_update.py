"""The evaluator of updates against plain loops: integers exactly, including overflow; reals bit for bit if their order is defined.

Every loop below is written from the equations, on Python's unbounded integers or on floats, and shares no code with the evaluator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pytest
from places import GOLDENS
from xdsl.dialects.builtin import f32, f64, i1
from xdsl.parser import Parser

from nopt.core.diagnostics import Refused
from nopt.core.ir.context import NoptContext
from nopt.core.neuron.neuron import combinations, parse_neurons
from nopt.dialects import fixed, ntensor
from nopt.dialects.equations.build import build_update
from nopt.simulation.scalars import scalar
from nopt.simulation.update import Accumulation, Step, derive, dtype_of, initial

CHIPS = GOLDENS / "dialects" / "equations" / "inputs" / "chips.neuron"
VECTORS = 1000
TICKS = 20


def chip(name: str, precision: Any = f64, **options: str) -> ntensor.UpdateOp:
    """Returns the update of one of the neurons of `chips.neuron`."""
    neuron = next(n for n in parse_neurons(CHIPS.read_text(encoding="utf-8")).neurons if n.name == name)
    return build_update(neuron, options=options, precision=precision)


def update_of(text: str, precision: Any = f64, **options: str) -> ntensor.UpdateOp:
    return build_update(parse_neurons(text).neurons[0], options=options, precision=precision)


def run(
    update: ntensor.UpdateOp, params: dict[str, Any], inputs: list[Any], start: dict[str, Any] | None = None
) -> Any:
    """Returns emitted values, records and states of every tick. Shapes: inputs [ticks, neurons] each; results likewise."""
    ticks, shape = len(inputs[0]), (1, *inputs[0].shape[1:])
    states = {name: np.broadcast_to(value, shape).copy() for name, value in initial(update, params).items()}
    for name, value in (start or {}).items():
        states[name][...] = value
    step = Step(update, params, shape)
    trace: dict[str, list[Any]] = {}
    for t in range(ticks):
        emission = step([given[t][None] for given in inputs], states)
        for name, value in {
            "": emission.value,
            **{f"record {k}": v for k, v in emission.records.items()},
            **states,
        }.items():
            trace.setdefault(name, []).append(value[0].copy())
    return {name: np.array(values) for name, values in trace.items()}


def integers(rng: np.random.Generator, low: int, high: int, *shape: int) -> Any:
    """Returns random integers of the whole range, a third of them near its ends or near zero."""
    values = rng.integers(low, high, shape, endpoint=True)
    near = rng.integers(-3, 3, shape, endpoint=True) + rng.choice([low, high, 0, low // 2, high // 2], shape)
    return np.where(rng.random(shape) < 0.33, np.clip(near, low, high), values)


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def clip(x: int, low: int, high: int) -> int:
    return min(max(x, low), high)


def wrapped(x: int, bits: int) -> int:
    return (x + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


# ---- chips, on whole ranges


def test_loihi_equals_a_loop() -> None:
    rng = np.random.default_rng(1)
    given = {
        "du": integers(rng, 0, 4095, VECTORS),
        "dv": integers(rng, 0, 4095, VECTORS),
        "vth": integers(rng, 0, 2**17 - 1, VECTORS),
        "bias": integers(rng, -4096, 4095, VECTORS),
        "e": integers(rng, -8, 7, VECTORS),
    }
    a = integers(rng, -(2**19), 2**19, TICKS, VECTORS)  # wider than the 18 bits of the input
    found = run(chip("loihi_cuba"), given, [a])
    for n in range(VECTORS):
        du, dv, vth, bias, e = (int(given[name][n]) for name in ("du", "dv", "vth", "bias", "e"))
        i = v = 0
        for t in range(TICKS):
            x = clip(int(a[t, n]), -(2**17), 2**17 - 1)
            w = truncated(i * (4095 - du), 4096) + x * 64
            i = clip(w - 2**24 if w > 2**23 else w + 2**24 if w <= -(2**23) else w, -(2**23) + 1, 2**23)
            shifted = bias * 2**e if e >= 0 else bias // 2**-e
            v = clip(truncated(v * (4096 - dv), 4096) + i + shifted, -(2**23) + 1, 2**23 - 1)
            z = v > vth * 64
            v = 0 if z else v
            assert (found[""][t, n], found["i"][t, n], found["v"][t, n]) == (z, i, v), (n, t)


def test_xylo_equals_a_loop() -> None:
    rng = np.random.default_rng(2)
    given = {
        "dash_syn": integers(rng, 0, 15, VECTORS),
        "dash_syn2": integers(rng, 0, 15, VECTORS),
        "dash_mem": integers(rng, 0, 15, VECTORS),
        "threshold": integers(rng, 1, 32767, VECTORS),
        "bias": integers(rng, -32768, 32767, VECTORS),
    }
    a, b = (integers(rng, -40000, 40000, TICKS, VECTORS) for _ in range(2))
    found = run(chip("xylo"), given, [a, b])

    def sat(x: int) -> int:
        return clip(x, -32768, 32767)

    def decayed(x: int, dash: int) -> int:
        return x // 2**dash if x // 2**dash != 0 else (x > 0) - (x < 0)

    for n in range(VECTORS):
        s, s2, m, th, bias = (int(given[name][n]) for name in given)
        i = i2 = v = 0
        for t in range(TICKS):
            i, i2 = sat(i + sat(int(a[t, n]))), sat(i2 + sat(int(b[t, n])))
            i, i2 = sat(i - decayed(i, s)), sat(i2 - decayed(i2, s2))
            v = sat(v + sat(sat(i + i2 - decayed(v, m)) + bias))
            count = clip(v // th, 0, 31)
            v = sat(v - count * th)
            assert (found[""][t, n], found["i"][t, n], found["i2"][t, n], found["v"][t, n]) == (count, i, i2, v), (n, t)


@pytest.mark.parametrize("reset", ["absolute", "linear", "none"])
@pytest.mark.parametrize("below", ["saturate", "reset"])
def test_truenorth_equals_a_loop(reset: str, below: str) -> None:
    rng = np.random.default_rng(3)
    given = {
        "leak": integers(rng, -256, 255, VECTORS),
        "threshold": integers(rng, 0, 2**18 - 1, VECTORS),
        "floor_v": integers(rng, 0, 2**18 - 1, VECTORS),
        "reset_v": integers(rng, -(2**19), 2**19 - 1, VECTORS),
    }
    a = integers(rng, -(2**20), 2**20, TICKS, VECTORS)
    found = run(chip("truenorth", reset=reset, below=below), given, [a])

    def sat(x: int) -> int:
        return clip(x, -(2**19), 2**19 - 1)

    for n in range(VECTORS):
        leak, th, floor, back = (int(given[name][n]) for name in given)
        v = 0
        for t in range(TICKS):
            v = sat(sat(v + sat(int(a[t, n]))) + leak)
            z = v >= th
            if z:
                v = {"absolute": back, "linear": v - th, "none": v}[reset]
            elif v < -floor:
                v = -floor if below == "saturate" else {"absolute": -back, "linear": v + floor, "none": v}[reset]
            v = sat(v)
            assert (found[""][t, n], found["v"][t, n]) == (z, v), (n, t)


def test_spinnaker_wraps_like_32_bits_and_waits() -> None:
    """s16.15 with products rounded down, a refractory counter, and `v` recorded before the update."""
    rng = np.random.default_rng(4)
    given = {
        "keep": integers(rng, 0, 32767, VECTORS),
        "wait": integers(rng, 0, 5, VECTORS),
        **{name: integers(rng, -(2**31), 2**31 - 1, VECTORS) for name in ("gain", "rest", "threshold", "back")},
    }
    a = integers(rng, -(2**32), 2**32, TICKS, VECTORS)
    found = run(chip("spinnaker"), given, [a])
    for n in range(VECTORS):
        keep, gain, rest, th, back, wait = (
            int(given[name][n]) for name in ("keep", "gain", "rest", "threshold", "back", "wait")
        )
        v, c = rest, 0
        for t in range(TICKS):
            before = v
            alpha = wrapped((wrapped(int(a[t, n]), 32) * gain >> 15) + rest, 32)
            if c == 0:
                v = wrapped(alpha - (keep * (alpha - v) >> 15), 32)
            z = v >= th
            v = back if z else v
            c = wait if z else max(c - 1, 0)
            expected = z, before, v, c
            assert (found[""][t, n], found["record v"][t, n], found["v"][t, n], found["c"][t, n]) == expected, (n, t)


def test_akida_equals_a_loop() -> None:
    rng = np.random.default_rng(5)
    given = {"threshold": integers(rng, -(2**19), 2**19 - 1, VECTORS), "step": integers(rng, 1, 4095, VECTORS)}
    pot = integers(rng, -(2**23), 2**23 - 1, TICKS, VECTORS)
    found = run(chip("akida"), given, [pot])[""]
    for n in range(VECTORS):
        th, step = int(given["threshold"][n]), int(given["step"][n])
        for t in range(TICKS):
            assert found[t, n] == clip(-((th - int(pot[t, n])) // (8 * step)), 0, 15)


def by_scalars(update: ntensor.UpdateOp, values: list[Any]) -> list[Any]:
    """Computes the step of one neuron in one tick, op by op on single numbers."""
    block = update.step.block
    held = dict(zip(block.args, values, strict=True))
    last = block.last_op
    assert last is not None
    for op in block.ops:
        if op is not last:
            function = scalar(op)
            assert function is not None, op.name
            held[op.results[0]] = function(*(held[x] for x in op.operands))
    return [held[x] for x in last.operands]


def value_of(rng: np.random.Generator, type: Any) -> Any:
    if isinstance(type, fixed.IntType):
        low, high = max(type.lower, -(2**40)), min(type.upper, 2**40)
        return int(integers(rng, low, high, 1)[0])
    if type == i1:
        return bool(rng.integers(2))
    real = float(rng.choice([0.0, -0.5, 1.0, rng.normal(), 5 * rng.normal()]))
    return float(np.float32(real)) if type == f32 else real


NEURONS = [
    pytest.param(neuron, options, id=".".join([neuron.name, *options.values()]))
    for neuron in parse_neurons(CHIPS.read_text(encoding="utf-8")).neurons
    for options in combinations(neuron.options)
]


@pytest.mark.parametrize(("neuron", "options"), NEURONS)
def test_arrays_equal_single_numbers(neuron: Any, options: dict[str, str]) -> None:
    """One tick from random states: integers and booleans equal, reals to 1e-12 (exp and log differ in the last bit)."""
    update = build_update(neuron, options=options, precision=f64)
    rng = np.random.default_rng(6)
    args = update.step.block.args
    rows = [[value_of(rng, arg.type) for arg in args] for _ in range(200)]
    columns = [np.array(column, dtype_of(arg.type)) for arg, column in zip(args, zip(*rows, strict=True), strict=True)]
    inputs, states = len(update.inputs), len(update.states)
    names = [name.data for name in update.params]
    step = Step(update, dict(zip(names, columns[inputs + states :], strict=True)), (1, len(rows)))
    held = {
        name.data: column[None].copy()
        for name, column in zip(update.states, columns[inputs : inputs + states], strict=True)
    }
    emission = step([column[None] for column in columns[:inputs]], held)
    found = [emission.value, *held.values(), *emission.records.values()]
    for n, row in enumerate(rows):
        for value, array in zip(by_scalars(update, row), found, strict=True):
            if isinstance(value, float):
                assert array[0, n] == pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)
            else:
                assert array[0, n] == value


# ---- integers at their bounds


@pytest.mark.parametrize("rounding", ["floor", "ceil", "truncate", "round"])
@pytest.mark.parametrize("divisor", ["d", "8", "-8", "7", "1"])
def test_divisions_round_as_they_say(rounding: str, divisor: str) -> None:
    exact: dict[str, Callable[[int, int], int]] = {
        "floor": lambda a, b: a // b,
        "ceil": lambda a, b: -(-a // b),
        "truncate": truncated,
        "round": lambda a, b: round_half_even(a, b),
    }
    text = f"neuron n\nparam d: u62 in 1..4611686018427387903\ninput a: s63\nemit graded {rounding}(a / {divisor})\n"
    text = text.replace(
        "param d: u62 in 1..4611686018427387903\n", "param d: u52 in 1..4503599627370495\n" * (divisor == "d")
    )
    rng = np.random.default_rng(7)
    a = integers(rng, -(2**62), 2**62 - 1, 1, VECTORS)
    d = np.where(rng.random(VECTORS) < 0.5, rng.integers(1, 20, VECTORS), rng.integers(1, 2**52, VECTORS))
    found = run(update_of(text), {"d": d}, [a])[""][0]
    for n in range(VECTORS):
        b = int(d[n]) if divisor == "d" else int(divisor)
        assert found[n] == exact[rounding](int(a[0, n]), b)


def round_half_even(a: int, b: int) -> int:
    twice, rest = divmod(2 * a + b, 2 * b)  # floor((a / b) + 1 / 2); exact halves went up
    return twice - (rest == 0 and twice % 2 != 0)


def test_wrap_and_saturate_into_any_interval() -> None:
    text = (
        "neuron n\ninput a: s63\nb: s5 wrap = a\nc: u5 wrap = a\nd: u4 wrap in 3..9 = a\ne: s64 wrap = a * 1\n"
        "f: s8 saturate in -7..100 = a\nrecord b = b\nrecord c = c\nrecord d = d\nrecord f = f\nemit graded e\n"
    )
    a = integers(np.random.default_rng(8), -(2**62), 2**62 - 1, 1, VECTORS)
    found = run(update_of(text), {}, [a])
    for n in range(VECTORS):
        x = int(a[0, n])
        expected = wrapped(x, 5), x % 32, (x - 3) % 7 + 3, x, clip(x, -7, 100)
        assert (
            tuple(int(found[name][0, n]) for name in ("record b", "record c", "record d", "", "record f")) == expected
        )


@pytest.mark.parametrize(
    "bounds",
    ["-9223372036854775808..5", "-7..9223372036854775807", "-5000000000000000000..5000000000000000000", "3..3", "0..0"],
)
def test_wrap_into_intervals_of_any_size(bounds: str) -> None:
    low, high = map(int, bounds.split(".."))
    a = integers(np.random.default_rng(12), -(2**63), 2**63 - 1, 1, VECTORS)
    found = run(update_of(f"neuron n\ninput a: s64\nb: s64 wrap in {bounds} = a\nemit graded b\n"), {}, [a])[""][0]
    assert [(int(x) - low) % (high - low + 1) + low for x in a[0]] == found.tolist()


def test_a_real_becomes_an_integer_within_its_bounds() -> None:
    """Halves round to even, infinities to the bounds, NaN to the lower bound."""
    text = "neuron n\ninput x\nemit graded clip(round(x), -10, 20)\n"
    x = np.array([[0.5, 1.5, 2.5, -0.5, -1.5, 19.5, 20.5, 1e300, -np.inf, np.inf, np.nan, -10.4]])
    expected = [0, 2, 2, 0, -2, 20, 20, 20, -10, 20, -10, -10]
    for precision in (f64, f32):
        assert run(update_of(text, precision), {}, [x])[""][0].tolist() == expected


def test_counters_and_timers_count_exactly() -> None:
    """Three forms of a refractory period of `p` ticks have equal results; the bounded one needs no saturation."""
    lines = ("c - 1 if c > 0 else 0", "max(c - 1, 0)", "c if c == 0 else c - 1")
    x = np.random.default_rng(9).random((50, VECTORS)) < 0.4
    p = np.arange(VECTORS) % 256
    for line in lines:
        text = f"neuron n\nparam p: u8\nstate c: u8\ninput x: bool\nz = x and c == 0\nc = p if z else {line}\nemit spike z\n"
        found = run(update_of(text), {"p": p}, [x])
        for n in range(0, VECTORS, 7):
            c = 0
            for t in range(50):
                z = bool(x[t, n]) and c == 0
                c = int(p[n]) if z else max(c - 1, 0)
                assert (found[""][t, n], found["c"][t, n]) == (z, c)


# ---- reals

NORSE = """
neuron norse for lif
option reset = value | subtract
param tau [s], r, v_leak, v_threshold, v_reset
param k = dt / tau
canonical decay = 1 - k, threshold = v_threshold
state v = v_leak
input x
v = v + k * (v_leak - v + r * x)
z = v > v_threshold
v = (v_reset if reset is value else v - v_threshold) if z else v
emit spike z
"""


@pytest.mark.parametrize("precision", [f64, f32], ids=["f64", "f32"])
@pytest.mark.parametrize("reset", ["value", "subtract"])
def test_lif_equals_a_loop_bit_for_bit(precision: Any, reset: str) -> None:
    """Per-neuron parameters, leak and reset not zero; every operation in the precision of the network."""
    real = np.float32 if precision == f32 else np.float64
    rng = np.random.default_rng(10)
    raw = {
        "tau": rng.uniform(5e-3, 2e-2, 50),
        "r": np.array(1.5),
        "v_leak": rng.normal(0.1, 0.05, 50),
        "v_threshold": np.array(1.0),
        "v_reset": rng.normal(-0.2, 0.05, 50),
    }
    update = update_of(NORSE, precision, reset=reset)
    params = derive(update, 1e-3, raw)
    x = rng.normal(1.0, 1.0, (100, 50))
    found = run(update, params, [x])
    for n in range(50):
        k = real(1e-3 / raw["tau"][n])
        leak, back, r, th = real(raw["v_leak"][n]), real(raw["v_reset"][n]), real(1.5), real(1.0)
        v = leak
        for t in range(100):
            v = v + k * (leak - v + r * real(x[t, n]))
            z = v > th
            v = (back if reset == "value" else v - th) if z else v
            assert found[""][t, n] == z
            assert found["v"][t, n] == v
    assert found["v"].dtype == real
    assert found[""].dtype == bool


def test_derived_parameters_are_those_of_the_c_library() -> None:
    """Value by value with math.exp, canonical ones included; equal values become one."""
    text = "neuron n\nparam tau, r\nparam a = exp(-dt / tau), b = (1 - a) * r\ncanonical decay = a, gain = b\n"
    update = update_of(text + "state v\ninput x\nv = a * v + b * x\nemit value v\n")
    tau = np.random.default_rng(11).uniform(1e-3, 1.0, 500)
    found = derive(update, 1e-4, {"tau": tau, "r": np.array(2.0)})
    assert sorted(found) == ["a", "b", "decay", "gain"]
    assert found["a"].tolist() == [math.exp(-1e-4 / t) for t in tau]
    assert found["gain"].tolist() == [(1 - math.exp(-1e-4 / t)) * 2.0 for t in tau]
    uniform = derive(update, 1e-4, {"tau": np.full((3, 4), 0.02), "r": np.full((3, 4), 1.0)})
    assert {name: value.shape for name, value in uniform.items()} == dict.fromkeys(found, ())


def test_integer_parameters_are_derived_and_checked() -> None:
    update = chip("loihi_cuba")
    raw = {"decay_i": np.array(0.5), "decay_v": np.array([0.9, 1.0]), "vth": 100, "bias": -3, "e": [2, -8]}
    found = derive(update, 1e-3, {name: np.asarray(value) for name, value in raw.items()})
    assert {name: value.tolist() for name, value in found.items()} == {
        "vth": 100,
        "bias": -3,
        "e": [2, -8],
        "du": 2047,  # round(4096 * 0.5 - 1)
        "dv": [410, 0],  # round(4096 * 0.1) = round(409.6)
    }
    assert found["du"].dtype == np.int64
    for wrong in (0.5, 131072.0, np.nan):
        with pytest.raises(Refused, match=r"SIM003.*vth"):
            derive(update, 1e-3, {**{name: np.asarray(value) for name, value in raw.items()}, "vth": np.array(wrong)})


def test_what_is_missing_or_no_number_is_refused() -> None:
    update = update_of(NORSE)
    raw = {name.data: np.array(1.0) for name in update.raw}
    with pytest.raises(Refused, match=r"SIM002.*tau"):
        derive(update, 1e-3, {name: value for name, value in raw.items() if name != "tau"})
    update = update_of("neuron n\nparam a\nparam b = sqrt(a)\ninput x\nemit value b * x\n")
    with pytest.raises(Refused, match=r"SIM004.*b"):
        derive(update, 1e-3, {"a": np.array(-1.0)})


def test_infinities_are_those_of_ieee() -> None:
    update = update_of(
        "neuron n\nparam a\nparam b = 1 / a, c = exp(1000 * a), d = log(a - a)\ninput x\nemit value x * b + c + d\n"
    )
    found = derive(update, 1e-3, {"a": np.array(1.0)})
    assert (float(found["b"]), float(found["c"]), float(found["d"])) == (1.0, math.inf, -math.inf)
    assert derive(update, 1e-3, {"a": np.array(-0.0)})["b"] == -math.inf


# ---- execution of a step


def test_states_may_swap_and_records_may_show_old_ones() -> None:
    text = "neuron n\nstate a = 1, b = 2\ninput x\nrecord old = a\nc = a\na = b\nb = c\nrecord new = a\nemit value c + 0 * x\n"
    found = run(update_of(text), {}, [np.zeros((3, 2))])
    assert found["a"][:, 0].tolist() == [2, 1, 2]
    assert found["b"][:, 0].tolist() == [1, 2, 1]
    assert found["record old"][:, 0].tolist() == [1, 2, 1]
    assert found["record new"][:, 0].tolist() == [2, 1, 2]
    assert found[""][:, 0].tolist() == [1, 2, 1]


def test_inputs_are_cast_to_the_type_of_the_region() -> None:
    update = update_of("neuron n\nstate v\ninput x\nv = v + x\nemit value v\n", f32)
    for x in (np.array([[True]]), np.array([[1]], np.int8), np.array([[1.0]])):
        found = run(update, {}, [x])[""]
        assert (found.dtype, found.item()) == (np.float32, 1.0)


def test_a_neuron_without_states_and_one_that_emits_a_constant() -> None:
    found = run(
        update_of("neuron n\nparam th\ninput x\nemit spike x > th\n"), {"th": np.array(0.5)}, [np.array([[0.0, 1.0]])]
    )
    assert found[""].tolist() == [[False, True]]
    found = run(
        update_of("neuron n\nparam th\ninput x\nrecord x = x\nemit value th\n"),
        {"th": np.array(0.5)},
        [np.zeros((1, 3))],
    )
    assert found[""].tolist() == [[0.5, 0.5, 0.5]]


def test_a_step_follows_new_arrays_of_states() -> None:
    update = update_of("neuron n\nstate v\ninput x\nv = v + x\nemit value v\n")
    step = Step(update, {}, (1, 2))
    first, second = {"v": np.zeros((1, 2))}, {"v": np.full((1, 2), 10.0)}
    step([np.ones((1, 2))], first)
    assert step([np.ones((1, 2))], second).value.tolist() == [[11.0, 11.0]]
    assert step([np.ones((1, 2))], first).value.tolist() == [[2.0, 2.0]]
    with pytest.raises(ValueError, match="state v"):
        step([np.ones((1, 2))], {"v": np.zeros((1, 2), np.float32)})


LEAST = """
ntensor.update @least <graded> states ["i"] initial {
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.widen %0 : !fixed.int<5, 5> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  ntensor.emit %i, %i : !fixed.int<-8, 7>, !fixed.int<-8, 7>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %i: !fixed.int<-8, 7>):
  %2 = fixed.min %i, %a : !fixed.int<-8, 7>, !fixed.int<-8, 7> -> !fixed.int<-8, 7>
  ntensor.accumulated %2 : !fixed.int<-8, 7>
}
"""


def test_a_term_of_zero_is_none() -> None:
    """Holds even if a rule would have an effect for it, and for every given array of states."""
    update = Parser(NoptContext(), LEAST).parse_op()
    assert isinstance(update, ntensor.UpdateOp)
    update.verify()
    ((name, into, block),) = update.accumulators
    accumulation = Accumulation(update, name, into, block, (3,))
    for _ in range(2):
        state = np.array([5, 5, 5])
        for terms in ([0, 3, 7], [6, 0, -8], [0, 4, 0]):
            accumulation(np.array(terms), state)
        assert state.tolist() == [5, 3, -8]


def test_an_unknown_op_is_refused() -> None:
    from xdsl.dialects.math import TanOp

    update = update_of("neuron n\nstate v\ninput x\nv = exp(v + x)\nemit value v\n")
    op = next(op for op in update.step.block.ops if op.name == "math.exp")
    tan = TanOp(op.operands[0])
    update.step.block.insert_op_before(tan, op)
    op.results[0].replace_all_uses_with(tan.results[0])
    op.detach()
    with pytest.raises(Refused, match=r"SIM001.*math.tan"):
        Step(update, {}, (1, 1))


def test_a_tick_of_nine_thousand_neurons_is_fast() -> None:
    """300 ticks of 9,000 LIF neurons in f32 took 4 ms; a tenth of a second is the limit that a whole network leaves them."""
    update = update_of(NORSE, f32)
    params = derive(update, 1e-3, {name.data: np.array(1.0) for name in update.raw})
    states = {"v": np.ones((1, 9000), np.float32)}
    step, x = Step(update, params, (1, 9000)), [np.ones((1, 9000), np.float32)]
    start = process_time()
    for _ in range(300):
        step(x, states)
    assert process_time() - start < 0.1
