"""Rounding of all weights of a network from the samples that it keeps, and the choice between it and nearest rounding.

1. The ops are rounded in the order of the network. The inputs of an op are those of the network with the ops before it rounded already.
2. Candidates differ in the moments: those of the inputs in a tick, and those of the inputs filtered by the decays of the population that reads
   them, whose errors are those of a potential. With `adaround` the results of `gptq` are candidates too. The loss of a layer does not decide between them.
3. The errors of the outputs on samples that no candidate has seen decide (`simulation/output_errors.py`). A candidate whose counts or decisions
   are worse than those of nearest rounding is dropped; of the others the one with the least loss wins. If none is left, nearest rounding stays.
   The winner is not rounded again with all samples, so that the recorded errors are those of samples that it has not seen.
4. Each group whose nearest integers have the lower loss, with the others as they are, gets these back, if the groups are few.
5. The record names the ops that keep their nearest integers although they are not exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Literal

from attrs import define, field, frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from .....analysis.calibration_records import fit_samples, judge_samples
from .....analysis.weight_lines import Weighted, weight_of
from .....core.arrays.numeric import AnyArray
from .....core.diagnostics import describe_op
from .....dialects import ntensor
from .....dialects.ntensor.network import networks
from .....simulation.output_errors import Firing, OutputErrors, compared, firing_of
from .....simulation.recorded_run import RecordedRun
from .._weight_groups import Group
from .._weight_quantizer import Rounded, quantized, stored
from ._layer_inputs import decays_of, layers_of, missing_blocks, moments_of
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
    copy: ntensor.NetworkOp = field(init=False)
    """The network that runs with rounded weights."""
    twins: dict[Operation, Operation] = field(init=False)
    wanted: Firing = field(init=False)

    def __attrs_post_init__(self) -> None:
        module = self.network.get_toplevel_object()
        assert isinstance(module, ModuleOp)
        self.copy = next(one for one in networks(module.clone()) if one.sym_name == self.network.sym_name)
        self.twins = dict(zip(self.network.body.block.ops, self.copy.body.block.ops, strict=True))
        self.wanted = firing_of(self.run(judge_samples(self.network)))

    def run(self, samples: Mapping[str, AnyArray]) -> RecordedRun:
        """Returns a run of the copy, as its weights are then."""
        return RecordedRun.of(self.copy, samples)

    def choose(self) -> Chosen:
        """Returns the rounding with the least errors of outputs on held-back samples."""
        nearest = self.errors(self.nearest)
        best, errors, winner = self.nearest, nearest, None
        for candidate in self.candidates():
            found = self.rounded(fit_samples(self.network), candidate)
            tried = self.errors(found)
            if tried.is_no_worse(nearest) and tried.loss < errors.loss:  # 3
                best, errors, winner = found, tried, candidate
        judged, samples = count_of(judge_samples(self.network)), count_of(fit_samples(self.network))
        if winner is None:
            reason = f"since {self.method} with {samples} samples does not improve on them"
            return Chosen(self.nearest, f"nearest integers, {reason}, on {judged} samples: {nearest.text}")
        best, errors = self.without_worse_groups(best, errors)
        inputs = ", inputs filtered by decays" if winner.filters else ""
        text = f"{winner.method} with {samples} samples{inputs}; on {judged} samples"
        return Chosen(best, f"{text}: {errors.text}; nearest integers: {nearest.text}{self.unchanged_text(best)}")

    def candidates(self) -> list[Candidate]:  # 2
        """Returns the roundings that are compared."""
        methods: Sequence[Method] = ("gptq",) if self.method == "gptq" else ("gptq", "adaround")
        filters = (False, True) if any(decays_of(op) for op in self.ops()) else (False,)
        return [Candidate(method, has_filters) for method in methods for has_filters in filters]

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

    def rounded(self, samples: Mapping[str, AnyArray], candidate: Candidate) -> Found:
        """Returns the weights of all groups, rounded one after the other."""  # 1
        self.set_reals()
        run = self.run(samples)
        order = {op: k for k, op in enumerate(self.network.body.block.ops)}
        found = list(self.nearest)
        firsts = [min((order[lines.op] for lines in group.lines), default=0) for group in self.groups]
        for k in sorted(range(len(self.groups)), key=firsts.__getitem__):
            if all(each.is_exact for each in self.nearest[k]):
                continue
            problems = [
                Problem(
                    layer,
                    moments_of(
                        layer, run, self.twins.__getitem__, decays_of(layer.ops[0]) if candidate.filters else ()
                    ),
                )
                for layer in layers_of([each.lines.op for each in self.nearest[k]])
            ]
            rounding = GroupRounding(self.groups[k], self.nearest[k], problems, self.limits[k])
            found[k] = rounding.rounded(descends=candidate.method == "adaround")
            self.set_weights(found[k], self.limits[k].bits)
        return found

    def set_reals(self) -> None:
        """Sets the weights of the network in the copy."""
        for op in self.ops():
            twin = self.twins[op]
            assert isinstance(twin, ntensor.SynapseOpInterface)
            twin.replace_weights(weight_of(op), op.quantized_weights)

    def set_weights(self, found: Sequence[Rounded], bits: int) -> None:
        """Sets rounded weights in the copy."""
        for each in found:
            twin = self.twins[each.lines.op]
            assert isinstance(twin, ntensor.SynapseOpInterface)
            twin.replace_weights(stored(each, bits), quantized(each, bits))

    def errors(self, found: Found) -> OutputErrors:
        """Returns the errors of outputs with some weights, on held-back samples."""
        for some, limits in zip(found, self.limits, strict=True):
            self.set_weights(some, limits.bits)
        return compared(firing_of(self.run(judge_samples(self.network))), self.wanted)

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


def count_of(samples: Mapping[str, AnyArray]) -> int:
    """Returns the number of some samples, by input."""
    return len(next(iter(samples.values())))
