"""Guarantees of the normalising passes: runs before and after agree in every bit, or the difference is recorded."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from extent import seeds
from networks import Maker, assert_same, populations, run, stimulus
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import nir, ntensor

CHOICES = [
    {"dt": "1ms", "like": "norse", "precision": "f64"},
    {"dt": "1ms", "like": "snntorch", "precision": "f32"},
    {"dt": "1ms", "like": "sinabs", "precision": "f64"},
]
SEEDS = seeds(3)


def applied(module: ModuleOp, passes: str) -> tuple[ModuleOp, Diagnostics]:
    other, found = module.clone(), Diagnostics()
    nopt.apply(other, passes, diagnostics=found)
    return other, found


def converted(module: ModuleOp, like: str = "norse", precision: str = "f64") -> ModuleOp:
    return applied(module, f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} precision={precision}}}")[0]


class Run(NamedTuple):
    """A network, its text, and the outputs, spikes and voltages of one run."""

    module: ModuleOp
    text: str
    found: dict[str, np.ndarray]


def run_all(module: ModuleOp, seed: int, record: list[str], choices: dict[str, str]) -> dict[str, np.ndarray]:
    """Runs a network on the stimulus of a seed and records spikes and voltages of populations."""
    return run(module, stimulus(seed), [*record, *(f"{name}.v" for name in record)], **choices)


@cache
def before_nir_passes(seed: int, choice: int) -> Run:
    """Returns the run that every pass on `nir` is compared with; no pass changes this module."""
    module = Maker(seed).module()
    return Run(module, nopt.write(module), run_all(module, seed, populations(module), CHOICES[choice]))


@cache
def before_ntensor_passes(seed: int, like: str, precision: str) -> Run:
    """Returns the run that every pass on `ntensor` is compared with; no pass changes this module."""
    module = converted(Maker(seed, terms=3, has_any_scale=True).module(), like, precision)
    return Run(module, nopt.write(module), run_all(module, seed, populations(module), {}))


def differs_only_by_pass(before: Run, passes: str, seed: int, choices: dict[str, str]) -> bool:
    """Compares every bit after passes with the run before them, and returns whether the passes changed the text."""
    after, _ = applied(before.module, passes)
    kept = populations(after)
    wanted = {name: array for name, array in before.found.items() if is_kept(name, before.module, kept)}
    assert_same(wanted, run_all(after, seed, kept, choices))
    return nopt.write(after) != before.text


def is_kept(record: str, before: ModuleOp, kept: list[str]) -> bool:
    """Returns whether a record exists after the passes: an output always, a population unless it was removed as dead."""
    gone = set(populations(before)) - set(kept)
    return record not in {*gone, *(f"{name}.v" for name in gone)}


def count(module: ModuleOp, *kinds: type) -> int:
    return sum(isinstance(op, kinds) for op in module.walk())


# ---- nir: the same bits, sums of two


@pytest.mark.parametrize("choice", range(len(CHOICES)), ids=[choices["like"] for choices in CHOICES])
@pytest.mark.parametrize(
    "passes",
    [
        "nir-flatten",
        "nir-fold-identities",
        "nir-fold-scale",
        "nir-remove-dead",
        "nir-contract-parameters",
        "nir-expand-parameters",
        "nir-flatten,nir-fold-identities,nir-fold-scale,nir-remove-dead,nir-contract-parameters",
    ],
)
def test_nir_pass_changes_no_bit(passes: str, choice: int) -> None:
    changed = sum(
        differs_only_by_pass(before_nir_passes(seed, choice), passes, seed, CHOICES[choice]) for seed in SEEDS
    )
    assert changed > len(SEEDS) / 2


def test_something_happens_in_these_networks() -> None:
    """The networks of the tests above spike, and contain the patterns that the passes remove."""
    modules = [Maker(seed).module() for seed in SEEDS]
    assert sum(run(m, stimulus(k), **CHOICES[0])["spikes"].any() for k, m in enumerate(modules)) > len(SEEDS) / 2
    for passes, kinds in (
        ("nir-flatten", (nir.SubgraphOp,)),
        ("nir-fold-identities", (nir.IdentityOp, nir.DelayOp, nir.FlattenOp)),
        ("nir-fold-scale", (nir.ScaleOp,)),
        ("nir-remove-dead", (nir.LIFOp,)),
    ):
        before = sum(count(module, *kinds) for module in modules)
        after = sum(count(applied(module, passes)[0], *kinds) for module in modules)
        assert after < before, passes


@pytest.mark.parametrize("seed", SEEDS)
def test_flatten_is_what_the_conversion_does(seed: int) -> None:
    module = Maker(seed, terms=3).module()
    flat, _ = applied(module, "nir-flatten")
    assert not count(flat, nir.SubgraphOp)
    assert nopt.write(converted(flat)) == nopt.write(converted(module))


@pytest.mark.parametrize("seed", SEEDS)
def test_nir_sums_are_merged(seed: int) -> None:
    """The order of exact sums has no effect."""
    module = applied(Maker(seed, terms=3, is_dyadic=True, width=10).module(), "nir-flatten")[0]
    after, found = applied(module, "nir-merge-sums")
    x = stimulus(seed, 4)
    assert_same(run(module, x, **CHOICES[0]), run(after, x, **CHOICES[0]))
    for op in after.walk():
        if isinstance(op, nir.SumOp):
            inner = [x for x in op.xs if isinstance(x.owner, nir.SumOp)]
            assert all(x.has_more_than_one_use() for x in inner)
    assert bool(found.findings) == (count(after, nir.SumOp) < count(module, nir.SumOp))


@pytest.mark.parametrize("seed", SEEDS)
def test_parameters_come_back(seed: int) -> None:
    module = Maker(seed).module()
    small, _ = applied(module, "nir-contract-parameters")
    large, _ = applied(small, "nir-expand-parameters")
    assert nopt.write(applied(large, "nir-contract-parameters")[0]) == nopt.write(small)
    assert nopt.write(applied(module, "nir-expand-parameters")[0]) == nopt.write(large)


def test_kept_nodes_stay() -> None:
    for seed in SEEDS:
        module = Maker(seed).module()
        every = populations(module)
        text = ",".join(f'"{name}"' for name in every)
        after, found = applied(module, f"nir-remove-dead{{keep={text}}}")
        assert populations(after) == every
        assert not found.findings
        gone, found = applied(module, "nir-remove-dead")
        assert bool(found.findings) == (len(populations(gone)) < len(every))


def test_long_chains_are_folded() -> None:
    """Folds a chain of 2,500 identities and sums."""
    text = [
        'nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {',
        "  %v0 = nir.sum %x, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>",
    ]
    for k in range(1, 2_501, 2):
        text.append(f'  %v{k} = nir.identity "n{k}" %v{k - 1} : tensor<1xf32> -> tensor<1xf32>')
        text.append(f"  %v{k + 1} = nir.sum %v{k}, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>")
    module = nopt.parse("\n".join([*text, "  nir.output %v2500 : tensor<1xf32>", "}"]))
    after, _ = applied(module, "nir-fold-identities,nir-merge-sums,nir-remove-dead")
    (total,) = [op for op in after.walk() if isinstance(op, nir.SumOp)]
    assert len(total.xs) == 1_252


# ---- ntensor: the same bits for all sums


@pytest.mark.parametrize(("like", "precision"), [("norse", "f64"), ("sinabs", "f32"), ("spyx", "f32"), ("lava", "f64")])
@pytest.mark.parametrize(
    "passes",
    [
        "ntensor-fold-identities",
        "ntensor-fold-scale",
        "ntensor-merge-sums",
        "ntensor-remove-dead",
        "ntensor-fold-identities,ntensor-fold-scale,ntensor-merge-sums,ntensor-remove-dead",
    ],
)
def test_ntensor_pass_changes_no_bit(passes: str, like: str, precision: str) -> None:
    changed = sum(
        differs_only_by_pass(before_ntensor_passes(seed, like, precision), passes, seed, {}) for seed in SEEDS
    )
    assert changed


def shaped(values: np.ndarray, kind: str) -> str:
    return f"#nopt.array<{values.tolist()} : tensor<{''.join(f'{n}x' for n in values.shape)}{kind}>>"


@pytest.mark.parametrize("seed", SEEDS)
def test_merged_delays_pools_and_sums_change_no_bit(seed: int) -> None:
    """Delays in a row, one for all neurons or one each, a pool of one element, and a sum with pruned connections."""
    rng = np.random.default_rng(seed)
    early, late = (rng.integers(0, 4, shape) for shape in rng.permutation(np.array([(), (1, 2, 4)], object)))
    weights = rng.integers(-9, 9, (2, 8, 8))
    module = nopt.parse(
        f"""ntensor.network @net("input" %x: tensor<1x2x4xi1>) -> ("sum": tensor<8xi16>, "pool": tensor<1x2x4xi16>) attributes {{tick_ns = 1000}} {{
          %a = ntensor.delay "early" %x {{ticks = {shaped(early, "i64")}}} : tensor<1x2x4xi1>
          %b = ntensor.delay "late" %a {{ticks = {shaped(late, "i64")}}} : tensor<1x2x4xi1>
          %c = ntensor.reshape "flat" %b : tensor<1x2x4xi1> -> tensor<8xi1>
          %d = ntensor.linear "pruned" %c {{weight = {shaped(weights[0] * 0, "i8")}}} : tensor<8xi1> -> tensor<8xi16>
          %e = ntensor.linear "kept" %c {{weight = {shaped(weights[1], "i8")}}} : tensor<8xi1> -> tensor<8xi16>
          %s = ntensor.sum %d, %e, %d : (tensor<8xi16>, tensor<8xi16>, tensor<8xi16>) -> tensor<8xi16>
          %m = ntensor.reshape "map" %s : tensor<8xi16> -> tensor<1x2x4xi16>
          %p = ntensor.sum_pool2d "unit" %m {{kernel = {shaped(np.array([1, 1]), "i64")}, stride = {shaped(np.array([1, 1]), "i64")}, padding = {shaped(np.zeros((2, 2), int), "i64")}}} : tensor<1x2x4xi16> -> tensor<1x2x4xi16>
          ntensor.output %s, %p : tensor<8xi16>, tensor<1x2x4xi16>
        }}"""
    )
    after, _ = applied(module, "ntensor-fold-identities")
    assert [op.name for op in network_of(after).body.block.ops if op.results] == [
        "ntensor.delay",
        "ntensor.reshape",
        "ntensor.linear",
        "ntensor.reshape",
    ]
    x = rng.integers(0, 2, (20, 3, 1, 2, 4))
    assert_same(run(module, x), run(after, x))


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_rounding_is_recorded(precision: str) -> None:
    """Inexact folds with `rounding` are recorded, and unrecorded folds are exact."""
    recorded = 0
    for seed in SEEDS:
        module = converted(Maker(seed, terms=3, has_any_scale=True).module(False), precision=precision)
        after, _ = applied(module, "ntensor-fold-scale{rounding}")
        before, now = (len(network_of(m).approximations or ()) for m in (module, after))
        assert now - before in (0, 1)
        recorded += now - before
        assert count(after, ntensor.ScaleOp) <= count(applied(module, "ntensor-fold-scale")[0], ntensor.ScaleOp)
        if now == before:
            assert_same(run(module, stimulus(seed)), run(after, stimulus(seed)))
    assert recorded


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_recorded_errors_are_those_of_the_weights(precision: str) -> None:
    """Against products in extended precision: weight and factor of type f32, so f64 is exact."""
    rng = np.random.default_rng(0)
    weight, factors = rng.normal(size=(3, 4)).astype(np.float32), rng.normal(size=4).astype(np.float32)

    def text(array: np.ndarray) -> str:
        return f'#nopt.array<"0x{array.tobytes().hex()}" : tensor<{"x".join(map(str, array.shape))}xf32>>'

    module = nopt.parse(
        f"""ntensor.network @net("input" %x: tensor<4x{precision}>) -> ("output": tensor<3x{precision}>) attributes {{tick_ns = 1000}} {{
          %y = ntensor.scale "gain" %x {{scale = {text(factors)}}} : tensor<4x{precision}> -> tensor<4x{precision}>
          %z = ntensor.linear "fc" %y {{weight = {text(weight)}}} : tensor<4x{precision}> -> tensor<3x{precision}>
          ntensor.output %z : tensor<3x{precision}>
        }}"""
    )
    nopt.apply(module, "ntensor-fold-scale{rounding}", diagnostics=Diagnostics())
    (record,) = network_of(module).approximations or ()
    (fc,) = [op for op in module.walk() if isinstance(op, ntensor.LinearOp)]
    exact = weight.astype(np.float64) * factors
    errors = np.abs(fc.weight.values - exact)
    assert (record.largest.value.data, record.mean.value.data) == (errors.max(), errors.mean())
    assert bool(errors.any()) == (precision == "f32")
    assert [name.data for name in record.touched] == ["fc"]


def test_merging_in_any_order_is_recorded() -> None:
    merged = 0
    for seed in SEEDS:
        module = converted(Maker(seed, terms=3).module(False))
        exact, _ = applied(module, "ntensor-merge-sums")
        after, _ = applied(module, "ntensor-merge-sums{any-order}")
        records = len(network_of(after).approximations or ()) - len(network_of(module).approximations or ())
        assert records == (count(after, ntensor.SumOp) < count(exact, ntensor.SumOp))
        merged += records
    assert merged


# ---- products


def test_products_know_their_error() -> None:
    """Compares with rational numbers, from the smallest to the largest."""
    from fractions import Fraction

    from nopt.passes.normalize._scales import product

    rng = np.random.default_rng(1)
    for _ in range(20):
        wide = rng.normal(size=16) * 10.0 ** rng.integers(-310, 300, 16)
        factors = rng.normal(size=16) * 10.0 ** rng.integers(-8, 9, 16)
        powers = 2.0 ** rng.integers(-160, 160, 16)
        small = rng.normal(size=16).astype(np.float32)
        for weights, by, dtype in (
            (wide, factors, np.float64),
            (wide, powers, np.float64),
            (small, powers, np.float32),
            (small, factors.astype(np.float32), np.float32),
            (small, factors.astype(np.float32), np.float64),
        ):
            for weight, factor in zip(weights, by, strict=True):
                found = product(np.asarray(weight), np.asarray(factor), np.dtype(dtype))
                value, error = found.values[()], found.largest
                if not np.isfinite(value):
                    assert not np.isfinite(error)
                    continue
                true = abs(Fraction(float(value)) - Fraction(float(weight)) * Fraction(float(factor)))
                assert (error == 0) == (true == 0)
                assert error >= float(true) * (1 - 1e-12)


def test_products_of_large_arrays_are_made_in_blocks() -> None:
    """Compares more numbers than one block holds, with broadcast factors, with NumPy's products."""
    from nopt.passes.normalize._scales import BLOCK, product

    rng = np.random.default_rng(2)
    weight, factors = rng.normal(size=(3, BLOCK)).astype(np.float32), rng.normal(size=(3, 1)).astype(np.float32)
    exact = weight.astype(np.float64) * factors
    found = product(weight, factors, np.dtype(np.float32))
    assert found.values.tobytes() == (weight * factors).tobytes()
    errors = np.abs(found.values - exact)
    assert found.largest == errors.max()
    assert abs(found.total - errors.sum()) < 1e-12 * errors.sum() * errors.size
    assert product(weight, factors, np.dtype(np.float64)).is_exact
