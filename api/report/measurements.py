"""Arrays that a report draws: weights, and the records of runs with an input, before and after the passes of a build.

Before is the first network in ticks, after is the model of the chip, or the network after all passes where the model cannot run on this machine. Tick t of
the first is compared with tick t + latency of the chip; in a network of frames, sums over the ticks of a frame are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...analysis.latency import latencies
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Reals
from ...core.diagnostics import Code, Diagnostics, describe_op, refuse
from ...core.fixed_point import Interval
from ...core.ir import pipeline
from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import element_type, shape_of
from ...core.progress import Progress
from ...dialects import ntensor
from ...simulation.axes import order_axes
from ...simulation.frames import add_array, read_data
from ...simulation.stimuli import Given
from ..compiling.builds import ARRAYS, STAGES, stages
from ..compiling.target_pipelines import DISCRETE
from ..modules import parent_module, read
from ..running.run import discretise, execute
from .figures.density import flat_neurons
from .membranes import STATE, is_recorded_before, membrane_unit
from .weight_histories import ONCE, Learning, WeightHistory, weight_histories, weight_records

API020 = Code("API020", "input-without-drawn-sample", "an input has no sample or no tick that a report draws")

SAMPLES = 4
"""Largest number of samples that run for a report."""
POPULATIONS = 12
"""Largest number of populations whose spikes and states are drawn."""


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
class InputWeights:
    """The weights of the synapses that reach a population without another population between them."""

    bits: tuple[int, ...]
    """Bits of quantised weights, each once."""
    error: float | None
    """The largest root mean square of the changes of a projection, relative to that of its weights before; None if no weights have the unit of the network."""


def input_weights(module: ModuleOp, before: Mapping[str, Reals]) -> dict[str, InputWeights]:
    """Returns the weights of each population, compared with those before."""
    network, after = network_of(module), weights_of(module)
    found: dict[str, InputWeights] = {}
    for population in () if network is None else network.populations:
        bits: list[int] = []
        errors: list[float] = []
        upstream = walk_upstream(population.operands, lambda op: not isinstance(op, ntensor.NeuronOp))
        for op in (value.owner for value in upstream):
            node = describe_op(op)[1] if isinstance(op, Operation) and "weight" in op.properties else None
            if not isinstance(op, Operation) or node not in after:
                continue
            quantized = op.properties.get("quantized")
            bits += [quantized.bits.data] if isinstance(quantized, ntensor.QuantizedAttr) else []
            if node in before and before[node].shape == after[node].shape and (is_real(op) or quantized is not None):
                errors.append(relative_error(before[node], after[node]))
        found[population.node.data] = InputWeights(tuple(dict.fromkeys(bits)), max(errors, default=None))
    return found


def is_real(op: Operation) -> bool:
    """Returns whether the weights of an op are reals, and so in the unit of the network."""
    weight = op.properties.get("weight")
    return isinstance(weight, ArrayAttr) and weight.values.dtype.kind == "f"


def relative_error(before: Reals, after: Reals) -> float:
    """Returns the root mean square of a difference, relative to that of the first array; 0 if both are zero."""
    square = float(np.square(before).sum())
    change = float(np.square(after - before).sum())
    return (change / square) ** 0.5 if square else float(change > 0)


@frozen
class Records:
    """Records of a population in one run. Shapes: [samples, ticks, neurons]."""

    shape: tuple[int, ...]
    """Shape of the population, such as maps x height x width."""
    events: NDArray[np.int64] | None
    """Spikes, sums of counts, or graded spikes that are not zero; None for a population of values."""
    values: Reals | None
    """Values in the unit of the network, or of the chip if its unit is not known; None for events."""
    membranes: Reals | None
    """Membranes after each tick in units of the threshold; not a number for a neuron without a threshold. The last tick can be missing."""
    is_scaled: bool = True
    """Whether values have the unit of the network."""
    saturated: float | None = None
    """Share of the recorded membranes at an end of their integer type; None for reals."""
    bits: tuple[int, int] | None = None
    """Bits that the recorded membranes need, and those of their type; None for reals."""


@frozen
class Recorded:
    """Records of a run by population."""

    populations: dict[str, Records]
    lags: dict[str, int]
    """Latency of each late population [ticks]."""
    frame_ticks: int
    extent: str
    model: str = "network"
    weights: Mapping[str, WeightHistory] = {}
    """Weights of the synapses that learn, by node."""


def recorded_run(
    module: ModuleOp,
    given: Given,
    axes: str | None,
    diagnostics: Diagnostics,
    progress: Progress | None = None,
    chip: Callable[..., Any] | None = None,
    learning: Learning = ONCE,
) -> Recorded:
    """Runs a network in ticks, or the model of its chip, with the first samples of an input, and records the populations.

    Weights that learn are recorded in the intervals of `learning`. With its mode `continue` all samples run.
    """
    network = discretise(module, {}, diagnostics)
    updates = ntensor.updates_of(network)
    drawn = {op.node.data: op for op in list(network.populations)[:POPULATIONS]}
    traced = [name for name, op in drawn.items() if STATE in updates[op.update_name].state_types]
    fed = read_data(network, order_axes(given, axes), diagnostics)
    if not fed.samples or not fed.ticks:
        refuse(
            API020,
            at="--input",
            expected="at least one sample and one tick",
            found=fed.extent(),
            help="--input poisson:0.1,ticks=100",
        )
    _, part = next(iter(fed.groups(1, fed.samples if learning.mode == "continue" else SAMPLES)))
    learnt = dict[str, str]() if learning.mode == "off" else weight_records(network, fed.ticks, learning.records)
    result = execute(
        parent_module(network),
        part,
        record=[*drawn, *(f"{name}.{STATE}" for name in traced), *learnt.values()],
        learn=learning.mode,
        progress=progress,
        chip=chip,
        diagnostics=diagnostics,
    )
    batched = {name: array if result.has_samples else array[None] for name, array in result.arrays.items()}
    histories = weight_histories(network, batched, learnt, fed.ticks, learning.mode)
    arrays = {name: flat_neurons(array, has_samples=result.has_samples) for name, array in result.arrays.items()}
    populations = {
        name: population_records(op, updates[op.update_name], arrays[name], arrays.get(f"{name}.{STATE}"))
        for name, op in drawn.items()
    }
    extent = fed.extent() if result.samples == fed.samples else f"the first {result.samples} of {fed.extent()}"
    return Recorded(populations, latencies(network), network.frame_ticks, extent, weights=histories)


def population_records(
    op: ntensor.NeuronOp, update: ntensor.UpdateOp, output: AnyArray, states: AnyArray | None
) -> Records:
    """Returns the records of a population in the units of a report."""
    shape, element = shape_of(op.z.type), element_type(op.z.type)
    if not ntensor.is_event(element):
        step = value_unit(op)
        scaled = output.astype(np.float64) * (1.0 if step is None else step)
        return Records(shape, None, scaled, None, is_scaled=step is not None or output.dtype.kind == "f")
    counts = output if isinstance(element, ntensor.CountType) else output != 0
    unit = None if states is None else membrane_unit(op, update)
    membranes = None if states is None or unit is None else unit.scaled(states)
    if membranes is not None and is_recorded_before(update):
        membranes = membranes[:, 1:]  # that after each tick; the last one is not known
    records = Records(shape, counts.astype(np.int64), None, membranes)
    held = None if states is None else ntensor.interval_of(update.state_types[STATE])
    if states is None or held is None or not states.size:
        return records
    needed = Interval(int(states.min()), int(states.max())).signed_bits
    saturated = float(((states == held.low) | (states == held.high)).mean())
    return evolve(records, saturated=saturated, bits=(needed, held.signed_bits))


def value_unit(op: ntensor.NeuronOp) -> Reals | None:
    """Returns the value in the network that 1 of an integer value represents; None if it is not known."""
    found = None if op.canonical is None else dict(op.arrays(op.canonical)).get("step")
    return None if found is None else np.broadcast_to(found.values, shape_of(op.z.type)).astype(np.float64).reshape(-1)


@frozen
class Pair:
    """A population in both runs over the ticks that are compared; None for a run that lacks it."""

    name: str
    before: Records | None
    after: Records | None
    latency: int = 0
    is_single: bool = False
    """Whether there is one run alone, which is neither before nor after passes."""

    @property
    def records(self) -> Records:
        """The records after the passes, or before them where the chip has no such population."""
        found = self.after or self.before
        assert found is not None  # a pair has one at least
        return found


def pairs_of(before: Recorded, after: Recorded) -> list[Pair]:
    """Returns the populations of two runs, in the order of the first; those of the second alone come last."""
    ticks = max(1, after.frame_ticks // before.frame_ticks)
    found: list[Pair] = []
    for name in dict.fromkeys([*before.populations, *after.populations]):
        lag = max(0, after.lags.get(name, 0) - before.lags.get(name, 0))
        a, b = before.populations.get(name), after.populations.get(name)
        a = None if a is None else later(a, 0, lag, ticks)
        found.append(Pair(name, a, None if b is None else later(b, lag if a else 0, 0, 1), lag))
    return found


def later(records: Records, first: int, last: int, ticks: int) -> Records:
    """Returns records without the first and the last ticks. `ticks` are added up to a frame, which has no membranes."""

    def part(array: AnyArray | None) -> Any:
        if array is None or ticks > 1:
            return None if array is None else add_array(array, ticks)
        return array[:, first : max(first, array.shape[1] - last)]

    return evolve(
        records,
        events=part(records.events),
        values=part(records.values),
        membranes=None if ticks > 1 else part(records.membranes),
    )


def telling_neurons(pair: Pair, count: int = 3) -> list[int]:
    """Returns the neurons of the first sample whose events or values differ most between the runs, and vary most where they are equal, in their order.

    A neuron with an event in half of the ticks varies most.
    """
    runs = [
        one.events if one.events is not None else one.values for one in (pair.before, pair.after) if one is not None
    ]
    known = [array[0].astype(np.float64) for array in runs if array is not None and array.shape[1]]
    if not known or not known[0].shape[1]:
        return []
    is_alike = len(known) == 2 and known[0].shape == known[1].shape
    differences = np.abs(known[0] - known[1]).sum(0) if is_alike else np.zeros(known[0].shape[1])
    return sorted(int(n) for n in np.lexsort((-known[-1].std(0), -differences))[:count])
