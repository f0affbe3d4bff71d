"""Arrays: text, files and rules preserve bits; slices of rules follow the definition; rules are not expanded unnecessarily."""

from __future__ import annotations

from math import prod
from pathlib import Path
from statistics import NormalDist
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.arrays.files import dump, load_array, path_of
from nopt.core.arrays.rules import FARTHEST, Rule, RuleError, inverse_normal, logarithm, uniforms
from nopt.core.arrays.values import Array, RuleArray
from nopt.core.diagnostics import Refused

DTYPES = ("<f2", "<f4", "<f8", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "|b1")
RULES = (
    Rule("constant", {"value": 0.1}),
    Rule("uniform", {"low": -1.0, "high": 2.5, "seed": 3}),
    Rule("uniform", {"low": 1.0, "high": 2.0, "seed": 3, "density": 0.3}),
    Rule("normal", {"mean": 0.25, "std": 0.5, "seed": 2**64 - 1}),
    Rule("normal", {"mean": -3.0, "std": 0.5, "seed": 0, "density": 0.01}),
)
HOLDER = '"test.op"() {a = #nopt.array<true : tensor<i1>>} : () -> ()'


def module_of(*held: ArrayAttr) -> ModuleOp:
    module = nopt.parse(HOLDER)
    (op,) = module.ops
    op.attributes.clear()
    op.attributes.update({f"a{k}": array for k, array in enumerate(held)})
    return module


def held_by(module: ModuleOp) -> list[ArrayAttr]:
    (op,) = module.ops
    return [array for array in op.attributes.values() if isinstance(array, ArrayAttr)]


