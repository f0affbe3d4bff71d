"""Sheets of neurons with lateral inhibition, as networks of NIR."""

from __future__ import annotations

import numpy as np
from chip_networks import reals, whole


def lateral_kernel(reach: int, radius: float, strength: float) -> np.ndarray:
    """Returns weights that decay exponentially with the distance. Shapes: [1, 1, 2 * reach + 1, 2 * reach + 1]."""
    side = np.arange(-reach, reach + 1)
    return -strength * np.exp(-np.hypot(side[:, None], side[None, :]) / radius)[None, None]


def lateral_sheet(side: int, kernel: np.ndarray, drive: float = 0.75, gain: float = 1.0) -> str:
    """Returns a sheet whose neurons read one input each, and inhibit their neighbours by a kernel."""
    sheet, reach = f"tensor<1x{side}x{side}", kernel.shape[-1] // 2
    values = {"tau": 0.02, "r": gain, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}
    params = ", ".join(f"{name} = {reals(np.full((1, side, side), value))}" for name, value in values.items())

    def convolution(name: str, x: str, weight: np.ndarray, padding: int) -> str:
        window = f"stride = {whole([1, 1])}, padding = {whole([padding] * 2)}, dilation = {whole([1, 1])}, groups = {whole(1)}"
        biases = f"bias = {reals([0.0])}"
        return f'%{name} = nir.conv2d "{name}" {x} {{weight = {reals(weight)}, {biases}, {window}}} : {sheet}xi1> -> {sheet}xf32>'

    lines = [
        convolution("drive", "%x", np.full((1, 1, 1, 1), drive), 0),
        convolution("lateral", "%sheet", kernel, reach),
        f"%sum = nir.sum %drive, %lateral : ({sheet}xf32>, {sheet}xf32>) -> {sheet}xf32>",
        f'%sheet = nir.lif "sheet" %sum {{{params}}} : {sheet}xf32> -> {sheet}xi1>',
        f"nir.output %sheet : {sheet}xi1>",
    ]
    return "\n".join(
        [f'nir.graph @sheet("x" %x: {sheet}xi1>) -> ("y": {sheet}xi1>) {{', *(f"  {one}" for one in lines), "}"]
    )
