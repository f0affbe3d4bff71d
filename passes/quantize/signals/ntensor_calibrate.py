"""Runs the network with sample input and stores observed ranges and rates on ops and network, for passes that choose widths and scales.

    ntensor.neuron "lif1" @lif(%y) {…}
    =>
    ntensor.neuron "lif1" @lif(%y) {…, ntensor.observed = {rate = 0.05 : f64, v = #nopt.array<[-0.5, 1.25] : tensor<2xf64>>, x = …}}

| on | entry | what it is |
| --- | --- | --- |
| a neuron op | `rate` | events per neuron and tick: spikes, counts added up, payloads other than 0; not where it emits values |
| | each state | [lowest, highest] of every value that is assigned to it within a tick, also before a reset, and of its initial value |
| | each input | [lowest, highest] of its sum in a tick; not for terms, which are never summed into one value |
| | `neurons` | for each state the lowest and the highest value of each neuron |
| a max pool of events | `rate` | as on a neuron op |
| a synapse op | `y` | [lowest, highest] of its result; not for terms |
| | `means` | the means of its operand `x` and of its result `y` over samples and ticks, where weights can be rounded |
| | `kept_events` | events of each neuron in each sample of the option `keep` |
| the network | `samples`, `ticks` | the amount of data |
| | `inputs` | for each input its `range`, whether all values are `integral`, and `density`, the part of entries other than 0; `kept`: samples of the option `keep` |

Lowest and highest are exact, in the numbers of the network. Means are sums of each sample, added in the order of the samples. For an input that accumulates event by event, a state is observed after
the last term only. Earlier observations are replaced. The network runs in the reference engine, in batches of samples
whose records fit into memory together. If the records of one sample do not fit, the network runs several times.

Exactness: no computed value changes. Learning is not simulated: plastic weights are observed as they are (QUA005).

Errors: QUA001 no network, or several; QUA002 no data; QUA006 too many ticks; QUA061 a negative number of samples to keep; COR008, SIM005, SIM006, SIM007, SIM008, SIM009, SIM010, SIM011, SIM012, SIM027, SIM028, SIM030, SIM021 data that cannot be read or do
not fit. Warnings: SIM013 axes that may be swapped; QUA003 a signal that is not finite; QUA004 data that are zero everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, Literal

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, Float32Type, Float64Type, FloatAttr, IntegerAttr, ModuleOp, f64, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ....analysis.calibration_records import KEPT, KEPT_EVENTS, MEANS, NEURONS, OBSERVED, spread_places
from ....core import registry
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Reals
from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.help_text import PassesOption, Phrase
from ....core.ir.context import diagnostics_of
from ....core.ir.graph_region import names
from ....core.ir.operation import element_type, only_op, shape_of, texts_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....core.memory import available_bytes
from ....dialects import ntensor
from ....simulation.axes import order_axes
from ....simulation.frames import fit_data, read_data
from ....simulation.memory_budget import format_bytes
from ....simulation.signals import DenseSignal
from ....simulation.stimuli import Stimulus

QUA001 = Code("QUA001", "nothing-to-calibrate", "no network to calibrate")
QUA002 = Code("QUA002", "calibration-data-empty", "the calibration data are empty")
QUA003 = Code("QUA003", "calibration-signal-not-finite", "a signal is not finite in the calibration")
QUA005 = Code("QUA005", "learning-weights-observed-unchanged", "weights that learn are observed as they are")
QUA004 = Code("QUA004", "calibration-data-silent", "the calibration data are silent")
QUA006 = Code("QUA006", "calibration-exceeds-memory", "the ticks of a calibration do not fit into memory")
QUA061 = Code("QUA061", "kept-samples-negative", "a number of samples to keep is negative", exit_code=ExitCode.MISUSED)

IN_MEMORY = "_data_in_memory"
"""Attribute of a pass: the arrays that it reads in place of its file."""
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


@dataclass(frozen=True)
class NtensorCalibratePass(NoptPass):
    """Observes the network of the module.

    Options:
        data: a file as `nopt run --input` takes it, required.
        ticks [ticks]: length of the run, in frames for a network of frames; zeros follow shorter data; default the length of the data.
        samples: number of samples, from the first; default all. Fewer are faster, and observe less.
        axes: the order of axes before those of the input, `samples,ticks` or `ticks,samples`; default the first.
        keep: number of samples, one in each of as many equal intervals, whose data stay on the network for passes that run it, such as `ntensor-fit-rates`; fewer where they have
            more than 4 MiB; default 0.
    """

    name = "ntensor-calibrate"
    sees_host = True
    observes = True
    data: str
    ticks: int | None = None
    samples: int | None = None
    axes: tuple[str, ...] = ()
    keep: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.keep < 0:
            help = suggest_pass(replace(self, keep=0))
            refuse(QUA061, at=pass_text(self), expected="0 or more", found=str(self.keep), help=help)
        network, diagnostics = self.network_of(op), diagnostics_of(ctx)
        data = getattr(self, IN_MEMORY, self.data)
        given = stimulus_of(network, order_axes(data, self.axes or None), diagnostics)
        samples = given.samples if self.samples is None else min(self.samples, given.samples)
        ticks = given.ticks if self.ticks is None else self.ticks
        if samples < 1 or ticks < 1:
            refuse(
                QUA002,
                at=pass_text(self),
                file=self.data,
                expected="at least one tick of one sample",
                found=f"{samples} samples of {ticks} ticks",
                help=f'{self.name}{{data="{self.data}"}}'
                if given.samples and given.ticks
                else f"numpy.load({self.data!r}).shape",
            )
        self.check_memory(given, ticks)
        store_observations(op, network, Fed(given, samples, ticks, self.keep), diagnostics)

    def check_memory(self, given: Stimulus, ticks: int) -> None:
        """Refuses a run whose largest input does not fit into memory for one sample. Errors: QUA006."""
        largest = max((prod(signal.shape) for signal in given.signals.values()), default=0)
        needed, available = 8 * ticks * largest, available_bytes()
        if available is not None and needed > available:
            refuse(
                QUA006,
                at=pass_text(self),
                expected=f"at most {format_bytes(available)}, which is available now",
                found=f"{format_bytes(needed)} for one sample of {ticks} ticks",
                help=suggest_pass(replace(self, ticks=given.ticks)),
            )

    def network_of(self, module: ModuleOp) -> ntensor.NetworkOp:
        """Returns the one network of the module. Errors: QUA001."""
        is_nir = any(op.name == "nir.graph" for op in module.ops)
        return only_op(
            module,
            ntensor.NetworkOp,
            QUA001,
            "networks",
            "no network to calibrate",
            at=pass_text(self),
            expected="one ntensor.network",
            help=f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},{pass_text(self)}"
            if is_nir
            else "write the network into a file of its own",
        )


def calibration_in_memory(data: Any, file: str, axes: tuple[str, ...], keep: int) -> NtensorCalibratePass:
    """Returns a pass that reads arrays in memory; its text names the file that holds them for another run of the pipeline."""
    step = NtensorCalibratePass(file, axes=axes, keep=keep)
    object.__setattr__(step, IN_MEMORY, data)
    return step


def calibrate(module: ModuleOp, data: Any, diagnostics: Diagnostics) -> None:
    """Observes the network of a module with sample input, which is an array or one for each input."""
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    given = stimulus_of(network, data, diagnostics)
    store_observations(module, network, Fed(given, given.samples, given.ticks), diagnostics)


def calibrate_kept(module: ModuleOp, samples: Mapping[str, Any], diagnostics: Diagnostics) -> None:
    """Observes the network of a module with the samples that it keeps, which stay on it. Shapes: each [samples, ticks, *shape]."""
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    given = stimulus_of(network, {name: DenseSignal(np.asarray(x)) for name, x in samples.items()}, diagnostics)
    store_observations(module, network, Fed(given, given.samples, given.ticks, given.samples), diagnostics)


def store_observations(module: ModuleOp, network: ntensor.NetworkOp, fed: Fed, diagnostics: Diagnostics) -> None:
    """Runs the network and stores the observations on the network and its ops; they replace earlier observations."""
    for op in network.body.block.ops:
        if isinstance(op, ntensor.SynapseOpInterface) and (rule := op.learning_rule) is not None:
            diagnostics.remark(
                QUA005,
                op=op,
                expected="weights that stay as they are",
                found=rule.name,
                help=Phrase(PassesOption("ntensor-freeze-plasticity")),
            )
    observations: dict[Operation, dict[str, Attribute]] = {}
    each: dict[tuple[Operation, str], dict[str, Attribute]] = {}
    for place, what in observe(module, network, fed).items():
        entries = observations.setdefault(place.op, {})
        if place.kind == "rate":
            entries["rate"] = FloatAttr(what.events / what.size if what.size else 0.0, f64)
            if what.kept_events is not None and fed.kept:
                most = int(what.kept_events.max(initial=0))
                entries[KEPT_EVENTS] = ArrayAttr.of(what.kept_events.astype(np.min_scalar_type(most)))
        elif np.isfinite([what.low, what.high]).all():
            if place.kind != "mean" or place.entry == "y":
                entries[place.entry] = what.range
            if what.ends is not None:
                each.setdefault((place.op, NEURONS), {})[place.entry] = ArrayAttr.of(np.stack(what.ends))
            if what.total is not None:
                mean = what.total / (fed.samples * fed.ticks)
                each.setdefault((place.op, MEANS), {})[place.entry] = ArrayAttr.of(mean)
        elif what.size:
            warn_infinite(place, diagnostics)
    for (op, name), arrays in each.items():
        observations[op][name] = DictionaryAttr(arrays)
    for inner in (network, *network.body.block.ops):
        inner.attributes.pop(OBSERVED, None)
        if found := observations.get(inner):
            inner.attributes[OBSERVED] = DictionaryAttr(found)
    inputs = {name: input_entry(name, fed, diagnostics) for name in texts_of(network.input_names)}
    network.attributes[OBSERVED] = DictionaryAttr(
        {
            "samples": IntegerAttr(fed.samples, i64),
            "ticks": IntegerAttr(fed.ticks, i64),
            "inputs": DictionaryAttr(inputs),
        }
    )


# ---- input data


def stimulus_of(network: ntensor.NetworkOp, data: Any, diagnostics: Diagnostics) -> Stimulus:
    """Returns sample input for a network; for a network that computes frames, the sum of the ticks of each frame."""
    return fit_data(network, read_data(network, data, diagnostics))


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


def input_entry(name: str, fed: Fed, diagnostics: Diagnostics) -> DictionaryAttr:
    """Returns the value range, the density and the integrality (whether all values are integers) of an input. Warnings: QUA004."""
    seen, is_integral = Seen(), True
    row_bytes = 8 * fed.ticks * prod(fed.given.signals[name].shape)
    for _, part in fed.parts(max(1, ROOM_BYTES // max(1, row_bytes))):
        seen.count(part[name], adds_up=False)
        is_integral &= part[name].dtype.kind != "f" or bool(np.equal(part[name], np.rint(part[name])).all())
    if not seen.events:
        diagnostics.warning(
            QUA004,
            at=f'input "{name}"',
            node=name,
            expected="an entry other than 0",
            found="only zeros",
            help=f"nopt explain {QUA004}",
        )
    entries: dict[str, Attribute] = {"range": seen.range} if np.isfinite([seen.low, seen.high]).all() else {}
    entries["integral"] = IntegerAttr.from_bool(is_integral)
    entries["density"] = FloatAttr(seen.events / seen.size if seen.size else 0.0, f64)
    if fed.kept:
        entries[KEPT] = fed.kept_data(name)
    return DictionaryAttr(entries)


def warn_infinite(place: ObservedPlace, diagnostics: Diagnostics) -> None:
    diagnostics.warning(
        QUA003,
        f"{place.entry} is not finite in the calibration",
        op=place.op,
        expected="numbers",
        found="infinity or NaN",
        help=f"nopt explain {QUA003}",
    )


# ---- observations


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
