"""Passes of deep networks on all devices of Akida, as the mapper of BrainChip akida 2.19.3 starts them (observed)."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layer_stacks import Chain
from layer_stacks2 import Chain2

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

SIZES = {"c": 8, "C": 96}
"""Filters of convolutions: of one processor, and of several, whose number the kernel of 7 x 7 determines."""


def build(device: str, layers: str, out: Path) -> dict[str, Any]:
    """Compiles a network of small convolutions (`c`), large ones (`C`), small dense layers (`d`) and large ones (`D`)."""
    is_2 = device.endswith("v2")
    shape = (8, 2, 2) if layers[0] in "cC" else (16,)
    chain = (Chain2 if is_2 else Chain)(f"akida/{device}", shape, 4, np.random.default_rng(0), np.zeros((1, *shape)))
    for k, layer in enumerate(layers):
        if layer in SIZES:
            chain.convolution(SIZES[layer], 7 if layer == "C" else 1, 4)
        else:
            chain.dense(3000 if layer == "D" else 12, 4)
        if k == len(layers) - 1:
            break
        if isinstance(chain, Chain2):
            chain.add_scaled(4, {"output_scale": 128, "output_shift": 16, "bias": 0, "bias_shift": 0})
        else:
            chain.add_neuron(4)
    nopt.compile(chain.module().module, out=out, target=f"akida/{device}", diagnostics=Diagnostics())
    return dict(json.loads((out / "report.json").read_text(encoding="utf-8"))["processors"])


ACCEPTED = {
    ("akd1000", "d" * 22): [22],
    ("akd1500", "d" * 8): [8],
    ("akd1500", "d" * 20): [8, 7, 5],
    ("two_nodes_v1", "ddd"): [2, 1],
    ("two_nodes_v1", "c" * 17): [8, 8, 1],
    ("two_nodes_v1", "c" * 8 + "ddd"): [8, 2, 1],
    ("two_nodes_v1", "c" * 9 + "D"): [8, 2],
    ("two_nodes_v1", "c" * 7 + "dd"): [8, 1],
    ("two_nodes_v2", "c" * 9): [8, 1],
    ("two_nodes_v2", "ddd"): [2, 1],
    ("four_nodes_v2", "d" * 6): [4, 2],
    ("six_nodes_v2", "d" * 4): [3, 1],
    ("twelve_nodes_v2", "d" * 5): [4, 1],
    ("twelve_nodes_v2", "d" * 11): [4, 3, 3, 1],
}
"""The processors of each pass."""
REFUSED = {
    ("akd1000", "d" * 23): "fc22",
    ("akd1500", "DD"): "fc1",
    ("two_nodes_v1", "dddd"): "fc3",
    ("two_nodes_v1", "c" * 8 + "D"): "fc8",
    ("two_nodes_v1", "Ddd"): "fc2",
    ("two_nodes_v2", "dddd"): "fc3",
    ("two_nodes_v2", "CCC"): "conv2",
}
"""The layer that is refused."""


@pytest.mark.parametrize(("device", "layers"), ACCEPTED)
def test_layers_take_as_many_passes_as_the_mapper_starts(device: str, layers: str, tmp_path: Path) -> None:
    found = build(device, layers, tmp_path / "b")
    wanted = ACCEPTED[device, layers]
    assert found["used_by_pass"] == wanted
    assert (found["passes"], found["used"]) == (len(wanted), max(wanted))
    assert (found["passes_note"] is None) == (len(wanted) == 1)
    numbers = [one["pass"] for one in found["layers"]]
    for before, after in pairwise(found["layers"]):
        idents = [{tuple(np["ident"]) for np in one["processors"]} for one in (before, after)]
        assert not idents[0] & idents[1]  # no layer is where the one before it is, in another pass either
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(("device", "layers"), REFUSED)
def test_a_layer_is_refused_that_fits_no_pass(device: str, layers: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal:
        build(device, layers, tmp_path / "b")
    finding = refusal.value.findings[0]
    assert finding.code.id == "AKI008"
    assert f'"{REFUSED[device, layers]}"' in finding.at
    is_later = "at the start of pass" in str(finding.found)
    assert is_later == (device != "akd1000")
    assert any("takes none of the processors" in note for note in finding.notes) == is_later
    assert not any("--set" in note for note in finding.notes)  # no option sets the number of processors
