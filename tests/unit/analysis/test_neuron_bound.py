"""The lower bound of the neurons of a legalised network, and the searches that it shortens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.axon_types import count_weights
from nopt.analysis.neuron_bound import exceeds_device, least_neurons, neuron_rooms
from nopt.api.compiling.request import device_of
from nopt.api.modules import only_network
from nopt.api.permissions import permitted_fit
from nopt.core.approximations import APPROXIMATIONS
from nopt.core.diagnostics import Diagnostics

INPUTS, HIDDEN, UNREAD, CLASSES = 4, 40, 7, 3


def network_in_ticks(tmp_path: Path) -> ModuleOp:
    """Returns a network of a hidden population, a population that no output depends on, and a readout of values."""
    given = np.random.default_rng(4)

    def lif(size: int) -> str:
        same = "#nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>"
        return f"tau = #nopt.array<0.02 : tensor<f32>>, r = {same}, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>"

    def weights(rows: int, columns: int) -> str:
        rounded = given.integers(-4, 5, (rows, columns)) / 4
        return f"#nopt.array<{rounded.tolist()} : tensor<{rows}x{columns}xf32>>"

    def linear(name: str, x: str, source: str, rows: int, columns: int) -> str:
        return f'%{name} = nir.linear "{name}" %{x} {{weight = {weights(rows, columns)}}} : tensor<{columns}x{source}> -> tensor<{rows}xf32>'

    text = f"""nir.graph @net("input" %x: tensor<{INPUTS}xf32>) -> ("output": tensor<{CLASSES}xf32>) {{
  {linear("fc1", "x", "f32", HIDDEN, INPUTS)}
  %lif1 = nir.lif "lif1" %fc1 {{{lif(HIDDEN)}}} : tensor<{HIDDEN}xf32> -> tensor<{HIDDEN}xi1>
  {linear("fc3", "lif1", "i1", UNREAD, HIDDEN)}
  %lif3 = nir.lif "lif3" %fc3 {{{lif(UNREAD)}}} : tensor<{UNREAD}xf32> -> tensor<{UNREAD}xi1>
  {linear("fc2", "lif1", "i1", CLASSES, HIDDEN)}
  %li = nir.li "li" %fc2 {{tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>}} : tensor<{CLASSES}xf32> -> tensor<{CLASSES}xf32>
  nir.output %li : tensor<{CLASSES}xf32>
}}
"""
    (tmp_path / "net.mlir").write_text(text)
    steps = "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
    return nopt.apply(nopt.read(tmp_path / "net.mlir"), steps, diagnostics=Diagnostics())


def test_readouts_and_dead_populations_are_not_counted(tmp_path: Path) -> None:
    assert least_neurons(only_network(network_in_ticks(tmp_path))) == HIDDEN


@pytest.mark.parametrize(("cores", "exceeds"), [(HIDDEN // 8, False), (HIDDEN // 8 - 1, True)])
def test_a_device_is_exceeded_by_more_neurons_than_its_cores_hold(cores: int, exceeds: bool, tmp_path: Path) -> None:
    device = device_of(
        "asic/edge",
        None,
        ["core.neurons=8", "topology.mesh.width=1", f"topology.mesh.height={cores}", f"topology.cores={cores}"],
    )
    rooms = neuron_rooms(device)
    assert rooms is not None
    assert rooms.neurons == 8 * cores
    assert exceeds_device(only_network(network_in_ticks(tmp_path)), device) is exceeds


@pytest.mark.parametrize("target", ["dynapse/se2", "truenorth/ranc", "asic/edge", "xylo/audio3"])
def test_a_shorter_search_has_the_same_findings(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, fields = network_in_ticks(tmp_path), ["core.neurons=2"]
    results = list[nopt.Check]()
    for is_shorter in (True, False):
        if not is_shorter:
            monkeypatch.setattr(permitted_fit, "exceeds_device", lambda network, device: False)
        for names in ((), tuple(APPROXIMATIONS)):
            results.append(nopt.check(module, target=target, set=fields, approximate=names))
    for shorter, longer in zip(results[:2], results[2:], strict=True):
        assert [str(one) for one in shorter.findings] == [str(one) for one in longer.findings]
        assert shorter.ranking == longer.ranking


def test_different_weights_of_neurons_are_counted() -> None:
    drawn = np.random.default_rng(8).integers(-2, 3, (50, 9))
    drawn[7] = 0
    assert count_weights(drawn).tolist() == [len({*row} - {0}) for row in drawn.tolist()]
    assert count_weights(np.zeros((3, 0), np.int64)).tolist() == [0, 0, 0]
