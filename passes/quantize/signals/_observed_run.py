"""Run of a network that observes its signals: every place of an observation, over all samples and ticks of the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod
from typing import Any, Literal

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.ir import Operation, SSAValue

from ....analysis.calibration_records import spread_places
from ....core import registry
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Reals
from ....core.ir.graph_region import names
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from ....simulation.signals import DenseSignal
from ....simulation.stimuli import Stimulus

KEPT_BYTES = 2**22
"""Most numbers of kept samples."""
ROOM_BYTES = 2**27
"""Memory limit of the records of a batch that has more than one."""


@frozen
class ObservedPlace:
    """The destination of an observation: an entry of an op."""

    op: Operation
    entry: str
    kind: Literal["range", "rate", "ends", "mean"] = "range"
    """The observation: all kinds but the rate include the range."""


@define
class Seen:
    """The observations of a signal."""

    low: float = np.inf
    high: float = -np.inf
    events: int = 0
    size: int = 0
    kept_events: NDArray[np.int64] | None = None
    """Events of each neuron in each sample that is kept. Shapes: [samples, *shape]."""
    ends: tuple[Reals, Reals] | None = None
    """The lowest and the highest value of each entry."""
    total: Reals | None = None
    """The sum of each entry, over samples and ticks."""

    def add(self, array: NDArray[Any]) -> None:
        if array.size:
            self.low = float(np.minimum(self.low, array.min()))
            self.high = float(np.maximum(self.high, array.max()))
        self.size += array.size

    def add_ends(self, array: NDArray[Any]) -> None:
        """Updates the range, also that of each entry. Shapes: array [samples, ticks, *shape]."""
        self.add(array)
        if array.size:
            low, high = (end.astype(np.float64) for end in (array.min(axis=(0, 1)), array.max(axis=(0, 1))))
            known = self.ends or (low, high)
            self.ends = np.minimum(known[0], low), np.maximum(known[1], high)

    def add_total(self, array: NDArray[Any]) -> None:
        """Updates the range and the sum of each entry, sample by sample. Shapes: array [samples, ticks, *shape]."""
        self.add(array)
        with np.errstate(over="ignore", invalid="ignore"):
            for sums in array.sum(axis=1, dtype=np.float64):
                self.total = sums if self.total is None else self.total + sums

    def count(self, array: NDArray[Any], adds_up: bool) -> None:
        """Updates the range and the count of events."""
        self.add(array)
        self.events += int(array.sum(dtype=np.int64)) if adds_up else int(np.count_nonzero(array))

    def count_kept(self, array: NDArray[Any], adds_up: bool) -> None:
        """Adds the events of each neuron in further samples that are kept. Shapes: [samples, ticks, *shape]."""
        events = (array if adds_up else array != 0).sum(1, dtype=np.int64)
        self.kept_events = events if self.kept_events is None else np.concatenate([self.kept_events, events])

    @property
    def range(self) -> ArrayAttr:
        return ArrayAttr.of(np.array([self.low, self.high]))


@define
class Fed:
    """The part of the data that the options select."""

    given: Stimulus
    samples: int
    ticks: int
    keep: int = 0

    def parts(self, together: int) -> Iterator[tuple[int, dict[str, NDArray[Any]]]]:
        """Yields the first sample of a window, and the window, `[ticks, samples, *shape]`, by input."""
        for first in range(0, self.samples, together):
            some = slice(first, min(first + together, self.samples))
            yield (
                first,
                {name: signal.window(some, slice(0, self.ticks)) for name, signal in self.given.signals.items()},
            )

    @cached_property
    def kept(self) -> list[int]:
        """Returns the samples whose data stay on the network."""
        row_bytes = self.ticks * sum(prod(signal.shape) for signal in self.given.signals.values())
        count = min(self.keep, self.samples, KEPT_BYTES // max(1, row_bytes))
        return spread_places(self.samples, count).tolist()

    def kept_data(self, name: str) -> ArrayAttr:
        """Returns the data of an input that stay on the network. Shapes: [samples, ticks, *shape]."""
        signal = self.given.signals[name]
        rows = [signal.window(slice(k, k + 1), slice(0, self.ticks))[:, 0] for k in self.kept]
        data = np.stack(rows).astype(np.float64)
        is_small = bool(((data >= 0) & (data < 256) & (data == np.rint(data))).all())
        return ArrayAttr.of(data.astype(np.uint8) if is_small else data)


@define
class Probe:
    """A copy of the network with the observed values as additional outputs and records."""

    network: ntensor.NetworkOp
    wanted: dict[str, list[ObservedPlace]] = field(factory=dict[str, list[ObservedPlace]])
    """Places by the name of a record or of an output."""
    row_bytes: dict[str, int] = field(factory=dict[str, int])
    """Bytes of each in a tick of one sample."""
    values: dict[str, SSAValue] = field(factory=dict[str, SSAValue])
    """Values that become outputs."""
    places: dict[ObservedPlace, None] = field(factory=dict[ObservedPlace, None])
    """All places, in the order of the network."""

    def watch(self, name: str, shape: tuple[int, ...], place: ObservedPlace) -> None:
        self.places.setdefault(place)
        self.wanted.setdefault(name, []).append(place)
        self.row_bytes[name] = 8 * prod(shape)


def observe(module: ModuleOp, network: ntensor.NetworkOp, fed: Fed) -> dict[ObservedPlace, Seen]:
    """Observes every place, over all samples and ticks."""
    probe = probed(module, network)
    seen = {place: Seen() for place in probe.places}
    for group in groups(probe.row_bytes, fed.ticks):
        run_group(probe, group, fed, seen)
    return seen


def groups(row_bytes: Mapping[str, int], ticks: int) -> Iterator[list[str]]:
    """Yields groups of names such that the records of a group for one sample fit into memory."""
    group: list[str] = []
    room = ROOM_BYTES
    for name, size in row_bytes.items():
        if group and size * ticks > room:
            yield group
            group, room = list[str](), ROOM_BYTES
        group.append(name)
        room -= size * ticks
    if group:
        yield group


def run_group(probe: Probe, group: list[str], fed: Fed, seen: Mapping[ObservedPlace, Seen]) -> None:
    """Runs the probe over all samples and gathers the signals of one group of names."""
    outputs = {name: probe.values[name] for name in group if name in probe.values}
    probe.network.replace_outputs(outputs)
    model = registry.reference()(probe.network, record=[name for name in group if name not in outputs])
    sample_bytes = max(1, sum(probe.row_bytes[name] for name in group) * fed.ticks)
    for first, part in fed.parts(max(1, ROOM_BYTES // sample_bytes)):
        signals = {name: DenseSignal(np.swapaxes(window, 0, 1)) for name, window in part.items()}
        found: dict[str, NDArray[Any]] = model.run(signals, ticks=fed.ticks)
        samples = len(next(iter(signals.values())).values)
        kept = [k - first for k in fed.kept if first <= k < first + samples]
        for name in group:
            for place in probe.wanted[name]:
                if place.kind == "rate":
                    adds_up = isinstance(element_type(place.op.results[0]), ntensor.CountType)
                    seen[place].count(found[name], adds_up)
                    if kept:
                        seen[place].count_kept(found[name][kept], adds_up)
                elif place.kind == "ends":
                    seen[place].add_ends(found[name])
                elif place.kind == "mean":
                    seen[place].add_total(found[name])
                else:
                    seen[place].add(found[name])


def probed(module: ModuleOp, network: ntensor.NetworkOp) -> Probe:
    """Returns a copy of the module whose updates record every assignment to a state, and the values to observe. Weights stay as they are."""
    copy = module.clone()
    for op in copy.walk():
        if isinstance(op, ntensor.SynapseOpInterface):
            op.properties.pop("plasticity", None)
    probe = Probe(next(op for op in copy.ops if isinstance(op, ntensor.NetworkOp)))
    updates = ntensor.find_updates(copy)
    records = {name: record_assignments(update) for name, update in updates.items()}
    known: dict[SSAValue, str] = {}

    def watch(value: SSAValue, place: ObservedPlace) -> None:
        if isinstance(element_type(value), ntensor.TermsType):
            return
        name = known.setdefault(value, f"?{len(known)}")
        probe.values[name] = value
        probe.watch(name, shape_of(value), place)

    for op, twin in zip(network.body.block.ops, probe.network.body.block.ops, strict=True):
        if isinstance(op, ntensor.NeuronOp):
            update = updates.get(op.update_name)
            if update is None:
                continue  # the engine refuses it by name
            if ntensor.is_event(element_type(op.z)):
                watch(twin.results[0], ObservedPlace(op, "rate", "rate"))
            for record, state in records[update.sym_name.data]:
                probe.watch(f"{op.node.data}.{record}", shape_of(op.z), ObservedPlace(op, state, "ends"))
            for name, x in zip(update.operand_names, twin.operands, strict=False):
                watch(x, ObservedPlace(op, name))
        elif isinstance(op, ntensor.MaxPool2dOp) and ntensor.is_event(element_type(op.y)):
            watch(twin.results[0], ObservedPlace(op, "rate", "rate"))
        elif isinstance(op, ntensor.SynapseOpInterface) and not isinstance(op, ntensor.FanInLinearOp):
            kind = "mean" if has_means(op) else "range"
            watch(twin.results[0], ObservedPlace(op, "y", kind))
            if kind == "mean":
                watch(twin.operands[0], ObservedPlace(op, "x", kind))
    return probe


def has_means(op: ntensor.SynapseOpInterface) -> bool:
    """Returns whether the means of operand and result are observed: those of a synapse op with weights that can be rounded."""
    return op.has_quantized_weights and isinstance(element_type(op.y), Float32Type | Float64Type)


def record_assignments(update: ntensor.UpdateOp) -> list[tuple[str, str]]:
    """Replaces the records of an update by records of each state: at the start of the step, at each assignment and at its end.

    Returns the names of the records, each with its state.
    """
    step, states = update.step.block, [name.data for name in update.states]
    last = step.last_op
    assert isinstance(last, ntensor.EmitOp)  # verified
    values: dict[tuple[str, SSAValue], str] = {}

    def add(state: str, value: SSAValue) -> None:
        values.setdefault((state, value), f"{state}?{len(values)}")

    for k, state in enumerate(states):
        add(state, step.args[len(update.inputs) + k])
    for op in step.ops:
        if isinstance(op, ntensor.LetOp) and op.variable.data in states:
            add(op.variable.data, op.y)
    for k, state in enumerate(states):
        add(state, last.operands[1 + k])
    update.records = names(values.values())
    last.operands = [*last.operands[: 1 + len(states)], *(value for _, value in values)]
    return [(name, state) for (state, _), name in values.items()]
