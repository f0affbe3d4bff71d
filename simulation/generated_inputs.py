"""Inputs that are generated instead of read from a file: `poisson:0.1`, `constant:1` and `zeros`.

| text | every input of the network |
| --- | --- |
| `poisson:P` | spikes, with probability P in each tick, independent of each other |
| `constant:V` | the value V in each tick |
| `zeros` | no spikes |

`,ticks=N` (default 100), `,samples=N` (default one sample without an axis) and `,seed=N` (default 0) may follow: `poisson:0.1,ticks=50,seed=1`. An
existing file of that name is read instead. The same text generates the same bits for the same shapes.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..core.contradictions import find_contradiction
from ..core.counts import count_of
from ..core.diagnostics import Code, ExitCode, refuse

SIM014 = Code("SIM014", "generated-input-unreadable", "a generated input cannot be read", exit_code=ExitCode.MISUSED)

GENERATED = re.compile(r"(?P<kind>[a-z]+)(?::(?P<value>[^,/\\]*))?(?P<options>(?:,[^,/\\]*)*)")
HAS_VALUE = {"poisson": True, "constant": True, "zeros": False}
"""Kinds of generated inputs, each with whether it requires a value."""
DEFAULTS = {"ticks": 100, "samples": None, "seed": 0}
EXAMPLE_INPUT = "poisson:0.1,ticks=100,samples=8,seed=0"


def is_generated(given: Any) -> bool:
    """Returns whether an input is generated: a text with a kind, or a near match of one, that is not a file."""
    if not isinstance(given, str) or (found := GENERATED.fullmatch(given)) is None or os.path.exists(given):
        return False
    kind: str = found["kind"]
    return kind in HAS_VALUE or (found["value"] is not None and bool(get_close_matches(kind, HAS_VALUE, 1)))


def generate(text: str, inputs: Mapping[str, tuple[int, ...]]) -> dict[str, NDArray[Any]]:
    """Returns an array for each input of a network. Shapes: [ticks, *shape], or [samples, ticks, *shape] with `samples`.

    Errors: SIM014 an unknown kind or option, a value out of range, or two values of one option.
    """
    found = GENERATED.fullmatch(text)
    assert found is not None  # `is_generated`
    kind: str = found["kind"]
    if kind not in HAS_VALUE:
        near: list[str] = get_close_matches(kind, HAS_VALUE, 1)
        refuse_text(text, f"one of {', '.join(HAS_VALUE)}", kind, near[0] + text[len(kind) :])
    value = kind_value(text, kind, found["value"])
    options = options_of(text, found["options"])
    samples = options["samples"]
    leading = (options["ticks"],) if samples is None else (samples, options["ticks"])
    random = np.random.default_rng(options["seed"])
    make: dict[str, Callable[[tuple[int, ...]], NDArray[Any]]] = {
        "poisson": lambda shape: random.random(shape) < value,
        "constant": lambda shape: np.full(shape, int(value) if value.is_integer() and abs(value) < 2**63 else value),
        "zeros": lambda shape: np.zeros(shape, bool),
    }
    return {name: make[kind]((*leading, *shape)) for name, shape in inputs.items()}


def kind_value(text: str, kind: str, value: str | None) -> float:
    """Returns the value of a kind, 0 for a kind without one. Errors: SIM014 a missing value, or one out of range."""
    if not HAS_VALUE[kind]:
        if value is not None:
            refuse_text(text, f"{kind} without a value", value or "an empty value", kind)
        return 0.0
    expected = "a probability per tick, 0 to 1" if kind == "poisson" else "a finite number"
    try:
        found = float(value or "")
    except ValueError:
        found = np.nan
    if not np.isfinite(found) or (kind == "poisson" and not 0 <= found <= 1):
        refuse_text(text, expected, value or "no value", f"{kind}:{0.1 if kind == 'poisson' else 1}")
    return found


def options_of(text: str, given: str) -> dict[str, Any]:
    """Returns ticks, samples and seed. Errors: SIM014 another option, no count, or two counts."""
    options: dict[str, Any] = dict(DEFAULTS)
    chosen: list[tuple[str, int]] = []
    for entry in given.split(",")[1:]:
        name, _, value = entry.partition("=")
        count = count_of(value)
        if name not in DEFAULTS or count is None:
            near = (get_close_matches(name, DEFAULTS, 1) or ["ticks"])[0]
            named = ", ".join(f"{one}=N" for one in DEFAULTS)
            fitting = f"{near}={100 if count is None else count}"
            refuse_text(text, f"{named}, with N of 0 or more", entry or "an empty option", text.replace(entry, fitting))
        chosen.append((name, count))
    if (wrong := find_contradiction(chosen)) is not None:
        name, first, second = wrong
        kept = [entry for entry in text.split(",") if entry.strip() != f"{name}={first}"]
        refuse_text(text, f"one value of {name}", f"{first} and {second}", ",".join(kept))
    options |= dict(chosen)
    return options


def refuse_text(text: str, expected: str, found: str, fitting: str) -> NoReturn:
    refuse(
        SIM014,
        "the generated input cannot be read",
        at=text,
        expected=expected,
        found=found,
        help=f"--input {shlex.quote(fitting)}",
        notes=[f"for example {EXAMPLE_INPUT}"],
    )
