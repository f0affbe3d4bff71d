"""Lava runs the script of an artefact, and computes the same spikes, i and v in every tick as the model of the chip."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from loihi2_comparison import run_tool, stored_weights, verify_equal
from loihi2_networks import DEVICES, KINDS, Ranges, draw

from nopt.dialects.loihi2 import Sign, lost_bits

Record = Callable[[str, object], None]
TOOL = "lava"
OCCUR = {
    *DEVICES,
    *KINDS,
    *(f"{device} {bits} bits" for device in DEVICES for bits in range(1, 9) if (device, bits) != ("loihi1", 7)),
    "several cores",
    "a clock for biases",
    "several configurations in a group",
    "a filtered input",
    "no filter",
    "bias above 0",
    "bias below 0",
    "e above 0",
    "e below 0",
    "u wraps",
    "v at its bounds",
    "layout dense",
    "layout sparse",
    "mixed",
    "excitatory",
    "inhibitory",
    "exponent above 0",
    "exponent below 0",
    "exponent of 0",
    "weights below 0",
    "one delay",
    "delays of each synapse",
    "register of delays 62",
    "register of delays 63",
    "sums that round",
    "sums that round for each delay",
    "sums that round over several processes",
    "several synapses between two neurons",
}
"""Facts that must occur in 100 networks."""
FACTS: dict[int, frozenset[str]] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function is test_lava_computes_the_same:
        metafunc.parametrize("number", range(metafunc.config.getoption("--count")))


def test_lava_computes_the_same(
    number: int, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    python = python_of(TOOL)
    case = draw(number, tmp_path)
    FACTS[number] = case.facts
    theirs = run_tool(python, case.build / "artefact" / "lava_network.py", case.inputs, tmp_path / "lava.npz")
    record_property("values", verify_equal(case, theirs, tmp_path))


def test_weights_lose_their_low_bits(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """Lava rounds down, and toward zero if all are negative. The dialect admits weights that do not change."""
    for sign, bits, weights, stored in stored_weights(python_of(TOOL), TOOL, tmp_path / "w.npz"):
        step = 1 << lost_bits(bits, Sign(sign))
        wanted = -(-weights // step * step) if sign == "inhibitory" else weights // step * step
        assert (stored == wanted).all(), (sign, bits)


@pytest.mark.parametrize("number", range(8))
def test_the_script_has_refractory_periods(number: int, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """The script has a process for them, because Lava has none in integers. nengo-loihi confirms the model."""
    python = python_of(TOOL)
    case = draw(number, tmp_path, Ranges(refractory=63))
    assert "a refractory period" in case.facts
    theirs = run_tool(python, case.build / "artefact" / "lava_network.py", case.inputs, tmp_path / "lava.npz")
    verify_equal(case, theirs, tmp_path)


def test_samples_start_anew(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """The script runs several samples as nopt does, each from the states before the first tick."""
    python, case = python_of(TOOL), draw(3, tmp_path)
    with np.load(case.inputs) as found:
        x = np.stack([found["input"], found["input"][::-1]])
    case = evolve(case, inputs=tmp_path / "samples.npz")
    np.savez(case.inputs, input=x)
    theirs = run_tool(python, case.build / "artefact" / "lava_network.py", case.inputs, tmp_path / "lava.npz")
    verify_equal(case, theirs, tmp_path)
    assert theirs["output"].shape[:2] == x.shape[:2]


def test_the_networks_have_every_form(python_of: Callable[[str], Path]) -> None:
    python_of(TOOL)
    if len(FACTS) < 100:
        pytest.skip(f"{len(FACTS)} networks; 100 are needed")
    counts = {fact: sum(fact in found for found in FACTS.values()) for fact in sorted(OCCUR)}
    assert not [fact for fact, count in counts.items() if not count]
