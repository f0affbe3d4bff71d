"""The clock cycles of a tick are those of rockpool's own model, on 1,000 drawn configurations of each core."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from places import TESTS

from nopt.api.costing.costs import chip_counts
from nopt.core.device.device import find_device
from nopt.dialects.xylo.neurons import NO_ALIAS
from nopt.dialects.xylo.weights import WeightLayer
from nopt.targets.xylo.counts import network_counts

TOOL = TESTS / "oracle" / "tools" / "xylo_cycles.py"
CONFIGURATIONS = 1000
SIZES = (16, 60, 8)
"""The largest numbers of inputs, hidden neurons and outputs that are drawn."""


def draw(seed: int) -> dict[str, Any]:
    """Returns weights of the three layers, an alias of some hidden neurons, and shares of neurons that spike."""
    rng = np.random.default_rng([49, seed])
    inputs, hidden, outputs = (int(rng.integers(2, most)) for most in SIZES)

    def weights(rows: int, columns: int) -> Any:
        return rng.integers(-127, 128, (rows, columns)) * (rng.random((rows, columns)) < rng.random())

    aliases = [int((k + 1) % hidden) if rng.random() < 0.2 * (seed % 3) else None for k in range(hidden)]
    return {
        "input": weights(inputs, hidden).tolist(),
        "recurrent": weights(hidden, hidden).tolist(),
        "output": weights(hidden, outputs).tolist(),
        "aliases": aliases,
        "shares": [float(n) for n in rng.random(3)],
    }


def chip_of(one: dict[str, Any]) -> Any:
    """Returns what `network_counts` reads of a chip with such weights."""

    def layer(name: str) -> Any:
        values = np.array(one[name])
        source, target = np.nonzero(values)
        return SimpleNamespace(synapses=(source, target, np.zeros_like(source), values[source, target]))

    def group(size: int, node: str, aliases: Any = ()) -> Any:
        numbers = np.array([NO_ALIAS if n is None else n for n in aliases])
        return SimpleNamespace(size=size, source=SimpleNamespace(data=node), aliases=SimpleNamespace(values=numbers))

    inputs, hidden = np.array(one["input"]).shape
    outputs = np.array(one["output"]).shape[1]
    weights = {kind: layer(name) for kind, name in zip(WeightLayer, ("input", "recurrent", "output"), strict=True)}
    core = SimpleNamespace(
        hidden=[group(hidden, "hidden", one["aliases"])], readouts=[group(outputs, "output")], weights=weights
    )
    return SimpleNamespace(core=core, inputs=[group(inputs, "input")], channels=inputs)


@pytest.mark.parametrize(("device", "model"), [("audio2", "syns61201"), ("audio3", "syns63300"), ("imu", "syns63300")])
def test_cycles_are_those_of_the_vendor(
    python_of: Callable[[str], Path], tmp_path: Path, device: str, model: str
) -> None:
    drawn = [draw(seed) for seed in range(CONFIGURATIONS)]
    (tmp_path / "in.json").write_text(json.dumps({"model": model, "configurations": drawn}))
    command = [str(python_of("xylosim")), str(TOOL), str(tmp_path / "in.json"), str(tmp_path / "out.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    wanted = json.loads((tmp_path / "out.json").read_text())
    chip = find_device("xylo", device)
    names = ("input", "hidden", "output")
    found = [
        chip_counts(chip, network_counts(chip_of(one), dict(zip(names, one["shares"], strict=True))))["cycle"]
        for one in drawn
    ]
    assert found == pytest.approx(wanted, rel=1e-9)
    assert len(set(wanted)) > CONFIGURATIONS * 0.99
