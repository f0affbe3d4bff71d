"""Comparison of the model of Loihi with another tool on the same artefact: every value of every tick."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from loihi2_networks import RANGES, Case
from places import TESTS

TOOLS = TESTS / "oracle" / "tools"
MINUTES = 5
"""Time limit of a run: a process of Lava that fails leaves the others waiting."""

Arrays = dict[str, np.ndarray]


def run_tool(python: Path, script: Path, *words: Path | str) -> Arrays:
    """Runs a script of a tool, and returns the arrays that it writes to the last of the words."""
    done = subprocess.run([python, script, *words], capture_output=True, text=True, timeout=MINUTES * 60, check=False)
    assert not done.returncode, done.stderr[-3000:]
    with np.load(words[-1]) as found:
        return {name: found[name] for name in found.files}


def run_lava(python: Path, case: Case, out: Path) -> Arrays:
    """Returns spikes and states of all populations, and the outputs, from the program of the artefact."""
    script = case.build / "artefact" / "lava_network.py"
    return run_tool(python, script, case.inputs, "--record", ",".join(case.names), out)


def stored_weights(python: Path, tool: str, out: Path) -> Iterator[tuple[str, int, np.ndarray, np.ndarray]]:
    """Yields sign mode, bits, all integers of the sign mode, and the weight that a tool stores for each."""
    for name, stored in run_tool(python, TOOLS / "loihi_weights.py", tool, out).items():
        sign, bits = name.split(".")
        low, high = RANGES[sign]
        yield sign, int(bits), np.arange(low, high + 1), stored


def verify_equal(case: Case, theirs: Arrays, folder: Path) -> int:
    """Compares spikes and states of all populations with those of the chip's model, and outputs if the tool has them.

    Returns the number of values.
    """
    ours = case.run(folder / "nopt.npz")
    assert theirs.keys() >= set(case.names)
    difference = first_difference({name: ours[name] for name in theirs}, theirs)
    assert not difference, difference
    return sum(values.size for values in theirs.values())


def first_difference(ours: Arrays, theirs: Arrays) -> str:
    """Returns the earliest tick, its array and neuron, both values, and the number of differences; empty if all are equal."""
    found: list[tuple[int, str, int, int, int]] = []
    count = size = 0
    for name, values in ours.items():
        assert values.shape == theirs[name].shape, name
        mine, other = (np.asarray(one).astype(np.int64).reshape(len(values), -1) for one in (values, theirs[name]))
        wrong = np.argwhere(mine != other)
        count, size = count + len(wrong), size + mine.size
        found += [(tick, name, neuron, mine[tick, neuron], other[tick, neuron]) for tick, neuron in wrong[:1].tolist()]
    if not found:
        return ""
    tick, name, neuron, mine, other = min(found)
    return f"tick {tick}, {name} of neuron {neuron}: {mine}, and {other} of the tool; {count} of {size} values differ"
