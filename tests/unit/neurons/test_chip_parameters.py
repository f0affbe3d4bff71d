"""From the canonical values of a family to a chip's registers and back: the integers represent the population as closely as possible."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chips import run, update_of

from nopt.simulation.update import derive

COUNT = 500
WORTH = {
    "loihi": lambda unit, params: unit / 64,
    "spinnaker": lambda unit, params: unit / 256,
    "speck": lambda unit, params: unit,
    "truenorth": lambda unit, params: unit,
    "xylo": lambda unit, params: unit / (1 - 2.0 ** -params["dash_syn"]),
}
"""The value of one least significant bit of a chip's v, in membrane volts."""


def given(name: str, **values: Any) -> tuple[Any, dict[str, Any]]:
    """Returns an update, and those of the values that it needs."""
    update = update_of(name)
    return update, {raw.data: np.asarray(values[raw.data], float) for raw in update.raw}


def families(rng: np.random.Generator) -> dict[str, Any]:
    """Returns typical canonical parameters of trained networks."""
    threshold = rng.uniform(0.3, 3, COUNT)
    values = {"threshold": threshold, "unit": threshold / rng.uniform(100, 800, COUNT)}
    values |= {"decay": rng.uniform(0.5, 0.995, COUNT), "decay_i": rng.uniform(0.3, 0.99, COUNT)}
    return values | {"leak": threshold * rng.uniform(-0.5, 0.5, COUNT)}


@pytest.mark.parametrize("name", WORTH)
def test_registers_mean_what_was_asked_for(name: str) -> None:
    """Compares thresholds within half a unit, decays within the step of their register, the leak within half a step of the bias."""
    raw = families(np.random.default_rng(1))
    update, params = given(name, **raw)
    found = derive(update, 1e-3, params)
    unit, off = (
        raw["unit"],
        {key: np.abs(found[key] - raw[key]) for key in ("threshold", "decay", "decay_i") if key in found},
    )
    if name == "xylo":  # decays are powers of two: the nearest one
        assert np.all((1 - found["decay"]) / (1 - raw["decay"]) < np.sqrt(2) * 1.0001)
        assert np.all((1 - found["decay"]) / (1 - raw["decay"]) > 1 / np.sqrt(2) / 1.0001)
        worth = WORTH[name](unit, found)
        assert np.all(off["threshold"] <= 0.5001 * worth)
        assert np.all(np.abs(found["leak"] * (1 - found["decay"]) - raw["leak"] * (1 - raw["decay"])) <= 0.5001 * worth)
        return
    assert np.all(off["threshold"] <= (1.0001 if name == "truenorth" else 0.5001) * unit)
    if name == "loihi":
        assert np.all(off["decay"] <= 0.5001 / 4096)
        assert np.all(off["decay_i"] <= 0.5001 / 4096)
        pull = found["leak"] * (1 - found["decay"]) - raw["leak"] * (1 - raw["decay"])
        assert np.all(np.abs(pull) <= 0.5001 * 2.0 ** found["e"] / 64 * unit)
        assert np.all(found["e"] <= 2)
    if name == "spinnaker":
        assert np.all(off["threshold"] <= unit / 256 * 1.0001)
        assert np.all(off["decay"] <= 0.5001 / 32768)
        assert np.all(np.abs(found["leak"] - raw["leak"]) <= 0.5001 * unit / 256)


@pytest.mark.parametrize("name", WORTH)
def test_a_unit_is_what_one_least_bit_adds(name: str) -> None:
    """The input 1000 from rest adds 1000 units to v in its tick, except for rounding of the last bits."""
    raw = families(np.random.default_rng(2)) | {"leak": np.zeros(COUNT), "threshold": np.full(COUNT, 25.0)}
    raw["unit"] = np.full(COUNT, 0.01)
    raw["decay_i"] = np.random.default_rng(3).choice([0.5, 0.75, 0.875, 0.9375], COUNT)
    update, params = given(name, **raw)
    derived = derive(update, 1e-3, params)
    held = {key: derived[key] for key in (p.data for p in update.params)}
    terms = np.full((1, COUNT, 4), 250) if update.each else np.full((1, COUNT), 1000)
    v = run(update, held, {"a": terms})["v"][0] * WORTH[name](raw["unit"], derived)
    assert np.allclose(v, 10.0, rtol=0.002)


@pytest.mark.parametrize("name", ["loihi", "spinnaker", "xylo"])
def test_rests_at_its_leak(name: str) -> None:
    """Without input, v converges to the leak. Tolerance for Loihi: half a step of the bias per tick, plus rounding toward zero, divided by the
    decaying fraction; for Xylo: half a step and the rounding of a shift, 2^dash of each."""
    raw = families(np.random.default_rng(4))
    raw["decay"] = np.random.default_rng(5).choice([0.75, 0.875, 0.9375], COUNT)
    update, params = given(name, **raw)
    derived = derive(update, 1e-3, params)
    held = {key: derived[key] for key in (p.data for p in update.params)}
    ticks = np.zeros((400, COUNT, 1), int) if update.each else np.zeros((400, COUNT), int)
    worth = WORTH[name](raw["unit"], derived)
    found = run(update, held, {"a": ticks})
    assert not found[""].any()
    lasting = 1 / (1 - raw["decay"])
    bounds = {"loihi": (0.5 * 4 + 1) * lasting, "spinnaker": 0.5 + 2 * lasting, "xylo": 1.5 * lasting + 1}
    assert np.all(np.abs(found["v"][-1] * worth - raw["leak"]) <= bounds[name] * worth)


def test_no_current_needs_no_synapse() -> None:
    """A family without a synaptic current has decay_i = 0: du = 4095 keeps no current, and neither does SpiNNaker's fraction."""
    values = {"unit": 0.01, "decay": 0.9, "decay_i": 0.0, "leak": 0.0, "threshold": 1.0}
    assert derive(*given_in_order("loihi", values))["du"] == 4095
    assert derive(*given_in_order("spinnaker", values))["decay_syn"] == 0


def given_in_order(name: str, values: dict[str, float]) -> tuple[Any, float, dict[str, Any]]:
    update, params = given(name, **values)
    return update, 1e-3, params


def test_an_integrator_does_not_decay_on_loihi() -> None:
    values = {"unit": 0.01, "decay": 1.0, "decay_i": 0.0, "leak": 0.0, "threshold": 1.0}
    found = derive(*given_in_order("loihi", values))
    assert (found["dv"], found["vth"], found["bias"], found["leak"]) == (0, 100, 0, 0)


def test_a_threshold_reached_at_equality_is_one_higher() -> None:
    """v > 100 units is v >= 101: TrueNorth's alpha, which compares at equality. With reset by subtraction it is 100, the subtracted value."""
    assert derive(*given_in_order("truenorth", {"unit": 0.01, "threshold": 1.0}))["alpha"] == 101
    subtract = update_of("truenorth", reset="subtract")
    assert derive(subtract, 1e-3, {"unit": np.asarray(0.01), "threshold": np.asarray(1.0)})["alpha"] == 100
