"""The trained networks emit the same spikes in nopt as in their frameworks, in every test sample."""

from __future__ import annotations

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

NAMES = ("fc", "conv", "order")
RIGHT = {"fc": 577, "conv": 583, "order": 599}
"""Correctly classified test samples of each network; of 599, 599 and 600."""
LAYERS = ("crossbar", "rates")
"""Networks that were trained in PyTorch alone, without a framework of spiking networks."""
CONVERTED = ("relu",)
"""Networks that were trained in scikit-learn and converted."""
LEAST = {"fc": 0.95, "conv": 0.95, "order": 0.90}


def trained(demo: ModuleType, name: str):
    return next(net for net in demo.TRAINED if net.name == name)


def run(demo: ModuleType, name: str, **options: object) -> dict[str, np.ndarray]:
    import nopt.api as nopt

    net = trained(demo, name)
    choices = {"dt": net.dt, "like": net.like, "reset": net.reset} | options
    return nopt.run(net.path, demo.encoder.test_input(name)[0], **choices)


# ---- networks


@pytest.mark.parametrize("name", NAMES)
def test_counts_equal_the_framework(demo: ModuleType, name: str) -> None:
    found = demo.evaluated(trained(demo, name))
    np.testing.assert_array_equal(found.counts, found.expected)
    assert found.right == RIGHT[name]
    assert found.right / len(found.labels) >= LEAST[name]


@pytest.mark.parametrize("name", NAMES)
def test_f32_is_precise_enough(demo: ModuleType, name: str) -> None:
    """Weights are multiples of 1/256, so no sum depends on its order; v is far enough from the threshold, or exactly equal to it."""
    found = run(demo, name, precision="f32")["output"].sum(1)
    with np.load(trained(demo, name).path.with_suffix(".npz")) as stored:
        np.testing.assert_array_equal(found, stored["counts"])


@pytest.mark.parametrize("reset", ["value", "zero", "subtract"])
def test_the_order_depends_on_when_the_reset_acts(demo: ModuleType, reset: str) -> None:
    """snnTorch subtracts the threshold one tick after the spike by default; every other rule has other counts."""
    found = run(demo, "order", reset=reset)["output"].sum(1)
    with np.load(trained(demo, "order").path.with_suffix(".npz")) as stored:
        assert (found != stored["counts"]).any(1).mean() > 0.5


def test_convolution_spikes_several_times_in_a_tick(demo: ModuleType) -> None:
    assert run(demo, "conv", record=["1"])["1"].max() > 1


def test_scalars_of_norse_are_repaired_out_loud(demo: ModuleType) -> None:
    """Expects one remark for each population of the file, which the `nir` package cannot read."""
    import nir

    import nopt.api as nopt

    path = trained(demo, "fc").path
    with pytest.raises(ValueError, match="type mismatch"):
        nir.read(path)
    findings = nopt.check(path, dt="1ms", like="norse").findings
    assert [finding.node for finding in findings if finding.code.id == "NIF022"] == ["1", "3"]


@pytest.mark.parametrize("name", NAMES)
def test_files_are_small_and_on_the_grid(demo: ModuleType, name: str) -> None:
    import h5py

    net = trained(demo, name)
    assert net.path.stat().st_size + net.path.with_suffix(".npz").stat().st_size < 200_000
    arrays: list[np.ndarray] = []
    with h5py.File(net.path) as file:
        file.visititems(lambda key, item: arrays.append(item[()]) if key.endswith(("/weight", "/bias")) else None)
    assert any(array.any() for array in arrays)
    for array in arrays:
        np.testing.assert_array_equal(array * 256, np.round(array * 256))


# ---- inputs


def digest(spikes: np.ndarray) -> str:
    return sha256(np.packbits(spikes).tobytes()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("fc", (599, 16, 64), "dd5958ffc96c3919"),
        ("conv", (599, 16, 1, 8, 8), "dd5958ffc96c3919"),
        ("order", (600, 64, 12), "46a3f6f765b5647c"),
    ],
)
def test_input_is_the_same_everywhere(demo: ModuleType, name: str, shape: tuple[int, ...], expected: str) -> None:
    spikes, labels = demo.encoder.test_input(name)
    assert spikes.shape == shape
    assert spikes.dtype == bool
    assert len(labels) == len(spikes)
    assert digest(spikes) == expected


