"""Relays of delays and clocks of biases on DYNAP-SE2 send one event in a tick by DynapSim's rule, and have currents that the bias generator makes.

DynapSim counts `ceil(ln(imem / i_spkthr))` spikes of a neuron in a tick.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

IO = 5e-13
LEAVE = (
    'ntensor-legalize{device="dynapse/se2" approximate=current,refractory,reset,initial,count,comparison,decay,early}'
)


def network(dt: float) -> nir.NIRGraph:
    """Returns one population with a bias, whose inputs wait one to five ticks."""
    rng, one = np.random.default_rng(3), np.ones(5)
    weight, bias = rng.uniform(0.2, 0.9, (5, 4)), rng.uniform(0, 0.2, 5)
    nodes = {
        "input": nir.Input({"input": np.array([4])}),
        "late": nir.Delay(dt * np.array([1, 5, 3, 2])),
        "fc": nir.Affine(weight, bias),
        "lif": nir.LIF(tau=20 * dt * one, r=20 * one, v_leak=0 * one, v_threshold=one, v_reset=0 * one),
        "output": nir.Output({"output": np.array([5])}),
    }
    names = [*nodes]
    return nir.NIRGraph(nodes, [*pairwise(names)], type_check=False)


@pytest.fixture(scope="module", params=[1e-4, 1e-3, 5e-3], ids=str)
def helpers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Returns the results, and the parameters of each population that the compiler added."""
    dt, build = request.param, tmp_path_factory.mktemp("relays") / "build"
    given = {"dt": f"{round(dt * 1e6)}us", "like": "norse", "reset": "value"}
    nopt.compile(network(dt), target="dynapse/se2", out=build, passes=LEAVE, diagnostics=Diagnostics(), **given)
    record = json.loads((build / "artefact" / "configuration.json").read_text(encoding="utf-8"))
    found = {
        neuron["population"]: core["parameters"]
        for chip in record["chips"]
        for core in chip["cores"]
        for neuron in core["neurons"]
        if neuron["population"] != "lif"
    }
    x = np.random.default_rng(4).random((40, 4)) < 0.5
    states = [name for population in found for name in (population, f"{population}.v")]
    return nopt.run(build, x, record=states, diagnostics=Diagnostics()), found


def test_an_event_is_one_event(helpers: Any) -> None:
    results, populations = helpers
    assert {"clock", "input.relay1", "input.relay4"} <= populations.keys()
    for name, parameters in populations.items():
        ratio = results[f"{name}.v"] - np.log(parameters["SOIF_SPKTHR_P"]["current"] / IO)
        np.testing.assert_array_equal(np.maximum(np.ceil(ratio), 0), results[name], err_msg=name)
        assert results[name].any()


def test_currents_exist(helpers: Any) -> None:
    """The nearest current of the generator differs by at most 5 %, and the pulse of an event ends."""
    for name, parameters in helpers[1].items():
        used = [key for key in parameters if not key.startswith("SOAD") and parameters[key]["current"]]
        assert "SYPD_EXT_N" in used
        for key in used:
            wanted, made = (parameters[key][which] for which in ("current", "generated"))
            assert abs(made / wanted - 1) < 0.05, f"{name}: {key} {wanted} {made}"
