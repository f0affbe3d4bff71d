"""Random stacks of convolutions and dense layers, compiled for Speck and handed over to sinabs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field
from places import TESTS

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing
from nopt.api.running.run import execute
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects import nir
from nopt.dialects.dynapcnn import ConfigurationOp
from nopt.targets.dynapcnn.loader import load
from nopt.targets.dynapcnn.model import Model

TOOL = TESTS / "oracle" / "tools" / "sinabs_layers.py"
TICKS = 20
MEMORY_CODES = ("DYN010", "DYN011")


@define
class Stack:
    """A stack of layers."""

    shape: tuple[int, int, int]
    layers: list[dict[str, Any]] = field(factory=list[dict[str, Any]])
    arrays: dict[str, Any] = field(factory=dict[str, Any])
    reset: str = "subtract"
    """`subtract`, or `value` for a reset to zero."""

    @property
    def has_counts(self) -> bool:
        """Returns whether several events of an input arrive in a tick."""
        return bool(self.arrays["frames"].max(initial=0) > 1)

    def module(self) -> Any:
        """Returns the network in continuous time."""
        drawing = Drawing(*self.shape)
        z: Any = drawing.x
        made: list[Any] = []
        for k, one in enumerate(self.layers):
            read = [made[i] for i in one.get("from", ())]
            z = drawing.sum(*read) if len(read) > 1 else read[0] if read else z
            weights, bias = self.arrays[f"{k}.weights"], self.arrays.get(f"{k}.bias")
            if one["type"] == "conv2d":
                z = drawing.add(
                    nir.Conv2dOp,
                    f"conv{k}",
                    z,
                    weight=weights,
                    bias=np.full(len(weights), -0.0) if bias is None else bias,
                    stride=[one["stride"]] * 2,
                    padding=[one["padding"]] * 2,
                    dilation=[1, 1],
                    groups=1,
                )
            else:
                if len(z.type.get_shape()) > 1:
                    z = drawing.add(nir.FlattenOp, f"flat{k}", z, start_dim=0, end_dim=-1)
                z = drawing.linear(f"fc{k}", z, weights, **({} if bias is None else {"bias": bias}))
            z = drawing.population("if", f"if{k}", z, one["threshold"])
            if one["pool"]:
                kind: Any = nir.SumPool2dOp if one["pool"] == "sum" else nir.AvgPool2dOp
                size = [one["pool_size"]] * 2
                z = drawing.add(kind, f"pool{k}", z, kernel_size=size, stride=size, padding=[0, 0])
            made.append(z)
        return drawing.finish(z)


@define
class Case:
    """A stack that was compiled, or refused."""

    name: str
    stack: Stack
    build: Path | None
    refusal: str = ""

    @property
    def configuration(self) -> ConfigurationOp:
        assert self.build is not None
        files = {path.name: path.read_bytes() for path in (self.build / "artefact").iterdir()}
        return Model.chip_of(load(files, Diagnostics()))

    @property
    def emitted(self) -> dict[str, Any]:
        """Returns `cnn_layers` of the configuration file, by the number of the core."""
        assert self.build is not None
        return json.loads((self.build / "artefact" / "configuration.json").read_text(encoding="utf-8"))["cnn_layers"]

    def spikes(self) -> Any:
        """Returns the output of the model of the chip. Shapes: [ticks, neurons]."""
        assert self.build is not None
        found = execute(self.build, self.stack.arrays["frames"][None], diagnostics=Diagnostics()).arrays
        return found["output"][0].reshape(TICKS, -1)


def draw(seed: int) -> Stack:
    """Returns a random stack whose shapes all cores have; whether its memory suffices is open."""
    rng = np.random.default_rng(seed)
    side, channels = int(rng.integers(8, 65)), int(rng.integers(1, 4))
    stack = Stack((channels, side, side))
    for k in range(int(rng.integers(1, 5))):
        kernel = int(rng.integers(1, min(6, side + 1)))
        stride, padding = int(rng.choice([1, 1, 2])), int(rng.integers(0, 3))
        filters = int(rng.integers(1, 12) if rng.random() < 0.6 else rng.integers(16, 200))
        gain = 3.0 / np.sqrt(channels * kernel**2)
        weights = rng.normal(0.3 * gain, gain, (filters, channels, kernel, kernel)).astype(np.float32)
        add(stack, k, rng, "conv2d", weights, stride, padding)
        side, channels = (side + 2 * padding - kernel) // stride + 1, filters
        pools = [size for size in (2, 4) if side // size >= 2]
        if pools and rng.random() < 0.6:
            stack.layers[-1] |= {"pool": str(rng.choice(["sum", "average"])), "pool_size": int(rng.choice(pools))}
            side //= stack.layers[-1]["pool_size"]
        if side < 3:
            break
    if side <= 16:
        units, inputs = int(rng.integers(2, 30)), channels * side**2
        weights = rng.normal(0.02, 3 / np.sqrt(inputs), (units, inputs)).astype(np.float32)
        add(stack, len(stack.layers), rng, "dense", weights, 1, 0)
    else:
        stack.layers[-1] |= {"pool": "", "pool_size": 1}
    stack.arrays["frames"] = (rng.random((TICKS, *stack.shape)) < 0.2).astype(np.int64)
    stack.reset = str(rng.choice(["subtract", "subtract", "value"]))
    return stack


def draw_deep(seed: int) -> Stack:
    """Returns a stack of up to nine layers with small maps, each of which some core holds: the matching decides."""
    rng = np.random.default_rng(seed)
    side, channels = int(rng.integers(3, 7)), int(rng.integers(1, 4))
    stack = Stack((channels, side, side))
    for k in range(int(rng.integers(4, 10))):
        filters = int(rng.choice([16, 24, 32, 48, 64]))
        weights = rng.normal(0, 1.0 / np.sqrt(channels), (filters, channels, 3, 3)).astype(np.float32)
        add(stack, k, rng, "conv2d", weights, 1, 1)
        channels = filters
    stack.arrays["frames"] = (rng.random((TICKS, *stack.shape)) < 0.2).astype(np.int64)
    return stack


def draw_branched(seed: int) -> Stack:
    """Returns a network whose first layer sends to two others, one of which reads both; half of the rows have one strong weight.

    No two layers have the same numbers of channels and filters, so that a test can find the layer of a configuration.
    """
    rng = np.random.default_rng([44, seed])
    side, channels = int(rng.integers(5, 17)), int(rng.integers(1, 3))
    stack, filters, last = Stack((channels, side, side)), int(rng.integers(3, 9)), int(rng.integers(9, 15))
    for k, (made, read) in enumerate([(filters, channels), (filters, filters), (last, filters)]):
        kernel = int(rng.choice([1, 3, 5]))
        gain = 1.5 / np.sqrt(read * kernel**2)
        weights = rng.normal(0.3 * gain, gain, (made, read, kernel, kernel)).astype(np.float32)
        weights[::2, 0, 0, 0] *= 20
        add(stack, k, rng, "conv2d", weights, 1, kernel // 2)
    stack.layers[2]["from"] = [0, 1]
    if rng.random() < 0.7:
        stack.layers[2] |= {"pool": str(rng.choice(["sum", "average"])), "pool_size": 2}
        side //= 2
    weights = rng.normal(0.02, 3 / np.sqrt(last * side**2), (int(rng.integers(2, 30)), last * side**2))
    add(stack, 3, rng, "dense", weights.astype(np.float32), 1, 0)
    counts = rng.integers(0, 4, (TICKS, *stack.shape)) if seed % 2 else 1
    stack.arrays["frames"] = ((rng.random((TICKS, *stack.shape)) < 0.2) * counts).astype(np.int64)
    stack.reset = str(rng.choice(["subtract", "value"]))
    return stack


def add(stack: Stack, k: int, rng: np.random.Generator, kind: str, weights: Any, stride: int, padding: int) -> None:
    """Adds a layer without a pool."""
    stack.arrays[f"{k}.weights"] = weights
    if rng.random() < 0.5:
        stack.arrays[f"{k}.bias"] = rng.normal(0, 0.1, len(weights)).astype(np.float32)
    threshold = float(
        np.float32(rng.uniform(200, 400) if rng.random() < 0.05 else rng.choice([1.0, rng.uniform(0.5, 2)]))
    )
    stack.layers.append(
        {"type": kind, "stride": stride, "padding": padding, "threshold": threshold, "pool": "", "pool_size": 1}
    )


def random_cases(count: int, folder: Path, device: str) -> Iterator[Case]:
    """Yields compiled or refused stacks, one of three a deep one."""
    for seed in range(count):
        yield compiled(str(seed), (draw_deep if seed % 3 == 2 else draw)(seed), folder, device)


def branched_cases(count: int, folder: Path, device: str) -> Iterator[Case]:
    """Yields compiled or refused networks with branches."""
    for seed in range(count):
        yield compiled(str(seed), draw_branched(seed), folder, device)


def compiled(name: str, stack: Stack, folder: Path, device: str) -> Case:
    build = folder / f"build{name}"
    try:
        options: dict[str, Any] = {"dt": "1ms", "like": "sinabs", "reset": stack.reset, "precision": "f32"}
        options["set"] = ["features.feature_shift=false"]  # sinabs splits no layer
        if stack.has_counts:
            options["passes"] = "ntensor-quantize-inputs{kind=count bits=2}"
        nopt.compile(stack.module(), out=build, target=device, diagnostics=Diagnostics(), **options)
    except Refused as refusal:
        return Case(name, stack, None, str(refusal.findings[-1].code))
    return Case(name, stack, build)


def run_tool(python: Path, cases: list[Case], folder: Path, device: str) -> dict[str, Any]:
    """Returns the answers of sinabs."""
    given = folder / "given"
    given.mkdir()
    for case in cases:
        net = json.dumps({"device": device, "reset": case.stack.reset, "layers": case.stack.layers})
        np.savez_compressed(given / f"{case.name}.npz", net=net, **case.stack.arrays)
    out = folder / "out.npz"
    done = subprocess.run([python, TOOL, given, out], capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(out) as found:
        return {name: found[name] for name in found.files}
