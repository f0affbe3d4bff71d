"""Exported modules of PyTorch compute the numbers of the reference: random networks of integers and of reals, in every entry, and gradients."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from integer_networks import integer_network
from places import ROOT
from real_networks import real_network

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'nopt[torch]'")

from torch_modules import difference, import_file  # noqa: E402

import nopt.api as nopt  # noqa: E402
from nopt.core.diagnostics import Diagnostics  # noqa: E402

SEEDS = range(10)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_network_of_integers_has_the_same_integers(seed: int, tmp_path: Path) -> None:
    case = integer_network(seed, ticks=64)
    assert not difference(case.network, case.inputs, case.record, tmp_path)


@pytest.mark.parametrize("seed", [2 * seed for seed in SEEDS])
def test_a_network_of_reals_has_the_same_reals(seed: int, tmp_path: Path) -> None:
    case = real_network(seed, ticks=64)
    assert not difference(case.network, case.inputs, case.record, tmp_path)


@pytest.mark.parametrize("seed", [1, 3])
def test_reals_of_32_bits_differ_by_their_rounding(seed: int, tmp_path: Path) -> None:
    case = real_network(seed, ticks=2)  # a longer run amplifies the last bit
    assert not difference(case.network, case.inputs, case.record, tmp_path)


SPIKING = ", v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>}"
LAYERS = """
nir.graph @net("input" %x: tensor<6xf32>) -> ("output": tensor<3xi1>) {{
  %a = nir.affine "{0}" %x {{weight = #nopt.array<{w0} : tensor<5x6xf32>>, bias = #nopt.array<[0.1, 0.0, -0.1, 0.2, 0.0] : tensor<5xf32>>}} : tensor<6xf32> -> tensor<5xf32>
  %b = nir.lif "{1}" %a {{tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>}} : tensor<5xf32> -> tensor<5xi1>
  %c = nir.linear "{2}" %b {{weight = #nopt.array<{w1} : tensor<3x5xf32>>}} : tensor<5xi1> -> tensor<3xf32>
  %d = nir.lif "{3}" %c {{tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>}} : tensor<3xf32> -> tensor<3xi1>
  nir.output %d : tensor<3xi1>
}}
"""


def layers(*names: str) -> str:
    rng = np.random.default_rng(0)
    w0, w1 = (rng.normal(1.0, 1.0, shape).round(3).tolist() for shape in ((5, 6), (3, 5)))
    return LAYERS.format(*names, w0=w0, w1=w1)


def export(text: str, file: Path, **options: Any) -> nopt.Exported:
    given: dict[str, Any] = {"target": "loihi2/oheo_gulch", "dt": "1ms", "like": "norse"} | options
    return nopt.export_torch(nopt.parse(text), out=file, diagnostics=Diagnostics(), **given)


def gradients(file: Path) -> list[np.ndarray]:
    """Returns the gradients of the number of spikes, in the order of the layers."""
    net = import_file(file).Net.load()
    x = torch.tensor(np.random.default_rng(1).random((4, 32, 6)) < 0.4)
    sum(values.sum() for values in net.run(x).values()).backward()
    return [parameter.grad.numpy() for parameter in net.parameters()]


def test_gradients_are_finite_and_do_not_depend_on_names(tmp_path: Path) -> None:
    found = []
    for k, names in enumerate((("fc1", "lif1", "fc2", "lif2"), ("run", "z.lif", "0", "forward"))):
        export(layers(*names), tmp_path / f"chip{k}.py")
        found.append(gradients(tmp_path / f"chip{k}.py"))
    assert len(found[0]) == 3
    for one, other in zip(*found, strict=True):
        assert np.isfinite(one).all()
        assert one.any()
        np.testing.assert_array_equal(one, other)


def test_parameters_have_the_names_and_values_of_the_network(tmp_path: Path) -> None:
    made = export(layers("fc1", "lif1", "fc2", "lif2"), tmp_path / "chip.py")
    assert made.parameters == {"fc1": {"weight": [5, 6], "bias": [5]}, "fc2": {"weight": [3, 5]}}
    state = import_file(tmp_path / "chip.py").Net.load().state_dict()
    rng = np.random.default_rng(0)
    for name, shape in (("fc1.weight", (5, 6)), ("fc2.weight", (3, 5))):
        np.testing.assert_allclose(state[name].numpy(), rng.normal(1.0, 1.0, shape).round(3), 1e-6)


def test_a_changed_weight_is_quantized_as_the_compiler_does(tmp_path: Path) -> None:
    """The largest weight, and so the scale, is unchanged: the module then equals the network that is compiled from the changed weights."""
    text = layers("fc1", "lif1", "fc2", "lif2")
    export(text, tmp_path / "first.py")
    changed = text.replace("1.126", "-0.726", 1)
    assert changed != text
    export(changed, tmp_path / "second.py")
    first, second = (import_file(tmp_path / name).Net.load() for name in ("first.py", "second.py"))
    first.load_state_dict(second.state_dict())
    x = torch.tensor(np.random.default_rng(1).random((4, 32, 6)) < 0.4)
    for name, values in second.run(x).items():
        assert values.any()
        np.testing.assert_array_equal(first.run(x)[name].detach().numpy(), values.detach().numpy())


def test_thresholds_are_parameters_on_request(tmp_path: Path) -> None:
    """A threshold of the network that is twice as large doubles that of the chip, and the module has the spikes of before at first."""
    text = layers("fc1", "lif1", "fc2", "lif2")
    export(text, tmp_path / "plain.py")
    made = export(text, tmp_path / "chip.py", thresholds=True)
    assert made.parameters["lif1"] == {"v_threshold": []}
    plain, net = (import_file(tmp_path / name).Net.load() for name in ("plain.py", "chip.py"))
    x = torch.tensor(np.random.default_rng(1).random((4, 32, 6)) < 0.4)
    found = net.run(x)["output"]
    np.testing.assert_array_equal(found.detach().numpy(), plain.run(x)["output"].detach().numpy())
    found.sum().backward()
    threshold = dict(net.named_parameters())["lif1.v_threshold"]
    assert torch.isfinite(threshold.grad)
    assert threshold.grad < 0  # a higher threshold has fewer spikes
    before = {key: values for key, values in net.quantize().items() if key.startswith("lif1.")}
    with torch.no_grad():
        threshold *= 2
    ((key, values),) = before.items()
    np.testing.assert_array_equal(net.quantize()[key].detach().numpy(), 2 * values.detach().numpy())


@pytest.mark.parametrize("target", ["c", "spinnaker2"])
def test_a_threshold_of_the_chip_with_the_name_of_its_parameter_does_not_replace_it(
    target: str, tmp_path: Path
) -> None:
    text = layers("fc1", "lif1", "fc2", "lif2")
    export(text, tmp_path / "plain.py", target=target)
    export(text, tmp_path / "chip.py", target=target, thresholds=True)
    plain, net = (import_file(tmp_path / name).Net.load() for name in ("plain.py", "chip.py"))
    assert "lif1.v_threshold" in net.quantize()
    assert net.state_dict()["lif1.v_threshold"].shape == ()
    assert net.state_dict()["lif1.v_threshold"] == 1
    x = torch.tensor(np.random.default_rng(1).random((4, 32, 6)) < 0.4)
    found = net.run(x)["output"].detach().numpy()
    assert found.any()
    np.testing.assert_array_equal(found, plain.run(x)["output"].detach().numpy())


def test_the_gradient_of_a_smooth_part_agrees_with_finite_differences(tmp_path: Path) -> None:
    head = layers("fc1", "li", "fc2", "lif2").partition("  %c = ")[0]
    text = head.replace("nir.lif", "nir.li").replace("-> tensor<5xi1>", "-> tensor<5xf32>").replace(SPIKING, "}")
    text = text.replace('"output": tensor<3xi1>', '"output": tensor<5xf32>') + "  nir.output %b : tensor<5xf32>\n}"
    export(text, tmp_path / "chip.py", target="c", precision="f64")
    one = import_file(tmp_path / "chip.py").Net.load()
    x = torch.tensor(np.random.default_rng(2).random((2, 6, 6)))
    key = "fc1.weight"

    def loss() -> torch.Tensor:
        return sum((values**2).sum() for values in one.run(x).values())

    loss().backward()
    parameter = dict(one.named_parameters())[key]
    step = 1e-6
    for at in ((0, 0), (2, 3), (4, 5)):
        ends = []
        for sign in (1, -1):
            with torch.no_grad():
                parameter[at] += sign * step
                ends.append(float(loss()))
                parameter[at] -= sign * step
        np.testing.assert_allclose(parameter.grad[at], (ends[0] - ends[1]) / (2 * step), 1e-5)


def test_the_loop_of_the_page_trains(tmp_path: Path) -> None:
    """Runs the Python of docs/train.md with an exported network of the same shapes."""
    page = (ROOT / "docs" / "train.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```py\n([^`]*from chip import Net.*?)```", page, re.DOTALL)
    rng = np.random.default_rng(0)
    np.save(tmp_path / "digits.npy", rng.random((8, 16, 64)) < 0.2)
    np.save(tmp_path / "classes.npy", rng.integers(0, 10, 8))
    given: dict[str, Any] = {"target": "c/int4", "dt": "1ms", "like": "norse", "calib": tmp_path / "digits.npy"}
    file = tmp_path / "chip.py"
    nopt.export_torch(ROOT / "examples" / "digits" / "fc.nir", out=file, diagnostics=Diagnostics(), **given)
    before = import_file(file).Net.load().state_dict()
    (tmp_path / "loop.py").write_text(program)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "loop.py"], cwd=tmp_path, env=environment, check=True, timeout=120)
    after = torch.load(tmp_path / "trained.pt", weights_only=True)
    assert before.keys() == after.keys()
    reals = [name for name in before if name.endswith("weight") and not name.startswith("on_chip:")]
    assert len(reals) == 2
    assert all(not torch.equal(before[name], after[name]) for name in reals)  # two small steps can keep all 4 bits


def test_arrays_of_another_export_are_refused(tmp_path: Path) -> None:
    """An export that is ended between its two files leaves the arrays of the one before."""
    text = layers("fc1", "lif1", "fc2", "lif2")
    export(text, tmp_path / "chip.py")
    import_file(tmp_path / "chip.py").Net()
    before = (tmp_path / "chip.npz").read_bytes()
    export(text.replace("nopt.array<0.02", "nopt.array<0.03"), tmp_path / "chip.py")
    (tmp_path / "chip.npz").write_bytes(before)
    with pytest.raises(ValueError, match=r"chip.npz was not written with chip.py: export the network again"):
        import_file(tmp_path / "chip.py").Net()
