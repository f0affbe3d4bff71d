"""Guarantees of the passes on weights: records that agree with NumPy, weights on grids, exactness without a record."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from extent import seeds
from weighted import REALS, SHAPE, SIZE, Maker, applied, difference, network, records, run, weighted, weights
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr, dtype_of
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.core.ir.operation import element_type, shape_of
from nopt.dialects import ntensor

PERS = ["tensor", "row", "column", "neuron", "population"]
SEEDS = seeds(2)


@cache
def network_of(seed: int) -> ModuleOp:
    """Returns a network that no test changes."""
    return Maker(seed).module()


def quantized(module: ModuleOp, **options: object) -> ModuleOp:
    text = " ".join(f"{name}={value}" for name, value in options.items())
    return applied(module, f"ntensor-quantize-weights{{{text}}}")[0]


# ---- the record, and the grid


@pytest.mark.parametrize("scale", ["float", "power-of-two"])
@pytest.mark.parametrize("per", PERS)
def test_record_is_what_numpy_computes(per: str, scale: str) -> None:
    for seed, bits in product(SEEDS, (1, 2, 4, 8, 16)):
        before = network_of(seed)
        after = quantized(before, bits=bits, per=per, scale=scale)
        (record,) = records(after)
        touched = [name.data for name in record.touched]
        largest, mean = difference(before, after, touched)
        assert record.largest.value.data == largest  # type: ignore[union-attr]
        assert record.mean.value.data == pytest.approx(mean, rel=1e-12)  # type: ignore[union-attr]
        old, new = weights(before), weights(after)
        changed = [name for name in old if not np.array_equal(old[name], new[name])]
        assert touched == changed
        assert all(np.isfinite(values).all() for values in new.values())


def test_record_of_one_op_is_equal_to_the_last_bit() -> None:
    for seed in SEEDS:
        before = network_of(seed)
        name = next(iter(weights(before)))
        after = quantized(before, bits=4, nodes=name)
        for record in records(after):
            assert (record.largest.value.data, record.mean.value.data) == difference(before, after, [name])  # type: ignore[union-attr]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("per", PERS)
def test_weights_are_integers_times_the_scale(per: str, dtype: type) -> None:
    for seed, bits in product(SEEDS, (1, 2, 3, 8, 16)):
        before = Maker(seed, dtype=dtype).module()
        after = quantized(before, bits=bits, per=per)
        old, new = weights(before), weights(after)
        for name, op in weighted(after).items():
            scale = np.broadcast_to(op.quantized.scale.values, new[name].shape)
            n, real = op.weights.values, dtype_of(element_type(op.y))
            assert n.dtype == (np.int8 if bits <= 8 else np.int16)
            assert abs(n.astype(int)).max(initial=0) <= max(1, 2 ** (bits - 1) - 1)
            np.testing.assert_array_equal((n * scale).astype(real), new[name])
            assert new[name].dtype == real
            if bits == 1:
                assert set(np.unique(n)) <= {-1, 1}
                continue
            errors = abs(new[name].astype(np.float64) - old[name].astype(np.float64))
            roundings = abs(old[name].astype(np.float64)) * 2 * np.finfo(dtype).eps + np.finfo(dtype).smallest_subnormal
            assert (errors <= scale / 2 + roundings).all()


def test_one_scale_is_for_what_it_says() -> None:
    for seed in SEEDS:
        before = network_of(seed)
        for name, op in weighted(quantized(before, bits=8, per="tensor")).items():
            assert op.quantized.scale.shape == (), name
        for name, op in weighted(quantized(before, bits=8, per="row")).items():
            values = np.broadcast_to(op.quantized.scale.values, weights(before)[name].shape)
            if isinstance(op, ntensor.LinearOp | ntensor.ConvolutionOp):
                rows = (
                    values.reshape(-1, values.shape[-1]) if isinstance(op, ntensor.LinearOp) else values.reshape(2, -1)
                )
                assert (rows == rows[:, :1]).all()
        assert (
            len({float(op.quantized.scale.values) for op in meeting(quantized(before, bits=8, per="population"))}) == 1
        )


def meeting(module: ModuleOp) -> list:
    """Returns the ops whose results are operands of the last sum."""
    last = next(op for op in reversed(list(network(module).body.block.ops)) if isinstance(op, ntensor.SumOp))
    found = []
    for x in last.xs:
        op = x.owner
        while isinstance(op, ntensor.ReshapeOp | ntensor.DelayOp):
            op = op.operands[0].owner
        found.append(op)
    return found


def scale_of_neurons(op) -> list[set[float]]:
    """Returns the scales of the synapses of each flat neuron."""
    scale = op.quantized.scale.values
    match op:
        case ntensor.SparseLinearOp():
            wide = np.broadcast_to(scale, op.weight.shape)
            return [set(wide[op.target.values == n].tolist()) for n in range(SIZE)]
        case ntensor.LinearOp():
            rows = np.broadcast_to(scale, op.weight.shape).reshape(SIZE, -1)
        case ntensor.ConvolutionOp():
            channels = np.broadcast_to(scale, op.weight.shape).reshape(op.weight.shape[0], -1)
            rows = np.repeat(channels, SIZE // len(channels), axis=0)
        case _:
            rows = np.broadcast_to(scale, shape_of(op.y)).reshape(SIZE, 1)
    return [set(row.tolist()) for row in rows]


def test_synapses_of_a_neuron_share_its_scale() -> None:
    """Integers of several ops can only be added if they have the same scale."""
    several = 0
    for seed in range(30):
        after = quantized(network_of(seed), bits=8, per="neuron")
        ops = meeting(after)
        several += len(ops) > 1
        for n in range(SIZE):
            assert len(set().union(*(scale_of_neurons(op)[n] for op in ops))) <= 1
    assert several > 5


@pytest.mark.parametrize("bits", [2, 3, 5, 8, 12])
def test_power_of_two_is_one(bits: int) -> None:
    for seed in SEEDS:
        before = network_of(seed)
        for op in weighted(quantized(before, bits=bits, per="row", scale="power-of-two")).values():
            assert (np.frexp(op.quantized.scale.values)[0] == 0.5).all()


def test_sign_and_mean_is_the_best_of_one_bit() -> None:
    """No other scale has a smaller squared error; tried on a fine grid around it."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        values = rng.normal(0, 1, (1, 9))
        module = nopt.parse(one_layer(values))
        nopt.apply(module, "ntensor-quantize-weights{bits=1}", diagnostics=Diagnostics())
        found = weighted(module)["fc"]
        best = float(found.quantized.scale.values)
        signs = np.sign(values)
        errors = [((values - s * signs) ** 2).sum() for s in best * np.linspace(0.5, 1.5, 101)]
        assert min(errors) >= ((values - best * signs) ** 2).sum() * (1 - 1e-12)


