"""Metrics of NeuroBench for a network in ticks: complexity of the network, and operations for samples.

The numbers are those of its harness with batches of one sample, by the definitions of version 2.3.0. An inference is all ticks of a sample; operations
and updates are means over samples. The samples run in groups, so that the records of all connections need a bounded amount of memory.

| metric | definition |
| --- | --- |
| `Footprint` | memory of the parameters [bytes] |
| `ParameterCount` | weights and biases |
| `ConnectionSparsity` | share of weights that are zero, with four decimals |
| `ActivationSparsity` | share of outputs of neurons that are zero, over ticks; mean over samples |
| `ActivationSparsityByLayer` | the same share of each population, over all samples |
| `SynapticOperations` | effective multiply-accumulates, effective accumulates, and operations without any zero |
| `MembraneUpdates` | updates that changed a membrane potential |
| `NeuronOperations` | updates times operations of an update by class of snnTorch |

Source: NeuroBench 2.3.0, neurobench/metrics; Yik et al., Nature Communications 16:1545 (2025).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from attrs import define
from xdsl.ir import SSAValue

from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.ir.operation import shape_of
from ...core.names import Names
from ...core.progress import Progress, offset_progress, require_progress
from ...dialects.ntensor import NetworkOp
from ...simulation.axes import order_axes
from ...simulation.frames import frames_of, read_data
from ...simulation.runs import REFERENCE
from ...simulation.stimuli import Given, Stimulus
from ..budgets import MaxTime, with_max_time
from ..modules import Network, default_diagnostics, module_of, only_network, parent_module
from ..options import Choices
from ..recording.record_names import node_names
from ..running.run import discretise, execute
from .operations import Fanout, NeuronTotals, SynapticTotals, membrane_of, operations_of_update, share_of_zeros
from .parameters import connections, count_parameters
from .records import Metrics, NeuroBench, NeuronOperations, SynapticOperations

HARNESS = "2.3.0"
"""The version of NeuroBench whose definitions are used."""
RECORD_BYTES = 2**26
"""Maximal memory for the records of a group of samples; a group has at least one."""
NUMBER_BYTES = 8
"""The largest size of a recorded number."""

RUN025 = Code("RUN025", "metrics-without-ticks", "a measurement needs a sample and a tick")


@define
class Totals:
    """Sums over samples."""

    synaptic: SynapticTotals
    neurons: dict[str, NeuronTotals]
    activation_sparsity: float = 0.0


@with_max_time
def neurobench(
    network: Network,
    x: Given,
    *,
    axes: str | None = None,
    ticks: int | None = None,
    engine: str = "auto",
    stage: str | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    choices: Choices | None = None,
) -> NeuroBench:
    """Returns the metrics of NeuroBench for a network and an input.

        nopt.neurobench("net.nir", x, choices={"dt": "1ms", "like": "snntorch"}).metrics.synaptic.acs

    The network, the input and the options are those of `execute`. Each sample counts as a batch: its ticks of accumulations and of multiply-accumulates
    do not depend on other samples.

    Errors: RUN025 no sample, or no tick; those of `execute`.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    graph = discretise(module_of(network, diagnostics=found), choices or {}, found)
    totals, samples, length = measure_totals(graph, order_axes(x, axes), ticks, engine, found, progress)
    parameters, reasons = count_parameters(graph), dict[str, str]()
    if parameters.sparsity is None:
        reasons["ConnectionSparsity"] = "the network has no weights"
    if not totals.neurons:
        reasons["ActivationSparsity"] = "the network has no neurons"
    updates, operations = count_updates(graph, totals, samples, reasons)
    metrics = Metrics(
        footprint=parameters.bytes,
        parameters=parameters.count,
        connection_sparsity=parameters.sparsity,
        activation_sparsity=totals.activation_sparsity if totals.neurons else None,
        layer_sparsity={name: one.sparsity for name, one in totals.neurons.items()},
        synaptic=SynapticOperations(
            *(n / samples for n in (totals.synaptic.macs, totals.synaptic.acs, totals.synaptic.dense))
        ),
        membrane_updates=updates,
        neuron_operations=operations,
    )
    name = graph.sym_name.data
    return NeuroBench(HARNESS, name, stage, samples, length, parameters.bits, parameters.has_integers, metrics, reasons)


