"""Limits of devices: just within a limit, a network fits; just beyond it, it is changed or refused, and the help of the refusal makes it fit."""

from __future__ import annotations

import json
import re
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from extent import FACTOR
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

import nopt.api as nopt
from nopt.api.compiling.device_fit import Fit, fit, limit_uses
from nopt.core import registry
from nopt.core.device import device as devices
from nopt.core.diagnostics import Severity
from nopt.dialects import machine

NETWORKS = {"bars": "norse reset=subtract", "rhythm": "norse"}
REMEDY = re.compile(r"--set (\S+)|set=\"([^\"]+)\"")
MAPPED = [f"asic/{name}" for name in registry.devices()["asic"]]


def network(root: Path, name: str) -> ModuleOp:
    module = nopt.read(root / "examples" / name / f"{name}.nir")
    return nopt.apply(
        module, f"convert-nir-to-ntensor{{dt-ns=1000000 like={NETWORKS[name]}}},ntensor-quantize-inputs{{kind=spike}}"
    )


def tried(module: ModuleOp, key: str, *settings: str) -> Fit:
    target, _, name = key.partition("/")

    return fit(module.clone(), devices.override_fields(devices.find_device(target, name), settings))


def graphs_of(found: Fit) -> list[Operation]:
    assert found.graph is not None
    return list(found.graph.ops)


def most_used(module: ModuleOp, key: str) -> dict[str, int]:
    """Returns the maximal use of each limit over all cores."""
    found = tried(module, key)
    if not found.is_fitting:
        return {}
    graph = next(op for op in graphs_of(found) if isinstance(op, machine.GraphOp))
    most: dict[str, int] = {}
    target, _, name = key.partition("/")
    for one in limit_uses(graph, devices.find_device(target, name)):
        most[one["limit"]] = max(most.get(one["limit"], 0), one["used"])
    return most


@pytest.mark.parametrize(("name", "key"), [*zip(cycle(NETWORKS), MAPPED, strict=False)])
def test_every_limit_just_inside_and_just_outside(root: Path, name: str, key: str) -> None:
    """The devices alternate between the examples; `nopt conform` asks the same of generated networks."""
    module = network(root, name)
    most = most_used(module, key)
    contradictions: list[str] = []
    for path in most.keys() - {"topology.cores", "core.memory"}:
        for value in (most[path], most[path] - 1):
            try:
                found = tried(module, key, f"{path}={value}")
            except nopt.Refused as refusal:
                contradictions += [finding.code.id for finding in refusal.findings]
                continue
            if value == most[path]:
                assert found.is_fitting, (path, value, found.findings)
            if not found.is_fitting:
                errors = [one for one in found.findings if one.severity is Severity.ERROR]
                assert all(one.expected and one.found and one.help for one in errors), errors
                assert any(one.source and path in one.source for one in errors) or errors[0].code.exit_code == 2, errors
    assert {*contradictions} <= {"DEV004", "DEV006", "DEV007", "DEV008"}  # of other fields of the device


@pytest.mark.parametrize("neurons", [4, 5, 7, 11, 16, 23, 40, 64, 129, 256])
def test_no_core_exceeds_its_neurons(root: Path, neurons: int) -> None:
    found = tried(network(root, "bars"), "asic/mesh", f"core.neurons={neurons}")
    assert found.is_fitting, found.findings
    graph = next(op for op in graphs_of(found) if isinstance(op, machine.GraphOp))
    held: dict[int | None, int] = {}
    for vertex in graph.vertices.values():
        if vertex.source.data not in graph.inputs:
            held[vertex.place] = held.get(vertex.place, 0) + vertex.neurons
    assert max(held.values()) <= neurons
    assert sum(held.values()) == 130


def test_remedies_work_when_pasted(root: Path) -> None:
    module = network(root, "bars")
    found = tried(module, "asic/mesh", "core.neurons=3")
    assert not found.is_fitting
    texts = " ".join(text for one in found.findings for text in (one.help or "", *one.notes))
    remedy = next(filter(None, REMEDY.findall(texts)))
    again = tried(module, "asic/mesh", "".join(remedy))
    assert again.is_fitting


def test_mapping_gives_the_reported_cost(root: Path, tmp_path: Path) -> None:
    for key in ("asic/edge", "asic/mesh"):
        out = tmp_path / key.replace("/", "-")
        report = nopt.compile(
            root / "examples/bars/bars.nir",
            target=key,
            dt="1ms",
            like="norse",
            reset="subtract",
            until="machine",
            out=out,
        ).report
        mapping: dict[str, Any] = json.loads((out / "mapping.json").read_text(encoding="utf-8"))
        value = sum(one["activity"] * len(one["links"]) for one in mapping["routes"])
        assert value == mapping["cost"]["value"] == report["mapping"]["cost"]["value"]
        assert mapping["cost"]["bound"] <= value
        assert not (out / "artefact").exists()


def test_samples_are_mapped_or_refused_helpfully(shared: Path) -> None:
    """The large network is checked for the devices of one target, and in `make soak` for all."""
    some = MAPPED if FACTOR == 1 else ["all"]
    for path, dt, like, reset, targets in (
        ("nir_paper/braille/braille_noDelay_noBias_subtract.nir", "0.1ms", "snntorch", "value", ["all"]),
        ("nir_paper/cnn/cnn_sinabs.nir", "1ms", "norse", "subtract", some),
    ):
        file = shared / "samples" / path
        found = [nopt.check(file, target=target, dt=dt, like=like, reset=reset) for target in targets]
        fits = {one.device: one.is_fitting for each in found for one in each.targets}
        assert fits.keys() >= {*MAPPED}
        assert any(fits[key] for key in MAPPED), path
        for finding in (finding for each in found for finding in each.errors):
            assert None not in (finding.device, finding.expected, finding.found, finding.help), finding