def bits(values: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    return values.dtype.str, values.shape, values.tobytes()


# ---- bytes


@st.composite
def any_array(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """Returns any bits of any type, in any layout."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7))
    raw = draw(st.binary(min_size=prod(shape) * dtype.itemsize, max_size=prod(shape) * dtype.itemsize))
    if dtype.kind == "b":
        raw = bytes(byte & 1 for byte in raw)
    values = np.frombuffer(raw, dtype).reshape(shape)
    return values.T if draw(st.booleans()) else values


@given(any_array(), any_array())
def test_every_bit_survives_text(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> None:
    text = nopt.write(module_of(ArrayAttr.of(one), ArrayAttr.of(other)))
    assert isinstance(text, str)
    found = held_by(nopt.parse(text))
    assert [bits(array.values) for array in found] == [bits(one), bits(other)]
    assert found == [ArrayAttr.of(one), ArrayAttr.of(other)]


@given(any_array())
def test_every_bit_survives_files(tmp_path_factory: pytest.TempPathFactory, values: np.ndarray[Any, Any]) -> None:
    folder = tmp_path_factory.mktemp("arrays")
    text = nopt.write(module_of(ArrayAttr.of(values)), arrays=folder)
    assert isinstance(text, str)
    assert "dialect_resources" not in text
    assert len(list(folder.iterdir())) == (values.size > 16)
    (found,) = held_by(nopt.parse(text, arrays=folder))
    assert bits(found.values) == bits(values)


@pytest.mark.parametrize("size", [100, 2**20])
def test_files_are_those_of_numpy_and_read_lazily(tmp_path: Path, size: int) -> None:
    values = np.arange(size, dtype=np.float64)
    text = nopt.write(module_of(ArrayAttr.of(values)), arrays=tmp_path)
    assert isinstance(text, str)
    (path,) = tmp_path.iterdir()
    assert bits(np.load(path)) == bits(values)
    (found,) = held_by(nopt.parse(text, arrays=tmp_path))
    fresh = Array(None, found.shape, "<f8", found.data.digest)
    fresh.link(path)
    assert not fresh.is_loaded
    assert bits(fresh.values) == bits(values)
    assert isinstance(fresh.values.base, np.memmap) == (size * 8 >= 2**20)
    with pytest.raises(ValueError, match="read-only"):
        fresh.values[0] = 1


def test_identical_files_stay_and_others_are_replaced(tmp_path: Path) -> None:
    module = module_of(ArrayAttr.of(np.arange(100)))
    nopt.write(module, arrays=tmp_path)
    (path,) = tmp_path.iterdir()
    before = path.stat().st_ino, path.stat().st_mtime_ns
    nopt.write(module, arrays=tmp_path)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == before
    path.write_bytes(path.read_bytes()[:-1])
    nopt.write(module, arrays=tmp_path)
    assert np.array_equal(np.load(path), np.arange(100))
    assert list(tmp_path.iterdir()) == [path]


def test_the_bytes_of_an_earlier_text_do_not_replace_those_of_a_text(tmp_path: Path) -> None:
    module = module_of(ArrayAttr.of(np.arange(100.0)))
    text, outside = nopt.write(module), nopt.write(module, arrays=tmp_path)
    assert isinstance(text, str)
    assert isinstance(outside, str)
    earlier = nopt.parse(text), nopt.parse(outside, arrays=tmp_path)
    assert [bits(array.values) for part in earlier for array in held_by(part)] == [bits(np.arange(100.0))] * 2
    with pytest.raises(Refused, match="COR001"):
        nopt.parse(outside)
    with pytest.raises(Refused, match="COR002"):
        nopt.parse(text.replace('"0x00', '"0x01'))
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    (changed,) = held_by(nopt.parse(outside, arrays=tmp_path))
    with pytest.raises(Refused, match="COR004"):
        _ = changed.values
    path.unlink()
    with pytest.raises(Refused, match="COR003"):
        nopt.parse(outside, arrays=tmp_path)
    assert nopt.write(earlier[0]) == nopt.write(earlier[1]) == text


def test_a_file_that_changes_after_it_was_named_is_found_out(tmp_path: Path) -> None:
    array = Array.of(np.arange(100.0))
    path = path_of(tmp_path, array.digest)
    with open(path, "wb") as file:
        dump(file, array.values)
    assert np.array_equal(load_array(path, array.digest, (100,), array.dtype), np.arange(100.0))
    for wrong in ("<f4", "<i8"):
        with pytest.raises(Refused, match="COR004"):
            load_array(path, array.digest, (100,), np.dtype(wrong))
    with pytest.raises(Refused, match="COR004"):
        load_array(path, array.digest, (10, 10), array.dtype)
    np.save(path, np.asfortranarray(np.arange(100.0).reshape(10, 10)))
    with pytest.raises(Refused, match="Fortran order"):
        load_array(path, array.digest, (10, 10), array.dtype)
    path.unlink()
    with pytest.raises(Refused, match="COR003"):
        load_array(path, array.digest, (100,), array.dtype)


@given(any_array())
def test_questions_have_the_answers_of_numpy(values: np.ndarray[Any, Any]) -> None:
    array = Array.of(values)
    blocks = list(array.blocks())
    assert bits(np.concatenate([np.empty(0, values.dtype), *blocks])) == bits(values.reshape(-1))
    with np.errstate(all="ignore"):
        wrong = np.argwhere(~np.isfinite(values))
        assert array.not_finite() == (tuple(wrong[0]) if len(wrong) else None)
        for dtype in map(np.dtype, DTYPES):
            if dtype.kind == values.dtype.kind == "f":
                kept = np.array_equal(values.astype(dtype), values, equal_nan=True)
                assert array.keeps_values_in(dtype) == kept


# ---- rules


def philox(counter: int, key: tuple[int, int]) -> list[int]:
    """Returns a block of Philox4x64-10 on plain integers, after Salmon et al. (2011)."""
    mask = 2**64 - 1
    x, (k0, k1) = [counter, 0, 0, 0], key
    for _ in range(10):
        first, second = x[0] * 0xD2E7470EE14C6C93, x[2] * 0xCA5A826395121157
        x = [(second >> 64) ^ x[1] ^ k0, second & mask, (first >> 64) ^ x[3] ^ k1, first & mask]
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) & mask, (k1 + 0xBB67AE8584CAA73B) & mask
    return x


@pytest.mark.parametrize(("seed", "stream", "start"), [(0, 0, 0), (1, 1, 3), (2**64 - 1, 0, 10**12 + 2)])
def test_words_are_philox(seed: int, stream: int, start: int) -> None:
    wanted = [philox(i // 4 + 1, (seed, stream))[i % 4] for i in range(start, start + 9)]
    found = uniforms(seed, stream, start, start + 9)
    assert found.tolist() == [((word >> 12) + 0.5) / 2**52 for word in wanted]


def test_definition_never_changes() -> None:
    """Compares with the recorded numbers of version 1. A changed rule needs another name."""
    f64 = np.dtype("<f8")
    assert [x.hex() for x in RULES[1].range(10, 13, f64).tolist()] == UNIFORM
    assert [x.hex() for x in RULES[3].range(10**9, 10**9 + 3, f64).tolist()] == NORMAL
    assert np.flatnonzero(RULES[4].range(0, 1000, f64)).tolist() == PRESENT
    assert [RuleArray(rule, (3, 4), "<f4").digest for rule in RULES[:2]] == DIGESTS


UNIFORM = ["0x1.a69aec41bd908p-2", "0x1.20fce3542f9e8p-3", "0x1.21b92190e5093p+1"]
NORMAL = ["0x1.b94ef3ce40321p-2", "0x1.f2814807daf0dp-1", "-0x1.0f9253688bedap-1"]
PRESENT = [17, 261, 333, 338, 497, 614, 724, 958]
DIGESTS = ["hd289050a9334bb791148d6c7742f79e2", "hb39821e197e82840f82d30c9511837ac"]


def test_inverse_normal_is_that_of_the_standard_library() -> None:
    u = np.concatenate([uniforms(5, 0, 0, 2000), 10.0 ** -np.arange(1, 16), 1 - 10.0 ** -np.arange(1, 16), [2.0**-53]])
    wanted = [NormalDist().inv_cdf(x) for x in u]
    np.testing.assert_allclose(inverse_normal(u), wanted, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(logarithm(u), np.log(u), rtol=1e-15, atol=1e-16)
    assert -FARTHEST < inverse_normal(np.array([2.0**-53]))[0] < -8.2


@st.composite
def part(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[slice | int, ...]]:
    """Returns a shape, and an index of some of its axes."""
    shape = draw(arrays.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=9))
    index = draw(arrays.basic_indices(shape, allow_newaxis=False, allow_ellipsis=False))
    return shape, index if isinstance(index, tuple) else (index,)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.text)
@given(part())
def test_a_slice_is_that_of_the_whole(rule: Rule, given: tuple[tuple[int, ...], tuple[slice | int, ...]]) -> None:
    shape, index = given
    array = RuleArray(rule, shape, "<f4")
    assert bits(array.view(*index).values) == bits(
        np.ascontiguousarray(array.values[index]).reshape(array.values[index].shape)
    )


def test_blocks_join() -> None:
    rule = RULES[4]
    whole = rule.range(0, 600_000, np.dtype("<f4"))
    assert np.array_equal(np.concatenate(list(RuleArray(rule, (600, 1000), "<f4").blocks())), whole)
    assert np.array_equal(rule.range(262_143, 262_149, np.dtype("<f4")), whole[262_143:262_149])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.text)
def test_a_rule_has_the_numbers_that_it_names(rule: Rule) -> None:
    n, density, parameters = 1_000_000, rule.density, rule.parameters
    x = rule.range(0, n, np.dtype("<f8"))
    assert rule.bounds[0] <= x.min() <= x.max() <= rule.bounds[1]
    # The standard deviation of a share is sqrt(p (1 - p) / n); six of them are exceeded once in 10^9 cases.
    assert abs(np.count_nonzero(x) / n - density) <= 6 * np.sqrt(density * (1 - density) / n)
    there = x[x != 0]
    mean, std = {
        "constant": lambda: (parameters["value"], 0.0),
        "uniform": lambda: (
            (parameters["low"] + parameters["high"]) / 2,
            (parameters["high"] - parameters["low"]) / np.sqrt(12),
        ),
        "normal": lambda: (parameters["mean"], parameters["std"]),
    }[rule.name]()
    assert abs(there.mean() - mean) <= 6 * std / np.sqrt(len(there)) + 1e-12
    assert abs(there.std() - std) <= 6 * std / np.sqrt(len(there)) + 1e-12


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.text)
def test_a_rule_in_a_smaller_type_is_rounded(rule: Rule) -> None:
    wide = RuleArray(rule, (1000,), "<f8")
    for dtype in ("<f2", "<f4"):
        narrow = wide.astype(np.dtype(dtype))
        assert isinstance(narrow, RuleArray)
        assert bits(narrow.values) == bits(wide.values.astype(dtype))
    widened = RuleArray(rule, (1000,), "<f4").astype(np.dtype("<f8"))
    assert not isinstance(widened, RuleArray)
    assert np.array_equal(widened.values, wide.values.astype("<f4"))


def test_least_and_greatest_are_true_or_enough() -> None:
    for rule in RULES:
        array = RuleArray(rule, (10_000,), "<f4")
        values = array.values
        assert (array.least(), array.greatest()) == (values.min(), values.max())
        for limit in (-9.0, -0.5, 0.0, 0.25, 1.0, 9.0):
            assert (array.least(enough=limit) < limit) == bool((values < limit).any())
            assert (array.greatest(enough=limit) > limit) == bool((values > limit).any())


def test_rules_are_compared_as_rules() -> None:
    one = ArrayAttr.by("normal", (10, 10), mean=0, std=1, seed=1)
    assert one == ArrayAttr.by("normal", (10, 10), seed=1, density=1, std=1.0, mean=0.0)
    assert hash(one) == hash(ArrayAttr.by("normal", (10, 10), mean=0, std=1, seed=1))
    for other in (
        ArrayAttr.by("normal", (10, 10), mean=0, std=1, seed=2),
        ArrayAttr.by("normal", (100,), mean=0, std=1, seed=1),
        ArrayAttr.by("normal", (10, 10), "<f8", mean=0, std=1, seed=1),
        ArrayAttr.of(one.values),
    ):
        assert one != other
    with pytest.raises(RuleError):
        ArrayAttr.by("normal", (10, 10), mean=0, std=1)


NETWORK = """
nir.graph @net("x" %x: tensor<10000xf32>) -> ("y": tensor<10000xi1>) {
  %a = nir.linear "a" %x {weight = #nopt.array<normal(mean = 0, std = 0.1, seed = 1) : tensor<10000x10000xf32>>} : tensor<10000xf32> -> tensor<10000xf32>
  %s = nir.sum %a, %r : (tensor<10000xf32>, tensor<10000xf32>) -> tensor<10000xf32>
  %z = nir.lif "z" %s {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<10000xf32> -> tensor<10000xi1>
  %r = nir.affine "r" %z {weight = #nopt.array<uniform(low = 0, high = 1, seed = 1, density = 0.1) : tensor<10000x10000xf32>>, bias = #nopt.array<constant(value = 0) : tensor<10000xf32>>} : tensor<10000xi1> -> tensor<10000xf32>
  nir.output %z : tensor<10000xi1>
}
"""


@pytest.fixture
def _unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits the elements of a rule that are read to the number of neurons of a population."""
    read = Rule.range

    def small(self: Rule, start: int, stop: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        assert stop - start <= 10_000, f"{stop - start} numbers of {self.text} were made"
        return read(self, start, stop, dtype)

    monkeypatch.setattr(Rule, "range", small)


@pytest.mark.usefixtures("_unread")
def test_200_million_synapses_are_never_made() -> None:
    module = nopt.parse(NETWORK)
    text = nopt.write(module)
    assert isinstance(text, str)
    assert nopt.write(nopt.parse(text)) == text
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    text = nopt.write(module)
    assert isinstance(text, str)
    assert text.count("tensor<10000x10000xf32>") == 2
    assert nopt.write(nopt.parse(text)) == text


def test_200_million_synapses_take_no_time() -> None:
    nopt.apply(nopt.parse(NETWORK), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    start = process_time()
    module = nopt.parse(NETWORK)
    nopt.write(module)
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    nopt.write(module)
    assert process_time() - start < 1


def test_a_run_makes_the_numbers_of_the_rule() -> None:
    text = """
    nir.graph @net("x" %x: tensor<30xf32>) -> ("y": tensor<20xf32>) {
      %y = nir.linear "a" %x {weight = #nopt.array<normal(mean = 0, std = 0.1, seed = 1) : tensor<20x30xf32>>} : tensor<30xf32> -> tensor<20xf32>
      nir.output %y : tensor<20xf32>
    }
    """
    x = np.random.default_rng(0).standard_normal((5, 30))
    rule = nopt.parse(text)
    stored = nopt.parse(text)
    (op,) = [op for op in stored.walk() if op.name == "nir.linear"]
    weight = op.properties["weight"]
    assert isinstance(weight, ArrayAttr)
    op.properties["weight"] = ArrayAttr.of(weight.values)
    runs = [nopt.run(module, x, dt="1ms", like="norse") for module in (rule, stored)]
    assert bits(runs[0]["y"]) == bits(runs[1]["y"])


@pytest.mark.parametrize("format", ["nir", "json"])
def test_a_rule_is_exported_as_its_numbers(tmp_path: Path, format: str) -> None:
    text = """
    nir.graph @net("x" %x: tensor<30xf32>) -> ("y": tensor<20xf32>) {
      %y = nir.linear "a" %x {weight = #nopt.array<uniform(low = -1, high = 1, seed = 9) : tensor<20x30xf32>>} : tensor<30xf32> -> tensor<20xf32>
      nir.output %y : tensor<20xf32>
    }
    """
    module = nopt.parse(text)
    nopt.write(module, tmp_path / "net", format=format)
    weights = [
        op.properties["weight"]
        for net in (module, nopt.read(tmp_path / "net"))
        for op in net.walk()
        if op.name == "nir.linear"
    ]
    made, read = (weight.values for weight in weights if isinstance(weight, ArrayAttr))
    assert bits(made) == bits(read)
