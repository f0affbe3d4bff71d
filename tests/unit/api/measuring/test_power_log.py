"""Logs of a real machine: units in every form of a header, phases, and energies that follow from the powers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nopt.api.measuring.measured import measure_log
from nopt.api.measuring.power_log import PowerLog, read_log
from nopt.core.diagnostics import Refused

NONE = {"energy": "no coefficients of energy", "time": "no coefficients of time"}
REPORT = {
    "calibration": None,
    "cost": {"energy": None, "latency": None, "reasons": NONE},
    "network": {"frame_ticks": 1},
    "device": {"name": "some/chip"},
}
ENERGY = {"value": 2e6, "unit": "pJ", "terms": [{"name": "spike"}], "unknown": ["cost.energy.idle"]}


def log_of(text: str, folder: Path) -> PowerLog:
    path = folder / "log.csv"
    path.write_text(text, encoding="utf-8")
    return read_log(path)


@pytest.mark.parametrize(
    "header",
    ["time_ms,power_mW", "time [ms],power [mW]", "time (ms);power (mW)", "t_ms\tpower [mW]", "\ufefftime_ms, power_mW"],
)
def test_a_header_has_its_unit_in_several_forms(header: str, tmp_path: Path) -> None:
    delimiter = next(one for one in ",;\t" if one in header)
    log = log_of(f"{header}\n0{delimiter}1\n2{delimiter}3\n", tmp_path)
    assert log.time is not None
    np.testing.assert_allclose(log.time, [0, 0.002])
    np.testing.assert_allclose(log.power["power"], [0.001, 0.003])


def test_the_micro_sign_and_the_letter_mu_are_the_same_unit(tmp_path: Path) -> None:
    for sign in ("\N{MICRO SIGN}", "\N{GREEK SMALL LETTER MU}", "u"):
        log = log_of(f"time_s,core [{sign}W]\n0,1\n1,1\n", tmp_path)
        np.testing.assert_allclose(log.power["core"], 1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_energy_is_the_area_below_the_power(seed: int, tmp_path: Path) -> None:
    """A run of constant power between two idle phases, with steps of random lengths."""
    random = np.random.default_rng(seed)
    steps = np.cumsum(random.integers(1, 9, 30))
    idle, run, samples = random.integers(1, 50, 3)
    phases = ["idle"] * 10 + ["run"] * 10 + ["idle"] * 10
    rows = [f"{t},{idle if phase == 'idle' else idle + run},{phase}" for t, phase in zip(steps, phases, strict=True)]
    log = log_of("\n".join([f"# samples: {samples}", "time_ms,core_mW,phase", *rows]), tmp_path)
    duration = (steps[20] - steps[10]) * 1e-3
    (rail,) = measure_log(REPORT, log).rails
    assert rail.idle_power_w == pytest.approx(idle * 1e-3)
    assert rail.mean_power_w == pytest.approx((idle + run) * 1e-3)
    assert rail.energy_j == pytest.approx((idle + run) * 1e-3 * duration)
    assert rail.net_sample_j == pytest.approx(run * 1e-3 * duration / samples)
    assert measure_log(REPORT, log).time.sample_s == pytest.approx(duration / samples)


def test_a_ramp_has_the_mean_power_of_its_ends(tmp_path: Path) -> None:
    log = log_of("# samples: 1\ntime_s,core_W\n0,0\n2,4\n", tmp_path)
    (rail,) = measure_log(REPORT, log).rails
    assert (rail.energy_j, rail.mean_power_w, rail.idle_power_w) == (4.0, 2.0, None)


def test_the_energy_without_idle_power_is_compared_with_an_estimate_without_it(tmp_path: Path) -> None:
    """2 uJ in each of 5 ticks; the run has (3 W - 1 W) * 2 s = 4 J above idle, and 6 J in all."""
    text = "# samples: 1\n# ticks: 5\ntime_s,core_W,phase\n0,1,idle\n1,3,run\n3,3,run\n"
    for unknown, expected in ((["cost.energy.idle"], 4 / 1e-5), ([], 6 / 1e-5)):
        terms = ENERGY["terms"] if unknown else [{"name": "spike"}, {"name": "idle"}]
        cost = {"energy": {**ENERGY, "unknown": unknown, "terms": terms}, "latency": None, "reasons": NONE}
        found = measure_log({**REPORT, "cost": cost}, log_of(text, tmp_path))
        assert found.estimate.energy_j == pytest.approx(1e-5)
        assert found.rails[0].ratio == pytest.approx(expected)
        assert found.rails[0].is_net is bool(unknown)
        assert found.time.ratio is None
        assert "no coefficients of time" in str(found.estimate.time_reason)


def test_samples_are_counted_by_their_column(tmp_path: Path) -> None:
    log = log_of("sample,time_s,core_W\na,0,1\na,1,1\nb,2,1\nb,3,1\n,4,1\n", tmp_path)
    assert log.samples == 2


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("time_s,power_mW\n0,1\n1,inf\n", "MEA004", "3:3"),
        ("time_s,power_mW\n0,1\n1,\n", "MEA004", "3:3"),
        ("time_s;power_mW\n0;1\n1;2,5\n", "MEA004", "3:3"),
        ("time_s,power_mW\n1,1\n0.5,1\n", "MEA005", "3:1"),
        ("sample,energy_uJ\n0,-1\n", "MEA004", "2:3"),
        ("sample,temperature_C\n0,20\n", "MEA003", "1:8"),
        ("# ticks: 0\nsample,energy_uJ\n0,1\n", "MEA006", "1:1"),
    ],
)
def test_a_wrong_cell_is_refused_with_its_place(text: str, code: str, place: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal:
        log_of(text, tmp_path)
    (finding,) = refusal.value.findings
    assert (str(finding.code), str(finding.place).partition("log.csv:")[2]) == (code, place)
