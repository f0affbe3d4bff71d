"""The script of an artefact, run against a mock of samna (`mock/`) that has the fields that sinabs sets, and refuses others.

It proves that the script passes the configuration on. It does not prove that samna accepts it: the vendor's library was not run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynapcnn_networks import Case, compiled, convolution, draw

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing

MOCK = Path(__file__).parent / "mock"
SCRIPT = "apply_configuration.py"


def run_script(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "artefact" / SCRIPT), *options]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(MOCK)}, capture_output=True, text=True, check=False
    )


def expected(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the configuration of a chip, whose unused cores have default values."""
    free = {"destinations": [{"enable": False, "feature_shift": 0, "layer": 0, "pooling": 1}] * 2}
    cores = {"cnn_layers": [given["cnn_layers"].get(str(core), free) for core in range(9)]}
    return {"readout": {}} | given | cores | {"dvs_layer": given["dvs_layer"] | free, "dvs_filter": {}}


@pytest.mark.parametrize("device", ["speck2f", "dynapcnn"])
@pytest.mark.parametrize("seed", range(3))
def test_the_script_passes_the_configuration_on(seed: int, device: str, tmp_path: Path) -> None:
    compiled(draw(seed), tmp_path, f"dynapcnn/{device}")
    given = json.loads((tmp_path / "artefact" / "configuration.json").read_text(encoding="utf-8"))
    assert run_script(tmp_path).stdout == f"valid: {len(given['cnn_layers'])} layers\n"
    assert not (tmp_path / "samna.json").exists()
    done = run_script(tmp_path, "Speck2fDevKit")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "samna.json").read_text(encoding="utf-8")) == expected(given)


def test_a_refusal_and_a_missing_board_are_reported(tmp_path: Path) -> None:
    compiled(draw(0), tmp_path, "dynapcnn/speck2f")
    done = run_script(tmp_path, "OtherKit")
    assert (done.returncode, done.stderr) == (1, "no board of type OtherKit\n")
    path = tmp_path / "artefact" / "configuration.json"
    given = json.loads(path.read_text(encoding="utf-8"))
    next(iter(given["cnn_layers"].values()))["dimensions"]["kernel_size"] = 17
    path.write_text(json.dumps(given), encoding="utf-8")
    done = run_script(tmp_path)
    assert (done.returncode, done.stderr) == (1, "samna refuses the configuration: kernel_size\n")


def camera_network(folder: Path, channels: int, device: str = "speck2f") -> None:
    """Compiles a convolution that reads 32 x 24 positions."""
    rng = np.random.default_rng(0)
    drawing = Drawing(channels, 24, 32)
    out = drawing.population("if", "n", convolution(drawing, "c", drawing.x, rng, 2), 1.0)
    compiled(Case(drawing.finish(out), np.zeros((1, 1, channels, 24, 32)), ["n"]), folder, f"dynapcnn/{device}")


def test_the_camera_is_merged_pooled_cropped_and_flipped(tmp_path: Path) -> None:
    camera_network(tmp_path, 1)
    path = ["--merge", "--pool", "4", "--crop", "0", "4", "32", "28", "--flip", "y", "--filter", "5"]
    done = run_script(tmp_path, "Speck2fDevKit", "--camera", *path)
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "samna.json").read_text(encoding="utf-8"))
    first = json.loads((tmp_path / "artefact" / "mapping.json").read_text(encoding="utf-8"))["inputs"][0]["layers"]
    free = {"enable": False, "feature_shift": 0, "layer": 0, "pooling": 1}
    assert made["dvs_layer"] == {
        "cut": {"x": 31, "y": 27},  # the last positions of [0, 32) and [4, 28)
        "destinations": [free | {"enable": True, "layer": first[0]}, free],
        "merge": True,
        "mirror": {"x": False, "y": True},
        "mirror_diagonal": False,
        "monitor_enable": False,
        "origin": {"x": 0, "y": 4},
        "pass_sensor_events": True,
        "pooling": {"x": 4, "y": 4},
    }
    assert made["dvs_filter"] == {"enable": True, "hot_pixel_filter_enable": True, "threshold": 5}


def test_a_camera_with_another_size_or_without_pixels_is_refused(tmp_path: Path) -> None:
    camera_network(tmp_path / "two", 2)
    sizes = "the network reads 2 x 32 x 24 (polarities, x, y), and the camera sends 2 x 32 x 32\n"
    assert run_script(tmp_path / "two", "--camera", "--pool", "4").stderr == sizes
    outside = "--crop is outside of the 32 x 32 positions of the camera\n"
    assert run_script(tmp_path / "two", "--camera", *["--pool", "4", "--crop", "0", "0", "40", "24"]).stderr == outside
    assert run_script(tmp_path / "two", "--camera", *["--pool", "4", "--crop", "0", "0", "32", "24"]).returncode == 0
    camera_network(tmp_path / "none", 2, "dynapcnn")
    assert run_script(tmp_path / "none", "--camera").stderr == "dynapcnn has no camera on the chip\n"


