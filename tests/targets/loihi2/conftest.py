"""Shared fixtures of the tests of loihi2."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def encoded(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Path]]:
    """Returns a function that writes the test samples of a trained network and their classes (`examples/encoder.py`)."""

    def write(name: str) -> tuple[Path, Path]:
        folder = tmp_path_factory.mktemp(name)
        files = folder / "x.npy", folder / "y.npy"
        before = sys.argv
        sys.argv = ["encoder.py", name, *map(str, files)]
        try:
            runpy.run_path(str(root / "examples" / "encoder.py"), run_name="__main__")
        finally:
            sys.argv = before
        return files

    return write
