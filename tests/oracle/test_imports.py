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
LAYERS = {"snntorch": 14, "norse": 10, "sinabs": 11, "rockpool": 5, "spikingjelly": 8}
"""The same for layers that NIR has no node for, and functions between layers."""
KINDS = {"snntorch": 7, "norse": 2, "sinabs": 2, "rockpool": 2, "spikingjelly": 3}
"""The same for signals that a forward keeps, functions, and further kinds of neurons."""
DRAWN = 30
"""Number of drawn networks of each framework."""
SPYX = {
    *("IF", "LIF", "CuBaLIF", "ALIF", "LI", "RIF", "RLIF", "RCuBaLIF", "PSU_LIF", "AssociativeLIF"),
    *(
        "Linear",
        "Conv",
        "BatchNorm",
        "Flatten",
        "SumPool",
        "SumPool of 3",
        "avg_pool",
        "avg_pool of SAME",
        "max_pool",
        "max_pool of 3",
    ),
    *("Dropout", "ActivityRegularization"),
}
"""Layers that the drawn networks of Spyx have."""
REFUSED = {"sinabs": {"21": "IMP009"}}
"""Drawn networks that a framework itself computes in another way, by their numbers."""
SECONDS = 300


@pytest.mark.parametrize("framework", NETWORKS)
def test_networks_equal_their_framework(framework: str, environment: dict[str, str], tmp_path: Path) -> None:
    found = import_networks(IMPORTS.script, framework, NETWORKS[framework], environment, tmp_path)
    assert any("expected" in one for one in found)


@pytest.mark.parametrize("framework", LAYERS)
def test_layers_without_node_equal_their_framework(framework: str, environment: dict[str, str], tmp_path: Path) -> None:
    import_networks("imported_layers.py", framework, LAYERS[framework], environment, tmp_path)


@pytest.mark.parametrize("framework", KINDS)
def test_further_kinds_equal_their_framework(framework: str, environment: dict[str, str], tmp_path: Path) -> None:
    import_networks("imported_kinds.py", framework, KINDS[framework], environment, tmp_path)


@pytest.mark.parametrize("framework", LAYERS)
def test_drawn_networks_equal_their_framework(framework: str, environment: dict[str, str], tmp_path: Path) -> None:
    """Every layer of neurons speaks and is equal, or the network is refused with the name of a layer and what to write instead."""
    found = {one["network"]: one for one in output_of("drawn_networks.py", framework, environment, tmp_path)}
    assert len(found) == DRAWN
    refused = REFUSED.get(framework, {})
    for number, one in found.items():
        if number in refused:
            assert one["codes"] == [refused[number]], one
            (text,) = one["text"]
            assert 'at: "blocks.' in text
            assert "help: " in text
            continue
        assert one.get("equal"), one
        assert "IMP004" not in one["codes"], one


def test_drawn_networks_equal_spyx(spyx_environment: dict[str, str], tmp_path: Path) -> None:
    """Every layer speaks and is equal, and the networks have all layers. Other networks are refused, most with the name of a layer and what to write instead."""
    found = output_of("drawn_spyx.py", None, spyx_environment, tmp_path)
    drawn = [one for one in found if "expected" not in one]
    assert len(drawn) == DRAWN
    for one in drawn:
        assert one.get("equal"), one
        assert "IMP004" not in one["codes"], one
    assert {name for one in drawn for name in one["blocks"].split(", ")} == SPYX
    refused = [one for one in found if "expected" in one]
    assert refused
    for one in refused:
        assert one["codes"] == [one["expected"]], one


def test_gesture_network_is_equal_in_all_layers(environment: dict[str, str], shared: Path, tmp_path: Path) -> None:
    """Its layers have max pools between convolutions and neurons, and padding `same`. Every layer emits spikes."""
    state = shared / "samples" / "neurobench" / "dvs_gesture_snn.npz"
    if not state.is_file():
        pytest.skip(f"no network of NeuroBench at {state} (pytest --shared=DIR)")
    (found,) = output_of("imported_gestures.py", str(state), environment, tmp_path)
    assert found["equal"], found
    assert found["layers"] == ["lif1", "lif2", "lif3", "lif4"]
    assert "IMP004" not in found["codes"]
    assert all(count > 30 for count in found["spikes"].values()), found["spikes"]


def output_of(script: str, framework: str | None, environment: dict[str, str], folder: Path) -> list[dict[str, Any]]:
    """Returns the records that a script prints."""
    command = ["python", str(HERE / "tools" / script), *([] if framework is None else [framework])]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, cwd=folder, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def import_networks(
    script: str, framework: str, count: int, environment: dict[str, str], folder: Path
) -> list[dict[str, Any]]:
    """Imports all networks of a script, and returns their records."""
    found = output_of(script, framework, environment, folder)
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
    assert framework in {*NETWORKS, "spyx"}
