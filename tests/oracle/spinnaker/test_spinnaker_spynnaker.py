"""sPyNNaker builds the networks of emitted scripts on a virtual board: with the same shifts of ring buffers, and on as many cores, for two samples with a reset between them.

Networks have leaky populations with and without a synaptic current, weights of one or both signs, biases, skips, populations of several cores and
without synapses, loops, and delays in front of weights and after them, some of which need relays. A script passes sPyNNaker the sums that it has to
expect; without them it guesses rates of its own, and still finds the shifts of populations that no relay feeds. sPyNNaker simulates no spikes on a
virtual board, so the arithmetic of neurons is not compared here.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir

NETWORKS = 30
LONGEST, RELAYED = 20, 45
"""The longest delays of most networks, and those that need relays [ms]."""
MINUTES = 10
SETTINGS = "[Machine]\nversion = {board}\nvirtual_board = True\n"
BOARDS = {"spinn5": 5, "spinn3": 3}
GUESSING = "import sys; sys.path.insert(0, {folder!r}); import spynnaker_network as script; script.expected_sums = lambda _: None; script.main()"
"""The script without the sums that it passes to sPyNNaker."""


def population(drawing: Drawing, rng: np.random.Generator, node: str, x: Any) -> Any:
    """Adds a population, with a synaptic current or without."""
    given = {"r": 1.0, "v_leak": 0.0, "v_threshold": float(rng.choice([0.5, 1.0, 20.0])), "v_reset": 0.0}
    if rng.random() < 0.5:
        kind, given = nir.CubaLIFOp, given | {"tau_mem": 0.01, "tau_syn": 0.004, "w_in": 1.0}
    else:
        kind, given = nir.LIFOp, given | {"tau": float(rng.choice([0.004, 0.02]))}
    return drawing.add(kind, node, x, **{name: np.full(shape_of(x), value) for name, value in given.items()})


def weights(rng: np.random.Generator, targets: int, sources: int) -> np.ndarray:
    """Returns weights of one sign or of both, some of them 0."""
    found = rng.normal(rng.choice([0.0, 0.5]), rng.choice([0.1, 1.0, 8.0]), (targets, sources))
    found = np.abs(found) if rng.random() < 0.3 else found
    return (found * (rng.random((targets, sources)) < rng.choice([0.3, 1.0]))).astype(np.float32)


def delays(rng: np.random.Generator, size: int, longest: int) -> np.ndarray:
    """Returns delays of up to `longest`, which differ or not. Units: result [s]."""
    found = rng.integers(1, 1 + longest, size)
    return (found if rng.random() < 0.7 else np.full(size, found[0])) / 1000


SHIFTS_OF_SIGNS = "ntensor-replace-biases,ntensor-quantize-receptors"
"""A shift for each sign of a population, as the tool guesses them. By default, the neurons have scales, and both signs the larger shift."""


def drawn(seed: int) -> Any:
    """Returns a network in continuous time of two or three populations, with a loop if the seed is odd."""
    rng = np.random.default_rng([18, seed])
    sizes = [int(n) for n in rng.integers(3, 40, 3)]
    if seed % 4 == 0:
        sizes[1] = int(rng.integers(257, 600))  # several cores
    longest = RELAYED if seed % 3 == 1 else LONGEST
    drawing, back = Drawing(sizes[0]), None
    entries = {"bias": rng.normal(0, 0.2, sizes[1]).astype(np.float32)} if seed % 3 == 0 else {}
    x = drawing.linear("fc1", drawing.x, weights(rng, sizes[1], sizes[0]), **entries)
    if seed % 2 == 1:
        wait = back = drawing.add(nir.DelayOp, "back", x, delay=delays(rng, sizes[1], LONGEST))
        rec = drawing.linear("rec", wait, weights(rng, sizes[1], sizes[1]))
        x = drawing.sum(x, rec)
    hidden = population(drawing, rng, "hidden", x)
    if back is not None:
        back.owner.operands[0] = hidden  # type: ignore[union-attr]
    if seed % 5 < 2:
        hidden = drawing.add(nir.DelayOp, "early", hidden, delay=delays(rng, sizes[1], longest))
    x = drawing.linear("fc2", hidden, weights(rng, sizes[2], sizes[1]))
    if seed % 5 in (1, 2):
        x = drawing.add(nir.DelayOp, "late", x, delay=delays(rng, sizes[2], LONGEST))
    if seed % 6 == 2:
        x = drawing.sum(x, drawing.linear("skip", drawing.x, weights(rng, sizes[2], sizes[0])))
    if seed % 7 == 3:
        idle = population(drawing, rng, "idle", drawing.linear("none", drawing.x, np.zeros((4, sizes[0]), np.float32)))
        x = drawing.sum(x, drawing.linear("fc3", idle, weights(rng, sizes[2], 4)))
    return drawing.finish(population(drawing, rng, "out", x))


def mapped(build: Path, board: int, folder: Path, python: Path, *, guesses: bool = False) -> dict[str, Any]:
    """Runs the script of a build on a virtual board, and returns cores and shifts of each population."""
    folder.mkdir()
    (folder / ".spynnaker.cfg").write_text(SETTINGS.format(board=board), encoding="utf-8")
    script, found = build / "artefact" / "spynnaker_network.py", folder / "found.json"
    environment = {**os.environ, "HOME": str(folder), "MPLCONFIGDIR": str(folder)}
    np.savez(folder / "in.npz", **silence(build))
    started = ["-c", GUESSING.format(folder=str(script.parent))] if guesses else [str(script)]
    command = [str(python), *started, "in.npz", "out.npz", "--cores", str(found)]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=MINUTES * 60, check=False
    )
    assert found.is_file(), done.stderr[-2000:]
    return json.loads(found.read_text(encoding="utf-8"))["populations"]


def silence(build: Path) -> dict[str, np.ndarray]:
    """Returns two samples without spikes for each input."""
    chip = json.loads((build / "artefact" / "network.json").read_text(encoding="utf-8"))["chip"]
    types = {one["source"]: one["type"] for one in chip["body"] if one["op"] == "spinnaker.input"}
    return {name: np.zeros((2, 10, *map(int, type[7:].split("x")[:-1])), bool) for name, type in types.items()}


def populations(build: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields the slices of each population of an artefact."""
    slices: dict[str, list[dict[str, Any]]] = {}
    chip = json.loads((build / "artefact" / "network.json").read_text(encoding="utf-8"))["chip"]
    for core in (op for op in chip["body"] if op["op"] == "spinnaker.core"):
        for neurons in core["body"]:
            slices.setdefault(neurons["source"], []).append(neurons)
    yield from slices.items()


