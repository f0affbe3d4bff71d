"""Guarantees of `classes` of `ntensor-quantize-weights`: never more scales, the least cost of all cuts, and own scales where they suffice."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from extent import seeds, times
from numpy.typing import NDArray
from weighted import Maker, applied, network, records, weighted, weights
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.passes.quantize.weights._weight_groups import is_weighted, together
from nopt.passes.quantize.weights.scales._scale_classes import classes_of

Reals = NDArray[np.float64]
SEEDS = seeds(3)
PERS = ["neuron", "row", "column"]


def quantized(module: ModuleOp, **options: object) -> ModuleOp:
    text = " ".join(f"{name}={value}" for name, value in options.items())
    return applied(module, f"ntensor-quantize-weights{{{text}}}")[0]


def scales_of_groups(module: ModuleOp, per: str) -> list[set[float]]:
    """Returns the different scales of each population, or of each op."""
    ops = [op for op in network(module).body.block.ops if is_weighted(op)]
    groups = [[lines.op for lines in group.lines] for group in together(network(module), ops, "neuron")]
    sets = groups if per == "neuron" else [[op] for group in groups for op in group]
    return [{float(s) for op in found for s in op.quantized_weights.scale.values.ravel()} for found in sets]  # type: ignore[union-attr]


def cost(scales: Reals, counts: Reals, is_mean: bool) -> float:
    """Returns the cost of one class."""
    made = float((counts * scales).sum() / counts.sum()) if is_mean else float(scales.max())
    return float((counts * (scales - made) ** 2).sum()) if is_mean else float((counts * made**2).sum())


def least_cost(scales: Reals, counts: Reals, most: int, is_mean: bool) -> float:
    """Returns the least cost of all cuts of the sorted rows."""
    order = np.argsort(scales)
    scales, counts = scales[order], counts[order]
    rows = len(scales)
    every = (cuts for n in range(min(most, rows)) for cuts in combinations(range(1, rows), n))
    return min(
        sum(cost(scales[a:b], counts[a:b], is_mean) for a, b in zip((0, *cuts), (*cuts, rows), strict=True))
        for cuts in every
    )


@pytest.mark.parametrize("is_mean", [False, True], ids=["cover", "mean"])
def test_classes_are_the_best_of_all_cuts(is_mean: bool) -> None:
    rng = np.random.default_rng(5)
    for case in range(times(400)):
        rows, most = int(rng.integers(1, 9)), int(rng.integers(1, 4))
        scales = 10 ** rng.uniform(-3, 3, rows) if case % 2 else rng.integers(1, 5, rows).astype(np.float64)
        counts = rng.integers(1, 40, rows).astype(np.float64)
        label = classes_of(scales, counts, most, is_mean)
        assert len(np.unique(label)) <= most
        assert (np.diff(label[np.argsort(scales, kind="stable")]) >= 0).all()
        assert all(len(np.unique(label[scales == scale])) == 1 for scale in scales)
        found = sum(cost(scales[label == k], counts[label == k], is_mean) for k in np.unique(label))
        assert found == pytest.approx(least_cost(scales, counts, most, is_mean), rel=1e-9, abs=1e-9 * scales.max() ** 2)


@pytest.mark.parametrize("scale", ["float", "power-of-two"])
@pytest.mark.parametrize("per", PERS)
def test_never_more_scales(per: str, scale: str) -> None:
    for seed, bits, classes in product(SEEDS, (1, 4, 8), (1, 2, 3)):
        for options in ({}, {"clip": 90}, {"fit": "error"}) if bits > 1 else ({},):
            after = quantized(Maker(seed).module(), bits=bits, per=per, scale=scale, classes=classes, **options)
            found = scales_of_groups(after, per)
            assert max(map(len, found)) <= classes
            if scale == "power-of-two":
                assert all(float(np.frexp(s)[0]) == 0.5 for some in found for s in some)
            assert all(f"at most {classes} " in record.what.data for record in records(after))


@pytest.mark.parametrize("scale", ["float", "power-of-two"])
@pytest.mark.parametrize("per", PERS)
def test_as_many_classes_as_rows_change_nothing(per: str, scale: str) -> None:
    for seed, bits in product(SEEDS, (1, 2, 8)):
        before = Maker(seed).module()
        own = quantized(before, bits=bits, per=per, scale=scale)
        most = max(map(len, scales_of_groups(own, per)))
        new, old = (weighted(quantized(before, bits=bits, per=per, scale=scale, classes=most)), weighted(own))
        assert all(new[name].properties == old[name].properties for name in old)


def test_a_second_time_changes_nothing() -> None:
    for seed in SEEDS:
        once = quantized(Maker(seed).module(), bits=4, per="neuron", classes=2)
        twice = quantized(once, bits=4, per="neuron", classes=2)
        assert all(twice_op.properties == weighted(once)[name].properties for name, twice_op in weighted(twice).items())
        assert len(records(twice)) == len(records(once))


def layer(weight: NDArray[np.float32]) -> ModuleOp:
    rows, columns = weight.shape
    module = nopt.parse(f"""
