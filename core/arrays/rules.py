"""Arrays defined by a rule instead of bytes: each rule defines element i independently of the others.

    #nopt.array<constant(value = 0.5) : tensor<1000xf32>>
    #nopt.array<uniform(low = -1.0, high = 1.0, seed = 1) : tensor<10000x10000xf32>>
    #nopt.array<normal(mean = 0.0, std = 0.1, seed = 2, density = 0.05) : tensor<10000x10000xf32>>
    #nopt.array<integers(low = 0, high = 10000, seed = 3) : tensor<10000x50xi32>>

**Definition, version 1; it never changes.** A new algorithm gets a new name. Element i (flat index, last axis fastest)
of a random rule is a function of the word `w(i, 0)` alone: word `i mod 4` of the block of Philox4x64-10 for the counter
`i div 4 + 1` and the key `(seed, 0)`. With `u = ((w >> 12) + 1/2) / 2**52`, which is between 0 and 1 and exact in f64:

| rule | element, in f64 | parameters |
| --- | --- | --- |
| `constant` | `value` | value |
| `uniform` | `min(high, low + (high - low) u)` | low <= high, seed |
| `normal` | `mean + std q(u)`, q the inverse normal distribution | mean, std >= 0, seed |
| `integers` | `min(high - 1, floor(low + (high - low) u))`, for integer types | low < high, within 2^53, seed |

With a `density` below 1, element i is 0 unless `u(i, 1) < density`, where u(i, 1) is computed with the key `(seed, 1)`. The number is
then rounded to the type of the array, so a rule in f32 is the rounding of the same rule in f64. q uses additions,
multiplications, divisions and square roots only, which IEEE 754 defines to the last bit: every machine computes the same bytes.

Source: J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011), for Philox; M. J. Wichura, Algorithm AS 241,
Applied Statistics 37:477 (1988), PPND16, for q.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import inf, isfinite, prod
from sys import float_info
from typing import Any, ClassVar

import numpy as np
from attrs import Factory, define, frozen
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Indices = range
"""The built-in class: a rule has a method `range`."""

WORDS = 4
"""64-bit words of Philox per value of its counter."""
BLOCK = 2**18
"""Number of elements that are computed together, so that intermediate results fit into the cache."""
UNIT = 2.0**-52
SEEDS = 2**64
LARGEST_REAL = float_info.max
EXACT = 2**53
"""Largest integer up to which all integers are exact in f64."""


class RuleError(ValueError):
    """Invalid rule."""


# ---- the inverse normal distribution

CENTRE = (
    (
        3.3871328727963666080e0,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ),
    (
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ),
)
"""Numerator and denominator for |u - 1/2| <= 0.425, in 0.180625 - (u - 1/2)^2."""
NEAR = (
    (
        1.42343711074968357734e0,
        4.63033784615654529590e0,
        5.76949722146069140550e0,
        3.64784832476320460504e0,
        1.27045825245236838258e0,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ),
    (
        1.0,
        2.05319162663775882187e0,
        1.67638483018380384940e0,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ),
)
"""For r = sqrt(-ln(min(u, 1 - u))) <= 5, in r - 1.6."""
FAR = (
    (
        6.65790464350110377720e0,
        5.46378491116411436990e0,
        1.78482653991729133580e0,
        2.96560571828504891230e-1,
        2.65321895265761230930e-2,
        1.24266094738807843860e-3,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ),
    (
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ),
)
"""For larger r, in r - 5."""
LN2 = 0.6931471805599453
ATANH = tuple(1.0 / n for n in range(1, 25, 2))
"""atanh(s) = s (1 + s^2/3 + s^4/5 + …); |s| < 0.1716 here, so the first omitted term is below 1e-19."""
FARTHEST = 8.3
"""Upper bound on |q(u)|: u is at least 2^-53, where q is -8.21."""


def polynomial(coefficients: Sequence[float], x: F64) -> F64:
    """Evaluates a polynomial by Horner's scheme, the constant coefficient first."""
    y = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        y *= x
        y += coefficient
    return y


def ratio(parts: tuple[Sequence[float], Sequence[float]], x: F64) -> F64:
    return polynomial(parts[0], x) / polynomial(parts[1], x)


