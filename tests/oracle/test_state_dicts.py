"""`nopt export --state-dict` with the frameworks themselves: each network with quantised weights equals nopt in every layer. `make frameworks` installs them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from environments import HERE

SECONDS = 600
NETWORKS = {"snntorch": 24, "norse": 15, "sinabs": 16, "rockpool": 7, "spikingjelly": 12}
"""Number of networks of each framework, at least."""


@pytest.mark.parametrize("framework", NETWORKS)
def test_networks_with_quantised_weights_equal_nopt(
    framework: str, environment: dict[str, str], tmp_path: Path
) -> None:
    command = ["python", str(HERE / "tools" / "state_dicts.py"), framework]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, cwd=tmp_path, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for one in found:
        assert one.get("equal"), one
        assert one["changed"], one
        assert one["rounding"] == 0, one  # quantized in f32
    assert len(found) >= NETWORKS[framework]
