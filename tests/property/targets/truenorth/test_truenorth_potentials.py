"""Generated networks on the widths of potentials of TrueNorth and RANC: the model equals an interpreter of the emitted files, spike by spike.

Chains, loops with and without delays, biases, sum pools, and populations of several cores; both resets and both comparisons. On RANC the interpreter
wraps potentials of 9 bits, as hardware does. Where no potential can wrap soon, one without a bound has the same spikes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import nir
import numpy as np
import pytest
from extent import times
from numpy.typing import NDArray
from ranc import Simulator

import nopt.api as nopt
from nopt.api.compiling.device_fit import passes_of_help
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.help_text import in_command

KINDS = ("chain", "loop", "delays", "bias", "pool", "wide")
NETWORKS = times(6)
TICKS = 40
DEVICES = {"ranc": 9, "ns1e": None}
"""The bits in which potentials wrap, which a network reaches."""
REFUSALS = 4
"""Most refusals whose help is followed."""


class Drawing:
    """A network of integrate-and-fire populations."""

    def __init__(self, seed: int, device: str):
        self.rng, self.kind = np.random.default_rng([44, seed]), KINDS[seed % len(KINDS)]
        self.nodes: dict[str, Any] = {}
        self.edges: list[tuple[str, str]] = []
        self.last = "input"
        reset = {"like": "norse", "reset": ("value", "subtract")[seed // len(KINDS) % 2]}
        # the chip saturates at the bound of sinabs, and files for the simulator have no such bound
        self.choices: dict[str, Any] = {"like": "sinabs"} if self.kind == "chain" and device == "ranc" else reset

    def chain(self, **nodes: Any) -> None:
        for name, node in nodes.items():
            self.nodes[name] = node
            self.edges.append((self.last, name))
            self.last = name

    def weights(self, targets: int, sources: int, mean: float) -> NDArray[Any]:
        values = np.round(self.rng.normal(mean, 0.5, 4) * 16) / 16
        chosen = self.rng.choice(values, (targets, sources)) * (self.rng.random((targets, sources)) < 0.7)
        return chosen * 1.6 / np.sqrt(sources)

    def neurons(self, *shape: int) -> nir.IF:
        threshold = float(self.rng.choice([0.5, 1.0, 1.5]))
        return nir.IF(r=np.ones(shape), v_threshold=np.full(shape, threshold), v_reset=np.zeros(shape))

    def layer(self, k: int, targets: int, sources: int, mean: float) -> None:
        weight = self.weights(targets, sources, mean)
        bias = self.rng.choice([-0.125, 0, 0.125, 0.25], targets)
        linear = nir.Affine(weight, bias) if self.kind == "bias" and k == 1 else nir.Linear(weight)
        self.chain(**{f"fc{k}": linear, f"if{k}": self.neurons(targets)})

    def finish(self, file: Path) -> NDArray[Any]:
        """Writes the network, and returns an input. Shapes: [samples, ticks, inputs]."""
        inputs, hidden, outputs = (int(n) for n in self.rng.integers((6, 8, 3), (14, 20, 8)))
        shape: tuple[int, ...] = (inputs,)
        if self.kind == "pool":
            shape, kernel = (2, 6, 6), self.rng.choice([-0.25, 0.25, 0.5], (2, 2, 3, 3))
            conv = nir.Conv2d((6, 6), kernel, (1, 1), (0, 0), (1, 1), 1, np.zeros(2))
            two = np.array([2, 2])
            pool = nir.SumPool2d(kernel_size=two, stride=two, padding=np.array([0, 0]))
            flat = nir.Flatten({"input": np.array([2, 2, 2])}, 0, -1)
            self.chain(conv=conv, maps=self.neurons(2, 4, 4), pool=pool, flat=flat)
            self.layer(2, outputs, 8, 0.3)
        else:
            hidden = hidden * 14 if self.kind == "wide" else hidden
            self.layer(1, hidden, inputs, 0.25)
            if self.kind in ("loop", "delays"):
                back = {"rec": nir.Linear(self.weights(hidden, hidden, 0.0))}
                if self.kind == "delays":
                    back = {"late": nir.Delay(np.full(hidden, int(self.rng.integers(2, 40)) / 1000)), **back}
                self.chain(**back)
                self.edges.append((self.last, "if1"))
                self.last = "if1"
            self.layer(2, outputs, hidden, 0.3)
        ends = {"input": nir.Input({"input": np.array(shape)}), "output": nir.Output({"output": np.array([outputs])})}
        nodes = {"input": ends["input"], **self.nodes, "output": ends["output"]}
        nir.write(file, nir.NIRGraph(nodes, [*self.edges, (self.last, "output")], type_check=False))
        return (self.rng.random((2, TICKS, *shape)) < 0.3).astype(np.float64)


def compiled(net: Path, device: str, out: Path, choices: dict[str, Any]) -> tuple[Path, Diagnostics]:
    """Compiles a network, with the help of each refusal."""
    steps: list[str] = []
    for k in range(REFUSALS):
        diagnostics = Diagnostics()
        try:
            build = out / str(k)
            nopt.compile(
                net,
                out=build,
                target=f"truenorth/{device}",
                dt="1ms",
                passes=",".join(steps),
                diagnostics=diagnostics,
                **choices,
            )
            return build, diagnostics
        except Refused as refusal:
            finding = refusal.findings[0]
            given = passes_of_help(finding) or [in_command(finding.help or "")]
            steps = [*(step for step in steps if step.partition("{")[0] != given[0].partition("{")[0]), *given]
    pytest.fail(f"no help leads to a build: {steps}")


def interpreted(build: Path, folder: Path, x: NDArray[Any], bits: int | None) -> NDArray[Any]:
    """Returns the output of one sample, from the files of a build alone. Shapes: [ticks, outputs]."""
    folder.mkdir(exist_ok=True)
    np.save(folder / "in.npy", x)
    artefact = build / "artefact"
    command = [sys.executable, str(artefact / "pack.py"), str(folder / "in.npy"), str(folder / "packed.json")]
    ticks, *rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    network, config = (json.loads(file.read_text()) for file in (folder / "packed.json", artefact / "config.json"))
    lines = Simulator(network, config, bits).run(int(ticks.split()[1]))
    found = np.zeros((len(x), len(rows)), np.int64)
    for k, line in enumerate(rows):  # output NAME INDEX: row R of line t + 1 is the spike of tick t + D
        words = line.replace(":", "").split()
        row, delay = int(words[4]), int(words[-1])
        found[delay:, k] = lines[1 : len(x) - delay + 1, row]
    return found


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("seed", range(NETWORKS))
def test_interpreter_has_the_spikes_of_the_model(seed: int, device: str, tmp_path: Path) -> None:
    drawing = Drawing(seed, device)
    x = drawing.finish(tmp_path / "net.nir")
    build, diagnostics = compiled(tmp_path / "net.nir", device, tmp_path, drawing.choices)
    (output,) = (np.asarray(value) for value in nopt.run(build, x, diagnostics=Diagnostics()).values())
    wraps = "TRN011" in {finding.code.id for finding in diagnostics.findings}
    for sample, spikes in zip(x, output, strict=True):
        found = interpreted(build, tmp_path / "files", sample, DEVICES[device])
        assert np.array_equal(found, spikes.reshape(found.shape))
        if not wraps or drawing.choices.get("reset") == "value":  # the latter keeps nothing that grows
            assert np.array_equal(found, interpreted(build, tmp_path / "files", sample, None))
    assert device == "ranc" or not wraps


def test_a_reset_to_a_value_keeps_the_spikes_of_reals(tmp_path: Path) -> None:
    """Four values for each neuron, so that the axon types are exact; the default of the device, without an option."""
    rng = np.random.default_rng(0)
    types = rng.integers(0, 4, 20), rng.integers(0, 4, 16)
    nodes: dict[str, Any] = {"input": nir.Input({"input": np.array([20])})}
    for k, targets in enumerate((16, 6)):
        values = rng.choice([-0.5, -0.25, 0.25, 0.5, 0.75], (targets, 4))
        nodes[f"fc{k}"] = nir.Linear(values[:, types[k]])
        nodes[f"if{k}"] = nir.IF(r=np.ones(targets), v_threshold=np.ones(targets), v_reset=np.zeros(targets))
    nodes["output"] = nir.Output({"output": np.array([6])})
    names = list(nodes)
    nir.write(net := tmp_path / "net.nir", nir.NIRGraph(nodes, list(pairwise(names)), type_check=False))
    x = (rng.random((4, TICKS, 20)) < 0.2).astype(np.float64)
    choices: dict[str, Any] = {"dt": "1ms", "like": "norse", "reset": "value"}
    nopt.compile(
        net, out=tmp_path / "b", target="truenorth/ranc", approximate="all", diagnostics=Diagnostics(), **choices
    )
    (spikes,) = (np.asarray(one) for one in nopt.run(tmp_path / "b", x, diagnostics=Diagnostics()).values())
    (wanted,) = (np.asarray(one) for one in nopt.run(net, x, diagnostics=Diagnostics(), **choices).values())
    assert wanted.sum() > 100
    assert abs(int(spikes.sum()) - int(wanted.sum())) <= 0.1 * wanted.sum()