def logarithm(x: F64) -> F64:
    """Returns the natural logarithm of positive numbers, by operations that IEEE 754 defines: libraries differ in its last bit."""
    mantissa, exponent = np.frexp(x)
    is_small = mantissa < 0.7071067811865476
    mantissa, exponent = np.where(is_small, 2 * mantissa, mantissa), exponent - is_small
    s = (mantissa - 1) / (mantissa + 1)
    return 2 * s * polynomial(ATANH, s * s) + exponent * LN2


def inverse_normal(u: F64) -> F64:
    """Returns q(u), the number below which a standard normal variable falls with probability u. Relative error about 1e-15."""
    centred = u - 0.5
    found = centred * ratio(CENTRE, 0.180625 - centred * centred)
    tail = np.flatnonzero(np.abs(centred) > 0.425)
    at = u[tail]
    r = np.sqrt(-logarithm(np.minimum(at, 1 - at)))
    outer = np.where(r <= 5, ratio(NEAR, r - 1.6), ratio(FAR, r - 5))
    found[tail] = np.where(at < 0.5, -outer, outer)
    return found


def uniforms(seed: int, stream: int, start: int, stop: int) -> F64:
    """Returns u(i, stream) for start <= i < stop."""
    first, counter = start // WORDS, np.zeros(4, np.uint64)
    counter[0] = first  # NumPy increments the counter before each block
    generator = np.random.Philox(key=np.array([seed, stream], np.uint64), counter=counter)
    words: NDArray[np.uint64] = generator.random_raw(stop - first * WORDS)[start - first * WORDS :]
    words >>= np.uint64(12)
    u = words.astype(np.float64)
    u += 0.5
    u *= UNIT
    return u


# ---- rules


def format_real(value: float) -> str:
    """Formats the shortest decimal that MLIR parses to the same number."""
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


@define
class Form:
    """Signature of a rule: parameters without and with a default, in the order of the text form."""

    needs: tuple[str, ...]
    has_seed: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.needs, "seed", "density") if self.has_seed else self.needs


