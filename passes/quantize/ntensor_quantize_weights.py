"""Rounds weights to a few bits: integers times a scale, which stays beside them, so that the network still runs as it is.

    %s = ntensor.linear "fc" %x {weight = [0.5, -0.26]}
      =>
    %s = ntensor.linear "fc" %x {weight = [0.5, -0.2598425], quantized = #ntensor.quantized<8, scale 0.5 / 127>}

1. The op is a linear, sparse_linear, conv or scale op that gives reals; what gives integers has integers for weights already.
2. `per` says which weights share a scale. Ops whose results meet in a sum or in a neuron share those of `neuron` and `population`.
3. `rules/grids.py` says what scale and integers are. Weights that lie on a grid of these bits already stay what they are.
4. Every weight is finite, and fits into memory, a few times over; so does what a rule makes.
5. Biases stay as they are; `ntensor-quantize-bias` rounds them.

An op that is quantized already is quantized again from its values. The errors of all weights of the ops that changed are recorded.

Errors: QNO001 a name in `nodes`; QWT001 bits; QWT002 a weight that is not finite.
Source: uniform symmetric quantisation; B. Jacob et al., Quantization and Training of Neural Networks (2018); the sign times the mean
size: M. Rastegari et al., XNOR-Net (2016), section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core.array_values import Array
from ...core.arrays import ArrayAttr
from ...core.diagnostics import Code, ExitCode, Finding, Refused, described, refuse
from ...core.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from .rules.grids import Rounded, quantized, rounded
from .rules.lines import Group, Weighted, alone, is_weighted, set_weight, together, weight_of
from .rules.nodes import check_names, chosen, networks

QWT001 = Code(
    "QWT001",
    "weights cannot have so many bits",
    cause="Weights are quantized to 1 to 16 signed bits; one bit is the sign alone.",
    remedy="Give bits from 1 to 16.",
    exit_code=ExitCode.MISUSED,
)
QWT002 = Code(
    "QWT002",
    "a weight is not finite",
    cause="No grid of integers holds infinity or what is no number, and either would spoil the scale of all weights beside it.",
    remedy="Correct the weight in the file that it came from; the message says where it stands.",
)


@dataclass(frozen=True)
class NtensorQuantizeWeightsPass(NoptPass):
    """Quantizes the weights of every `ntensor.network`.

    Options:
        bits: 1 to 16, the sign included, default 8. Fewer cost accuracy, more cost memory.
        per: what shares a scale: `tensor` (an op), `row` (an output or its channel), `column` (an input or its channel), `neuron`
            (a neuron or its channel, over all ops that reach it), `population` (all ops that reach it); default tensor. Finer scales
            round less, and cost a multiplication or a shift each.
        scale: `float`, or `power-of-two`, which a shift undoes; default float.
        nodes: the ops to work on; default all.
    """

    name = "ntensor-quantize-weights"
    bits: int = 8
    per: Literal["tensor", "row", "column", "neuron", "population"] = "tensor"
    scale: Literal["float", "power-of-two"] = "float"
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not 1 <= self.bits <= 16:
            near = min(max(self.bits, 1), 16)
            refuse(
                QWT001,
                "weights cannot have so many bits",
                at=f"bits={self.bits}",
                expected="1 to 16",
                found=str(self.bits),
                help=f"{self.name}{{bits={near}}}",
            )
        check_names(op, self.nodes, is_weighted, self.name)
        for network in networks(op):
            ops = chosen(network, self.nodes, is_weighted)  # 1
            check_finite(ops)  # 4
            found = [each for group in self.groups(network, ops) for each in self.rounded(group)]
            for each in found:
                write(each, self.bits)
            self.record(network, [each for each in found if not each.is_exact])

    def groups(self, network: ntensor.NetworkOp, ops: Sequence[Operation]) -> list[Group]:  # 2
        if self.per in ("neuron", "population"):
            return together(network, ops, self.per)
        return [alone(op, self.per) for op in ops if isinstance(op, Weighted)]

    def rounded(self, group: Group) -> list[Rounded]:  # 3
        if not any(weight_of(lines.op).data.size for lines in group.lines):
            return []
        return rounded(group, self.bits, self.scale == "power-of-two")

    def record(self, network: ntensor.NetworkOp, changed: Sequence[Rounded]) -> None:
        if not changed:
            return
        count = sum(each.before.size for each in changed)
        errors = [each.errors for each in changed]
        largest = max(float(error.max()) for error in errors)
        mean = float(sum(error.sum() for error in errors) / count)
        touched = [described(each.lines.op)[1] or "" for each in changed]
        kind = "power of two" if self.scale == "power-of-two" else "scale"
        what = f"weights quantized to {self.bits} bit{'s' * (self.bits > 1)}, one {kind} per {self.per}"
        network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, largest, mean))


def write(found: Rounded, bits: int) -> None:
    """Gives an op its new weights; those that did not change stay the very same array, a rule for example."""
    op = found.lines.op
    if not found.is_exact or weight_of(op).data.dtype != found.after.dtype:
        set_weight(op, ArrayAttr(Array.of(found.after)))
    op.quantized = quantized(found, bits)


def check_finite(ops: Sequence[Operation]) -> None:
    """Refuses weights that no grid holds. Errors: QWT002."""
    findings: list[Finding] = []
    for op in ops:
        if isinstance(op, Weighted) and (at := weight_of(op).data.not_finite()) is not None:
            value = np.asarray(weight_of(op).values)[at]
            finding = Finding(
                QWT002,
                "a weight is not finite",
                expected="finite numbers",
                found=f"weight[{', '.join(map(str, at))}] = {value}",
                help="correct the weight in the file that it came from",
            )
            findings.append(finding.located(*described(op)))
    if findings:
        raise Refused(*findings)
