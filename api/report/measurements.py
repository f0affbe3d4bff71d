"""Arrays that a report draws: weights before and after each lossy pass, and the records of runs with an input."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, Diagnostics, describe_op, refuse
from ...core.ir import pipeline
from ...core.progress import Progress
from ...dialects import ntensor
from ...simulation.axes import order_axes
from ...simulation.frames import read_data
from ...simulation.stimuli import Given
from ..compiling.builds import ARRAYS, STAGES, stages
from ..compiling.target_pipelines import DISCRETE
from ..modules import parent_module, read
from ..running.run import discretise, execute
from .drawings import flat_neurons

API020 = Code("API020", "input-without-drawn-sample", "an input has no sample that a report draws")

SAMPLES = 4
"""Largest number of samples that run for a report."""
POPULATIONS = 12
"""Largest number of populations whose spikes and states are drawn."""
STATE = "v"
"""The state that is drawn: the membrane potential."""


@frozen
class Lossy:
    """A network before and after passes that record approximations."""

    step: str
    before: ModuleOp
    after: ModuleOp


def network_of(module: ModuleOp) -> ntensor.NetworkOp | None:
    return next((op for op in module.ops if isinstance(op, ntensor.NetworkOp)), None)


def discrete_stages(folder: Path) -> list[tuple[str, ModuleOp]]:
    """Returns the passes of a build that result in a network in ticks, each by its name with the network. Errors: those of reading."""
    written, arrays = stages(folder), folder / STAGES / ARRAYS
    names = [path.stem.partition("-")[2] for path in written]
    levels = pipeline.levels_after(names, DISCRETE)
    found: list[tuple[str, ModuleOp]] = []
    for name, path, level in zip(names, written, levels, strict=True):
        if level == DISCRETE:
            module = read(path, arrays=arrays, diagnostics=Diagnostics())
            found += [(name, module)] if network_of(module) is not None else []
    return found


def lossy_steps(found: Sequence[tuple[str, ModuleOp]]) -> list[Lossy]:
    """Returns the passes that record approximations, each with the networks around it."""

    def records(module: ModuleOp) -> int:
        network = network_of(module)
        return 0 if network is None else len(network.approximations or ())

    return [
        Lossy(name, before, after) for (_, before), (name, after) in pairwise(found) if records(after) > records(before)
    ]


def weights_of(module: ModuleOp) -> dict[str, NDArray[np.float64]]:
    """Returns the values of the weights of each node."""
    network = network_of(module)
    found: dict[str, NDArray[np.float64]] = {}
    for op in () if network is None else network.body.block.ops:
        weight, quantized = op.properties.get("weight"), op.properties.get("quantized")
        if isinstance(weight, ArrayAttr) and (node := describe_op(op)[1]) is not None:
            is_quantized = isinstance(quantized, ntensor.QuantizedAttr)
            values = quantized.values_of(weight.values, np.dtype(np.float64)) if is_quantized else weight.values
            found[node] = np.asarray(values, np.float64).reshape(-1)
    return found


@frozen
class Recorded:
    """Records of a run by population. Shapes: [samples, ticks, neurons]."""

    spikes: dict[str, NDArray[Any]]
    states: dict[str, NDArray[Any]]
    extent: str


def recorded_run(
    module: ModuleOp, given: Given, axes: str | None, diagnostics: Diagnostics, progress: Progress | None = None
) -> Recorded:
    """Runs a network in ticks with the first samples of an input, and records the output and the membrane of each population."""
    network = discretise(module, {}, diagnostics)
    updates = ntensor.updates_of(network)
    populations = {op.node.data: [name.data for name in updates[op.update_name].states] for op in network.populations}
    drawn = list(populations)[:POPULATIONS]
    traced = [name for name in drawn if STATE in populations[name]]
    fed = read_data(network, order_axes(given, axes), diagnostics)
    if not fed.samples:
        refuse(API020, expected="at least one sample", found=fed.extent(), help="--input poisson:0.1,ticks=100")
    _, part = next(iter(fed.groups(1, SAMPLES)))
    result = execute(
        parent_module(network),
        part,
        record=[*drawn, *(f"{name}.{STATE}" for name in traced)],
        progress=progress,
        diagnostics=diagnostics,
    )
    arrays = {name: flat_neurons(array, has_samples=result.has_samples) for name, array in result.arrays.items()}
    return Recorded(
        {name: arrays[name] for name in drawn},
        {name: arrays[f"{name}.{STATE}"] for name in traced},
        fed.extent() if result.samples == fed.samples else f"the first {result.samples} of {fed.extent()}",
    )


def busiest_neurons(spikes: NDArray[Any], states: NDArray[Any], count: int = 3) -> list[int]:
    """Returns the neurons with the most events, the most varied membrane on ties."""
    if not states.shape[2]:
        return []
    events = spikes.sum((0, 1), dtype=np.float64) if spikes.shape[2] == states.shape[2] else np.zeros(states.shape[2])
    order = np.lexsort((-np.ptp(states[0], axis=0).astype(np.float64), -events))
    return [int(n) for n in order[:count]]
