"""Runs a `tally.chip`: per tick and core, biases and weights of arriving spikes are added, then every neuron of the core is updated.

Sums are computed per synapse, so the work grows with the tables and not with the compiled network.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.arrays.numeric import Ints
from nopt.core.device.device import Device
from nopt.core.diagnostics import Code, refuse
from nopt.core.ir.operation import shape_of
from nopt.dialects.ntensor import DelayOp, NetworkOp, UpdateOp
from nopt.simulation.elements import result_dtype, working_dtype
from nopt.simulation.memory_budget import check_memory
from nopt.simulation.records import Records, Watched
from nopt.simulation.runs import convert_window, extent
from nopt.simulation.signals import Signal
from nopt.simulation.update import Step

from .dialects.tally import CoreOp, OutputOp
from .emitter import chip_of

TLY006 = Code("TLY006", "tally-record-not-computed", "the chip does not compute a record")

Array = NDArray[Any]


class Core:
    """The neurons of one core while the chip runs."""

    def __init__(self, op: CoreOp, update: UpdateOp, samples: int):
        self.op, self.population = op, op.population.data
        self.neurons = op.neurons.values
        shape = samples, self.neurons.size
        self.step = Step(update, arrays(op.params), shape)
        starts = arrays(op.initial)
        self.states = {
            name: np.broadcast_to(starts[name], shape).astype(working_dtype(type), order="C")
            for name, type in update.state_types.items()
        }
        self.sums = np.tile(op.bias.values.astype(np.int64), (samples, 1))


class Model:
    """Runs the exit dialect; `network` defines the names, shapes and types that are visible to the user.

    Errors: SIM017 an unknown record; TLY006 a node that is a part of tables.
    """

    def __init__(self, module: ModuleOp, network: NetworkOp, *, device: Device, record: Sequence[str] = ()):
        records = Records(network)
        self.inputs = {name: shape_of(value) for name, value in records.arguments.items()}
        """Shapes of the inputs by name."""
        self.arguments = records.arguments
        chip = chip_of(module)
        self.cores, self.tables = chip.cores, chip.tables
        self.outputs = {op.node.data: op for op in chip.body.block.ops if isinstance(op, OutputOp)}
        self.updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
        populations = {core.population.data for core in self.cores}
        self.senders = {value: name for name, value in records.arguments.items()}
        self.senders |= {op.z: op.node.data for op in network.populations if op.node.data in populations}
        self.watched = records.watched(record)
        self.views = {name: self.view(name, watched) for name, watched in self.watched.items()}
        delays = [op.ticks.value.data for op in self.tables]
        delays += [int(ticks.max(initial=0)) for *_, ticks in self.views.values()]
        self.longest = max(delays, default=0)

    def view(self, name: str, watched: Watched) -> tuple[str, str | None, Ints]:
        """Returns the sender, the state and the delay of a record. Shapes: delay () or [neurons]. Errors: TLY006."""
        if name in self.outputs:
            output = self.outputs[name]
            return output.population.data, None, np.asarray(output.ticks.value.data)
        value, ticks = watched.value, np.asarray(0)
        if isinstance(value.owner, DelayOp):  # a neuron whose spikes leave late
            ticks = np.broadcast_to(value.owner.ticks.values, shape_of(value)).reshape(-1)
            value = value.owner.x
        if value not in self.senders:
            expected = f"an input or a population: {', '.join(self.senders.values())}"
            found, help = "a node between populations, which is a part of tables", "--model reference"
            refuse(TLY006, at=f"record {name}", node=name, expected=expected, found=found, help=help)
        return self.senders[value], watched.state, ticks

    def run(
        self,
        signals: Mapping[str, Signal],
        *,
        ticks: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Array]:
        """Returns every output and record by name, `[samples, ticks, *shape]`. Errors: SIM018, SIM019, SIM020, SIM021, SIM023."""
        samples, ticks = extent(self.inputs, signals, ticks)
        shapes = {name: (samples, ticks, *watched.shape) for name, watched in self.watched.items()}
        types = {name: result_dtype(watched.type) for name, watched in self.watched.items()}
        check_memory({name: prod(shape) * types[name].itemsize for name, shape in shapes.items()}, ticks, samples)
        found = {name: np.zeros(shape, types[name]) for name, shape in shapes.items()}
        cores = {op.node.data: Core(op, self.updates[op.update.root_reference.data], samples) for op in self.cores}
        sizes = {core.population: core.op.size.value.data for core in cores.values()}
        sent = {name: np.zeros((ticks + self.longest, samples, n), np.bool_) for name, n in sizes.items()}
        for name, value in self.arguments.items():
            window = convert_window(name, signals[name].window(slice(0, samples), slice(0, ticks)), value, 0)
            sent[name] = np.zeros((ticks + self.longest, samples, prod(self.inputs[name])), np.bool_)
            sent[name][self.longest :] = window.reshape(ticks, samples, -1)
        for t in range(ticks):
            now = t + self.longest
            for table in self.tables:
                rows = sent[table.sender.data][now - table.ticks.value.data]
                sums = cores[table.core.data].sums
                for sample, source in zip(*np.nonzero(rows), strict=True):
                    some = slice(*np.searchsorted(table.source.values, [source, source + 1]))
                    np.add.at(sums[sample], table.target.values[some], table.weight.values[some])
            for core in cores.values():
                emission = core.step([core.sums], core.states)
                sent[core.population][now][:, core.neurons] = emission.value
                core.sums[...] = core.op.bias.values
            self.note(found, sent, cores, t)
            if progress is not None:
                progress(samples * (t + 1), samples * ticks)
        return found

    def note(self, found: dict[str, Array], sent: Mapping[str, Array], cores: Mapping[str, Core], t: int) -> None:
        """Stores the requested records, in the order of the user's neurons."""
        for name, (sender, state, ticks) in self.views.items():
            row = found[name][:, t].reshape(len(found[name]), -1)
            if state is None:
                row[...] = sent[sender][t + self.longest - ticks, :, np.arange(row.shape[1])].T
            else:
                for core in (core for core in cores.values() if core.population == sender):
                    row[:, core.neurons] = core.states[state]


def arrays(held: DictionaryAttr) -> dict[str, Array]:
    return {name: cast("ArrayAttr", array).values for name, array in held.data.items()}
