"""Rows of inputs times the weights of their blocks are the sums of the engine, and each weight is in one block."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from weighted import SHAPE, SIZE, Maker, network, weighted
from xdsl.ir import SSAValue

from nopt.analysis.weight_lines import rows
from nopt.core.arrays.numeric import AnyArray
from nopt.dialects import ntensor
from nopt.passes.quantize.weights.by_data._layer_inputs import (
    corrections_of,
    decays_of,
    filtered,
    input_rows,
    joined_layer,
    layer_of,
    layers_of,
    moments_of,
)
from nopt.simulation.recorded_run import RecordedRun

SAMPLES, TICKS = 3, 7


def run_of(net: ntensor.NetworkOp, seed: int) -> RecordedRun:
    rng = np.random.default_rng([5, seed])
    return RecordedRun.of(net, {name.data: rng.random((SAMPLES, TICKS, *SHAPE)) < 0.5 for name in net.input_names})


@pytest.mark.parametrize("seed", range(25))
def test_blocks_compute_the_sums_of_an_op(seed: int) -> None:
    module = Maker(seed).module()
    net, seen = network(module), set[str]()
    run = run_of(net, seed)
    for op in weighted(module).values():
        op.properties.pop("bias", None)
        op.properties.pop("delay", None)
        layer = layer_of(op)
        if isinstance(op, ntensor.ScaleOp):
            assert layer is None
            continue
        assert layer is not None
        seen.add(op.name)
        found = run.values([op.x, op.y])
        inputs = input_rows(op, found[op.x].astype(np.float64))
        flat = op.weights.values.reshape(-1).astype(np.float64)
        places = np.concatenate([block.weights.reshape(-1) for block in layer.blocks])
        assert np.array_equal(np.sort(places), np.arange(flat.size))
        sums = {}
        for block in layer.blocks:
            given = inputs[block.matrix] if block.columns is None else inputs[block.matrix][:, block.columns]
            sums |= dict(zip(block.lines.tolist(), (given @ flat[block.weights].T).T, strict=True))
        for line, values in sums.items():
            y = found[op.y].reshape(SAMPLES * TICKS, rows(op).count, -1)[:, line]
            assert values == pytest.approx(y.reshape(-1), rel=1e-6, abs=1e-6 * np.abs(y).max(initial=0))
        (moments, *_) = moments_of(layer, run, lambda same: same, ())
        first = layer.blocks[0]
        given = inputs[first.matrix] if first.columns is None else inputs[first.matrix][:, first.columns]
        assert moments.plain == pytest.approx(given.T @ given / len(given))
    assert seen or all(isinstance(op, ntensor.ScaleOp) for op in weighted(module).values())


@pytest.mark.parametrize("decays", [(), (0.9,)])
@pytest.mark.parametrize("seed", range(8))
def test_corrected_weights_have_the_least_errors_of_sums(seed: int, decays: tuple[float, ...]) -> None:
    """The reals have other inputs. No scale of the correction has a lower loss, which is the squared error and the damping of the change."""
    module = Maker(seed).module()
    run, reals = run_of(network(module), seed), run_of(network(module), seed + 100)
    for op in weighted(module).values():
        layer = layer_of(op)
        if layer is None:
            continue
        moments = moments_of(layer, run, lambda same: same, decays)
        corrections = corrections_of(layer, moments, run, reals, lambda same: same, decays)
        same = corrections_of(layer, moments, run, run, lambda same: same, decays)
        rows, wanted = (input_rows(op, filtered(each.values([op.x])[op.x], decays)) for each in (run, reals))
        flat = op.weights.values.reshape(-1).astype(np.float64)
        for block, each, matrix, unchanged in zip(layer.blocks, moments, corrections, same, strict=True):
            assert np.array_equal(unchanged, np.eye(len(unchanged)))
            x, y = (
                some[block.matrix] if block.columns is None else some[block.matrix][:, block.columns]
                for some in (rows, wanted)
            )
            weights = flat[block.weights]
            damping = each.damped - each.plain

            def loss(share: float, x=x, y=y, weights=weights, matrix=matrix, damping=damping) -> float:
                change = weights @ (matrix - np.eye(len(matrix))) * share
                errors = x @ (weights + change).T - y @ weights.T
                return float((errors**2).sum() / len(x) + np.sum(change @ damping * change))

            assert loss(1) <= min(loss(share) for share in (0, 0.5, 0.9, 1.1)) * (1 + 1e-9)


def dense(maker: Maker, x: SSAValue, **properties: AnyArray) -> ntensor.LinearOp:
    y = maker.add(ntensor.LinearOp, [maker.flat(x, (SIZE,))], (4,), weight=maker.numbers(4, SIZE), **properties)
    assert isinstance(y.owner, ntensor.LinearOp)
    return y.owner


def finished(maker: Maker, outputs: Sequence[SSAValue]) -> None:
    maker.block.add_op(ntensor.OutputOp(*outputs))


def test_dense_ops_of_one_sum_are_one_layer() -> None:
    maker = Maker(0)
    one, other = (dense(maker, x) for x in maker.block.args)
    finished(maker, [maker.add(ntensor.SumOp, [one.y, other.y], (4,))])
    (layer,) = layers_of([one, other])
    assert layer.inputs == 2 * SIZE
    assert layer.blocks[0].weights[1].tolist() == [*range(SIZE, 2 * SIZE), *range(5 * SIZE, 6 * SIZE)]


def test_ops_with_other_readers_or_rows_are_layers_of_their_own() -> None:
    maker = Maker(0)
    one, other = (dense(maker, x) for x in maker.block.args)
    finished(maker, [maker.add(ntensor.SumOp, [one.y, other.y], (4,)), one.y])
    assert joined_layer([one, other]) is None
    assert len(layers_of([one, other])) == 2


def test_synapses_with_different_delays_have_no_layer() -> None:
    maker = Maker(0)
    x, index = maker.block.args[0], np.arange(2)
    for delays, is_layer in (([3, 3], True), ([0, 1], False)):
        y = maker.add(
            ntensor.SparseLinearOp,
            [x],
            SHAPE,
            weight=np.ones(2, np.float32),
            source=index,
            target=index,
            delay=np.array(delays),
        )
        assert isinstance(y.owner, ntensor.SparseLinearOp)
        assert (layer_of(y.owner) is not None) == is_layer


def test_filters_add_earlier_ticks() -> None:
    """A spike in tick 0 leaves 1, 0.5, 0.25; with a second filter of 0.5: 1, 0.5 + 0.5, 0.25 + 0.5."""
    x = np.array([1, 0, 0]).reshape(1, 3, 1)
    assert filtered(x, [0.5]).reshape(-1).tolist() == [1, 0.5, 0.25]
    assert filtered(x, [0.5, 0.5]).reshape(-1).tolist() == [1, 1, 0.75]
    assert filtered(x, []).reshape(-1).tolist() == [1, 0, 0]


def test_an_op_without_a_population_has_no_decays() -> None:
    maker = Maker(0)
    op = dense(maker, maker.block.args[0])
    finished(maker, [op.y])
    assert decays_of(op) == []
