"""Rounding by data is never worse than nearest integers on the samples that judge it, and at most a standard error worse on a third set."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from rounding_networks import CALIBRATION, Case, write_network
from rounding_rows import METHODS, Row, figures, measured, reference
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.calibration_records import thue_morse
from nopt.core.diagnostics import Diagnostics

SECONDS = 60
BITS = (8, 4, 3, 2)
NUMBER = r"([0-9.e+-]+)"
TOLD = re.compile(rf"count error {NUMBER}, {NUMBER} of decisions")
"""Errors in the record of the pass: those of the method first, those of nearest integers last."""
CONVERSIONS = {
    "digits_fc": "dt-ns=1000000 like=norse",
    "digits_conv": "dt-ns=1000000 like=sinabs",
    "order": "dt-ns=100000 like=snntorch reset=subtract_next",
}


@pytest.fixture(scope="module", params=CONVERSIONS)
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    return write_network(tmp_path_factory.mktemp(request.param) / request.param, request.param, Path())


@pytest.fixture(scope="module")
def before(case: Case) -> np.ndarray:
    return reference(case, SECONDS)


@pytest.mark.parametrize("bits", BITS)
def test_method_is_at_most_a_standard_error_worse_on_a_third_set(case: Case, before: np.ndarray, bits: int) -> None:
    nearest, *others = (
        measured(case, Row(case.folder.name, bits, method), before, SECONDS)
        for method in ("nearest", "gptq", "adaround")
    )
    for found in others:
        assert found["accuracy"] >= nearest["accuracy"] - nearest["standard_error"], found["method"]


def counts_of(module: ModuleOp, x: np.ndarray) -> np.ndarray:
    """Returns the events of each output neuron in each sample."""
    (events,) = nopt.run(module, x).values()
    return events.sum(1, dtype=np.int64)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("method", ["gptq", "adaround"])
def test_method_is_never_worse_on_the_samples_that_judge(case: Case, method: str, bits: int) -> None:
    """The record states the errors of a run on half of the kept samples, which no weight was fitted to."""
    reals = nopt.apply(nopt.read(case.folder / "net.nir"), f"convert-nir-to-ntensor{{{CONVERSIONS[case.folder.name]}}}")
    judging = np.load(case.folder / "calib.npy")[thue_morse(CALIBRATION)]
    found: dict[str, dict[str, float]] = {}
    wanted = counts_of(reals, judging)
    for name in ("nearest", method):
        passes = METHODS[name].replace("bits=B", f"bits={bits}").replace("calib.npy", f'"{case.folder / "calib.npy"}"')
        module = nopt.apply(reals.clone(), passes, diagnostics=Diagnostics())
        found[name] = figures(wanted, counts_of(module, judging), None)
        found[name]["decisions"] = float((counts_of(module, judging).argmax(1) != wanted.argmax(1)).mean())
    assert len(judging) == CALIBRATION // 2
    assert found[method]["count_error"] <= found["nearest"]["count_error"]
    assert found[method]["decisions"] <= found["nearest"]["decisions"]
    told = [tuple(map(float, errors)) for errors in TOLD.findall(str(module))]
    assert told[0] == pytest.approx((found[method]["count_error"], found[method]["decisions"]), rel=0.01, abs=1e-4)
