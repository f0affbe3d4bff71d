"""The loss in a report agrees with the definitions, computed by loops from the arrays of the network and of its chip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from literal_loss import literal_loss

import nopt.api as nopt
from nopt.api.options import Choices
from nopt.api.running import level_comparison
from nopt.api.running.run import execute

CHOICES: Choices = {"dt": "1ms", "like": "norse"}
FIGURES = ("agreement", "count_error", "spike_agreement", "relative_error", "largest_error", "largest_output")


def written(folder: Path, *readouts: str) -> Path:
    """Writes a network of 8 neurons with readouts: "LIF" spikes, "LI" values."""
    rng = np.random.default_rng(3)
    nodes: dict[str, Any] = {"input": nir.Input({"input": np.array([6])}), "fc": linear(rng, 6, 8), "hidden": lif(8)}
    edges = [("input", "fc"), ("fc", "hidden")]
    for k, kind in enumerate(readouts):
        neurons = 3 - k
        nodes |= {f"fc{k}": linear(rng, 8, neurons), f"out{k}": lif(neurons) if kind == "LIF" else li(neurons)}
        nodes |= {f"output{k}": nir.Output({"output": np.array([neurons])})}
        edges += [("hidden", f"fc{k}"), (f"fc{k}", f"out{k}"), (f"out{k}", f"output{k}")]
    path = folder / "net.nir"
    nir.write(path, nir.NIRGraph(nodes=nodes, edges=edges))
    return path


def linear(rng: np.random.Generator, inputs: int, outputs: int) -> nir.Linear:
    return nir.Linear(weight=rng.normal(0.2, 0.7, (outputs, inputs)).astype(np.float32))


def lif(neurons: int) -> nir.LIF:
    each = np.ones(neurons)
    return nir.LIF(tau=0.02 * each, r=20 * each, v_leak=0 * each, v_threshold=each, v_reset=0 * each)


def li(neurons: int) -> nir.LI:
    each = np.ones(neurons)
    return nir.LI(tau=0.01 * each, r=5 * each, v_leak=0 * each)


CASES = [
    ("asic/mesh", ["LIF"], ""),
    ("asic/edge", ["LIF", "LIF"], ""),
    ("loihi2/loihi1", ["LIF"], ""),
    ("c/int4", ["LI"], ""),
    ("c/int8", ["LIF", "LI", "LI"], ""),
    ("memxbar", ["LI"], ""),
    ("akida/akd1000", ["LIF"], "ntensor-encode-rates{window=10 approximate=leak},ntensor-quantize-counts{bits=2}"),
]


@pytest.mark.parametrize("room", [level_comparison.ROOM_BYTES, 1])
@pytest.mark.parametrize(("target", "readouts", "passes"), CASES, ids=[case[0] for case in CASES])
def test_loss_of_a_build_follows_from_its_arrays(
    target: str, readouts: list[str], passes: str, room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_comparison, "ROOM_BYTES", room)
    path = written(tmp_path, *readouts)
    spikes = np.random.default_rng(5).random((6, 40, 6)) < np.linspace(0, 0.5, 6)[:, None, None]
    choices: Choices = {**CHOICES, "reset": "subtract"} if passes else CHOICES
    build = nopt.compile(path, target=target, out=tmp_path / "build", calib=spikes, passes=passes, **choices)
    before = nopt.run(path, spikes, **choices, precision="f64")
    late = max(build.report["latency_ticks"].values())
    after = nopt.run(tmp_path / "build", spikes, ticks=spikes.shape[1] + late)
    loss, steps = build.report["loss"], (build.report["integers"] or {"steps": {}})["steps"]
    assert loss == build.report["levels"][-1]["loss"]
    assert list(loss["outputs"]) == list(after)
    kinds = {"LIF": "count" if passes else "spike", "LI": "value"}
    for k, (name, array) in enumerate(after.items()):
        neurons = array.shape[-1]
        expected = literal_loss(
            before[name],
            array,
            kind=kinds[readouts[k]],
            latency=build.report["latency_ticks"][name],
            frame_ticks=-(-before[name].shape[1] // array.shape[1]),
            unit=np.broadcast_to(steps.get(name, 1.0), neurons).tolist(),
        )
        assert any(expected.values())
        for figure in FIGURES:
            value = expected[figure]
            close = None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)
            assert loss["outputs"][name][figure] == close, (name, figure)
    assert loss["samples"] == 6
    assert loss["accuracy"] is loss["gained"] is None


def test_labels_add_the_samples_that_changed_sides(tmp_path: Path) -> None:
    """The arg-max of values is that of the network's units: neurons of a chip can have different ones."""
    path = written(tmp_path, "LI")
    spikes = np.random.default_rng(7).random((60, 30, 6)) < 0.3
    before = nopt.run(path, spikes, **CHOICES)["output0"]
    labels = before.sum(1).argmax(1)
    labels[::5] = (labels[::5] + 1) % 3
    build = nopt.compile(
        path, target="memxbar", out=tmp_path / "build", calib=spikes, labels=labels, weight_bits=3, **CHOICES
    )
    after = nopt.run(tmp_path / "build", spikes)["output0"].astype(np.float64)
    units = build.report["integers"]["steps"]["output0"]
    assert len(set(units)) == 3
    right = [x.sum(1).argmax(1) == labels for x in (before, after * units)]
    assert execute(tmp_path / "build", spikes).argmax("output0") == (after * units).sum(1).argmax(1).tolist()
    loss = build.report["loss"]
    assert loss["gained"] == np.flatnonzero(right[1] & ~right[0]).tolist()
    assert loss["lost"] == np.flatnonzero(right[0] & ~right[1]).tolist()
    assert loss["gained"] + loss["lost"]
    assert (loss["accuracy_before"], loss["accuracy"]) == (right[0].mean(), right[1].mean())


