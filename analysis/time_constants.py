"""Time step of a network: suggestions from its parameters, and warnings about the chosen one.

A `.nir` file holds no time step. Some exporters leave a trace of theirs, because they fold it into a parameter:

| trace | written by | time step |
| --- | --- | --- |
| `r = tau / dt`, `r = tau_mem / dt` | snnTorch, SpikingJelly and others that scale inputs by one | `tau / r` |
| `w_in = tau_syn / dt` | snnTorch | `tau_syn / w_in` |
| `r = tau exp(-dt / tau) / dt`, `r = tau_mem exp(-dt / tau_mem) / dt` | Rockpool | `tau W(1 / r)`, W: Lambert's function |
| `r = tau_mem / dt - 1` | what Rockpool's importer expects | `tau_mem / (1 + r)` |

These are suggestions in a refusal and never taken silently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from ..core.diagnostics import Code, Diagnostics, refuse_op
from ..core.help_text import Phrase, time_step
from ..dialects import nir

ANA033 = Code("ANA033", "time-step-missing", "the time step is not given")
ANA034 = Code("ANA034", "time-step-too-large", "the time step is not smaller than a time constant")
ANA035 = Code("ANA035", "time-constant-in-milliseconds", "a time constant looks like milliseconds")
ANA036 = Code("ANA036", "delay-not-whole-ticks", "a delay is not a whole number of ticks")
ANA037 = Code("ANA037", "delay-too-long", "a delay is too long to be counted in ticks")

SLOW = 0.5
"""Time constants from here on [s] are more likely milliseconds: membranes have 1 to 200 ms, synapses less."""

MOST_TICKS = 2**62
"""Longest delay that is counted."""

UNIFORM = 1e-3
"""Largest relative spread under which the neurons of a population suggest one time step."""


Ratio = Callable[[NDArray[np.float64]], NDArray[np.float64]]

NEWTON_STEPS = 40
"""Steps of Newton's method; six give all digits unless the gain is tiny."""

Names = Mapping[Operation, str]
"""Full names of nodes, where they are known."""
NAMELESS: Names = {}


def called(op: nir.NodeOp, names: Names) -> str:
    """Returns the full name of a node in `names`, else the node's local name."""
    return names.get(op, op.node.data)


def suggestions(populations: Iterable[nir.PopulationOp], names: Names = NAMELESS) -> list[tuple[int, str]]:
    """Time steps [ns] that the parameters suggest, each with the reason; the most frequent first."""
    votes: dict[int, list[str]] = {}
    for op in populations:
        for dt, why in traces(op):
            ns = float(np.rint(float(dt) * 1e9))
            if 1 <= ns <= MOST_TICKS:  # a time step is a 64-bit number
                votes.setdefault(int(ns), []).append(f'{why} in "{called(op, names)}"')
    ranked = sorted(votes.items(), key=lambda vote: (-len(vote[1]), vote[0]))
    return [(ns, reasons[0] + (f" and {len(reasons) - 1} more" if len(reasons) > 1 else "")) for ns, reasons in ranked]


def traces(op: nir.PopulationOp) -> Iterator[tuple[float, str]]:
    """Time steps [s] that one population suggests."""
    values = {name: array.values.astype(float) for name, array in op.parameters() if array.values.size}
    tau = "tau_mem" if "tau_mem" in values else "tau"
    pairs: list[tuple[str, str, Ratio, str]] = [
        (tau, "r", reciprocal, f"r == {tau} / dt"),
        (tau, "r", lambert, f"r == {tau} exp(-dt / {tau}) / dt"),
        ("tau_syn", "w_in", reciprocal, "w_in == tau_syn / dt"),
    ]
    if "tau_mem" in values:
        pairs.insert(2, (tau, "r", lambda gain: 1.0 / (gain + 1.0), f"r == {tau} / dt - 1"))
    told: set[str] = set()
    for time, gain, ratio, why in pairs:
        is_folded = time in values and gain in values and gain not in told
        if is_folded and not np.all(np.isclose(values[gain], 1.0)) and np.all(values[gain] > 0):
            with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # infinity is not a time step
                dt = one(values[time] * ratio(values[gain]))
            if dt is not None and is_round(dt):
                told.add(gain)  # one parameter determines one time step
                yield dt, why


def reciprocal(gain: NDArray[np.float64]) -> NDArray[np.float64]:
    """dt / tau, where the gain is tau / dt."""
    return 1.0 / gain


