"""NEST computes the weights of the shipped rules: pairs and triplets of 1,000 trains, nearest pairs and short-term plasticity of 200."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from plasticity_trains import Trains, greatest_error, run_nopt, run_tool

Record = Callable[[str, object], None]
TOOL, SCRIPT = "nest", "plasticity_nest.py"
TAUS = {"tau_plus": 0.0168, "tau_minus": 0.0337}
PAIR = {"a_plus": 0.02, "a_minus": 0.023, "w_min": 0.0, "w_max": 1.0, **TAUS}
NEST_PAIR = {"lambda": 0.02, "alpha": 0.023 / 0.02, "Wmax": 1.0, "mu_plus": 0.0, "mu_minus": 0.0, "tau_plus": 16.8}
NEURON = {"tau_minus": 33.7}
TRIPLET = {"a2_plus": 0.01, "a2_minus": 0.012, "a3_plus": 0.006, "a3_minus": 0.003, "w_min": 0.0, "w_max": 1.0, **TAUS}
TRIPLET |= {"tau_x": 0.101, "tau_y": 0.125}
NEST_TRIPLET = {"Aplus": 0.01, "Aminus": 0.012, "Aplus_triplet": 0.006, "Aminus_triplet": 0.003, "Wmax": 1.0}
NEST_TRIPLET |= {"tau_plus": 16.8, "tau_plus_triplet": 101.0}
POWER = {"dependence": "power", "mu_plus": 0.4, "mu_minus": 0.7}
MOST = 1e-10

CASES = [
    ("stdp_synapse", "stdp", PAIR, NEST_PAIR, 1000),
    ("stdp_synapse", "stdp", PAIR | POWER, NEST_PAIR | {"mu_plus": 0.4, "mu_minus": 0.7}, 1000),
    (
        "stdp_synapse",
        "stdp",
        PAIR | {"dependence": "multiplicative"},
        NEST_PAIR | {"mu_plus": 1.0, "mu_minus": 1.0},
        1000,
    ),
    ("stdp_triplet_synapse", "triplet", TRIPLET, NEST_TRIPLET, 1000),
    ("stdp_nn_symm_synapse", "stdp_symmetric", PAIR, NEST_PAIR, 200),
    ("stdp_nn_pre_centered_synapse", "stdp_pre_centred", PAIR, NEST_PAIR, 200),
    ("stdp_nn_restr_synapse", "stdp_reduced", PAIR, NEST_PAIR, 200),
]


@pytest.mark.parametrize(("model", "rule", "entries", "parameters", "count"), CASES)
def test_nest_changes_weights_alike(
    model: str,
    rule: str,
    entries: dict[str, float | str],
    parameters: dict[str, float],
    count: int,
    python_of: Callable[[str], Path],
    tmp_path: Path,
    record_property: Record,
) -> None:
    trains = Trains.draw(count, 54, (1, 2, 5))
    found = run_nopt(trains, rule, {**entries, "delay": "dendritic"})
    neuron = {**NEURON, "tau_minus_triplet": 125.0}
    wanted = run_tool(python_of(TOOL), SCRIPT, tmp_path, trains, model=model, parameters=parameters, neuron=neuron)
    assert (~np.isnan(wanted) == trains.pre).all()
    assert np.nanstd(wanted) > 0.05  # the weights move
    error = greatest_error(found, wanted)
    record_property("values", int(trains.pre.sum()))
    assert error < MOST, error


@pytest.mark.parametrize("facilitation", ["yes", "no"])
def test_nest_transmits_alike(
    facilitation: str, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    trains = Trains.draw(200, 55, (0,))  # the sum is read in the tick of the spike
    has_facilitation = facilitation == "yes"
    entries: dict[str, float | str] = {"use": 0.35, "tau_rec": 0.2, "facilitation": facilitation}
    found = run_nopt(trains, "tsodyks_markram", entries | ({"tau_fac": 0.05} if has_facilitation else {}), "fc")
    trains.delay[:] = 1  # NEST has no shorter one
    parameters = {"U": 0.35, "tau_rec": 200.0, "tau_fac": 50.0 if has_facilitation else 0.0, "u": 0.35, "x": 1.0}
    wanted = run_tool(
        python_of(TOOL), SCRIPT, tmp_path, trains, model="tsodyks2_synapse", parameters=parameters, neuron={}
    )
    assert (~np.isnan(wanted) == trains.pre).all()
    record_property("values", int(trains.pre.sum()))
    assert greatest_error(found, wanted) < MOST
