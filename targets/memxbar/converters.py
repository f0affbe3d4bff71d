"""Converters between numbers and voltages or currents: uniform steps, and their ranges.

    dac(x) = clip(round(x / step) step, -range, range),    step = 2 range / (2^bits - 2)

The same steps hold for a converter of currents. Halves are rounded to even. A converter of 0 bits is ideal.

`products` adapts the range of the inputs to each product, and repeats a product with smaller inputs while its results leave the range of the
converters.

Source: aihwkit 1.1.0, IOParameters: ABS_MAX for inputs, ITERATIVE for results; simulator/tiles/analog_mvm.py.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.arrays.numeric import Reals

MOST_REDUCTION = 1000.0
"""Reduction of inputs after which none follows."""
MOST_STEP = 0.25
"""Step of the inputs, as a share of their range, after which no reduction follows."""


def convert(values: Reals, range: Reals | float, bits: int) -> Reals:
    """Returns values after conversion: rounded to a step of the converter and clipped to its range. Shapes: range () or one that broadcasts."""
    if not bits:
        return values
    step = np.multiply(range, 2 / (2**bits - 2))
    return np.clip(np.round(values / step) * step, np.negative(range), range)


def products(x: Reals, multiply: Callable[[Reals], Reals], dac_bits: int, adc_bits: int, range: float) -> Reals:
    """Returns products of rows of inputs with adapted ranges. Shapes: x [n, rows], result [n, outputs]; range in the units of `multiply` for inputs up to 1."""
    largest = np.abs(x).max(axis=1, keepdims=True, initial=0)
    scale = np.where(largest > 0, largest, 1)
    found = np.zeros((len(x), 0))
    waiting, reduction = np.arange(len(x)), 1.0
    while len(waiting):
        inputs = convert(x[waiting] * (1 / scale[waiting] / reduction), np.ones((), x.dtype), dac_bits)
        currents = multiply(inputs)
        step = 2 * range / (2**adc_bits - 2) if adc_bits else 0.0
        currents = np.round(currents / step) * step if adc_bits else currents
        if not found.size:
            found = np.zeros((len(x), currents.shape[1]))
        found[waiting] = np.clip(currents, -range, range) * (scale[waiting] * reduction)
        is_last = reduction > MOST_REDUCTION or (dac_bits > 0 and reduction > MOST_STEP * (2**dac_bits - 2) / 2)
        reduction *= 2
        waiting = waiting[:0] if is_last else waiting[(np.abs(currents) > range).any(axis=1)]
    return found