ntensor.network @net("input" %x: tensor<{columns}xi1>) -> ("output": tensor<{rows}xf64>) attributes {{tick_ns = 1000}} {{
  %y = ntensor.linear "fc" %x {{weight = #nopt.array<constant(value = 0.5) : tensor<{rows}x{columns}xf32>>}} : tensor<{columns}xi1> -> tensor<{rows}xf64>
  ntensor.output %y : tensor<{rows}xf64>
}}""")
    weighted(module)["fc"].replace_weights(ArrayAttr.of(weight), None)
    return module


def test_more_classes_have_less_error() -> None:
    """Rows of very different sizes: each weight is within half a step of its class, the expected error falls, and so does that of all weights."""
    rng = np.random.default_rng(8)
    weight = (rng.normal(0, 1, (300, 60)) * 10 ** rng.normal(0, 0.5, (300, 1))).astype(np.float32)
    weight[rng.random(weight.shape) < 0.3] = 0
    before, errors, expected = layer(weight), list[float](), list[float]()
    for classes in (1, 2, 4, 8, 32, 300):
        after = quantized(before, bits=4, per="neuron", classes=classes)
        scale = weighted(after)["fc"].quantized_weights.scale.values
        difference = np.abs(weights(after)["fc"] - weight)
        assert (difference <= scale / 2 * (1 + 1e-6)).all()
        errors.append(float((difference**2).sum()))
        expected.append(float(((weight != 0) * scale**2).sum()))
    assert errors == sorted(errors, reverse=True)
    assert expected == sorted(expected, reverse=True)
    one = quantized(before, bits=4, per="population")
    assert errors[0] == float(((weights(one)["fc"] - weight) ** 2).sum())


def test_a_common_grid_stays_exact() -> None:
    """Multiples of 1/32 of which one scale for all loses none: no cut loses any."""
    for seed, classes in product(SEEDS, (1, 2, 5)):
        before = Maker(seed, grid=True).module()
        after = quantized(before, bits=8, per="neuron", classes=classes)
        assert not records(after)
        assert all(np.array_equal(weights(before)[name], values) for name, values in weights(after).items())


def test_many_rows() -> None:
    """100,000 different scales in 8 classes: no cut that is moved costs less."""
    rng = np.random.default_rng(9)
    scales = np.sort(10 ** rng.normal(0, 0.5, 100_000))
    label = classes_of(scales, np.ones(len(scales)), 8)
    ends = np.flatnonzero(np.diff(label, append=8))
    assert len(ends) == 8

    def total(ends: NDArray[np.int64]) -> float:
        parts = np.split(scales, ends[:-1] + 1)
        return sum(cost(part, np.ones(len(part)), is_mean=False) for part in parts)

    for k, move in product(range(7), (-400, -30, -1, 1, 30, 400)):
        moved = ends.copy()
        moved[k] += move
        assert not (np.diff(moved) > 0).all() or total(moved) >= total(ends)
