"""The numbers of a training are those of the build: a module that was trained, and its build, have the same outputs on a device of every target."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nopt.core import registry
from nopt.core.diagnostics import Diagnostics

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'nopt[torch]'")

from torch_modules import differing, import_file  # noqa: E402

import nopt  # noqa: E402

NETWORK = """nir.graph @net("input" %x: tensor<8xf32>) -> ("output": tensor<3xi1>) {
  %a = nir.linear "hidden" %x {weight = #nopt.array<normal(mean=0.12, std=0.4, seed=1) : tensor<12x8xf32>>} : tensor<8xf32> -> tensor<12xf32>
  %b = nir.lif "lif" %a {tau = #nopt.array<0.008 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<12xf32> -> tensor<12xi1>
  %c = nir.linear "fc" %b {weight = #nopt.array<normal(mean=0.12, std=0.6, seed=2) : tensor<3x12xf32>>} : tensor<12xi1> -> tensor<3xf32>
  %d = nir.lif "out" %c {tau = #nopt.array<0.008 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<3xf32> -> tensor<3xi1>
  nir.output %d : tensor<3xi1>
}"""
OTHERS = ("akida/twelve_nodes_v2", "c/int8", "memxbar/array128")
"""Devices with other numbers than the first of their target."""
DEVICES = [
    f"{slug}/{registry.default_device(slug) or next(iter(registry.devices()[slug]))}"
    for slug, target in registry.usable_targets().items()
    if target.artefact is not None and target.model is not None
]
EPOCHS = 3


def samples(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns spikes of eight neurons, of which those of the class spike more often."""
    random, labels = np.random.default_rng(seed), np.arange(count) % 3
    rates = np.where(np.arange(8) % 3 == labels[:, None], 0.7, 0.2)
    return (random.random((count, 16, 8)) < rates[:, None]).astype(np.float32), labels


def trained(net: object, x: np.ndarray, labels: np.ndarray) -> None:
    """Runs some steps of a training."""
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(EPOCHS):
        scores = net.run(torch.as_tensor(x))["output"].sum(1)
        torch.nn.functional.cross_entropy(scores.to(torch.float64), torch.as_tensor(labels)).backward()
        optimizer.step()
        optimizer.zero_grad()


@pytest.mark.parametrize("key", [*dict.fromkeys((*DEVICES, *OTHERS))])
def test_a_build_has_the_numbers_of_the_training(key: str, tmp_path: Path) -> None:
    (x, labels), (held, _), quiet = samples(24, 0), samples(12, 1), Diagnostics()
    options = {"target": key, "approximate": "all", "dt": "1ms", "like": "norse", "calib": x}
    nopt.export_torch(nopt.parse(NETWORK), out=tmp_path / "chip.py", diagnostics=quiet, **options)
    net = import_file(tmp_path / "chip.py").Net.load()
    before = {name: values.detach().clone() for name, values in net.quantize().items()}
    trained(net, x, labels)
    assert any((values != before[name]).any() for name, values in net.quantize().items())
    torch.save(net.state_dict(), tmp_path / "trained.pt")
    imported = nopt.import_weights(tmp_path / "chip.mlir", tmp_path / "trained.pt", diagnostics=quiet)
    assert imported.device == key
    nopt.write(imported.module, tmp_path / "trained.mlir")
    build = nopt.compile(tmp_path / "trained.mlir", out=tmp_path / "build", calib=x, diagnostics=quiet)
    wanted = nopt.execute(build.folder, held, diagnostics=quiet).arrays
    found = net.eval().run(torch.as_tensor(held))
    assert not differing(wanted, {name: values.detach().numpy() for name, values in found.items()})
