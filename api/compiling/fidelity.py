"""Agreement between a chip's results and the network in ticks, as the device file declares it (`fidelity`).

| tier | what agrees |
| --- | --- |
| exact | every bit of every tick |
| windowed | the sum of each neuron in each window of `fidelity.window` ticks |
| nominal | the sum of each neuron over all ticks, within `fidelity.tolerance` of its scale |

The scale of a count is the count, at least 1. The scale of a real value, which can be a current in ampere, is the greatest sum of magnitudes of any
neuron of the record.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.ir.operation import shape_of
from ...simulation.frames import read_data
from ...simulation.stimuli import Given
from ..judging.chip_agreement import Agreement, Disagreement
from ..modules import only_network
from ..running.comparison import First, as_float64, differs, first_difference
from ..running.level_comparison import ROOM_BYTES
from ..running.level_rows import arrays_with_samples
from ..running.run import execute


def window_of(device: Device, ticks: int) -> int:
    """Returns the ticks of a window: 1 for exact, all for nominal. Units: both [ticks]."""
    tier = device.fidelity.tier
    return {"exact": 1, "nominal": max(1, ticks)}.get(tier) or device.integer("fidelity.window") or max(1, ticks)


def disagreement(
    device: Device, name: str, wanted: NDArray[Any], got: NDArray[Any], start: int | None = 0
) -> Disagreement | None:
    """Returns the disagreement of two records beyond the fidelity of a device; None if they agree. `start` is the index of the first sample.

    Shapes: wanted and got [samples, ticks, ...].
    """
    window = window_of(device, wanted.shape[1])
    a, b = (window_sums(values, window) for values in (wanted, got))
    tolerance = device.number("fidelity.tolerance") if device.fidelity.tier == "nominal" else None
    wrong = differs(a, b, 0.0)
    if tolerance:
        wrong &= ~(np.abs(as_float64(b) - as_float64(a)) <= float(tolerance) * scale_of(wanted, a))
    found = first_difference(wrong, a, b, start)
    if found is None:
        return None
    place = First(found.sample, found.tick * window, found.index, found.a, found.b)
    apart = np.abs(as_float64(b[wrong]) - as_float64(a[wrong]))
    return Disagreement(name, place, int(wrong.sum()), float(np.where(np.isnan(apart), np.inf, apart).max()))


def scale_of(values: NDArray[Any], sums: NDArray[Any]) -> NDArray[np.float64]:
    """Returns the scale of each sum, to which its tolerance is relative. Shapes: values [samples, ticks, ...], sums and result [samples, 1, neurons]."""
    if values.dtype.kind in "biu":
        return np.maximum(1, np.abs(as_float64(sums)))
    magnitudes = np.abs(as_float64(values)).sum(axis=1)
    return np.full(sums.shape, magnitudes.max(initial=0), np.float64)


def window_sums(values: NDArray[Any], window: int) -> NDArray[Any]:
    """Returns the sums over windows; for a window of one tick, the values. Shapes: values [samples, ticks, ...], result [samples, windows, neurons]."""
    flat = values.reshape(*values.shape[:2], prod(values.shape[2:]))
    starts = np.arange(0, flat.shape[1], window, dtype=np.int64)
    return flat if window == 1 or not len(starts) else np.add.reduceat(as_float64(flat), starts, axis=1)


def agreement(network: ModuleOp, chip: Callable[..., Any], device: Device, given: Given) -> Agreement:
    """Runs the outputs of a network and of its chip, and compares them in the fidelity of the device."""
    graph = only_network(network)
    fed = read_data(graph, given)
    width = sum(prod(shape_of(value)) for value in graph.outputs.operands)
    found: dict[str, Disagreement] = {}
    for some, part in fed.groups(8 * fed.ticks * width, ROOM_BYTES):
        both = [execute(network, part, chip=one, diagnostics=Diagnostics(), is_internal=True) for one in (None, chip)]
        wanted, got = map(arrays_with_samples, both)
        for name, values in wanted.items():
            first = some.start if fed.has_samples else None
            if name not in found and (differing := disagreement(device, name, values, got[name], first)) is not None:
                found[name] = differing
    return Agreement(not found, fed.samples, tuple(found.values()))
