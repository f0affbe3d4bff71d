"""Leaks of populations: canonical values, the reset after a spike, and the mean step of an exponential leak."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, refuse_op
from ....core.help_text import Phrase, WithoutPass
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from . import _canonical_parameters as parameters
from ._neuron_files import EXPONENTIAL

LEG053 = Code("LEG053", "leak-unknown", "the leak of a population is not known")
LEG054 = Code("LEG054", "integer-leak-not-replaceable", "the leak of integers cannot be replaced")


def is_leaky(op: Operation) -> bool:
    """Returns whether an op is a population with an exponential leak."""
    return isinstance(op, ntensor.NeuronOp) and op.family is not None and op.family.data in EXPONENTIAL


def canonical_values(op: ntensor.NeuronOp, update: ntensor.UpdateOp, step: str) -> dict[str, Reals]:
    """Returns the canonical values of a population of reals; `step` is the pass that replaces its leak. Errors: LEG053, LEG054."""
    if update.takes_integers or len(op.xs) != 1:
        expected = "one input of reals"
        help = Phrase(step, ", or ", WithoutPass(step))
        found = str(element_type(op.xs[0])) if len(op.xs) == 1 else f"{len(op.xs)} inputs"
        refuse_op(op, LEG054, expected=expected, found=found, help=help)
    canonical = parameters.canonical_of(op)
    if missing := [name for name in ("decay", "gain", "leak", "threshold") if name not in canonical]:
        help = "add to its neuron, for example: canonical decay = 1 - k, gain = k * r, leak = v_leak, threshold = v_threshold"
        expected, found = "decay, gain, leak and threshold", f"no {missing[0]}"
        refuse_op(op, LEG053, expected=expected, found=found, help=help)
    return canonical


def find_reset(op: ntensor.NeuronOp, update: ntensor.UpdateOp, canonical: dict[str, Reals]) -> str | None:
    """Returns the reset of a population: value, zero or subtract; None if it is not found by strong inputs."""
    from ....simulation.update import Step

    shape = (1, *shape_of(op.z))
    params = {name: array.values for name, array in op.arrays(op.params)}
    way = np.abs(canonical["threshold"] - canonical["leak"]) / np.abs(canonical["gain"] * canonical["gain_i"])
    ends: list[Reals] = []
    for strength in (6.25, 9.5):  # a reset that subtracts the threshold several times leaves 0.25 and 0.5
        states = {name: np.broadcast_to(array.values, shape).copy() for name, array in op.arrays(op.initial)}
        if "v" not in states:
            return None
        fired = Step(update, params, shape)([np.broadcast_to(strength * way, shape)], states).value
        if not fired.all():
            return None
        ends.append(states["v"].astype(np.float64))
    if not np.allclose(*ends, rtol=1e-6, atol=0):
        return "subtract"
    return "value" if "v_reset" in params and np.allclose(ends[0], params["v_reset"], rtol=1e-6) else "zero"


def leak_steps(canonical: dict[str, Reals], shape: tuple[int, ...]) -> Reals:
    """Returns the step of each neuron."""  # 2
    step = (1 - canonical["decay"]) * np.abs(canonical["threshold"] - canonical["leak"]) / 2
    return np.broadcast_to(step, shape)
