"""Questions about learning on devices that declare it: the learning window, the bounds, and a constant that changes the run.

    lines 0 to 3    weights that are too weak for a spike; one spike each, 6 or 2 ticks before or after the spikes of the lines below
    lines 4 to 7    strong weights; one spike at once, with which every neuron fires
    later           one further spike of each of the first lines, since some chips change weights only at the next spike of a source

1. The change of a weak weight, as the mean of all neurons, is that of the rule at its interval. Chips count an interval from different ticks, so that all intervals
   may differ by the same few ticks. Traces of few bits and the rounding of weights are within the tolerance.
2. Weights stay within the bounds of the rule, apart from half a step, while all lines spike often.
3. Each rule that the device declares is asked about, since single pairs of spikes have one window by all of them.
4. Twice the constant of potentiation is another artefact, and has other weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...core.diagnostics import Refused
from ...dialects import nir, ntensor
from ...dialects.equations.shipped_rules import NEAREST, TRIPLETS
from ..options import Choices
from .artefacts import differing
from .networks import Drawing, Drawn, discretised, run_network
from .subject import Answer, Compiled, Subject, describe_refusal

LINES = TARGETS = 8
WEAK = 4
"""The lines whose weights are compared."""
OFFSETS = (-6, -2, 2, 6)
"""Ticks of the spikes of these lines, after the spike of the neurons."""
FIRE, AGAIN, TICKS = 20, 120, 136
"""Ticks of the spike of the neurons, of the further spikes, and of the run."""
TAU, TAU_TICKS = 0.005, 5.0
"""The time constant of both traces [s], and in ticks of 1 ms."""
AMPLITUDES = 0.1, 0.12
WEAK_WEIGHT, STRONG_WEIGHT = 0.25, 0.95
LATENCIES = (-2, -1, 0, 1, 2)
TOLERANCE = 0.2
"""The largest relative deviation of a window, as the root of the mean square."""
THRESHOLDS = np.geomspace(0.01, 4, 24).tolist()


def asked_rule(factor: float = 1.0) -> nir.StdpAttr:
    """Returns the pair rule that is asked about, for weights that excite; `factor` multiplies the constant of potentiation."""
    return nir.StdpAttr.of(AMPLITUDES[0] * factor, AMPLITUDES[1], TAU, TAU, 0.0, 1.0)


def nearest_rule(factor: float = 1.0) -> nir.RuleAttr:
    """Returns the rule of nearest pairs with the same numbers."""
    return nir.RuleAttr.of(NEAREST, asked_rule(factor).values)


def triplet_rule(factor: float = 1.0) -> nir.RuleAttr:
    """Returns the rule of triplets with the same pairs, and slow traces that decay before another spike."""
    given = asked_rule(factor).values
    pairs = {f"a2{name.removeprefix('a')}": given.pop(name) for name in ("a_plus", "a_minus")}
    slow = {"a3_plus": AMPLITUDES[0], "a3_minus": AMPLITUDES[1], "tau_x": 2 * TAU, "tau_y": 2 * TAU}
    return nir.RuleAttr.of(TRIPLETS, {**given, **pairs, **slow})


WindowRule = nir.StdpAttr | nir.RuleAttr
ALL_PAIRS = "stdp"
WINDOW_RULES: dict[str, Callable[..., WindowRule]] = {
    ALL_PAIRS: asked_rule,
    NEAREST: nearest_rule,
    TRIPLETS: triplet_rule,
}
"""The rules that are asked about, by the kind of a rule of a device."""


def case_of(kind: str, text: str) -> str:
    """Returns the name of a case, with the rule unless it is that of pairs."""
    return text if kind == ALL_PAIRS else f"{kind}: {text}"


def ask_learning(subject: Subject) -> Iterator[Answer]:
    """Weights on the chip learn by the window of the rule, stay within its bounds, and follow an edited constant."""
    declared = {one.rule for one in (subject.device.plasticity or {}).values() if one.where == "chip"}
    kinds = [kind for kind in WINDOW_RULES if kind in declared]  # 3
    if not kinds:
        return
    x = pair_spikes()
    threshold = firing_threshold(subject, x)
    if threshold is None:
        yield Answer("a neuron with strong and weak weights", "a threshold between them", "none")
        return
    for kind in kinds:
        yield from ask_rule(kind, subject, threshold, x)


def ask_rule(kind: str, subject: Subject, threshold: float, x: NDArray[np.bool_]) -> Iterator[Answer]:
    """Asks about one rule of a device."""
    case = f"a layer that learns by {'pair STDP' if kind == ALL_PAIRS else kind}"
    found = subject.follow(plastic_layer(subject, threshold, WINDOW_RULES[kind](), x))
    if not found.fit.is_fitting:
        yield Answer(case, "compiled", found.refusal)
        return
    weights = learnt_weights(subject, found, x)
    if isinstance(weights, str):
        yield Answer(case, "a run with weights", weights)
        return
    yield ask_window(kind, weights)
    yield ask_bounds(kind, subject, found)
    yield from ask_constant(kind, subject, found, threshold, x, weights)


def ask_window(kind: str, weights: NDArray[np.float64]) -> Answer:  # 1
    """Compares the changes with the window of the rule. Shapes: weights [ticks, neurons, lines]."""
    change = (weights[-1] - weights[0])[:, :WEAK].mean(axis=0)
    wanted = {shift: np.array([window_at(-offset + shift) for offset in OFFSETS]) for shift in LATENCIES}
    errors = {
        shift: float(np.sqrt(((change - one) ** 2).sum() / (one**2).sum()))
        for shift, one in wanted.items()
        if one.any()
    }
    error = min(errors.values())
    text = ", ".join(f"{value:.3g}" for value in change)
    expected = f"the window of the rule, with a relative deviation of at most {TOLERANCE:g}"
    wrong = (
        None
        if error <= TOLERANCE
        else f"changes {text} at {', '.join(map(str, OFFSETS))} ticks, a deviation of {error:.2g}"
    )
    return Answer(case_of(kind, "pairs of spikes"), expected, wrong)


def window_at(interval: int) -> float:
    """Returns the change by a pair of spikes; the interval [ticks] is above 0 if the source spikes first."""
    if interval == 0:
        return 0.0
    plus, minus = AMPLITUDES
    return float((plus if interval > 0 else -minus) * np.exp(-abs(interval) / TAU_TICKS))


def ask_bounds(kind: str, subject: Subject, found: Compiled) -> Answer:  # 2
    rng = np.random.default_rng(2)
    weights = learnt_weights(subject, found, rng.random((1, TICKS, LINES)) < 0.3)
    expected, case = "weights from 0 to 1", case_of(kind, "frequent spikes of all lines")
    if isinstance(weights, str):
        return Answer(case, expected, weights)
    slack = 1 / 254  # half a step of weights of 8 bits
    low, high = float(weights.min()), float(weights.max())
    is_kept = -slack <= low and high <= 1 + slack
    return Answer(case, expected, None if is_kept else f"weights from {low:.4g} to {high:.4g}")


def ask_constant(
    kind: str, subject: Subject, found: Compiled, threshold: float, x: NDArray[np.bool_], before: NDArray[np.float64]
) -> Iterator[Answer]:  # 4
    edited = subject.follow(plastic_layer(subject, threshold, WINDOW_RULES[kind](2.0), x))
    case = case_of(kind, "a_plus twice as large")
    if not edited.fit.is_fitting:
        yield Answer(case, "compiled", edited.refusal)
        return
    is_written = differing(subject.files(found), subject.files(edited))
    yield Answer(case, "another artefact", None if is_written else "the same files")
    after = learnt_weights(subject, edited, x)
    if isinstance(after, str):
        yield Answer(case, "other weights", after)
    else:
        potentiated = (after[-1] - before[-1])[:, : WEAK // 2].mean()
        yield Answer(
            case, "larger weights after pairs", None if potentiated > 0 else f"a difference of {potentiated:.3g}"
        )


# ---- networks and runs


def pair_spikes() -> NDArray[np.bool_]:
    """Returns the spikes of all lines. Shapes: [1, ticks, lines]."""
    x = np.zeros((1, TICKS, LINES), np.bool_)
    for line, offset in enumerate(OFFSETS):
        x[0, FIRE + offset, line] = True
        x[0, AGAIN + 3 * line, line] = True
    x[0, FIRE, WEAK:] = True
    return x


def plastic_layer(
    subject: Subject, threshold: float, rule: WindowRule | None, x: NDArray[np.bool_], choices: Choices | None = None
) -> Drawn:
    """Returns a network of one plastic layer and one population."""
    drawing, weight = Drawing(LINES), np.full((TARGETS, LINES), WEAK_WEIGHT)
    weight[:, WEAK:] = STRONG_WEIGHT
    entries = {} if rule is None else {"plasticity": rule}
    y = drawing.linear("fc", drawing.x, weight, **entries)
    module = drawing.finish(drawing.population(subject.family, "lif", y, threshold))
    return Drawn("a layer that learns", discretised(module, choices or subject.rule), x)


def firing_threshold(subject: Subject, x: NDArray[np.bool_]) -> float | None:
    """Returns a threshold with which the neurons fire once, at the spike of the strong lines; the middle one of those that were tried."""
    found: list[float] = []
    for threshold in THRESHOLDS:
        output = run_network(plastic_layer(subject, threshold, None, x).module, x)["output"]
        counts = (output != 0).sum(axis=1)
        if (counts == 1).all() and output[0, FIRE - 2 : FIRE + 4].any():
            found.append(threshold)
    return found[len(found) // 2] if found else None


def learnt_weights(subject: Subject, compiled: Compiled, x: NDArray[np.bool_]) -> NDArray[np.float64] | str:
    """Returns the weights after each tick of the target's model; the refusal if it does not run them. Shapes: [ticks, neurons, lines]."""
    node = next(
        op.node.data
        for op in compiled.network.walk()
        if isinstance(op, ntensor.SynapseOpInterface) and op.learning_rule
    )
    try:
        found = subject.run(compiled, record=[f"{node}.weight"], x=x)[f"{node}.weight"]
    except Refused as refusal:
        return f"refused by {describe_refusal(refusal.findings[0])}"
    return np.asarray(found, np.float64).reshape(-1, TARGETS, LINES)
