"""Generated networks on several cores of SpiNNaker 2.

Networks have two populations of leaky neurons, with a synaptic current or without, weights of both signs, delays that differ, and loops.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from nopt.api.conformance.networks import Drawing, Drawn, discretised, is_active
from nopt.api.conformance.subject import Compiled, Subject
from nopt.core.device.named_device import resolve_device
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir

TICKS = 30


def population(drawing: Drawing, rng: np.random.Generator, node: str, x: Any) -> Any:
    """Adds a population, with a synaptic current or without."""
    given = {"r": 2.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}
    if rng.random() < 0.5:
        kind, more = nir.CubaLIFOp, {"tau_mem": 0.008, "tau_syn": 0.003, "w_in": 1.0}
    else:
        kind, more = nir.LIFOp, {"tau": 0.005}
    return drawing.add(
        kind, node, x, **{name: np.full(shape_of(x), value) for name, value in {**given, **more}.items()}
    )


def draw(seed: int, longest: int) -> Drawn:
    """Returns the first network of a seed in which every population is active."""
    return next(drawn for attempt in range(500) if is_active(drawn := draw_once(seed, attempt, longest)))


def draw_once(seed: int, attempt: int, longest: int) -> Drawn:
    rng = np.random.default_rng([22, seed, attempt])
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
    if longest > 1:
        second = drawing.add(nir.DelayOp, "late", second, delay=rng.integers(1, longest + 1, outputs) / 1000)
    module = drawing.finish(population(drawing, rng, "two", second))
    reset = "subtract" if seed % 4 > 1 else "value"
    choices = {"dt": "1ms", "like": "spinnaker2", "reset": reset, "loop_delay": "spikes"}
    return Drawn(f"seed {seed}", discretised(module, choices), rng.random((2, TICKS, inputs)) < 0.3)


@cache
def compiled(seed: int, device: str) -> tuple[Subject, Compiled]:
    """Returns a network for cores that are so small that it takes several. No test changes it."""
    subject = Subject(resolve_device(f"spinnaker2/{device}"), 1, 0)
    found = subject.compile(draw(seed, 8 if device == "chip_delays" else 1), subject.settings("core.neurons=8"))
    assert found.fit.is_fitting, found.refusal
    return subject, found
