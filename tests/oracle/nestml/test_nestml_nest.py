"""Neurons of NESTML's library fire as the models that NEST has built in.

Each model has currents and random spikes of its own. NEST solves linear equations exactly and integrates the others by an adaptive method; nopt
integrates them by Runge and Kutta with several steps in a tick. So spikes of linear models are equal, and those of others may differ by a tick.

Some models of the library differ from the built-in ones: `iaf_cond_exp_sfa_rr` and `mat2_psc_exp` keep their adaptation in the refractory period, which is
therefore set to zero or one tick; `iaf_chxk_2008` adds another slope of its conductance, which is set to zero; `aeif_psc` compares with V_th;
`iaf_psc_exp_htum` counts below zero, so that it never fires, and is left out.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from nestml_models import model_path, model_paths
from places import TESTS

import nopt.api as nopt
from nopt.core.diagnostics import Refused

SCRIPT = TESTS / "oracle" / "tools" / "nestml_nest.py"
STEP, TICKS, NEURONS, SEED = 0.1, 3_000, 12, 7
DELAY_TICKS = 10
RESETS = 4
"""Ticks by which intervals of `aeif_cond` differ at most: NEST resets them between ticks, and a model of NESTML at the end of a tick."""
SECONDS = 600
EXC, INH = "exc_spikes", "inh_spikes"
SINGLE = ("spikes", "spikes")

SYNAPSES = {"tau_syn_exc": "tau_syn_ex", "tau_syn_inh": "tau_syn_in", "refr_T": "t_ref"}
REVERSAL = SYNAPSES | {"E_exc": "E_ex", "E_inh": "E_in"}


@dataclass(frozen=True)
class Case:
    """A model of NEST, its parameters, and inputs that let it fire."""

    nest: str
    names: Mapping[str, str | None]
    """Names of parameters in NEST, where they differ; None for one that NEST does not have."""
    current: tuple[float, float]
    """Range of I_e [pA]; each second neuron has the lowest one, and spikes."""
    weights: tuple[float, float]
    """Weights of excitatory and inhibitory spikes."""
    ports: tuple[str, str] = (EXC, INH)
    rate: float = 1.0
    """Spikes in a ms."""
    substeps: int = 4
    tolerance: int = 0
    """Ticks by which the first spike, and the interval between two spikes, may differ."""
    values: Mapping[str, float] = field(default_factory=dict)
    solver: Literal["rk4", "euler"] = "rk4"
    relative: Mapping[str, str] = field(default_factory=dict)
    """Parameters that NEST has in absolute terms, and what is added to them."""
    scale: Mapping[str, float] = field(default_factory=dict)
    """Factors of parameters of NEST, whose unit differs."""
    initial: Mapping[str, float] = field(default_factory=dict)
    """Initial values of states of NEST."""


AEIF = SYNAPSES | {"tau_exc": "tau_syn_ex", "tau_inh": "tau_syn_in", "E_exc": "E_ex", "E_inh": "E_in"}
BETA = {"refr_T": "t_ref", "F_E": None, "F_I": None} | {
    f"tau_syn_{phase}_{letter}": f"tau_{phase}_{name}"
    for phase in ("rise", "decay")
    for letter, name in (("E", "ex"), ("I", "in"))
}
INITIAL = {f"{rate}_{gate}_init": None for rate in ("alpha", "beta") for gate in "nmh"}
PEAK = {"V_peak": -50.4}
CASES = {
    "iaf_psc_exp_neuron": Case("iaf_psc_exp", SYNAPSES, (350, 700), (120.0, 60.0)),
    "iaf_psc_alpha_neuron": Case("iaf_psc_alpha", SYNAPSES, (350, 700), (120.0, 60.0)),
    "iaf_psc_delta_neuron": Case("iaf_psc_delta", SYNAPSES, (350, 700), (1.0, 0.5), SINGLE),
    "iaf_psc_delta_fixed_timestep_neuron": Case("iaf_psc_delta", SYNAPSES, (370, 700), (0.0, 0.0), SINGLE, rate=0.0),
    "mat2_psc_exp_neuron": Case(
        "mat2_psc_exp",
        SYNAPSES,
        (350, 700),
        (120.0, 60.0),
        relative={"omega": "E_L"},
        values={"refr_T": STEP},
        tolerance=1,
    ),
    "izhikevich_neuron": Case(
        "izhikevich", {"V_m_init": None}, (3, 12), (3.0, 1.0), SINGLE, solver="euler", substeps=1
    ),
    "ignore_and_fire_neuron": Case(
        "ignore_and_fire",
        {"firing_rate": "rate"},
        (0, 0),
        (1.0, 1.0),
        SINGLE,
        scale={"rate": 1000.0},
        initial={"phase": 0.5},
        tolerance=1,
    ),
    "iaf_cond_exp_neuron": Case("iaf_cond_exp", REVERSAL, (200, 500), (40.0, 10.0)),
    "iaf_cond_alpha_neuron": Case("iaf_cond_alpha", REVERSAL, (200, 500), (5.0, 1.0)),
    "iaf_cond_beta_neuron": Case("iaf_cond_beta", BETA, (200, 500), (5.0, 1.0)),
    "iaf_cond_exp_sfa_rr_neuron": Case("iaf_cond_exp_sfa_rr", REVERSAL, (500, 900), (5.0, 1.0), values={"refr_T": 0.0}),
    "iaf_chxk_2008_neuron": Case(
        "iaf_chxk_2008", REVERSAL | {"G_ahp": "g_ahp"}, (500, 1400), (40.0, 40.0), values={"G_ahp": 0.0}, tolerance=1
    ),
    "aeif_psc_exp_neuron": Case("aeif_psc_exp", AEIF, (500, 900), (300.0, 20.0), values=PEAK),
    "aeif_psc_alpha_neuron": Case("aeif_psc_alpha", AEIF, (500, 900), (300.0, 20.0), values=PEAK),
    "aeif_cond_exp_neuron": Case("aeif_cond_exp", AEIF, (500, 900), (15.0, 1.0), tolerance=RESETS),
    "aeif_cond_alpha_neuron": Case("aeif_cond_alpha", AEIF, (500, 900), (15.0, 1.0), tolerance=RESETS),
    "hh_psc_alpha_neuron": Case("hh_psc_alpha", SYNAPSES | {"V_m_init": None}, (500, 900), (50.0, 20.0)),
    "hh_cond_exp_traub_neuron": Case("hh_cond_exp_traub", REVERSAL | INITIAL, (300, 900), (2.0, 1.0), tolerance=1),
}


def inputs_of(case: Case) -> tuple[list[float], list[list[tuple[float, float]]]]:
    """Returns the current and the spikes of each neuron."""
    random = np.random.default_rng(SEED)
    low, high = case.current
    currents = [low + (high - low) * k / NEURONS if k % 2 else low for k in range(NEURONS)]
    spikes = []
    for k in range(NEURONS):
        ticks = np.flatnonzero(random.random(TICKS - 20) < (case.rate * STEP if k % 2 == 0 else 0.0)) + 1
        signs = random.random(len(ticks)) < 0.7
        weights = np.where(signs, case.weights[0], -case.weights[1])
        spikes.append([(round(float(t) * STEP, 6), float(w)) for t, w in zip(ticks, weights, strict=True)])
    return currents, spikes


def run_nopt(path: Path, case: Case, currents: list[float], spikes: Any) -> list[Any]:
    """Returns the ticks of the spikes of each neuron."""
    imported = nopt.import_nestml(path, substeps=case.substeps, solver=case.solver, values=case.values)
    x = {name: np.zeros((1, TICKS, NEURONS)) for name in imported.inputs}
    for k, pairs in enumerate(spikes):
        for time, weight in pairs:
            port = case.ports[weight < 0]
            size = weight if case.ports[0] == case.ports[1] else abs(weight)
            x[port][0, round(time / STEP) + DELAY_TICKS - 1, k] += size
    if "I_e" in imported.parameters:
        x["I_stim"][0] = currents
    (z,) = nopt.run(imported.network(dt=f"{STEP}ms", size=NEURONS), x).values()
    return [np.flatnonzero(z[0, :, k]) for k in range(NEURONS)]


def parameters_of(path: Path, case: Case) -> dict[str, float]:
    """Returns the parameters by their names in NEST."""
    defaults = {**nopt.import_nestml(path).parameters, **case.values}
    for name, base in case.relative.items():
        defaults[name] += defaults[base]
    named = {case.names.get(name, name): value for name, value in defaults.items()}
    found = {name: value * case.scale.get(name, 1.0) for name, value in named.items() if name not in (None, "I_e")}
    return found | dict(case.initial)


@pytest.mark.parametrize("name", CASES)
def test_spikes_are_those_of_nest(name: str, tmp_path: Path, python_of: Callable[[str], Path]) -> None:
    case, path = CASES[name], model_path(name)
    currents, spikes = inputs_of(case)
    nest = {"model": case.nest, "parameters": parameters_of(path, case), "currents": currents, "spikes": spikes}
    nest |= {"has_current": case.current != (0, 0)}
    given = {"step": STEP, "ticks": TICKS, "cases": [nest]}
    (tmp_path / "in.json").write_text(json.dumps(given))
    command = [str(python_of("nest")), str(SCRIPT), str(tmp_path / "in.json"), str(tmp_path / "out.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert not done.returncode, done.stderr[-2000:]
    (theirs,) = json.loads((tmp_path / "out.json").read_text())
    ours = run_nopt(path, case, currents, spikes)
    total = 0
    for own, times in zip(ours, theirs, strict=True):
        ticks = np.rint(np.array(times) / STEP).astype(int) - 1
        assert len(own) == len(ticks)
        late = np.diff(own - ticks, prepend=0)
        assert np.abs(late).max(initial=0) <= case.tolerance
        total += len(own)
    assert total >= NEURONS


def test_models_of_the_library_are_imported_or_refused_by_line() -> None:
    """One model of the library draws random numbers."""
    paths = model_paths()
    if not paths:
        pytest.skip("the package nestml has no models")
    refused: dict[str, Refused] = {}
    for name, path in paths.items():
        try:
            nopt.import_nestml(path)
        except Refused as refusal:
            refused[name] = refusal
    assert list(refused) == ["hh_cond_exp_destexhe_neuron"]
    assert all("error[NML002]" in str(one) and ".nestml:159:" in str(one) for one in refused.values())
