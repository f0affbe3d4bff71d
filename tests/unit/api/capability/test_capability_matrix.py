"""The capability matrix: its cells, its helpers, and the proofs of `full` cells; `test_device_conforms` follows those that are questions."""

from __future__ import annotations

from pathlib import Path

import pytest

import nopt.api as nopt
from nopt.api.capability.matrix import CAPABILITIES, GOLDEN, STATES, TESTS, Cell
from nopt.api.devices.device_files import device_columns
from nopt.core.device.features import FEATURES

CELLS = nopt.capabilities()
WITHOUT_ROW = {
    "update": "its passes set the neuron models of the device, which the row of neuron families has",
    "max_pool": "the legalisation chooses passes by the kind of the pool, for all devices without max pools",
    "synapse_chain": "the legalisation merges the chain exactly, for all devices whose cores compute neurons",
}
"""Features without a row of their fallback, with the reason."""
DEVICES = [device.key for device in device_columns()]


def cell_of(device: str, name: str) -> Cell:
    (cell,) = nopt.capabilities(device, name=name)
    return cell


def proofs(device: str, kind: str) -> set[str]:
    found = (cell.proof for cell in CELLS if cell.device == device)
    return {proof.removeprefix(kind) for proof in found if proof is not None and proof.startswith(kind)}


def test_every_device_has_every_capability() -> None:
    assert [(cell.device, cell.capability) for cell in CELLS] == [
        (key, one.name) for key in DEVICES for one in CAPABILITIES
    ]


def test_only_full_cells_have_a_proof() -> None:
    assert [cell for cell in CELLS if (cell.proof is not None) != (cell.state == "full")] == []


def test_every_replaced_feature_has_a_row() -> None:
    names = {one.name.removeprefix("fallback for ") for one in CAPABILITIES if one.name.startswith("fallback for ")}
    assert {*FEATURES} - names == {*WITHOUT_ROW}
    assert not {name for device in device_columns() for name in device.fallbacks} & {"max_pool", "synapse_chain"}


def test_goldens_and_tests_behind_full_cells_exist(root: Path) -> None:
    for key in DEVICES:
        for proof in proofs(key, GOLDEN):
            path, _, code = proof.partition("#")
            assert f"error[{code}]" in (root / path).read_text(encoding="utf-8")
        for place in proofs(key, TESTS):
            assert (root / place).exists(), place


def test_states_follow_the_device_file() -> None:
    assert cell_of("asic/edge", "plasticity rules").state == "unsupported"
    assert cell_of("asic/mesh", "plasticity rules").state == "full"
    assert cell_of("asic/mesh", "fan-in").state == "unpublished"
    assert cell_of("asic/edge", "fan-in").value == "256"
    assert cell_of("asic/edge", "delays [ticks]").state == "partial"


def test_approximated_devices_name_another_device() -> None:
    """An oracle of the target simulates the other device, so that it does not prove the approximation."""
    found = {
        device.key: device.fidelity.approximated_by for device in device_columns() if device.fidelity.approximated_by
    }
    assert found["dynapse/se1"] == "se2"
    for key, other in found.items():
        named = f"{key.partition('/')[0]}/{other}"
        assert named in DEVICES
        assert named in cell_of(key, "fidelity").value
        assert cell_of(key, "oracle").state == "partial"


def test_filters_select() -> None:
    assert {cell.state for cell in nopt.capabilities(state="unsupported")} == {"unsupported"}
    noted = nopt.capabilities("asic/edge", note="ADDS LATENCY")
    assert [cell.capability for cell in noted] == ["fallback for latency"]


def test_totals_agree() -> None:
    total = nopt.capability_totals()["total"]
    assert sum(total.values()) == len(CELLS)
    for by in ("device", "target", "capability"):
        groups = nopt.capability_totals(by).values()
        assert {state: sum(one[state] for one in groups) for state in STATES} == total


def test_pending_cells_and_ranking() -> None:
    pending = nopt.pending_capabilities("asic/edge")
    assert pending
    assert not {cell.state for cell in pending} & {"full", "unsupported"}
    ranking = nopt.readiness_ranking()
    assert sorted(one.device for one in ranking) == sorted(DEVICES)
    assert [one.score for one in ranking] == sorted((one.score for one in ranking), reverse=True)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(nopt.Refused, match="API021"):
        nopt.capabilities("asics")
    with pytest.raises(nopt.Refused, match="DEV005"):
        nopt.capabilities("asic/edges")
