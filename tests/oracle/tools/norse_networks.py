"""Random networks of Norse: LIFBoxCell, LIFCell, IAFCell and LIBoxCell, dense and convolutional, both of its reset methods.

The exporter multiplies tau by the time step and drops v_reset. It supports neither flattening and pooling, nor recurrent cells, nor
convolutions without a bias. Its sample has no axis of samples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from generation import Arrays, Network, Shape, main, write_nir
from norse.torch import SequentialState
from norse.torch.functional.iaf import IAFParameters
from norse.torch.functional.leaky_integrator_box import LIBoxParameters
from norse.torch.functional.lif import LIFParameters
from norse.torch.functional.lif_box import LIFBoxParameters
from norse.torch.functional.reset import reset_subtract, reset_value
from norse.torch.module.iaf import IAFCell
from norse.torch.module.leaky_integrator_box import LIBoxCell
from norse.torch.module.lif import LIFCell, LIFRecurrentCell
from norse.torch.module.lif_box import LIFBoxCell
from norse.torch.utils.export_nir import to_nir
from torch_layers import draw_convolution, draw_dense, spread, tensor

STEPS = {1e-3: "1ms", 5e-4: "500us"}
"""Time steps of cells and export, and the corresponding values of --dt."""
GAINS = {"LIFBoxCell": 8.0, "LIFCell": 4.0, "IAFCell": 0.5, "LIBoxCell": 4.0, "LIFRecurrentCell": 4.0}
SPIKING = (LIFBoxCell, LIFCell, IAFCell, LIFRecurrentCell)
LOST = "NRM014"
"""Code of the finding that lists the omissions of an exporter."""


def draw_cell(
    rng: np.random.Generator, name: str, shape: Shape, dt: float, reset: Any, v_reset: float
) -> torch.nn.Module:
    """Returns one layer of cells; every parameter has the layer's shape, with one value or one for each neuron."""
    is_shared = bool(rng.integers(2))
    inverse = 1 / spread(rng, shape, 2e-3, 2e-2, is_shared=is_shared)
    leak = spread(rng, shape, -0.1, 0.2, is_shared=is_shared) if rng.random() < 0.5 else tensor(np.zeros(shape))
    threshold, start = spread(rng, shape, 0.5, 1.5, is_shared=is_shared), tensor(np.full(shape, v_reset))
    match name:
        case "LIFBoxCell":
            p = LIFBoxParameters(tau_mem_inv=inverse, v_leak=leak, v_th=threshold, v_reset=start, reset_method=reset)
            return LIFBoxCell(p, dt=dt)
        case "IAFCell":
            return IAFCell(IAFParameters(v_th=threshold, v_reset=start), dt=dt)
        case "LIBoxCell":
            return LIBoxCell(LIBoxParameters(tau_mem_inv=inverse, v_leak=leak), dt=dt)
    if name == "LIFRecurrentCell":  # its parameters are single numbers
        return LIFRecurrentCell(shape[0], shape[0], LIFParameters(v_th=tensor(rng.uniform(0.5, 1.5))), dt=dt)
    synapse = 1 / spread(rng, shape, 2e-3, 1e-2, is_shared=is_shared)
    return LIFCell(LIFParameters(synapse, inverse, leak, threshold, start), dt=dt)


def draw(rng: np.random.Generator) -> Network:
    """Returns one to three layers of cells; a third of the networks is convolutional, and one in ten recurrent."""
    dt = float(rng.choice(list(STEPS)))
    reset = reset_subtract if rng.random() < 0.3 else reset_value
    v_reset = float(np.round(rng.uniform(-0.4, 0.3), 2)) if rng.random() < 0.2 else 0.0
    is_recurrent = rng.random() < 0.1
    spatial = not is_recurrent and rng.random() < 0.35
    names = ["LIFBoxCell"] if reset is reset_subtract else ["LIFBoxCell", "LIFCell", "IAFCell"]
    shape: Shape = (int(rng.integers(3, 9)),)
    if spatial:
        shape = (int(rng.integers(1, 3)), int(rng.integers(6, 9)), int(rng.integers(6, 9)))
    start, count = shape, int(rng.integers(1, 4))
    modules: list[torch.nn.Module] = []
    used: list[str] = []
    for number in range(count):
        is_last = number + 1 == count
        used.append(str(rng.choice([*names, *([] if is_last else ["LIBoxCell"])])))
        if is_recurrent and is_last:
            used[-1] = "LIFRecurrentCell"
        gain = rng.uniform(0.4, 1.2) * GAINS[used[-1]]
        if spatial:
            layer, shape = draw_convolution(rng, gain, shape, bias=0.8)
        else:
            outputs = int(rng.integers(3, 9))
            layer, shape = draw_dense(rng, gain, shape[0], outputs), (outputs,)
        modules += [layer, draw_cell(rng, used[-1], shape, dt, reset, v_reset)]
    net = SequentialState(*modules)
    choice = "subtract" if reset is reset_subtract else "value"
    needs_v_reset = (v_reset and reset is reset_value) or (v_reset and "IAFCell" in used)
    return Network(
        layers=", ".join(used) + (" (convolutions)" if spatial else ""),
        options=f"reset_method=reset_{choice}, v_reset={v_reset}, dt={dt}",
        shape=start,
        run=runner(net),
        export=lambda path: write_nir(path, to_nir(net, torch.zeros(start), dt=dt)),
        arguments=["--dt", STEPS[dt], "--like", "norse", "--exported-by", "norse", "--reset", choice],
        gaps={"v_reset": LOST} if needs_v_reset else {},
    )


def runner(net: torch.nn.Module) -> Callable[[np.ndarray], Arrays]:
    """Returns a function that runs the network tick by tick and collects the output of every spiking cell."""

    def run(x: np.ndarray) -> Arrays:
        rows: dict[str, list[np.ndarray]] = {}
        hooks = [
            module.register_forward_hook(lambda _, __, out, name=name: rows.setdefault(name, []).append(out[0].numpy()))
            for name, module in net.named_children()
            if isinstance(module, SPIKING)
        ]
        state = None
        for row in np.moveaxis(x, 1, 0):
            _, state = net(tensor(row), state)
        for hook in hooks:
            hook.remove()
        return {name: np.stack(taken, axis=1) for name, taken in rows.items()}

    return run


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main(draw, "norse", "nirtorch", "nir", "torch", reseed=torch.manual_seed)
