"""Integers beyond 32 bits as two words: generated networks on devices without 64 bits equal the reference in every bit, with all states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from integer_networks import integer_network
from numpy.typing import NDArray
from places import ROOT
from xdsl.dialects.builtin import ModuleOp

from nopt.core import registry
from nopt.core.device.device import load_device
from nopt.core.ir import pass_manager, pipeline
from nopt.core.ir.context import NoptContext
from nopt.dialects import kernels
from nopt.simulation.signals import DenseSignal
from nopt.targets.kernels.interpreter import Interpreter
from nopt.targets.kernels.model import Model
from nopt.targets.kernels.pipelines import passes_to_kernels
from nopt.targets.reference.model import ReferenceModel

SEEDS = range(2)
DEVICE = load_device(ROOT / "targets" / "wgsl" / "devices" / "generic.json")


def compiled(module: ModuleOp, *, is_narrowed: bool) -> kernels.ProgramOp:
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


@pytest.mark.parametrize("is_narrowed", [True, False])
@pytest.mark.parametrize("is_wide", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_outputs_equal_the_reference(seed: int, is_wide: bool, is_narrowed: bool) -> None:
    case = integer_network(seed, wide=is_wide)
    program = compiled(case.module, is_narrowed=is_narrowed)
    assert "int64" not in program.needs()
    is_split = any(isinstance(op, kernels.WordOp) for one in program.kernels for op in one.walk())
    assert is_split or not is_wide
    wanted = ReferenceModel(case.network).run({name: DenseSignal(x) for name, x in case.inputs.items()})
    found = outputs(program, case.inputs)
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name].reshape(values.shape), values, err_msg=name)


@pytest.mark.parametrize("seed", SEEDS)
def test_states_equal_the_reference(seed: int) -> None:
    case = integer_network(seed, wide=True)
    signals = {name: DenseSignal(x) for name, x in case.inputs.items()}
    wanted = ReferenceModel(case.network, record=case.record).run(signals)
    module = ModuleOp([compiled(case.module, is_narrowed=True).clone()])
    found = Model(module, case.network, device=DEVICE, record=case.record).run(signals)
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name].astype(values.dtype), values, err_msg=name)
