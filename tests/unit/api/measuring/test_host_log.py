"""Logs of this machine: times of an engine, counters of energy, and their return into a report."""

from __future__ import annotations

from pathlib import Path

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.measuring.host_log import Counter, HostLog, energy_counters, measure_host, write_log
from nopt.api.measuring.power_log import read_log
from nopt.core.diagnostics import Diagnostics

CHOICES: nopt.Choices = {"dt": "1ms", "like": "norse"}


def network() -> nir.NIRGraph:
    one = np.ones(4)
    lif = nir.LIF(tau=one * 0.02, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one)
    nodes = {"input": nir.Input(np.array([3])), "fc": nir.Linear(np.ones((4, 3))), "lif": lif}
    nodes["output"] = nir.Output(np.array([4]))
    return nir.NIRGraph(nodes, [("input", "fc"), ("fc", "lif"), ("lif", "output")])


def test_each_sample_has_its_time(tmp_path: Path) -> None:
    x = np.random.default_rng(0).random((3, 20, 3)) < 0.3
    log = measure_host(network(), x, choices=CHOICES, engine="numpy", diagnostics=Diagnostics(), counters=[])
    assert (len(log.times), log.ticks, log.engine, log.mean_energy_uj) == (3, 20, "numpy", None)
    assert all(0 < time < 1 for time in log.times)
    write_log(tmp_path / "host.csv", log)
    read = read_log(tmp_path / "host.csv")
    assert (read.samples, read.ticks) == (3, 20)
    assert "numpy" in str(read.rail)


def test_a_counter_that_starts_again_is_continued(tmp_path: Path) -> None:
    counter = Counter("package_0", tmp_path / "energy_uj", range_uj=999)
    assert counter.between(100, 350) == 250
    assert counter.between(990, 15) == 25


def test_energy_is_that_of_the_counters(tmp_path: Path) -> None:
    zone = tmp_path / "intel-rapl:0"
    for folder, name in ((zone, "package-0\n"), (tmp_path / "intel-rapl:0:0", "core\n")):
        folder.mkdir()
        (folder / "name").write_text(name)
        (folder / "energy_uj").write_text("5\n")
        (folder / "max_energy_range_uj").write_text("262143328850\n")
    (tmp_path / "intel-rapl:1").mkdir()  # without a counter that this user may read
    (counter,) = energy_counters(tmp_path)
    assert (counter.name, counter.read()) == ("package_0", 5)
    x = np.ones((2, 5, 3), bool)
    log = measure_host(network(), x, choices=CHOICES, engine="numpy", diagnostics=Diagnostics(), counters=[counter])
    assert log.energies == {"package_0": [0, 0]}  # the file does not change
    assert log.mean_energy_uj == 0


@pytest.mark.parametrize("energies", [{}, {"package_0": (3.0, 5.0)}])
def test_a_log_is_read_back_with_its_units(energies: dict[str, tuple[float, ...]], tmp_path: Path) -> None:
    log = HostLog("native", 16, (0.001, 0.003), energies)
    write_log(tmp_path / "host.csv", log)
    read = read_log(tmp_path / "host.csv")
    assert log.mean_time_s == pytest.approx(0.002)
    assert read.samples == 2
    assert read.time is not None
    np.testing.assert_allclose(read.time, [0.001, 0.003])
    assert {name: values.tolist() for name, values in read.energy.items()} == {
        name: pytest.approx([one * 1e-6 for one in values]) for name, values in energies.items()
    }
