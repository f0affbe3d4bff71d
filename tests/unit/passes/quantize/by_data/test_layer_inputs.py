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
