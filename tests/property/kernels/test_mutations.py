"""Mutated manifests and device files of kernels are refused with a message, never with a traceback."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from field_mutations import mutated
from places import EXAMPLES, ROOT

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

MANIFESTS, DEVICES = 50, 200
"""Numbers of files that are refused."""
FREE = {
    *("program", "tick_ns", "interleaved", "features", "regions", "kernels"),
    *("inputs", "outputs", "machine", "pushed"),
}
"""Parts of a manifest that can have another valid name, number or feature."""


def test_mutated_manifests_are_refused(tmp_path: Path) -> None:
    net = EXAMPLES / "bars" / "bars.nir"
    options: dict[str, Any] = {"dt": "1ms", "like": "norse", "reset": "subtract", "diagnostics": Diagnostics()}
    nopt.compile(net, target="opencl", out=tmp_path / "build", **options)
    folder = tmp_path / "build" / "artefact"
    original = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    program = (
        "import json, sys, importlib.util as u\n"
        "spec = u.spec_from_file_location('run', sys.argv[1]); run = u.module_from_spec(spec); spec.loader.exec_module(run)\n"
        "for line in sys.stdin:\n"
        "    (run.HERE / 'manifest.json').write_text(line)\n"
        "    try:\n"
        "        run.read_manifest(run.LANGUAGE); print('accepted')\n"
        "    except run.Problem as problem:\n"
        "        print('refused:', str(problem).splitlines()[0])\n"
    )
    rng = np.random.default_rng(0)
    made = [one for one in (mutated(original, rng) for _ in range(2 * MANIFESTS)) if one != original]
    text = "\n".join(json.dumps(one) for one in [original, *made]) + "\n"
    done = subprocess.run(
        [sys.executable, "-c", program, folder / "run.py"], input=text, capture_output=True, text=True, timeout=120
    )
    assert not done.returncode, done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == "accepted"
    assert len(lines) == len(made)
    accepted = [one for one, line in zip(made, lines, strict=True) if line == "accepted"]
    assert len(made) - len(accepted) >= MANIFESTS
    for one in accepted:
        assert {key for key in original if one.get(key) != original[key]} <= FREE


SLUGS = ("opencl", "glsl", "wgsl", "cuda", "metal")
FILES = sorted(
    path.relative_to(ROOT) for slug in SLUGS for path in (ROOT / "targets" / slug / "devices").glob("*.json")
)
EACH = -(-DEVICES // len(FILES))
MOST = 5
"""Mutations for each refusal: a file that extends another may lack any part of it."""
NETWORK = ROOT / "lit-tests" / "tools" / "inputs" / "lif.mlir"
CHOICES = {"dt": "1ms", "like": "norse", "reset": "subtract"}


@pytest.mark.parametrize("name", FILES, ids=lambda path: f"{path.parts[1]}-{path.stem}")
def test_mutated_devices_are_refused_without_a_traceback(name: Path, tmp_path: Path) -> None:
    """Of generic devices, software devices and real GPUs, which extend the generic ones, 200 files are refused in all; the others compile."""
    original = json.loads((ROOT / name).read_text(encoding="utf-8"))
    shutil.copy(ROOT / name.parent / "generic.json", tmp_path / "generic.json")
    rng = np.random.default_rng(1)
    path = tmp_path / "device.json"
    refusals: list[Refused] = []
    for _ in range(MOST * EACH):
        path.write_text(json.dumps(mutated(original, rng)), encoding="utf-8")
        try:
            options: Any = CHOICES
            nopt.compile(NETWORK, device=path, out=tmp_path / "build", **options, diagnostics=Diagnostics())
        except Refused as refusal:
            refusals.append(refusal)
        if len(refusals) == EACH:
            break
    assert len(refusals) == EACH
    assert all(one.code.id and one.expected for refusal in refusals for one in refusal.findings)
