"""Populations of networks from ONNX: one tick without states, written in the neuron language.

| population | its output |
| --- | --- |
| `quantise` | integers of reals: `clip(round(x / scale), low, high)` in the precision of the model, as QuantizeLinear computes it |
| `requantise` | integers of sums of integers: `clip(round(sum of scale a + offset), low, high)`, with scales as a multiplier of 31 bits and a shift |
| `rescale` | reals of sums of integers: `clip(sum of scale a + offset, low, high)`, computed in f64 |
| `rectify` | reals: `max(x, low)`, `min(x, high)`, or both |
| `shift` | integers plus a zero point |

`round` is to the nearest integer, halves to the even one. A requantisation of one sum has the family `activation`, so that chips of layers compute it:
`ceil((a - threshold) / level)` is the same integer, except for sums in the middle of two integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, TensorType
from xdsl.ir import Attribute, SSAValue

from ...core.arrays.arrays import uniform
from ...core.arrays.numeric import AnyArray, Reals
from ...core.ir.operation import element_type, shape_of
from ...core.neuron.neuron import parse_neurons
from ...dialects import ntensor
from .values import Scaled

PRODUCT_BITS, MULTIPLIER_BITS, MOST_SHIFT = 62, 31, 62
OFFSET_BITS = 52
"""Bits of an offset without its sign: parameters are derived in f64."""
LETTERS = "abcdefgh"
"""Names of the inputs of a population that adds."""
MOST_TERMS = len(LETTERS)


@cache
def update_of(text: str, symbol: str, precision: Float32Type | Float64Type) -> ntensor.UpdateOp:
    """Returns the update of a neuron, which callers copy."""
    from ...dialects.equations.build import build_update

    (rule,) = parse_neurons(text, "frontends/onnx/populations.py").neurons
    return build_update(rule, options={}, precision=precision, symbol=symbol)


def new_population_of(
    node: str,
    update: ntensor.UpdateOp,
    symbol: str,
    xs: Sequence[SSAValue],
    params: Mapping[str, AnyArray],
    canonical: Mapping[str, Reals] | None = None,
) -> ntensor.NeuronOp:
    """Returns a population of an update whose symbol in the module is `symbol`."""
    return ntensor.NeuronOp(
        node,
        symbol,
        xs,
        TensorType(ntensor.emission_type(update), shape_of(xs[0])),
        params=ntensor.array_dictionary({name: uniform(narrowed(np.asarray(value))) for name, value in params.items()}),
        initial=ntensor.array_dictionary({}),
        family="activation" if canonical else None,
        canonical=ntensor.array_dictionary({name: uniform(value) for name, value in canonical.items()})
        if canonical
        else None,
    )


def narrowed(values: AnyArray) -> AnyArray:
    """Returns integers in the narrowest signed format that holds them, and reals as they are."""
    if values.dtype.kind != "i":
        return values
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    kinds = (np.int8, np.int16, np.int32, np.int64)
    return values.astype(next(kind for kind in kinds if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max))


def emitted(low: int) -> str:
    """Returns the kind of output of integers."""
    return "count" if low >= 0 else "value"


def quantise_text(low: int, high: int) -> str:
    return f"""neuron quantise
param scale
input x
n = clip(round(x / scale), {low}, {high})
emit {emitted(low)} n
"""


def rectify_text(low: float, high: float) -> str:
    bounds = [name for name, value in (("low", low), ("high", high)) if np.isfinite(value)]
    text = "max(x, low)" if "low" in bounds else "x"
    text = f"min({text}, high)" if "high" in bounds else text
    return f"neuron rectify\nparam {', '.join(bounds)}\ninput x\nemit value {text}\n"


def shift_text(low: int, high: int, by: int) -> str:
    return f"""neuron shift
