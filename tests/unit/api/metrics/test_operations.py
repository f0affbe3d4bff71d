"""Operations of connections and neurons, counted by plain loops."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest
from nets import Net
from numpy.typing import NDArray
from xdsl.dialects.builtin import f64

from nopt.api.metrics.operations import Fanout, NeuronTotals, SynapticTotals, operations_of_update
from nopt.api.metrics.parameters import connections, count_parameters
from nopt.api.modules import apply, only_network, parent_module, parse
from nopt.core.ir.operation import shape_of
from nopt.dialects.ntensor import NetworkOp


def layer(name: str, rng: np.random.Generator) -> NetworkOp:
    """Returns a dense layer, or a convolution with padding, stride, dilation or groups; some weights are zero."""

    def weights(*shape: int) -> NDArray[np.float64]:
        return rng.integers(1, 9, shape) * (rng.random(shape) < 0.6) / 8

    if name == "dense":
        net = Net(x=((7,), f64))
        return net.network(y=net.linear(net.input("x"), weights(5, 7), weights(5)))
    if name == "wide":
        net = Net(x=((2, 5, 6), f64))
        x, padding = net.input("x"), ((1, 1), (0, 2))
        return net.network(y=net.conv(x, weights(4, 1, 3, 2), padding=padding, stride=(2, 1), groups=2))
    net = Net(x=((3, 9), f64))
    return net.network(y=net.conv(net.input("x"), weights(2, 3, 3), weights(2), padding=((2, 1),), dilation=(2,)))


@pytest.mark.parametrize("name", ["dense", "wide", "dilated"])
def test_operations_are_those_of_a_loop_over_synapses(name: str) -> None:
    rng = np.random.default_rng(49)
    (op,) = connections(layer(name, rng))
    source, _, place = op.pairs()
    weights = op.weight_values().values.reshape(-1)[place]
    share = 0.4 / prod(shape_of(op.x))  # a third of the rows have a fraction
    rows = rng.choice([-1, 0, 1, 0.5], (3, 4, *shape_of(op.x)), p=[0.2, 0.5, 0.3 - share, share])
    totals, macs, acs = SynapticTotals(), 0, 0
    totals.add(Fanout.of(op), rows)
    for row in rows.reshape(12, -1):
        count = sum(1 for at, weight in zip(source, weights, strict=True) if row[at] and weight)
        if {*row.tolist()} <= {-1, 0, 1}:
            acs += count
        else:
            macs += count
    assert (totals.macs, totals.acs, totals.dense) == (macs, acs, 12 * len(source))
    assert macs
    assert acs


def test_taps_in_the_padding_are_no_operations() -> None:
    """A kernel of 3 x 3 on 2 x 2 elements with padding 1 has 4 of its 9 taps on the map at each of 4 positions."""
    net = Net(x=((1, 2, 2), f64))
    y = net.conv(net.input("x"), np.ones((1, 1, 3, 3)), padding=((1, 1), (1, 1)))
    (op,) = connections(net.network(y=y))
    assert Fanout.of(op).dense == 16


def test_updates_that_change_nothing_count_in_the_first_tick_alone() -> None:
    totals = NeuronTotals()
    membrane = np.array([[[0.0, 1.0], [0.0, 0.5], [0.0, 0.5]], [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]])
    totals.add(membrane >= 1, membrane)
    # 2 in the first tick of each sample, then 1 change in the first sample and 2 in the second
    assert (totals.outputs, totals.active, totals.updates) == (12, 2, 4 + 1 + 2)
    assert totals.sparsity == 10 / 12


NEURONS = """
ntensor.update @{symbol} <spike> inputs ["x"] states ["v"] initial {{
^bb0:
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
}} step {{
^bb0(%x: f64, %v: f64):
  %s = arith.addf %x, %v : f64
  %t = arith.constant 1.0 : f64
  %z = arith.cmpf ogt, %s, %t : f64
  ntensor.emit %z, %s : i1, f64
}}
ntensor.network @net("x" %x: tensor<2xf64>) -> ("z": tensor<2xi1>) attributes {{tick_ns = 1000000 : i64}} {{
  %z = ntensor.neuron "n" @{symbol}(%x) {{{family}params = {{}}, initial = {{v = #nopt.array<0.0 : tensor<f64>>}}}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}}
"""


@pytest.mark.parametrize(
    ("symbol", "family", "expected"),
    [
        ("snntorch_lif.subtract_next", "lif", 4),
        ("norse_lif.value.f32", "lif", 4),
        ("snntorch_cuba_lif.subtract", "cuba_lif", 6),
        ("snntorch_cuba_lif.zero_next", "cuba_lif", 8),
        ("snntorch_lif.none", "lif", "resets by subtraction and to zero"),
        ("snntorch_if.zero", "if", "the family if"),
        ("own", "lif", "@own"),
        ("own.zero", None, "no family"),
    ],
)
def test_operations_follow_from_family_and_reset(symbol: str, family: str | None, expected: Any) -> None:
    given = "" if family is None else f'family = "{family}", '
    network = only_network(parse(NEURONS.format(symbol=symbol, family=given)))
    found = operations_of_update(network.populations[0])
    assert found == expected if isinstance(expected, int) else expected in str(found)


def test_parameters_have_the_bits_of_their_numbers() -> None:
    """Two of six weights are zero; a bias of zeros is a parameter of a linear map."""
    net = Net(x=((3,), f64))
    y = net.linear(net.input("x"), np.array([[0.0, 1, 2], [3, 0, 4]]), np.zeros(2))
    totals = count_parameters(net.network(y=y))
    assert (totals.count, totals.bits, totals.bytes, totals.sparsity) == (8, 8 * 64, 64, 0.3333)
    assert not totals.has_integers


def test_a_scale_and_a_missing_bias_are_no_connections() -> None:
    """NIR has no convolution without a bias, so a bias of zeros is not a parameter; a scale is a parameter without a connection."""
    net = Net(x=((1, 2, 2), f64))
    y = net.conv(net.input("x"), np.ones((2, 1, 1, 1)), np.zeros(2))
    network = net.network(y=net.scale(y, np.array(0.0)))
    totals = count_parameters(network)
    assert (totals.count, totals.weights, totals.zeros, totals.sparsity) == (3, 2, 0, 0.0)
    assert len([*connections(network)]) == 1


def test_quantised_weights_have_their_bits() -> None:
    net = Net(x=((3,), f64))
    module = parent_module(net.network(y=net.linear(net.input("x"), np.array([[0.5, 1.0, 0.0]]))))
    apply(module, "ntensor-quantize-weights{bits=3}")
    totals = count_parameters(only_network(module))
    assert (totals.count, totals.bits, totals.bytes, totals.sparsity) == (3, 9, 2, 0.3333)
    assert totals.has_integers
