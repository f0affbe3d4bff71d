"""`nopt import` with the frameworks themselves: networks that equal them, and refusals. `make frameworks` installs them (`--oracles=DIR`)."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
from environments import HERE, IMPORTS
from places import ROOT

from nopt.frontends.frameworks.foreign import DISTRIBUTIONS
from nopt.frontends.frameworks.importer import FRAMEWORKS

NETWORKS = {"snntorch": 10, "norse": 5, "sinabs": 5, "rockpool": 2, "spikingjelly": 4}
"""Number of networks of each framework that are imported."""
SECONDS = 240


@pytest.mark.parametrize("framework", NETWORKS)
def test_networks_equal_their_framework(framework: str, environment: dict[str, str], tmp_path: Path) -> None:
    command = ["python", str(HERE / "tools" / IMPORTS.script), framework]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, cwd=tmp_path, env=environment, check=False
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
    assert sum("expected" not in one for one in found) == NETWORKS[framework]
    assert any("expected" in one for one in found)


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_framework_has_an_extra_that_messages_name(framework: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert f"import-{framework}" in extras
    assert f"'nopt[import-{framework}]'" in DISTRIBUTIONS[framework]
    assert framework in NETWORKS
