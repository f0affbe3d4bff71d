"""Kernels of networks in ticks for a device without integers of 64 bits, and their outputs on NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from places import ROOT
from xdsl.dialects.builtin import ModuleOp

from nopt.core import registry
from nopt.core.device.device import load_device
from nopt.core.ir import pass_manager, pipeline
from nopt.core.ir.context import NoptContext
from nopt.dialects import kernels
from nopt.targets.kernels.interpreter import Interpreter
from nopt.targets.kernels.pipelines import passes_to_kernels

DEVICE = load_device(ROOT / "targets" / "wgsl" / "devices" / "generic.json")


def compiled(module: ModuleOp, *, is_narrowed: bool = True) -> kernels.ProgramOp:
    """Returns the kernels of a network in ticks for a device without integers of 64 bits."""
    copy = module.clone()
    text = passes_to_kernels(DEVICE, names="make")
    assert "kernels-narrow-integers," in text
    text = text if is_narrowed else text.replace("kernels-narrow-integers,", "")
    pass_manager.run_passes(pipeline.parse_pipeline(text, registry.passes()), NoptContext(), copy)
    return next(op for op in copy.ops if isinstance(op, kernels.ProgramOp))


def outputs(program: kernels.ProgramOp, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Returns the outputs of a program, [samples, ticks, elements]."""
    samples, ticks = next(iter(inputs.values())).shape[:2]
    machine = Interpreter(program, samples)
    found: dict[str, list[NDArray[Any]]] = {}
    for tick in range(ticks):
        rows = program.of_kind(kernels.Kind.INPUT)
        machine.step({row.label.data: inputs[row.row_name][:, tick].reshape(samples, -1) for row in rows})
        for row in program.of_kind(kernels.Kind.OUTPUT):
            found.setdefault(row.row_name, []).append(machine.row(row).copy())
    return {name: np.stack(rows, 1) for name, rows in found.items()}