@pytest.mark.parametrize("scale", ["float", "power-of-two"])
@pytest.mark.parametrize("per", PERS)
def test_an_asymmetric_grid_covers_the_range_and_zero(per: str, scale: str) -> None:
    better = 0
    for seed, bits in product(SEEDS, (2, 3, 4, 8, 15)):
        before = network_of(seed)
        after = quantized(before, bits=bits, per=per, scale=scale, grid="asymmetric")
        old, new = weights(before), weights(after)
        for name, op in weighted(after).items():
            stored, given, real = op.weights.values, op.quantized, dtype_of(element_type(op.y))
            assert stored.dtype == (np.int8 if bits <= 8 else np.int16)
            assert -(2 ** (bits - 1)) <= stored.min(initial=0) <= stored.max(initial=0) < 2 ** (bits - 1)
            differences = stored.astype(np.int64) - given.zero.values
            np.testing.assert_array_equal((differences * given.scale.values).astype(real), new[name])
            assert (new[name][old[name] == 0] == 0).all()
            step = np.broadcast_to(given.scale.values, old[name].shape)
            errors = abs(new[name].astype(np.float64) - old[name].astype(np.float64))
            roundings = abs(old[name].astype(np.float64)) * 4 * np.finfo(real).eps
            assert (errors <= step * (1 + 1e-9) + roundings).all()  # an end of the range may be half a step outside
            assert np.mean(errors <= step / 2 + roundings) > 0.9
        assert nopt.write(quantized(after, bits=bits, per=per, scale=scale, grid="asymmetric")) == nopt.write(after)
        other = weights(quantized(before, bits=bits, per=per, scale=scale))
        sums = [
            sum(((found[name] - old[name].astype(np.float64)) ** 2).sum() for name in old) for found in (new, other)
        ]
        better += sums[0] < sums[1]
    assert better > 0


