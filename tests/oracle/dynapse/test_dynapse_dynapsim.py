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
from attrs import evolve
from dynapse_networks import call_tool, results_of, soma_network, write_case
from structured_networks import STYLES, structured

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

NETWORKS = 32
NEAR = 0.01
TOLERANCES = {"isyn": 1e-4, "iahp": 3e-3, "imem": 3e-2}
"""Largest relative differences. Single precision cancels in the difference of the currents of the membrane."""
MEANS = {"isyn": 1e-4, "iahp": 3e-3, "imem": 1e-3}
"""Mean relative differences."""


def flat(values: Any) -> Any:
    """Returns the entries of each tick in one axis."""
    return np.reshape(values, (len(values), -1))


def compare(folder: Path, number: int, mine: Any, spkthr: Any) -> tuple[str, int]:
    """Returns how the first count differs, empty if none does or a limit is near, and the number of ticks that were compared."""
    theirs = results_of(folder, number)
    columns = [str(one).rsplit(" ", 1) for one in theirs["columns"]]

    def of(state: str) -> Any:
        return np.stack([flat(mine[f"{name}{state}"])[:, int(index)] for name, index in columns], axis=1)

    spikes = of("").astype(np.int64)[: len(theirs["spikes"])]
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


STRUCTURED = 30
FOUR_CHIPS = (
    "topology.chips=4",
    "topology.cores=16",
    "topology.chip_mesh.width=2",
    "topology.chip_mesh.height=2",
)
LEAVE = (
    'ntensor-legalize{device="dynapse/se2" approximate=current,refractory,reset,initial,count,comparison,decay,early}'
)
REASONS = {
    "DEV016": "a neuron of the network has more than 64 synapses",
    "LEG035": "a delay holds the sums of a pool",
    "MAP020": "the network has more neurons than four chips",
    "LEG101": "the network has more sets of parameters than cores, and no permission to share them",
    "MAP004": "the network has more populations than cores",
}
"""Refusals of generated networks that do not fit."""


def refusal_of(graph: Any, build: Path, given: dict[str, Any]) -> str:
    """Compiles a network. Returns the code of a refusal, or nothing."""
    try:
        nopt.compile(graph, target="dynapse/se2", out=build, diagnostics=Diagnostics(), **given)
    except Refused as refusal:
        return refusal.findings[0].code.id
    return ""


def test_dynapsim_counts_the_spikes_of_structured_networks(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """Relays, clocks and populations on four chips are equal up to the first tick in which DynapSim counts several spikes of a family's neuron."""
    folder = tmp_path / "tool"
    folder.mkdir()
    runs: dict[int, tuple[Any, Any]] = {}
    for seed in range(STRUCTURED):
        style = evolve(STYLES["dynapse"], longest=40 if seed % 6 == 5 else 9, wide=40)
        made, build = structured(seed, style), tmp_path / f"build{seed}"
        given = {**made.choices, "set": FOUR_CHIPS, "passes": LEAVE}
        if refusal := refusal_of(made.graph, build, given):
            assert refusal in REASONS, (seed, refusal)
            continue
        spkthr = thresholds(build)
        record = [name for population in spkthr for name in (population, f"{population}.v")]
        shape = [int(n) for n in made.graph.nodes["input"].input_type["input"]]
        mine = nopt.run(build, made.x.reshape(len(made.x), *shape), record=record, diagnostics=Diagnostics())
        write_case(folder, seed, build, made.x, style.dt, has_refractory=False)
        runs[seed] = mine, spkthr
    call_tool(python_of("dynapsim"), "run", folder)
    whole = 0
    for seed, (mine, spkthr) in runs.items():
        several = np.flatnonzero((results_of(folder, seed)["spikes"] > 1).any(1))
        failure, ticks = compare(folder, seed, mine, spkthr)
        assert not failure or ticks == several[0], failure
        whole += not failure
    assert len(runs) >= STRUCTURED * 2 // 3
    assert whole >= len(runs) * 9 // 10
