"""The dialect `kernels`: a network as compute kernels over named buffers, for languages of GPUs.

    kernels.program @net attributes {prefix = "net", tick_ns = 1000000 : i64} {
      %x = kernels.buffer "input" #kernels<kind input> {node = "input"} : memref<64xf32>
      …
      kernels.kernel "lif" %x, %weight, %v, %z {workgroup = 64 : i64} : memref<64xf32>, … {
        kernels.stage 10 {
        ^bb0(%e : index):
          … scf.for, arith, kernels.load %x[%i], kernels.store %s, %v[%e] …
        }
      }
    }

A kernel computes one tick of every sample: an invocation for each element of a stage and each sample. The samples are an axis of all buffers
other than constants, which no index has: `kernels.load %v[%e]` is element `e` of the sample of the invocation. Kernels run in the order of the
text, with a barrier between two. A kernel of the form `group` computes a sample with one workgroup, whose invocations share the elements of each
stage, with a barrier of the workgroup between two stages; it can compute several ticks. Its buffers of the kind `shared` are in the memory of the
workgroup: they hold values between two stages, and copies of states from the first tick of a dispatch to the last.

Bodies use `arith`, `math`, `scf` and `memref` types of MLIR, and `fixed` for integers. `kernels.load` and `kernels.store` are not those of `memref`: they
convert between the types of memory and of the computation, and have the implicit axis of the samples.

Source: Khronos OpenCL 1.2, OpenGL Shading Language 4.50, W3C WebGPU Shading Language, CUDA C++ programming guide, Metal shading language
specification, for what the languages have in common.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .bodies import AssumeOp, IntegerOp, LoadOp, StoreOp, TickOp, WordOp
from .kernels import KernelOp, StageOp
from .memory import (
    ARENAS,
    BufferOp,
    Form,
    FormAttr,
    Kind,
    KindAttr,
    Phase,
    PhaseAttr,
    Storage,
    StorageAttr,
    buffer_of,
)
from .program import ProgramOp
from .regions import Memory, MemoryRegion

__all__ = [
    "ARENAS",
    "KERNELS",
    "AssumeOp",
    "BufferOp",
    "Form",
    "FormAttr",
    "IntegerOp",
    "KernelOp",
    "Kind",
    "KindAttr",
    "LoadOp",
    "Memory",
    "MemoryRegion",
    "Phase",
    "PhaseAttr",
    "ProgramOp",
    "StageOp",
    "Storage",
    "StorageAttr",
    "StoreOp",
    "TickOp",
    "WordOp",
    "buffer_of",
]

KERNELS = define_dialect("kernels", globals())
