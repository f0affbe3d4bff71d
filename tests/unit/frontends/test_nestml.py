"""Equations of NESTML models, against the solutions of their differential equations, and models that are damaged or hostile."""

from __future__ import annotations

import random
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from places import ROOT

import nopt.api as nopt
from nopt.core.diagnostics import Refused

pytestmark = pytest.mark.skipif(find_spec("pynestml") is None, reason="the package nestml is not installed")

INPUTS = ROOT / "lit-tests" / "frontends" / "inputs"
CELL = (INPUTS / "cell.nestml").read_text(encoding="utf-8")
DAMAGED = 12
H = 0.1

HEAD = "model one_neuron:\n    state:\n        v real = 0\n"
TAIL = "    input:\n        x <- spike\n    output:\n        spike\n    update:\n        integrate_odes()\n"
CONDITION = "    onCondition(v > 1):\n        emit_spike()\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "one.nestml"
    path.write_text(text, encoding="utf-8")
    return path


def trace(path: Path, name: str, x: dict[str, np.ndarray], **given: object) -> np.ndarray:
    """Returns the values of a state."""
    imported = nopt.import_nestml(path, **given)  # pyrefly: ignore
    ticks = len(next(iter(x.values())))
    inputs = {port: x.get(port, np.zeros(ticks)).reshape(1, ticks, 1) for port in imported.inputs}
    return nopt.run(imported.network(dt=f"{H}ms"), inputs, record=[f"cells.{name}"])[f"cells.{name}"][0, :, 0]


def pulse(ticks: int, weight: float) -> np.ndarray:
    x = np.zeros(ticks)
    x[0] = weight
    return x


@pytest.mark.parametrize("tau_syn", [2.0, 9.9, 9.999999, 10.0, 30.0])
def test_potentials_are_those_of_the_differential_equations(tau_syn: float) -> None:
    """A spike in the first tick acts from its end on; equal time constants have another closed form, which is the limit."""
    found = trace(INPUTS / "cell.nestml", "V_m", {"exc": pulse(200, 100.0)}, values={"tau_syn": tau_syn}) + 70.0
    t = H * np.arange(200)
    if abs(tau_syn - 10.0) < 1e-3:
        expected = 100.0 / 250.0 * t * np.exp(-t / 10.0)
        tolerance = 1e-6 if tau_syn != 10.0 else 1e-12
    else:
        factor = 100.0 / 250.0 / (1 / tau_syn - 1 / 10.0)
        expected, tolerance = factor * (np.exp(-t / 10.0) - np.exp(-t / tau_syn)), 1e-11
    assert np.abs(found - expected).max() < tolerance


@pytest.mark.parametrize("tau_syn", [2.0, 9.9, 10.0, 30.0])
def test_alpha_currents_are_solved_exactly(tau_syn: float) -> None:
    found = trace(INPUTS / "cell.nestml", "V_m", {"inh": pulse(100, 100.0)}, values={"tau_syn": tau_syn}) + 70.0
    fine = 4000
    step = H / fine
    t = step * np.arange(fine * 20)
    current = -100.0 * np.e / tau_syn * t * np.exp(-t / tau_syn) / 250.0
    grown = current * np.exp(t / 10.0)
    area = np.concatenate([[0.0], np.cumsum((grown[1:] + grown[:-1]) / 2) * step])
    expected = (area * np.exp(-t / 10.0))[::fine]
    assert np.abs(found[:20] - expected).max() < 1e-9


def test_a_delta_function_moves_the_potential_at_once() -> None:
    found = trace(INPUTS / "cell.nestml", "V_m", {"kick": pulse(3, 5.0)})
    assert np.allclose(found + 70.0, 5.0 * np.exp(-H * np.arange(3) / 10.0), atol=1e-12)


def test_a_refractory_period_has_whole_ticks() -> None:
    """2 ms are 20 ticks, though 2.0 - 20 * 0.1 is not 0 in doubles."""
    imported = nopt.import_nestml(INPUTS / "cell.nestml")
    x = {port: np.zeros((1, 60, 1)) for port in imported.inputs} | {"kick": np.full((1, 60, 1), 20.0)}
    (z,) = nopt.run(imported.network(), x).values()
    assert np.flatnonzero(z[0, :, 0]).tolist() == [0, 21, 42]


@pytest.mark.parametrize(("substeps", "solver", "tolerance"), [(1, "rk4", 3e-7), (4, "rk4", 2e-9), (1, "euler", 0.03)])
def test_equations_without_an_exact_solution_converge(substeps: int, solver: str, tolerance: float) -> None:
    """v' = v^2 with v(0) = 0.5 is 1 / (2 - t)."""
    given = {"substeps": substeps, "solver": solver}
    found = trace(INPUTS / "quadratic.nestml", "v", {"x": pulse(8, 0.5)}, **given)
    assert np.abs(found - 1 / (2 - H * np.arange(8))).max() < tolerance


def test_units_are_converted(tmp_path: Path) -> None:
    """500 pF mV / ms are 0.5 nA; 10 Hz are 0.01 per ms; 1 s has 1000 ms."""
    equation = "    equations:\n        v' = (500 pF * 1 mV / 1 ms) / 1 nA * 10 Hz\n"
    path = write(tmp_path, HEAD + equation + TAIL + CONDITION)
    assert np.allclose(trace(path, "v", {"x": np.zeros(3)}), 0.005 * H * np.arange(1, 4))


def test_damaged_models_are_refused(tmp_path: Path) -> None:
    """No damage of a file ends in another exception than a refusal."""
    draw = random.Random(5)
    refused = 0
    for _ in range(DAMAGED):
        text = list(CELL)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(text))
            match draw.randrange(3):
                case 0:
                    del text[at : at + draw.randint(1, 12)]
                case 1:
                    text[at:at] = draw.choice(
                        ["(", ")", "'", "$", "\n", "\t", " ", "**", "1e999", "\x00", "é", "if", "-"]
                    )
                case _:
                    start = draw.randrange(len(text))
                    text[at:at] = text[start : start + draw.randint(1, 40)]
        try:
            nopt.import_nestml(write(tmp_path, "".join(text)))
        except Refused:
            refused += 1
    assert refused >= DAMAGED / 4


@pytest.mark.parametrize(
    "hostile",
    [
        "__import__('os').system('touch {mark}')",
        "open('{mark}', 'w')",
        "exec(v)",
        "(" * 3000 + "1" + ")" * 3000,
        "1" + " + 1" * 20000,
        "9**9**9**9",
        "1e400",
        "1e-999999999",
        "1e200 * 1e200",
        "exp(exp(exp(1000)))",
    ],
)
def test_hostile_expressions_run_nothing(hostile: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    value = hostile.replace("{mark}", str(mark))
    path = write(tmp_path, HEAD + f"    parameters:\n        p real = {value}\n" + TAIL + CONDITION)
    with pytest.raises(Refused):
        nopt.import_nestml(path)
    assert not mark.exists()


@pytest.mark.parametrize(("code", "expected"), [("raise SystemExit(3)", "IMP007"), ("raise MemoryError", "NML004")])
def test_a_parser_that_cannot_run_is_a_refusal(
    code: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    monkeypatch.setattr("nopt.frontends.nestml.source.PROGRAM", program)
    with pytest.raises(Refused, match=expected):
        nopt.import_nestml(INPUTS / "cell.nestml")


def test_large_files_are_refused_before_they_are_parsed(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="NIF027"):
        nopt.import_nestml(write(tmp_path, CELL + "# comment\n" * 30_000))
