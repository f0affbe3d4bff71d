"""Counts of synapses against a plain count over every pair of neurons."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, f64, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.operation import shape_of
from nopt.core.windows import window_outputs
from nopt.dialects import ntensor
from nopt.dialects.chip_base.chains import Chain, count_fan_in
from nopt.dialects.chip_base.connectivity import count_arrivals, joints
from nopt.dialects.chip_base.slicing import Slicing
from nopt.passes.plan._slices import run_boxes, tile_boxes

Array = NDArray[Any]


def made(kind: type[Operation], x: SSAValue, shape: tuple[int, ...], **properties: Attribute) -> Operation:
    given = {"node": StringAttr(kind.name), **properties}
    return kind.create(operands=[x], result_types=[TensorType(f64, shape)], properties=given)


def pruned(random: np.random.Generator, *shape: int) -> Array:
    return random.integers(-2, 3, shape) * (random.random(shape) < 0.6)


def convolution(random: np.random.Generator, x: SSAValue) -> Operation:
    channels, *plane = shape_of(x)
    groups = int(random.choice([1, channels]))
    outputs = groups * int(random.integers(1, 3))
    kernel = [int(n) for n in random.integers(1, 4, 2)]
    stride, dilation, padding = (random.integers(1, 3, 2), random.integers(1, 3, 2), random.integers(1, 3, (2, 2)))
    weight = pruned(random, outputs, channels // groups, *kernel)
    sizes = window_outputs(plane, kernel, stride.tolist(), padding.tolist(), dilation.tolist())
    return made(
        ntensor.Conv2dOp,
        x,
        (outputs, *sizes),
        weight=ArrayAttr.of(weight.astype(np.float64)),
        stride=ArrayAttr.of(stride),
        padding=ArrayAttr.of(padding),
        dilation=ArrayAttr.of(dilation),
        groups=IntegerAttr(groups, i64),
    )


def pool(random: np.random.Generator, x: SSAValue) -> Operation:
    channels, *plane = shape_of(x)
    kernel, stride = random.integers(1, 4, 2), random.integers(1, 4, 2)
    padding = random.integers(0, 2, (2, 2))
    sizes = window_outputs(plane, kernel.tolist(), stride.tolist(), padding.tolist(), (1, 1))
    properties = {"kernel": ArrayAttr.of(kernel), "stride": ArrayAttr.of(stride), "padding": ArrayAttr.of(padding)}
    return made(ntensor.SumPool2dOp, x, (channels, *sizes), **properties)


def linear(random: np.random.Generator, x: SSAValue) -> Operation:
    lead = shape_of(x)[:-1]
    shape = (*lead, int(random.integers(1, 6)))
    weight = pruned(random, *shape, shape_of(x)[-1]).astype(np.float64)
    return made(ntensor.LinearOp, x, shape, weight=ArrayAttr.of(weight))


def sparse(random: np.random.Generator, x: SSAValue) -> Operation:
    reads, n = int(np.prod(shape_of(x))), int(random.integers(1, 20))
    k = int(random.integers(0, 40))
    pairs = np.stack([random.integers(0, reads, k), random.integers(0, n, k)])
    source, target = pairs[:, np.lexsort(pairs[::-1])]
    weight = pruned(random, k).astype(np.float64)
    arrays = {"weight": ArrayAttr.of(weight), "source": ArrayAttr.of(source), "target": ArrayAttr.of(target)}
    return made(ntensor.SparseLinearOp, x, (n,), **arrays)


def by_fan_in(random: np.random.Generator, x: SSAValue) -> Operation:
    reads, n = int(np.prod(shape_of(x))), int(random.integers(1, 20))
    source = ArrayAttr.by("integers", (n, 4), np.int32, low=0, high=reads, seed=int(random.integers(100)))
    return made(ntensor.FanInLinearOp, x, (n,), source=source, weight=ArrayAttr.by("constant", (n, 4), value=1.0))


def counted(op: Operation) -> Array:
    """Counts the paths from each input element of an op to each output element, by propagating ones. Shapes: [outputs, inputs]."""
    reads, gives = (int(np.prod(shape_of(value))) for value in (op.operands[0], op.results[0]))
    found = np.zeros((gives, reads))
    match op:
        case ntensor.LinearOp():
            weight = op.weight.values != 0
            for index in np.ndindex(*weight.shape):
                lead, (o, i) = index[:-2], index[-2:]
                row = np.ravel_multi_index((*lead, o), shape_of(op.y))
                found[row, np.ravel_multi_index((*lead, i), shape_of(op.x))] += weight[index]
        case ntensor.SparseLinearOp():
            for w, s, t in zip(op.weight.values, op.source.values, op.target.values, strict=True):
                found[t, s] += w != 0
        case ntensor.FanInLinearOp():
            for o, row in enumerate(op.source.values):
                for s in row:
                    found[o, s] += 1
        case ntensor.ConvolutionOp() | ntensor.PoolOp():
            is_pool = isinstance(op, ntensor.PoolOp)
            kernel = op.kernel.values if is_pool else op.weight.shape[2:]
            dilation = (1, 1) if is_pool else op.dilation.values
            outputs, inputs = shape_of(op.y)[0], shape_of(op.x)[0]
            groups = inputs if is_pool else op.groups.value.data
            for c, y, x in np.ndindex(*shape_of(op.y)):
                group = c * groups // outputs
                each = inputs // groups
                for k in range(each):
                    for dy, dx in np.ndindex(*kernel):
                        v = y * op.stride.values[0] + dy * dilation[0] - op.padding.values[0, 0]
                        u = x * op.stride.values[1] + dx * dilation[1] - op.padding.values[1, 0]
                        inside = 0 <= v < shape_of(op.x)[1] and 0 <= u < shape_of(op.x)[2]
                        if inside and (is_pool or op.weight.values[c, k, dy, dx] != 0):
                            row = np.ravel_multi_index((c, y, x), shape_of(op.y))
                            found[row, np.ravel_multi_index((group * each + k, v, u), shape_of(op.x))] += 1
        case _:
            found = np.eye(gives)
    return found


@pytest.mark.parametrize("kind", [convolution, pool, linear, sparse, by_fan_in])
@pytest.mark.parametrize("seed", range(8))
def test_every_fact_follows_from_the_pairs(kind: Any, seed: int) -> None:
    random = np.random.default_rng(seed)
    block = Block(arg_types=[TensorType(f64, (2, 7, 8))])
    op = kind(random, block.args[0])
    assert isinstance(op, ntensor.SynapseOpInterface)
    plain = ntensor.SynapseOpInterface
    n, m = (random.integers(0, 4, shape_of(value)).astype(np.float64) for value in (op.x, op.y))
    assert np.array_equal(op.count_forwards(n), plain.count_forwards(op, n))
    assert np.array_equal(op.prepare_backwards()(m), plain.prepare_backwards(op)(m))
    assert op.target_multiplicity() >= plain.target_multiplicity(op)
    if isinstance(op, ntensor.LinearOp | ntensor.SparseLinearOp):
        assert np.array_equal(op.count_synapses(), plain.count_synapses(op))
        weight = random.integers(-5, 6, op.weight.shape)
        for own, other in zip(op.add_weights(weight), plain.add_weights(op, weight), strict=True):
            assert np.array_equal(own, other)


@pytest.mark.parametrize("seed", range(40))
def test_counts_equal_a_plain_count(seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = (2, *(int(n) for n in random.integers(5, 9, 2)))
    block = Block(arg_types=[TensorType(f64, shape)])
    value: SSAValue = block.args[0]
    chain: list[Operation] = []
    for kind in random.choice(np.array([convolution, pool, None]), 2):
        op = kind(random, value) if kind is not None else None
        if op is not None and min(shape_of(op.results[0])) > 0:
            chain.append(op)
            value = op.results[0]
    last = random.choice(np.array([linear, sparse, by_fan_in, convolution]))(random, value)
    chain.append(last if min(shape_of(last.results[0])) > 0 else linear(random, value))
    for op in chain:
        block.add_op(op)
        op.verify()
    paths = np.eye(int(np.prod(shape)))
    for op in chain:
        paths = counted(op) @ paths
    target_shape = shape_of(chain[-1].results[0])
    size = int(np.prod(target_shape))
    is_tiled = len(target_shape) == 3
    most = int(random.integers(1, size + 1))
    boxes = tile_boxes(target_shape, most) if is_tiled else run_boxes(size, most)
    order = None if is_tiled else random.permutation(size)
    target, source = Slicing(target_shape, boxes, order), Slicing(shape, tile_boxes(shape, 11))
    assert sorted(target.arranged.tolist()) == list(range(size))
    reached = {"x": np.zeros(source.size, np.int64)}
    found = count_arrivals(target, [("x", Chain(tuple(chain)))] * 2, {"x": source}, reached)
    assert (count_fan_in(chain, shape).reshape(-1) == paths.sum(1)).all()
    assert found.fan_in.tolist() == [2 * int(paths[own].sum(1).max()) for own in target.members]
    assert found.synapses.tolist() == [2 * int(paths[own].sum()) for own in target.members]
    assert found.input_axons.tolist() == [int(paths[own].any(0).sum()) for own in target.members]
    assert (reached["x"] == sum(paths[own].any(0) for own in target.members)).all()
    every = {(one.chain, one.source, one.target): one for one in joints(found)}
    for t, into in enumerate(target.members):
        for s, own in enumerate(source.members):
            part = paths[np.ix_(into, own)]
            one = every.pop((1, s, t), None)
            assert (one.synapses if one else 0) == part.sum()
            places = np.flatnonzero(part.any(0)).tolist()
            listed = found.chains[1].sources(t, s)
            assert (list(range(len(own))) if listed is None else listed.tolist()) == places
    assert all(chain == 0 for chain, _, _ in every)
