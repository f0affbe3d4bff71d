"""Computes integers of more than 32 bits as two words, for devices without integers of 64 bits.

    kernels.buffer "v" #kernels<kind state> : memref<4xi64>
    %y = fixed.add %v, %x : … -> !fixed.int<0, 8589934590>
    =>
    kernels.buffer "v" #kernels<kind state> {storage = #kernels<storage split>} : memref<4xi64>
    %low = arith.addi %v0, %x0 : i32
    …

1. Memory of 64 bits is split into two words for each element, the lower first.
2. Each value beyond 32 bits becomes two words; all ops of `fixed` are computed on them in the block where they are (`words/pairs.py`).
3. Values within 32 bits stay as they are: run `kernels-narrow-integers` before.

Exactness: no number changes. Errors: KNL003 an unknown feature; KNL002 an op that has no equivalent.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

from ....core.ir.pipeline import NoptPass
from ....dialects import c, kernels
from ....dialects.kernels import Storage, StorageAttr
from ..features import known_features
from ..words.bodies import needs_split, split_stage

WIDE = 64


def split(program: kernels.ProgramOp) -> None:
    """Splits the integers of a program."""
    for buffer in program.buffers:
        if c.integer_bits(buffer.element) == WIDE:
            buffer.storage = StorageAttr(Storage.SPLIT)  # 1
    for one in program.kernels:
        for stage in one.stages:
            if needs_split(stage):
                Rewriter.replace_op(stage, split_stage(stage), [])  # 2


@dataclass(frozen=True)
class KernelsSplitIntegersPass(NoptPass):
    """Splits the integers of every `kernels.program`, if the device has no integers of 64 bits.

    Options:
        features: features of the device, `features=int8,fp64`, or `none`; default: every feature.
    """

    name = "kernels-split-integers"
    features: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        features = known_features(self, self.features)
        if features is None or f"int{WIDE}" in features:
            return
        for program in [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]:
            split(program)
