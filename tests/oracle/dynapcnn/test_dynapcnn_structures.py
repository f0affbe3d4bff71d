"""The neurons of sinabs, with the numbers of `configuration.json`, have the counts of nopt, for networks whose structures several passes serve.

The networks are files, and go through the commands of nopt. sinabs converts none of them: `>`, neurons without a bound and layers on several cores
are not in its own flow, which `test_dynapcnn_sinabs.py` compares.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import nir
import numpy as np
import pytest
from dynapcnn_structures import structured
from places import TESTS
from structures import compile_file, run_build

Record = Callable[[str, object], None]
TOOL = TESTS / "oracle" / "tools" / "sinabs_configuration.py"
DEVICES, NETWORKS = ("speck2f", "dynapcnn"), 30
REFUSALS = {"CHI014": "a loop", "CHI015": "a loop", "LEG016": "a leak"}
"""Networks that no core computes. The delay of a delayed loop is refused before the loop."""
COUNTS = "ntensor-quantize-inputs{kind=count bits=2}"
FACTS: dict[tuple[str, int], set[str]] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function is test_sinabs_computes_the_same:
        metafunc.parametrize("number", range(min(metafunc.config.getoption("--count"), NETWORKS)))


@pytest.mark.parametrize("device", DEVICES)
def test_sinabs_computes_the_same(
    number: int, device: str, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    python, made, out = python_of("sinabs"), structured(number), tmp_path / "out.npz"
    file, inputs = tmp_path / "network.nir", tmp_path / "in.npz"
    nir.write(file, made.graph)
    np.savez(inputs, input=made.x)
    more = ["--passes", COUNTS] if made.x.max() > 1 else []
    attempt = compile_file(file, f"dynapcnn/{device}", made.choices, tmp_path / "build", more)
    facts = FACTS.setdefault((device, number), {made.choices["like"], made.choices["reset"]})
    if not attempt.is_built:
        assert REFUSALS[attempt.code] == ("a loop" if "second_loop" in made.graph.nodes else "a leak"), attempt.errors
        facts.add(attempt.code)
        return
    assert "second_loop" not in made.graph.nodes
    artefact = attempt.build / "artefact"
    mapping = json.loads((artefact / "mapping.json").read_text(encoding="utf-8"))
    layers = [one["source"] for one in mapping["layers"]]
    names = [*dict.fromkeys(layers), *(one["name"] for one in mapping["outputs"])]
    ours = run_build(attempt.build, inputs, names, tmp_path / "nopt.npz")
    done = subprocess.run([python, TOOL, artefact, inputs, out], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-2000:]
    with np.load(out) as theirs:
        for name in names:
            np.testing.assert_array_equal(ours[name].reshape(len(ours[name]), -1), theirs[name], name)
    record_property("remedies", attempt.remedies)
    facts |= {"a layer on several cores"} if len(set(layers)) < len(layers) else set()
    facts |= {"counts"} if more else set()
    facts |= {"a remedy"} if attempt.remedies else set()
    facts |= {node for node in ("side", "other", "pool", "early") if node in made.graph.nodes}
    facts |= {"active"} if all(ours[name].any() for name in names) else set()


def test_the_networks_have_every_structure(python_of: Callable[[str], Path]) -> None:
    python_of("sinabs")
    if len(FACTS) < NETWORKS * len(DEVICES):
        pytest.skip(f"{len(FACTS)} networks; {NETWORKS} of each device are needed")
    counts = Counter(fact for found in FACTS.values() for fact in found)
    occur = {"sinabs", "norse", "spikingjelly", "subtract", "value", *REFUSALS, "a layer on several cores", "counts"}
    assert not (occur | {"a remedy", "side", "other", "pool", "early"}) - counts.keys(), counts
    assert counts["active"] >= 0.8 * len(FACTS)
