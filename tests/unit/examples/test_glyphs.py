"""The example that learns digits: accuracy before and after learning, and with shuffled classes, on the engine `native`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from console_blocks import BLOCK
from places import ROOT

import nopt

sys.path.insert(0, str(ROOT / "examples" / "glyphs"))

import compare
import glyphs

LEAST, MOST_UNTRAINED, MOST_SHUFFLED = 0.85, 0.7, 0.4


def counts(network: Path, samples: Path) -> np.ndarray:
    x = np.load(samples)
    return nopt.run(network, x, axes="samples,ticks", dt="1ms", like="norse", engine="native")["output"].sum(1)


def test_the_tutorial_has_the_program_of_the_example() -> None:
    text = (ROOT / "docs" / "tutorials" / "learning.md").read_text(encoding="utf-8")
    (block,) = [content for kind, name, content in BLOCK.findall(text) if kind == "python"]
    assert block == (ROOT / "examples" / "glyphs" / "glyphs.py").read_text(encoding="utf-8")
    assert compare.RULE in text


def test_cells_learn_digits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    glyphs.make(1)
    rule = f'nir-set-plasticity{{nodes=fc rule=stdp entries="{compare.RULE}"}}'
    nopt.write(nopt.apply(nopt.read("net.nir"), rule), "learns.mlir")
    command = [sys.executable, "-m", "nopt", "run", "learns.mlir", "--input", "stream.npy", "--save-weights", "w.npz"]
    subprocess.run([*command, "--dt", "1ms", "--like", "norse", "-o", "run.npz"], check=True, capture_output=True)
    nopt.write(nopt.import_weights("net.nir", "w.npz").module, "trained.nir")
    classes, wanted = np.load("train_classes.npy"), np.load("test_classes.npy")
    shuffled = np.random.default_rng(0).permutation(classes)
    found = {
        name: [counts(Path(name), Path(f"{x}.npy")) for x in ("train", "test")] for name in ("net.nir", "trained.nir")
    }
    before, after = (glyphs.accuracy(train, classes, test, wanted) for train, test in found.values())
    train, test = found["trained.nir"]
    assert after > LEAST
    assert before < MOST_UNTRAINED
    assert glyphs.accuracy(train, shuffled, test, wanted) < MOST_SHUFFLED
