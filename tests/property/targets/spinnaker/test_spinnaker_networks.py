"""Generated networks on several cores of SpiNNaker: the model of words and ring buffers equals the network in ticks in every state.

Networks have two populations of leaky neurons, with a synaptic current or without, weights of both signs, delays that differ, and loops.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from extent import times

from nopt.api.conformance.networks import Drawing, Drawn, discretised, is_active, run_network
from nopt.api.conformance.subject import Compiled, Subject, records_of
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir
from nopt.dialects.spinnaker import ChipOp

NETWORKS = times(5)
TICKS = 30
RING_MOST = 0xFFFF


def population(drawing: Drawing, rng: np.random.Generator, node: str, x: Any) -> Any:
    """Adds a population, with a synaptic current or without."""
    given = {"r": 2.0, "v_leak": float(rng.choice([0.0, 0.1])), "v_threshold": 1.0, "v_reset": 0.0}
    if rng.random() < 0.5:
        kind, more = nir.CubaLIFOp, {"tau_mem": 0.008, "tau_syn": 0.003, "w_in": 1.0}
    else:
        kind, more = nir.LIFOp, {"tau": 0.005}
    return drawing.add(
        kind, node, x, **{name: np.full(shape_of(x), value) for name, value in {**given, **more}.items()}
    )


def draw(seed: int) -> Drawn:
    """Returns the first network of a seed in which every population is active."""
    return next(drawn for attempt in range(500) if is_active(drawn := draw_once(seed, attempt)))


def draw_once(seed: int, attempt: int) -> Drawn:
    rng = np.random.default_rng([18, seed, attempt])
    inputs, hidden, outputs = (int(n) for n in rng.integers((5, 20, 5), (14, 40, 20)))
    drawing = Drawing(inputs)
    first = drawing.linear("fc1", drawing.x, rng.normal(0.4, 1, (hidden, inputs)).astype(np.float32))
    if is_loop := seed % 2 == 1:
        back = drawing.linear("rec", first, rng.normal(0, 0.3, (hidden, hidden)).astype(np.float32))
        first = drawing.sum(first, back)
    z = population(drawing, rng, "one", first)
    if is_loop:
        back.owner.operands[0] = z
    second = drawing.linear("fc2", z, rng.normal(0.3, 1, (outputs, hidden)).astype(np.float32))
    if seed % 3 == 0:
        second = drawing.add(nir.DelayOp, "late", second, delay=rng.integers(1, 20, outputs) / 1000)
    module = drawing.finish(population(drawing, rng, "two", second))
    choices = {"dt": "1ms", "like": "euler", "reset": "value", "loop_delay": "spikes"}
    return Drawn(f"seed {seed}", discretised(module, choices), rng.random((2, TICKS, inputs)) < 0.3)


@cache
def compiled(seed: int) -> tuple[Subject, Compiled]:
    """Returns a network for cores that are so small that it takes several. No test changes it."""
    subject = Subject(resolve_device("spinnaker/spinn5"), 1, 0)
    found = subject.compile(draw(seed), subject.settings("core.neurons=8"))
    assert found.fit.is_fitting, found.refusal
    return subject, found


@pytest.mark.parametrize("seed", range(NETWORKS))
def test_model_equals_the_network_in_every_state(seed: int) -> None:
    subject, found = compiled(seed)
    chip = next(op for op in found.module.ops if isinstance(op, ChipOp))
    assert len(chip.cores) > 3
    record = records_of(found.network)
    assert subject.difference(found, subject.run(found, record), record) is None
    assert run_network(found.network, found.drawn.x)["output"].any()


@pytest.mark.parametrize("seed", range(4))
def test_loader_reads_the_chip_back(seed: int) -> None:
    subject, found = compiled(seed)
    assert subject.target.load is not None
    loaded = subject.target.load()(subject.files(found), Diagnostics())
    before, after = (next(op for op in module.ops if isinstance(op, ChipOp)) for module in (found.module, loaded))
    assert {**before.properties, "approximations": None} == {**after.properties, "approximations": None}
    assert before.body.is_structurally_equivalent(after.body)


def test_ring_buffers_saturate_as_the_network_does() -> None:
    """Three weights of 2^15 - 1 in one tick exceed an entry of 16 bits. As the weights are integers already, nothing scales them."""
    from nopt.core.arrays.arrays import ArrayAttr
    from nopt.dialects import ntensor

    drawing = Drawing(3)
    x = drawing.linear("fc", drawing.x, np.full((1, 3), 1.0, np.float32))
    given = {"r": 1.0, "v_leak": 0.0, "v_threshold": 2.2 * 32767, "v_reset": 0.0, "tau": 0.001}
    module = drawing.finish(drawing.add(nir.LIFOp, "z", x, **{k: np.full(shape_of(x), v) for k, v in given.items()}))
    drawn = Drawn(
        "saturated",
        discretised(module, {"dt": "1ms", "like": "euler", "reset": "value"}),
        np.ones((1, 4, 3), np.bool_),
    )
    (op,) = [op for op in drawn.module.walk() if isinstance(op, ntensor.LinearOp)]
    weight = np.full((1, 3), 32767, np.int16)
    op.replace_weights(ArrayAttr.of(weight), ntensor.QuantizedAttr.of(16, np.ones(())))
    subject = Subject(resolve_device("spinnaker/spinn5"), 1, 0)
    found = subject.compile(drawn, subject.settings())
    assert found.fit.is_fitting, found.refusal
    assert subject.difference(found, subject.run(found)) is None
    assert 3 * 32767 > 2.2 * 32767 > RING_MOST  # the sum of reals spikes, the saturated one does not
    assert not subject.run(found)["output"].any()
