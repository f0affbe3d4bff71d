"""The generated pages of docs/ agree with the code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GENERATOR = Path("docs/generate.py")


def test_generated_pages_are_fresh(root: Path) -> None:
    if not (root / GENERATOR).exists():
        pytest.skip(f"{GENERATOR} does not exist yet")
    done = subprocess.run([sys.executable, GENERATOR, "--check"], cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"run `make docs`:\n{done.stdout}{done.stderr}"