@pytest.mark.parametrize("scale", ["float", "power-of-two"])
@pytest.mark.parametrize("per", PERS)
def test_a_fitted_scale_has_no_larger_squared_error(per: str, scale: str) -> None:
    better = 0
    for seed, bits in product(SEEDS, (2, 3, 4, 8)):
        before = network_of(seed)
        old = weights(before)
        sums: list[float] = []
        for fit in ("range", "error"):
            once = quantized(before, bits=bits, per=per, scale=scale, fit=fit)
            new = weights(once)
            sums.append(sum(float(((new[name] - old[name].astype(np.float64)) ** 2).sum()) for name in old))
        assert sums[1] <= sums[0] * (1 + 1e-6)  # products are rounded to f32
        better += sums[1] < 0.9 * sums[0]
        assert nopt.write(quantized(once, bits=bits, per=per, scale=scale, fit="error")) == nopt.write(once)
    assert better


def one_layer(values: np.ndarray, element: str = "f64") -> str:
    rows, columns = values.shape
    return f"""
ntensor.network @net("input" %x: tensor<{columns}xi1>) -> ("output": tensor<{rows}x{element}>) attributes {{tick_ns = 1000}} {{
  %y = ntensor.linear "fc" %x {{weight = #nopt.array<"0x{values.tobytes().hex()}" : tensor<{rows}x{columns}x{"f32" if values.dtype == np.float32 else "f64"}>>}} : tensor<{columns}xi1> -> tensor<{rows}x{element}>
  ntensor.output %y : tensor<{rows}x{element}>
}}
"""


# ---- exactness


@pytest.mark.parametrize("scale", ["float", "power-of-two"])
@pytest.mark.parametrize("per", PERS)
def test_weights_on_a_grid_stay(per: str, scale: str) -> None:
    """Multiples of 1/32 up to 3 are 8 bits: no number changes, so nothing is recorded, and the results have the same bits."""
    rng = np.random.default_rng(3)
    for seed in SEEDS:
        before = Maker(seed, grid=True).module()
        after = quantized(before, bits=8, per=per, scale=scale)
        assert not records(after)
        old, new = weights(before), weights(after)
        assert all(np.array_equal(old[name], new[name]) for name in old)
        assert all(op.quantized.bits.data == 8 for op in weighted(after).values())
        x = {name: rng.random((6, *SHAPE)) < 0.5 for name in "ab"}
        first, second = run(before, **x), run(after, **x)
        assert all(first[name].tobytes() == second[name].tobytes() for name in first)


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("per", PERS)
def test_again_changes_nothing(per: str, bits: int) -> None:
    for seed in SEEDS:
        once = quantized(network_of(seed), bits=bits, per=per)
        twice = quantized(once, bits=bits, per=per)
        assert nopt.write(twice) == nopt.write(once)


def test_finer_after_coarser_changes_nothing() -> None:
    """Weights on a grid of 4 bits per layer are also on a grid of 8 bits per row, if the scale is kept."""
    for seed in SEEDS:
        once = quantized(network_of(seed), bits=4, per="tensor")
        twice = quantized(once, bits=8, per="row")
        assert len(records(twice)) == len(records(once))


@pytest.mark.parametrize("step", ["ntensor-quantize-weights{bits=5 per=row}", "ntensor-cluster-weights{count=5}"])
def test_no_entry_differs_by_more_than_the_record(step: str) -> None:
    for seed in range(20):
        before = network_of(seed)
        after, _ = applied(before, step)
        old, new = weights(before), weights(after)
        (record,) = records(after) or (None,)
        largest = 0.0 if record is None else record.largest.value.data  # type: ignore[union-attr]
        for name in old:
            assert (abs(new[name].astype(np.longdouble) - old[name].astype(np.longdouble)) <= largest).all()


