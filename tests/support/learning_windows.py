"""Learning rules with windows that chips fit or compute, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from plastic_networks import network_text

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.core.synapse.tree import POST, PRE
from nopt.dialects import ntensor
from nopt.simulation.learning.rules import Learning, learning_of
from nopt.simulation.learning.windows import (
    SpikeHistory,
    WindowChanges,
    reach_of,
    spike_histories,
    trace_taus,
    window_changes,
)

DT = 1e-3
WEIGHTS = (0.1, 0.3, 0.5, 0.7, 0.9)
AMPLITUDES = {"a_plus": 0.03, "a_minus": 0.02}
TAUS = {"tau_plus": 0.015, "tau_minus": 0.025}
BOUNDS = {"w_min": 0.0, "w_max": 1.0}
TRIPLET = {"a2_plus": 0.02, "a2_minus": 0.03, "a3_plus": 0.025, "a3_minus": 0.01, "tau_x": 0.05, "tau_y": 0.06}
RULES: dict[str, tuple[str, dict[str, float | str]]] = {
    "multiplicative": ("stdp", {**AMPLITUDES, **TAUS, **BOUNDS, "dependence": "multiplicative"}),
    "power": ("stdp", {**AMPLITUDES, **TAUS, **BOUNDS, "dependence": "power", "mu_plus": 0.5, "mu_minus": 0.5}),
    "triplet": ("triplet", {**TRIPLET, **TAUS, **BOUNDS}),
    "symmetric": ("stdp_symmetric", {**AMPLITUDES, **TAUS, **BOUNDS}),
    "pre_centred": ("stdp_pre_centred", {**AMPLITUDES, **TAUS, **BOUNDS}),
}
"""Rules other than `#nir.stdp`, by a name for tests."""


def network_of(rule: str, entries: Mapping[str, float | str], weight: NDArray[Any] | None = None) -> str:
    """Returns the text of a network with a plastic layer "fc"."""
    return network_text(np.array([[0.5]]) if weight is None else weight, rule, entries)


def in_ticks(text: str) -> Any:
    """Returns the module of a network in ticks of 1 ms."""
    return nopt.apply(nopt.parse(text), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())


def plastic_op(module: Any) -> ntensor.SynapseOpInterface:
    return next(op for op in module.walk() if isinstance(op, ntensor.SynapseOpInterface) and op.learning_rule)


def learning_in(module: Any) -> Learning:
    return learning_of(plastic_op(module), ntensor.find_rules(module), DT)


@frozen(eq=False)
class RuleWindow:
    """The window of a rule."""

    taus: Mapping[str, list[float]]
    histories: list[SpikeHistory]
    changes: WindowChanges


def window_of(learning: Learning) -> RuleWindow:
    taus = trace_taus(learning, WEIGHTS[2])
    histories = spike_histories(reach_of(taus))
    return RuleWindow(taus, histories, window_changes(learning, histories, WEIGHTS))


def pair_interval(one: SpikeHistory) -> int:
    """Returns the interval of a pair [ticks], above 0 if the source spikes first."""
    assert one.is_pair
    return one.pre[0] if one.last == POST else -one.post[0]


def sides(interval: int) -> dict[str, int]:
    """Returns the ticks of the two spikes of a pair."""
    return {PRE: max(-interval, 0), POST: max(interval, 0)}
