"""Delays of paths, by hand: those in front of synapses, of the synapses themselves, and after them."""

from __future__ import annotations

import numpy as np
import pytest
from weighted import SIZE, Maker

from nopt.dialects import ntensor
from nopt.passes.quantize.weights._ring_buffers import delayed_paths

NAMES = "count", "ticks", "squares"


def test_paths_have_the_delays_of_all_their_ops() -> None:
    """Element 0 adds the sources 0 and 1, element 1 the sources 1 to 3; later, element 1 adds the other input too."""
    maker = Maker(0)
    first, second = maker.block.args
    late = maker.add(ntensor.DelayOp, [maker.flat(first, [SIZE])], [SIZE], ticks=np.arange(1, 1 + SIZE))
    weight = np.zeros((2, SIZE))
    weight[0, :2] = weight[1, 1:4] = 1
    mixed = maker.add(ntensor.LinearOp, [late], [2], weight=weight)
    mixed = maker.add(ntensor.DelayOp, [mixed], [2], ticks=np.array([10, 0]))
    own = {"source": np.array([5]), "target": np.array([1]), "weight": np.ones(1), "delay": np.array([7])}
    other = maker.add(ntensor.SparseLinearOp, [maker.flat(second, [SIZE])], [2], **own)
    found = delayed_paths(maker.add(ntensor.SumOp, [mixed, other, mixed], [2]))
    assert [*found] == [first, second]
    each = {first: [[11, 12] * 2, [2, 3, 4] * 2], second: [[], [7]]}
    for source, delays in each.items():
        sums = [[float(sum(d**k for d in one)) for one in delays] for k in range(3)]
        assert [getattr(found[source], name).tolist() for name in NAMES] == sums
        assert found[source].variance == pytest.approx(np.var([d for one in delays for d in one]))


def test_equal_delays_have_no_variance() -> None:
    """A rounded variance would not be 0, and the sum would be expected at rates."""
    maker = Maker(0)
    (x, _), size = maker.block.args, SIZE
    late = maker.add(ntensor.DelayOp, [maker.flat(x, [size])], [size], ticks=np.full(size, 1_000_003))
    assert delayed_paths(late)[x].variance == 0