@frozen
class Rule:
    """Rule with its parameters, validated at construction.

    Errors: RuleError an unknown rule or parameter, a missing one, or one that is out of range.
    """

    name: str
    parameters: Mapping[str, int | float] = Factory(dict[str, int | float])

    FORMS: ClassVar[dict[str, Form]] = {
        "constant": Form(("value",), has_seed=False),
        "uniform": Form(("low", "high")),
        "normal": Form(("mean", "std")),
        "integers": Form(("low", "high")),
    }

    def __attrs_post_init__(self) -> None:
        form = self.FORMS.get(self.name)
        if form is None:
            raise RuleError(f"unknown array rule {self.name}; the rules are {', '.join(self.FORMS)}")
        given = self.parameters
        if stray := [name for name in given if name not in form.names]:
            raise RuleError(f"{self.name} has no parameter {stray[0]}; its parameters are {', '.join(form.names)}")
        needed = (*form.needs, "seed") if form.has_seed else form.needs
        if missing := [name for name in needed if name not in given]:
            raise RuleError(f"{self.name} needs {' and '.join(missing)}")
        if infinite := [name for name, value in given.items() if not abs(value) <= LARGEST_REAL]:
            raise RuleError(f"{infinite[0]} must be finite")
        if form.has_seed and (not isinstance(given["seed"], int) or not 0 <= given["seed"] < SEEDS):
            raise RuleError("seed must be an integer from 0 to 2^64 - 1")
        if not 0 <= self.density <= 1:
            raise RuleError("density must be between 0 and 1")
        if self.name == "uniform" and not given["low"] <= given["high"]:
            raise RuleError("low must not be larger than high")
        if self.name == "integers":
            if not all(isinstance(given[name], int) and abs(given[name]) <= EXACT for name in ("low", "high")):
                raise RuleError("low and high must be integers within 2^53")
            if not given["low"] < given["high"]:
                raise RuleError("low must be smaller than high")
        if self.name == "normal" and given["std"] < 0:
            raise RuleError("std must not be negative")
        if not all(map(isfinite, self.bounds)) or self.bounds[1] - self.bounds[0] == inf:
            raise RuleError(f"the numbers of {self.name} must be finite in f64")

    def normalised(self, dtype: np.dtype[Any]) -> Rule:
        """Returns the rule in its normal form: ordered parameters, numbers of the element type's kind, and a density of 1 left out."""
        given: dict[str, int | float] = {}
        for name in self.FORMS[self.name].names:
            if name in self.parameters and not (name == "density" and self.density == 1):
                is_integer = name == "seed" or (name != "density" and dtype.kind != "f")
                given[name] = int(self.parameters[name]) if is_integer else float(self.parameters[name])
        return Rule(self.name, given)

    @property
    def text(self) -> str:
        """Returns the text form of the rule in the IR."""
        return f"{self.name}({', '.join(f'{name} = {format_real(x)}' for name, x in self.parameters.items())})"

    @property
    def density(self) -> float:
        return float(self.parameters.get("density", 1))

    @property
    def seed(self) -> int:
        return int(self.parameters["seed"])

    @property
    def bounds(self) -> tuple[int | float, int | float]:
        """Returns a lower and an upper bound of all elements."""
        given = self.parameters
        match self.name:
            case "constant":
                return given["value"], given["value"]
            case "uniform":
                low, high = float(given["low"]), float(given["high"])
            case "integers":
                low, high = int(given["low"]), int(given["high"]) - 1
            case _:
                reach = float(given["std"]) * FARTHEST
                low, high = given["mean"] - reach, given["mean"] + reach
        return (min(low, 0), max(high, 0)) if self.density < 1 else (low, high)

    def fits(self, dtype: np.dtype[Any]) -> bool:
        """Returns whether every element is valid for the type: `integers` yields integers, other random rules finite reals, a constant either."""
        if self.name == "integers":
            held = np.iinfo(dtype) if dtype.kind in "iu" else None
            return held is not None and held.min <= self.bounds[0] and self.bounds[1] <= held.max
        if dtype.kind == "f":
            with np.errstate(over="ignore"):
                return bool(np.isfinite(np.array(self.bounds, np.float64).astype(dtype)).all())
        if self.name != "constant":
            return False
        value = self.parameters["value"]
        if dtype.kind == "b":
            return value in (0, 1)
        return isinstance(value, int) and np.iinfo(dtype).min <= value <= np.iinfo(dtype).max

    def range(self, start: int, stop: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Returns elements start to stop - 1."""
        if self.name == "constant":
            return np.full(stop - start, self.parameters["value"], dtype)
        made = np.empty(stop - start, dtype)
        for at in range(start, stop, BLOCK):
            end = min(at + BLOCK, stop)
            made[at - start : end - start] = self.reals(at, end)
        return made

    def reals(self, start: int, stop: int) -> F64:
        u = uniforms(self.seed, 0, start, stop)
        if self.density == 1:
            return self.transformed(u)
        found = np.zeros_like(u)
        there = np.flatnonzero(uniforms(self.seed, 1, start, stop) < self.density)
        found[there] = self.transformed(u[there])
        return found

    def transformed(self, u: F64) -> F64:
        given = self.parameters
        if self.name == "uniform":
            low, high = float(given["low"]), float(given["high"])
            return np.minimum(high, low + (high - low) * u)
        if self.name == "integers":
            low, high = int(given["low"]), int(given["high"])
            return np.minimum(high - 1, np.floor(low + (high - low) * u))
        return given["mean"] + given["std"] * inverse_normal(u)

    def part(self, shape: tuple[int, ...], where: Sequence[Indices], dtype: np.dtype[Any]) -> NDArray[Any]:
        """Returns the elements of an array of this shape at the given indices of each axis; only these are computed, and those between the
        steps of the last axis."""
        found = np.empty([len(axis) for axis in where], dtype)
        if not found.size:
            return found
        last = len(shape)
        while last and where[last - 1] == range(shape[last - 1]):
            last -= 1  # whole axes at the end are contiguous
        run = prod(shape[last:])
        if not last:
            return self.range(0, run, dtype).reshape(found.shape)
        *outer, inner = where[:last]
        low, high = min(inner[0], inner[-1]), max(inner[0], inner[-1]) + 1
        steps = np.array(inner) - low
        rows = found.reshape(prod(map(len, outer)), len(inner), run)
        strides = [prod(shape[axis + 1 :]) for axis in range(last)]
        for row, index in zip(rows, product(*outer), strict=True):
            start = sum(n * stride for n, stride in zip(index, strides, strict=False))
            made = self.range(start + low * run, start + high * run, dtype).reshape(high - low, run)
            row[...] = made[steps]
        return found

    def __hash__(self) -> int:
        return hash(self.name)
