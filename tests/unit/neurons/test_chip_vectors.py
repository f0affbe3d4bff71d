"""Every chip's neuron against a plain loop: 10,000 random neurons over whole ranges of state, input and parameters, several ticks each.

The loops are written from the published equations, on Python's unbounded integers, and share nothing with the language or its engine.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from chips import FILES, compare, integers, ranges, run, update_of
from extent import FACTOR
from xdsl.dialects.builtin import f32, f64

from nopt.core.neuron.neuron import check_neuron, combinations, format, parse_neurons
from nopt.dialects.equations.build import build_update
from nopt.dialects.equations.text import neuron_text

VECTORS = 10_000
TICKS = 4

INT = {bits: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (9, 16, 17, 18, 20, 32)}


def clip(x: int, low: int, high: int) -> int:
    return low if x < low else high if x > high else x


def wrapped(x: int, bits: int) -> int:
    return (x + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def toward_zero(a: int, b: int) -> int:
    return a // b if a >= 0 else -(-a // b)


def sampled(update: Any, rng: np.random.Generator, **narrower: tuple[int, int]) -> dict[str, dict[str, Any]]:
    """Returns random parameters and states over the whole ranges of their types, or over given ranges."""
    params, states = ranges(update)
    return {
        what: {name: integers(rng, *narrower.get(name, whole), VECTORS) for name, whole in held.items()}
        for what, held in (("params", params), ("start", states))
    }


def assert_both(emitted: Any, low: float = 0.02, high: float = 0.98) -> None:
    """Checks that some neurons spike and some do not, so the vectors reach both sides of the threshold."""
    share = float(np.mean(emitted != 0))
    assert low < share < high, share


# ---- Loihi


def loihi(p: dict[str, int], held: list[int], x: dict[str, int]) -> tuple[int, ...]:
    """Computes the fixed-point model of Lava: decays toward zero, i wraps once, v is clipped, the comparison is strict.

    The refractory period is that of nengo-loihi: v is held at 0 while it lasts.
    """
    big = 2**23
    i, v, wait = held
    i = toward_zero(i * (4096 - (p["du"] + 1)), 4096) + x["a"] * 64
    if i > big:
        i -= 2 * big
    elif i <= -big:
        i += 2 * big
    bias = p["bias"] * 2 ** p["e"] if p["e"] >= 0 else p["bias"] // 2 ** -p["e"]
    v = 0 if wait > 0 else clip(toward_zero(v * (4096 - p["dv"]), 4096) + i + bias, -big + 1, big - 1)
    z = v > p["vth"] * 64
    v = 0 if z else v
    return z, i, v, p["refractory"] - 1 if z else max(wait - 1, 0)


def test_loihi() -> None:
    rng = np.random.default_rng(1)
    update = update_of("loihi")
    inputs = {"a": integers(rng, *INT[18], TICKS, VECTORS)}
    assert_both(compare(update, loihi, inputs, **sampled(update, rng))[""])


def loihi_nengo(p: dict[str, int], held: list[int], x: dict[str, int]) -> tuple[int, ...]:
    """Computes Nengo-Loihi: two's complement of 22 and 24 bits, v between two registers and at 0 during the refractory period."""
    i, v, wait = held
    i = wrapped(toward_zero(i * (4096 - 1 - p["du"]), 4096) + wrapped(x["a"] * 64, 22), 24)
    v = toward_zero(v * (4096 - p["dv"]), 4096) + wrapped(i + p["bias"], 24)
    v = 0 if wait > 0 else clip(v, p["low"], p["high"])
    z = v > p["vth"] * 64
    wait = p["refractory"] if z else wait
    return z, i, 0 if z else v, max(wait - 1, 0)


def test_loihi_of_nengo() -> None:
    rng = np.random.default_rng(2)
    update = update_of("loihi", "loihi_nengo")
    inputs = {"a": integers(rng, *INT[32], TICKS, VECTORS)}
    assert_both(compare(update, loihi_nengo, inputs, **sampled(update, rng))[""])


