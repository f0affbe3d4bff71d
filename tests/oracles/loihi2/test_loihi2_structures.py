"""Lava computes the values of nopt for networks whose structures several passes serve, as files and through the commands of nopt.

The neuron of fixed function has one reset, `>`, and one spike in a tick. Networks with other rules are refused at first; the help of that refusal
is typed, so they run with a recorded approximation. Lava has no programmable neurons: `tests/targets/loihi2/test_loihi2_interpreter.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import nir
import numpy as np
import pytest
from loihi2_comparison import run_tool, verify_equal
from loihi2_networks import CLOCK, DEVICES, Case
from structured_networks import STYLES, Made, structured
from structures import Attempt, compile_file

Record = Callable[[str, object], None]
TOOL, NETWORKS = "lava", 30
OCCUR = {
    "relays of spikes",
    "a clock for biases",
    "several cores",
    "reset was approximated",
    "comparison was approximated",
    "count was approximated",
    "a pool",
    "a connection over a layer",
    "several outputs",
    "delays of 1 and 40 ticks in a loop",
    "a quarter of the weights weaker by 40 times than the strongest",
}
"""Facts that must occur in 30 networks of a device."""
FACTS: dict[tuple[str, int], set[str]] = {}
TOTALS: dict[tuple[str, int], int] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function is test_lava_computes_the_same:
        metafunc.parametrize("number", range(min(metafunc.config.getoption("--count"), NETWORKS)))


@pytest.mark.parametrize("device", DEVICES)
def test_lava_computes_the_same(
    number: int, device: str, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    python, made = python_of(TOOL), structured(number, STYLES["loihi2"])
    file, inputs = tmp_path / "network.nir", tmp_path / "in.npz"
    nir.write(file, made.graph)
    shape = (int(n) for n in made.graph.nodes["input"].input_type["input"])
    np.savez(inputs, input=made.x.reshape(len(made.x), *shape))
    few = ["--set", f"core.neurons={7 + number}"] if number % 3 == 1 else []
    attempt = compile_file(file, f"loihi2/{device}", made.choices, tmp_path / "build", few)
    assert attempt.is_built, attempt.errors
    case = Case(number, device, attempt.build, inputs, frozenset())
    theirs = run_tool(python, case.build / "artefact" / "lava_network.py", inputs, tmp_path / "lava.npz")
    record_property("values", verify_equal(case, theirs, tmp_path))
    record_property("remedies", attempt.remedies)
    FACTS[device, number] = {*facts_of(case, made, attempt)}
    names = [name for name in case.names if f"{name}.v" in case.names and CLOCK not in name and "relay" not in name]
    TOTALS[device, number] = min(int(theirs[name].sum()) for name in names)


def facts_of(case: Case, made: Made, attempt: Attempt) -> Iterator[str]:
    """Yields what occurs in a network."""
    names, nodes = set(case.names), made.graph.nodes
    if any("relay" in name for name in names):
        yield "relays of spikes"
    if CLOCK in names:
        yield "a clock for biases"
    if len(case.record["cores"]) > 1:
        yield "several cores"
    for what in ("reset", "comparison", "count"):
        if any(what in remedy for remedy in attempt.remedies):
            yield f"{what} was approximated"
    for fact, node in {"a pool": "pool", "a connection over a layer": "skip", "several outputs": "side"}.items():
        if node in nodes:
            yield fact
    if any("_loop" in name for name, node in nodes.items() if isinstance(node, nir.Delay)):
        yield "delays of 1 and 40 ticks in a loop"
    for node in nodes.values():
        if isinstance(node, nir.Linear | nir.Affine):
            sizes = np.abs(node.weight)
            if (sizes < sizes.max() / 40).mean() > 0.25:
                yield "a quarter of the weights weaker by 40 times than the strongest"


def test_the_networks_have_every_structure(python_of: Callable[[str], Path]) -> None:
    python_of(TOOL)
    if len(FACTS) < NETWORKS * len(DEVICES):
        pytest.skip(f"{len(FACTS)} networks; {NETWORKS} of each device are needed")
    counts = Counter(fact for found in FACTS.values() for fact in found)
    assert not OCCUR - counts.keys(), counts
    assert sum(total > 0 for total in TOTALS.values()) >= 0.8 * len(TOTALS)  # no population is silent
