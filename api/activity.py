"""What a network does with an input: populations that never fire, or all the time, and signals that are no numbers.

Some samples run at a time, so that what is recorded of all populations never stands in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..core.diagnostics import Code, Diagnostics
from ..core.ir.operation import element_type, shape_of
from ..dialects import ntensor
from ..simulation.signals import DenseSignal
from .execution import execute
from .signals import Given, Stimulus, stimulus

CHK012 = Code(
    "CHK012",
    "an input is silent",
    cause="Every entry of the array is zero, so what the network does with it says little about the network.",
    remedy="Give an input as the network is used with; check how it was encoded.",
)
CHK013 = Code(
    "CHK013",
    "a population is silent",
    cause="No neuron of it fires in any tick of any sample of the input, so it passes nothing on. Most often a scale was lost, "
    "or the time step is not the one of the training.",
    remedy="Check the time step, the rule and the scale of the input; look at `nopt run … --record NODE.v`.",
)
CHK014 = Code(
    "CHK014",
    "a population fires all the time",
    cause="Its neurons fire in more than nine of ten ticks of the input, so what it says hardly depends on the input. "
    "Most often the input is far larger than in the training, or the time step is not the one of the training.",
    remedy="Check the time step, the rule and the scale of the input; look at `nopt run … --record NODE.v`.",
)
CHK015 = Code(
    "CHK015",
    "a signal is not finite",
    cause="Somewhere in the network a number grew beyond the largest one, or no number came out of an operation.",
    remedy="Check the time step against the time constants, and the scale of the input.",
)

OFTEN = 0.9
"""The part of all ticks in which a population fires that fires all the time."""
TICKS = 10
"""Ticks that it takes to speak of all the time."""
ROOM_BYTES = 2**26
"""What the records of the samples that run together may take, as long as it is more than one."""

Progress = Callable[[int, int], None]
"""Called with the ticks that are done, and all of them."""


@define
class Activity:
    """What one node gave over all samples."""

    size: int = 0
    """Neurons times ticks times samples."""
    events: int = 0
    """Neurons and ticks with a spike."""
    is_finite: bool = True

    def add(self, array: NDArray[Any]) -> None:
        self.size += array.size
        if array.dtype.kind == "f":
            self.is_finite &= bool(np.isfinite(array).all())
        else:
            self.events += int(np.count_nonzero(array))


def check_activity(
    network: ntensor.NetworkOp, calib: Given, diagnostics: Diagnostics, progress: Progress | None = None
) -> Stimulus:
    """Runs a network, warns about what it does, and returns the input as it was read.

    Warnings: CHK012 to CHK015. Errors: those of the input and of the run.
    """
    inputs = {name.data: shape_of(arg) for name, arg in zip(network.input_names, network.body.block.args, strict=True)}
    fed = stimulus(calib, inputs, network.tick_ns.value.data, diagnostics)
    neurons = {op.node.data: op for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp)}
    width = sum(prod(shape_of(op.z)) * (1 if ntensor.is_event(element_type(op.z)) else 8) for op in neurons.values())
    together = max(1, ROOM_BYTES // max(1, width * fed.ticks))
    module = network.parent_op()
    assert isinstance(module, ModuleOp)  # networks stand in modules
    found: dict[str, Activity] = {}
    heard = dict.fromkeys(inputs, False)
    for first in range(0, fed.samples, together):
        some = slice(first, min(first + together, fed.samples))
        part = {name: signal.window(some, slice(0, fed.ticks)) for name, signal in fed.signals.items()}
        for name, window in part.items():
            heard[name] |= bool(np.any(window))

        def step(done: int, all: int, first: int = first) -> None:
            if progress is not None:
                progress(first * fed.ticks + done, fed.samples * fed.ticks)

        signals = {name: DenseSignal(np.swapaxes(window, 0, 1)) for name, window in part.items()}
        given = execute(module, signals, record=list(neurons), progress=step, diagnostics=diagnostics)
        for name, array in given.arrays.items():
            found.setdefault(name, Activity()).add(array)
    for name, is_heard in heard.items():
        if not is_heard and fed.ticks:
            warn(
                diagnostics,
                CHK012,
                "the input is silent",
                f'input "{name}"',
                name,
                "an entry other than 0",
                "only zeros",
            )
    has_events = any(heard.values()) or not inputs
    for name, activity in found.items():
        op = neurons.get(name)
        at = f'output "{name}"' if op is None else f'{op.name} "{name}"'
        if not activity.is_finite:
            warn(diagnostics, CHK015, "a signal is not finite", at, name, "numbers", "infinity, or no number")
        if op is None or not activity.size or not ntensor.is_event(element_type(op.z)):
            continue
        extent = f"{prod(shape_of(op.z))} neurons in {fed.ticks} ticks of {fed.samples} sample{'s' * (fed.samples > 1)}"
        if not activity.events and has_events:
            warn(diagnostics, CHK013, "the population is silent", at, name, "spikes", f"none of {extent}")
        if activity.events > OFTEN * activity.size and fed.ticks >= TICKS:
            often = f"{activity.events / activity.size:.1%} of all ticks, over {extent}"
            warn(
                diagnostics,
                CHK014,
                "the population fires all the time",
                at,
                name,
                f"at most {OFTEN:.0%} of all ticks",
                often,
            )
    return fed


def warn(diagnostics: Diagnostics, code: Code, message: str, at: str, node: str, expected: str, found: str) -> None:
    help = f"nopt explain {code}"
    diagnostics.warning(code, message, at=at, node=node, expected=expected, found=found, help=help)
