"""Layers on arrays: exact without imperfections in every encoding, and a seeded distribution with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nopt.api.modules import available_passes
from nopt.api.running.run import execute
from nopt.core.device.device import Device, override_fields
from nopt.core.device.named_device import name_device, resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir import pass_manager, pipeline
from nopt.core.ir.context import NoptContext
from nopt.core.ir.source import parse_module
from nopt.dialects import memxbar
from nopt.simulation.imperfections import Imperfections
from nopt.targets.memxbar.model import Model
from nopt.targets.memxbar.wires import transfer

QUIET = tuple(
    f"imperfections.{name}=0"
    for name in ("programming_noise", "read_noise", "drift", "variation", "stuck_low", "stuck_high", "wire_ohm")
)
IDEAL_CONVERTERS = ("features.adc_bits=0", "features.dac_bits=0")
LAYERS = 8
SAMPLES, TICKS = 3, 6


def array(values: Any, type: str) -> str:
    values = np.asarray(values)
    shape = "x".join(map(str, (*values.shape, type)))
    return f"#nopt.array<{values.tolist()} : tensor<{shape}>>"


def network(seed: int, device: Device, element: str) -> str:
    """Returns a network with a convolution with groups and strides, a sparse map with delays, and a dense map."""
    rng = np.random.default_rng([5, seed])
    largest = memxbar.Crossbar.of(device).largest
    groups, outputs, channels = (int(rng.integers(1, 3)) for _ in range(3))
    high, wide = (int(n) for n in rng.integers(1, 4, 2))
    stride, dilation = (rng.integers(1, 3, 2) for _ in range(2))
    padding = rng.integers(0, 2, (2, 2))
    size = rng.integers(6, 11, 2)
    result = (size + padding.sum(1) - dilation * (np.array([high, wide]) - 1) - 1) // stride + 1
    kernel = rng.integers(-largest, largest + 1, (groups * outputs, channels, high, wide))
    flat = int(groups * outputs * result.prod())
    synapses = 30
    pairs = np.unique(np.stack([rng.integers(0, flat, synapses), rng.integers(0, 5, synapses)]), axis=1)
    weights = rng.integers(-largest, largest + 1, pairs.shape[1])
    dense = rng.integers(-largest, largest + 1, (7, flat))
    bits = f"quantized = #ntensor.quantized<{max(2, int(largest).bit_length() + 1)}, #nopt.array<1.0 : tensor<f64>>>"
    x = f"tensor<{groups * channels}x{size[0]}x{size[1]}x{element}>"
    y = f"tensor<{groups * outputs}x{result[0]}x{result[1]}xi32>"
    return f"""ntensor.network @net("x" %x: {x}) -> ("a": tensor<5xi64>, "b": tensor<7xi64>) attributes {{tick_ns = 1000000 : i64}} {{
  %c = ntensor.conv2d "c" %x {{weight = {array(kernel, "i32")}, bias = {array(rng.integers(-9, 9, groups * outputs), "i32")}, stride = {array(stride, "i64")}, padding = {array(padding, "i64")}, dilation = {array(dilation, "i64")}, groups = {groups} : i64, {bits}}} : {x} -> {y}
  %f = ntensor.reshape "f" %c : {y} -> tensor<{flat}xi32>
  %a = ntensor.sparse_linear "s" %f {{weight = {array(weights, "i32")}, source = {array(pairs[0], "i32")}, target = {array(pairs[1], "i32")}, delay = {array(rng.integers(0, 4, len(weights)), "i32")}, {bits}}} : tensor<{flat}xi32> -> tensor<5xi64>
  %b = ntensor.linear "d" %f {{weight = {array(dense, "i32")}, exponent = {array(rng.integers(-3, 2), "i32")}, {bits}}} : tensor<{flat}xi32> -> tensor<7xi64>
  ntensor.output %a, %b : tensor<5xi64>, tensor<7xi64>
}}"""


def lowered(text: str, device: Device, data: Path | None = None) -> tuple[ModuleOp, ModuleOp]:
    """Returns a network in ticks, and its tiles, calibrated with data or for the worst case."""
    context = NoptContext(diagnostics=Diagnostics())
    module = parse_module(context, text, "net.mlir")
    for op in module.ops:
        name_device(op, device)
    chip = module.clone()
    options = "" if data is None else f'{{data="{data}"}}'
    steps = f"convert-ntensor-to-memxbar,memxbar-choose-positions,memxbar-allocate-tiles,memxbar-calibrate-converters{options}"
    pass_manager.run_passes(pipeline.parse_pipeline(steps, available_passes()), context, chip)
    return module, chip


def results(module: ModuleOp, chip: ModuleOp | None, device: Device, x: Any, drawn: Imperfections | None = None) -> Any:
    """Returns both outputs, of the chip or of the reference. Shapes: [samples, ticks, outputs]."""

    def model(network: Any, record: Any = ()) -> Model:
        assert chip is not None
        return Model(chip, network, device=device, record=record, imperfections=drawn)

    made = None if chip is None else model
    found = execute(module, x, chip=made, engine="numpy" if chip is None else "auto", diagnostics=Diagnostics()).arrays
    return np.concatenate([found["a"], found["b"]], axis=-1)


def inputs(module: ModuleOp, seed: int, *, is_binary: bool) -> Any:
    network: Any = next(iter(module.ops))
    rng, shape = np.random.default_rng([6, seed]), network.body.block.args[0].type.get_shape()
    if is_binary:
        return rng.random((SAMPLES, TICKS, *shape)) < 0.3
    return rng.integers(-8, 8, (SAMPLES, TICKS, *shape))


@pytest.mark.parametrize("name", ["array128", "offset128", "sliced128", "mnsim", "crosssim"])
@pytest.mark.parametrize("seed", range(LAYERS))
def test_arrays_without_imperfections_compute_the_integers_of_the_network(name: str, seed: int) -> None:
    small = () if seed % 2 else ("core.input_axons=24", "core.neurons=40")  # several tiles in both directions
    device = resolve_device(f"memxbar/{name}", small)
    module, chip = lowered(network(seed, device, "i1" if seed % 3 else "i4"), device)
    x = inputs(module, seed, is_binary=bool(seed % 3))
    wanted = results(module, None, device, x)
    assert np.array_equal(results(module, chip, device, x), wanted)
    assert len(np.unique(wanted)) > 10
    quiet = resolve_device(f"memxbar/{name}", (*small, *QUIET, *IDEAL_CONVERTERS))
    assert np.array_equal(results(module, chip, quiet, x, Imperfections(0, 0)), wanted)


def test_inputs_of_single_bits_are_exact() -> None:
    """Converters of one bit send signed inputs bit by bit; ideal converters of results lose nothing."""
    device = resolve_device("memxbar/array128", (*QUIET, "features.dac_bits=1", "features.adc_bits=0"))
    module, chip = lowered(network(1, device, "i4"), device)
    x = inputs(module, 1, is_binary=False)
    assert np.array_equal(results(module, chip, device, x, Imperfections(0, 0)), results(module, None, device, x))


@pytest.fixture
def spiking(tmp_path: Path) -> tuple[ModuleOp, ModuleOp, Any, Any]:
    """Returns a network of spikes, its tiles, inputs, and the results of the network."""
    device = resolve_device("memxbar/array128")
    text, data = network(2, device, "i1"), tmp_path / "x.npy"
    x = inputs(lowered(text, device)[0], 2, is_binary=True)
    np.save(data, x)
    module, chip = lowered(text, device, data)
    return module, chip, x, results(module, None, device, x)


def error(
    spiking: tuple[ModuleOp, ModuleOp, Any, Any], *settings: str, age: float | None = None, chip: int = 0
) -> float:
    """Returns the mean error of a manufactured chip."""
    module, tiles, x, wanted = spiking
    device = override_fields(resolve_device("memxbar/array128", (*IDEAL_CONVERTERS, *QUIET)), settings)
    return float(np.abs(results(module, tiles, device, x, Imperfections(3, chip, age)) - wanted).mean())


def test_each_imperfection_has_an_effect(spiking: tuple[ModuleOp, ModuleOp, Any, Any]) -> None:
    assert error(spiking) == 0
    for name, value in (
        ("programming_noise", 1),
        ("variation", 0.1),
        ("stuck_low", 0.2),
        ("stuck_high", 0.05),
        ("wire_ohm", 20),
    ):
        small, large = (error(spiking, f"imperfections.{name}={value * factor}") for factor in (0.1, 1))
        assert large > 0, name
        assert small < large, name
    assert error(spiking, "imperfections.read_noise=1", age=3600.0) > 0
    assert error(spiking, "features.adc_bits=4") > error(spiking, "features.adc_bits=8") > 0
    assert error(spiking, "imperfections.output_noise=0.1") > 0


def test_compensation_corrects_the_drift(spiking: tuple[ModuleOp, ModuleOp, Any, Any]) -> None:
    ages = [3600.0, 86400.0, 365 * 86400.0]
    raw, corrected = (
        [error(spiking, "imperfections.drift=1", f"preferences.drift_compensation={value}", age=age) for age in ages]
        for value in ("false", "true")
    )
    assert raw[0] < raw[1] < raw[2]
    assert all(b < a / 2 for a, b in zip(raw, corrected, strict=True))


def test_a_seed_draws_one_chip(spiking: tuple[ModuleOp, ModuleOp, Any, Any]) -> None:
    module, tiles, x, _ = spiking
    device = resolve_device("memxbar/array128")
    first, again, other = (results(module, tiles, device, x, Imperfections(0, k, 60.0)) for k in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    alone = np.concatenate(
        [results(module, tiles, device, x[k : k + 1], Imperfections(0, 0, 60.0)) for k in range(SAMPLES)]
    )
    assert np.array_equal(first, alone)


def test_wires_without_resistance_lose_nothing() -> None:
    conductance = np.random.default_rng(0).uniform(1e-6, 25e-6, (12, 9))
    assert np.array_equal(transfer(conductance, 0.0), conductance)
    assert np.allclose(transfer(conductance, 1e-6), conductance, rtol=1e-6)
