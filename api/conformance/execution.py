"""Questions about the declared execution: the cause of changes of neurons, the latency of layers, and the step of the threshold.

Each question compiles small networks in which a wrong declaration changes a spike or a state. `FORCE` times a threshold makes a neuron of every
family fire. Times are compared with those of the same network before it was compiled, in which layers add no latency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.device.records import Execution
from ...core.template_stub import COR028
from ..modules import only_network
from .networks import ACTIVE, Drawing, Drawn, discretised, run_network
from .numbers import SIZE, TICKS
from .subject import Answer, Compiled, Subject, records_of

FORCE, THRESHOLD = 8.0, 4.0
"""Weight of a synapse that makes its target fire, in thresholds; and the threshold."""
WEIGHT = FORCE * THRESHOLD
KICK = 2
"""Tick of the only event of an input."""
UNIT = np.eye(SIZE)
FRAMES = 40
"""Number of ticks or frames that change places."""
CHAIN = ("first", "second", "third")


def ask_execution(subject: Subject) -> Iterator[Answer]:
    """Neurons change by the declared cause (ticks, events, physics), and a barrier makes spikes of one tick arrive together."""
    execution = subject.device.execution
    if execution is None:
        return
    if execution.step != "frame":
        yield from ask_silence(subject, execution)
    if execution.mode == "time-stepped" or "bias" in execution.clocked:
        yield from ask_bias(subject, is_clocked=True)
    elif execution.mode == "event-driven":
        yield from ask_bias(subject, is_clocked=False)
    if execution.barrier not in (None, "none"):
        yield from ask_barrier(subject, execution)


def ask_scheduling(subject: Subject) -> Iterator[Answer]:
    """Layers and loops take the declared ticks, and the threshold is applied after the declared step: a tick, a frame, an event."""
    execution = subject.device.execution
    if execution is None:
        return
    if execution.step == "continuous":
        yield from ask_arrival(subject)
        return
    yield from ask_chain(subject)
    if execution.step != "frame":
        yield from ask_loop(subject)
    if execution.step is not None:
        yield from ask_memory(subject, execution)
        yield from ask_sum(subject, execution)


# ---- causes of changes


def ask_silence(subject: Subject, execution: Execution) -> Iterator[Answer]:
    """Asks whether a neuron changes in ticks without events, after the only event."""
    leaks = [family for family in ("lif", "cuba_lif") if family in subject.families]
    family = leaks[0] if leaks else subject.family
    # 7 / 8 are 7 steps of a weight of 4 bits: a leak that is rounded down is 0 for smaller integers
    found = compiled(subject, one_layer(subject, family, UNIT * THRESHOLD * 7 / 8), kick())
    is_clocked = bool(leaks) and (execution.mode != "event-driven" or "leak" in execution.clocked)
    case = f"a {family} neuron in ticks without events"
    expected = f"{'a change of its state' if is_clocked else 'no change'}, on a device that is {described(execution)}"
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    arrays = subject.run(found, [name for name in records_of(found.network) if name.startswith("first.")])
    states = [values for name, values in arrays.items() if name.startswith("first.")]
    late = KICK + 1 + found.latency
    changes = any((values[:, late + 1 :] != values[:, late:-1]).any() for values in states)
    yield Answer(case, expected, None if changes == is_clocked else "a change" if changes else "no change")


def ask_bias(subject: Subject, *, is_clocked: bool) -> Iterator[Answer]:
    """Asks whether a neuron with a bias fires without events."""
    drawn = one_layer(subject, subject.family, UNIT * WEIGHT, bias=np.full(SIZE, WEIGHT))
    found, case = compiled(subject, drawn, kick()), "a neuron with a bias, without events"
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    fires = bool(subject.run(found, x=np.zeros_like(found.drawn.x))["output"].any())
    device = (
        "a device that updates its neurons without events"
        if is_clocked
        else "a device whose neurons change by events alone"
    )
    wrong = None if fires == is_clocked else "spikes" if fires else "no spike"
    yield Answer(case, f"{'spikes' if is_clocked else 'no spike'}, on {device}", wrong)


def ask_barrier(subject: Subject, execution: Execution) -> Iterator[Answer]:
    """Asks whether spikes of two populations that fire in one tick reach a third one in one tick: opposite weights cancel each other."""
    drawing = Drawing(SIZE)
    left, right = (population(drawing, subject.family, name, drawing.x, UNIT * WEIGHT) for name in CHAIN[:2])
    sign = np.diag([1.0, -1.0] * (SIZE // 2)) * WEIGHT
    pair = drawing.sum(drawing.linear("left", left, sign), drawing.linear("right", right, -sign))
    module = drawing.finish(drawing.population(subject.family, CHAIN[2], pair, THRESHOLD))
    found, case = compiled(subject, module, kick()), "two populations that fire in one tick, with opposite weights"
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    wrong = "spikes" if subject.run(found)["output"].any() else None
    yield Answer(case, f"no spike, since the barrier ({execution.barrier}) makes them arrive in one tick", wrong)


# ---- latency


def ask_chain(subject: Subject) -> Iterator[Answer]:
    """Asks how many ticks a spike takes from layer to layer."""
    drawing = Drawing(SIZE)
    x = drawing.x
    for name in CHAIN:
        x = population(drawing, subject.family, name, x, UNIT * WEIGHT)
    found, case = compiled(subject, drawing.finish(x), kick()), "a chain of three populations"
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    late = subject.device.integer("synapse.delay.min") or 0
    names = [name for name in CHAIN if name in records_of(found.network)]
    expected = first_spikes(run_network(found.drawn.module, found.drawn.x, CHAIN), CHAIN)
    times = first_spikes(subject.run(found, names), names)
    wanted = [expected[CHAIN.index(name)] for name in names]
    steps = [b - a - (d - c) for a, b, c, d in zip(times, times[1:], wanted, wanted[1:], strict=False)]
    wrong = None if steps and all(step == late for step in steps) else ", ".join(map(ticks_text, steps)) or "no spike"
    yield Answer(case, f"{ticks_text(late)} from layer to layer (synapse.delay.min)", wrong)


def ask_arrival(subject: Subject) -> Iterator[Answer]:
    """Asks in which tick of the model an event changes the neuron that it reaches, and whether it still changes later."""
    found, case = (
        compiled(subject, one_layer(subject, subject.family, UNIT * THRESHOLD / 2), kick()),
        "an event of an input",
    )
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    names = [name for name in records_of(found.network) if name.startswith("first.")]
    with_event, without = (subject.run(found, names, x=x) for x in (found.drawn.x, np.zeros_like(found.drawn.x)))
    differs = np.array([(with_event[name] != without[name])[0].any(1) for name in names]).any(0)
    late = subject.device.integer("synapse.delay.min") or 0
    tick = int(np.flatnonzero(np.append(differs, True))[0]) - KICK
    yield Answer(
        case,
        f"another state {ticks_text(late)} later (synapse.delay.min)",
        None if tick == late else f"{ticks_text(tick)} later",
    )
    states = np.concatenate([with_event[name] for name in names], -1)[0]
    moves = bool((states[KICK + late + 1] != states[KICK + late]).any())
    yield Answer(case, "a state that moves on in the next tick", None if moves else "a state that rests")


def ask_loop(subject: Subject) -> Iterator[Answer]:
    """Asks how many ticks a spike takes back to the neuron that emitted it."""
    drawing = Drawing(SIZE)
    current = drawing.linear("fc", drawing.x, UNIT * WEIGHT)
    back = drawing.linear("rec", current, UNIT * WEIGHT)
    z = drawing.population(subject.family, "first", drawing.sum(current, back), THRESHOLD)
    back.owner.operands[0] = z  # pyrefly: ignore[missing-attribute]
    found, case = compiled(subject, drawing.finish(z), kick()), "a neuron that excites itself"
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    ticks = np.flatnonzero(subject.run(found, ["first"])["first"][0, :, 0])
    wanted = np.flatnonzero(run_network(found.drawn.module, found.drawn.x, ["first"])["first"][0, :, 0])
    late = max(1, subject.device.integer("synapse.delay.min") or 0) - 1
    expected = int(wanted[1] - wanted[0]) + late
    step = int(ticks[1] - ticks[0]) if len(ticks) > 1 else 0
    wrong = None if step == expected else ticks_text(step) if step else "one spike at most"
    yield Answer(case, f"{ticks_text(expected)} between its first two spikes", wrong)


# ---- step of the threshold


def ask_sum(subject: Subject, execution: Execution) -> Iterator[Answer]:
    """Asks whether excitation and inhibition of one tick or frame are added before the threshold is applied."""
    half = SIZE // 2
    weight = np.concatenate([np.eye(half), -np.eye(half)], 1) * WEIGHT
    x = np.zeros((2, TICKS, SIZE), bool)
    x[0, KICK, :half], x[1, KICK] = True, True
    found = compiled(subject, one_layer(subject, subject.family, weight), x)
    case = f"excitation and inhibition of one {'frame' if execution.step == 'frame' else 'tick'}"
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    alone, both = (bool(one.any()) for one in subject.run(found)["output"])
    yield Answer("excitation alone", "spikes", None if alone else "no spike")
    if execution.step == "event":
        tier = subject.device.fidelity.tier
        yield Answer(
            case, "a fidelity without times of spikes, as events have an order", tier if tier == "exact" else None
        )
    else:
        yield Answer(case, f"no spike, as the sum of a {execution.step} is 0", "spikes" if both else None)


def ask_memory(subject: Subject, execution: Execution) -> Iterator[Answer]:
    """Asks whether a tick depends on earlier ticks, and a frame does not."""
    rng, is_frame = np.random.default_rng(5), execution.step == "frame"
    found = compiled(subject, active_layer(subject, rng.integers(-2, 3, (SIZE, SIZE)).astype(float)), noise(rng, TICKS))
    case = f"the same {'frames' if is_frame else 'ticks'} in another order"
    if (refusal := refused(found, case)) is not None:
        yield refusal
        return
    ticks, late = only_network(found.network).frame_ticks, found.latency
    x, order = noise(rng, FRAMES * ticks).reshape(1, FRAMES, ticks, SIZE), rng.permutation(FRAMES)
    x = np.concatenate([x, np.zeros((1, late, ticks, SIZE), bool)], 1)
    moved = np.concatenate([x[:, order], x[:, FRAMES:]], 1)
    output, other = (subject.run(found, x=one.reshape(1, -1, SIZE))["output"][:, late:] for one in (x, moved))
    is_same = np.array_equal(output[:, order], other)
    expected = "the same results in that order" if is_frame else "other results, as neurons keep a state"
    wrong = None if is_same == is_frame else "the same results" if is_same else "results that depend on earlier frames"
    yield Answer(case, expected, wrong)


# ---- networks


def kick() -> NDArray[np.bool_]:
    """Returns an input with events in one tick."""
    x = np.zeros((1, TICKS, SIZE), bool)
    x[:, KICK] = True
    return x


def population(drawing: Drawing, family: str, name: str, x: Any, weight: NDArray[Any], **entries: Any) -> Any:
    return drawing.population(family, name, drawing.linear(f"to_{name}", x, weight, **entries), THRESHOLD)


def one_layer(subject: Subject, family: str, weight: NDArray[Any], **entries: Any) -> ModuleOp:
    drawing = Drawing(SIZE)
    return drawing.finish(population(drawing, family, "first", drawing.x, weight, **entries))


def noise(rng: np.random.Generator, ticks: int) -> NDArray[np.bool_]:
    return rng.random((1, ticks, SIZE)) < 0.5


def active_layer(subject: Subject, weight: NDArray[Any]) -> ModuleOp:
    """Returns a layer with the least multiple of the weights, by powers of two, whose population is active."""
    x = noise(np.random.default_rng(6), FRAMES)
    layers = (one_layer(subject, subject.family, weight * 2**power) for power in count())
    return next(one for one in layers if run_network(discretised(one, subject.rule), x)["output"].mean() > ACTIVE[0])


def compiled(subject: Subject, module: ModuleOp, x: NDArray[Any]) -> Compiled:
    """Returns a network compiled for the device with the help of its refusals; `drawn` is the network before."""
    drawn = Drawn("execution", discretised(module, subject.rule), x)
    return evolve(subject.follow(drawn), drawn=drawn)


def refused(found: Compiled, case: str) -> Answer | None:
    """Returns the answer for a network that does not fit, which needs a limit and a help; None if it fits."""
    if found.fit.is_fitting:
        return None
    # a part that is not written yet is not a limit
    is_helpful = bool(found.errors) and all(
        error.help and error.expected and error.code != COR028 for error in found.errors
    )
    return Answer(
        case, "compiled, or refused with a limit and a help", None if is_helpful else found.refusal or "no finding"
    )


def first_spikes(arrays: dict[str, NDArray[Any]], names: Sequence[str]) -> list[int]:
    """Returns the tick or frame of the first spike of each population; that after the last one without a spike."""
    rows = ([*arrays[name][0].reshape(arrays[name].shape[1], -1).any(1), True] for name in names)
    return [int(np.flatnonzero(row)[0]) for row in rows]


def ticks_text(n: int) -> str:
    return f"{n} tick{'s' * (n != 1)}"


def described(execution: Execution) -> str:
    clocked = f", with a clock for {' and '.join(execution.clocked)}" if execution.clocked else ""
    return f"{execution.mode}{clocked}"
