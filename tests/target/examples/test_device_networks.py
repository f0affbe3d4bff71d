"""Neurons and recommended settings of the synthetic devices: converted networks keep nearly all of their accuracy."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from places import ROOT

import nopt.api as nopt
from nopt.core import registry
from nopt.core.device import device as devices
from nopt.core.device.topology import kind_of
from nopt.core.diagnostics import Diagnostics

FOLDER = ROOT / "targets" / "asic" / "devices"
TICK_NS = {"fc": 1_000_000, "conv": 1_000_000, "order": 100_000}
LOST = {"edge": 0.05, "mesh": 0.01}
"""Maximal loss of accuracy on a chip: with 4 bits for all weights of an op, and with 8."""


@pytest.mark.parametrize(("device", "name"), [("edge", "fc"), ("edge", "conv"), ("mesh", "fc"), ("mesh", "order")])
def test_trained_networks_become_those_of_the_chip(demo: ModuleType, device: str, name: str) -> None:
    net = next(net for net in demo.TRAINED if net.name == name)
    chip = devices.find_device("asic", device)
    assert chip.quantization is not None
    repair = chip.fallbacks["weight_bits"].passes
    assert f"bits={chip.integer('quantization.weight_bits')} per={chip.quantization.per}" in repair
    # these chips support neither a delayed reset nor a lower bound of v
    conv = ' options="reset=value" approximate=bound,count,comparison'
    options = {"order": " approximate=reset", "conv": conv}.get(name, "")
    convert = f'ntensor-set-neuron-model{{to="{FOLDER / device}.neuron"{options}}}'
    passes = f"ntensor-quantize-inputs{{kind=spike}},{repair},ntensor-quantize-bias,{convert}"
    x, labels = demo.encoder.test_input(name)
    x, labels = x[:100], labels[:100]
    right: list[float] = []
    for step in ("", f",{passes}"):
        module = nopt.read(net.path, diagnostics=Diagnostics())
        reset = f" reset={net.reset}" if net.reset else ""
        options = f"dt-ns={TICK_NS[name]} like={net.like}{reset}"
        nopt.apply(module, f"convert-nir-to-ntensor{{{options}}}{step}", diagnostics=Diagnostics())
        (counts,) = nopt.run(module, x, diagnostics=Diagnostics()).values()
        right.append(float((counts.sum(1).argmax(1) == labels).mean()))
    assert np.subtract(*right) <= LOST[device]


def test_devices_differ_in_character() -> None:
    """Goldens can only cover features that differ between the built-in devices."""
    known = registry.devices()["asic"]
    bus, edge, mesh, multi = (devices.load_device(known[name]) for name in ("bus", "edge", "mesh", "multi"))
    assert [one.integer("topology.cores") for one in (bus, edge, mesh, multi)] == [8, 4, 36, 64]
    assert [one.integer("topology.chips") for one in (bus, edge, mesh, multi)] == [1, 1, 1, 4]
    assert [kind_of(one) for one in (bus, edge, mesh, multi)] == ["bus", "mesh", "mesh", "mesh"]
    assert edge.core is not None
    assert edge.core.shared
    assert (edge.number("synapse.bits"), edge.number("synapse.delay.max"), mesh.number("synapse.delay.max")) == (
        4,
        1,
        16,
    )
    assert mesh.spike is not None
    assert "graded" in mesh.spike.kinds
    assert mesh.number("core.fan_in") is None
    assert edge.plasticity == {}
