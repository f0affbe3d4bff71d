"""A kind of topology that a plug-in brings: cores in a ring are checked, placed, routed, verified and run without an edit of nopt.

The package `ring_chip` is loaded with `--load-target`. Its target uses the exit dialect and the model of `asic`, so that the whole way is tested.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from places import EXAMPLES

from nopt.analysis.placement.placement_cost import bound_of, cost_of
from nopt.analysis.placement.placement_problem import problem_from
from nopt.core.device.topology import RowTopology, Topology
from nopt.passes.place._annealing import anneal
from nopt.passes.place._initial_placement import first_places

HERE = Path(__file__).parent
NETWORK = EXAMPLES / "digits" / "fc.nir"
CHOICES = ("--dt", "1ms", "--like", "norse", "--reset", "subtract")
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def chip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a copy of the package."""
    folder = tmp_path_factory.mktemp("ring") / "ring_chip"
    shutil.copytree(HERE / "ring_chip", folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def nopt(nopt_folder: Path, chip: Path) -> Command:
    """Returns the command with the plug-in loaded."""

    def run(*words: str | Path, code: int = 0, target: Path | None = chip) -> subprocess.CompletedProcess[str]:
        loaded = [] if target is None else ["--load-target", target / "target.py"]
        command = [nopt_folder / "nopt", *words, *loaded]
        done = subprocess.run([*map(str, command)], capture_output=True, encoding="utf-8", cwd=chip.parent, timeout=120)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def ring() -> type[RowTopology]:
    sys.path.insert(0, str(HERE))
    try:
        from ring_chip.topology.ring import RingTopology
    finally:
        sys.path.remove(str(HERE))
    return RingTopology


@pytest.fixture(scope="module")
def build(nopt: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a compiled network, which no test changes."""
    folder = tmp_path_factory.mktemp("build") / "ring"
    done = nopt("compile", NETWORK, "--target", "ring", *CHOICES, "-v", "-o", folder)
    assert "busiest link core " in done.stdout
    return folder


def test_device_is_checked_and_described(nopt: Command) -> None:
    assert "ring/eight: 1 remark" in nopt("device", "check", "ring/eight").stdout
    page = nopt("device", "doc", "ring/eight", "-o", "-").stdout
    assert "The cores form a ring." in page
    assert "7 of 8 cores are usable." in page
    assert "Spikes travel" not in page
    assert "ring/eight" in nopt("targets", "--matrix").stdout
    found = json.loads(nopt("check", NETWORK, "--target", "ring", *CHOICES, "--format", "json").stdout)
    (fit,) = found["targets"]
    assert (fit["fits"], fit["cores"]) == ("exact", 5)  # 128 and 10 neurons on cores of 32


def test_network_is_routed_and_runs(nopt: Command, build: Path, tmp_path: Path) -> None:
    x = tmp_path / "x.npy"
    rng = np.random.default_rng(0)
    np.save(x, rng.random((4, 40, 64)) < (rng.random((4, 1, 64)) < 0.35) * 0.9)
    mapped = json.loads((build / "mapping.json").read_text(encoding="utf-8"))
    links = [link for route in mapped["routes"] for link in route["links"]]
    assert links
    assert {(head - tail) % 8 for tail, head in links} <= {1, 7}
    assert mapped["cost"]["value"] >= mapped["cost"]["bound"] >= mapped["cost"]["network_bound"] > 0
    assert all(one["core"] != 0 for one in mapped["vertices"] if one["node"] != "input")  # core 0 is reserved
    found: dict[str, dict[str, np.ndarray]] = {}
    for model in ("chip", "reference"):
        out = tmp_path / f"{model}.npz"
        nopt("run", build, "--input", x, "--model", model, "--record", "1,1.v", "-o", out)
        found[model] = dict(np.load(out))
    for name, array in found["reference"].items():
        np.testing.assert_array_equal(found["chip"][name], array)
    assert 0.01 < found["chip"]["1"].mean() < 0.5


@pytest.mark.parametrize(("level", "code"), [("machine", "MCH008"), ("asic", "ASI005")])
def test_verifiers_refuse_a_link_that_is_not_in_the_ring(
    nopt: Command, build: Path, tmp_path: Path, level: str, code: str
) -> None:
    stages = (build / "ir").glob("*-machine-route-edges.mlir" if level == "machine" else "*-asic.mlir")
    stage, wrong = min(stages), tmp_path / "wrong.mlir"
    arrays = ("--arrays", build / "ir" / "arrays")
    text = stage.read_text(encoding="utf-8")
    nopt(stage, *arrays)
    old = "[[0, 1], [1, 2]"
    assert old in text
    wrong.write_text(text.replace(old, "[[0, 1], [1, 5]"), encoding="utf-8")
    done = nopt(wrong, *arrays, code=1)
    assert f"[{code}]: a link does not connect neighbours" in done.stderr


def test_full_routers_and_cores_are_refused(nopt: Command, tmp_path: Path) -> None:
    settings = ("--set", "topology.routers.entries=1")
    done = nopt("compile", NETWORK, "--target", "ring", *CHOICES, *settings, "-o", tmp_path / "b", code=1)
    assert "[MAP008]: more routes pass the router of core" in done.stderr
    done = nopt("check", NETWORK, "--target", "ring", *CHOICES, "--set", "topology.cores=4", code=1)
    assert "at most 96 neurons on 3 cores of 32" in done.stdout


def test_kind_is_unknown_without_the_plugin(nopt: Command, chip: Path) -> None:
    done = nopt("device", "check", chip / "devices" / "eight.json", code=1, target=None)
    assert "[DEV015]: unknown topology ring" in done.stdout + done.stderr
    assert "expected: all-to-all, bus, hex-torus, hierarchy or mesh" in done.stdout + done.stderr


def test_two_kinds_of_one_name_are_refused(nopt: Command, tmp_path: Path) -> None:
    package = tmp_path / "ring_chip"
    shutil.copytree(HERE / "ring_chip", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(package / "topology" / "ring.py", package / "topology" / "bus.py")
    done = nopt("device", "check", "ring/eight", code=1, target=package)
    assert "[COR021]: the topology bus is defined twice" in done.stdout + done.stderr


def test_a_kind_that_cannot_be_imported_is_refused(nopt: Command, tmp_path: Path) -> None:
    package = tmp_path / "ring_chip"
    shutil.copytree(HERE / "ring_chip", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "topology" / "ring.py").write_text("import a_package_that_is_not_installed\n", encoding="utf-8")
    done = nopt("device", "check", "ring/eight", code=1, target=package)
    assert "[COR019]: the target ring cannot be imported" in done.stdout + done.stderr


# ---- the class


def test_costs_and_walks_agree(ring: type[RowTopology]) -> None:
    topology, random = ring(9, hop=2.0), np.random.default_rng(0)
    for _ in range(50):
        core, targets = int(random.integers(9)), random.integers(0, 9, int(random.integers(1, 5)))
        ends = np.array([0, len(targets)])
        trees = topology.trees(np.array([core]), ends, targets)
        walk = topology.follow(trees.links(0), core)
        assert walk.fault is None
        assert walk.reached >= {core, *targets.tolist()}
        tree = np.zeros(len(targets), np.int64)
        cost, _ = Topology.tree_costs(topology, np.array([core]), ends[:1], tree, targets)
        assert cost[0] == 2 * len(trees.links(0))
        for target in targets.tolist():
            path = topology.path(core, target)
            assert (len(path) - 1) * 2 == topology.distance(core, target)
            assert walk.reached >= {*path}


def test_bound_and_search(ring: type[RowTopology]) -> None:
    random, topology = np.random.default_rng(1), ring(5)
    for _ in range(10):
        nets = [(int(random.integers(5)), random.choice(5, 2, replace=False).tolist(), 1.0) for _ in range(4)]
        problem = problem_from(topology, list("abcde"), np.full(5, 3), 4, nets)
        best = min(cost_of(problem, np.array(way)) for way in permutations(range(5)))
        first = first_places(problem)
        assert first is not None
        assert bound_of(problem) <= best == anneal(problem, first, 2000, 0).cost
