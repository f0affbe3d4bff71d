"""Ring buffers that saturate, by hand: sums of spikes that several delays bring into one tick.

12 sources with a delay each, and weights of 1. They are expected to send 12 * 30 / 1000 = 0.36 spikes in a tick: W = 0.36 + 5 * 0.36^0.5 = 3.36 < 2^2. A
weight of 1 is 8192 with a shift of 6, and an entry holds 65535: 7 spikes, and not 8. The neurons forget v within a tick, so that v is the sum.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing
from nopt.core.diagnostics import Diagnostics, Finding
from nopt.dialects import nir

SOURCES, TICKS = 12, 20
DELAYS = np.arange(1, SOURCES + 1)
THRESHOLDS = np.array([7.5, 7.9999, 100.0])
VOLTS = np.array([2**14, 2**14, 2**10])
"""The power of two with which a threshold is near 131072."""
CHOICES: dict[str, Any] = {"dt": "1ms", "like": "euler", "reset": "value"}


def network(weight: float, bias: float = 0.0) -> Any:
    drawing = Drawing(SOURCES)
    late = drawing.add(nir.DelayOp, "late", drawing.x, delay=DELAYS / 1000)
    entries = {"bias": np.full(3, bias, np.float32)} if bias else {}
    x = drawing.linear("fc", late, np.full((3, SOURCES), weight, np.float32), **entries)
    given = {"tau": 0.001, "r": 1.0, "v_leak": 0.0, "v_reset": 0.0}
    arrays = {name: np.full(3, value) for name, value in given.items()}
    return drawing.finish(drawing.add(nir.LIFOp, "z", x, v_threshold=THRESHOLDS, **arrays))


def spikes(sources: int) -> np.ndarray:
    """Returns a spike of each of some sources, which arrive together. Shapes: result [1, ticks, sources]."""
    found = np.zeros((1, TICKS, SOURCES), np.bool_)
    used = np.arange(sources)
    found[0, SOURCES + 1 - DELAYS[used], used] = True
    return found


def compiled(folder: Path, *given: float, **options: Any) -> list[Finding]:
    """Compiles the network, and returns the warnings of ring buffers."""
    found = Diagnostics()
    nopt.compile(network(*given), target="spinnaker", out=folder, diagnostics=found, **CHOICES, **options)
    return [one for one in found.findings if str(one.code) == "SPN011"]


@pytest.mark.parametrize("sign", [1, -1])
def test_sums_of_several_delays_saturate(tmp_path: Path, sign: int) -> None:
    (warning,) = compiled(tmp_path / "build", float(sign))
    assert warning.node == "z"
    assert "98304" in str(warning)
    for sources in (1, 7, 8, 12):
        held = min(8192 * sources, 65535)
        found = nopt.run(tmp_path / "build", spikes(sources), record=["z.v"], diagnostics=Diagnostics())
        v = np.floor(sign * held * VOLTS / 8192).astype(int)
        is_spiking = v >= np.floor(VOLTS * THRESHOLDS + 1)
        assert found["output"].sum((0, 1)).tolist() == is_spiking.tolist()
        extreme = found["z.v"].max((0, 1)) if sign > 0 else found["z.v"].min((0, 1))
        assert (
            extreme.tolist() == np.where(is_spiking, 0, v).tolist()
        )  # v is recorded before an update, and is reset after a spike
    assert is_spiking.tolist() == [sign > 0, False, False]  # the sum of reals, 12, exceeds 7.9999


@pytest.mark.parametrize("bias", [0.0, -0.3])
def test_the_remedy_of_the_warning_holds_all_sums(tmp_path: Path, bias: float) -> None:
    (warning,) = compiled(tmp_path / "build", 1.0, bias)
    passes = str(warning.help).removeprefix("--passes '").removesuffix("'")
    assert not compiled(tmp_path / "again", 1.0, bias, passes=passes)
    found = nopt.run(tmp_path / "again", spikes(12), diagnostics=Diagnostics())["output"]
    assert found.sum((0, 1)).tolist() == [1, 1, 0]


def test_the_rates_of_a_calibration_choose_the_shifts(tmp_path: Path) -> None:
    """12 spikes in 20 ticks are 0.6 of them in a tick: W = 0.6 + 5 * 0.6^0.5 = 4.47 < 2^3, so that 1 is 4096, and 12 are 49152."""
    np.save(tmp_path / "x.npy", spikes(12))
    assert not compiled(tmp_path / "build", 1.0, calib=tmp_path / "x.npy")
    chip = json.loads((tmp_path / "build" / "artefact" / "network.json").read_text(encoding="utf-8"))["chip"]
    (core,) = (op for op in chip["body"] if op["op"] == "spinnaker.core")
    assert core["body"][0]["params"]["r_membrane"]["values"][-1] == 512 * VOLTS[-1] // 4096
    found = nopt.run(tmp_path / "build", spikes(12), diagnostics=Diagnostics())["output"]
    assert found.sum((0, 1)).tolist() == [1, 1, 0]


def busy(ticks: int = 200) -> np.ndarray:
    """Returns rare spikes, and one tick in which those of 11 sources arrive together. Shapes: [1, ticks, sources]."""
    x = np.random.default_rng(3).random((1, ticks, SOURCES)) < 0.02
    x[0, 60 + SOURCES - DELAYS[:11], np.arange(11)] = True
    return x


def test_saturation_of_the_sample_input_is_counted_and_the_remedy_removes_it(tmp_path: Path) -> None:
    """The sums are counted from the weights of the artefact, tick by tick."""
    x, found = busy(), Diagnostics()
    np.save(tmp_path / "x.npy", x)
    options = {"target": "spinnaker", "calib": tmp_path / "x.npy", **CHOICES}
    made = nopt.compile(network(1.0), out=tmp_path / "build", diagnostics=found, **options)
    codes = {str(one.code): one for one in found.findings}
    assert codes["SPN011"].severity == "remark"
    (excitatory, inhibitory) = made.report["saturation"]
    sums = np.zeros(x.shape[1] + SOURCES + 2, int)
    for source, ticks in enumerate(x[0].T):
        sums[np.flatnonzero(ticks) + DELAYS[source]] += 1
    sums = sums[: x.shape[1]]
    weight, rest = divmod(excitatory["largest"], int(sums.max()))
    assert not rest
    sums = 3 * [*(weight * sums)]
    expected = {"sums": np.count_nonzero(sums), "saturated": sum(one > 65535 for one in sums), "largest": max(sums)}
    assert {name: excitatory[name] for name in expected} == expected
    assert excitatory["saturated"] > 0
    assert (inhibitory["input"], inhibitory["sums"], inhibitory["saturated"]) == ("inhibitory", 0, 0)
    warning = codes["SPN012"]
    assert f"{expected['saturated']} of {expected['sums']} excitatory sums, up to {expected['largest']}" in str(warning)
    passes = str(warning.help).removeprefix("--passes '").removesuffix("'")
    again = Diagnostics()
    made = nopt.compile(network(1.0), out=tmp_path / "again", diagnostics=again, passes=passes, **options)
    assert "SPN012" not in {str(one.code) for one in again.findings}
    assert [row["saturated"] for row in made.report["saturation"]] == [0, 0]
    assert 2 * made.report["saturation"][0]["largest"] == expected["largest"]


def test_a_run_without_saturation_has_no_warning(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", spikes(3))
    found = Diagnostics()
    options = {"target": "spinnaker", "calib": tmp_path / "x.npy", **CHOICES}
    made = nopt.compile(network(1.0), out=tmp_path / "build", diagnostics=found, **options)
    assert made.report["saturation"][0]["saturated"] == 0 < made.report["saturation"][0]["sums"]
    assert "SPN012" not in {str(one.code) for one in found.findings}
