"""Programs of their own of networks that learn, compiled with checks of undefined behaviour and of all addresses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import own_program
from learning_networks import Case
from programs import COMPILERS

from nopt.targets.c.source import generate

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
