"""The script of an artefact, run with BrainChip's akida, builds the model of the artefact's JSON form."""

from __future__ import annotations

import json
import subprocess
from ast import literal_eval
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from akida_scripts import CASES, prepared
from akida_scripts import Case as Scripted
from akida_stacks import Case, differences, hand_over, random_cases, random_cases_v2, run_tool

NETWORKS = 20


@pytest.mark.parametrize("draw", [random_cases, random_cases_v2], ids=["v1", "v2"])
def test_the_script_builds_the_model_of_the_json_form(
    draw: Callable[[int, Path], Iterator[Case]], python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """Equal parameters and arrays of all layers, equal values, and the processors of the report."""
    cases = list(draw(NETWORKS, tmp_path))
    hand_over(cases, tmp_path)
    theirs = run_tool(python_of("akida"), "build", tmp_path)
    for case in cases:
        answer = json.loads(theirs[case.name].tobytes())
        assert json.loads(answer["script"]) == json.loads(answer["json"]), case.stack.kinds
        assert not differences(case, theirs)
        assert printed_processors(answer["printed"]) == processors(case), case.stack.kinds
    types = {
        layer["parameters"]["layer_type"] for case in cases for layer in layers_of(theirs[case.name].tobytes().decode())
    }
    assert len(types - {"InputData"}) == 4  # each type of layer


def layers_of(answer: str) -> list[dict[str, dict[str, str]]]:
    """Returns the layers of the script's model."""
    return list(json.loads(json.loads(answer)["script"])["layers"])


Placed = dict[str, tuple[int, list[tuple[str, int, int, int]]]]
"""Pass, and function and position of each part, by layer."""


def printed_processors(text: str) -> Placed:
    """Reads lines of a layer with its pass and processors: `fc 0 [('FNP3', 2, 2, 0)]`."""
    lines = (line.split(" ", 2) for line in text.splitlines())
    return {name: (int(number), literal_eval(parts)) for name, number, parts in lines}


def processors(case: Case) -> Placed:
    """Returns pass, function and position of each part of the report."""
    return {
        layer["layer"]: (layer["pass"], [(one["function"], *map(int, one["ident"])) for one in layer["processors"]])
        for layer in case.mapping["layers"]
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}-{case.device}")
def test_a_run_of_the_package_has_the_numbers_of_nopt_run(
    case: Scripted, python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    expected = prepared(case, tmp_path)
    script, options = tmp_path / "b" / "artefact" / "run_model.py", [f"--record={name}" for name in case.records]
    words: list[object] = [python_of("akida"), script, tmp_path / "in.npz", tmp_path / "out.npz", *options]
    subprocess.run(words, check=True)
    results = [tmp_path / "out.npz"]
    if (readout := script.with_name("readout.py")).exists():
        results.append(tmp_path / "host.npz")
        subprocess.run([python_of("akida"), readout, *results], check=True)
    found = {name: values for result in results for name, values in np.load(result).items()}
    for name, values in expected.items():
        assert np.array_equal(found[name], values), name
        assert values.any()
