"""Windows of layers: kernels that are not square, pools that no destination has, positions as features, and convolutions of several maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_models import run_equal
from dynapcnn_networks import Case, compiled
from extent import times

from nopt.api.conformance.networks import Drawing
from nopt.dialects import nir

TICKS = 12


def convolution(drawing: Drawing, name: str, x: Any, rng: np.random.Generator, filters: int, **how: Any) -> Any:
    taps = how.pop("taps")
    weights = rng.normal(0.1, 0.4, (filters, x.type.get_shape()[0], *taps))
    settings: dict[str, Any] = {"stride": [1, 1], "padding": [0, 0], "dilation": [1, 1], "groups": 1}
    return drawing.add(nir.Conv2dOp, name, x, weight=weights, bias=rng.normal(0, 0.1, filters), **{**settings, **how})


def pool(drawing: Drawing, name: str, x: Any, size: int) -> Any:
    return drawing.add(nir.SumPool2dOp, name, x, kernel_size=[size, size], stride=[size, size], padding=[0, 0])


def draw(seed: int) -> Case:
    """Returns a convolution with any kernel, a pool of 1 to 5, another convolution, and a dense layer."""
    rng = np.random.default_rng(seed)
    height, width = (int(n) for n in rng.integers(9, 14, 2))
    drawing, taps = Drawing(2, height, width), [int(n) for n in rng.choice([1, 3], 2)]
    first = convolution(drawing, "c1", drawing.x, rng, 3, taps=taps, padding=[int(n) for n in rng.integers(0, 2, 2)])
    z = drawing.population("if", "n1", first, 1.0)
    pooled = pool(drawing, "p", z, int(rng.integers(1, 5)))
    taps = [int(min(n, m)) for n, m in zip(rng.choice([1, 3], 2), pooled.type.get_shape()[1:], strict=True)]
    pads = [int(rng.integers(0, 2)) if n > 1 else 0 for n in taps]
    second = convolution(drawing, "c2", pooled, rng, 2, taps=taps, padding=pads)
    z = drawing.population("if", "n2", second, 1.0)
    flat = drawing.add(nir.FlattenOp, "flat", z, start_dim=0, end_dim=-1)
    dense = drawing.linear("fc", flat, rng.normal(0.05, 0.3, (4, flat.type.get_shape()[0])))
    out = drawing.population("if", "n3", dense, 1.0)
    return Case(drawing.finish(out), rng.random((2, TICKS, 2, height, width)) < 0.2, ["n1", "n2", "n3"])


def joined(seed: int) -> Case:
    """Returns a population that adds two convolutions, of the input and of another population, with different kernels."""
    rng = np.random.default_rng(seed)
    drawing = Drawing(2, 6, 8)
    sizes = [int(2 * n + 1) for n in rng.integers(0, 3, 3)]

    def same(name: str, x: Any, size: int, filters: int) -> Any:
        return convolution(drawing, name, x, rng, filters, taps=[size, size], padding=[size // 2, size // 2])

    z = drawing.population("if", "n1", same("c1", drawing.x, sizes[0], 3), 1.0)
    added = drawing.sum(same("c2", z, sizes[1], 4), same("skip", drawing.x, sizes[2], 4))
    out = drawing.population("if", "n2", added, 1.0)
    return Case(drawing.finish(out), rng.random((2, TICKS, 2, 6, 8)) < 0.2, ["n1", "n2"])


@pytest.mark.parametrize("seed", range(times(10)))
@pytest.mark.parametrize("draws", [draw, joined], ids=["pools", "joined"])
def test_a_window_changes_no_result(draws: Any, seed: int, tmp_path: Path) -> None:
    case = draws(seed)
    compiled(case, tmp_path / "build", "dynapcnn/speck2f")
    found = run_equal(tmp_path / "build", case.x, [*case.names, *(f"{name}.v" for name in case.names)])
    assert any(found[name].any() for name in case.names)