def test_rate_spikes_as_often_as_the_value_says(demo: ModuleType) -> None:
    values = np.tile(np.arange(17), (2, 4))
    spikes = demo.encoder.rate(values)
    np.testing.assert_array_equal(spikes.sum(1), values)
    halves = np.stack([spikes[:, :8].sum(1), spikes[:, 8:].sum(1)])
    assert abs(halves[0] - halves[1]).max() <= 1


def test_thirds_of_the_digits_are_apart(demo: ModuleType) -> None:
    (training, first), (test, second) = (demo.encoder.digits(is_test=is_test) for is_test in (False, True))
    assert (len(training), len(first), len(test), len(second)) == (1198, 1198, 599, 599)
    assert set(second) == set(range(10))


def test_order_is_as_labelled(demo: ModuleType) -> None:
    """The channels of the first bump spike first, those of the second later; nothing else distinguishes them."""
    encoder = demo.encoder
    spikes, labels = encoder.orders(is_test=True)
    groups = spikes.reshape(*spikes.shape[:2], 3, 4).sum(3)
    ticks = np.arange(encoder.LENGTH)[:, np.newaxis]
    centres = (groups * ticks).sum(1) / np.maximum(groups.sum(1), 1)
    first = np.array(["ABC".index(encoder.ORDERS[label][0]) for label in labels])
    second = np.array(["ABC".index(encoder.ORDERS[label][1]) for label in labels])
    numbers = np.arange(len(labels))
    assert (centres[numbers, first] < centres[numbers, second]).mean() > 0.95
    assert encoder.TRAINING.stop <= encoder.TEST.start


@pytest.mark.parametrize(("arguments", "code"), [(["order", "x.npy"], 0), (["digits", "x.npy"], 1), ([], 1)])
def test_encoder_by_hand(demo: ModuleType, root: Path, tmp_path: Path, arguments: list[str], code: int) -> None:
    command = [sys.executable, root / "examples" / "encoder.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == code
    if code:
        assert done.stderr.startswith("usage: ")
    else:
        np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), demo.encoder.test_input("order")[0])


# ---- recipes


def test_recipes_name_their_versions(root: Path) -> None:
    """The framework versions in a script equal those that `make train` installs."""
    pins: dict[str, str] = {}
    for path in (root / "examples").glob("requirements-*.txt"):
        pins |= dict(re.findall(r"^(\S+)==(\S+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert pins["torch"] == "2.13.0"
    scripts = sorted((root / "examples").glob("*/train_*.py"))
    assert {script.stem.removeprefix("train_") for script in scripts} == {*NAMES, *LAYERS, *CONVERTED}
    for script in scripts:
        row = re.search(r"^\| framework, exporter \| (.*) \|$", script.read_text(encoding="utf-8"), re.MULTILINE)
        assert row is not None
        said = re.findall(r"([A-Za-z-]+) (\d[\d.]*\d)", row[1])
        assert len(said) == (2 if script.stem.removeprefix("train_") in (*LAYERS, *CONVERTED) else 3)
        for name, version in said:
            assert pins[name.lower()] == version


def test_nothing_but_training_needs_torch(root: Path) -> None:
    needing = {
        path.relative_to(root).as_posix()
        for path in (root / "examples").rglob("*.py")
        if re.search(r"^(import|from) torch", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    converted = {f"train_{name}.py" for name in CONVERTED}
    scripts = (path for path in (root / "examples").glob("*/train_*.py") if path.name not in converted)
    assert needing == {"examples/training.py", *(path.relative_to(root).as_posix() for path in scripts)}
    assert "torch==" not in (root / "requirements.lock").read_text(encoding="utf-8")