@pytest.mark.parametrize(
    ("readout", "targets"),
    [
        ("LI", ("c/int8", "memxbar")),
        ("LIF", ("asic/mesh", "loihi2/loihi1")),
        ("LIF", ("loihi2/loihi1", "asic/mesh")),
    ],
)
def test_loss_between_two_builds(readout: str, targets: tuple[str, str], tmp_path: Path) -> None:
    """B is compared with A, in units of the network and with the latency of each."""
    path = written(tmp_path, readout)
    spikes = np.random.default_rng(5).random((6, 40, 6)) < 0.3
    folders = [tmp_path / target.replace("/", "-") for target in targets]
    reports = [
        nopt.compile(path, target=target, out=folder, calib=spikes, **CHOICES).report
        for target, folder in zip(targets, folders, strict=True)
    ]
    arrays = [nopt.run(folder, spikes)["output0"].astype(np.float64) for folder in folders]
    late = [report["latency_ticks"]["output0"] for report in reports]
    if readout == "LI":
        arrays = [x * r["integers"]["steps"]["output0"] for x, r in zip(arrays, reports, strict=True)]
    else:
        assert sorted(late) == [0, 2]
    found = nopt.diff(folders[0], folders[1], spikes)
    assert [found.loss.a and found.loss.a.as_json(), found.loss.b and found.loss.b.as_json()] == [
        report["loss"] for report in reports
    ]
    assert found.loss.between is not None
    ticks = arrays[0].shape[1]
    shifted = [x[:, lag : ticks - max(late) + lag] for x, lag in zip(arrays, late, strict=True)]
    expected = literal_loss(*shifted, kind="value" if readout == "LI" else "spike")
    for figure in FIGURES:
        value = expected[figure]
        close = None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)
        assert getattr(found.loss.between, figure) == close, figure
    assert found.outputs is not None
    largest = float(np.abs(arrays[1] - arrays[0]).max())
    assert found.outputs.arrays["output0"].max_abs == pytest.approx(largest)
