"""Chooses how integers of 8 and 16 bits are stored: as they are, or in words of 32 bits on devices without such memory.

    kernels.buffer "fc_weight" #kernels<kind constant> … : memref<64x10xsi8>
    =>
    kernels.buffer "fc_weight" #kernels<kind constant> {storage = #kernels<storage packed>} … : memref<64x10xsi8>

1. Constants are packed: four or two in a word. They are only read, so no invocation writes a part of the word of another.
2. Rows that kernels write are wide: a word for each element.
3. From here on, the program has the features of its device, and the verifier refuses numbers that the device does not have (KRN003).

Exactness: no number changes. Errors: KNL003 an unknown feature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import ModuleOp, StringAttr

from ....core.ir.pipeline import NoptPass
from ....dialects import c, kernels
from ....dialects.kernels import Kind, Storage, StorageAttr
from ..features import known_features

WORD = 32


@dataclass(frozen=True)
class KernelsChooseStoragePass(NoptPass):
    """Chooses the storage of the narrow integers of every `kernels.program`.

    Options:
        storage: `plain` keeps their own bytes; `wide` stores them in words of 32 bits, constants packed; `auto` by the features; default auto.
        features: features of the device, `features=int64,fp64`, or `none`; default: every feature.
    """

    name = "kernels-choose-storage"
    storage: Literal["auto", "plain", "wide"] = "auto"
    features: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        features = known_features(self, self.features)
        for program in [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]:
            if features is not None:
                program.features = ListAttr([StringAttr(name) for name in features])
            for buffer in program.buffers:
                bits = c.integer_bits(buffer.element)
                if bits is None or bits >= WORD:
                    continue
                lacks = features is not None and f"int{bits}" not in features
                if self.storage == "wide" or (self.storage == "auto" and lacks):
                    is_constant = buffer.kind.data is Kind.CONSTANT
                    buffer.storage = StorageAttr(Storage.PACKED if is_constant else Storage.WIDE)
