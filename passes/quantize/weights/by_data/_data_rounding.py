"""Rounding of all weights of a network from the samples that it keeps, and the choice between it and nearest rounding.

1. The ops are rounded in the order of the network. The inputs of an op are those of the network with the ops before it rounded already.
2. Candidates differ in the moments: those of the inputs in a tick, and those of the inputs filtered by the decays of the population that reads
   them, whose errors are those of a potential. With the latter an op corrects the errors of the ops before it, or does not: where these shift spikes
   in time, a correction makes weights smaller. With `adaround` the results of `gptq` are candidates too. The loss of a layer does not decide
   between them.
3. Further candidates of small networks choose among these roundings of each group by the events of its neurons, and move scales and biases
   (`_count_search.py`). A network of a device has none: its thresholds, biases and leaks change after this pass, and its events with them.
4. The errors of the outputs on samples that no candidate has seen decide (`simulation/output_errors.py`). A candidate whose counts or decisions
   are worse than those of nearest rounding is dropped; of the others the one with the least loss wins. If none is left, nearest rounding stays.
   The winner is not rounded again with all samples, so that the recorded errors are those of samples that it has not seen.
5. Nearest rounding is that of each weight, or the one with balanced mean errors where neither counts nor decisions are worse with it.
6. Each group whose nearest integers have the lower loss, with the others as they are, gets these back, if the groups are few.
7. The record names the ops that keep their nearest integers although they are not exact, and the biases that changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal

import numpy as np
from attrs import define, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from .....analysis.calibration_records import fit_samples, judge_samples
from .....analysis.weight_lines import Weighted, weight_of
from .....core.arrays.arrays import ArrayAttr
from .....core.arrays.numeric import AnyArray, Reals
from .....core.device.named_device import device_named
from .....core.diagnostics import describe_op
from .....core.number_texts import counted_text
from .....dialects import ntensor
from .....dialects.ntensor.network import networks
from .....simulation.output_errors import Firing, OutputErrors, compared, firing_of
from .....simulation.recorded_run import RecordedRun
from .._weight_groups import Group
from .._weight_quantizer import Rounded, quantized, stored
from ._count_search import MOST_WORK, WINDOWS, CountSearch, Readers
from ._layer_inputs import (
    WeightLayer,
    corrections_of,
    decays_of,
    layers_of,
    missing_blocks,
    moments_of,
    paths_to_readers,
)
from ._scale_search import GridLimits, GroupRounding, Problem

MOST_SINGLE_GROUPS = 16
"""Most groups for which each alone is compared with nearest rounding."""

Found = list[list[Rounded]]
"""The rounded weights of each group."""
Method = Literal["gptq", "adaround"]


@frozen
class Candidate:
    """A rounding of all weights that is compared with nearest rounding."""

    method: Method
    filters: bool
    """Whether the inputs are filtered by the decays of the neurons."""
    corrects: bool = False
    """Whether ops correct the errors of the ops before them (`corrections_of`)."""
    windows: int = 0
    """Parts of a sample in which events of neurons choose among the other candidates, group by group; 0: they do not."""

    @property
    def text(self) -> str:
        """Returns what the rounding reads in addition to the inputs of ops, for the record."""
        if self.windows:
            return f", chosen by counts of events in {counted_text(self.windows, 'part')} of a sample"
        corrected = ", errors of earlier ops corrected" if self.corrects else ""
        return f"{', inputs filtered by decays' if self.filters else ''}{corrected}"


@frozen(eq=False)
class Chosen:
    """The weights that a network gets, and what is recorded about them."""

    found: Found
    text: str


@define(eq=False)
class DataRounding:
    """The rounding of one network."""

    network: ntensor.NetworkOp
    groups: Sequence[Group]
    nearest: Found
    limits: Sequence[GridLimits]
    """Of each group."""
    method: Method
    balanced: Found | None = None
    """Nearest rounding with balanced mean errors."""
    copy: ntensor.NetworkOp = field(init=False)
    """The network that runs with rounded weights."""
    twins: dict[Operation, Operation] = field(init=False)
    fit: Mapping[str, AnyArray] = field(init=False)
    """Samples that the rounding reads."""
    judge: Mapping[str, AnyArray] = field(init=False)
    """Samples that decide."""
    wanted: Firing = field(init=False)

    def __attrs_post_init__(self) -> None:
        module = self.network.get_toplevel_object()
        assert isinstance(module, ModuleOp)
        self.copy = next(one for one in networks(module.clone()) if one.sym_name == self.network.sym_name)
        self.twins = dict(zip(self.network.body.block.ops, self.copy.body.block.ops, strict=True))
        self.fit, self.judge = fit_samples(self.network), judge_samples(self.network)
        self.wanted = firing_of(self.run(self.judge))

    def run(self, samples: Mapping[str, AnyArray]) -> RecordedRun:
        """Returns a run of the copy, as its weights are then."""
        return RecordedRun.of(self.copy, samples)

    def choose(self) -> Chosen:
        """Returns the rounding with the least errors of outputs on held-back samples."""
        nearest = self.nearest_errors()
        best, errors, winner = self.nearest, nearest, None
        for candidate in self.candidates():
            found = self.rounded(candidate)
            tried = self.errors(found)
            if tried.is_no_worse(nearest) and tried.loss < errors.loss:  # 3
                best, errors, winner = found, tried, candidate
        judged, samples = count_of(self.judge), count_of(self.fit)
        if winner is None:
            reason = f"since {self.method} with {samples} samples does not improve on them"
            return Chosen(self.nearest, f"nearest integers, {reason}, on {judged} samples: {nearest.text}")
        best, errors = self.without_worse_groups(best, errors)
        text = f"{winner.method} with {samples} samples{winner.text}; on {judged} samples"
        text = f"{text}: {errors.text}; nearest integers: {nearest.text}"
        return Chosen(best, f"{text}{self.unchanged_text(best)}{biases_text(best)}")

    def nearest_errors(self) -> OutputErrors:  # 5
        """Returns the errors of nearest rounding; `nearest` becomes the better one."""
        errors = self.errors(self.nearest)
        if self.balanced is not None:
            tried = self.errors(self.balanced)
            if tried.is_no_worse(errors) and tried.loss <= errors.loss:
                self.nearest, errors = self.balanced, tried
        return errors

    def candidates(self) -> list[Candidate]:  # 2
        """Returns the roundings that are compared."""
        methods: Sequence[Method] = ("gptq",) if self.method == "gptq" else ("gptq", "adaround")
        filters = (False, True) if any(decays_of(op) for op in self.ops()) else (False,)
        plain = [Candidate(method, has_filters) for method in methods for has_filters in filters]
        plain += [Candidate(method, filters[-1], corrects=True) for method in methods]
        is_searched = self.work <= MOST_WORK and device_named(self.network) is None  # 3
        windows = WINDOWS if is_searched else ()
        return [*plain, *(Candidate(self.method, filters[-1], windows=count) for count in windows)]

    @property
    def work(self) -> int:
        """Returns the products of weights and inputs in a run of the samples that a fit reads."""
        x = next(iter(self.fit.values()))
        return len(x) * x.shape[1] * sum(int(op.count_synapses().sum()) for op in self.ops())

    def unchanged_text(self, best: Found) -> str:
        """Returns the ops that keep their nearest integers, by reason; empty if none does."""  # 5
        reasons: dict[str, list[str]] = {}
        for each, nearest in zip(chain.from_iterable(best), chain.from_iterable(self.nearest), strict=True):
            if each is nearest and not each.is_exact:
                reason = missing_blocks(each.lines.op) or "no lower error"
                reasons.setdefault(reason, []).append(f'"{describe_op(each.lines.op)[1]}"')
        return "".join(f"; nearest integers in {', '.join(names)}: {reason}" for reason, names in reasons.items())

    def ops(self) -> list[Weighted]:
        return [lines.op for group in self.groups for lines in group.lines]

    def rounded(self, candidate: Candidate) -> Found:
        """Returns the weights of all groups, rounded one after the other."""  # 1
        self.set_reals()
        run = self.run(self.fit)
        searches = self.searches(run, candidate)
        order = {op: k for k, op in enumerate(self.network.body.block.ops)}
        found = list(self.nearest)
        firsts = [min((order[lines.op] for lines in group.lines), default=0) for group in self.groups]
        for k in sorted(range(len(self.groups)), key=firsts.__getitem__):
            if all(each.is_exact for each in self.nearest[k]):
                continue
            if k in searches:
                found[k] = self.searched(k, run, candidate, *searches[k])
            else:
                rounding = self.rounding(k, run, filters=candidate.filters, corrects=candidate.corrects)
                found[k] = rounding.rounded(descends=candidate.method == "adaround")
            self.set_weights(found[k], self.limits[k].bits)
        return found

    def rounding(self, k: int, run: RecordedRun, *, filters: bool, corrects: bool = False) -> GroupRounding:
        """Returns the rounding of a group with the moments of its inputs in a run."""
        twin = self.twins.__getitem__

        def problem(layer: WeightLayer) -> Problem:
            decays = decays_of(layer.ops[0]) if filters else ()
            moments = moments_of(layer, run, twin, decays)
            corrections = corrections_of(layer, moments, run, self.reals, twin, decays) if corrects else None
            return Problem(layer, moments, corrections)

        problems = [problem(layer) for layer in layers_of([each.lines.op for each in self.nearest[k]])]
        return GroupRounding(self.groups[k], self.nearest[k], problems, self.limits[k])

    @cached_property
    def reals(self) -> RecordedRun:
        """Returns the run of the network in reals with the samples of a fit."""
        run = RecordedRun.of(self.network, self.fit)
        run.keep(list(dict.fromkeys(op.operands[0] for op in self.ops())))
        return run

    def searches(self, run: RecordedRun, candidate: Candidate) -> dict[int, tuple[Readers, list[Reals]]]:
        """Returns the populations that read each group whose events decide, with their responses in reals."""
        if not candidate.windows:
            return {}
        found: dict[int, tuple[Readers, list[Reals]]] = {}
        for k, some in enumerate(self.nearest):
            readers = Readers.of(self.copy, [self.twins[each.lines.op] for each in some], candidate.windows)
            if readers.populations:
                found[k] = readers, readers.responses(run)
        return found

    def searched(
        self, k: int, run: RecordedRun, candidate: Candidate, readers: Readers, wanted: list[Reals]
    ) -> list[Rounded]:
        """Returns the weights of a group that the events of its neurons choose."""
        kinds = [(False, False), (candidate.filters, False), (candidate.filters, True)]
        roundings = [self.rounding(k, run, filters=one, corrects=other) for one, other in dict.fromkeys(kinds)]
        descents = (False,) if candidate.method == "gptq" else (False, True)
        options = [rounding.rounded(descends=descends) for rounding in roundings for descends in descents]

        def respond(found: Sequence[Rounded]) -> list[Reals]:
            self.set_weights(found, self.limits[k].bits)
            return readers.responses(run)

        def deviations(each: Rounded) -> Reals:
            (y,) = run.values(self.twins[each.lines.op].results).values()
            return y.astype(np.float64).std((0, 1))

        with run.alone({op for each in self.nearest[k] for op in paths_to_readers(self.twins[each.lines.op])}, ()):
            search = CountSearch(roundings[0], readers, wanted, respond, deviations)
            return search.search([self.nearest[k], *options])

    def set_reals(self) -> None:
        """Sets the weights of the network in the copy."""
        for op in self.ops():
            twin = self.twins[op]
            assert isinstance(twin, ntensor.SynapseOpInterface)
            twin.replace_weights(weight_of(op), op.quantized_weights)
            set_bias(twin, op.optional_array("bias"))

    def set_weights(self, found: Sequence[Rounded], bits: int) -> None:
        """Sets rounded weights in the copy."""
        for each in found:
            twin = self.twins[each.lines.op]
            assert isinstance(twin, ntensor.SynapseOpInterface)
            twin.replace_weights(stored(each, bits), quantized(each, bits))
            set_bias(twin, new_bias(each))

    def errors(self, found: Found) -> OutputErrors:
        """Returns the errors of outputs with some weights, on held-back samples."""
        for some, limits in zip(found, self.limits, strict=True):
            self.set_weights(some, limits.bits)
        return compared(firing_of(self.run(self.judge)), self.wanted)

    def without_worse_groups(self, best: Found, errors: OutputErrors) -> tuple[Found, OutputErrors]:
        """Returns the weights with the nearest integers in each group where the errors of outputs are lower with them."""  # 4
        changed = [k for k, (some, other) in enumerate(zip(best, self.nearest, strict=True)) if some is not other]
        if not 1 < len(changed) <= MOST_SINGLE_GROUPS:
            return best, errors
        for k in changed:
            found = [*best[:k], self.nearest[k], *best[k + 1 :]]
            tried = self.errors(found)
            if tried.is_no_worse(errors) and tried.loss < errors.loss:
                best, errors = found, tried
        return best, errors


def set_bias(op: Operation, bias: ArrayAttr | None) -> None:
    if bias is not None:
        op.properties["bias"] = bias


def new_bias(found: Rounded) -> ArrayAttr | None:
    """Returns the bias of an op with rounded weights; None if it has none."""
    return found.lines.op.optional_array("bias") if found.bias is None else ArrayAttr.of(found.bias)


def biases_text(found: Found) -> str:
    """Returns the largest changes of biases, for the record; empty if none changed."""
    changes = {each: largest_change(each) for each in chain.from_iterable(found)}
    named = [f'"{describe_op(each.lines.op)[1]}" {change:.3g}' for each, change in changes.items() if change]
    return f"; largest changes of biases: {', '.join(named)}" if named else ""


def largest_change(found: Rounded) -> float:
    """Returns the largest change of a bias of an op."""
    before = found.lines.op.optional_array("bias")
    if before is None or found.bias is None:
        return 0.0
    return float(np.abs(found.bias.astype(np.float64) - before.values.astype(np.float64)).max(initial=0.0))


def count_of(samples: Mapping[str, AnyArray]) -> int:
    """Returns the number of some samples, by input."""
    return len(next(iter(samples.values())))
