"""The generated pages of docs/ agree with the code."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

GENERATOR = Path("docs/generate.py")


def test_generated_pages_are_fresh(root: Path, nopt_folder: Path) -> None:
    if not (root / GENERATOR).exists():
        pytest.skip(f"{GENERATOR} does not exist yet")
    command = [nopt_folder / "warm-python", GENERATOR, "--check"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"run `make docs`:\n{done.stdout}{done.stderr}"