def loihi_brian(p: dict[str, int], held: list[int], x: dict[str, int]) -> tuple[int, ...]:
    """Computes Brian2-Loihi: decrements are rounded away from zero, nothing wraps, v is constant during the refractory period."""
    i, v, wait = held
    i -= (-(-abs(i) * (p["du"] + 1) // 4096)) * (1 if i > 0 else -1)
    i += x["a"] * 64
    if wait == 0:
        v += i - (-(-abs(v) * p["dv"] // 4096)) * (1 if v > 0 else -1)
    z = wait == 0 and v > p["vth"] * 64
    return z, i, 0 if z else v, p["refractory"] - 1 if z else max(wait - 1, 0)


def test_loihi_of_brian() -> None:
    """States as large as they get without a bound, far below the width of their type."""
    rng = np.random.default_rng(3)
    update = update_of("loihi", "loihi_brian")
    inputs = {"a": integers(rng, *INT[18], TICKS, VECTORS)}
    vectors = sampled(update, rng, i=(-(2**36), 2**36), v=(-(2**40), 2**40))
    vectors["start"]["wait"] *= rng.random(VECTORS) < 0.2
    assert_both(compare(update, loihi_brian, inputs, **vectors)[""])


# ---- TrueNorth


@pytest.mark.parametrize("reset", ["value", "subtract", "none"])
@pytest.mark.parametrize("below", ["saturate", "reset"])
@pytest.mark.parametrize("sign_of", ["constant", "reversal"])
def test_truenorth(reset: str, below: str, sign_of: str) -> None:
    """Integration axon by axon, leak, threshold; 20 bits that saturate at every addition."""

    def sat(x: int) -> int:
        return clip(x, *INT[20])

    def loop(p: dict[str, int], held: list[int], x: dict[str, Any]) -> tuple[int, ...]:
        (v,) = held
        for weight in x["a"]:
            v = sat(v + weight)
        if sign_of == "constant":
            v = sat(v + p["lambda"])
        else:
            omega = (v > 0) - (v < 0)
            leaked = sat(v + omega * p["lambda"])
            v = 0 if leaked * v < 0 else leaked
        alpha, beta, back = p["alpha"], p["beta"], p.get("back", 0)
        z = v >= alpha
        if z:
            v = {"value": back, "subtract": v - alpha, "none": v}[reset]
        elif v < -beta:
            v = -beta if below == "saturate" else {"value": -back, "subtract": v + beta, "none": v}[reset]
        return z, sat(v)

    rng = np.random.default_rng(4)
    update = update_of("truenorth", reset=reset, below=below, sign_of=sign_of)
    inputs = {"a": integers(rng, *INT[9], TICKS, VECTORS, 3)}
    assert_both(compare(update, loop, inputs, **sampled(update, rng))[""])


BY_HAND = [
    ({}, 90, 10, {}, (True, 7)),  # 90 + 10 reaches 100 at equality; absolute reset to 7
    ({"reset": "subtract"}, 90, 25, {}, (True, 15)),
    ({"reset": "none"}, 90, 25, {}, (True, 115)),
    ({}, 90, 12, {"lambda": -3}, (False, 99)),  # the leak comes before the threshold
    ({}, 0, -50, {}, (False, -50)),  # the negative threshold is strict
    ({}, 0, -51, {}, (False, -50)),
    ({"below": "reset"}, 0, -51, {}, (False, -7)),
    ({"below": "reset", "reset": "subtract"}, 0, -51, {}, (False, -1)),
    ({"below": "reset", "reset": "none"}, 0, -51, {}, (False, -51)),
    ({"sign_of": "reversal"}, 10, 0, {"lambda": -3}, (False, 7)),
    ({"sign_of": "reversal"}, -10, 0, {"lambda": -3}, (False, -7)),
    ({"sign_of": "reversal"}, -2, 0, {"lambda": -5}, (False, 0)),  # it stops at a change of its sign
    ({"sign_of": "reversal"}, 0, 0, {"lambda": 5}, (False, 0)),
    ({"reset": "none"}, 524_280, 100, {}, (True, 524_287)),  # 20 bits
]


@pytest.mark.parametrize(("options", "v", "a", "changed", "wanted"), BY_HAND)
def test_truenorth_by_hand(options: Any, v: int, a: int, changed: Any, wanted: tuple[bool, int]) -> None:
    """Threshold 100, negative threshold 50, reset to 7."""
    params = {"alpha": 100, "beta": 50, "back": 7, "lambda": 0} | changed
    found = run(update_of("truenorth", **options), params, {"a": np.array([[[a]]])}, {"v": v})
    assert (found[""].item(), found["v"].item()) == wanted


# ---- SpiNNaker


def relaxed(v: int, i: int, r: int, rest: int, keep: int) -> int:
    """Returns v = alpha + d (v - alpha) in s16.15: 32 bits that wrap, products rounded down."""
    alpha = wrapped((i * r >> 15) + rest, 32)
    return wrapped(alpha - (keep * wrapped(alpha - v, 32) >> 15), 32)


def spinnaker_curr_exp(p: dict[str, int], held: list[int], x: dict[str, int]) -> tuple[int, ...]:
    exc, inh, v, refract = held
    exc = wrapped(exc + (clip(x["ring_exc"], 0, 65535) * 2 ** p["shift_exc"] * p["init_exc"] // 2**32), 32)
    inh = wrapped(inh + (clip(x["ring_inh"], 0, 65535) * 2 ** p["shift_inh"] * p["init_inh"] // 2**32), 32)
    if refract <= 0:
        i = wrapped(exc - inh + p["offset"], 32)
        v = relaxed(v, i, p["r_membrane"], p["v_rest"], p["exp_tc"])
    else:
        refract -= 1
    z = v >= p["v_threshold"]
    if z:
        v, refract = p["v_reset"], p["t_refract"]
    return z, exc * p["decay_exc"] // 2**32, inh * p["decay_inh"] // 2**32, v, refract


def test_spinnaker_curr_exp() -> None:
    """Two unsigned rings, two currents, a refractory counter; v is recorded before it changes."""
    rng = np.random.default_rng(5)
    update = update_of("spinnaker", "spinnaker_curr_exp")
    inputs = {name: integers(rng, 0, 2**17, TICKS, VECTORS) for name in ("ring_exc", "ring_inh")}
    vectors = sampled(update, rng)
    vectors["start"]["refract"] *= rng.random(VECTORS) < 0.5
    found = compare(update, spinnaker_curr_exp, inputs, **vectors)
    assert_both(found[""])
    assert np.array_equal(found["record v"], np.vstack([vectors["start"]["v"], found["v"][:-1]]))


def test_spinnaker_of_one_current() -> None:
    def loop(p: dict[str, int], held: list[int], x: dict[str, int]) -> tuple[int, ...]:
        i, v = held
        i = wrapped(i + (clip(x["a"], *INT[17]) * 256 * p["init"] // 2**32), 32)
        v = relaxed(v, i, p["r_membrane"], p["v_rest"], p["exp_tc"])
        z = v >= p["v_threshold"]
        return z, i * p["decay_syn"] // 2**32, 0 if z else v

    rng = np.random.default_rng(6)
    update = update_of("spinnaker")
    inputs = {"a": integers(rng, -(2**17), 2**17, TICKS, VECTORS)}
    assert_both(compare(update, loop, inputs, **sampled(update, rng))[""])


def test_one_current_is_the_chip_for_one_sign() -> None:
    """With excitatory synapses alone, `spinnaker` is `spinnaker_curr_exp` bit for bit; with both signs at most 2^-15 a tick apart."""
    rng = np.random.default_rng(8)
    keep, init, syn, r = 31000, 4000000000, 3500000000, 32768 * 5
    one = {"init": init, "decay_syn": syn, "exp_tc": keep, "r_membrane": r, "v_rest": -100, "v_threshold": 2**30}
    two = {"shift_exc": 8, "init_exc": init, "decay_exc": syn, "shift_inh": 8, "init_inh": init, "decay_inh": syn}
    two |= {"r_membrane": r, "v_rest": -100, "offset": 0, "exp_tc": keep, "v_threshold": 2**30, "v_reset": 0}
    plus, minus = (integers(rng, 0, 300, 50, 100) for _ in range(2))
    update, chip = update_of("spinnaker"), update_of("spinnaker", "spinnaker_curr_exp")
    ours = run(update, one, {"a": plus})
    theirs = run(chip, two | {"t_refract": 0}, {"ring_exc": plus, "ring_inh": 0 * plus})
    assert all(np.array_equal(ours[name], theirs[name]) for name in ("", "v"))
    ours = run(update, one, {"a": plus - minus})["i"]
    theirs = run(chip, two | {"t_refract": 0}, {"ring_exc": plus, "ring_inh": minus})
    assert 0 < np.abs(ours - (theirs["exc"] - theirs["inh"])).max() <= 2 * 50


# ---- Xylo


def lost(x: int, dash: int) -> int:
    """Returns the loss of a state of Xylo in a tick: x >> dash, or its sign if that is zero."""
    r = x // 2**dash
    return r if r != 0 else (x > 0) - (x < 0)


def sat16(x: int) -> int:
    return clip(x, *INT[16])


@pytest.mark.parametrize(("name", "most"), [("xylo", 31), ("xylo", 1), ("xylo_two", 31)])
def test_xylo(name: str, most: int) -> None:
    """Every event saturates separately; decay; the sum of all currents saturates, then with the bias, then with v; spikes one by one."""

    def loop(p: dict[str, int], held: list[int], x: dict[str, Any]) -> tuple[int, ...]:
        *currents, v = held
        for k, events in enumerate(x.values()):
            for weight in events:
                currents[k] = sat16(currents[k] + weight)
        dashes = [p[dash] for dash in ("dash_syn", "dash_syn_2") if dash in p]
        currents = [i - lost(i, dash) for i, dash in zip(currents, dashes, strict=True)]
        dv = sat16(sat16(sum(currents) - lost(v, p["dash_mem"])) + p["bias"])
        v, n = sat16(v + dv), 0
        while v >= p["th"] and n < most:
            v, n = v - p["th"], n + 1
        return n, *currents, v

    rng = np.random.default_rng(9)
    update = update_of("xylo", name, **({"spikes": "one" if most == 1 else "many"} if name == "xylo" else {}))
    names = ["a", "a_2"] if name == "xylo_two" else ["a"]
    inputs = {one: integers(rng, -40_000, 40_000, TICKS, VECTORS, 3) for one in names}
    assert_both(compare(update, loop, inputs, **sampled(update, rng))[""])


def test_saturation_at_every_event_is_not_saturation_of_the_sum() -> None:
    """32767 + 100 stays 32767, then - 100: 32667; the sum alone would be 32767. Then i loses i >> 4 = 2041."""
    params = {"dash_syn": 4, "dash_mem": 0, "th": 32767, "bias": 0}
    found = run(update_of("xylo"), params, {"a": np.array([[[100, -100]]])}, {"i": 32767})
    assert found["i"].item() == 32667 - 2041


# ---- Speck


@pytest.mark.parametrize("reset", ["subtract", "zero"])
def test_speck(reset: str) -> None:
    def loop(p: dict[str, int], held: list[int], x: dict[str, int]) -> tuple[int, ...]:
        v = held[0] + clip(x["a"], *INT[32]) + p["bias"]
        n = v // p["th"] if v > 0 else 0
        if n:
            v = v - n * p["th"] if reset == "subtract" else 0
        return n, sat16(max(v, p["low"]))

    rng = np.random.default_rng(10)
    update = update_of("speck", reset=reset)
    inputs = {"a": integers(rng, -(2**32), 2**32, TICKS, VECTORS)}
    assert_both(compare(update, loop, inputs, **sampled(update, rng))[""])


def test_speck_by_hand() -> None:
    """Threshold 100: 250 produces two spikes and leaves 50; -60 leaves -10; -40000 stops at the lower end; 100 is reached at equality."""
    params = {"th": 100, "low": -32768, "bias": 0}
    found = run(update_of("speck"), params, {"a": np.array([[250], [-60], [-40000], [32868]])})
    assert found[""][:, 0].tolist() == [2, 0, 0, 1]
    assert found["v"][:, 0].tolist() == [50, -10, -32768, 0]


# ---- Akida


def single(x: float) -> float:
    """Returns the nearest single-precision real."""
    return struct.unpack("f", struct.pack("f", x))[0]


@pytest.mark.parametrize(("act_bits", "bits"), [("one", 1), ("two", 2), ("four", 4)])
def test_akida(act_bits: str, bits: int) -> None:
    """A quotient of two singles, computed in double precision and rounded once, is the quotient of single precision (53 > 2 * 24 + 1)."""

    def loop(p: dict[str, Any], held: list[int], x: dict[str, int]) -> tuple[int, ...]:
        return (clip(math.ceil(single(single(x["a"] - p["th"]) / p["step"])), 0, 2**bits - 1),)

    rng = np.random.default_rng(11)
    update = update_of("akida", act_bits=act_bits)
    act_step = np.exp2(rng.uniform(-8, 12, VECTORS)).astype(np.float32)
    step = act_step * np.float32(2 ** (4 - bits))
    inputs = {"a": integers(rng, *INT[32], TICKS, VECTORS)}
    inputs["a"][: TICKS // 2] >>= 16
    params = {"th": integers(rng, *INT[32], VECTORS) >> 12, "step": step}
    assert_both(compare(update, loop, inputs, params=params, start={})[""])


def test_akida_by_hand() -> None:
    """act_bits 2, act_step 3: steps of 3 * 2^(4 - 2) = 12 above a threshold of 5, exclusive; at most 3."""
    pot = np.array([[5], [6], [17], [18], [29], [30], [41], [1000], [-7]])
    found = run(update_of("akida", act_bits="two"), {"th": 5, "step": np.float32(12)}, {"a": pot})
    assert found[""][:, 0].tolist() == [0, 1, 1, 2, 2, 3, 3, 3, 0]


# ---- all of them

MOST_COMBINATIONS = 32


def some_combinations(options: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Returns all combinations of values; of many, some in which each value occurs."""
    found = list(combinations(options))
    if len(found) <= MOST_COMBINATIONS:
        return found
    longest = max(map(len, options.values()))
    return [{name: values[k % len(values)] for name, values in options.items()} for k in range(longest)]


NEURONS = [
    pytest.param(neuron, options, precision, id=".".join([neuron.name, *options.values(), str(precision)]))
    for path in FILES
    for neuron in parse_neurons(path.read_text(encoding="utf-8"), path.name).neurons
    for options in some_combinations(neuron.options)
    for precision in (f64, f32)
]
EACH = [*{(one.values[0].name, str(one.values[2])): one for one in NEURONS}.values()]
"""Each neuron in each precision, with one combination of its options."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_have_a_source_and_the_one_layout(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    assert "# Source: " in text
    assert format(parse_neurons(text, path.name)) == text


@pytest.mark.parametrize(("neuron", "options", "precision"), NEURONS if FACTOR > 1 else EACH)
def test_reads_back_from_ir(neuron: Any, options: dict[str, str], precision: Any) -> None:
    update = build_update(neuron, options=options, precision=precision)
    update.verify()
    read = parse_neurons(neuron_text(update)).neurons[0]
    check_neuron(read)
    again = build_update(read, options={}, precision=precision, symbol=update.sym_name.data)
    assert neuron_text(again) == neuron_text(update)
