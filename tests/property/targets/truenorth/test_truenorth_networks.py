"""Generated networks on crossbar cores: the model, the reference, and an interpreter of the emitted files agree spike by spike.

Networks have two or three populations on several small cores, weights with at most four values for each neuron, delays, loops and outputs that are
read by other populations.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from extent import times
from numpy.typing import NDArray
from ranc import Simulator

from nopt.api.conformance.networks import Drawing, Drawn, discretised, is_active, run_network
from nopt.api.conformance.subject import Compiled, Subject, records_of
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir
from nopt.dialects.truenorth import ChipOp

NETWORKS = times(6)
AXONS = ("core.input_axons=48", "core.fan_in=48")
TICKS = 20
REACHED = Path(__file__).with_name("reached.neuron")


def typed_weights(rng: np.random.Generator, targets: int, types: NDArray[Any]) -> NDArray[Any]:
    """Returns integers of which each neuron has at most one for each type of its sources."""
    values = rng.integers(-6, 13, (targets, 4))
    return (values[:, types] * (rng.random((targets, len(types))) < 0.8)).astype(np.float32)


def population(drawing: Drawing, node: str, x: Any, threshold: float) -> Any:
    """Adds an IF population to which a weight of 1 adds 1 in a tick of 1 ms."""
    given = {"r": 1000.0, "v_threshold": threshold, "v_reset": 0.0}
    return drawing.add(nir.IFOp, node, x, **{name: np.full(shape_of(x), value) for name, value in given.items()})


def draw(seed: int) -> Drawn:
    """Returns the first network of a seed in which every population is active."""
    return next(drawn for attempt in range(500) if is_active(drawn := draw_once(seed, attempt)))


def draw_once(seed: int, attempt: int) -> Drawn:
    """Returns a network of IF populations."""
    rng = np.random.default_rng([16, seed, attempt])
    is_loop = seed % 2 == 1
    inputs, hidden, outputs = (int(n) for n in rng.integers((5, 13, 6), (14, 16 if is_loop else 28, 10)))
    types = [rng.integers(0, 4, n) for n in (inputs, hidden)]
    drawing = Drawing(inputs)
    first = drawing.linear("fc1", drawing.x, typed_weights(rng, hidden, types[0] % (3 if is_loop else 4)))
    if is_loop:
        back = drawing.linear("rec", first, typed_weights(rng, hidden, types[1] * 0) * np.float32(0.5))
        first = drawing.sum(first, back)
    z = population(drawing, "one", first, float(rng.integers(6, 14)))
    if is_loop:
        back.owner.operands[0] = z
    late = int(rng.integers(0, 5))
    y = drawing.add(nir.DelayOp, "late", z, delay=np.float32(late / 1000)) if late else z
    second = drawing.linear("fc2", y, typed_weights(rng, outputs, types[1]))
    module = drawing.finish(population(drawing, "two", second, float(rng.integers(4, 10))))
    is_reset = bool(rng.integers(2))  # to a value, above the threshold; else by subtraction, at it
    choices = {"like": "euler", "reset": "value"} if is_reset else {"like": str(REACHED), "loop_delay": "spikes"}
    x = rng.random((2, TICKS, inputs)) < 0.4
    return Drawn(f"seed {seed}", discretised(module, {"dt": "1ms", **choices}), x)


@cache
def compiled(seed: int, device: str = "truenorth/ns1e") -> tuple[Subject, Compiled]:
    """Returns a network for cores that are so small that it takes several. No test changes it."""
    subject = Subject(resolve_device(device), 1, 0)
    rows = 30 if seed % 2 == 1 else 12  # a loop takes two rows of each neuron on one core
    settings = subject.settings(*AXONS, f"core.neurons={rows}", f"core.output_axons={rows}")
    found = subject.compile(draw(seed), settings)
    assert found.fit.is_fitting, found.refusal
    return subject, found


def interpreted(files: dict[str, bytes], folder: Path, x: NDArray[Any]) -> NDArray[Any]:
    """Returns the output of a network for one sample, from its files alone. Shapes: x [ticks, inputs], result [ticks, outputs]."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    np.save(folder / "in.npy", x)
    command = [sys.executable, "pack.py", "in.npy", "out.json"]
    shown = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
    ticks = int(shown[0].split()[1])
    network = json.loads((folder / "out.json").read_text())
    config = json.loads((folder / "config.json").read_text())
    lines = Simulator(network, config).run(ticks)
    found = np.zeros((len(x), len(shown) - 1), np.int64)
    for k, line in enumerate(shown[1:]):  # output NAME INDEX: row R of line t + 1 is the spike of tick t + D
        words = line.replace(":", "").split()
        row, delay = int(words[4]), int(words[-1])
        for t in range(len(x) - delay):
            found[t + delay, k] = lines[t + 1, row]
    return found


