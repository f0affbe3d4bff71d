"""Real networks on Loihi: the artefact, as `nopt run DIR` runs it, equals the network in ticks, and the loss is within its bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_models import run_equal
from extent import times
from places import EXAMPLES, ROOT

import nopt.api as nopt
from nopt.core.device.device import find_device, override_fields
from nopt.core.device.topology import topology_of
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.help_text import in_command

FIXED, PROGRAMMABLE = "loihi2/oheo_gulch", "loihi2/programmable"
ZERO = {"dt": "0.1ms", "like": "snntorch", "reset": "zero"}
SUBTRACT = {"dt": "0.1ms", "like": "snntorch", "reset": "subtract"}


def compiled(net: Path, out: Path, target: str, **options: Any) -> dict[str, Any]:
    """Compiles a network, and returns its report."""
    return dict(nopt.compile(net, out=out, target=target, diagnostics=Diagnostics(), **options).report)


def verify(build: Path, x: np.ndarray, record: list[str]) -> dict[str, np.ndarray]:
    """Compares a run of the chip with one of the network, and returns the results, none of which is silent."""
    found = run_equal(build, x, record)
    assert all(values.any() for values in found.values())
    return found


def level(report: dict[str, Any]) -> dict[str, Any]:
    """Returns the level of the target."""
    return next(one for one in report["levels"] if one["level"] == "target")


# ---- networks of the NIR paper


@pytest.mark.parametrize("device", ["oheo_gulch", "loihi1"])
def test_braille_keeps_its_class_and_rates(device: str, shared: Path, tmp_path: Path) -> None:
    folder = shared / "samples" / "nir_paper" / "braille"
    sample = folder / "input_sample0.npy"
    net = folder / "braille_noDelay_bias_zero.nir"
    report = compiled(net, tmp_path / "b", f"loihi2/{device}", calib=sample, **ZERO)
    assert level(report)["populations"]["lif1.lif"]["rate_cosine"] >= 0.98
    found = verify(tmp_path / "b", np.load(sample), ["lif1.lif", "lif1.lif.v", "lif1.lif.i", "clock"])
    assert found["output"].sum(axis=0).argmax() == 1


def test_a_reset_by_subtraction_is_refused_with_remedies_that_work(shared: Path, tmp_path: Path) -> None:
    folder = shared / "samples" / "nir_paper" / "braille"
    net, x = folder / "braille_noDelay_noBias_subtract.nir", np.load(folder / "input_sample0.npy")
    with pytest.raises(Refused) as refused:
        compiled(net, tmp_path / "a", FIXED, **SUBTRACT)
    help = in_command(refused.value.findings[0].help or "")
    assert str(refused.value.findings[0].code) == "LEG020"
    assert help == ("--target loihi2/programmable, or --approximate reset")
    compiled(net, tmp_path / "b", PROGRAMMABLE, **SUBTRACT)
    assert verify(tmp_path / "b", x, ["lif1.lif.v"])["output"].any()
    compiled(net, tmp_path / "c", FIXED, approximate="reset", **SUBTRACT)
    assert verify(tmp_path / "c", x, ["lif1.lif.v"])["output"].any()


def test_a_convolutional_network_on_many_cores(shared: Path, tmp_path: Path) -> None:
    net = shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir"
    report = compiled(net, tmp_path / "b", PROGRAMMABLE, dt="1ms", like="sinabs")
    assert report["mapping"]["cores"] > 1
    x = np.random.default_rng(0).random((16, 2, 34, 34)) < 0.05
    verify(tmp_path / "b", x, ["1", "3"])


@pytest.mark.parametrize("device", ["oheo_gulch", "loihi1"])
@pytest.mark.parametrize("pins", [[], ["0.weight=10,1.du=4095,1.dv=163,1.vth=25"]])
def test_the_recorded_trace(device: str, pins: list[str], shared: Path, tmp_path: Path) -> None:
    """The spikes are those of Lava without pins; with the integers of the recording, v is equal, too."""
    folder = shared / "samples" / "nir_paper" / "lif"
    x, v, z = np.loadtxt(folder / "lif_lava_cpu_fixed.csv", delimiter=",").T
    compiled(folder / "lif_norse.nir", tmp_path / "b", f"loihi2/{device}", dt="0.1ms", like="norse", pin=pins)
    found = verify(tmp_path / "b", x[:, None] != 0, ["1", "1.v"])
    assert np.array_equal(found["1"][:, 0], z)
    assert np.array_equal(found["1.v"][:, 0], v) == bool(pins)


# ---- trained examples


def fewer(files: tuple[Path, Path], folder: Path) -> list[Path]:
    """Writes every third test sample and its class: 200, of which two are a point."""
    found = [folder / file.name for file in files]
    for file, other in zip(files, found, strict=True):
        np.save(other, np.load(file)[::3])
    return found


@pytest.mark.parametrize(
    ("name", "target", "options"),
    [
        ("digits/fc", FIXED, {"dt": "1ms", "like": "norse"}),
        ("digits/conv", PROGRAMMABLE, {"dt": "1ms", "like": "sinabs"}),
        ("order/order", PROGRAMMABLE, {"dt": "0.1ms", "like": "snntorch", "reset": "subtract_next"}),
    ],
)
def test_trained_networks_lose_at_most_a_point(
    name: str, target: str, options: dict[str, str], tmp_path: Path, encoded: Any
) -> None:
    x, y = fewer(encoded(Path(name).name), tmp_path)
    report = compiled(EXAMPLES / f"{name}.nir", tmp_path / "b", target, calib=x, labels=y, **options)
    before, after = (
        next(one["accuracy"] for one in report["levels"] if one["level"] == wanted) for wanted in ("float", "target")
    )
    assert after >= before - 0.01
    verify(tmp_path / "b", np.load(x)[:20], [])


# ---- limits of a device


def test_a_core_never_holds_more_neurons(tmp_path: Path) -> None:
    report = compiled(
        EXAMPLES / "digits" / "fc.nir", tmp_path / "b", FIXED, dt="1ms", like="norse", set=["core.neurons=100"]
    )
    mapping = json.loads((tmp_path / "b" / "mapping.json").read_text())
    sizes: dict[int, int] = {}
    for vertex in mapping["vertices"]:
        if vertex["node"] != "input":
            sizes[vertex["core"]] = sizes.get(vertex["core"], 0) + vertex["neurons"]
    assert report["mapping"]["cores"] >= 2
    assert sum(sizes.values()) == 138
    assert max(sizes.values()) <= 100


def test_faulty_cores_stay_unused(tmp_path: Path) -> None:
    device = json.loads((ROOT / "targets" / "loihi2" / "devices" / "loihi1.json").read_text())
    device["name"], dead = "dead", [(0, 0), (1, 0), (0, 1)]
    device["topology"]["faulty"] = [{"x": x, "y": y, "source": "davies2018"} for x, y in dead]
    file = tmp_path / "dead.json"
    file.write_text(json.dumps(device))
    options: dict[str, Any] = {"dt": "1ms", "like": "norse", "set": ["core.neurons=20"]}
    nopt.compile(EXAMPLES / "digits" / "fc.nir", out=tmp_path / "b", device=file, diagnostics=Diagnostics(), **options)
    mapping = json.loads((tmp_path / "b" / "mapping.json").read_text())
    used = {vertex["core"] for vertex in mapping["vertices"] if vertex["node"] != "input"}
    topology = topology_of(override_fields(find_device("loihi2", "loihi1"), []), 1)
    assert len(used) >= 7
    assert not {topology.place(core)[1:] for core in used} & {*dead}


def test_a_contract_is_explained(tmp_path: Path) -> None:
    device = json.loads((ROOT / "targets" / "loihi2" / "devices" / "loihi1.json").read_text())
    device["constraints"] = [{"expression": "fan_in <= 10", "source": "davies2018"}]
    file = tmp_path / "narrow.json"
    file.write_text(json.dumps(device))
    with pytest.raises(Refused) as refused:
        nopt.compile(
            EXAMPLES / "digits" / "fc.nir",
            out=tmp_path / "b",
            device=file,
            dt="1ms",
            like="norse",
            diagnostics=Diagnostics(),
        )
    (finding, *_) = refused.value.findings
    assert finding.expected == "fan_in <= 10"
    assert "64" in str(finding.found)
    assert finding.path == "constraints"


# ---- several chips


def test_generated_networks_on_several_chips() -> None:
    """Cores of 8 neurons, 4 chips of 16 cores each, and routes between chips."""
    shape = ["chips=4", "chip_mesh.width=2", "chip_mesh.height=2", "cores=64", "mesh.width=2", "mesh.height=2"]
    settings = [*(f"topology.{one}" for one in shape), "core.neurons=8"]
    (found,) = nopt.conform(FIXED, set=settings, only=["artefact", "equivalence"], networks=times(3)).devices
    assert {one.name: one.status for one in found.questions} == {"artefact": "passed", "equivalence": "passed"}


def test_a_network_on_several_chips(tmp_path: Path) -> None:
    shape = ["chips=2", "chip_mesh.width=2", "cores=16", "mesh.width=2", "mesh.height=1"]
    settings = [*(f"topology.{one}" for one in shape), "core.neurons=10"]
    options: dict[str, Any] = {"dt": "1ms", "like": "norse", "set": settings}
    compiled(EXAMPLES / "digits" / "fc.nir", tmp_path / "b", FIXED, **options)
    mapping = json.loads((tmp_path / "b" / "mapping.json").read_text())
    assert len({vertex["chip"] for vertex in mapping["vertices"] if vertex["node"] != "input"}) == 2
    x = np.random.default_rng(0).random((16, 64)) < 0.3
    verify(tmp_path / "b", x, ["1", "1.v"])
