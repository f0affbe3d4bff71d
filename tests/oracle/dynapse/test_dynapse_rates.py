"""Populations of networks with fitted gains keep their rates in DynapSim: those of 5 Hz or more differ from the network in reals by at most 30 %."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from dynapse_networks import call_tool, results_of, write_case
from rate_networks import rate_network

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

NETWORKS = 10
LEAST_HZ, NEAR = 5.0, 0.3


def test_dynapsim_keeps_the_rates_of_populations(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    folder, wanted = tmp_path / "tool", dict[int, dict[str, float]]()
    folder.mkdir()
    for seed in range(NETWORKS):
        file = rate_network(seed, tmp_path / f"{seed}.nir")
        x = np.random.default_rng([43, seed]).random((8, 200, 8)) < 0.15
        choices: nopt.Choices = {"dt": "1ms", "like": "norse", "reset": "value"}
        build, quiet = tmp_path / f"build{seed}", Diagnostics()
        nopt.compile(file, target="dynapse/se2", approximate="all", calib=x, out=build, diagnostics=quiet, **choices)
        found = nopt.run(file, x, diagnostics=quiet, record=["n1", "n2"], **choices)
        wanted[seed] = {name: float(np.mean(found[name])) * 1000 for name in ("n1", "n2")}
        write_case(folder, seed, build, np.concatenate(x), 1e-3, has_refractory=False)
    call_tool(python_of("dynapsim"), "run", folder)
    compared = 0
    for seed, rates in wanted.items():
        result = results_of(folder, seed)
        owners = np.array([str(one).rsplit(" ", 1)[0] for one in result["columns"]])
        for name, rate in rates.items():
            spikes = result["spikes"][:, owners == name]
            if rate >= LEAST_HZ:
                assert abs(float(spikes.mean()) * 1000 - rate) <= NEAR * rate, (seed, name, rate)
                compared += 1
    assert compared >= NETWORKS
