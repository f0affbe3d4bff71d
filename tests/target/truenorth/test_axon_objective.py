"""Placement with the weight of input axons that the device declares: populations with common sources share a core."""

from __future__ import annotations

from typing import Any

import numpy as np

from nopt.api.conformance.networks import Drawing, Drawn, discretised
from nopt.api.conformance.subject import Subject
from nopt.core.device.named_device import resolve_device
from nopt.core.ir.operation import shape_of
from nopt.dialects import nir
from nopt.dialects.truenorth import ChipOp

GROUPS, SIZE = 4, 6


def draw() -> Drawn:
    """Returns two populations for each group of inputs, which read nothing else, and are read by one population."""
    drawing = Drawing(GROUPS * SIZE)
    parts: list[Any] = []
    for k in [*range(GROUPS), *range(GROUPS)]:
        weight = np.zeros((SIZE, GROUPS * SIZE), np.float32)
        weight[:, k * SIZE : (k + 1) * SIZE] = 1
        current = drawing.linear(f"in{len(parts)}", drawing.x, weight)
        given = {"r": 1000.0, "v_threshold": 2.0, "v_reset": 0.0}
        arrays = {name: np.full(shape_of(current), value) for name, value in given.items()}
        parts.append(drawing.add(nir.IFOp, f"part{len(parts)}", current, **arrays))
    current = drawing.sum(*(drawing.linear(f"out{k}", z, np.ones((2, SIZE), np.float32)) for k, z in enumerate(parts)))
    arrays = {name: np.full((2,), value) for name, value in {"r": 1000.0, "v_threshold": 9.0, "v_reset": 0.0}.items()}
    module = drawing.finish(drawing.add(nir.IFOp, "last", current, **arrays))
    rule = {"dt": "1ms", "like": "euler", "reset": "value"}
    return Drawn("groups", discretised(module, rule), np.zeros((1, 4, GROUPS * SIZE), np.bool_))


def axons(weight: int) -> int:
    """Returns the input axons of all cores, each of which has room for two populations and the last one."""
    subject = Subject(resolve_device("truenorth/ns1e"), 1, 0)
    limits = [f"core.neurons={2 * SIZE + 2}", f"core.output_axons={2 * SIZE + 2}", f"cost.objective.axon={weight}"]
    found = subject.compile(draw(), subject.settings(*limits))
    assert found.fit.is_fitting, found.refusal
    chip = next(op for op in found.module.ops if isinstance(op, ChipOp))
    return sum(core.axons.value.data for core in chip.cores.values())


def test_populations_with_common_sources_share_a_core() -> None:
    """Each group takes its six inputs once, and the last population its 48 sources."""
    assert axons(64) == GROUPS * SIZE + 2 * GROUPS * SIZE
    assert axons(0) > axons(64)
