"""The device's neurons compute what sPyNNaker's C code computes, in a loop over integers that was written from its sources.

Source: sPyNNaker 7.4.1, neural_modelling: neuron_impl_standard.h, neuron_model_lif_impl.h, synapse_types_exponential_impl.h, decay.h.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import f64

from nopt.core.device.named_device import resolve_device
from nopt.core.neuron.neuron import choose_options, parse_neurons
from nopt.dialects.equations.build import build_update
from nopt.simulation.update import Step

TICKS, NEURONS = 200, 50
RING_MOST = 0xFFFF


def as_accum(bits: int) -> int:
    """Returns a number of 32 bits in two's complement."""
    return (bits + 2**31) % 2**32 - 2**31


def decayed(value: int, fraction: int) -> int:
    """decay.h, decay_s1615: a product with a fraction of 32 bits, rounded down."""
    return value * fraction >> 32


class Neuron:
    """IF_curr_delta, or IF_curr_exp with `init` and `decay_syn`."""

    def __init__(self, p: dict[str, int]):
        self.p, self.v, self.exc, self.inh, self.refract_timer = p, p["v_rest"], 0, 0, 0

    def tick(self, excitatory: int, inhibitory: int) -> tuple[bool, int]:
        """Returns whether the neuron spikes, and the recorded v."""
        p, recorded = self.p, self.v
        given = min(excitatory, RING_MOST) << p["shift_exc"], min(inhibitory, RING_MOST) << p["shift_inh"]
        if "init" in p:
            given = tuple(decayed(one, p["init"]) for one in given)
        self.exc, self.inh = as_accum(self.exc + given[0]), as_accum(self.inh + given[1])
        current = as_accum(self.exc - self.inh)
        alpha = as_accum((current * p["r_membrane"] >> 15) + p["v_rest"])
        if self.refract_timer <= 0:
            self.v = as_accum(alpha - (p["exp_tc"] * as_accum(alpha - self.v) >> 15))
        else:
            self.refract_timer -= 1
        fired = self.v >= p["v_threshold"]
        if fired:
            self.v = p["reset_value"]
            self.refract_timer = p.get("refract_ticks", 0)
        self.exc, self.inh = (decayed(one, p.get("decay_syn", 0)) for one in (self.exc, self.inh))
        return fired, recorded


def parameters(rng: np.random.Generator, is_exp: bool) -> dict[str, Any]:
    found = {
        "shift_exc": rng.integers(0, 9, NEURONS),
        "shift_inh": rng.integers(0, 9, NEURONS),
        "exp_tc": rng.integers(0, 32769, NEURONS),
        "r_membrane": rng.integers(-(2**20), 2**24, NEURONS),
        "v_rest": rng.integers(-(2**18), 2**18, NEURONS),
        "v_threshold": rng.integers(-(2**17), 2**22, NEURONS),
        "reset_value": rng.integers(-(2**18), 2**18, NEURONS),
    }
    if is_exp:
        found |= {name: rng.integers(0, 2**32, NEURONS) for name in ("init", "decay_syn")}
    return found


@pytest.mark.parametrize("period", ["none", "period"])
@pytest.mark.parametrize("name", ["spinnaker_delta", "spinnaker_exp"])
def test_equations_are_those_of_the_c_code(name: str, period: str) -> None:
    rng = np.random.default_rng(18)
    text = "\n".join(resolve_device("spinnaker/spinn5").updates[name].text)
    rule = next(one for one in parse_neurons(text, name).neurons if one.name == name)
    update = build_update(rule, options=choose_options(rule, {"reset": "value", "refractory": period}), precision=f64)
    params = parameters(rng, name == "spinnaker_exp")
    if period == "period":
        params |= {"refract_ticks": rng.integers(0, 6, NEURONS)}
        params["reset_value"] = np.minimum(
            params["reset_value"], params["v_threshold"] - 1
        )  # or the timer starts again in each tick
    step = Step(update, params, (1, NEURONS))
    states = {"v": params["v_rest"][None, :].copy(), "refract": np.zeros((1, NEURONS), np.int64)}
    if name == "spinnaker_exp":
        states |= {one: np.zeros((1, NEURONS), np.int64) for one in ("exc", "inh")}
    mine = [Neuron({key: int(values[k]) for key, values in params.items()}) for k in range(NEURONS)]
    spikes = 0
    for _ in range(TICKS):
        sums = [(rng.random((1, NEURONS)) < 0.4) * rng.integers(0, 90000, (1, NEURONS)) for _ in range(2)]
        done = step(sums, states)
        wanted = [one.tick(int(sums[0][0, k]), int(sums[1][0, k])) for k, one in enumerate(mine)]
        assert done.value[0].tolist() == [fired for fired, _ in wanted]
        assert done.records["v"][0].tolist() == [v for _, v in wanted]
        assert states["v"][0].tolist() == [one.v for one in mine]
        spikes += sum(fired for fired, _ in wanted)
    assert spikes > TICKS
