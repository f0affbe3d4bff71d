"""The model of DYNAP-SE2 equals DynapSim without mismatch, spike count by spike count, in generated networks.

DynapSim reads `configuration.json`: its currents, masks, tags and destinations. It computes in single precision, and `1 - exp(-t_pulse / tau)` with a
relative error of up to 1e-4, and 3e-3 for the short pulses of adaptation. The positive feedback amplifies these roundings. So a count may differ where the membrane current is within 1 % of a limit
between two counts (`NEAR`). The ticks of a network from there on are not compared; at most one network of 20 may have such a place.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from dynapse_networks import call_tool, results_of, soma_network, write_case

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

NETWORKS = 32
NEAR = 0.01
TOLERANCES = {"isyn": 1e-4, "iahp": 3e-3, "imem": 3e-2}
"""Largest relative differences. Single precision cancels in the difference of the currents of the membrane."""
MEANS = {"isyn": 1e-4, "iahp": 3e-3, "imem": 1e-3}
"""Mean relative differences."""


def compare(folder: Path, number: int, mine: Any, spkthr: Any) -> tuple[str, int]:
    """Returns how the first count differs, empty if none does or a limit is near, and the number of ticks that were compared."""
    theirs = results_of(folder, number)
    columns = [str(one).split() for one in theirs["columns"]]

    def of(state: str) -> Any:
        return np.stack([mine[f"{name}{state}"][:, int(index)] for name, index in columns], axis=1)

    spikes = of("").astype(np.int64)
    differ = np.argwhere(spikes != theirs["spikes"])
    ticks = len(spikes) if not len(differ) else int(differ[0][0])
    for state, most in TOLERANCES.items():
        if f"{columns[0][0]}.{state}" in mine and ticks:
            error = np.abs(of(f".{state}")[:ticks] / theirs[state][:ticks] - 1)
            assert error.max() < most, (number, state, error.max())
            assert error.mean() < MEANS[state], (number, state, error.mean())
    if not len(differ):
        return "", ticks
    ratio = of(".v") - np.log(np.array([spkthr[name] for name, _ in columns]) / 5e-13)
    for tick, column in differ[differ[:, 0] == ticks]:
        limit = min(spikes[tick, column], theirs["spikes"][tick, column])
        if abs(ratio[tick, column] - limit) > NEAR:
            return (
                f"network {number}: {columns[column]} at tick {tick}, ln(imem / i_spkthr) = {ratio[tick, column]}",
                ticks,
            )
    return "", ticks


def thresholds(build: Path) -> dict[str, float]:
    """Returns the threshold of each population."""
    record = json.loads((build / "artefact" / "configuration.json").read_text(encoding="utf-8"))
    cores = [core for chip in record["chips"] for core in chip["cores"]]
    return {
        one["population"]: core["parameters"]["SOIF_SPKTHR_P"]["current"] for core in cores for one in core["neurons"]
    }


def test_dynapsim_counts_the_same_spikes(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "tool"
    folder.mkdir()
    python = python_of("dynapsim")
    runs: list[tuple[Any, Any, Any]] = []
    for number in range(NETWORKS):
        drawn = soma_network(number)
        build = tmp_path / f"build{number}"
        nopt.compile(drawn.module, target="dynapse/se2", out=build, diagnostics=Diagnostics())
        states = ("isyn", "imem", "v", "iahp")
        record = [*drawn.populations, *(f"{name}.{state}" for name in drawn.populations for state in states)]
        mine = nopt.run(build, drawn.x, record=record, diagnostics=Diagnostics())
        write_case(folder, number, build, drawn.x, drawn.dt, has_refractory=True)
        runs.append((drawn, mine, thresholds(build)))
    call_tool(python, "run", folder)
    whole = spikes = 0
    most = 0
    for number, (drawn, mine, spkthr) in enumerate(runs):
        failure, ticks = compare(folder, number, mine, spkthr)
        assert not failure
        whole += ticks == len(drawn.x)
        spikes += sum(int(mine[name].sum()) for name in drawn.populations)
        most = max(most, *(int(mine[name].max()) for name in drawn.populations))
    assert whole >= NETWORKS * 19 // 20
    assert spikes > 20 * NETWORKS
    assert most > 1
