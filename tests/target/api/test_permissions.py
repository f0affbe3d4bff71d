"""Permissions of approximations on all devices: none is taken without one, and those that are named are recorded."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.compiling.device_fit import Fit
from nopt.api.modules import available_passes
from nopt.core.approximations import NUMBER_FORMATS, approximations_of
from nopt.core.diagnostics import Severity
from nopt.core.help_text import Permission, Phrase
from nopt.core.ir.pipeline import parse_pipeline
from nopt.dialects import machine, ntensor

NETWORKS = {
    "bars/bars.nir": {"like": "sinabs"},
    "digits/fc.nir": {"like": "norse", "reset": "subtract"},
    "rhythm/rhythm.nir": {"like": "snntorch", "reset": "subtract"},
}
INPUT = "poisson:0.2,ticks=6"
FEWEST = {"bars/bars.nir": 25, "digits/fc.nir": 30, "rhythm/rhythm.nir": 20}
"""Devices that fit with all permissions, at least."""


@cache
def fits(file: Path, approximate: str) -> dict[str, Fit]:
    choices = NETWORKS["/".join(file.parts[-2:])]
    found = nopt.check(file, INPUT, target="all", approximate=approximate, dt="1ms", **choices)
    return {one.device: one for one in found.targets}


def recorded_names(fit: Fit) -> set[str]:
    """Returns the names of what the recorded passes of a fit approximate, without number formats."""
    module = fit.graph or fit.network
    ops = () if module is None else module.ops
    kinds = ntensor.NetworkOp | machine.GraphOp
    records = [one for op in ops if isinstance(op, kinds) for one in op.approximations or ()]
    steps = [step for one in records for step in parse_pipeline(one.step.data, available_passes())]
    return {*approximations_of(steps)} - NUMBER_FORMATS


@pytest.mark.parametrize("name", NETWORKS)
def test_no_device_approximates_without_permission(root: Path, name: str) -> None:
    found = fits(root / "examples" / name, "")
    assert {
        device: recorded_names(one) for device, one in found.items() if one.is_fitting and recorded_names(one)
    } == {}
    assert {one.fits for one in found.values()} >= {"exact", "no"}


@pytest.mark.parametrize("name", NETWORKS)
def test_named_approximations_are_the_recorded_ones(root: Path, name: str) -> None:
    fitting = {device: one for device, one in fits(root / "examples" / name, "all").items() if one.is_fitting}
    wrong = {
        device: (one.approximations, recorded_names(one))
        for device, one in fitting.items()
        if {*one.approximations} - NUMBER_FORMATS != recorded_names(one)
    }
    assert wrong == {}
    assert len(fitting) >= FEWEST[name], sorted(fitting)


@pytest.mark.parametrize("name", NETWORKS)
def test_helps_permit_what_is_needed(root: Path, name: str) -> None:
    """A refused device that fits with permission has a help with all names, and the fit with these names alone needs no others."""
    refused, permitted = fits(root / "examples" / name, ""), fits(root / "examples" / name, "all")
    for device, one in refused.items():
        needed = permitted[device].approximations if permitted[device].is_fitting else ()
        assert one.fits == permitted[device].fits, device
        assert one.fits == "exact" or one.approximations == needed, device
        assert one.passes == permitted[device].passes, device
        helps = [help for error in one.findings if error.severity is Severity.ERROR and (help := error.help)]
        parts = [part for help in helps if isinstance(help, Phrase) for part in help.parts]
        named = {part.names for part in parts if isinstance(part, Permission)}
        assert named <= {needed} or not needed, device


SCALES = [(1e200, 1e-200, 0.0), (1e-310, 1e305, 0.0), (1.0, 1.0, 1e308)]
"""Sizes of the weights of both layers, and of the biases of the first."""


@pytest.mark.parametrize(
    "device", ["dynapse/se2", "loihi2/loihi1", "neurogrid/board", "spinnaker/spinn3", "truenorth/ns1e"]
)
@pytest.mark.parametrize(("first", "second", "bias"), SCALES)
def test_a_search_with_extreme_numbers_has_no_warning_of_numpy(
    device: str, first: float, second: float, bias: float
) -> None:
    """Passes guard the computations whose numbers are beyond the range of reals; a warning is an error of the tests."""
    rng, times = (
        np.random.default_rng(0),
        {"tau_mem": 1e9, "tau_syn": 5e8} if bias else {"tau_mem": 0.02, "tau_syn": 0.01},
    )

    def population(n: int) -> nir.CubaLIF:
        given = {"r": 1.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0, **times}
        return nir.CubaLIF(**{name: np.full(n, value) for name, value in given.items()})

    nodes = {
        "input": nir.Input(np.array([6])),
        "fc1": nir.Affine(rng.normal(size=(8, 6)) * first, np.full(8, bias)),
        "one": population(8),
        "fc2": nir.Linear(rng.normal(size=(3, 8)) * second),
        "two": population(3),
        "output": nir.Output(np.array([3])),
    }
    network = nir.NIRGraph(nodes, [*zip([*nodes][:-1], [*nodes][1:], strict=True)])
    found = nopt.check(network, INPUT, target=device, dt="1ms", like="norse", reset="subtract")
    assert found.targets[0].fits is not None