def lambert(gain: NDArray[np.float64]) -> NDArray[np.float64]:
    """dt / tau, where the gain is tau exp(-dt / tau) / dt: the solution u of u exp(u) = 1 / gain, by Newton's method."""
    u = np.log1p(1.0 / gain)  # above the solution, where the function is convex: each step comes nearer
    for _ in range(NEWTON_STEPS):
        u -= (u - np.exp(-u) / gain) / (1.0 + u)
    return u


def one(values: NDArray[np.float64]) -> float | None:
    """Returns the median of entries that are positive, finite and nearly equal; None for other entries."""
    ordered = np.sort(values, axis=None)
    middle = (
        float(ordered[[(len(ordered) - 1) // 2, len(ordered) // 2]].mean()) if len(ordered) else 0.0
    )  # np.median imports numpy.ma
    return middle if 0 < middle < np.inf and np.all(np.abs(values - middle) <= UNIFORM * middle) else None


def is_round(dt: float) -> bool:
    """Returns whether this time step is plausible: two decimal digits represent it to a part in ten thousand."""
    return abs(float(f"{dt:.1e}") - dt) <= 1e-4 * dt


USUAL_NS = (10_000_000, 1_000_000, 100_000, 10_000, 1_000)
"""Usual time steps [ns], the longest first; one has to be smaller than the time constants."""
MOST_STEPS = 3
"""Most time steps that a help line lists."""
MOST_PARTS = 1000
"""Parts of a delay that are tried as a time step."""
TINY = 2e-4
"""Time constant [s] below which the unit of a file is in doubt."""


def advice(ops: Iterable[Operation | None], names: Names = NAMELESS) -> tuple[list[int], list[str]]:
    """Returns time steps [ns] for the help line of a refusal, and the suggestions of the file.

    There are several steps, which are usual ones, if no parameter suggests one. They divide the delays of the ops and are below their time
    constants, if such steps are found.
    """
    ops = list(ops)
    populations = [op for op in ops if isinstance(op, nir.PopulationOp)]
    times = sorted({float(t) for op in populations for t in (shortest(op),) if t is not None})
    limit = times[0] * 1e9 if times else float(MOST_TICKS)
    delays = common_delay(ops)

    def fits(ns: int) -> bool:
        return ns < limit and delays % ns == 0

    usual = [*filter(fits, USUAL_NS)][:MOST_STEPS] or [*filter(None, [whole_step(delays, limit)])]
    found = suggestions(populations, names)
    if found:
        best = [*(ns for ns, _ in found if fits(ns)), *usual, found[0][0]][0]
        return [best], [f"{seconds(ns)} would follow from {why}" for ns, why in found[:4]]
    notes = [f"the shortest time constant is {times[0]:g} s"] if times else []
    if times and times[0] <= TINY:
        notes.append(
            "exporters that multiply time constants by their time step write numbers this small: --exported-by NAME"
        )
    below = [ns for ns in USUAL_NS if ns < limit] or [USUAL_NS[-1]]
    return sorted(usual) or below[:1], [
        "no parameter of the file suggests a time step",
        *notes,
        "snnTorch's importer takes 0.1 ms, Norse's 1 ms",
    ]


def common_delay(ops: Iterable[Operation | None]) -> int:
    """Returns the greatest common divisor of all delays of some ops [ns]; 0 without delays, or if they cannot be counted."""
    arrays = [op.delay for op in ops if isinstance(op, nir.DelayOp)]
    arrays += [op.delays for op in ops if isinstance(op, nir.SynapseOp) and op.delays is not None]
    return divisor_of(
        np.concatenate([array.values.astype(np.float64).reshape(-1) for array in arrays] or [np.zeros(0)])
    )


def divisor_of(delays: NDArray[np.float64]) -> int:
    """Returns the greatest common divisor [ns] of delays [s]; 0 if a delay has too many nanoseconds to count."""
    whole = np.rint(delays * 1e9)
    return int(np.gcd.reduce(whole.astype(np.int64))) if whole.max(initial=0) <= MOST_TICKS else 0


def whole_step(common: int, limit: float) -> int | None:
    """Returns the longest time step below a limit that is a small integer fraction of a common delay; None without such a step. Units: [ns]."""
    return next((common // k for k in range(1, MOST_PARTS) if common and common % k == 0 and common // k < limit), None)


def shorter_step(shortest_ns: float, delays: int) -> int:
    """Returns about a tenth of the shortest time constant, such that it divides all delays if a step below the time constant does. Units: all [ns]."""
    tenth = max(1, round(shortest_ns) // 10)
    if delays % tenth == 0:
        return tenth
    return whole_step(delays, tenth) or whole_step(delays, shortest_ns) or tenth


def shortest(op: nir.PopulationOp) -> float | None:
    """Returns the shortest time constant of a population [s]; None if the population has no time constant."""
    times = [float(array.values.min()) for name, array in op.parameters() if name in op.TIMES and array.values.size]
    return min(times, default=None)


def shortest_of(populations: Iterable[nir.PopulationOp], default: float) -> float:
    """Returns the shortest time constant of some populations [ns]."""
    return min((time * 1e9 for op in populations if (time := shortest(op)) is not None), default=default)


def seconds(ns: int) -> str:
    """Returns a time in the unit that people use for it."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if ns >= size:
            return f"{ns / size:g} {unit}"
    return f"{ns} ns"


TRAINED = "the network computes as trained only with the time step of its training"


def check_times(
    ops: Iterable[Operation | None],
    tick_ns: int,
    diagnostics: Diagnostics,
    names: Names = NAMELESS,
    *,
    is_repaired: bool = False,
) -> None:
    """Warns about time constants of a network that do not fit the time step or the unit.

    With `is_repaired` an exporter wrote decays for each tick. A decay of 0 is a time constant of one tick, however long it is.
    """
    ops = list(ops)
    populations = [op for op in ops if isinstance(op, nir.PopulationOp)]
    step = shorter_step(shortest_of(populations, 0.0), common_delay(ops))
    for op in populations:
        node = called(op, names)
        for name, array in op.parameters():
            if name not in op.TIMES or not array.values.size:
                continue
            least = float(array.values.min())
            least_ns = float(np.rint(least * 1e9))  # infinity is longer than any tick
            if tick_ns >= least_ns + is_repaired:
                diagnostics.warning(
                    ANA034,
                    at=f'{op.name} "{node}"',
                    node=node,
                    op=op,
                    expected=f"a time step below {name} = {least:g} s",
                    found=seconds(tick_ns),
                    help=Phrase(time_step(step)),
                    notes=[TRAINED],
                )
            elif least >= SLOW:
                diagnostics.warning(
                    ANA035,
                    at=f'{op.name} "{node}"',
                    node=node,
                    op=op,
                    expected=f"{name} in seconds, usually below {SLOW:g} s",
                    found=f"{name} = {least:g} s",
                    help="check the unit that the exporter wrote; NIR counts in seconds",
                )


def ticks_of(op: nir.NodeOp, delay: NDArray[Any], node: str, tick_ns: int) -> NDArray[np.int64]:
    """Delays in seconds as ticks, rounded half to even. Shapes: as the delays. Errors: ANA037 more ticks than can be counted."""
    with np.errstate(over="ignore"):  # infinity is more than can be counted
        ticks = np.rint(delay.astype(np.float64) * 1e9 / tick_ns)
    if ticks.size and ticks.max() > MOST_TICKS:
        refuse_op(
            op,
            ANA037,
            at=f'{op.name} "{node}"',
            node=node,
            expected=f"at most 2^62 ticks of {seconds(tick_ns)}",
            found=f"{delay.max():g} s",
            help="check the unit that the exporter wrote; NIR counts in seconds",
        )
    return ticks.astype(np.int64)


def check_delay(
    op: nir.NodeOp,
    delay: NDArray[Any],
    name: str,
    ticks: NDArray[np.int64],
    tick_ns: int,
    shortest_ns: float,
    diagnostics: Diagnostics,
) -> NDArray[np.float64] | None:
    """Returns the errors of rounded delays [s], with a warning that suggests a time step below the shortest time constant [ns]; None where every delay is a whole number of ticks."""
    delays = delay.astype(np.float64).reshape(-1)
    errors = np.abs(ticks.reshape(-1) * (tick_ns / 1e9) - delays)
    kind = delay.dtype
    last_bit = float(np.finfo(kind).eps) if kind.kind == "f" else 0.0
    if (errors <= np.maximum(1e-6 * tick_ns / 1e9, last_bit * delays)).all():  # a delay in seconds is a rounded number
        return None
    error = float(errors.max())
    worst = float(delays[int(errors.argmax())])
    step = whole_step(divisor_of(delays), shortest_ns) or 0
    is_near = step * 100 >= tick_ns
    diagnostics.warning(
        ANA036,
        at=f'{op.name} "{name}"',
        node=name,
        op=op,
        expected=f"multiples of {seconds(tick_ns)}",
        found=f"{worst:g} s, rounded with an error of {error:.3g} s",
        help=Phrase(time_step(step)) if is_near else "a shorter time step, which rounds less",
        notes=[TRAINED],
    )
    return errors
