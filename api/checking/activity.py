"""Activity check: populations that never fire or always fire for an input, and signals that are not finite.

The samples run in groups, so that the records of all populations need a bounded amount of memory.
"""

from __future__ import annotations

from functools import cache, partial
from math import prod
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from ...core.diagnostics import Code, Diagnostics
from ...core.help_text import Phrase
from ...core.ir.operation import element_type, shape_of
from ...core.progress import Progress, offset_progress
from ...dialects import ntensor
from ...simulation.frames import read_data
from ...simulation.stimuli import Given, Stimulus
from ..modules import parent_module
from ..running.run import execute
from .balance_help import balance_help, is_converted

CHK012 = Code("CHK012", "input-silent", "an input is silent")
CHK013 = Code("CHK013", "population-silent", "a population is silent")
CHK014 = Code("CHK014", "population-always-fires", "a population always fires")
CHK015 = Code("CHK015", "signal-not-finite", "a signal is not finite")
CHK024 = Code("CHK024", "population-saturates", "most active neurons of a population saturate")

OFTEN = 0.9
"""A population counts as always firing if it fires in a larger fraction of ticks."""
SATURATED = 0.5
"""Largest share of the neurons with a spike in a sample that spike in nearly all of its ticks."""
TICKS = 10
"""Minimal number of ticks for such a warning."""
ROOM_BYTES = 2**26
"""Maximal memory for the records of a group of samples; a group has at least one."""


@define
class Activity:
    """Activity of one node over all samples."""

    size: int = 0
    """Neurons times ticks times samples."""
    events: int = 0
    """Neurons and ticks with a spike."""
    active: int = 0
    """Neurons and samples with a spike."""
    saturated: int = 0
    """Neurons and samples with a spike in more than `OFTEN` of the ticks."""
    is_finite: bool = True

    def add(self, array: NDArray[Any]) -> None:
        """Adds samples. Shapes: array [samples, ticks, *shape]."""
        self.size += array.size
        if array.dtype.kind == "f":
            self.is_finite &= bool(np.isfinite(array).all())
        else:
            ticks = np.count_nonzero(array, axis=1)
            self.events += int(ticks.sum())
            self.active += int(np.count_nonzero(ticks))
            self.saturated += int(np.count_nonzero(ticks > OFTEN * array.shape[1]))


def check_activity(
    network: ntensor.NetworkOp, calib: Given, diagnostics: Diagnostics, progress: Progress | None = None
) -> Stimulus:
    """Runs a network, warns about suspicious activity, and returns the input.

    Warnings: CHK012 to CHK015, CHK024. Errors: those of the input and of the run.
    """
    inputs = {name.data: shape_of(arg) for name, arg in zip(network.input_names, network.body.block.args, strict=True)}
    fed = read_data(network, calib, diagnostics)
    neurons = {op.node.data: op for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp)}
    width = sum(prod(shape_of(op.z)) * (1 if ntensor.is_event(element_type(op.z)) else 8) for op in neurons.values())
    found: dict[str, Activity] = {}
    is_active = dict.fromkeys(inputs, False)
    for some, part in fed.groups(width * fed.ticks, ROOM_BYTES):
        for name, signal in part.items():
            is_active[name] |= bool(np.any(signal.values))
        step = offset_progress(progress, some.start * fed.ticks, fed.samples * fed.ticks)
        module = parent_module(network)
        given = execute(module, part, record=list(neurons), progress=step, diagnostics=diagnostics, is_internal=True)
        for name, array in given.arrays.items():
            found.setdefault(name, Activity()).add(array)
    for name, has_entries in is_active.items():
        if not has_entries and fed.ticks:
            warn(
                diagnostics,
                CHK012,
                "the input is silent",
                f'input "{name}"',
                name,
                "an entry other than 0",
                "only zeros",
            )
    has_events = any(is_active.values()) or not inputs
    balance = cache(partial(balance_help, network, calib))
    for name, activity in found.items():
        op = neurons.get(name)
        at = f'output "{name}"' if op is None else f'{op.name} "{name}"'
        if not activity.is_finite:
            warn(diagnostics, CHK015, "a signal is not finite", at, name, "finite numbers", "infinity or NaN")
        if op is None or not activity.size or not ntensor.is_event(element_type(op.z)):
            continue
        extent = f"{prod(shape_of(op.z))} neurons in {fed.ticks} ticks of {fed.samples} sample{'s' * (fed.samples > 1)}"
        if not activity.events and has_events:
            warn(diagnostics, CHK013, "the population is silent", at, name, "spikes", f"none of {extent}", balance())
        if fed.ticks < TICKS:
            continue
        if activity.events > OFTEN * activity.size:
            often = f"{activity.events / activity.size:.1%} of all ticks, over {extent}"
            limit = f"at most {OFTEN:.0%} of all ticks"
            warn(diagnostics, CHK014, "the population always fires", at, name, limit, often, balance())
        elif is_converted(op) and activity.saturated > SATURATED * activity.active:
            most = f"{activity.saturated / activity.active:.1%} of the active neurons in more than {OFTEN:.0%} of the ticks of a sample, over {extent}"
            limit = f"at most {SATURATED:.0%} of the neurons that spike in a sample"
            message = "most active neurons of the population saturate"
            warn(diagnostics, CHK024, message, at, name, limit, most, balance())
    return fed


def warn(
    diagnostics: Diagnostics,
    code: Code,
    message: str,
    at: str,
    node: str,
    expected: str,
    found: str,
    help: str | Phrase | None = None,
) -> None:
    text = help or f"nopt explain {code}"
    diagnostics.warning(code, message, at=at, node=node, expected=expected, found=found, help=text)