input a: s{bits_of(low, high)}
emit {emitted(low + by)} clip(a + {by}, {low + by}, {high + by})
""".replace("+ -", "- ")


def bits_of(low: int, high: int) -> int:
    """Returns the bits of a signed integer that holds an interval."""
    return 1 + max(high.bit_length(), (~low).bit_length() if low < 0 else 0)


def input_bits(x: SSAValue) -> int:
    """Returns the bits of a signed integer that holds all numbers of the type of a signal."""
    held = ntensor.interval_of(element_type(x))
    assert held is not None  # integers
    return bits_of(held.low, held.high)


def requantise_text(x: Scaled, low: int, high: int, has_offset: bool, is_activation: bool) -> tuple[str, int]:
    """Returns the neuron, and the bits of its multipliers."""
    letters = LETTERS[: len(x.terms)]
    widths = [input_bits(term.value) for term in x.terms]
    spare = (len(letters) + has_offset - 1).bit_length()
    bits = min(MULTIPLIER_BITS, PRODUCT_BITS - spare - max(widths) + 1)
    most = 2**bits - 1
    names = [f"multiplier_{letter}" for letter in letters]
    lowest = 1 if is_activation else -most
    lines = ["neuron requantise" + (" for activation" if is_activation else "")]
    lines += [f"param {name}: s{bits + 1} in {lowest}..{most}" for name in names]
    if has_offset:
        lines.append(f"param offset: s{OFFSET_BITS + 1} in {1 - 2**OFFSET_BITS}..{2**OFFSET_BITS - 1}")
    lines.append(f"param shift: u6 in 0..{MOST_SHIFT}")
    if is_activation:
        start = "real(1 << shift) / 2" + (" - real(offset)" if has_offset else "")
        lines.append(f"canonical threshold = ({start}) / real({names[0]})")
        lines.append(f"canonical level = real(1 << shift) / real({names[0]})")
        lines.append("canonical gain = 1")
    lines += [f"input {letter}: s{width}" for letter, width in zip(letters, widths, strict=True)]
    total = " + ".join(f"{letter} * {name}" for letter, name in zip(letters, names, strict=True))
    total += " + offset" if has_offset else ""
    lines.append(f"n = clip(round(({total}) / (1 << shift)), {low}, {high})")
    lines.append(f"emit {emitted(low)} n")
    return "\n".join(lines) + "\n", bits


def requantise_numbers(x: Scaled, scale: float, bits: int, has_offset: bool) -> dict[str, AnyArray]:
    """Returns multipliers, offset and shift of each neuron: the largest shift whose numbers fit. Shapes: each () or that of x."""
    factors = np.stack([np.broadcast_to(term.scale / scale, x.shape) for term in x.terms])
    offset = np.broadcast_to(x.offset / scale, x.shape)
    most = np.maximum(np.abs(factors).max(0), np.abs(offset) * 2.0 ** (bits - OFFSET_BITS))
    shift = np.clip(np.floor(bits - np.log2(np.maximum(most, 2.0**-200))), 0, MOST_SHIFT)
    shift = shift - (np.rint(most * 2.0**shift) > 2.0**bits - 1)
    found: dict[str, AnyArray] = {
        f"multiplier_{letter}": np.rint(factor * 2.0**shift).astype(np.int64)
        for letter, factor in zip(LETTERS, factors, strict=False)
    }
    if has_offset:
        found["offset"] = np.rint(offset * 2.0**shift).astype(np.int64)
    return {**found, "shift": shift.astype(np.int64)}


def rescale_text(x: Scaled, precision: Attribute) -> str:
    """Returns the neuron whose output is a sum of scaled integers as a real."""
    letters = LETTERS[: len(x.terms)]
    clips = [name for name, value in (("low", x.low), ("high", x.high)) if np.isfinite(value)]
    lines = ["neuron rescale", *(f"param scale_{letter}: f64" for letter in letters)]
    lines += ["param offset: f64", *(f"param {name}: f64" for name in clips)]
    lines += [f"input {letter}: s{input_bits(term.value)}" for letter, term in zip(letters, x.terms, strict=True)]
    text = " + ".join(f"f64({letter}) * scale_{letter}" for letter in letters) + " + offset"
    text = f"max({text}, low)" if "low" in clips else text
    text = f"min({text}, high)" if "high" in clips else text
    return "\n".join([*lines, f"emit value {'f64' if isinstance(precision, Float64Type) else 'f32'}({text})"]) + "\n"


def rescale_numbers(x: Scaled) -> dict[str, AnyArray]:
    numbers: dict[str, AnyArray] = {
        f"scale_{letter}": np.broadcast_to(term.scale, x.shape) for letter, term in zip(LETTERS, x.terms, strict=False)
    }
    numbers["offset"] = np.broadcast_to(x.offset, x.shape)
    bounds = {"low": x.low, "high": x.high}
    return numbers | {name: np.asarray(value) for name, value in bounds.items() if np.isfinite(value)}


def activation_numbers(numbers: Mapping[str, AnyArray]) -> dict[str, Reals]:
    """Returns threshold and level of a requantisation of one sum, as its neuron derives them."""
    unit, multiplier = 2.0 ** numbers["shift"].astype(np.float64), numbers["multiplier_a"].astype(np.float64)
    offset = numbers["offset"].astype(np.float64) if "offset" in numbers else 0.0
    return {
        "threshold": np.asarray((unit / 2 - offset) / multiplier),
        "level": np.asarray(unit / multiplier),
        "gain": np.asarray(1.0),
    }