def require_ticks(data: Stimulus, length: int, ticks: int | None = None) -> None:
    """Refuses an input without a sample or a tick. Errors: RUN025."""
    if not data.samples or not length:
        refuse(
            RUN025,
            at="--ticks 0" if ticks == 0 else "the input",
            expected="at least one sample and one tick",
            found=data.extent(ticks),
            help="--ticks 100" if ticks == 0 else "--input poisson:0.1 --ticks 100",
        )


def measure_totals(
    graph: NetworkOp, x: Given, ticks: int | None, engine: str, diagnostics: Diagnostics, progress: Progress | None
) -> tuple[Totals, int, int]:
    """Runs a network, and returns sums over samples, the number of samples, and the ticks of each."""
    data = read_data(graph, x, diagnostics)
    length = frames_of(data.ticks if ticks is None else ticks, graph.frame_ticks)
    require_ticks(data, length, ticks)
    observed, inputs = observe_inputs(graph)
    fanouts = [(inputs[op.x], Fanout.of(op)) for op in connections(observed)]
    membranes = {op.node.data: membrane_of(op) for op in observed.populations}
    states = {node: f"{node}.{state}" for node, state in membranes.items() if state is not None}
    totals = Totals(SynapticTotals(), {op.node.data: NeuronTotals() for op in observed.populations})
    outputs = {op.node.data: inputs[op.z] for op in observed.populations}
    recorded = sum(prod(shape_of(value)) for value in inputs) + sum(prod(shape_of(op.z)) for op in observed.populations)
    for some, part in data.groups(NUMBER_BYTES * recorded * length, RECORD_BYTES):
        arrays = execute(
            parent_module(observed),
            part,
            record=[*states.values()],
            ticks=ticks,
            engine=engine,
            model=REFERENCE,
            progress=offset_progress(progress, some.start * data.ticks, data.samples * data.ticks),
            diagnostics=diagnostics,
            is_internal=True,
        ).arrays
        for name, fanout in fanouts:
            totals.synaptic.add(fanout, arrays[name])
        for row in range(some.stop - some.start):
            before = sum_of(totals.neurons.values())
            for node, one in totals.neurons.items():
                state = states.get(node)
                membrane = None if state is None else arrays[state][row : row + 1]
                one.add(arrays[outputs[node]][row : row + 1], membrane)
            count, active = (b - a for a, b in zip(before, sum_of(totals.neurons.values()), strict=True))
            totals.activation_sparsity += share_of_zeros(count, active) / data.samples
    return totals, data.samples, length


def sum_of(neurons: Iterable[NeuronTotals]) -> tuple[int, int]:
    """Returns the outputs of all populations, and those that are not zero."""
    outputs = active = 0
    for one in neurons:
        outputs, active = outputs + one.outputs, active + one.active
    return outputs, active


def observe_inputs(graph: NetworkOp) -> tuple[NetworkOp, dict[SSAValue, str]]:
    """Returns a copy of a network whose outputs are the inputs of its connections and the outputs of its populations, and their names by value."""
    copy = only_network(parent_module(graph).clone())
    values = dict.fromkeys([*(op.x for op in connections(copy)), *(op.z for op in copy.populations)])
    taken = Names(node_names(copy))
    named = {value: taken.take("observed") for value in values}
    copy.replace_outputs({name: value for value, name in named.items()})
    return copy, named


def count_updates(
    graph: NetworkOp, totals: Totals, samples: int, reasons: dict[str, str]
) -> tuple[float | None, NeuronOperations | None]:
    """Returns membrane updates and operations of neurons in an inference, each None with a reason if a population has no such number."""
    updates = effective = dense = 0
    for op in graph.populations:
        one, each = totals.neurons[op.node.data], operations_of_update(op)
        if op.initial.data and membrane_of(op) is None:
            states = ", ".join(op.initial.data)
            reasons.setdefault("MembraneUpdates", f'"{op.node.data}" has no state v; its states are {states}')
        updates += one.updates
        if isinstance(each, str):
            reasons.setdefault("NeuronOperations", each)
        else:
            effective += one.updates * each
            dense += one.outputs * each
    if "MembraneUpdates" in reasons:
        reasons.setdefault("NeuronOperations", reasons["MembraneUpdates"])
    return (
        None if "MembraneUpdates" in reasons else updates / samples,
        None if "NeuronOperations" in reasons else NeuronOperations(effective / samples, dense / samples),
    )
