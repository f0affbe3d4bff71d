"""Rounds weights to integers of a few bits, which are stored with their scale. The network still runs as it is, in reals.

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.26]}
      =>
    %s = ntensor.linear "fc" %x {weight = [127, -66], quantized = #ntensor.quantized<8, scale 0.5 / 127>}

1. The op is a linear, sparse_linear, conv or scale op with a result of reals; an op with a result of integers has integer weights.
2. `per` selects the weights that share a scale. Ops whose results meet in a sum or in a neuron share those of `neuron`, `spiking-neuron` and `population`.
3. `_weight_quantizer.py` defines scale and integers. Weights that lie on a grid of these bits already stay what they are.
4. Every weight is finite. The weights, those of a rule included, fit into memory a few times over.
5. Biases stay as they are; `ntensor-quantize-bias` rounds them.
6. With `accumulator` the worst sum of integers is computed, as in `_accumulators.py`; one that needs more bits is refused.
7. With `classes` the scales of a group are at most that many, as in `_scale_classes.py`: those of an op, or with `per=neuron` of a population.
8. With `grid=asymmetric` the integers have a zero point, as in `_asymmetric_grid.py`.
9. With `grid=unsigned` weights below 0 become 0, and the others integers from 0 to 2^bits - 1. They are stored with one bit more, as all
   integers are signed.
10. With `state` scales grow until the potential of a neuron holds its threshold and the sums of a tick, as in `_state_bounds.py`.

11. With `balance` some weights are rounded the other way, where a calibration observed the means of the operand, as long as the squared mean error of
    their sum decreases by more than the variance increases. The error of each weight is at most three quarters of a step.
12. An op whose weights lose more than 30 % of the variance of its sums keeps the nearest integers, and its means are forgotten, so that its
    bias absorbs nothing: a sum of the right mean and too little variance rarely reaches a threshold. The record names these ops.
13. With a `method` other than `nearest` integers and scales are chosen by the inputs of the ops, for the samples that the network keeps
    (`by_data/_data_rounding.py`): the mean errors of sums are part of the loss, so `balance` affects only the nearest integers. These stay where they are
    better on samples that were not used. In small networks the events of neurons may choose, too (`by_data/_count_search.py`): scales and biases
    that are not 0 move then, and these biases are final, so their means are forgotten.

An op that is quantized already is quantized again from its values. The errors of all weights of the ops that changed are recorded.

Errors: NTE009 a network in continuous time;
ANA031 a name in `nodes`; QUA042 bits; QUA043 clip; QUA044 options of a symmetric grid; QUA045, QUA046 classes; QUA047 state; QUA051 no samples; QUA030 a weight that is not finite; QUA031 too little memory; QUA007 an
accumulator. Remarks: QUA019 an outlier; QUA020 a row of zeros; QUA021 one bit; QUA008 inputs that are reals. Warnings: ANA028 a row that vanishes; QUA022 weights below 0 on an unsigned grid.
Source: uniform symmetric quantisation; B. Jacob et al., Quantization and Training of Neural Networks (2018); the sign times the mean
size: M. Rastegari et al., XNOR-Net (2016), section 3.1; `gptq` and `adaround`: see `by_data/_gptq.py` and `by_data/_adaround.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....analysis.calibration_records import forget_means, kept_samples
from ....analysis.integer_ranges import IntegerRanges
from ....analysis.node_selection import check_names, choose_ops
from ....analysis.weight_lines import Weighted, weight_of
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Reals
from ....core.device.records import SEVERAL_SCALES
from ....core.diagnostics import Code, Diagnostics, ExitCode, Finding, Refused, choices_text, describe_op, refuse
from ....core.help_text import Option, Phrase
from ....core.ir.context import diagnostics_of
from ....core.ir.pipeline import NoptPass, option_text, pass_text, suggest_pass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ...pipelines import ROUNDING_SAMPLES
from . import _accumulators as accumulators
from ._asymmetric_grid import rounded_asymmetric
from ._quantization_diagnostics import report
from ._weight_groups import Group, alone, check_readable, is_weighted, together
from ._weight_quantizer import MOST_LOST, Rounded, measured, quantized, rounded, stored
from .by_data._data_rounding import Chosen, DataRounding
from .by_data._scale_search import GridLimits
from .scales._state_bounds import least_scales

QUA042 = Code("QUA042", "weight-bits-out-of-range", "the bits of weights are out of range", exit_code=ExitCode.MISUSED)
QUA043 = Code("QUA043", "clip-not-percentage", "clip is not a percentage", exit_code=ExitCode.MISUSED)
QUA044 = Code("QUA044", "symmetric-grid-required", "an option needs a symmetric grid", exit_code=ExitCode.MISUSED)
QUA045 = Code("QUA045", "class-count-out-of-range", "the number of classes is out of range", exit_code=ExitCode.MISUSED)
QUA047 = Code(
    "QUA047",
    "potential-bits-need-neuron-scales",
    "the bits of a potential need scales of neurons",
    exit_code=ExitCode.MISUSED,
)
QUA046 = Code("QUA046", "classes-need-several-scales", "classes need several scales", exit_code=ExitCode.MISUSED)
QUA051 = Code("QUA051", "rounding-needs-samples", "rounding by data needs samples", exit_code=ExitCode.MISUSED)

SHARED = ("neuron", "population", "spiking-neuron")
"""Values of `per` with which all ops that reach a neuron share its scale."""
LEAST_STATE, MOST_STATE = 4, 32
"""Bits of a potential."""


@dataclass(frozen=True)
class NtensorQuantizeWeightsPass(NoptPass):
    """Quantizes the weights of every `ntensor.network`.

    Options:
        bits: 1 to 16, the sign included, default 8. Fewer cost accuracy, more cost memory.
        per: the weights that share a scale: `tensor` (an op), `row` (an output or its channel), `column` (an input or its channel), `neuron`
            (a neuron or its channel, over all ops that reach it), `population` (all ops that reach it), `spiking-neuron` (`neuron` where neurons
            emit spikes or counts, else `population`, so that values of a population have one unit); default tensor. Finer scales round
            less, and cost a multiplication or a shift each.
        scale: `float`, or `power-of-two`, which a shift undoes; default float.
        classes: with `per` of neuron, row or column, the most different scales of a population or op, chosen so that the expected squared error is
            least; default none, no limit. For chips that have few thresholds on a core, which absorb the scales.
        fit: `range`, which reaches the largest weight, or `error`, the scale with the least squared error, for which large weights may
            saturate; default range. With 2 or 3 bits `error` keeps much more.
        clip [%]: the weights other than zero that the grid covers, default 100; the others saturate. Less makes steps finer for most.
        grid: `symmetric`, from -(2^(bits - 1) - 1); `asymmetric`: a zero point, with which all integers of the bits cover the range of the
            weights and 0; or `unsigned`, from 0 to 2^bits - 1; default symmetric. `asymmetric` halves the steps of weights of one sign; integers
            for a chip need up to one bit more. `unsigned` loses all weights below 0, and is for chips whose weights of few bits have no sign.
        accumulator [bits]: refuse sums of integers that need more, the sign included; default none, nothing is refused.
        state [bits]: signed bits of a potential, 4 to 32, with `per` of neuron, spiking-neuron or population: scales grow until it holds the threshold
            plus the largest excitation of a tick, and half of its range below 0 the largest inhibition; default none. For chips whose
            potentials have few bits; weights become coarser.
        balance: `biases`: the mean errors of sums are decreased where a calibration observed the means of operands, and biases on the same grid absorb
            whole steps of them later (`ntensor-quantize-bias`); `sums`: biases stay real and absorb nothing; or `none`; default biases. Weights of
            one bit, and asymmetric grids, are not balanced.
        method: `nearest` integers; `gptq`, which lets later weights of a neuron compensate the errors of earlier ones, for the inputs of samples that
            `ntensor-calibrate{keep=128}` keeps, and searches the scales by the errors of sums; or `adaround`, which then improves each weight in turn until none
            changes, and tries both results; default nearest. Half of the samples judge the result, and nearest integers stay where they are better.
        nodes: the ops to work on; default all.
    """

    name = "ntensor-quantize-weights"
    APPROXIMATES = ("precision",)
    bits: int = 8
    per: Literal["tensor", "row", "column", "neuron", "population", "spiking-neuron"] = "tensor"
    scale: Literal["float", "power-of-two"] = "float"
    classes: int | None = None
    fit: Literal["range", "error"] = "range"
    clip: float = 100.0
    grid: Literal["symmetric", "asymmetric", "unsigned"] = "symmetric"
    accumulator: int | None = None
    state: int | None = None
    balance: Literal["none", "sums", "biases"] = "biases"
    method: Literal["nearest", "gptq", "adaround"] = "nearest"
    nodes: tuple[str, ...] = ()

    @property
    def kept_samples(self) -> int:
        return 0 if self.method == "nearest" else ROUNDING_SAMPLES

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check_options()
        check_names(op, self.nodes, is_weighted, self.name)
        diagnostics, bits = diagnostics_of(ctx), self.stored_bits(self.bits)
        for network in networks(op):
            ops = choose_ops(network, self.nodes, is_weighted)  # 1
            groups = self.groups(network, ops)
            check_readable(ops, [[lines.op for lines in group.lines] for group in groups])  # 4
            least = [None if self.state is None else least_scales(network, group, self.state) for group in groups]
            found = [self.rounded(group, self.bits, low) for group, low in zip(groups, least, strict=True)]
            chosen = self.by_data(network, groups, found, least)
            found = found if chosen is None else chosen.found
            if self.accumulator is not None and (refusals := self.overflows(network, groups, found, diagnostics)):  # 6
                raise Refused(*refusals)
            for some in found:
                report(
                    some,
                    bits,
                    self.again,
                    diagnostics,
                    is_unsigned=self.grid == "unsigned",
                    is_clip_chosen=self.clip < 100
                    or self.fit == "error"
                    or (self.balance != "none" and self.bits > 1)
                    or chosen is not None,
                )
            coarse = [each.lines.op for some in found for each in some if each.is_coarse]
            for each in (each for some in found for each in some):
                each.lines.op.replace_weights(stored(each, bits), quantized(each, bits))
                if each.bias is not None:  # final: its means are those of the events that chose it
                    each.lines.op.properties["bias"] = ArrayAttr.of(each.bias)
                    forget_means(each.lines.op)
            for lossy in coarse:  # 12
                forget_means(lossy)
            self.record(network, [each for some in found for each in some if not each.is_exact], coarse, chosen)

    def check_options(self) -> None:
        least, most = {"symmetric": (1, 16), "asymmetric": (2, 15), "unsigned": (1, 15)}[self.grid]
        if not least <= self.bits <= most:
            article = "a" if self.grid == "symmetric" else "an"
            expected = f"{least} to {most}" + f" for {article} {self.grid} grid" * (self.grid != "symmetric")
            self.refuse_option(QUA042, "bits", expected, bits=min(max(self.bits, least), most))
        if not 0 < self.clip <= 100:
            nearest = 99.0 if self.clip > 0 else 100.0
            self.refuse_option(QUA043, "clip", "a number above 0 and up to 100", clip=nearest)
        if self.classes is not None and self.classes < 1:
            per = self.per if self.per in SEVERAL_SCALES else "neuron"
            self.refuse_option(QUA045, "classes", "1 or more, or none", classes=1, per=per)
        if self.classes is not None and self.per not in SEVERAL_SCALES:
            expected, found = f"per={choices_text(SEVERAL_SCALES)}", f"per={self.per}, which has one scale"
            self.refuse_option(QUA046, "classes", expected, found, per="neuron")
        self.check_state()
        lost = {
            "classes": self.classes is not None,
            "clip": self.clip < 100,
            "fit": self.fit == "error",
            "method": self.method != "nearest",
        }
        if self.grid == "asymmetric" and any(lost.values()):  # 8
            name = max(lost, key=lambda name: lost[name])
            expected = "scales without zero points" if name == "classes" else "a grid that covers all weights"
            self.refuse_option(
                QUA044, name, expected, "grid=asymmetric", fit="range", clip=100.0, classes=None, method="nearest"
            )

    def check_state(self) -> None:  # 10
        """Errors: QUA047."""
        if self.state is None:
            return
        if not LEAST_STATE <= self.state <= MOST_STATE:
            expected, nearest = f"{LEAST_STATE} to {MOST_STATE}", min(max(self.state, LEAST_STATE), MOST_STATE)
            self.refuse_option(
                QUA047, "state", expected, message="the bits of a potential are out of range", state=nearest
            )
        given = {
            f"per={self.per}": self.per not in SHARED,
            "bits=1": self.bits == 1,
            f"grid={self.grid}": self.grid == "asymmetric",
            f"classes={self.classes}": self.classes is not None,
        }
        if wrong := [name for name, is_wrong in given.items() if is_wrong]:
            expected = f"per={choices_text(SHARED)}, 2 bits or more, and a scale for each group"
            fitting = {"per": self.per if self.per in SHARED else "neuron", "bits": max(2, self.bits)}
            self.refuse_option(QUA047, "state", expected, wrong[0], grid="symmetric", classes=None, **fitting)

    def refuse_option(
        self,
        code: Code,
        option: str,
        expected: str,
        found: str | None = None,
        message: str = "",
        **fitting: Any,
    ) -> NoReturn:
        """Refuses the value of an option; `fitting` are option values that the pass accepts."""
        value = option_text(getattr(self, option))
        refuse(
            code, message, at=f"{option}={value}", expected=expected, found=found or value, help=self.again(**fitting)
        )

    def again(self, **options: Any) -> Phrase:
        """Formats this pass with other options."""
        return suggest_pass(replace(self, **options))

    def groups(self, network: ntensor.NetworkOp, ops: Sequence[Operation]) -> list[Group]:  # 2
        if self.per in SHARED:
            return together(network, ops, self.per)
        return [alone(op, self.per) for op in ops if isinstance(op, Weighted)]

    def rounded(self, group: Group, bits: int, least: Reals | None = None) -> list[Rounded]:  # 3
        if not any(weight_of(lines.op).data.size for lines in group.lines):
            return []
        if self.grid == "asymmetric":  # 8
            return rounded_asymmetric(group, bits, self.scale == "power-of-two")
        return rounded(
            group,
            self.stored_bits(bits),
            self.scale == "power-of-two",
            self.clip,
            self.fit == "error",
            self.classes,  # 7
            is_unsigned=self.grid == "unsigned",
            least=least,
            balance=self.balance,  # 11
        )

    def by_data(
        self,
        network: ntensor.NetworkOp,
        groups: Sequence[Group],
        nearest: list[list[Rounded]],
        least: Sequence[Reals | None],
    ) -> Chosen | None:  # 13
        """Returns the weights that the data choose; None with nearest integers, or where these are exact. Errors: QUA051."""
        if self.method == "nearest" or all(each.is_exact for some in nearest for each in some):
            return None
        if not kept_samples(network):
            refuse(
                QUA051,
                at=f"ntensor.network @{network.sym_name.data}",
                expected=f"samples that ntensor-calibrate keeps, for method={self.method}",
                found="no samples",
                help=Phrase(Option("ntensor-calibrate{data=x.npy keep=128}", "--calib x.npy", is_of_device=True)),
            )
        limits = [
            GridLimits(
                self.stored_bits(self.bits),
                self.scale == "power-of-two",
                self.grid == "unsigned",
                self.classes is not None,
                some,
            )
            for some in least
        ]
        balanced = None
        if self.balance != "none":
            plain = replace(self, balance="none")
            balanced, nearest = (
                nearest,
                [plain.rounded(group, self.bits, low) for group, low in zip(groups, least, strict=True)],
            )
        return DataRounding(network, groups, nearest, limits, self.method, balanced).choose()

    def stored_bits(self, bits: int) -> int:
        """Returns the signed width of stored integers: one bit more than `bits` on an unsigned grid."""
        return bits + (self.grid == "unsigned")  # 9

    def overflows(
        self,
        network: ntensor.NetworkOp,
        groups: Sequence[Group],
        found: Sequence[Sequence[Rounded]],
        diagnostics: Diagnostics,
    ) -> list[Finding]:
        assert self.accumulator is not None  # asked before
        ranges = IntegerRanges(network)

        def narrower(group: Group) -> Iterator[tuple[str, Sequence[Rounded]]]:
            for bits in range(self.bits - 1, int(self.grid == "asymmetric"), -1):
                yield self.again(bits=bits), self.rounded(group, bits)

        def wider(bits: int) -> str:
            return self.again(accumulator=bits)

        return list(accumulators.find_overflows(groups, found, self.accumulator, ranges, narrower, wider, diagnostics))

    def record(
        self,
        network: ntensor.NetworkOp,
        changed: Sequence[Rounded],
        coarse: Sequence[Operation],
        chosen: Chosen | None,
    ) -> None:
        if not changed:
            return
        largest, mean = measured([each.errors for each in changed])
        touched = [describe_op(each.lines.op)[1] or "" for each in changed]
        kind = "power of two" if self.scale == "power-of-two" else "scale"
        kind += " and zero point" * (self.grid == "asymmetric")
        what = f"weights quantized to {self.bits} {'unsigned ' * (self.grid == 'unsigned')}bit{'s' * (self.bits > 1)}, one {kind} per {self.per}"
        if self.classes is not None:
            scales = (
                f"{kind}{'s' * (self.classes > 1)}"
                if self.scale == "float"
                else f"power{'s' * (self.classes > 1)} of two"
            )
            what += f", at most {self.classes} {scales} in {'a population' if self.per == 'neuron' else 'an op'}"
        if coarse:
            named = ", ".join(f'"{describe_op(op)[1]}"' for op in coarse)
            what += f"; sums of {named} lose more than {MOST_LOST:.0%} of their variance, so their mean errors stay"
        if chosen is not None:
            what += f"; {chosen.text}"
        network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, largest, mean))
