"""Parameters of neurons on manufactured chips: numbers that differ from chip to chip, drawn from a seed as the model of the target draws them."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import Code, refuse
from ...core.ir.operation import shape_of
from ...dialects import ntensor
from ...dialects.chip_base.chip import ChipBase
from ...simulation.chip_model import ChipModel
from ..running.variability import Draw, require_imperfect

PYT007 = Code(
    "PYT007", "chips-without-neuron-parameters", "the chips of a target do not differ in parameters of neurons"
)


def require_drawn(device: Device, draw: Draw) -> type[ChipModel[Any]]:
    """Returns the model of a target whose chips differ in parameters of neurons. Errors: RUN011, RUN012, PYT007."""
    exit = registry.targets()[device.target]()
    kind: Any = None if exit.model is None else exit.model()
    require_imperfect(kind, device, draw, ("--mismatch", "--chips", "--seed"))
    if not getattr(kind, "varies_neurons", False):
        expected = "a target whose neurons differ between chips"
        refuse(PYT007, at="--mismatch", expected=expected, found=device.key, help="nopt targets")
    return kind


def drawn_parameters(
    module: ModuleOp, network: ntensor.NetworkOp, device: Device, draw: Draw
) -> dict[str, dict[str, AnyArray]]:
    """Returns the parameters of each population on each chip, by name. Shapes: [chips, *population]."""
    kind = require_drawn(device, draw)
    chip = next(op for op in module.ops if isinstance(op, ChipBase))
    dt = network.tick_ns.value.data * 1e-9
    populations = {op.node.data: op for op in network.populations}
    found: dict[str, dict[str, AnyArray]] = {}
    for number, imperfections in enumerate(draw.drawn()):
        for core, tables in chip.cores.items():
            for op in tables.groups:
                population = populations[op.source.data]
                shape = shape_of(population.z)
                ideal = {name: array.values for name, array in population.arrays(population.params)}
                for name, values in kind.varied_parameters(op, core, dt, device, imperfections).items():
                    known = found.setdefault(op.source.data, {})
                    if name not in known:
                        whole = np.broadcast_to(ideal[name].astype(np.float64), (draw.chips, *shape))
                        known[name] = whole.reshape(draw.chips, -1).copy()
                    known[name][number, op.index.values] = values
    return {
        node: {name: values.reshape(draw.chips, *shape_of(populations[node].z)) for name, values in one.items()}
        for node, one in found.items()
    }
