"""Functions of upstream dialects: their model has the bits of the reference on generated networks, and a manifest is checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from field_mutations import mutated
from integer_networks import integer_network
from places import EXAMPLES, GOLDENS

import nopt.api as nopt
from nopt.api.conformance.networks import FAMILIES, generate
from nopt.core.diagnostics import Diagnostics, Refused

NETWORKS, MANIFESTS = 10, 50


def both(network: Any, inputs: Any, folder: Path, **options: Any) -> None:
    """Compiles a network and compares the model of the target with the reference."""
    nopt.compile(network, target="linalg", out=folder, diagnostics=Diagnostics(), **options)
    wanted = nopt.execute(folder, inputs, model="reference", diagnostics=Diagnostics()).arrays
    found = nopt.execute(folder, inputs, diagnostics=Diagnostics()).arrays
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name], values)


@pytest.mark.parametrize("seed", range(NETWORKS))
def test_integers_have_the_bits_of_the_reference(seed: int, tmp_path: Path) -> None:
    made = integer_network(100 + seed)
    both(made.module, made.inputs, tmp_path / "build")


@pytest.mark.parametrize("seed", range(NETWORKS))
def test_reals_have_the_bits_of_the_reference(seed: int, tmp_path: Path) -> None:
    drawn = generate(100 + seed, FAMILIES, precision="f32")
    if drawn is None:
        pytest.skip("no network of this seed")
    name = drawn.network.input_names.data[0].data
    both(drawn.module, {name: drawn.x}, tmp_path / "build")


def test_several_samples_and_short_windows_change_nothing(tmp_path: Path) -> None:
    x = np.random.default_rng(0).random((5, 12, 1, 8, 8)) < 0.3
    settings = ["linalg.samples=3", "linalg.window=5"]
    both(
        EXAMPLES / "digits" / "conv.nir", x, tmp_path / "build", dt="1ms", like="norse", reset="subtract", set=settings
    )


def test_probes_are_results(tmp_path: Path) -> None:
    x = np.random.default_rng(0).random((2, 8, 64)) < 0.3
    options: Any = {"dt": "1ms", "like": "norse", "reset": "subtract", "probe": ["1:v"]}
    nopt.compile(
        EXAMPLES / "digits" / "fc.nir", target="linalg", out=tmp_path / "build", diagnostics=Diagnostics(), **options
    )
    manifest = json.loads((tmp_path / "build" / "artefact" / "manifest.json").read_text(encoding="utf-8"))
    assert {"name": "1.v", "role": "probe"}.items() <= manifest["results"][1].items()
    runs = [
        nopt.execute(tmp_path / "build", x, model=model, record=["1.v"], diagnostics=Diagnostics()).arrays
        for model in ("reference", None)
    ]
    np.testing.assert_array_equal(runs[0]["1.v"], runs[1]["1.v"])


def test_a_window_is_a_positive_number(tmp_path: Path) -> None:
    options: Any = {"dt": "1ms", "like": "norse", "reset": "subtract", "set": ["linalg.window=0"]}
    with pytest.raises(Refused) as refused:
        nopt.compile(
            EXAMPLES / "digits" / "fc.nir",
            target="linalg",
            out=tmp_path / "build",
            diagnostics=Diagnostics(),
            **options,
        )
    assert refused.value.findings[0].code.id == "LNG003"


def test_mutated_manifests_are_refused(tmp_path: Path) -> None:
    options: Any = {"dt": "1ms", "like": "norse", "reset": "subtract", "diagnostics": Diagnostics()}
    nopt.compile(EXAMPLES / "digits" / "fc.nir", target="linalg", out=tmp_path / "build", **options)
    folder = tmp_path / "build" / "artefact"
    original = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    program = (
        "import sys, importlib.util as u\n"
        "spec = u.spec_from_file_location('run', sys.argv[1]); run = u.module_from_spec(spec); spec.loader.exec_module(run)\n"
        "for line in sys.stdin:\n"
        "    (run.HERE / 'manifest.json').write_text(line)\n"
        "    try:\n"
        "        manifest = run.read_manifest()\n"
        "        [run.read_array(one) for one in manifest['arguments'] if one['role'] != 'input']; print('accepted')\n"
        "    except run.Problem as problem:\n"
        "        print('refused:', str(problem).splitlines()[0])\n"
    )
    rng = np.random.default_rng(0)
    made = [one for one in (mutated(original, rng) for _ in range(2 * MANIFESTS)) if one != original][:MANIFESTS]
    text = "\n".join(json.dumps(one) for one in [original, *made]) + "\n"
    done = subprocess.run(
        [sys.executable, "-c", program, folder / "run.py"], input=text, capture_output=True, text=True, timeout=120
    )
    assert not done.returncode, done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == "accepted"
    assert len(lines) == MANIFESTS
    accepted = [one for one, line in zip(made, lines, strict=True) if line == "accepted"]
    assert all(one.keys() == original.keys() for one in accepted)
    assert len(accepted) <= MANIFESTS // 5


def test_names_of_nodes_need_not_be_names_of_files(tmp_path: Path) -> None:
    """An input may have the name of a function, and nodes may have slashes: arrays have names of their own."""
    text = (GOLDENS / "targets" / "linalg" / "lowering.mlir").read_text(encoding="utf-8")
    text = text.replace('"input"', '"tick"').replace('"fc"', '"../a/b"')
    both(nopt.parse(text), np.random.default_rng(0).random((2, 6, 3)) < 0.5, tmp_path / "build")
    assert (tmp_path / "build" / "artefact" / "_a_b_weight.npy").is_file()
