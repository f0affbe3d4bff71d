"""Every preset on every family agrees with plain Python on random signed input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nir
import numpy as np
import pytest
from graphs import f32, graph, run
from plain import COUNTING, FAMILIES, OWN, SPIKING, population
from xdsl.dialects.builtin import f64

from nopt.core.diagnostics import Diagnostics
from nopt.core.neuron.neuron import check_neuron, parse_neurons
from nopt.core.registry import presets
from nopt.dialects.equations.build import build_update
from nopt.dialects.ntensor import UpdateOp
from nopt.simulation.update import Step, derive, initial

DT = 1e-3
KINDS = {
    "lif": nir.LIF,
    "cuba_lif": nir.CubaLIF,
    "if": nir.IF,
    "li": nir.LI,
    "cuba_li": nir.CubaLI,
    "i": nir.I,
    "threshold": nir.Threshold,
}


def parameters(family: str, n: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Returns parameters for every neuron, in the f32 of a file."""
    ranges = {
        "tau": (4e-3, 3e-2),
        "tau_syn": (3e-3, 2e-2),
        "tau_mem": (4e-3, 3e-2),
        "r": (0.5, 2),
        "v_leak": (-0.2, 0.3),
        "v_threshold": (0.4, 1),
        "threshold": (-0.5, 1),
        "v_reset": (-0.3, 0.1),
        "w_in": (0.5, 3),
    }
    return {name: f32(rng.uniform(*ranges[name], n)) for name in FAMILIES[family]}


def cases() -> Iterator[tuple[str, str, str | None]]:
    for preset in OWN:
        for family in FAMILIES:
            resets = (None, "value", "zero", "subtract") if family in ("lif", "cuba_lif", "if") else (None,)
            if preset == "snntorch" and len(resets) > 1:
                resets += ("subtract_next", "zero_next", "zero_hold", "none")
            if (preset, family) == ("spyx_0_1", "cuba_lif"):
                resets += ("subtract_twice",)
            yield from ((preset, family, reset) for reset in resets)


@pytest.mark.parametrize(("preset", "family", "reset"), list(cases()))
def test_family(preset: str, family: str, reset: str | None) -> None:
    rng = np.random.default_rng(7)
    n, ticks = 6, 150
    params = parameters(family, n, rng)
    x = rng.normal(0.3, 3, (ticks, n))
    if family == "if":
        x *= 0.25 if "if" in OWN[preset] and preset != "spikingjelly" else 250  # these multiply by dt
    net = graph({"cell": KINDS[family](**params)}, [("in", "cell"), ("cell", "out")], {"in": n}, {"out": n})
    states = [] if family == "threshold" else ["cell.v"]
    found = run(net, x, ["cell", *states], like=preset, dt="1ms", **({"reset": reset} if reset else {}))
    plain = population(preset, family, reset, DT, params)
    expected, v = np.zeros((2, ticks, n))
    for t in range(ticks):
        expected[t] = [neuron(arrived) for neuron, arrived in zip(plain, x[t], strict=True)]
        v[t] = [neuron.v for neuron in plain]
    if family in SPIKING:
        assert expected.any(), "nothing spikes: the case proves nothing"
        np.testing.assert_array_equal(found["cell"], expected)
    if states:
        np.testing.assert_allclose(found["cell.v"], v, rtol=0, atol=1e-9)
    if family in SPIKING:
        own = family in OWN[preset]
        assert found["cell"].dtype == (np.int32 if preset in COUNTING and own else bool)
        assert (found["cell"] == found["out"]).all()


@pytest.mark.parametrize("preset", OWN)
def test_what_a_preset_does_not_define_is_said(preset: str) -> None:
    """A remark names the nodes of exactly those families that fall back to forward Euler."""
    for family in FAMILIES:
        findings = Diagnostics()
        params = parameters(family, 2, np.random.default_rng(0))
        net = graph({"a cell": KINDS[family](**params)}, [("in", "a cell"), ("a cell", "out")], {"in": 2}, {"out": 2})
        run(net, np.zeros((3, 2)), findings=findings, like=preset, dt="1ms")
        said = [finding for finding in findings.findings if finding.code.id == "ANA018"]
        assert [finding.node for finding in said] == ([] if family in OWN[preset] else ["a cell"])


# ---- the canonical parameters

RULES = [
    pytest.param(path, k, id=neuron.name)
    for path in presets().values()
    for k, neuron in enumerate(parse_neurons(path.read_text(encoding="utf-8"), path.name).neurons)
]


@pytest.mark.parametrize(("path", "k"), RULES)
def test_canonical_parameters_mean_the_update(path: Any, k: int) -> None:
    """Below the threshold: `i' = decay_i i + gain_i x` and `v' = decay (v - leak) + leak + gain (i' or x)`, to 1e-12.

    The bound: a handful of f64 operations on numbers below 10, each with a relative error of 1.1e-16.
    """
    neuron = parse_neurons(path.read_text(encoding="utf-8"), path.name).neurons[k]
    check_neuron(neuron)
    (family,) = (name.removeprefix("nir.") for name in neuron.families)
    update = build_update(neuron, options={}, precision=f64)
    rng = np.random.default_rng(k)
    n = 50
    raw = {name: values.astype(float) for name, values in parameters(family, n, rng).items()}
    derived = derive(update, DT, raw)
    meaning = {name.data: derived[name.data] for name in update.canonical}
    if family == "threshold":
        assert (meaning["decay"], meaning["gain"]) == (0, 1)
        np.testing.assert_array_equal(meaning["threshold"], raw["threshold"])
        return
    params = {name.data: derived[name.data] for name in update.params}
    shape = (1, n)
    states = {name: np.array(np.broadcast_to(a, shape)) for name, a in initial(update, params).items()}
    v, i, x = rng.uniform(-0.05, 0.05, (3, *shape))
    states["v"][:] = v
    if "i" in states:
        states["i"][:] = i
    step = Step(update, params, shape)
    emitted = step([x], states).value
    if family in SPIKING:
        assert not emitted.any(), "the case must stay below the threshold"
        assert meaning.keys() >= {"decay", "gain", "leak", "threshold"}
        np.testing.assert_array_equal(meaning["threshold"], raw["v_threshold"])
    drive = x
    if family.startswith("cuba"):
        drive = meaning["decay_i"] * i + meaning["gain_i"] * x
        np.testing.assert_allclose(states["i"], drive, rtol=0, atol=1e-12)
    expected = meaning["decay"] * (v - meaning["leak"]) + meaning["leak"] + meaning["gain"] * drive
    np.testing.assert_allclose(states["v"], expected, rtol=0, atol=1e-12)


def test_every_family_of_nir_has_a_rule() -> None:
    from nopt.analysis.presets import FAMILIES as known

    assert set(known) == set(FAMILIES)
    euler = parse_neurons(presets()["euler"].read_text(encoding="utf-8"), "euler")
    assert all(euler.serving(family) is not None for family in known)
    assert isinstance(build_update(euler.neurons[0], options={}, precision=f64), UpdateOp)
