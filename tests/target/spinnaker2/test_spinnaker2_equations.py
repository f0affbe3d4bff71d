"""The device's neurons compute the published equations of py-spinnaker2, with the parameters of its converter.

Source: py-spinnaker2 as of the NIR paper (2024): s2_nir.py for the parameters; v = alpha_decay v + i_offset + w; the spikes of two_lif_neurons.nir.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import f64

from nopt.api.conformance.networks import Drawing, Drawn, discretised
from nopt.api.conformance.subject import Subject
from nopt.core.device.named_device import resolve_device
from nopt.core.ir.operation import shape_of
from nopt.core.neuron.neuron import choose_options, parse_neurons
from nopt.dialects import nir
from nopt.dialects.equations.build import build_update
from nopt.dialects.spinnaker2 import ChipOp
from nopt.simulation.update import Step

TICKS, NEURONS = 300, 40
MODELS = {"lif_no_delay": "chip", "lif_curr_exp_no_delay": "chip", "lif": "chip_delays", "lif_curr_exp": "chip_delays"}
real = np.float32


class Neuron:
    """A leaky neuron in single precision, with one synaptic current if it has `syn_decay`."""

    def __init__(self, params: dict[str, np.float32], reset: str):
        self.params, self.reset, self.v, self.i = params, reset, real(0), real(0)

    def tick(self, x: int) -> bool:
        """Returns whether the neuron spikes."""
        p = self.params
        self.i = p.get("syn_decay", real(0)) * self.i + real(x)
        self.v = p["alpha_decay"] * self.v + p["i_offset"] + self.i
        fired = bool(self.v > p["v_threshold"])
        if fired:
            self.v = self.v - p["v_threshold"] if self.reset == "subtract" else real(0)
        return fired


def step_of(model: str, reset: str, params: dict[str, Any], neurons: int) -> Step:
    text = "\n".join(resolve_device(f"spinnaker2/{MODELS[model]}").updates[model].text)
    rule = next(one for one in parse_neurons(text, model).neurons if one.name == model)
    update = build_update(rule, options=choose_options(rule, {"reset": reset}), precision=f64)
    return Step(update, params, (1, neurons))


@pytest.mark.parametrize("reset", ["value", "subtract"])
@pytest.mark.parametrize("model", MODELS)
def test_equations_are_the_published_ones(model: str, reset: str) -> None:
    rng = np.random.default_rng(22)
    params = {
        "alpha_decay": rng.random(NEURONS).astype(real),
        "i_offset": rng.normal(0, 3, NEURONS).astype(real),
        "v_threshold": rng.uniform(1, 400, NEURONS).astype(real),
    }
    states = {"v": np.zeros((1, NEURONS), real)}
    if "curr_exp" in model:
        params["syn_decay"] = rng.random(NEURONS).astype(real)
        states["i"] = np.zeros((1, NEURONS), real)
    step = step_of(model, reset, params, NEURONS)
    mine = [Neuron({name: values[k] for name, values in params.items()}, reset) for k in range(NEURONS)]
    spikes = 0
    for _ in range(TICKS):
        x = (rng.random((1, NEURONS)) < 0.4) * rng.integers(-127, 400, (1, NEURONS))
        done = step([x], states)
        fired = [one.tick(int(x[0, k])) for k, one in enumerate(mine)]
        assert done.value[0].tolist() == fired
        assert states["v"][0].tolist() == [float(one.v) for one in mine]
        spikes += sum(fired)
    assert spikes > TICKS


def test_a_neuron_fires_by_its_leak_as_published() -> None:
    """two_lif_neurons.nir: tau = 10 ms, v_leak = 1.2, v_threshold = 1, ticks of 1 ms: first at 17 ms, and 11 times in 0.2 s."""
    params = {"alpha_decay": np.array(real(0.9)), "i_offset": np.array(real(0.12)), "v_threshold": np.array(real(1.0))}
    step, states = step_of("lif_no_delay", "value", params, 1), {"v": np.zeros((1, 1), real)}
    spikes = [bool(step([np.zeros((1, 1), np.int64)], states).value[0, 0]) for _ in range(200)]
    assert np.flatnonzero(spikes)[0] == 17
    assert sum(spikes) == 11


@pytest.mark.parametrize("kind", ["lif", "cuba_lif", "if"])
def test_parameters_are_those_of_the_converter(kind: str) -> None:
    """The formulas of s2_nir.py for forward Euler with `scale_weights`, applied to each neuron: its largest weight is 127."""
    rng = np.random.default_rng(7)
    inputs, neurons, dt = 6, 5, 1e-3
    drawing = Drawing(inputs)
    weight = rng.normal(0, 1, (neurons, inputs)).astype(np.float32)
    given = {
        "r": rng.uniform(1, 3, ()).repeat(neurons),
        "v_threshold": rng.uniform(0.5, 2, neurons),
        "v_reset": np.zeros(neurons),
    }
    w_scale = 127 / np.abs(weight).max(axis=1)
    if kind == "if":
        op, alpha, scale = nir.IFOp, np.ones(neurons), w_scale / given["r"]
    else:
        op, tau = nir.LIFOp, 0.008
        given["v_leak"] = np.zeros(neurons)
        alpha, scale = np.full(neurons, 1 - dt / tau), w_scale / (dt / tau * given["r"])
        if kind == "lif":
            given["tau"] = np.full(neurons, tau)
        else:
            op, tau_syn, w_in = nir.CubaLIFOp, 0.004, 1.5
            given |= {
                "tau_mem": np.full(neurons, tau),
                "tau_syn": np.full(neurons, tau_syn),
                "w_in": np.full(neurons, w_in),
            }
            scale = scale / (dt / tau_syn * w_in)
    x = drawing.linear("fc", drawing.x, weight)
    values = {name: np.broadcast_to(value, shape_of(x)).astype(np.float32) for name, value in given.items()}
    module = drawing.finish(drawing.add(op, "one", x, **values))
    choices = {"dt": "1ms", "like": "spinnaker2", "reset": "zero"}
    subject = Subject(resolve_device("spinnaker2/chip"), 1, 0)
    found = subject.compile(
        Drawn(kind, discretised(module, choices), np.ones((1, 4, inputs), np.bool_)), subject.settings()
    )
    assert found.fit.is_fitting, found.refusal
    (group,) = next(one for one in found.module.ops if isinstance(one, ChipOp)).groups
    params = {name: np.broadcast_to(one, neurons) for name, one in group.parameters().items()}
    np.testing.assert_allclose(params["v_threshold"], given["v_threshold"] * scale, rtol=1e-6)
    np.testing.assert_allclose(params["alpha_decay"], alpha, rtol=1e-6)
    assert not params["i_offset"].any()
    if kind == "cuba_lif":
        np.testing.assert_allclose(params["syn_decay"], 1 - dt / 0.004, rtol=1e-6)
    (op,) = group.connections
    listed = np.zeros((neurons, inputs), np.int64)
    listed[op.post.values, op.pre.values] = op.weight.values
    np.testing.assert_array_equal(listed, np.rint(weight * w_scale[:, None]))
    assert op.largest == 127
