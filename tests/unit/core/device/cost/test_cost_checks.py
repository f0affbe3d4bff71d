"""Cost sections with one fault each are refused at the JSON path of the fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nopt.core.device.device import load_device
from nopt.core.diagnostics import Refused

SOURCE = {"source": "bench", "confidence": "assumed"}
NAMES = ("spike", "hop", "synapse", "update")
UNITS = {"spike": "pJ/spike", "hop": "pJ/hop", "synapse": "pJ/event", "update": "pJ/update"}
EVENTS = {"pJ/spike": "spike", "pJ/hop": "hop", "pJ/event": "event", "pJ/update": "update"}


def entry(name: str, **changes: Any) -> dict[str, Any]:
    return {"value": 2.0, "unit": UNITS[name], "band": [1.0, 3.0], "scope": "marginal", **SOURCE, **changes}


def section(**changes: dict[str, Any]) -> dict[str, Any]:
    return {name: entry(name) for name in NAMES} | changes


Case = tuple[dict[str, Any], str, str]
"""A section of energy, the path below it of the finding, and its code."""


def cases() -> Iterator[Case]:
    for name in NAMES:
        event = EVENTS[UNITS[name]]
        for unit in ("pJ", "ns", f"ns/{event}", "pJ/tick", f"mW/{event}", "joule", f"byte/{event}"):
            yield section(**{name: entry(name, unit=unit)}), f"{name}.unit", "DEV007"
        for scope in ("all", "", "AVERAGE", 1, True):
            yield section(**{name: entry(name, scope=scope)}), f"{name}.scope", "DEV002"
        for basis in ("measured", "", 0):
            yield section(**{name: entry(name, basis=basis)}), f"{name}.basis", "DEV002"
        for band in ([3.0, 1.0], [1.0], [1.0, 2.0, 3.0], [-1.0, 3.0], []):
            yield section(**{name: entry(name, band=band)}), f"{name}.band", "DEV008"
        for band in ([2.5, 3.0], [0.5, 1.5]):
            yield section(**{name: entry(name, band=band)}), f"{name}.value", "DEV008"
        yield section(**{name: entry(name, band=["1", 3])}), f"{name}.band[0]", "DEV002"
        yield section(**{name: entry(name, band=3)}), f"{name}.band", "DEV002"
        for part in ("spikes", name):
            yield section(**{name: entry(name, supersedes=[part])}), f"{name}.supersedes[0]", "DEV008"
        yield section(**{name: entry(name, scope="average")}), f"{name}.supersedes", "DEV024"
        others = [one for one in NAMES if one != name]
        yield section(**{name: entry(name, scope="average", supersedes=others[1:])}), f"{name}.supersedes", "DEV024"
    whole = {"value": 1.0, "unit": "mW", "scope": "average", **SOURCE}
    yield section(running=whole), "running.supersedes", "DEV024"
    yield {"running": whole, "idle": {"value": 1.0, "unit": "mW", **SOURCE}}, "running.supersedes", "DEV024"


CASES = [*cases()]


def written(tmp_path: Path, energy: dict[str, Any], **cost: Any) -> Path:
    device = {
        "schema": "nopt.device/1",
        "target": "asic",
        "name": "bench",
        "summary": "a bench",
        "sources": {"bench": "measured here"},
        "fidelity": {"tier": "exact", "source": "bench"},
        "cost": {"energy": energy, **cost},
    }
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(device))
    return path


def findings(tmp_path: Path, energy: dict[str, Any], **cost: Any) -> list[tuple[str, str | None]]:
    with pytest.raises(Refused) as caught:
        load_device(written(tmp_path, energy, **cost))
    return [(str(one.code), one.at) for one in caught.value.findings]


def test_there_are_at_least_a_hundred_cases() -> None:
    assert len(CASES) >= 100


@pytest.mark.parametrize(("energy", "path", "code"), CASES, ids=[f"{k}-{one[1]}" for k, one in enumerate(CASES)])
def test_a_fault_is_refused_at_its_path(tmp_path: Path, energy: dict[str, Any], path: str, code: str) -> None:
    assert (code, f"$.cost.energy.{path}") in findings(tmp_path, energy)


def test_a_section_without_a_fault_is_read(tmp_path: Path) -> None:
    average = entry("synapse", scope="average", supersedes=["spike", "hop", "update"], unit="nJ/event")
    device = load_device(written(tmp_path, section(synapse=average)))
    held = device.entry("cost.energy.synapse")
    assert (held.value, held.band, held.unit) == (2000, (1000.0, 3000.0), "pJ/event")


def test_other_sources_are_checked_as_well(tmp_path: Path) -> None:
    other = {"about": "another bench", "energy": section(hop=entry("hop", band=[3.0, 1.0]))}
    found = findings(tmp_path, section(), others={"other": other})
    assert ("DEV008", "$.cost.others.other.energy.hop.band") in found


@pytest.mark.parametrize(
    ("expression", "code"), [("hidden *", "NEU023"), ("hiden * 2", "NEU026"), ("hidden > 2", "NEU029")]
)
def test_cycles_are_numbers_of_known_counts(tmp_path: Path, expression: str, code: str) -> None:
    cycles = {"all": {"expression": expression, "source": "bench"}}
    assert (code, "$.cost.cycles.all.expression") in findings(tmp_path, section(), cycles=cycles)
