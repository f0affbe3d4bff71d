"""The models of NESTML's library, which the tests read where the package `nestml` is installed. nopt does not contain them (licence GPL-2.0-or-later)."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import pytest

REASON = "the package nestml with its models is not installed (pip install 'nopt[import-nestml]')"


def model_paths() -> dict[str, Path]:
    """Returns the neurons of the library by name; none where the package is missing."""
    try:
        listed = files("nestml") or []
    except PackageNotFoundError:
        return {}
    found = [Path(str(one.locate())) for one in listed if one.suffix == ".nestml" and one.parent.name == "neurons"]
    return {path.stem: path for path in sorted(found) if path.is_file()}


def model_path(name: str) -> Path:
    """Returns a model; skips the test where it is missing."""
    path = model_paths().get(name)
    if path is None:
        pytest.skip(REASON)
    return path