# ---- extreme numbers


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_never_infinite_and_never_nan(element: str) -> None:
    dtype = np.float32 if element == "f32" else np.float64
    info = np.finfo(dtype)
    edges = np.array([info.max, -info.max, info.tiny, info.smallest_subnormal, 0, -0.0, 1, -1, info.max / 3], dtype)
    rng = np.random.default_rng(5)
    for seed in seeds(7):
        values = rng.choice(edges, (3, 4)).astype(dtype)
        scales = ("float", "power-of-two", "float fit=error", "power-of-two fit=error")
        for bits, per, scale in product((1, 2, 16), ("tensor", "row"), scales):
            module = nopt.parse(one_layer(values, element))
            with np.errstate(all="raise", under="ignore"):
                nopt.apply(
                    module,
                    f"ntensor-quantize-weights{{bits={bits} per={per} scale={scale}}},ntensor-cluster-weights{{count=3}}",
                    diagnostics=Diagnostics(),
                )
            assert np.isfinite(weights(module)["fc"]).all(), (seed, values, bits, per, scale)


def test_findings_are_few() -> None:
    """A layer with many rows that are lost, zero or outliers has one finding of each kind."""
    rng = np.random.default_rng(7)
    values = rng.normal(0, 1, (200, 50)).astype(np.float32)
    values[::3] = 0
    values[5] *= 1e6
    for options in ("bits=4", "bits=1", "bits=4 per=column"):
        module, found = applied(nopt.parse(one_layer(values, "f32")), f"ntensor-quantize-weights{{{options}}}")
        assert 1 <= len(found) <= 4
        assert {finding.node for finding in found} == {"fc"}
        assert np.isfinite(weights(module)["fc"]).all()
    _, found = applied(nopt.parse(one_layer(values, "f32")), "ntensor-quantize-weights{bits=4}")
    text = "\n".join(map(str, found))
    assert "in row 5" in text
    assert "132 of 200: row 1, row 2, row 4, row 7, …" in text
    assert "67 of 200: row 0, row 3, row 6, row 9, …" in text


# ---- accumulators


def test_the_worst_sum_is_the_worst_sum() -> None:
    """Every pattern of spikes is tried; the refusal names the bits that the worst of them needs."""
    rng = np.random.default_rng(9)
    patterns = np.array(list(product([0, 1], repeat=6)))
    for _ in range(20):
        values = rng.normal(0, 1, (3, 6))
        module = nopt.parse(one_layer(values))
        with pytest.raises(Refused, match="QUA007") as refused:
            applied(module, "ntensor-quantize-weights{bits=6 accumulator=2}")
        after, _ = applied(module, "ntensor-quantize-weights{bits=6}")
        op = weighted(after)["fc"]
        sums = patterns @ op.weight.values.astype(int).T
        bits = next(b for b in range(1, 20) if -(2 ** (b - 1)) <= sums.min() and sums.max() < 2 ** (b - 1))
        finding = refused.value.findings[0]
        assert (finding.found or "").startswith(f"{bits} bits: ")
        assert f"accumulator={bits}}}" in (finding.help or "")
        applied(module, f"ntensor-quantize-weights{{bits=6 accumulator={bits}}}")


# ---- clusters


@pytest.mark.parametrize("count", [1, 2, 3, 16])
def test_clusters(count: int) -> None:
    for seed in SEEDS:
        before = network_of(seed)
        after, _ = applied(before, f"ntensor-cluster-weights{{count={count}}}")
        old, new = weights(before), weights(after)
        for name in old:
            assert len(np.unique(new[name])) <= max(count, 1)
            if count > 1:
                np.testing.assert_array_equal(new[name][old[name] == 0], 0)
        for record in records(after):
            largest, mean = difference(before, after, [name.data for name in record.touched])
            assert record.largest.value.data == largest  # type: ignore[union-attr]
            assert record.mean.value.data == pytest.approx(mean, rel=1e-12)  # type: ignore[union-attr]
        again, _ = applied(after, f"ntensor-cluster-weights{{count={count}}}")
        assert nopt.write(again) == nopt.write(after)


def test_each_weight_takes_the_nearest_value() -> None:
    rng = np.random.default_rng(11)
    for _ in range(10):
        values = rng.normal(0, 1, (5, 40))
        after, _ = applied(nopt.parse(one_layer(values)), "ntensor-cluster-weights{count=6}")
        new = weights(after)["fc"]
        centres = np.unique(new)
        distance = abs(values[..., None] - centres)
        np.testing.assert_allclose(abs(values - new), distance.min(-1), rtol=0, atol=1e-12)
        for centre in centres:
            assert values[new == centre].mean() == pytest.approx(centre, abs=1e-9)


