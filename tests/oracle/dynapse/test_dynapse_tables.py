"""Currents of the bias generator, and weights as sums of four currents, compared with the vendor's table and quantizer.

The table of rockpool has 256 measured currents for each coarse range and type of transistor. The line through zero of `bias_generator.py` differs from it:

| relative difference | N0 | N1 | N2 | N3 | N4 | N5 | P0 | P1 | P2 | P3 | P4 | P5 |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| from the fine value 1 | 57 % | 16 % | 14 % | 17 % | 20 % | 17 % | 50 % | 14 % | 13 % | 16 % | 18 % | 14 % |
| from the fine value 16 | 6.0 % | 5.7 % | 6.7 % | 8.7 % | 9.7 % | 4.8 % | 5.5 % | 5.4 % | 6.3 % | 8.4 % | 8.8 % | 2.7 % |

These are at most 1.7 % of the largest current of the range. At the fine value 0 the generator still has 0.4 to 1.1 pA.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from dynapse_networks import call_tool, table_of

from nopt.analysis.weight_masks import fitted_currents, nearest_masks, sums_of
from nopt.targets.dynapse.bias_generator import BIAS_NAMES, FINE, RANGES, SCALES, WEIGHT_NAMES

DEVIATIONS = {1: 0.6, 4: 0.2, 16: 0.1, 32: 0.07}
"""Largest relative differences from a fine value on."""


def test_scales_are_those_of_the_vendor(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    scales = table_of(python_of("dynapsim"), tmp_path)["scales"]
    assert {*SCALES} == {*BIAS_NAMES.values(), *WEIGHT_NAMES}
    assert {name: scales[name] for name in SCALES} == SCALES


def test_the_line_is_near_the_table_of_each_range(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    currents = table_of(python_of("dynapsim"), tmp_path)["currents"]
    for kind, ranges in currents.items():
        assert len(ranges) == len(RANGES[kind])
        for largest, measured in zip(RANGES[kind], map(np.array, ranges), strict=True):
            line = np.arange(FINE + 1) / FINE * largest
            assert abs(largest / measured[-1] - 1) < 3e-3
            assert np.abs(line - measured).max() < 0.02 * measured[-1]
            for first, most in DEVIATIONS.items():
                assert np.abs(line / measured - 1)[first:].max() < most, (kind, largest, first)


def test_weights_fit_as_well_as_by_the_vendor(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    rng = np.random.default_rng(37)
    trained = rng.normal(0, 0.3, (24, 12)) * (rng.random((24, 12)) < 0.5)
    given = {
        "normal": rng.normal(0, 0.3, (16, 16)),
        "uniform": rng.uniform(-1, 1, (16, 8)),
        "sparse": trained,
        "exponential": rng.exponential(0.1, (10, 20)),
    }
    np.savez(tmp_path / "in.npz", **{name: weight.astype(np.float32) for name, weight in given.items()})
    call_tool(python_of("dynapsim"), "fit", tmp_path / "in.npz", tmp_path / "out.npz")
    with np.load(tmp_path / "in.npz") as weights, np.load(tmp_path / "out.npz") as theirs:
        for name in given:
            weight = weights[name].astype(np.float64)
            sizes = np.abs(weight).reshape(-1)
            whole, step = fitted_currents(sizes)
            mine = sums_of(whole)[nearest_masks(sizes / step, whole)] * step
            ours, other = (float(np.square(found).sum()) for found in (mine - sizes, theirs[name] - weight))
            print(name, ours, other)
            assert ours <= other, (name, ours, other)
