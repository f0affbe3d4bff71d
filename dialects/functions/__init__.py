"""The dialect `functions`: a network as functions of upstream dialects, for other compilers.

    functions.program @net attributes {tick_ns = 1000000 : i64} {
      func.func private @tick(%tick: index, %x: tensor<1x64xi8>, %weight: tensor<64x10xf32>, %v: tensor<1x10xf32>)
        -> (tensor<1x10xi8>, tensor<1x10xf32>) { … linalg, tensor, arith, math … }
      func.func @run(%start: i64, %ticks: i64, %xs: tensor<64x1x64xi8> {nopt.name = "input", nopt.role = "input", nopt.spikes}, …)
        -> (tensor<64x1x10xi8> {nopt.name = "output", nopt.role = "output", nopt.spikes}, …) { … scf.for, func.call @tick … }
    }

`tick` computes one tick, and `run` at most as many as the first axis of its inputs has. Attributes of the arguments and results of `run` hold what a program
needs that calls it: `nopt.name`, `nopt.role` (`input`, `state` or `constant`; `output`, `probe` or `state`), `nopt.spikes` of signals that are spikes, and
`nopt.values`, the array of a constant or of a state before the first tick.

Source: MLIR documentation of the dialects func, linalg, tensor, arith, math and scf.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .program import Entry, ProgramOp, Role

__all__ = ["Entry", "ProgramOp", "Role"]

FUNCTIONS = define_dialect("functions", globals())