# ---- the recorded network


@pytest.fixture(scope="module")
def braille(shared: Path) -> Path:
    return shared / "samples" / "nir_paper" / "braille"


def test_braille(braille: Path) -> None:
    """8 bits for each row keep the rates of the hidden layer; one scale per layer keeps them less accurately, and the outlier is reported."""
    x = np.load(braille / "input_sample0.npy")
    convert = "convert-nir-to-ntensor{dt-ns=100000 like=snntorch reset=zero}"
    rates: dict[str, np.ndarray] = {}
    classes: dict[str, int] = {}
    remarks: dict[str, str] = {}
    for per in ("", "row", "tensor"):
        step = f",ntensor-quantize-weights{{bits=8 per={per}}}" if per else ""
        module = nopt.read(braille / "braille_noDelay_bias_zero.nir", diagnostics=Diagnostics())
        module, found = applied(module, convert + step)
        result = nopt.run(module, x, record=["lif1.lif"], diagnostics=Diagnostics())
        rates[per] = result["lif1.lif"].sum(0).astype(float)
        classes[per] = int(result["output"].sum(0).argmax())
        remarks[per] = "\n".join(str(finding) for finding in found if finding.code.id == "QUA019")

    def cosine(per: str) -> float:
        a, b = rates[""], rates[per]
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    assert cosine("row") >= 0.997
    assert cosine("tensor") < cosine("row")
    assert set(classes.values()) == {1}
    assert not remarks["row"]
    assert 'ntensor.linear "lif1.w_rec"' in remarks["tensor"]
    assert "weight[11, 25] = -13.39 in row 11" in remarks["tensor"]
    assert "help: ntensor-quantize-weights{per=neuron}" in remarks["tensor"]


# ---- inputs


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize(
    ("options", "low", "high"),
    [
        ("kind=spike", 0, 1),
        ("kind=count bits=3", 0, 7),
        ("kind=graded bits=4", -8, 7),
        ("kind=integer bits=5", -16, 15),
    ],
)
def test_inputs_that_fit_give_the_same_bits(options: str, low: int, high: int, real: str) -> None:
    rng = np.random.default_rng(13)
    for seed in SEEDS:
        before = Maker(seed, element=REALS[real], real=REALS[real]).module()
        after, _ = applied(before, f"ntensor-quantize-inputs{{{options}}}")
        (record,) = records(after)
        assert [name.data for name in record.touched] == ["a", "b"]
        x = {name: rng.integers(low, high + 1, (5, *SHAPE)).astype(float) for name in "ab"}
        first, second = run(before, **x), run(after, **x)
        assert all(first[name].tobytes() == second[name].tobytes() for name in first)
        for wrong in (high + 1, low - 1, 0.5):
            x["b"][3, 1, 2] = wrong
            with pytest.raises(Refused, match=r"SIM021.*\n.*\"b\""):
                run(after, **x)


def test_rules_are_read_or_stay() -> None:
    """A constant is on a grid of any number of bits, and stays a rule, of integers; a random rule is expanded."""
    text = """
ntensor.network @net("input" %x: tensor<30xi1>) -> ("output": tensor<30xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<RULE : tensor<30x30xf32>>} : tensor<30xi1> -> tensor<30xf32>
  ntensor.output %y : tensor<30xf32>
}
"""
    module = nopt.parse(text.replace("RULE", "constant(value = 0.75)"))
    after, _ = applied(module, "ntensor-quantize-weights{bits=3}")
    assert weighted(after)["fc"].weight is not None
    assert "constant(value = 3) : tensor<30x30xi8>" in nopt.write(after)
    assert not records(after)
    module = nopt.parse(text.replace("RULE", "normal(mean = 0.0, std = 1.0, seed = 4)"))
    after, _ = applied(module, "ntensor-quantize-weights{bits=3}")
    (record,) = records(after)
    assert record.largest.value.data == difference(module, after, ["fc"])[0]  # type: ignore[union-attr]
    assert isinstance(weighted(after)["fc"].weight, ArrayAttr)