@pytest.mark.parametrize("seed", range(6))
def test_a_run_has_the_counts_of_nopt_run(seed: int, tmp_path: Path) -> None:
    case = draw(seed)
    compiled(case, tmp_path, "dynapcnn/speck2f")
    counts = case.x.astype(np.int64)
    np.savez(tmp_path / "in.npz", input=counts)
    done = run_script(tmp_path, "Speck2fDevKit", "--run", "in.npz", "out.npz", "--wait", "0")
    assert done.returncode == 0, done.stderr
    expected = nopt.run(tmp_path, counts)
    with np.load(tmp_path / "out.npz") as found:
        assert found.files == [*expected]
        for name, values in expected.items():
            assert np.array_equal(found[name], values), name
            assert values.any()


@pytest.mark.parametrize("seed", range(3))
def test_a_run_has_the_probes(seed: int, tmp_path: Path) -> None:
    """A probed population is monitored, and its events are counted as those of an output."""
    case = draw(seed)
    compiled(case, tmp_path, "dynapcnn/speck2f", probe=case.names)
    given = json.loads((tmp_path / "artefact" / "configuration.json").read_text(encoding="utf-8"))
    assert all(layer["monitor_enable"] for layer in given["cnn_layers"].values())
    counts = case.x.astype(np.int64)
    np.savez(tmp_path / "in.npz", input=counts)
    done = run_script(tmp_path, "Speck2fDevKit", "--run", "in.npz", "out.npz", "--wait", "0")
    assert done.returncode == 0, done.stderr
    expected = nopt.run(tmp_path, counts)
    assert expected.keys() > {*case.names}
    with np.load(tmp_path / "out.npz") as found:
        assert {*found.files} == {*expected}
        for name, values in expected.items():
            assert np.array_equal(found[name], values), name


@pytest.mark.parametrize("window", [1, 16, 32])
def test_the_readout_block_reads_the_classes_of_the_output(window: int, tmp_path: Path) -> None:
    """Class k is filter 4 k of the last layer; the block reports the class with the most spikes of the window, above the threshold."""
    threshold, case = 2, draw(3)
    compiled(
        case,
        tmp_path,
        "dynapcnn/speck2f",
        f"preferences.readout_threshold={threshold}",
        f"preferences.readout_window={window}",
    )
    given = json.loads((tmp_path / "artefact" / "configuration.json").read_text(encoding="utf-8"))
    counts = case.x[0].astype(np.int64)
    np.savez(tmp_path / "in.npz", input=counts)
    done = run_script(tmp_path, "Speck2fDevKit", "--run", "in.npz", "out.npz", "--wait", "0", "--slow-clock", "1000")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "clock.json").read_text()) == 1000
    assert json.loads((tmp_path / "samna.json").read_text(encoding="utf-8")) == expected(given)
    (output,) = nopt.run(tmp_path, counts).values()
    with np.load(tmp_path / "out.npz") as found:
        assert np.array_equal(found["output"], output)
        sums = np.stack([output[max(0, t + 1 - window) : t + 1].sum(0) for t in range(len(output))])
        classes = np.where(sums.max(1) > threshold, sums.argmax(1), -1)
        assert np.array_equal(found["readout"], classes)
        assert (classes >= 0).any()
    last = next(one for one in given["cnn_layers"].values() if one["destinations"][0]["layer"] == 12)
    filters = 4 * output.shape[1] - 3
    assert last["dimensions"]["output_shape"]["feature_count"] == filters == len(last["weights"])
    assert not np.delete(np.array(last["weights"]), slice(None, None, 4), 0).any()


@pytest.mark.parametrize(
    ("arrays", "options", "said"),
    [
        ({}, ("Speck2fDevKit",), "arrays of input are expected, found none"),
        ({"input": np.zeros((4, 3))}, ("Speck2fDevKit",), "are expected, found (4, 3)"),
        ({"input": np.zeros((4, 3))}, (), "--run needs a board"),
        ({"input": np.zeros((4, 3))}, ("Speck2fDevKit", "--camera"), "not of the camera"),
    ],
)
def test_what_a_run_refuses(arrays: dict[str, np.ndarray], options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    compiled(draw(0), tmp_path, "dynapcnn/speck2f")
    np.savez(tmp_path / "in.npz", **arrays)
    done = run_script(tmp_path, *options, "--run", "in.npz", "out.npz")
    assert done.returncode == 1
    assert said in done.stderr
    assert not (tmp_path / "out.npz").exists()
