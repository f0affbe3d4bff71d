"""Shared fixtures of the tests of examples."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def demo(root: Path) -> ModuleType:
    """Returns the module `examples/demo.py`."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("demo", root / "examples" / "demo.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["demo"] = module  # dataclasses look up their module by name
    spec.loader.exec_module(module)
    return module
