"""`nopt import` with the frameworks themselves: networks that equal them, and refusals. `make frameworks` installs them (`--oracles=DIR`)."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from environments import HERE, IMPORTS
from places import ROOT

from nopt.frontends.frameworks.foreign import DISTRIBUTIONS
from nopt.frontends.frameworks.importer import FRAMEWORKS

NETWORKS = {"snntorch": 11, "norse": 5, "sinabs": 5, "rockpool": 2, "spikingjelly": 4}
"""Number of networks of each framework that are imported."""
LAYERS = {"snntorch": 13, "norse": 10, "sinabs": 11, "rockpool": 5, "spikingjelly": 8}
"""The same for layers that NIR has no node for, and functions between layers."""
SECONDS = 240


@pytest.mark.parametrize("framework", NETWORKS)
def test_networks_equal_their_framework(framework: str, environment: dict[str, str], tmp_path: Path) -> None:
    found = import_networks(IMPORTS.script, framework, NETWORKS[framework], environment, tmp_path)
    assert any("expected" in one for one in found)


@pytest.mark.parametrize("framework", LAYERS)
def test_layers_without_node_equal_their_framework(framework: str, environment: dict[str, str], tmp_path: Path) -> None:
    import_networks("imported_layers.py", framework, LAYERS[framework], environment, tmp_path)


def import_networks(
    script: str, framework: str, count: int, environment: dict[str, str], folder: Path
) -> list[dict[str, Any]]:
    """Imports all networks of a script, and returns their records."""
    command = ["python", str(HERE / "tools" / script), framework]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, cwd=folder, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for one in found:
        if "expected" in one:
            assert one["codes"] == [one["expected"]], one
            continue
        assert one.get("equal"), one
        assert one["layers"], one
        assert not one["wrong"], one
        assert "IMP004" not in one["codes"], one  # a layer without spikes compares nothing
    assert sum("expected" not in one for one in found) == count
    return found


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_framework_has_an_extra_that_messages_name(framework: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert f"import-{framework}" in extras
    assert f"'nopt[import-{framework}]'" in DISTRIBUTIONS[framework]
    assert framework in NETWORKS