@pytest.mark.parametrize("seed", range(NETWORKS))
def test_interpreter_reproduces_the_model(seed: int, tmp_path: Path) -> None:
    subject, found = compiled(seed)
    chip = next(op for op in found.module.ops if isinstance(op, ChipOp))
    assert len(chip.cores) > 1
    got, wanted = subject.run(found), run_network(found.network, found.drawn.x)
    assert np.array_equal(got["output"], wanted["output"])
    assert got["output"].any()
    x = found.drawn.x[0]
    assert np.array_equal(interpreted(subject.files(found), tmp_path, x), got["output"][0])


def device_without(root: Path, folder: Path, columns: int, lines: int) -> str:
    """Returns the path of a device whose first columns and lines are faulty."""
    copytree(root / "targets" / "truenorth" / "devices", folder, dirs_exist_ok=True)
    path = folder / "ns1e.json"
    device = json.loads(path.read_text(encoding="utf-8"))
    device["topology"]["faulty"] = [
        {"x": x, "y": y, "source": "ranc"} for x in range(64) for y in range(64) if x < columns or y < lines
    ]
    path.write_text(json.dumps(device), encoding="utf-8")
    return str(path)


def test_the_grid_of_the_simulator_holds_the_cores_in_use(root: Path, tmp_path: Path) -> None:
    """The simulator computes each core of its grid, whose corner is the first core in use, and not that of the chip."""
    subject, found = compiled(1, device_without(root, tmp_path, 3, 2))
    files = subject.files(found)
    config, network, chip = (json.loads(files[name]) for name in ("config.json", "network.json", "chip.json"))
    x, y = zip(*(one["coordinates"] for one in network["cores"]), strict=True)
    assert (min(x), min(y)) == (0, 0)
    assert (config["num_cores_x"], config["num_cores_y"]) == (max(x) + 1, max(y) + 2)  # with the output bus
    assert chip["origin"] == [3, 2]
    sample, wanted = found.drawn.x[0], run_network(found.network, found.drawn.x)
    assert np.array_equal(interpreted(files, tmp_path, sample), wanted["output"][0])
    check_loader(subject, found)


@pytest.mark.parametrize("seed", range(5))
def test_model_equals_the_network_in_every_potential(seed: int) -> None:
    subject, found = compiled(seed)
    record = records_of(found.network)
    assert subject.difference(found, subject.run(found, record), record) is None


@pytest.mark.parametrize("seed", range(3))
def test_loader_reads_the_chip_back(seed: int) -> None:
    check_loader(*compiled(seed))


def check_loader(subject: Subject, found: Compiled) -> None:
    assert subject.target.load is not None
    loaded = subject.target.load()(subject.files(found), Diagnostics())
    before, after = (next(op for op in module.ops if isinstance(op, ChipOp)) for module in (found.module, loaded))
    assert {**before.properties, "approximations": None} == {**after.properties, "approximations": None}
    assert before.body.is_structurally_equivalent(after.body)
