"""Kept results of passes: a sequence of passes runs once on equal modules, and its findings are reported each time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

import nopt.api as nopt
from nopt.api.compiling.device_fit import fit
from nopt.api.modules import available_passes, module_of
from nopt.core.device.device import find_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.context import NoptContext
from nopt.core.ir.pass_manager import apply_kept, run_passes
from nopt.core.ir.pass_results import PassResults, module_contents
from nopt.core.ir.pipeline import parse_pipeline

TICKS = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"


def readout(folder: Path) -> Path:
    """Writes a network whose last layer, leaky integrators, a chip of spikes leaves to the host."""
    rng, ones = np.random.default_rng(3), np.ones(4, np.float32)
    nodes = {
        "input": nir.Input({"input": np.array([3])}),
        "fc": nir.Linear(rng.normal(size=(4, 3)).astype(np.float32)),
        "lif": nir.LIF(tau=0.01 * ones, r=10 * ones, v_leak=0 * ones, v_threshold=ones, v_reset=0 * ones),
        "out": nir.Linear(rng.normal(size=(2, 4)).astype(np.float32)),
        "li": nir.LI(tau=0.01 * ones[:2], r=ones[:2], v_leak=0 * ones[:2]),
        "output": nir.Output({"output": np.array([2])}),
    }
    nir.write(folder / "readout.nir", nir.NIRGraph(nodes, list(pairwise(nodes))))
    return folder / "readout.nir"


@pytest.fixture(params=["bars/bars.nir", "rhythm/rhythm.nir", "readout"])
def module(root: Path, tmp_path: Path, request: pytest.FixtureRequest) -> ModuleOp:
    module = module_of(readout(tmp_path) if request.param == "readout" else root / "examples" / request.param)
    run_passes(parse_pipeline(TICKS, available_passes()), NoptContext(), module)
    return module


def test_equal_modules_have_equal_contents(module: ModuleOp) -> None:
    copy = module.clone()
    assert module_contents(copy) == module_contents(module)
    next(iter(copy.ops)).attributes["user.note"] = StringAttr("changed")
    assert module_contents(copy) != module_contents(module)
    assert PassResults(1).number_of(module) == 0


@pytest.mark.parametrize("device", ["asic/mesh", "loihi2/loihi1", "spinnaker/spinn5", "truenorth/ns1e"])
def test_a_fit_with_kept_results_is_the_same(module: ModuleOp, device: str) -> None:
    target, _, name = device.partition("/")
    results, alone, fits = PassResults(48), module.clone(), list[object]()
    whole = fit(alone, find_device(target, name))
    for _ in range(2):
        copy = module.clone()
        fitted = fit(copy, find_device(target, name), results=results)
        assert str(copy) == str(alone)
        assert fitted.findings == whole.findings
        fits.append(fitted.fits)
    assert fits == [whole.fits] * 2
    assert results.results


def test_a_step_runs_once(module: ModuleOp, monkeypatch: pytest.MonkeyPatch) -> None:
    step = parse_pipeline("ntensor-quantize-weights{bits=4}", available_passes())[0]
    runs, apply, results = list[object](), type(step).apply, PassResults(1)
    monkeypatch.setattr(type(step), "apply", lambda *args: runs.append(args) or apply(*args))
    texts, findings = list[str](), list[list[object]]()
    for _ in range(2):
        copy, found = module.clone(), Diagnostics()
        apply_kept(results, "key", step, NoptContext(diagnostics=found), copy)
        texts.append(str(copy))
        findings.append([*found.findings])
    assert len(runs) == 1
    assert texts[0] == texts[1] != str(module)
    assert findings[0] == findings[1]
    apply_kept(results, "other", step, NoptContext(), module.clone())
    assert list(results.results) == ["other"]  # in place of the least recently used one


def test_a_refusal_is_not_kept(module: ModuleOp) -> None:
    step, results = parse_pipeline("ntensor-quantize-weights{bits=99}", available_passes())[0], PassResults(1)
    for _ in range(2):
        with pytest.raises(nopt.Refused):
            apply_kept(results, "key", step, NoptContext(), module.clone())
    assert not results.results