def compared(build: Path, theirs: dict[str, Any], *, guesses: bool = False) -> list[str]:
    """Returns the populations whose cores or shifts differ. `guesses`: shifts that the tool guessed, of the populations of `drawn` with synapses."""
    found: list[str] = []
    for name, slices in populations(build):
        if len(slices) != len(theirs[name]["cores"]):
            found.append(f"{name}: {len(slices)} cores, and {len(theirs[name]['cores'])}")
        used = [any(receptor_has(build, one, kind) for one in slices) for kind in ("excitatory", "inhibitory")]
        for k, param in enumerate(("shift_exc", "shift_inh")):
            mine = slices[0]["params"][param]["values"][0]
            is_meant = not guesses or (used[k] and name in ("hidden", "out", "idle"))
            if is_meant and mine != theirs[name]["shifts"][k]:
                found.append(f"{name}: {param} is {mine}, and {theirs[name]['shifts'][k]}")
    return found


def receptor_has(build: Path, one: dict[str, Any], kind: str) -> bool:
    """Returns whether a slice has synapses of a receptor: a table of no synapses is not stored."""
    return any(table["node"].endswith(f".{kind}") for table in one["body"]) or (
        kind == "excitatory" and any("." not in table["node"] for table in one["body"])
    )


def test_generated_networks_have_the_shifts_and_cores_of_the_tool(
    python_of: Callable[[str], Path], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    python, differing = python_of("spynnaker"), list[str]()
    several = several_delays = guesses = 0
    for seed in range(NETWORKS):
        build, device = tmp_path / f"{seed}", "spinn3" if seed % 3 == 2 else "spinn5"
        choices = {"dt": "1ms", "like": "euler", "reset": "value", "loop_delay": "spikes", "passes": SHIFTS_OF_SIGNS}
        made = nopt.compile(drawn(seed), target=f"spinnaker/{device}", out=build, diagnostics=Diagnostics(), **choices)
        theirs = mapped(build, BOARDS[device], tmp_path / f"{seed}.tool", python)
        differing += [f"{seed}: {line}" for line in compared(build, theirs)]
        if not any(".relay" in name for name, _ in populations(build)):
            guesses += 1
            guessed = mapped(build, BOARDS[device], tmp_path / f"{seed}.guess", python, guesses=True)
            differing += [f"{seed}, guessed: {line}" for line in compared(build, guessed, guesses=True)]
        several += any(len(slices) > 1 for _, slices in populations(build))
        several_delays += "spikes per second" in json.dumps(made.report["approximations"])
    assert not differing
    assert several >= NETWORKS // 5
    assert several_delays >= NETWORKS // 5
    assert guesses >= NETWORKS // 2


@pytest.mark.parametrize("device", ["spinn5", "spinn3"])
def test_digits_are_accepted(root: Path, tmp_path: Path, python_of: Callable[[str], Path], device: str) -> None:
    build, python = tmp_path / "build", python_of("spynnaker")
    path, choices = root / "examples" / "digits" / "fc.nir", {"dt": "1ms", "like": "norse"}
    nopt.compile(path, target=f"spinnaker/{device}", out=build, diagnostics=Diagnostics(), **choices)
    assert not compared(build, mapped(build, BOARDS[device], tmp_path / "tool", python))
    assert resolve_device(f"spinnaker/{device}").integer("core.neurons") == 256


def test_a_network_with_loops_and_a_clock_is_accepted(
    root: Path, tmp_path: Path, python_of: Callable[[str], Path]
) -> None:
    """Its resets by subtraction become resets to 0, which is recorded."""
    build, python = tmp_path / "build", python_of("spynnaker")
    choices = {"dt": "0.1ms", "like": "snntorch", "reset": "subtract_next"}
    passes = 'ntensor-legalize{device="spinnaker/spinn5" approximate=reset}'
    path = root / "examples" / "order" / "order.nir"
    nopt.compile(path, target="spinnaker/spinn5", out=build, passes=passes, diagnostics=Diagnostics(), **choices)
    assert not compared(build, mapped(build, BOARDS["spinn5"], tmp_path / "tool", python))


@pytest.mark.parametrize("name", ["stdp", "stdp_nearest_pair", "triplet", "stdp_multiplicative"])
def test_a_network_that_learns_is_accepted(name: str, tmp_path: Path, python_of: Callable[[str], Path]) -> None:
    """Two projections with one rule and one with fixed weights into a population; the rule decides the shift of its ring buffers."""
    rng, drawing, build = np.random.default_rng(18), Drawing(20), tmp_path / "build"
    pairs = nir.StdpAttr.of(0.01, 0.012, 0.02, 0.03, 0.0, 1.5)
    values = pairs.values
    if name == "triplet":
        slow = {"a3_plus": 0.02, "a3_minus": 0.004, "tau_x": 0.05, "tau_y": 0.04}
        values = slow | {key.replace("a_", "a2_"): one for key, one in values.items() if not key.startswith("tau")}
        values |= {"tau_plus": 0.02, "tau_minus": 0.03}
    rule = pairs if name == "stdp" else nir.RuleAttr.of(name, values)
    if name == "stdp_multiplicative":
        rule = nir.RuleAttr.of("stdp", {**values, "dependence": "multiplicative"})
    given = [rng.random((30, 20)).astype(np.float32) for _ in range(3)]
    parts = [drawing.linear(f"fc{k}", drawing.x, weight) for k, weight in enumerate(given)]
    for part in parts[:2]:
        part.owner.properties["plasticity"] = rule
    module = drawing.finish(population(drawing, rng, "out", drawing.sum(drawing.sum(*parts[:2]), parts[2])))
    choices = {"dt": "1ms", "like": "euler", "reset": "value"}
    nopt.compile(module, target="spinnaker/spinn5", out=build, diagnostics=Diagnostics(), **choices)
    tables = [table for _, slices in populations(build) for one in slices for table in one["body"]]
    assert sum("plasticity" in table for table in tables) == 2
    assert not compared(build, mapped(build, BOARDS["spinn5"], tmp_path / "tool", python_of("spynnaker")))


def test_the_braille_network_is_accepted(shared: Path, tmp_path: Path, python_of: Callable[[str], Path]) -> None:
    """A recurrent network with synaptic currents and biases."""
    build, python = tmp_path / "build", python_of("spynnaker")
    path = shared / "samples" / "nir_paper" / "braille" / "braille_noDelay_bias_zero.nir"
    choices = {"dt": "0.1ms", "like": "snntorch", "reset": "zero"}
    nopt.compile(path, target="spinnaker/spinn5", out=build, diagnostics=Diagnostics(), **choices)
    assert not compared(build, mapped(build, BOARDS["spinn5"], tmp_path / "tool", python))
