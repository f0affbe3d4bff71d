"""Lava runs the script of an artefact, and computes the same spikes, i and v in every tick as the model of the chip.

Structured networks are refused at first where their rule is not that of the neuron of fixed function; the help of that refusal is typed, so they run
with a recorded approximation. Programmable neurons are the equations of the artefact, which its program evaluates in a process of Lava.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import nir
import numpy as np
import pytest
from artefact_scripts import verify_script
from attrs import evolve
from counted_work import NETWORKS as GROWING
from lava_networks import NETWORKS as LAVA_NETWORKS
from lava_networks import compiled
from loihi2_comparison import run_lava, stored_weights, verify_equal
from loihi2_networks import CLOCK, DEVICES, KINDS, Case, Ranges, cores_of, draw
from structured_networks import STYLES, Made, structured
from structures import Attempt, compile_file

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
NETWORKS = 30
"""Structured networks of a device."""
STRUCTURES = {
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
STRUCTURED: dict[tuple[str, int], set[str]] = {}
TOTALS: dict[tuple[str, int], int] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function is test_lava_computes_the_same:
        metafunc.parametrize("number", range(metafunc.config.getoption("--count")))
    if metafunc.function is test_lava_computes_structured_networks:
        metafunc.parametrize("number", range(min(metafunc.config.getoption("--count"), NETWORKS)))


def test_lava_computes_the_same(
    number: int, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    python = python_of(TOOL)
    case = draw(number, tmp_path)
    FACTS[number] = case.facts
    theirs = run_lava(python, case, tmp_path / "lava.npz")
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
    theirs = run_lava(python, case, tmp_path / "lava.npz")
    verify_equal(case, theirs, tmp_path)


def test_samples_start_anew(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """The script runs several samples as nopt does, each from the states before the first tick."""
    python, case = python_of(TOOL), draw(3, tmp_path)
    with np.load(case.inputs) as found:
        x = np.stack([found["input"], found["input"][::-1]])
    case = evolve(case, inputs=tmp_path / "samples.npz")
    np.savez(case.inputs, input=x)
    theirs = run_lava(python, case, tmp_path / "lava.npz")
    verify_equal(case, theirs, tmp_path)
    assert theirs["output"].shape[:2] == x.shape[:2]


@pytest.mark.parametrize("name", LAVA_NETWORKS)
def test_lava_computes_every_form_of_neurons(name: str, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """Fixed function, programmable with every kind of reset, refractory, adaptive, recurrent, delayed and graded: `nopt compare` finds no difference."""
    python, form = python_of(TOOL), LAVA_NETWORKS[name]
    build = compiled(form, tmp_path / "build")
    records = ("one", "two", *form.record)
    found = verify_script(build, "lava_network.py", None, {"input": form.inputs(2)}, records, python=python)
    assert all(found[name].any() for name in ("one", "two"))


@pytest.mark.parametrize("number", range(6))
def test_lava_computes_programmable_networks(number: int, python_of: Callable[[str], Path], tmp_path: Path) -> None:
    python, made = python_of(TOOL), structured(number, STYLES["loihi2"])
    file, inputs = tmp_path / "network.nir", tmp_path / "in.npz"
    nir.write(file, made.graph)
    shape = (int(n) for n in made.graph.nodes["input"].input_type["input"])
    np.savez(inputs, input=made.x.reshape(len(made.x), *shape))
    few = ["--set", f"core.neurons={7 + number}"] if number % 3 == 1 else []
    attempt = compile_file(file, "loihi2/programmable", made.choices, tmp_path / "build", few)
    assert attempt.is_built, attempt.errors
    case = Case(number, "programmable", attempt.build, inputs, frozenset())
    verify_equal(case, run_lava(python, case, tmp_path / "lava.npz"), tmp_path)


def test_neurons_that_all_differ_run(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    python, rng = python_of(TOOL), np.random.default_rng(1)
    file, inputs, build = tmp_path / "network.nir", tmp_path / "in.npz", tmp_path / "build"
    nir.write(file, GROWING["different"](40))
    np.savez(inputs, input=rng.random((20, 8)) < 0.4)
    attempt = compile_file(file, "loihi2/loihi1", {"dt": "1ms", "like": "norse", "reset": "zero"}, build)
    assert attempt.is_built, attempt.errors
    case = Case(0, "loihi1", build, inputs, frozenset())
    theirs = run_lava(python, case, tmp_path / "lava.npz")
    verify_equal(case, theirs, tmp_path)
    assert theirs["lif"].any()


def test_the_networks_have_every_form(python_of: Callable[[str], Path]) -> None:
    python_of(TOOL)
    if len(FACTS) < 100:
        pytest.skip(f"{len(FACTS)} networks; 100 are needed")
    counts = {fact: sum(fact in found for found in FACTS.values()) for fact in sorted(OCCUR)}
    assert not [fact for fact, count in counts.items() if not count]


# ---- structures that several passes serve, as files and through the commands


@pytest.mark.parametrize("device", DEVICES)
def test_lava_computes_structured_networks(
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
    theirs = run_lava(python, case, tmp_path / "lava.npz")
    record_property("values", verify_equal(case, theirs, tmp_path))
    record_property("remedies", attempt.remedies)
    STRUCTURED[device, number] = {*structures_of(case, made, attempt)}
    names = [name for name in case.names if f"{name}.v" in case.names and CLOCK not in name and "relay" not in name]
    TOTALS[device, number] = min(int(theirs[name].sum()) for name in names)


def structures_of(case: Case, made: Made, attempt: Attempt) -> Iterator[str]:
    """Yields what occurs in a network."""
    names, nodes = set(case.names), made.graph.nodes
    if any("relay" in name for name in names):
        yield "relays of spikes"
    if CLOCK in names:
        yield "a clock for biases"
    if len(cores_of(case.record)) > 1:
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
    if len(STRUCTURED) < NETWORKS * len(DEVICES):
        pytest.skip(f"{len(STRUCTURED)} networks; {NETWORKS} of each device are needed")
    counts = Counter(fact for found in STRUCTURED.values() for fact in found)
    assert not STRUCTURES - counts.keys(), counts
    assert sum(total > 0 for total in TOTALS.values()) >= 0.8 * len(TOTALS)  # no population is silent
