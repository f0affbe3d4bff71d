"""Brian 2 computes the same spikes and potentials in two samples from the emitted script as the model of the chip, in generated networks.

py-spinnaker2 has a simulator on Brian 2, but is not in a package registry. A tool with its calls builds the same network (`tools/spinnaker2_brian.py`): the
script, its parameters, delays and order of a tick are checked by a simulator of others, and the equations are the published ones.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import TESTS

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing, discretised
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir

TOOL = TESTS / "oracle" / "tools" / "spinnaker2_brian.py"
TICKS, MINUTES = 60, 5
NEAR = 1e-2
"""Difference of potentials in least bits of weights, since Brian 2 rounds two synaptic currents, and the model their sum. Spikes are equal."""
DEVICES = {"chip": 1, "chip_delays": 8}
"""Devices with their longest delay in ticks."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "number" in metafunc.fixturenames:
        metafunc.parametrize("number", range(-(-metafunc.config.getoption("--count") // 10)))


def population(drawing: Drawing, rng: np.random.Generator, node: str, x: Any) -> Any:
    """Adds a population: leaky, with a synaptic current, or without a leak."""
    given = {"r": 2.0, "v_threshold": float(rng.uniform(0.5, 1.5)), "v_reset": 0.0}
    kinds = {
        nir.LIFOp: {"tau": 0.005, "v_leak": 0.0},
        nir.CubaLIFOp: {"tau_mem": 0.008, "tau_syn": 0.003, "w_in": 1.0, "v_leak": 0.0},
        nir.IFOp: {},
    }
    kind = list(kinds)[int(rng.integers(3))]
    return drawing.add(kind, node, x, **{name: np.full(shape_of(x), v) for name, v in {**given, **kinds[kind]}.items()})


def draw(number: int, longest: int) -> tuple[Any, np.ndarray]:
    """Returns a network in ticks, and spikes of its input."""
    rng = np.random.default_rng([28, number, longest])
    inputs, hidden, outputs = (int(n) for n in rng.integers((5, 20, 5), (14, 40, 20)))
    drawing = Drawing(inputs)
    entries = {"bias": rng.normal(0, 0.1, hidden).astype(np.float32)} if number % 3 == 0 else {}
    first = drawing.linear("fc1", drawing.x, rng.normal(0.4, 1, (hidden, inputs)).astype(np.float32), **entries)
    if is_loop := number % 2 == 1:
        back = drawing.linear("rec", first, rng.normal(0, 0.3, (hidden, hidden)).astype(np.float32))
        first = drawing.sum(first, back)
    z = population(drawing, rng, "one", first)
    if is_loop:
        back.owner.operands[0] = z
    second = drawing.linear("fc2", z, rng.normal(0.3, 1, (outputs, hidden)).astype(np.float32))
    if longest > 1:
        second = drawing.add(nir.DelayOp, "late", second, delay=rng.integers(1, longest + 1, outputs) / 1000)
    module = drawing.finish(population(drawing, rng, "two", second))
    reset = "subtract" if number % 4 > 1 else "zero"
    choices = {"dt": "1ms", "like": "spinnaker2", "reset": reset, "loop_delay": "spikes"}
    return discretised(module, choices), rng.random((2, TICKS, inputs)) < 0.3


@pytest.mark.parametrize("device", DEVICES)
def test_brian_computes_the_same_spikes(
    number: int, device: str, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    module, x = draw(number, DEVICES[device])
    build, spikes, out, records = tmp_path / "b", tmp_path / "in.npz", tmp_path / "out.npz", ["one", "one.v", "two.v"]
    nopt.compile(module, target=f"spinnaker2/{device}", out=build, diagnostics=Diagnostics())
    np.savez(spikes, input=x)
    command = [python_of("brian2"), TOOL, build / "artefact", spikes, out, "--record", ",".join(records)]
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, timeout=MINUTES * 60, check=False, cwd=tmp_path
    )
    assert not done.returncode, done.stderr[-2000:]
    chip = nopt.run(build, x, record=records, diagnostics=Diagnostics())
    assert chip["output"].any()
    comparison = nopt.compare(out, chip, tolerance=NEAR)
    assert comparison.equal, comparison
