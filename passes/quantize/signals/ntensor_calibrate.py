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

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr, ModuleOp, f64, i64
from xdsl.ir import Attribute, Operation

from ....analysis.calibration_records import KEPT, KEPT_EVENTS, MEANS, NEURONS, OBSERVED
from ....core.arrays.arrays import ArrayAttr
from ....core.diagnostics import Code, Diagnostics, ExitCode, refuse
from ....core.help_text import PassesOption, Phrase
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import only_op, texts_of
from ....core.ir.pipeline import NoptPass, pass_text, suggest_pass
from ....core.memory import available_bytes
from ....dialects import ntensor
from ....simulation.axes import order_axes
from ....simulation.frames import fit_data, read_data
from ....simulation.memory_budget import format_bytes
from ....simulation.signals import DenseSignal
from ....simulation.stimuli import Stimulus
from ._observed_run import ROOM_BYTES, Fed, ObservedPlace, Seen, observe

QUA001 = Code("QUA001", "nothing-to-calibrate", "no network to calibrate")
QUA002 = Code("QUA002", "calibration-data-empty", "the calibration data are empty")
QUA003 = Code("QUA003", "calibration-signal-not-finite", "a signal is not finite in the calibration")
QUA005 = Code("QUA005", "learning-weights-observed-unchanged", "weights that learn are observed as they are")
QUA004 = Code("QUA004", "calibration-data-silent", "the calibration data are silent")
QUA006 = Code("QUA006", "calibration-exceeds-memory", "the ticks of a calibration do not fit into memory")
QUA061 = Code("QUA061", "kept-samples-negative", "a number of samples to keep is negative", exit_code=ExitCode.MISUSED)

IN_MEMORY = "_data_in_memory"
"""Attribute of a pass: the arrays that it reads in place of its file."""


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
