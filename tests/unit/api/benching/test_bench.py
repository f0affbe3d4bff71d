"""Measurements of engines: plausible times, the entries that differ, and the reason of an engine that does not run."""

from __future__ import annotations

from typing import Any

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.benching import bench as benching
from nopt.core.diagnostics import Diagnostics, Refused

CHOICES: nopt.Choices = {"dt": "1ms", "like": "norse"}
X = np.random.default_rng(0).random((3, 20, 4)) < 0.3


def network() -> nir.NIRGraph:
    return nir.NIRGraph(
        {
            "input": nir.Input(np.array([4])),
            "fc": nir.Linear(np.random.default_rng(1).normal(size=(5, 4))),
            "lif": nir.LIF(np.full(5, 0.01), np.ones(5), np.zeros(5), np.full(5, 0.1), np.zeros(5)),
            "output": nir.Output(np.array([5])),
        },
        [("input", "fc"), ("fc", "lif"), ("lif", "output")],
    )


def measure(**options: Any) -> nopt.Bench:
    return nopt.bench(network(), X, choices=CHOICES, seconds=0.05, diagnostics=Diagnostics(), **options)


def test_an_engine_has_times_that_agree_with_each_other() -> None:
    found = measure(engine="numpy")
    (row,) = found.engines
    assert (found.samples, found.ticks, found.reference, found.output_entries) == (3, 20, "numpy", 300)
    assert row.sample_seconds is not None
    assert row.tick_seconds is not None
    assert row.samples_per_second is not None
    assert row.tick_seconds == pytest.approx(row.sample_seconds / 20)
    assert 0 < row.sample_seconds < 1
    assert row.samples_per_second > 1
    assert (row.different_entries, row.reason) == (0, None)


def test_entries_that_differ_from_the_reference_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    usable = [one for one in nopt.engines() if one.is_usable]
    if len(usable) < 2:
        pytest.skip("one engine is usable here")
    read = benching.outputs_of

    def changed(path: Any) -> Any:
        found = read(path)
        if path.stem != "numpy":
            array = next(iter(found.values()))
            flat = array.reshape(-1)
            flat[:2] = flat[:2] == 0
        return found

    monkeypatch.setattr(benching, "outputs_of", changed)
    found = measure(engine=[usable[0].name, "numpy"])
    assert [one.different_entries for one in found.engines] == [2, 0]


def test_an_engine_that_does_not_run_has_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    work = benching.run_worker
    monkeypatch.setattr(
        benching,
        "run_worker",
        lambda *given: {"refused": [{"message": "ended"}]} if given[1] == "native" else work(*given),
    )
    row = next(one for one in measure(engine="numpy,native").engines if one.name == "native")
    assert (row.reason, row.sample_seconds) == ("ended", None)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"engine": "nympy"}, "RUN014"),
        ({"seconds": 0.0}, "API022"),
        ({"core": "cortex-m4", "target": "loihi2"}, "RUN030"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        nopt.bench(network(), X, choices=CHOICES, diagnostics=Diagnostics(), **options)
    assert refusal.value.findings[0].code.id == code


def test_engines_of_which_none_runs_are_refused_with_their_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benching.sys, "executable", "/bin/false")
    with pytest.raises(Refused) as refusal:
        measure(engine="numpy")
    (finding,) = refusal.value.findings
    assert (finding.code.id, finding.found) == ("RUN033", "numpy: its process ended with exit code 1: no output")
    assert finding.help == "--engine numpy"
