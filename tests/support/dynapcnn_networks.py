"""Random networks of convolutions, pools and dense layers that share populations, and a device with small cores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

import nopt.api as nopt
from nopt.api.conformance.networks import Drawing
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import nir

TICKS = 12
OPTIONS: dict[str, Any] = {"dt": "1ms", "like": "sinabs", "reset": "subtract"}


@frozen
class Case:
    """A network in continuous time, an input, and the names of the populations."""

    module: Any
    x: np.ndarray
    names: list[str]


def convolution(drawing: Drawing, name: str, x: Any, rng: np.random.Generator, filters: int) -> Any:
    weights = rng.normal(0.1, 0.4, (filters, x.type.get_shape()[0], 3, 3))
    settings: dict[str, Any] = {"stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "groups": 1}
    return drawing.add(nir.Conv2dOp, name, x, weight=weights, bias=rng.normal(0, 0.1, filters), **settings)


def draw(seed: int) -> Case:
    """Returns a convolution whose events reach one or two layers, a pool and a dense layer."""
    rng = np.random.default_rng(seed)
    channels, side = int(rng.integers(1, 3)), int(rng.choice([6, 8]))
    drawing = Drawing(channels, side, side)
    first = drawing.population(
        "if", "first", convolution(drawing, "conv1", drawing.x, rng, int(rng.integers(3, 9))), 1.0
    )
    names, z = ["first", "second"], first
    if rng.random() < 0.5:  # events of the first population reach two layers
        filters = first.type.get_shape()[0]
        side_path = drawing.population("if", "side", convolution(drawing, "conv_side", first, rng, filters), 1.0)
        z = drawing.sum(first, side_path)
        names.append("side")
    second = drawing.population("if", "second", convolution(drawing, "conv2", z, rng, int(rng.integers(3, 9))), 1.0)
    pool: dict[str, Any] = {"kernel_size": [2, 2], "stride": [2, 2], "padding": [0, 0]}
    pooled = drawing.add(nir.SumPool2dOp, "pool", second, **pool)
    flat = drawing.add(nir.FlattenOp, "flat", pooled, start_dim=0, end_dim=-1)
    units = int(rng.integers(2, 12))
    dense = drawing.linear("fc", flat, rng.normal(0.05, 0.3, (units, flat.type.get_shape()[0])))
    out = drawing.population("if", "last", dense, 1.0)
    x = rng.random((2, TICKS, channels, side, side)) < 0.3
    return Case(drawing.finish(out), x, [*names, "last"])


def compiled(case: Case, folder: Path, device: str | Path, *settings: str, **more: Any) -> dict[str, Any]:
    """Compiles a network and returns the report."""
    target: dict[str, Any] = {"device": device} if isinstance(device, Path) else {"target": device}
    made = nopt.compile(case.module, out=folder, set=settings, diagnostics=Diagnostics(), **target, **OPTIONS, **more)
    return made.report


def small_device(root: Path, path: Path, kernels: tuple[int, ...]) -> Path:
    """Writes Speck with other memories of kernels [bytes], those of the four kinds of cores in their order."""
    device = json.loads((root / "targets" / "dynapcnn" / "devices" / "speck2f.json").read_text(encoding="utf-8"))
    core = device["core"]
    for kind, size in zip(device["core_kinds"].values(), kernels, strict=True):
        kind["memory"]["kernel"]["bytes"]["value"] = size
    core["memory"]["kernel"]["bytes"]["value"] = max(kernels)
    core["memory_bytes"]["value"] = max(kernels) + core["memory"]["neuron"]["bytes"]["value"]
    path.write_text(json.dumps(device), encoding="utf-8")
    return path
