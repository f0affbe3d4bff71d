"""Brian 2 runs the emitted script, with spikes like those of the model of the chip, in generated networks.

The script has the published equations in Brian's own language. Brian moves all states by the old values of the others, and the model by the new ones, so
that spikes come some ticks later there. The soma amplifies that near its threshold: the comparison is one of numbers of spikes, and of the times of most.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing, discretised
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir

TICKS, DT, MINUTES = 4000, 5e-5, 8
ALIKE = 0.98
"""The least cosine of spike counts, and of sums of potentials."""
NEAR, SHARE = 2.5e-4, 0.7
"""Difference of the times of one spike [s], five ticks for each layer, and the share of spikes that it holds for."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "number" in metafunc.fixturenames:
        metafunc.parametrize("number", range(-(-metafunc.config.getoption("--count") // 20)))


def population(drawing: Drawing, number: int, node: str, x: Any) -> Any:
    """Adds a population: leaky, or with a synaptic current."""
    kind = nir.CubaLIFOp if number % 2 else nir.LIFOp
    times = {"tau_mem": 0.02, "tau_syn": 0.005, "w_in": 1.0} if number % 2 else {"tau": 0.02}
    given = {**times, "r": 400.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}
    return drawing.add(kind, node, x, **{name: np.full(shape_of(x), value) for name, value in given.items()})


def draw(number: int) -> tuple[Any, np.ndarray]:
    """Returns a network in ticks, and spikes of its input. Weights are numbers of events of 0.1 and of -0.2."""
    rng = np.random.default_rng([62, number])
    inputs, hidden, outputs = 10, 16, 6
    weight = 0.1 * rng.integers(0, 4, (hidden, inputs)) - 0.2 * (rng.random((hidden, inputs)) < 0.2)
    drawing = Drawing(inputs)
    z = population(drawing, number, "one", drawing.linear("fc1", drawing.x, weight))
    back = 0.1 * rng.integers(1, 4, (outputs, hidden))
    module = drawing.finish(population(drawing, 0, "two", drawing.linear("fc2", z, back)))
    choices = {"dt": "50us", "like": "euler", "reset": "value"}
    return discretised(module, choices), rng.random((TICKS, inputs)) < 0.003


def test_brian_has_like_spikes(number: int, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    module, x = draw(number)
    build, spikes, out, records = tmp_path / "b", tmp_path / "in.npz", tmp_path / "out.npz", ["one", "two", "one.v"]
    passes = "ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset,comparison}"
    nopt.compile(module, target="neurogrid", out=build, passes=passes, diagnostics=Diagnostics())
    np.savez(spikes, input=np.stack([x, x & False]))
    script = build / "artefact" / "neurogrid_network.py"
    command = [python_of("brian2"), script, spikes, out, "--record", ",".join(records)]
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, timeout=MINUTES * 60, check=False, cwd=tmp_path
    )
    assert not done.returncode, done.stderr[-2000:]
    chip = nopt.run(build, np.stack([x, x & False]), record=records, diagnostics=Diagnostics())
    comparison = nopt.compare(out, chip, samples=True)
    assert not comparison.only_in_a
    assert not comparison.only_in_b
    assert all((one.rate_cosine or 0) >= ALIKE for one in comparison.arrays.values()), comparison
    with np.load(out) as arrays:
        found = dict(arrays)
    assert not any(found[name][1].any() for name in ("one", "two"))  # a sample without spikes, after one with spikes
    for layer, name in enumerate(("one", "two"), 1):
        near = total = others = 0
        for k, column in enumerate(chip[name][0].T):
            times, brian = DT * np.flatnonzero(column), DT * np.flatnonzero(found[name][0, :, k])
            total, others = total + len(times), others + len(brian)
            if len(times) and len(brian):
                near += int((np.abs(times[:, None] - brian[None, :]).min(axis=1) <= layer * NEAR).sum())
        assert total > 20, f"{name}: {total} spikes"
        assert abs(total - others) <= 0.05 * total, f"{name}: {total} spikes, {others} of Brian 2"
        assert near >= SHARE * total, f"{name}: {near} of {total} spikes within {layer * NEAR} s"
