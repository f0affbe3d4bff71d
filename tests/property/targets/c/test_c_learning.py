"""Generated networks that learn: the reference, the compiled C in this process, and a sanitized program of its own have equal bits.

Weights are recorded in every tick, so that a difference is seen where it begins. There are 10 networks; `make soak` runs 100 and more.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import own_program
import pytest
from extent import seeds
from learning_networks import Case, learning_network
from nets import same_bits
from programs import COMPILERS, needs_compiler

from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.c.source import generate
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler

SANITIZED = ("-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")


def results_of_own_program(case: Case, folder: Path) -> dict[str, np.ndarray]:
    """Returns outputs and records of the first sample from a program of its own, with checks of undefined behaviour and of all addresses."""
    source = generate(case.network, record=case.record)
    manifest = source.manifest | {"outputs": [*source.manifest["outputs"], *source.manifest["records"]]}
    artefact = folder / "artefact"
    artefact.mkdir()
    for name, text in {**source.files, "manifest.json": json.dumps(manifest)}.items():
        (artefact / name).write_text(text, encoding="utf-8")
    inputs = {name: x[0] for name, x in case.inputs.items()}
    return own_program.run(artefact, inputs, COMPILERS[0], SANITIZED)


@pytest.mark.parametrize("seed", seeds(10))
def test_networks_that_learn(seed: int, tmp_path: Path) -> None:
    case = learning_network(seed)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    found = NativeModel(case.network, record=case.record).run(signals)
    assert list(found) == list(wanted)
    assert [name for name, array in wanted.items() if not same_bits(found[name], array)] == []
    own = results_of_own_program(case, tmp_path)
    assert sorted(own) == sorted(wanted)
    assert [name for name, array in wanted.items() if not same_bits(own[name].astype(array.dtype), array[0])] == []


def test_generated_networks_learn() -> None:
    """Most weights of the networks change, and they cover all rules and both meanings of a delay."""
    cases = [learning_network(seed) for seed in range(40)]
    texts = "\n".join(case.text for case in cases)
    names = ("pair", "triplet", "reward", "observed", "random", "short", "shifts", "rounded", "halved")
    assert all(f"@{name}.{delay}" in texts for name in names for delay in ("axonal", "dendritic"))
    changed: list[bool] = []
    for case in cases[:6]:
        found = ReferenceModel(case.network, record=case.record).run(
            {name: DenseSignal(x) for name, x in case.inputs.items()}
        )
        changed += [bool((found[name][:, -1] != found[name][:, 0]).any()) for name in found if name.endswith(".weight")]
    assert sum(changed) > len(changed) / 2
