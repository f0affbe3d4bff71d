"""Random layer networks on Akida: the model of the chip equals the network, and artefacts are complete."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from both_models import run_equal
from layer_stacks import Chain, Stack, as_signal, draw
from layer_stacks2 import Chain2, draw2

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.akida import ModelOp
from nopt.dialects.akida2 import Model2Op
from nopt.dialects.ntensor import MaxPool2dOp
from nopt.targets.akida.loader import load
from nopt.targets.akida.model import Model
from nopt.targets.reference.model import ReferenceModel

DEVICES = ("akd1000", "akd1500")
DEVICES_2 = ("four_nodes_v2", "twelve_nodes_v2")
CASES = [(seed, DEVICES[seed % 2], draw) for seed in range(6)]
CASES_2 = [(seed, DEVICES_2[seed % 2], draw2) for seed in range(6)]
Drawer = Callable[[int, str], Stack]


@pytest.mark.parametrize(("seed", "name", "drawer"), CASES + CASES_2)
def test_the_model_equals_the_network(seed: int, name: str, drawer: Drawer, tmp_path: Path) -> None:
    device = f"akida/{name}"
    stack = drawer(seed, device)
    nopt.compile(stack.module, out=tmp_path / "b", target=device, diagnostics=Diagnostics())
    record = [op.node.data for op in stack.network.populations]
    found = run_equal(tmp_path / "b", stack.frames[:, None], record)
    assert all(values.any() for values in found.values())


@pytest.mark.parametrize(("seed", "name", "drawer"), CASES[:4] + CASES_2[:4])
def test_an_artefact_is_read_back(seed: int, name: str, drawer: Drawer, tmp_path: Path) -> None:
    device = f"akida/{name}"
    nopt.compile(drawer(seed, device).module, out=tmp_path / "b", target=device, diagnostics=Diagnostics())
    files = {path.name: path.read_bytes() for path in (tmp_path / "b" / "artefact").iterdir()}
    loaded = Model.chip_of(load(files, Diagnostics()))
    assert isinstance(loaded, ModelOp if drawer is draw else Model2Op)
    listed = json.loads(files["mapping.json"])["layers"]
    assert [layer.source.data for layer in loaded.layers] == [one["source"] for one in listed]
    assert [len(layer.nps) for layer in loaded.layers] == [len(one["processors"]) for one in listed]


@pytest.mark.parametrize(
    ("kind", "device", "inputs", "units", "bits"),
    [(Chain, "two_nodes_v1", 20000, 60, 4), (Chain2, "two_nodes_v2", 1024, 1024, 8)],
)
def test_external_memory_holds_more_than_all_processors(
    kind: type[Chain], device: str, inputs: int, units: int, bits: int, tmp_path: Path
) -> None:
    """The mapper of the vendor places these dense layers on an FNP2, too."""
    frames = np.zeros((1, inputs), np.int64)
    chain = kind(f"akida/{device}", (inputs,), bits, np.random.default_rng(0), frames)
    chain.dense(units, bits)
    nopt.compile(chain.module().module, out=tmp_path / "b", target=f"akida/{device}", diagnostics=Diagnostics())
    (layer,) = json.loads((tmp_path / "b" / "artefact" / "mapping.json").read_text(encoding="utf-8"))["layers"]
    assert [one["function"] for one in layer["processors"]] == ["FNP2"]


@pytest.mark.parametrize(("size", "stride"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
@pytest.mark.parametrize("shape", [(2, 5, 6), (1, 7, 8)])
def test_a_max_pool_ignores_its_padding(shape: tuple[int, ...], size: int, stride: int) -> None:
    """All potentials are negative, so that a padding of zeros would be the greatest."""
    rng = np.random.default_rng(size)
    chain = Chain("akida/akd1500", shape, 4, rng, rng.integers(1, 16, (2, *shape)))
    chain.convolution(1, 1, 2)
    op = chain.value.owner
    op.properties["weight"] = type(op.properties["weight"]).of(np.full((1, shape[0], 1, 1), -1, np.int8))
    chain.max_pool(size, stride)
    pool = chain.value.owner
    assert isinstance(pool, MaxPool2dOp)
    found = ReferenceModel(chain.module().network).run({"input": as_signal(chain.frames)})["output"][:, 0, 0]
    potentials = -chain.frames.sum(axis=1)
    (top, _), (left, _) = pool.padding.values.tolist()
    for y, x in np.ndindex(*found.shape[1:]):
        rows, columns = (slice(max(0, p * stride - q), p * stride - q + size) for p, q in ((y, top), (x, left)))
        assert np.array_equal(found[:, y, x], potentials[:, rows, columns].max(axis=(1, 2)))


@pytest.mark.parametrize(
    ("kind", "device", "bits"), [(Chain, "akd1000", 2), (Chain, "akd1500", 4), (Chain2, "six_nodes_v2", 4)]
)
def test_a_max_pool_of_counts_is_one_of_potentials(kind: type[Chain], device: str, bits: int, tmp_path: Path) -> None:
    """The layer has the name and the counts of the pool, which follows the neuron in the network."""
    rng = np.random.default_rng(bits)
    chain = kind(f"akida/{device}", (2, 6, 6), 4, rng, rng.integers(0, 16, (4, 2, 6, 6)))
    chain.convolution(3, 3, 4)
    add_activation(chain, bits)
    chain.max_pool(2, 2)
    chain.convolution(4, 3, 4)
    add_activation(chain, bits)
    module = chain.module()
    nopt.compile(module.module, out=tmp_path / "b", target=f"akida/{device}", diagnostics=Diagnostics())
    pool = next(op for op in module.network.body.block.ops if isinstance(op, MaxPool2dOp))
    found = run_equal(tmp_path / "b", module.frames[:, None], [pool.node.data])
    assert all(values.any() for values in found.values())
    mapping = json.loads((tmp_path / "b" / "artefact" / "mapping.json").read_text(encoding="utf-8"))
    assert mapping["layers"][0]["source"] == pool.node.data


def add_activation(chain: Chain, bits: int) -> None:
    """Adds the neurons of the device."""
    if isinstance(chain, Chain2):
        chain.add_scaled(bits, {"output_scale": 128, "output_shift": 11, "bias": 0, "bias_shift": 0})
    else:
        chain.add_neuron(bits)
